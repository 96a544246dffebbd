//! `perft check stages`, with engines that know the rules of some stages only.

use serde_json::Value;

use crate::common::{assert_says, each, engine, run, stdout_of};

/// What the program prints of the suite and an engine with a bug.
fn checked(bug: &str, arguments: &[&str]) -> String {
    let engine = engine(&format!("--bug {bug}"));
    let mut all = vec!["check", "stages", "--engine", &engine];
    all.extend(arguments);
    run(&all)
}

const NAMES: [&str; 11] = [
    "king steps",
    "knights",
    "sliders",
    "pawns",
    "captures and checks",
    "pins",
    "double check",
    "en passant",
    "promotion",
    "castling",
    "everything",
];

/// The stages are one rule apart: an engine that knows the first ones passes these, and fails the next. So the
/// suite asks for each rule, and for none too early.
#[test]
fn who_knows_the_first_stages_fails_the_next() {
    let stages: Vec<usize> = (1..=11).collect();
    each(&stages, |&stage| {
        let bug = format!("knows-stages={stage}");
        let text = checked(&bug, &[]);
        let right = match stage {
            1 => "stage 1 is right".to_owned(),
            _ => format!("stages 1 to {stage} are right"),
        };
        let Some(name) = NAMES.get(stage) else {
            let all = "OK: stages 1 to 11 are right; perft check quick is next; all 152 \
                       positions are counted correctly; 6,899 nodes";
            return assert_says(&bug, &text, 0, &[all]);
        };
        let next = stage + 1;
        let says = format!("WRONG: {right}; stage {next}, {name}, is next; ");
        // Only this stage fails, and nothing after it is asked.
        let tag = format!("\n{next}-{}  ", name.replace(' ', "-"));
        assert_says(&bug, &text, 1, &[&says, &tag, "FAULT 1 in "]);
        let later = format!(" {}-", next + 1);
        assert!(!text.contains(&later), "{text}");
    });
}

/// The rules do not depend on how the engine is asked, nor on how many processes are.
#[test]
fn engines_of_other_dialects() {
    let rows = [
        ("--dialect ethereal", "perft, totals only"),
        ("--dialect program", "script, with divide\n"),
        (
            "--with ignores='[\"moves\"]'",
            "go-perft, with divide, FEN only",
        ),
    ];
    each(&rows, |(flags, portrait)| {
        let bug = format!("knows-stages=5 {flags} --");
        let says = ["stages 1 to 5 are right; stage 6, pins, is next", portrait];
        assert_says(flags, &checked(&bug, &["-j", "2"]), 1, &says);
    });
}

#[test]
fn the_tag_of_a_stage_selects_it() {
    let pins = ["--tag", "6-pins"];
    let right = "OK: stage 6 is right; perft check quick is next; all 15 positions are counted";
    assert_says("6", &checked("knows-stages=6", &pins), 0, &[right]);
    let wrong = "WRONG: stage 6, pins, is next; 15 of 15 positions are counted wrongly";
    assert_says("5", &checked("knows-stages=5", &pins), 1, &[wrong]);
    let nothing = checked("knows-stages=5", &["--tag", "pins"]);
    assert_says("no tag", &nothing, 4, &["nothing to ask"]);
}

/// What is printed to ask again works for an engine that knows a few rules only.
#[test]
fn a_fault_can_be_asked_again() {
    let text = checked("knows-stages=3", &[]);
    let again = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("again: perft "));
    let again = shlex::split(again.expect("a command")).expect("quotation marks are closed");
    let again: Vec<&str> = again.iter().map(String::as_str).collect();
    let wrong = "WRONG: 1 of 1 positions are counted wrongly, 1 kind of fault";
    assert_says("again", &run(&again), 1, &[wrong, "command-line"]);
    let fen = ["--fen", "8/8/8/8/1k6/8/6K1/N7 w - - 0 1", "--depth", "1"];
    let right = "OK: the position is counted correctly; ";
    assert_says("--fen", &checked("knows-stages=3", &fen), 0, &[right]);
}

/// A crash where a rule is missing ends the run as a wrong count does.
#[test]
fn no_answer_is_not_right() {
    let text = checked("breaks-down=en-passant:segfault", &[]);
    let failed = "FAILED: stages 1 to 7 are right; stage 8, en passant, is next; ";
    assert_says("crash", &text, 3, &[failed]);
    assert!(!text.contains("9-promotion"), "{text}");
}

#[test]
fn formats() {
    let json = checked("knows-stages=4", &["--format", "json"]);
    let json: Value = serde_json::from_str(stdout_of(&json)).expect("JSON");
    let engine = &json["engines"][0];
    assert_eq!(engine["verdict"], "wrong");
    assert_eq!(engine["open"], 87);
    let expected = r#"{"right":[1,2,3,4],"next":{"number":5,"name":"captures-and-checks"}}"#;
    let expected: Value = serde_json::from_str(expected).expect("JSON");
    assert_eq!(engine["stages"], expected);
    let json = checked("nothing", &["--format", "json"]);
    let json: Value = serde_json::from_str(stdout_of(&json)).expect("JSON");
    assert_eq!(json["engines"][0]["stages"]["next"], Value::Null);

    let junit = checked("knows-stages=4", &["--format", "junit"]);
    let skipped = r#"tests="152" skipped="87" failures="17" errors="0""#;
    assert_says("junit", &junit, 1, &[r#"<skipped message="not asked"/>"#]);
    assert!(junit.contains(skipped), "{junit}");
}
