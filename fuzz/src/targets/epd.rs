//! EPD: records, suites, what normalising does, baselines.

use epd::eval::diff::{Diff, diff};
use epd::eval::table;
use epd::eval::table::ScoreTable;
use epd::{Baseline, Diagnostic, Document, Goal, Record, Suite};

use crate::target::{
    FuzzTarget, InputVerdict, ensure, read_again, rejected, same, sound, text, within,
};

const WORDS: &[&str] = words![
    "bm" "am" "pm" "sm" "pv" "ce" "dm" "acd" "acn" "acs" "id" "\"a b\"" "c0" "c9" "v1" "tag" "noop"
    "hmvc" "fmvn" "D1" "D2" "D0" "d5" "D99999999999" "eco" "rc" "tcri" "resign" ";" ";;" "\"" ","
    "#" "//" "O-O" "Rh8+" "Kd2" "e8=Q" "0 1" "4k3/8/8/8/8/8/8/4K2R w K -" "KQkq" "- -" "lm" "+M3"
    "or" "x=1"
];

pub(super) const TARGETS: &[FuzzTarget] = &[
    FuzzTarget {
        name: "epd-record",
        corpus: corpus!("epd_record.txt"),
        words: WORDS,
        check: |bytes| {
            let text = text(bytes);
            match Record::parse_lenient(&text) {
                Ok(read) => {
                    let record = read.record;
                    same("text", &record.to_string().as_str(), &&*text)?;
                    let strict: Result<Record, _> = text.parse();
                    same("strict", &strict.is_ok(), &read.tolerated.is_empty())?;
                    read.tolerated
                        .iter()
                        .chain(&record.check_operands(1))
                        .try_for_each(|one| lies_within(&text, one))?;
                    read_values(&record);
                    let mut again = record.clone();
                    sound(again.set_operations(record.operations().to_vec()))?;
                    let written = again.to_string();
                    let reread = sound(Record::parse_lenient(&written))?;
                    let operations = reread.record.operations();
                    same("operations", &operations, &record.operations())?;
                    same("position", reread.record.position(), record.position())?;
                    Ok(InputVerdict::Read)
                }
                Err(error) => {
                    ensure(!error.diagnostics.is_empty(), || {
                        "an error without one".to_owned()
                    })?;
                    error
                        .diagnostics
                        .iter()
                        .try_for_each(|one| lies_within(&text, one))?;
                    rejected(&error)
                }
            }
        },
    },
    FuzzTarget {
        name: "epd-suite",
        corpus: corpus!("epd_suite.txt"),
        words: WORDS,
        check: |bytes| {
            let suite = Suite::parse("s", bytes);
            for one in &suite.diagnostics {
                within(bytes, one.line, one.column)?;
                rejected(&one.display("s"))?;
            }
            let places = suite.diagnostics.iter().map(|one| (one.line, one.column));
            ensure(places.is_sorted(), || "diagnostics out of order".to_owned())?;
            for entry in &suite.entries {
                let text = entry.record.to_string();
                let again = sound(Record::parse_lenient(&text))?;
                same("read again", &again.record, &entry.record)?;
            }
            let document = Document::parse(0, "s", bytes);
            same("records", &document.items.len(), &suite.entries.len())?;
            let written = document.to_string();
            let again = Document::parse(0, "s", written.as_bytes());
            same("written again", &again.to_string(), &written)?;
            Ok(InputVerdict::from_read(!suite.entries.is_empty()))
        },
    },
    FuzzTarget {
        name: "epd-normalise",
        corpus: corpus!("epd_suite.txt"),
        words: WORDS,
        check: |bytes| {
            let once = epd::normalise("s", bytes);
            let twice = epd::normalise("s", &once.text);
            same("text", &text(&twice.text), &text(&once.text))?;
            same("records", &twice.tally.records(), &once.tally.records())?;
            same("still to repair", &twice.tally.repairable, &0)?;
            for finding in &epd::lint("s", bytes).findings {
                within(bytes, finding.diagnostic.line, finding.diagnostic.column)?;
            }
            let repaired = Suite::parse_repaired("s", bytes);
            // Some records cannot be repaired, and none is made up.
            ensure(repaired.entries.len() <= once.tally.records(), || {
                "more records are repaired than there are".to_owned()
            })?;
            Ok(InputVerdict::from_read(!repaired.entries.is_empty()))
        },
    },
    FuzzTarget {
        name: "epd-baseline",
        corpus: corpus!("epd_baseline.txt"),
        words: json_words![
            "schema" "touchstone/epd-baseline/2" "engines" "positions" "\\u0000"
        ],
        check: |bytes| {
            let write = |baseline: &Baseline| baseline.to_text().expect("text and numbers");
            let read = read_again(bytes, |bytes| Baseline::parse(&text(bytes)), write)?;
            Ok(InputVerdict::from_read(read.is_some()))
        },
    },
    FuzzTarget {
        name: "epd-evaluations",
        corpus: corpus!("epd_evaluations.txt"),
        words: words![
            "file,line,id,fen,score_cp,way,raw\n" "a.epd" "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1" "-31" "2147483647" "-2147483648" "eval" "failed" "depth 1"
            "\"" "\"\"" "," ",," "\n" "==\n"
        ],
        // An input is a table, or two with a line `==` between.
        check: |bytes| {
            let parts = std::str::from_utf8(bytes).ok();
            let parts = parts.and_then(|text| text.split_once("==\n"));
            let (a, b) = parts.map_or((bytes, bytes), |(a, b)| (a.as_bytes(), b.as_bytes()));
            let (Some(a), Some(b)) = (read(a)?, read(b)?) else {
                return Ok(InputVerdict::Rejected);
            };
            // In centipawns: some differences exceed it, others do not.
            let found = diff(&a, &b, 5);
            check_diff(&found, &a, &b)?;
            let reversed = diff(&b, &a, 5);
            same(
                "positions the other way",
                &reversed.compared,
                &found.compared,
            )?;
            same(
                "changes the other way",
                &reversed.changes.len(),
                &found.changes.len(),
            )?;
            let own = diff(&a, &a, 0);
            ensure(!own.is_news(), || format!("differs from itself: {own:?}"))?;
            Ok(InputVerdict::Read)
        },
    },
];

