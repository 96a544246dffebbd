use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// What a text needs besides its letters: the variables, and how many links.
type Needs = (BTreeSet<String>, usize);

/// Of each text; written as JSON all of its parts are seen.
fn needs(resource: &FluentResource) -> BTreeMap<&str, Needs> {
    let texts = resource.entries().filter_map(script::text);
    texts
        .map(|(name, text)| {
            let mut variables = BTreeSet::new();
            collect(&text, &mut variables);
            (name, (variables, text.to_string().matches("<a>").count()))
        })
        .collect()
}

fn collect(text: &serde_json::Value, into: &mut BTreeSet<String>) {
    match text {
        serde_json::Value::Array(parts) => parts.iter().for_each(|part| collect(part, into)),
        serde_json::Value::Object(part) => {
            for key in ["name", "by"] {
                into.extend(
                    part.get(key)
                        .and_then(|name| Some(name.as_str()?.to_owned())),
                );
            }
            if let Some(among) = part.get("among").and_then(|among| among.as_object()) {
                among.values().for_each(|text| collect(text, into));
            }
        }
        _ => {}
    }
}

#[test]
fn all_languages_have_the_same_texts_with_the_same_variables() {
    let mut files = 0;
    let english = read(ENGLISH);
    let wanted = needs(&english);
    assert!(!wanted.is_empty());
    for name in Files::iter() {
        let code = name.strip_suffix(".ftl").expect("nothing else is there");
        let tag: LanguageIdentifier = code.parse().expect("a language tag");
        assert_eq!(tag.to_string(), code);
        let file = Files::get(&name).expect("it is there");
        let text = String::from_utf8(file.data.into_owned()).expect("UTF-8");
        let texts = FluentResource::try_new(text.clone()).map_err(|(_, errors)| errors);
        let texts = texts.unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        let found = needs(&texts);
        for (key, needs) in &wanted {
            assert_eq!(found.get(key), Some(needs), "{name}: {key}");
        }
        for (key, (variables, _)) in &found {
            assert!(wanted.contains_key(key), "{name}: {key} is not in English");
            assert!(
                !variables.contains(""),
                "{name}: {key} has more than variables"
            );
            let again = text.matches(&format!("\n{key} =")).count();
            assert_eq!(again, 1, "{name}: {key}");
        }
        files += 1;
    }
    assert_eq!(files, Language::all().len());
}

#[test]
fn what_a_language_lacks_is_english() {
    let own = FluentResource::try_new("white = Blanc".to_owned()).expect("Fluent");
    let language = Language::new("fr".to_owned(), vec![read(ENGLISH), Arc::new(own)]);
    assert_eq!(language.text("white", &[]), "Blanc");
    assert_eq!(language.text("black", &[]), "Black");
    assert_eq!(language.text("there-is-none", &[]), "there-is-none");
    let script = language.script();
    assert!(script.contains(r#""white":"Blanc""#) && script.contains(r#""black":"Black""#));
}

#[test]
fn numbers_choose_their_form() {
    let german = Language::of_code("de").expect("it is there");
    for (n, english, other) in [
        (0, "no moves", "keine Züge"),
        (1, "1 move", "1 Zug"),
        (1218, "1218 moves", "1218 Züge"),
    ] {
        assert_eq!(
            Language::english().text("moves", &[("n", n.into())]),
            english
        );
        assert_eq!(german.text("moves", &[("n", n.into())]), other);
    }
}

#[test]
fn the_header_of_a_browser_chooses() {
    for (header, expected) in [
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("en-US,en;q=0.5,de;q=0.3", "en"),
        ("en;q=0.3, de;q=0.7", "de"),
        ("fr,de;q=0,*;q=0.1", "en"),
        ("fr-CH, fr;q=0.9, de;q=0.7, *;q=0.5", "de"),
        ("tlh,;;q=,de;q=nan,\u{fffd}", "en"),
    ] {
        assert_eq!(Language::accepted(header).code, expected, "{header}");
    }
}

#[test]
fn scripts_get_texts_as_parts() {
    let script = Language::english().script();
    let json = script.strip_prefix("export default ").expect("a module");
    let json = json.trim_end().strip_suffix(';').expect("a statement");
    let texts: serde_json::Value = serde_json::from_str(json).expect("JSON");
    assert_eq!(texts["finish"], "Finish");
    assert_eq!(
        texts["which-from"],
        serde_json::json!(["from ", { "name": "square" }])
    );
    assert_eq!(
        texts["moves"],
        serde_json::json!([{ "by": "n", "other": "other", "among": {
            "0": "no moves",
            "one": [{ "name": "n" }, " move"],
            "other": [{ "name": "n" }, " moves"],
        } }])
    );
}

#[derive(RustEmbed)]
#[folder = "templates/"]
struct Templates;

#[derive(RustEmbed)]
#[folder = "static/"]
struct Scripts;

/// The first string in each call.
fn called<'a>(text: &'a str, call: &'a str) -> impl Iterator<Item = &'a str> {
    let calls = text.split(call).skip(1);
    calls.filter_map(|rest| Some(rest.strip_prefix('"')?.split_once('"')?.0))
}

#[test]
fn every_text_that_pages_and_scripts_name_is_there() {
    let texts = &Language::english().texts;
    let mut count = 0;
    let mut check = |name: &str, data: &[u8], calls: &[&str]| {
        let text = String::from_utf8_lossy(data);
        for key in calls.iter().flat_map(|call| called(&text, call)) {
            assert!(texts.has_message(key), "{name}: {key}");
            count += 1;
        }
    };
    for name in Templates::iter() {
        let file = Templates::get(&name).expect("it is there");
        check(
            &name,
            &file.data,
            &["frame.text(", "frame.count(", "frame.linked("],
        );
    }
    for name in Scripts::iter().filter(|name| name.ends_with(".js")) {
        let file = Scripts::get(&name).expect("it is there");
        check(&name, &file.data, &[" t(", "(t(", "[t("]);
    }
    assert!(count > 150, "only {count} texts are named");
}

impl Language {
    /// English with other letters, so that a page shows what it does not take from here.
    pub(crate) fn pseudo() -> &'static Self {
        let mut pseudo = Self::new("en-XA".to_owned(), vec![read(ENGLISH)]);
        pseudo.texts.set_transform(Some(other_letters));
        Box::leak(Box::new(pseudo))
    }
}

fn other_letters(text: &str) -> Cow<'_, str> {
    let mut is_tag = false;
    let other = text.chars().map(|c| {
        is_tag = c == '<' || is_tag && c != '>';
        match c {
            // Letters of full width.
            'A'..='Z' | 'a'..='z' if !is_tag => char::from_u32(u32::from(c) + 0xFEE0),
            _ => None,
        }
        .unwrap_or(c)
    });
    Cow::Owned(other.collect())
}
