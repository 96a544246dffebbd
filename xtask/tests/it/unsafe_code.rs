//! `unsafe` stays where `docs/hardening.md` argues for it.

use std::collections::BTreeSet;

use regex::Regex;

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
    let is_unsafe = pattern();
    let found = sources
        .into_iter()
        .filter(|path| is_unsafe.is_match(&text(path)));
    let found = found.map(|path| {
        let name = path.strip_prefix(&root).expect("it lies below the root");
        name.to_string_lossy().into_owned()
    });
    let found: BTreeSet<String> = found.collect();
    assert!(
        found.iter().eq(ALLOWED),
        "the files with unsafe code: {found:?}"
    );
    for name in ALLOWED {
        let has_reason = text(&root.join(name)).contains("SAFETY:");
        assert!(has_reason, "{name} gives no reason");
    }
}

/// A line that has the keyword or lifts the lint, and is no comment.
fn pattern() -> Regex {
    // Written so that this file is not found.
    let code = r"(?m)^(/?[^/\n])*?\bWORD (\{|fn|impl|trait|extern)|^\s*#.*WORD_code";
    Regex::new(&code.replace("WORD", "unsafe")).expect("a pattern")
}

#[test]
fn code_is_distinguished_from_comments() {
    for (line, expected) in [
        ("WORD { x() }", true),
        ("    pub WORD fn f() {", true),
        ("Self(WORD { x() })", true),
        ("#![expect(WORD_code, reason = \"x\")]", true),
        ("// WORD { }", false),
        ("let WORD_squares = 1;", false),
        ("\"'WORD-inline'\"", false),
    ] {
        let line = line.replace("WORD", "unsafe");
        assert_eq!(pattern().is_match(&line), expected, "{line}");
    }
}
