//! The crates do not grow without a reason.

use xtask::{MAXIMA, Maxima, sizes, table};

use crate::modules::written;
use crate::{root, text};

#[test]
fn no_crate_has_grown_without_a_reason() {
    let maxima = Maxima::parse(&text(&root().join(MAXIMA))).expect("the maxima");
    let numbers = sizes(&root()).expect("the sources");
    let exceeded = maxima.exceeded(&numbers);
    assert!(
        exceeded.is_empty(),
        "{}\nFind what can go, or say in {MAXIMA} below [[raised]] why it has to grow.\n{}",
        exceeded.join("\n"),
        table(&numbers)
    );
}

/// A crate with every kind of line.
const LIB: &str = r#"//! A page.

mod below;
/// Documented.
pub struct Row(u8); // counted
pub enum JsonFormat {}
fn of() -> &'static str {
    // Why.
    "touchstone/epd-run/1"
}
#[cfg(test)]
mod tests {
    struct Row;
}
#[cfg(test)]
mod apart;
"#;

#[test]
fn lines_and_tokens_are_counted_apart_from_tests() {
    let folder = written(&[
        ("Cargo.toml", ""),
        ("a/Cargo.toml", ""),
        ("a/src/lib.rs", LIB),
        (
            "a/src/below.rs",
            "struct Row; fn f() { Client::start(1) }\n",
        ),
        ("a/src/apart.rs", "fn one() {}\n\nfn two() {}\n"),
        ("a/tests/it.rs", "// Why.\nfn three() {}\n"),
        ("docs/page.md", "Three words here\n"),
    ]);
    let numbers = sizes(folder.path()).expect("the sources");
    let of = |key: &str| numbers[key];
    // mod below; pub struct, pub enum, three of fn of, one of below.
    assert_eq!(of("a.production"), 7);
    // The page, the documentation, the reason.
    assert_eq!(of("a.comments"), 3);
    // Six of the two modules, two of apart, two of it.
    assert_eq!(of("a.tests"), 10);
    // 3 + 7 + 5 + 13 of lib, 3 + 13 of below: a pair of brackets is two, as are `->`, `::` and a lifetime.
    assert_eq!(of("a.tokens"), 44);
    let house = [
        "schemas",
        "format-enums",
        "starts-of-engines",
        "types-named-twice",
        "functions-named-of",
        "words-of-docs",
    ];
    assert_eq!(
        house.map(|what| of(&format!("house.{what}"))),
        [1, 1, 1, 1, 1, 3]
    );
}

#[test]
fn maxima_fall_and_rise_with_a_reason_only() {
    let file = "[most.a]\nproduction = 7\ntokens = 50\n";
    let numbers = [("a.production", 8), ("a.tokens", 40), ("a.comments", 9)];
    let numbers = numbers.map(|(key, number)| (key.to_owned(), number)).into();
    let maxima = Maxima::parse(file).expect("a file");
    assert_eq!(maxima.exceeded(&numbers), ["a.production: 8, at most 7"]);
    let lowered = maxima.lowered(&numbers);
    assert!(
        lowered.contains("[most.a]\ncomments = 9\nproduction = 7\ntokens = 40\n"),
        "{lowered}"
    );
    let raise = "\n[[raised]]\nwhat = \"a.production\"\nby = 1\nwhy = \"It has to be.\"\n";
    let raised = Maxima::parse(&format!("{file}{raise}")).expect("a file");
    assert!(raised.exceeded(&numbers).is_empty());
    assert!(raised.lowered(&numbers).ends_with(raise));
    // What is new counts as 0, so that it needs a reason too.
    let nothing = Maxima::parse("[most.a]\n").expect("a file");
    assert!(
        nothing.lowered(&numbers).contains("production = 0\n"),
        "a crate came in without a reason"
    );
    let wrong = raise.replace("a.production", "a.prodution");
    let wrong = Maxima::parse(&format!("{file}{raise}{wrong}")).expect("a file");
    assert_eq!(
        wrong.exceeded(&numbers),
        ["a.prodution was raised, and is not counted"]
    );
    let silent = format!("{file}{}", raise.replace("It has to be.", "Needed."));
    let error = Maxima::parse(&silent).expect_err("no reason").to_string();
    assert_eq!(error, "a.production was raised: say why in a sentence");
}
