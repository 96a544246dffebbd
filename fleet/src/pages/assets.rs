//! The files that pages load, embedded in the program. Their addresses contain a hash of their
//! contents, so that browsers keep them for good.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rust_embed::RustEmbed;
use sha2::{Digest as _, Sha256};

#[derive(RustEmbed)]
#[folder = "static/"]
struct Static;

struct File {
    address: String,
    bytes: Cow<'static, [u8]>,
    mime: &'static str,
}

/// By name; the style of charts is that of all reports.
static FILES: LazyLock<BTreeMap<String, File>> = LazyLock::new(|| {
    let own = Static::iter().filter_map(|name| {
        let file = Static::get(&name)?;
        Some((name.into_owned(), file.data))
    });
    let charts = Cow::Borrowed(kit::chart::STYLE.as_bytes());
    own.chain([("chart.css".to_owned(), charts)])
        .map(|(name, bytes)| {
            let hash = BASE64_URL_SAFE_NO_PAD.encode(&Sha256::digest(&bytes)[..9]);
            let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
            let address = format!("/static/{stem}.{hash}.{ending}");
            let mime = mime_of(ending);
            let file = File {
                address,
                bytes,
                mime,
            };
            (name, file)
        })
        .collect()
});

/// The address of a file that pages load.
pub(crate) fn address(name: &str) -> String {
    FILES
        .get(name)
        .map_or_else(|| format!("/static/{name}"), |file| file.address.clone())
}

/// Serves a file; the hash in its address is that of its contents.
pub(crate) async fn serve(Path(path): Path<String>) -> Response {
    let address = format!("/static/{path}");
    let Some(file) = FILES.values().find(|file| file.address == address) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, file.mime),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    (headers, file.bytes.clone()).into_response()
}

fn mime_of(ending: &str) -> &'static str {
    match ending {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_change_with_contents() {
        let site = address("site.css");
        assert!(
            site.starts_with("/static/site.") && site.len() > 25,
            "{site}"
        );
        assert!(address("chart.css").ends_with(".css"));
        assert_eq!(FILES["site.css"].mime, "text/css; charset=utf-8");
    }
}
