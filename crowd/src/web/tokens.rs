//! The cookies, and the moderators with their tokens.

use std::collections::BTreeMap;

use axum::http::{HeaderMap, HeaderValue};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use web::cookies::Cookie;
use web::secret;

use crate::service::SessionToken;

/// The moderators by name, each with a token, of which only the SHA-256 is kept.
#[derive(Clone)]
pub struct Moderators(BTreeMap<String, [u8; 32]>);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModeratorsError {
    #[error("line {line}: the admin token has {found} characters, at least 16 are expected")]
    Short { line: usize, found: usize },
    #[error(
        "line {line}: 'NAME: TOKEN' is expected, since there are several; a name is up to 32 letters, digits, '-', '_'"
    )]
    Unnamed { line: usize },
    #[error("line {line}: another line has the same {what}")]
    Twice { line: usize, what: &'static str },
    #[error("there is no admin token")]
    Empty,
}

impl Moderators {
    const SHORTEST: usize = 16;
    const LONGEST_NAME: usize = 32;

    /// Reads lines of the form `NAME: TOKEN`; blank lines, and those that begin with `#`, are
    /// ignored. A single line may be a token alone: its moderator is called `moderator`.
    pub fn read(text: &str) -> Result<Self, ModeratorsError> {
        let lines = (1..).zip(text.lines().map(str::trim));
        let lines: Vec<(usize, &str)> = lines
            .filter(|(_, text)| !text.is_empty() && !text.starts_with('#'))
            .collect();
        let mut moderators = BTreeMap::new();
        for &(line, text) in &lines {
            let (name, token) = match named(text) {
                Some(named) => named,
                None if lines.len() == 1 => ("moderator", text),
                None => return Err(ModeratorsError::Unnamed { line }),
            };
            let found = token.chars().count();
            if found < Self::SHORTEST {
                return Err(ModeratorsError::Short { line, found });
            }
            let hash = secret::hash(token);
            // The log shows who decided, so a token must have one name.
            if moderators.values().any(|other| *other == hash) {
                let what = "token";
                return Err(ModeratorsError::Twice { line, what });
            }
            if moderators.insert(name.to_owned(), hash).is_some() {
                let what = "name";
                return Err(ModeratorsError::Twice { line, what });
            }
        }
        if moderators.is_empty() {
            return Err(ModeratorsError::Empty);
        }
        Ok(Self(moderators))
    }

    /// The moderator with this token. Compares hashes, so that timing reveals nothing.
    pub(crate) fn of_token(&self, text: &str) -> Option<&str> {
        let hash = secret::hash(text);
        let mut all = self.0.iter();
        let found = all.find(|(_, of_one)| **of_one == hash);
        found.map(|(name, _)| name.as_str())
    }

    /// A text that changes when a moderator's token does, and does not reveal it; `None` if there
    /// is no such moderator.
    pub(crate) fn key(&self, name: &str) -> Option<String> {
        let hash = URL_SAFE_NO_PAD.encode(self.0.get(name)?);
        Some(URL_SAFE_NO_PAD.encode(secret::hash(&hash)))
    }
}

fn named(text: &str) -> Option<(&str, &str)> {
    // Tokens in base64 have no colon, so that one alone is not split.
    let (name, token) = text.split_once(':')?;
    let may_be = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let length = name.chars().count();
    let is_name = (1..=Moderators::LONGEST_NAME).contains(&length) && name.chars().all(may_be);
    is_name.then(|| (name, token.trim()))
}

