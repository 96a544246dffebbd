//! The cookies: a contributor's session, a moderator's pass.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::service::SessionToken;

const SESSION: &str = "crowd_session";
pub(super) const MODERATOR: &str = "crowd_moderator";
const YEAR_SECONDS: u32 = 365 * 24 * 3600;

/// Lifetime of a moderator's pass.
pub(crate) const MODERATOR_SECONDS: u32 = 12 * 3600;

/// The session token in the request.
pub(crate) fn session_of(headers: &HeaderMap) -> Option<SessionToken> {
    cookie(headers, SESSION)?.parse().ok()
}

/// The header that sets the session cookie.
pub(crate) fn session_cookie(token: &SessionToken, https: bool) -> HeaderValue {
    set_cookie(SESSION, token.as_str(), YEAR_SECONDS, "Lax", https)
}

/// The header that sets or clears a moderator's pass.
pub(crate) fn moderator_cookie(pass: Option<&str>, https: bool) -> HeaderValue {
    let seconds = pass.map_or(0, |_| MODERATOR_SECONDS);
    set_cookie(MODERATOR, pass.unwrap_or(""), seconds, "Strict", https)
}

fn set_cookie(name: &str, value: &str, seconds: u32, site: &str, https: bool) -> HeaderValue {
    let secure = if https { "; Secure" } else { "" };
    let text =
        format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite={site}{secure}");
    HeaderValue::from_str(&text).expect("names and tokens are plain ASCII")
}

pub(super) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter();
    let mut pairs = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    pairs
        .find(|(found, _)| *found == name)
        .map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(cookies: &[&str]) -> HeaderMap {
        let lines = cookies.iter().map(|text| {
            let value = HeaderValue::from_bytes(text.as_bytes()).expect("a header");
            (header::COOKIE, value)
        });
        lines.collect()
    }

    #[test]
    fn finds_its_cookie_among_others() {
        let token = "a".repeat(43);
        let line = format!("x=1; crowd_session={token}; y=2");
        for lines in [vec![line.as_str()], vec!["z=3", &line], vec!["ä=1", &line]] {
            let found = session_of(&headers(&lines)).expect("a token");
            assert_eq!(found.as_str(), token);
        }
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
            assert_eq!(session_of(&headers(&[line])), None, "{line}");
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