/// What tools read of a record: none of it may panic.
fn read_values(record: &Record) {
    for operation in record.operations() {
        if let Err(error) = operation.value(record.position()) {
            drop(error.to_string());
        }
    }
    if let Ok(Some(goal)) = Goal::read(record) {
        goal.describe(record.position());
    }
    record.tags().count();
    record.perft_counts();
}

/// Columns count characters; line 1 of the text that was read.
fn lies_within(text: &str, one: &Diagnostic) -> Result<(), String> {
    let columns = text.chars().count() + 1;
    ensure(one.line == 1 && (1..=columns).contains(&one.column), || {
        format!("{}: not within the line", one.display("s"))
    })
}

fn read(bytes: &[u8]) -> Result<Option<ScoreTable>, String> {
    let write = |table: &ScoreTable| table::write(&table.rows).expect("text and numbers");
    read_again(bytes, ScoreTable::read, write)
}

/// Each position is compared once or is in one table alone, and no number is none.
fn check_diff(found: &Diff, a: &ScoreTable, b: &ScoreTable) -> Result<(), String> {
    same(
        "of A",
        &(found.compared + found.missing.len()),
        &a.rows.len(),
    )?;
    same("of B", &(found.compared + found.new.len()), &b.rows.len())?;
    let numbers = [
        found.mean_cp,
        found.mean_absolute_cp,
        found.median_absolute_cp,
        found.rms_cp,
    ];
    ensure(numbers.iter().all(|number| number.is_finite()), || {
        format!("{numbers:?}")
    })
}