impl std::fmt::Debug for Moderators {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

// With `Strict`, a link on another site would lead to a page without the session.
const SESSION: Cookie = Cookie::lax("crowd_session").bound_to_host("__Host-crowd_session");
// A link on another site opens the moderators' pages without their session.
const MODERATOR: Cookie = Cookie::strict("crowd_moderator").bound_to_host("__Host-crowd_moderator");
const YEAR_SECONDS: u32 = 365 * 24 * 3600;

pub(crate) const MODERATOR_SECONDS: u32 = 12 * 3600;

/// The session that a request names, of a site over HTTPS or not.
pub(crate) fn session_text(https: bool) -> fn(&HeaderMap) -> Option<&str> {
    if https {
        |headers| SESSION.read(headers, true)
    } else {
        |headers| SESSION.read(headers, false)
    }
}

pub(crate) fn session_of(headers: &HeaderMap, https: bool) -> Option<SessionToken> {
    SESSION.read(headers, https)?.parse().ok()
}

pub(crate) fn session_cookie(token: &SessionToken, https: bool) -> HeaderValue {
    SESSION.set(token.as_str(), YEAR_SECONDS, https)
}

pub(crate) fn no_session_cookie(https: bool) -> HeaderValue {
    SESSION.remove(https)
}

pub(crate) fn moderator_of(headers: &HeaderMap, https: bool) -> Option<SessionToken> {
    MODERATOR.read(headers, https)?.parse().ok()
}

pub(crate) fn moderator_cookie(token: Option<&SessionToken>, https: bool) -> HeaderValue {
    match token {
        Some(token) => MODERATOR.set(token.as_str(), MODERATOR_SECONDS, https),
        None => MODERATOR.remove(https),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::header;

    use super::*;

    const ONE: &str = "0123456789abcdef";
    const TWO: &str = "fedcba9876543210";

    #[test]
    fn a_token_names_its_moderator() {
        let alone = Moderators::read(&format!(" {ONE}\n")).expect("a token");
        assert_eq!(alone.of_token(ONE), Some("moderator"));
        let text = format!("# of the club\n\nada: {ONE}\nben:{TWO}\n");
        let both = Moderators::read(&text).expect("two");
        assert_eq!(
            (both.of_token(ONE), both.of_token(TWO)),
            (Some("ada"), Some("ben"))
        );
        for wrong in ["", "0123456789abcdeF", "ada", "ada: 0123456789abcdef"] {
            assert_eq!(both.of_token(wrong), None, "{wrong}");
        }
        assert_ne!(both.key("ada"), both.key("ben"));
        assert_eq!(both.key("moderator"), None);
        assert_eq!(format!("{both:?}"), r#"{"ada", "ben"}"#);
    }

    #[test]
    fn every_other_text_has_a_reason() {
        let check = |text: &str, expected: &str| {
            let error = Moderators::read(text).expect_err(text).to_string();
            assert!(error.starts_with(expected), "{error}");
        };
        check(" short ", "line 1: the admin token has 5 characters");
        check("\nada: short", "line 2: the admin token has 5 characters");
        check("# nobody\n", "there is no admin token");
        check(&format!("ada: {ONE}\n{TWO}"), "line 2: 'NAME: TOKEN' is");
        check(
            &format!("ada: {ONE}\nada: {TWO}"),
            "line 2: another line has the same name",
        );
        check(
            &format!("ada: {ONE}\nben: {ONE}"),
            "line 2: another line has the same token",
        );
    }

    #[test]
    fn cookies_are_out_of_reach_of_scripts() {
        let token = SessionToken::random().expect("random bytes");
        let cookie = session_cookie(&token, true);
        let text = cookie.to_str().expect("ASCII");
        let end = "; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure";
        assert_eq!(
            text,
            format!("__Host-crowd_session={}{end}", token.as_str())
        );
        // One that a neighbouring host has planted is none.
        let planted = HeaderValue::from_str(&text["__Host-".len()..]).expect("ASCII");
        let headers = [(header::COOKIE, planted)].into_iter().collect();
        assert!(session_of(&headers, false).is_some());
        assert_eq!(session_of(&headers, true), None);
        let text = moderator_cookie(None, false);
        assert_eq!(
            text.to_str().expect("ASCII"),
            "crowd_moderator=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"
        );
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
            assert_eq!(session_of(&headers, false), None, "{line}");
        }
    }
}
