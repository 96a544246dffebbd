//! The files that pages load, embedded in the program: the site's own and those of the board's npm
//! package. They are looked up by exact name only, so that no path leads anywhere else.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    pub bytes: Cow<'static, [u8]>,
    pub mime: &'static str,
    /// A hash of the contents, in quotes, for `ETag`.
    pub etag: String,
}

#[derive(RustEmbed)]
#[folder = "static/"]
struct Static;

/// The files of the package found by `build.rs`; empty if it is not installed.
static VENDOR_FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/vendor_files.rs"));

static VENDOR: LazyLock<BTreeMap<&'static str, Asset>> = LazyLock::new(|| {
    VENDOR_FILES
        .iter()
        .map(|&(name, bytes)| (name, vendor_asset(name, bytes)))
        .collect()
});

/// The drawn board does not work without these.
const NEEDED: [&str; 6] = [
    "assets/chessboard.css",
    "assets/pieces/standard.svg",
    "src/Chessboard.js",
    "src/extensions/accessibility/Accessibility.js",
    "src/extensions/arrows/Arrows.js",
    "src/extensions/markers/Markers.js",
];

/// The site's own file of this name, such as `board.js` or `board/table.js`.
pub fn static_file(path: &str) -> Option<Asset> {
    if path.contains('\\') {
        return None;
    }
    let file = Static::get(path)?;
    Some(Asset {
        bytes: file.data,
        mime: mime_of(path),
        etag: etag_of(&file.metadata.sha256_hash()),
    })
}

/// The file of this name in the board's package, such as `src/Chessboard.js`; only files that pages
/// may load are present.
pub fn vendor_file(path: &str) -> Option<Asset> {
    VENDOR.get(path).cloned()
}

/// Whether the drawn board was installed when this program was built; otherwise pages use the table
/// board.
pub fn board_is_there() -> bool {
    NEEDED.iter().all(|name| VENDOR.contains_key(name))
}

fn vendor_asset(name: &str, bytes: &'static [u8]) -> Asset {
    Asset {
        bytes: Cow::Borrowed(bytes),
        mime: mime_of(name),
        etag: etag_of(&Sha256::digest(bytes)),
    }
}

fn etag_of(hash: &[u8]) -> String {
    format!("\"{}\"", BASE64_URL_SAFE_NO_PAD.encode(&hash[..16]))
}

fn mime_of(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("map" | "json") => "application/json",
        _ => "text/plain; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_files_are_found_by_their_names() {
        let board = static_file("board.js").expect("the board is carried");
        assert_eq!(board.mime, "text/javascript; charset=utf-8");
        assert!(board.bytes.starts_with(b"// The board"));
        assert_eq!(
            static_file("site.css").expect("the sheet").mime,
            "text/css; charset=utf-8"
        );
        assert!(static_file("board/table.js").is_some());
    }

    #[test]
    fn equal_tags_mean_equal_contents() {
        let tag = |name| static_file(name).expect("carried").etag;
        assert_eq!(tag("board.js"), tag("board.js"));
        assert_ne!(tag("board.js"), tag("site.css"));
        assert!(tag("board.js").starts_with('"') && tag("board.js").ends_with('"'));
    }

    #[test]
    fn no_path_leads_elsewhere() {
        for path in [
            "",
            "/",
            "board",
            "board/",
            "/board.js",
            "./board.js",
            "board/../board.js",
            "board\\table.js",
            "../Cargo.toml",
            "..%2fCargo.toml",
            "board.js\0",
            "BOARD.JS",
        ] {
            assert_eq!(static_file(path), None, "{path}");
            assert_eq!(vendor_file(path), None, "{path}");
        }
    }

    #[test]
    fn of_the_package_only_what_may_be_used_is_carried() {
        for path in [
            "assets/pieces/staunty.svg",
            "package.json",
            "README.md",
            "assets/chessboard.scss",
        ] {
            assert_eq!(vendor_file(path), None, "{path}");
        }
        assert!(VENDOR_FILES.iter().all(|(name, _)| !name.contains("..")));
    }

    #[test]
    fn the_board_is_there_whole_or_not_at_all() {
        assert_eq!(board_is_there(), !VENDOR_FILES.is_empty());
        if board_is_there() {
            let sprite = vendor_file("assets/pieces/standard.svg").expect("needed");
            assert_eq!(sprite.mime, "image/svg+xml");
        }
    }
}
