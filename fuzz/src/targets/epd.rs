//! EPD: records, suites, what normalising does, baselines.

use epd::eval::diff::{Diff, diff};
use epd::eval::table;
use epd::eval::table::ScoreTable;
use epd::{Baseline, Diagnostic, Document, Goal, Record, Suite};

use crate::target::{FuzzTarget, read_again, rejected, sound, text, within};

targets![epd_record epd_suite epd_baseline epd_evaluations];

fn epd_record(bytes: &[u8]) -> bool {
    let text = text(bytes);
    let read = match Record::parse_lenient(&text) {
        Ok(read) => read,
        Err(error) => {
            assert!(!error.diagnostics.is_empty(), "an error without one");
            lie_within(&text, &error.diagnostics);
            return rejected(&error);
        }
    };
    let record = read.record;
    assert_eq!(record.to_string(), text);
    let strict: Result<Record, _> = text.parse();
    assert_eq!(strict.is_ok(), read.tolerated.is_empty());
    lie_within(&text, &read.tolerated);
    lie_within(&text, &record.check_operands(1));
    read_values(&record);
    let mut again = record.clone();
    sound(again.set_operations(record.operations().to_vec()));
    let reread = sound(Record::parse_lenient(&again.to_string())).record;
    assert_eq!(reread.operations(), record.operations());
    assert_eq!(reread.position(), record.position());
    true
}

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
fn lie_within(text: &str, diagnostics: &[Diagnostic]) {
    let columns = 1..=text.chars().count() + 1;
    for one in diagnostics {
        let is_within = one.line == 1 && columns.contains(&one.column);
        assert!(is_within, "{}: not within the line", one.display("s"));
    }
}

fn epd_suite(bytes: &[u8]) -> bool {
    let suite = Suite::parse("s", bytes);
    for one in &suite.diagnostics {
        within(bytes, one.line, one.column);
        rejected(&one.display("s"));
    }
    let places = suite.diagnostics.iter().map(|one| (one.line, one.column));
    assert!(places.is_sorted(), "diagnostics out of order");
    for entry in &suite.entries {
        let again = sound(Record::parse_lenient(&entry.record.to_string()));
        assert_eq!(again.record, entry.record);
    }
    let document = Document::parse(0, "s", bytes);
    assert_eq!(document.items.len(), suite.entries.len(), "records");
    let written = document.to_string();
    let again = Document::parse(0, "s", written.as_bytes());
    assert_eq!(again.to_string(), written);
    check_normalised(bytes);
    !suite.entries.is_empty()
}

/// What has been normalised stays as it is.
fn check_normalised(bytes: &[u8]) {
    let once = epd::normalise("s", bytes);
    let twice = epd::normalise("s", &once.text);
    assert_eq!(text(&twice.text), text(&once.text));
    assert_eq!(twice.tally.records(), once.tally.records());
    assert_eq!(twice.tally.repairable, 0, "still to repair");
    for finding in &epd::lint("s", bytes).findings {
        within(bytes, finding.diagnostic.line, finding.diagnostic.column);
    }
    // Some records cannot be repaired, and none is made up.
    let repaired = Suite::parse_repaired("s", bytes).entries.len();
    assert!(repaired <= once.tally.records(), "{repaired} records");
}

fn epd_baseline(bytes: &[u8]) -> bool {
    let write = |baseline: &Baseline| baseline.to_text().expect("text and numbers");
    read_again(bytes, |bytes| Baseline::parse(&text(bytes)), write).is_some()
}

/// An input is a table, or two with a line `==` between.
fn epd_evaluations(bytes: &[u8]) -> bool {
    let parts = std::str::from_utf8(bytes).ok();
    let parts = parts.and_then(|text| text.split_once("==\n"));
    let (a, b) = parts.map_or((bytes, bytes), |(a, b)| (a.as_bytes(), b.as_bytes()));
    let (Some(a), Some(b)) = (read(a), read(b)) else {
        return false;
    };
    // In centipawns: some differences exceed it, others do not.
    let found = diff(&a, &b, 5);
    check_diff(&found, &a, &b);
    let reversed = diff(&b, &a, 5);
    assert_eq!(reversed.compared, found.compared);
    assert_eq!(reversed.changes.len(), found.changes.len());
    let own = diff(&a, &a, 0);
    assert!(!own.is_news(), "differs from itself: {own:?}");
    true
}

fn read(bytes: &[u8]) -> Option<ScoreTable> {
    let write = |table: &ScoreTable| table::write(&table.rows).expect("text and numbers");
    read_again(bytes, ScoreTable::read, write)
}

/// Each position is compared once, has a score in neither table, or is in one alone; and no number is none.
fn check_diff(found: &Diff, a: &ScoreTable, b: &ScoreTable) {
    let both = found.compared + found.without_score;
    assert_eq!(both + found.missing.len(), a.rows.len());
    assert_eq!(both + found.new.len(), b.rows.len());
    let numbers = [
        found.mean_cp,
        found.mean_absolute_cp,
        found.median_absolute_cp,
        found.rms_cp,
    ];
    let are_finite = numbers.iter().all(|number| number.is_finite());
    assert!(are_finite, "{numbers:?}");
}
