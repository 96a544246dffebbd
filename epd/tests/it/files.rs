//! The tools for files: output and exit codes.

use std::path::{Path, PathBuf};

use crate::common::{check, read, run_fed, run_words, words};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

#[test]
fn outputs() {
    for (name, arguments) in [
        ("stats", "stats small.epd more.epd"),
        ("stats_json", "stats small.epd --format json"),
        ("stats_bad", "stats bad.epd"),
        ("stats_skip_bad", "stats bad.epd --skip-bad --format json"),
        ("stats_no_file", "stats nowhere.epd"),
        ("dedupe", "dedupe small.epd more.epd"),
        (
            "dedupe_first",
            "dedupe small.epd more.epd --duplicates first",
        ),
        ("filter_has", "filter small.epd --has bm --is endgame"),
        ("filter_number", "filter small.epd --number acd=..20"),
        ("filter_invert", "filter small.epd --tag ending --invert"),
        ("filter_nothing", "filter small.epd --pieces ..2"),
        ("filter_bad_range", "filter small.epd --pieces 2-6"),
        ("merge", "dedupe small.epd more.epd"),
        (
            "merge_unique_ids",
            "dedupe small.epd more.epd --duplicates keep --unique-ids",
        ),
        ("from_pgn_ply", "from-pgn games.pgn --ply 8 --add clocks"),
        ("from_pgn_quiet", "from-pgn games.pgn --add id,result"),
        ("from_pgn_late", "from-pgn games.pgn --ply 40"),
        ("from_pgn_bad", "from-pgn bad.pgn --ply 4"),
        ("from_pgn_skip_bad", "from-pgn bad.pgn --ply 4 --skip-bad"),
    ] {
        check!(name, run_words(&data(), arguments));
    }
}

#[test]
fn from_pgn_takes_quiet_positions_or_those_at_a_ply() {
    let run = |more: &str| run_words(&data(), &format!("from-pgn games.pgn --add id {more}"));
    assert!(run("--ply 8 --every 2").starts_with("exit 2\n"));
    let quiet = run("--quiet");
    assert!(quiet.starts_with("exit 0\n") && quiet.ends_with("--- stderr\n"));
}

#[test]
fn standard_input_and_a_file_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let small = read(&data(), "small.epd");
    let merged = run_fed(folder, &words("dedupe - -o all.epd"), &small);
    assert!(merged.starts_with("exit 0\n"), "{merged}");
    assert_eq!(read(folder, "all.epd"), small);
    let filtered = run_words(folder, "filter all.epd --tag check -o all.epd");
    assert!(filtered.starts_with("exit 0\n"), "{filtered}");
    let text = read(folder, "all.epd");
    let is_record = |line: &&str| !line.starts_with('#') && !line.is_empty();
    assert_eq!(text.lines().filter(is_record).count(), 1);
}

/// Outputs that cannot be written are reported before anything is read, not after the work.
#[test]
fn outputs_are_checked_first() {
    for arguments in [
        "filter no-such.epd",
        "dedupe no-such.epd",
        "normalise no-such.epd",
        "from-pgn no-such.pgn --ply 1",
        "eval dump no-such.epd --engine none",
        "eval check no-such.epd --engine none",
    ] {
        let text = run_words(&data(), &format!("{arguments} -o no-such-folder/x"));
        let expected = "exit 2\n--- stdout\n--- stderr\nerror: cannot write no-such-folder/x: ";
        assert!(text.starts_with(expected), "{arguments}: {text}");
    }
}
