//! `unsafe` stays where `docs/hardening.md` argues for it.

use crate::{files, root, text};

/// The files that may have it, in order.
const ALLOWED: [&str; 10] = [
    "chess/src/pages.rs",
    "chess/src/perft/kernel/lanes/avx2.rs",
    "chess/src/perft/kernel/lanes/avx512.rs",
    "chess/src/perft/kernel/lanes/neon.rs",
    "chess/src/rules/bmi2.rs",
    "chess/src/rules/cpu.rs",
    "tablebase/src/files.rs",
    "testkit/examples/scripted_engine/process.rs",
    "testkit/src/processes.rs",
    "uci/src/process/windows/sys.rs",
];

#[test]
fn unsafe_is_where_it_is_argued_for() {
    let root = root();
    let sources = files(&root, "rs");
    assert!(sources.len() > 500, "{} sources were found", sources.len());
    let mut found = Vec::new();
    for path in sources {
        if text(&path).lines().any(is_unsafe) {
            let name = path.strip_prefix(&root).expect("it lies below the root");
            found.push(name.to_string_lossy().into_owned());
        }
    }
    found.sort();
    assert_eq!(found, ALLOWED, "the files with unsafe code");
    for name in ALLOWED {
        let has_reason = text(&root.join(name)).contains("SAFETY:");
        assert!(has_reason, "{name} gives no reason");
    }
}

#[test]
fn code_is_distinguished_from_comments() {
    // Written so that this file is not found.
    let is = |line: &str| is_unsafe(&line.replace("WORD", "unsafe"));
    for line in [
        "WORD { x() }",
        "    pub WORD fn f() {",
        "Self(WORD { x() })",
        "#[allow(WORD_code)]",
        "#![expect(WORD_code, reason = \"x\")]",
    ] {
        assert!(is(line), "{line}");
    }
    for line in [
        "// WORD { }",
        "//! `WORD`",
        "let WORD_squares = 1;",
        "\"'WORD-inline'\"",
    ] {
        assert!(!is(line), "{line}");
    }
}

/// Whether a line has the keyword, or lifts the lint.
fn is_unsafe(line: &str) -> bool {
    let code = line.trim_start();
    if code.starts_with("//") {
        return false;
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    code.match_indices("unsafe").any(|(at, word)| {
        let behind = &code[at + word.len()..];
        let is_word = !code[..at].ends_with(is_part) && !behind.starts_with(is_part);
        let is_lint = behind.starts_with("_code") && code.starts_with('#');
        let begins_code = [" {", " fn", " impl", " trait", " extern"];
        is_lint || is_word && begins_code.iter().any(|begin| behind.starts_with(begin))
    })
}
