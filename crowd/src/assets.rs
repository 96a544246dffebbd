//! The files that pages load, embedded in the program.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use rust_embed::RustEmbed;
use web::assets::{Assets, BASE_STYLE};

use crate::lang::{Language, NamedTexts};

#[derive(RustEmbed)]
#[folder = "static/"]
struct Static;

/// What the style of all pages is made of after the base, in this order. It is one file, since each
/// request costs a phone on a slow line a round trip.
const STYLES: [&str; 3] = ["tokens.css", "site.css", "board.css"];

/// The site's own files, such as `board.js`, and the texts for the scripts of each folder, such as
/// `lang/en/play.json`.
pub static OWN: LazyLock<Assets> = LazyLock::new(|| {
    let own = Static::iter().filter(|name| !STYLES.contains(&&**name));
    let own = own.filter_map(|name| Some((name.to_string(), Static::get(&name)?.data)));
    let styles = STYLES.iter().filter_map(|name| Static::get(name));
    let mut style = BASE_STYLE.1.as_bytes().to_vec();
    styles.for_each(|file| style.extend_from_slice(&file.data));
    let style = ("site.css".to_owned(), Cow::Owned(style));
    let folders: BTreeSet<String> = Static::iter()
        .filter_map(|name| Some(name.strip_suffix(".js")?.split_once('/')?.0.to_owned()))
        .collect();
    let texts = folders.iter().flat_map(|folder| {
        let named = texts_of(folder);
        let languages = Language::all().iter();
        #[cfg(test)]
        let languages = languages.chain([Language::pseudo()]);
        let texts = languages.map(|language| {
            let name = format!("lang/{}/{folder}.json", language.code);
            (name, Cow::Owned(language.for_scripts(&named).into_bytes()))
        });
        texts.collect::<Vec<_>>()
    });
    Assets::new("/static", own.chain([style]).chain(texts))
});

/// The texts that the scripts of a folder name, and those of no folder, which all import.
fn texts_of(folder: &str) -> NamedTexts {
    let mut named = NamedTexts::default();
    for name in Static::iter().filter(|name| name.ends_with(".js")) {
        let is_its = name.split_once('/').is_none_or(|(its, _)| its == folder);
        if let Some(file) = Static::get(&name).filter(|_| is_its) {
            named.read(&String::from_utf8_lossy(&file.data));
        }
    }
    named
}

/// The pieces: a symbol for each, such as `wk`.
pub const PIECES: &str = "pieces.svg";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_in_one_file() {
        let notations = ["rgb(", "rgba(", "hsl(", "hsla(", "oklch(", "oklab("];
        let own = Static::iter().filter(|name| name.ends_with(".css") && name != "tokens.css");
        let own = own.filter_map(|name| Some((name.to_string(), Static::get(&name)?.data)));
        let base = (
            BASE_STYLE.0.to_owned(),
            Cow::Borrowed(BASE_STYLE.1.as_bytes()),
        );
        for (name, style) in own.chain([base]) {
            let style = std::str::from_utf8(&style).expect("text");
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
