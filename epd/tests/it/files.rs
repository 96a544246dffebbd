//! The tools for files: output and exit codes.

use std::path::{Path, PathBuf};

use crate::common::{check, ends, fails, place, read, run_fed, run_words, words, write};
use crate::rows::rows;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

#[test]
fn outputs() {
    let table = "
stats | stats small.epd more.epd
stats_json | stats small.epd --format json
stats_bad | stats bad.epd
stats_skip_bad | stats bad.epd --skip-bad --format json
stats_no_file | stats nowhere.epd
dedupe | dedupe small.epd more.epd
dedupe_first | dedupe small.epd more.epd --duplicates first
merge_unique_ids | dedupe small.epd more.epd --duplicates keep --unique-ids
filter_has | filter small.epd --has bm --is endgame
filter_number | filter small.epd --number acd=..20
filter_invert | filter small.epd --tag ending --invert
filter_nothing | filter small.epd --pieces ..2
filter_bad_range | filter small.epd --pieces 2-6
from_pgn_ply | from-pgn games.pgn --ply 8 --add clocks
from_pgn_quiet | from-pgn games.pgn --add id,result
from_pgn_late | from-pgn games.pgn --ply 40
from_pgn_bad | from-pgn bad.pgn --ply 4
from_pgn_skip_bad | from-pgn bad.pgn --ply 4 --skip-bad";
    for [name, arguments] in rows(table) {
        check!(name, run_words(data(), arguments));
    }
}

#[test]
fn from_pgn_takes_quiet_positions_or_those_at_a_ply() {
    let run = |more: &str| run_words(data(), &format!("from-pgn games.pgn --add id {more}"));
    ends(&run("--ply 8 --every 2"), 2, &[]);
    let quiet = run("--quiet");
    ends(&quiet, 0, &[]);
    assert!(quiet.ends_with("--- stderr\n"), "{quiet}");
    let place = place();
    write(
        &place,
        "cut.pgn",
        "1. e4 e5 2. Nf3 Nc6 1-0\n\n1. d4 d5 2. c4 e6",
    );
    let cut = run_words(&place, "from-pgn cut.pgn --ply 3");
    let warning = "cut.pgn: warning: the last game has no result behind its moves";
    ends(&cut, 0, &["2 records from 2 games", warning]);
}

#[test]
fn standard_input_and_a_file_in_place() {
    let place = place();
    let small = read(data(), "small.epd");
    let merged = run_fed(&place, &words("dedupe - -o all.epd"), &small);
    ends(&merged, 0, &[]);
    assert_eq!(read(&place, "all.epd"), small);
    let filtered = run_words(&place, "filter all.epd --tag check -o all.epd");
    ends(&filtered, 0, &[]);
    let text = read(&place, "all.epd");
    let is_record = |line: &&str| !line.starts_with('#') && !line.is_empty();
    assert_eq!(text.lines().filter(is_record).count(), 1);
}

/// Outputs that cannot be written are reported before anything is read or run, not after the work of hours.
#[test]
fn outputs_are_checked_first() {
    for arguments in [
        "filter no-such.epd -o",
        "dedupe no-such.epd -o",
        "normalise no-such.epd -o",
        "from-pgn no-such.pgn --ply 1 -o",
        "eval dump no-such.epd --engine none -o",
        "eval check no-such.epd --engine none -o",
        "run mate-in-1 --engine none --nodes 1 --output",
        "run mate-in-1 --engine none --nodes 1 --save",
        "mates mate-in-1 --engine none --output",
        "mates mate-in-1 --engine none --history",
    ] {
        let text = run_words(data(), &format!("{arguments} no-such-folder/x"));
        fails(
            &text,
            2,
            "error: cannot write no-such-folder/x: No such file or directory",
        );
    }
}
