//! `unsafe` stays where `docs/hardening.md` argues for it.

use std::path::{Path, PathBuf};

/// The files that may have it, in order.
const ALLOWED: [&str; 5] = [
    "chess/src/pages.rs",
    "chess/src/perft/kernel/lanes/avx2.rs",
    "chess/src/perft/kernel/lanes/avx512.rs",
    "chess/src/rules/bmi2.rs",
    "chess/src/rules/cpu.rs",
];

/// Where there is no source of ours.
const PASSED_OVER: [&str; 3] = ["target", "node_modules", ".git"];

#[test]
#[expect(clippy::disallowed_methods, reason = "the sources are read")]
fn unsafe_is_where_it_is_argued_for() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut found = Vec::new();
    for path in sources(root) {
        let text = std::fs::read_to_string(&path).expect("a source file");
        if text.lines().any(is_unsafe) {
            let name = path.strip_prefix(root).expect("it lies below the root");
            found.push(name.to_string_lossy().into_owned());
        }
    }
    found.sort();
    assert_eq!(found, ALLOWED, "the files with unsafe code");
    for name in ALLOWED {
        let text = std::fs::read_to_string(root.join(name)).expect("a source file");
        let reasons = text.matches("SAFETY:").count();
        assert!(reasons > 0, "{name} gives no reason");
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

/// Every Rust file below a folder.
fn sources(root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let entry = entry.expect("an entry");
            let path = entry.path();
            let name = entry.file_name();
            if entry.file_type().expect("a kind").is_dir() {
                if PASSED_OVER.iter().all(|other| name != *other) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    assert!(files.len() > 500, "{} sources were found", files.len());
    files
}
