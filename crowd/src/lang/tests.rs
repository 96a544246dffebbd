use std::borrow::Cow;
use std::collections::BTreeSet;

use chess::rules::explain::{Rule, explain};
use chess::rules::{PieceType, Square};

use super::*;
use crate::candidates::{plain_move, why};
use crate::model::MoveText;

/// What a text needs besides its letters: the variables, and how many marks.
type Needs = (BTreeSet<String>, usize);

/// Of each text; written as JSON all of its parts are seen.
fn needs(resource: &FluentResource) -> BTreeMap<&str, Needs> {
    let texts = resource.entries().filter_map(script::text);
    texts
        .map(|(name, text)| {
            let mut variables = BTreeSet::new();
            collect(&text, &mut variables);
            (name, (variables, text.to_string().matches('<').count()))
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
    let mut named = NamedTexts::default();
    named.read("t(\"white\"), t(`bl${at}`), t(`${side}ack`)");
    named.read("t('black')");
    assert_eq!(language.for_scripts(&named), r#"{"white":"Blanc"}"#);
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
    let mut named = NamedTexts::default();
    named.read(r#"t("finish"), t(`which-${place}`), t("moves")"#);
    let json = Language::english().for_scripts(&named);
    let texts: serde_json::Value = serde_json::from_str(&json).expect("JSON");
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
            &[
                "frame.text(",
                "frame.count(",
                "frame.linked(",
                "frame.filled(",
                "frame.marked(",
            ],
        );
    }
    for name in Scripts::iter().filter(|name| name.ends_with(".js")) {
        let file = Scripts::get(&name).expect("it is there");
        check(&name, &file.data, &[" t(", "(t(", "[t("]);
    }
    assert!(count > 150, "only {count} texts are named");
}

/// Names of keys, fonts and tags of PGN, and what is reported in the console or as the cause of a failure.
fn is_for_programs(text: &str) -> bool {
    text.starts_with("the ") || text.contains('/') || text.contains("Sans")
}

#[test]
fn scripts_have_no_sentences_of_their_own() {
    for name in Scripts::iter().filter(|name| name.ends_with(".js")) {
        let file = Scripts::get(&name).expect("it is there");
        let script = String::from_utf8_lossy(&file.data).into_owned();
        let lines = script.lines().map(str::trim);
        let code = lines.filter(|line| {
            !["//", "/*", "*"]
                .iter()
                .any(|start| line.starts_with(start))
        });
        for line in code {
            for mark in ['"', '`'] {
                let texts = line.split(mark).skip(1).step_by(2);
                for text in texts.filter(|text| !is_for_programs(text)) {
                    let words = text.split(' ').filter(|word| {
                        word.len() > 1 && word.chars().all(|c| c.is_ascii_alphabetic())
                    });
                    assert!(words.count() < 3, "{name}: {text}");
                }
            }
        }
    }
}

#[derive(RustEmbed)]
#[folder = "src/"]
struct Sources;

#[test]
fn every_text_is_named_somewhere() {
    let files = Templates::iter().filter_map(|name| Templates::get(&name));
    let files = files.chain(Scripts::iter().filter_map(|name| Scripts::get(&name)));
    let sources = Sources::iter().filter(|name| !name.ends_with("tests.rs"));
    let files = files.chain(sources.filter_map(|name| Sources::get(&name)));
    let mut named = NamedTexts::default();
    files.for_each(|file| named.read(&String::from_utf8_lossy(&file.data)));
    let english = read(ENGLISH);
    let keys = needs(&english).into_keys();
    let unused = keys.filter(|key| !named.has(key));
    assert_eq!(unused.collect::<Vec<_>>(), Vec::<&str>::new());
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

/// Positions with all reasons that a move of standard chess can have, and Chess960.
const REASONS: [&str; 15] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
    "4r2k/8/8/8/7b/8/3P1N2/R3K2R w KQ - 0 1",
    "4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1",
    "3rkr2/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "4k2r/8/8/8/8/5n2/4r3/R3K2R w KQ - 0 1",
    "4k3/8/8/8/8/8/8/qR1K3R w HB - 0 1",
    "8/8/8/3k4/5pP1/3K4/8/8 b - - 0 1",
    "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1",
    "4k3/8/8/8/8/5p2/4r3/r3K3 w - - 0 1",
    "4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "2k5/8/8/8/8/8/5p2/rBK3NR b - - 0 1",
];

#[test]
fn reasons_from_texts_are_those_of_the_rules() {
    let german = Language::of_code("de").expect("it is there");
    let mut seen = BTreeSet::new();
    for fen in REASONS {
        let position = chess::notation::fen::parse(fen).expect("a legal FEN");
        let squares = Square::ALL;
        let pairs = squares
            .into_iter()
            .flat_map(|from| squares.into_iter().map(move |to| (from, to)));
        // One empty square is like another.
        let from_here = |from| position.piece_at(from).is_some() || from == Square::E5;
        for (from, to) in pairs.filter(|&(from, to)| from != to && from_here(from)) {
            for promotion in [None, Some(PieceType::Rook)] {
                let text = MoveText::new(from, to, promotion);
                let english = Language::english().reason_from_texts(&position, &text);
                let expected = why(&position, &text);
                let (_, expected) = expected.split_once(": ").expect("a verdict and a reason");
                assert_eq!(english, expected, "{fen}: {text}");
                let other = german.reason(&position, &text);
                assert!(
                    !other.contains("the ") && !other.contains("reason-"),
                    "{other}"
                );
                seen.insert(explain(&position, plain_move(&text)).rule());
            }
        }
    }
    let unseen = Rule::ALL.into_iter().filter(|rule| !seen.contains(rule));
    assert_eq!(unseen.collect::<Vec<_>>(), [Rule::PromotionPiece]);
}
