//! The files that pages load, embedded in the program: the site's own and those of the board's npm
//! package.

use std::borrow::Cow;
use std::sync::LazyLock;

use rust_embed::RustEmbed;
use web::assets::{Assets, BASE_STYLE};

#[derive(RustEmbed)]
#[folder = "static/"]
struct Static;

/// The files of the package found by `build.rs`; empty if it is not installed.
static VENDOR_FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/vendor_files.rs"));

/// The site's own files, such as `board.js` or `board/table.js`.
pub static OWN: LazyLock<Assets> =
    LazyLock::new(|| Assets::embedded::<Static>("/static", &[BASE_STYLE]));

/// The files of the board's package, such as `src/Chessboard.js`; only those that pages may load.
pub static VENDOR: LazyLock<Assets> = LazyLock::new(|| {
    let files = VENDOR_FILES
        .iter()
        .map(|&(name, bytes)| (name.to_owned(), Cow::Borrowed(bytes)));
    Assets::new("/vendor", files)
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

/// Whether the drawn board was installed when this program was built; otherwise pages use the table
/// board.
pub fn board_is_there() -> bool {
    NEEDED.iter().all(|name| VENDOR.get(name).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_files_are_found_by_their_names() {
        let board = OWN.get("board.js").expect("the board is carried");
        assert_eq!(board.mime, "text/javascript; charset=utf-8");
        assert!(board.bytes.starts_with(b"// The board"));
        assert!(OWN.get("board/table.js").is_some());
    }

    #[test]
    fn of_the_package_only_what_may_be_used_is_carried() {
        for path in [
            "assets/pieces/staunty.svg",
            "package.json",
            "README.md",
            "assets/chessboard.scss",
        ] {
            assert_eq!(VENDOR.get(path), None, "{path}");
        }
        assert!(VENDOR_FILES.iter().all(|(name, _)| !name.contains("..")));
    }

    #[test]
    fn the_board_is_there_whole_or_not_at_all() {
        assert_eq!(board_is_there(), !VENDOR.is_empty());
        if board_is_there() {
            let sprite = VENDOR.get("assets/pieces/standard.svg").expect("needed");
            assert_eq!(sprite.mime, "image/svg+xml");
        }
    }
}
