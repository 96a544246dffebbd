//! Cookies of a site, and the token that programs send instead.

use axum::http::{HeaderMap, HeaderValue, header};

/// A cookie that scripts cannot read.
#[derive(Clone, Copy, Debug)]
pub struct Cookie {
    name: &'static str,
    host_name: Option<&'static str>,
    same_site: &'static str,
}

impl Cookie {
    /// A cookie that browsers send along when somebody follows a link to the site.
    pub const fn lax(name: &'static str) -> Self {
        Self {
            name,
            host_name: None,
            same_site: "Lax",
        }
    }

    /// A cookie that browsers send only with requests of the site itself.
    pub const fn strict(name: &'static str) -> Self {
        Self {
            same_site: "Strict",
            ..Self::lax(name)
        }
    }

    /// Gives it another name over HTTPS, which begins with `__Host-`: browsers then accept it only from
    /// this host over HTTPS, so that no neighbouring host can plant one.
    pub const fn bound_to_host(mut self, host_name: &'static str) -> Self {
        self.host_name = Some(host_name);
        self
    }

    fn name(&self, https: bool) -> &'static str {
        match self.host_name {
            Some(host_name) if https => host_name,
            _ => self.name,
        }
    }

    /// The header `Set-Cookie` for a value that lives so many seconds.
    ///
    /// # Panics
    /// The value is not printable ASCII; those of a site are base64url and the like.
    pub fn set(&self, value: &str, seconds: u32, https: bool) -> HeaderValue {
        let secure = if https { "; Secure" } else { "" };
        let (name, site) = (self.name(https), self.same_site);
        let text =
            // A name with `__Host-` needs Secure, the path / and no Domain (RFC 6265bis, 4.1.3.2).
            format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite={site}{secure}");
        HeaderValue::from_str(&text).expect("names and values are plain ASCII")
    }

    /// The header `Set-Cookie` that removes it.
    pub fn remove(&self, https: bool) -> HeaderValue {
        self.set("", 0, https)
    }

    /// Its value in a request.
    pub fn read<'a>(&self, headers: &'a HeaderMap, https: bool) -> Option<&'a str> {
        let wanted = self.name(https);
        let lines = headers.get_all(header::COOKIE).iter();
        let mut pairs = lines
            .filter_map(|line| line.to_str().ok())
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='));
        pairs
            .find(|(found, _)| *found == wanted)
            .map(|(_, value)| value)
    }
}

/// The token of the header `Authorization: Bearer TOKEN`.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme
        // The scheme is case-insensitive (RFC 9110, 11.1).
        .eq_ignore_ascii_case("bearer")
        .then_some(token.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: Cookie = Cookie::lax("session").bound_to_host("__Host-session");

    fn headers(cookies: &[&str]) -> HeaderMap {
        let lines = cookies.iter().map(|text| {
            let value = HeaderValue::from_bytes(text.as_bytes()).expect("a header");
            (header::COOKIE, value)
        });
        lines.collect()
    }

    #[test]
    fn finds_its_cookie_among_others() {
        let line = "x=1; session=abc; y=2";
        for lines in [vec![line], vec!["z=3", line], vec!["ä=1", line]] {
            assert_eq!(SESSION.read(&headers(&lines), false), Some("abc"));
            assert_eq!(SESSION.read(&headers(&lines), true), None);
        }
        for line in ["", ";;=;", "session", "__Host-session=1"] {
            assert_eq!(SESSION.read(&headers(&[line]), false), None, "{line}");
        }
        let bound = headers(&["session=planted; __Host-session=ours"]);
        assert_eq!(SESSION.read(&bound, true), Some("ours"));
    }

    #[test]
    fn cookies_are_out_of_reach_of_scripts() {
        let text = |value: HeaderValue| value.to_str().expect("ASCII").to_owned();
        assert_eq!(
            text(SESSION.set("abc", 60, true)),
            "__Host-session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure"
        );
        assert_eq!(
            text(Cookie::strict("pass").remove(false)),
            "pass=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"
        );
    }

    #[test]
    fn tokens_come_with_their_scheme() {
        let token = |value: &'static str| {
            let headers = [(header::AUTHORIZATION, HeaderValue::from_static(value))];
            bearer(&headers.into_iter().collect()).map(str::to_owned)
        };
        assert_eq!(token("Bearer abc"), Some("abc".to_owned()));
        assert_eq!(token("bearer  abc "), Some("abc".to_owned()));
        assert_eq!(token("Basic abc"), None);
        assert_eq!(token("Bearer"), None);
    }
}
