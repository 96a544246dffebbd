//! Tests: the pages that claim to be translated, in a language of other letters.

use super::*;

/// Whatever is not taken from the files of languages, without the brand and what is marked as English.
fn english_words(page: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let start = page.find("<title>").expect("a title");
    let mut foreign = None;
    for piece in page[start..].split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        let name = tag.split(' ').next().unwrap_or("");
        match foreign {
            Some(of) if name.strip_prefix('/') == Some(of) => foreign = None,
            None if tag.contains(" lang=\"") => foreign = Some(name),
            _ => {}
        }
        if foreign.is_some() {
            continue;
        }
        words.extend(words_of(text));
        for attribute in ["aria-label", "alt", "title", "placeholder"] {
            let opened = format!(" {attribute}=\"");
            let value = tag
                .split_once(&opened)
                .and_then(|(_, rest)| rest.split_once('"'));
            words.extend(value.into_iter().flat_map(|(value, _)| words_of(value)));
        }
    }
    words.retain(|word| !["Touchstone", "crowd", "UTC"].contains(word));
    words
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphabetic());
    words.filter(|word| word.len() > 1)
}

#[test]
fn an_english_word_is_found_wherever_it_is() {
    let page = "<title>Title</title><p lang=\"en\">not <b>this</b> one</p><p title=\"nor a\">ｘ here<img alt=\"too\">";
    assert_eq!(english_words(page), ["Title", "here", "nor", "too"]);
}

pub(super) fn assert_translated(render: impl FnOnce() -> askama::Result<String>) {
    let asked = Asked {
        language: Language::pseudo(),
        address: "/?".to_owned(),
    };
    let page = asked.within(render).expect("a page");
    assert!(page.contains("<html lang=\"en-XA\""), "{page}");
    assert!(
        !page.contains("<main id=\"main\" tabindex=\"-1\" lang"),
        "{page}"
    );
    assert_eq!(english_words(&page), Vec::<&str>::new(), "{page}");
}

#[test]
fn other_pages_say_that_they_are_english() {
    let asked = Asked {
        language: Language::of_code("de").expect("it is there"),
        address: "/about?".to_owned(),
    };
    let problem = Problem::new(web::problem::NOT_FOUND, "no page has this address");
    let page = asked.within(|| {
        let (here, status) = (Frame::new(""), StatusCode::NOT_FOUND);
        let (title, detail) = (problem.title(), problem.detail());
        ErrorPage {
            frame: here,
            status,
            title,
            detail,
            needs_session: false,
        }
        .render()
    });
    let page = page.expect("a page");
    assert!(page.contains("<html lang=\"de\""), "{page}");
    assert!(
        page.contains("<main id=\"main\" tabindex=\"-1\" lang=\"en\">"),
        "{page}"
    );
    assert!(
        page.contains("href=\"/about?lang=en\" hreflang=\"en\" lang=\"en\">English</a>"),
        "{page}"
    );
    assert!(page.contains(">Mitmachen</a>"), "{page}");
}
