//! The files that pages load, embedded in the program.

use std::borrow::Cow;
use std::sync::LazyLock;

use rust_embed::RustEmbed;
use web::assets::{Assets, BASE_STYLE};

use crate::lang::Language;

#[derive(RustEmbed)]
#[folder = "static/"]
struct Static;

/// The site's own files, such as `board.js`, and their texts, such as `lang/en.js`.
pub static OWN: LazyLock<Assets> = LazyLock::new(|| {
    let own = Static::iter().filter_map(|name| {
        let bytes = Static::get(&name)?.data;
        Some((name.into_owned(), bytes))
    });
    let (name, text) = BASE_STYLE;
    let base = (name.to_owned(), Cow::Borrowed(text.as_bytes()));
    let languages = Language::all().iter();
    #[cfg(test)]
    let languages = languages.chain([Language::pseudo()]);
    let texts = languages.map(|language| {
        let name = format!("lang/{}.js", language.code);
        (name, Cow::Owned(language.script().into_bytes()))
    });
    Assets::new("/static", own.chain([base]).chain(texts))
});

/// The pieces: a symbol for each, such as `wk`.
pub const PIECES: &str = "pieces.svg";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_files_are_found_by_their_names() {
        let board = OWN.get("board.js").expect("the board is carried");
        assert_eq!(board.mime, "text/javascript; charset=utf-8");
        assert!(board.bytes.starts_with(b"// The board"));
        let pieces = OWN.get(PIECES).expect("the pieces are carried");
        assert_eq!(pieces.mime, "image/svg+xml");
        let pieces = std::str::from_utf8(&pieces.bytes).expect("text");
        for name in "wk wq wr wb wn wp bk bq br bb bn bp".split(' ') {
            let symbol = format!("<symbol id=\"{name}\" viewBox=\"0 0 40 40\"");
            assert!(pieces.contains(&symbol), "{name}");
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
