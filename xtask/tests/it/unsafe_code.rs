//! `unsafe` stays where `docs/hardening.md` argues for it.

use crate::{files, root, text};

/// The files that may have it, in order. The lint `unsafe_code` denies it where no attribute names it, and clippy wants a
/// comment `SAFETY` for each block.
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
    let name = |path: &std::path::PathBuf| {
        let name = path.strip_prefix(&root).expect("it lies below the root");
        name.to_string_lossy().into_owned()
    };
    let mut sources = files(&root, "rs");
    sources.retain(|path| !path.ends_with("tests/it/unsafe_code.rs"));
    // As in the attribute that lifts the lint, which has a reason behind the comma.
    sources.retain(|path| text(path).contains("unsafe_code,"));
    let mut found: Vec<String> = sources.iter().map(name).collect();
    found.sort();
    assert_eq!(found, ALLOWED);
}
