//! The cookies, the moderators' token, and the pass that a browser receives for it.

use axum::http::{HeaderMap, HeaderValue};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use web::cookies::Cookie;

use crate::model::Timestamp;
use crate::service::SessionToken;

/// The moderators' token; only its SHA-256 is kept.
#[derive(Clone)]
pub struct AdminToken([u8; 32]);

/// The token is too short, and so easy to guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the admin token has {0} characters, at least 16 are expected")]
pub struct ShortTokenError(usize);

impl AdminToken {
    const SHORTEST: usize = 16;

    /// Creates it from the configured text, trimmed.
    /// It has at least 16 characters.
    pub fn new(text: &str) -> Result<Self, ShortTokenError> {
        let text = text.trim();
        match text.chars().count() {
            length if length < Self::SHORTEST => Err(ShortTokenError(length)),
            _ => Ok(Self(digest(&[text.as_bytes()]))),
        }
    }

    /// Whether the text is the token. Compares digests, so that timing reveals nothing.
    pub(crate) fn is(&self, text: &str) -> bool {
        digest(&[text.as_bytes()]) == self.0
    }

    /// A pass that replaces the token until the given time.
    pub(crate) fn pass(&self, until: Timestamp) -> String {
        format!("{}.{}", until.0, self.seal(until))
    }

    pub(crate) fn admits(&self, pass: &str, now: Timestamp) -> bool {
        let Some((until, seal)) = pass.split_once('.') else {
            return false;
        };
        let Ok(until) = until.parse().map(Timestamp) else {
            return false;
        };
        now < until && digest(&[seal.as_bytes()]) == digest(&[self.seal(until).as_bytes()])
    }

    /// The key is at both ends, so that nothing can be appended.
    fn seal(&self, until: Timestamp) -> String {
        URL_SAFE_NO_PAD.encode(digest(&[&self.0, &until.0.to_be_bytes(), &self.0]))
    }
}

fn digest(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}

impl std::fmt::Debug for AdminToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AdminToken(…)")
    }
}

const SESSION: Cookie = Cookie::lax("crowd_session");
pub(super) const MODERATOR: Cookie = Cookie::strict("crowd_moderator");
const YEAR_SECONDS: u32 = 365 * 24 * 3600;

pub(crate) const MODERATOR_SECONDS: u32 = 12 * 3600;

pub(crate) fn session_text(headers: &HeaderMap) -> Option<&str> {
    SESSION.of(headers, false)
}

pub(crate) fn session_of(headers: &HeaderMap) -> Option<SessionToken> {
    session_text(headers)?.parse().ok()
}

pub(crate) fn session_cookie(token: &SessionToken, https: bool) -> HeaderValue {
    SESSION.set(token.as_str(), YEAR_SECONDS, https)
}

/// The header that removes a session's cookie.
pub(crate) fn no_session_cookie(https: bool) -> HeaderValue {
    SESSION.remove(https)
}

pub(crate) fn moderator_cookie(pass: Option<&str>, https: bool) -> HeaderValue {
    match pass {
        Some(pass) => MODERATOR.set(pass, MODERATOR_SECONDS, https),
        None => MODERATOR.remove(https),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::header;

    use super::*;

    const TEXT: &str = "0123456789abcdef";

    #[test]
    fn knows_its_text_and_no_other() {
        let token = AdminToken::new(TEXT).expect("long enough");
        assert!(token.is(TEXT));
        assert!(!token.is("0123456789abcdeF") && !token.is(""));
        assert_eq!(AdminToken::new(" short ").err(), Some(ShortTokenError(5)));
    }

    #[test]
    fn a_pass_runs_out_and_cannot_be_changed() {
        let token = AdminToken::new(TEXT).expect("long enough");
        let pass = token.pass(Timestamp(1000));
        assert!(token.admits(&pass, Timestamp(999)));
        assert!(!token.admits(&pass, Timestamp(1000)));
        let longer = pass.replacen("1000", "2000", 1);
        for forged in [longer.as_str(), "", ".", "1000.", "1000", &pass[..20]] {
            assert!(!token.admits(forged, Timestamp(0)), "{forged}");
        }
        let other = AdminToken::new("another token of 25 chars").expect("long enough");
        assert!(!other.admits(&pass, Timestamp(0)));
    }

    #[test]
    fn anything_else_is_no_session() {
        for line in [
            "",
            ";;=;",
            "crowd_session",
            "crowd_session=",
            "crowd_session=short",
        ] {
            let value = HeaderValue::from_static(line);
            let headers = [(header::COOKIE, value)].into_iter().collect();
            assert_eq!(session_of(&headers), None, "{line}");
        }
    }

    #[test]
    fn cookies_are_out_of_reach_of_scripts() {
        let token = SessionToken::random().expect("random bytes");
        let cookie = session_cookie(&token, true);
        let text = cookie.to_str().expect("ASCII");
        assert!(text.ends_with("Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure"));
        let text = moderator_cookie(None, false);
        assert_eq!(
            text.to_str().expect("ASCII"),
            "crowd_moderator=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"
        );
    }
}
