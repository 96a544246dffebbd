//! The language of the page that is requested: `?lang=` and a cookie that remembers it, then the
//! header `Accept-Language`, then English. The API has that of `Accept-Language`, in which scripts name the language of
//! their page; a page for a frame has that of `?lang=`, since caches keep it for everybody.

use axum::extract::{Request, State};
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::Response;
use web::cookies::Cookie;

use super::state::App;
use crate::lang::Language;

const CHOICE: Cookie = Cookie::lax("crowd_language");

const YEAR: u32 = 365 * 24 * 60 * 60;

#[derive(Clone)]
pub(crate) struct PageRequest {
    pub(crate) language: &'static Language,
    /// The address of the page, ready for `lang=` to follow.
    pub(crate) address: String,
}

tokio::task_local! {
    // Templates and errors are made far from the request, so the language travels with the task.
    static ASKED: PageRequest;
}

impl PageRequest {
    /// Of the request that is being answered; English where there is none.
    pub(crate) fn now() -> Self {
        ASKED.try_with(Self::clone).unwrap_or_else(|_| Self {
            language: Language::english(),
            address: "/?".to_owned(),
        })
    }

    #[cfg(test)]
    pub(crate) async fn scope<F: Future>(self, answer: F) -> F::Output {
        ASKED.scope(self, answer).await
    }

    #[cfg(test)]
    pub(crate) fn within<R>(self, run: impl FnOnce() -> R) -> R {
        ASKED.sync_scope(self, run)
    }
}

const WITHOUT: &str = "/static/";

/// Chooses the language for all behind it, which does not see `lang`, and declares it in the headers of pages.
pub(crate) async fn choose(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if path.starts_with(WITHOUT) {
        return next.run(request).await;
    }
    let https = app.settings.https;
    let headers = request.headers();
    let chosen = pairs(request.uri())
        .find_map(|pair| pair.strip_prefix("lang="))
        .and_then(Language::of_code);
    let kept = || CHOICE.read(headers, https).and_then(Language::of_code);
    let accepted = || {
        let header = headers.get(header::ACCEPT_LANGUAGE);
        let text = header.and_then(|value| value.to_str().ok());
        Language::accepted(text.unwrap_or(""))
    };
    // Scripts name the language of their page; the cookie may have changed since it was made.
    if path.starts_with("/api/") {
        let address = "/?".to_owned();
        let language = accepted();
        return ASKED
            .scope(PageRequest { language, address }, next.run(request))
            .await;
    }
    let language = chosen.or_else(kept).unwrap_or_else(accepted);
    let asked = PageRequest {
        language,
        address: address(request.method(), request.uri()),
    };
    let bare = bare(request.uri());
    // Handlers that know all members of their query would reject `lang`.
    if let Ok(bare) = bare[..bare.len() - 1].parse::<PathAndQuery>() {
        *request.uri_mut() = Uri::from(bare);
    }
    let mut response = ASKED.scope(asked, next.run(request)).await;
    let headers = response.headers_mut();
    if let Some(language) = chosen {
        headers.append(header::SET_COOKIE, CHOICE.set(&language.code, YEAR, https));
    }
    let kind = headers.get(header::CONTENT_TYPE);
    if kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html")) {
        if let Ok(code) = HeaderValue::from_str(&language.code) {
            headers.insert(header::CONTENT_LANGUAGE, code);
        }
        // Shared caches must not give a page to readers of another language (RFC 9110, 12.5.5).
        let vary = HeaderValue::from_static("accept-language, cookie");
        headers.append(header::VARY, vary);
    }
    response
}

fn pairs(uri: &Uri) -> impl Iterator<Item = &str> {
    uri.query().unwrap_or("").split('&')
}

/// Where the same page is found, without `lang`; what is no page by itself has the first one.
fn address(method: &Method, uri: &Uri) -> String {
    // A link to `//host` would leave the site.
    if method != Method::GET || uri.path().starts_with("//") {
        return "/?".to_owned();
    }
    bare(uri)
}

/// The address without `lang`, and a `?` or `&` at its end for more.
fn bare(uri: &Uri) -> String {
    let mut address = format!("{}?", uri.path());
    for pair in pairs(uri).filter(|pair| !pair.is_empty() && !pair.starts_with("lang=")) {
        address.push_str(pair);
        address.push('&');
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_page_is_linked_in_another_language() {
        let rows = [
            ("/", "/?"),
            ("/lists?before=7&lang=de", "/lists?before=7&"),
            ("/?lang=de&page=2&&campaign=x", "/?page=2&campaign=x&"),
            ("//elsewhere.example/x", "/?"),
        ];
        for (uri, expected) in rows {
            let uri: Uri = uri.parse().expect("an address");
            assert_eq!(address(&Method::GET, &uri), expected);
            assert_eq!(address(&Method::POST, &uri), "/?");
        }
    }
}
