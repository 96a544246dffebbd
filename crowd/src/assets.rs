//! The files that pages load, embedded in the program: the site's own and those of the board's npm
//! package.

use std::borrow::Cow;
use std::sync::LazyLock;

use rust_embed::RustEmbed;
use web::assets::{Assets, BASE_STYLE};

use crate::lang::Language;

#[derive(RustEmbed)]
#[folder = "static/"]
struct Static;

/// The files of the package found by `build.rs`; empty if it is not installed.
static VENDOR_FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/vendor_files.rs"));

/// The site's own files, such as `board.js` or `board/table.js`, their texts, such as `lang/en.js`, and
/// the files of the board's package below `vendor/`, such as `vendor/src/Chessboard.js`: one fingerprint covers both, so that browsers
/// keep what the scripts of this version import.
pub static OWN: LazyLock<Assets> = LazyLock::new(|| {
    let own = Static::iter().filter_map(|name| {
        let bytes = Static::get(&name)?.data;
        Some((name.into_owned(), bytes))
    });
    let (name, text) = BASE_STYLE;
    let base = (name.to_owned(), Cow::Borrowed(text.as_bytes()));
    let vendor = VENDOR_FILES
        .iter()
        .map(|&(name, bytes)| (format!("vendor/{name}"), Cow::Borrowed(bytes)));
    let languages = Language::all().iter();
    #[cfg(test)]
    let languages = languages.chain([Language::pseudo()]);
    let texts = languages.map(|language| {
        let name = format!("lang/{}.js", language.code);
        (name, Cow::Owned(language.script().into_bytes()))
    });
    Assets::new("/static", own.chain([base]).chain(vendor).chain(texts))
});

/// The script of the drawn board.
pub const DRAWN_BOARD: &str = "board/drawn.js";

/// The style sheets of the drawn board.
pub const BOARD_STYLES: [&str; 3] = [
    "vendor/assets/chessboard.css",
    "vendor/assets/extensions/markers/markers.css",
    "vendor/assets/extensions/arrows/arrows.css",
];

/// The pieces: a symbol for each, such as `wk`.
pub const PIECES: &str = "vendor/assets/pieces/standard.svg";

/// The pictures that the drawn board loads.
pub const BOARD_PICTURES: [&str; 3] = [
    PIECES,
    "vendor/assets/extensions/markers/markers.svg",
    "vendor/assets/extensions/arrows/arrows.svg",
];

/// The scripts of the package without which the drawn board does not work.
const BOARD_SCRIPTS: [&str; 4] = [
    "vendor/src/Chessboard.js",
    "vendor/src/extensions/accessibility/Accessibility.js",
    "vendor/src/extensions/arrows/Arrows.js",
    "vendor/src/extensions/markers/Markers.js",
];

/// Whether the drawn board was installed when this program was built; otherwise pages use the table
/// board.
pub fn board_is_there() -> bool {
    let needed = BOARD_STYLES.iter().chain(&BOARD_PICTURES);
    let mut needed = needed.chain(&BOARD_SCRIPTS);
    needed.all(|name| OWN.get(name).is_some())
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
            assert_eq!(OWN.get(&format!("vendor/{path}")), None, "{path}");
        }
        assert!(VENDOR_FILES.iter().all(|(name, _)| !name.contains("..")));
    }

    #[test]
    fn the_board_is_there_whole_or_not_at_all() {
        assert_eq!(board_is_there(), !VENDOR_FILES.is_empty());
        if board_is_there() {
            let sprite = OWN
                .get("vendor/assets/pieces/standard.svg")
                .expect("needed");
            assert_eq!(sprite.mime, "image/svg+xml");
        }
    }

    #[test]
    fn colours_are_in_one_file() {
        let notations = ["rgb(", "rgba(", "hsl(", "hsla(", "oklch(", "oklab("];
        let own = Static::iter().filter(|name| name.ends_with(".css") && name != "tokens.css");
        for name in own.chain([Cow::Borrowed(BASE_STYLE.0)]) {
            let style = OWN.get(&name).expect("it is carried");
            let style = std::str::from_utf8(&style.bytes).expect("text");
            for (line, text) in (1..).zip(style.lines().map(str::trim)) {
                // A selector such as `#add` is not a colour.
                if text.ends_with('{') || text.starts_with('#') {
                    continue;
                }
                let hex = text
                    .split('#')
                    .skip(1)
                    .any(|rest| rest.starts_with(|c: char| c.is_ascii_hexdigit()));
                assert!(
                    !hex && !notations.iter().any(|notation| text.contains(notation)),
                    "{name}:{line}: {text}"
                );
            }
        }
    }
}
