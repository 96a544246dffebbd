//! The history of an engine's versions on mate suites: one line of JSON per engine and run, and its
//! table.

use kit::table;
use serde::{Deserialize, Serialize};

use super::tally::MateTally;
use crate::run::ledger::{Handshake, Trial};

/// The schema of a line.
const SCHEMA: &str = "touchstone/epd-mates-history/1";

/// The result of one engine in one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct HistoryEntry {
    schema: String,
    /// When the run ended, UTC, such as `2026-11-25 21:07:33Z`.
    pub(crate) date: String,
    /// The name given with `--engine`, or its command.
    pub(crate) engine: String,
    /// The name that the engine gives itself, with its version.
    pub(crate) name: Option<String>,
    pub(crate) suites: Vec<String>,
    pub(crate) limits: String,
    pub(crate) positions: usize,
    pub(crate) found: usize,
    pub(crate) best: usize,
    pub(crate) proved: usize,
    pub(crate) better: usize,
    pub(crate) wrong_sign: usize,
    pub(crate) bad_pvs: usize,
    pub(crate) nodes: u64,
    pub(crate) search_seconds: f64,
}

impl HistoryEntry {
    /// The entry of a complete run; `None` if positions were not searched.
    pub(crate) fn new(
        trial: &Trial,
        tally: &MateTally,
        suites: &[String],
        limits: &str,
        date: &str,
    ) -> Option<Self> {
        let Handshake::Ready { name, .. } = &trial.handshake else {
            return None;
        };
        // An interrupted run has lower counts, and its line would look like a weaker version.
        let is_complete = !trial.interrupted && tally.open == 0 && tally.positions > 0;
        is_complete.then(|| Self {
            schema: SCHEMA.to_owned(),
            date: date.to_owned(),
            // The name of the command line tells versions apart that call themselves the same.
            engine: trial.command.clone(),
            name: name.clone(),
            suites: suites.to_vec(),
            limits: limits.to_owned(),
            positions: tally.positions,
            found: tally.found,
            best: tally.best,
            proved: tally.proved,
            better: tally.better.announcements,
            wrong_sign: tally.wrong_sign.announcements,
            bad_pvs: tally.bad_pvs.announcements,
            nodes: tally.nodes,
            search_seconds: tally.search_seconds,
        })
    }

    /// As a line of the file.
    pub(crate) fn to_line(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }

    /// What the label of a version is: the engine's own name, else that of the command line.
    pub(crate) fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.engine)
    }

    /// Whether two results can be compared: the same suites, as many positions, the same limits.
    fn is_comparable(&self, other: &Self) -> bool {
        // A suite that was edited keeps its name, so the number of positions is compared as well.
        (&self.suites, self.positions, &self.limits)
            == (&other.suites, other.positions, &other.limits)
    }
}

/// Results that can be compared, oldest first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Series {
    pub(crate) entries: Vec<HistoryEntry>,
}

impl Series {
    /// Suites, positions and limits.
    pub(crate) fn title(&self) -> String {
        let first = &self.entries[0];
        let suites = first.suites.join(", ");
        format!("{suites}: {} positions, {}", first.positions, first.limits)
    }

    pub(crate) fn to_text(&self) -> String {
        let head = [
            "date",
            "engine",
            "found",
            "best",
            "better",
            "wrong sign",
            "bad PVs",
            "nodes",
        ];
        let rows = self.entries.iter().map(|entry| {
            vec![
                entry.date.clone(),
                entry.label().to_owned(),
                entry.found.to_string(),
                entry.best.to_string(),
                entry.better.to_string(),
                entry.wrong_sign.to_string(),
                entry.bad_pvs.to_string(),
                kit::output::grouped(entry.nodes),
            ]
        });
        format!("{}\n{}", self.title(), table::text(&head, 2.., rows))
    }
}

/// A line of a history that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub(crate) struct HistoryError {
    line: usize,
    reason: String,
}

/// Reads a history. Results that can be compared are a series; the series with the newest result
/// comes last.
pub(crate) fn read(text: &str) -> Result<Vec<Series>, HistoryError> {
    let mut series: Vec<Series> = Vec::new();
    for (row, line) in text.lines().zip(1..) {
        // An editor may leave an empty line at the end.
        if row.trim().is_empty() {
            continue;
        }
        let fail = |reason| HistoryError { line, reason };
        let entry: HistoryEntry =
            serde_json::from_str(row).map_err(|error| fail(error.to_string()))?;
        // A line of another schema may count other things under the same names.
        if entry.schema != SCHEMA {
            let found = &entry.schema;
            return Err(fail(format!("schema is '{found}', expected '{SCHEMA}'")));
        }
        let place = series
            .iter()
            .position(|one| one.entries[0].is_comparable(&entry));
        let mut one = place.map_or_else(
            || Series {
                entries: Vec::new(),
            },
            // The series moves to the end with its new entry, so that the newest result is always
            // in the last one.
            |place| series.remove(place),
        );
        one.entries.push(entry);
        series.push(one);
    }
    Ok(series)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str, limits: &str, found: usize) -> String {
        let entry = HistoryEntry {
            schema: SCHEMA.to_owned(),
            date: "2026-11-25 21:07:33Z".to_owned(),
            engine: "./engine".to_owned(),
            name: Some(name.to_owned()),
            suites: vec!["mates.epd".to_owned()],
            limits: limits.to_owned(),
            positions: 10,
            found,
            best: 1,
            proved: 1,
            better: 0,
            wrong_sign: 0,
            bad_pvs: 0,
            nodes: 1000,
            search_seconds: 0.5,
        };
        entry.to_line().expect("it can be written")
    }

    #[test]
    fn comparable_results_are_one_series_and_the_newest_comes_last() {
        let text =
            line("A 1", "nodes 1", 1) + &line("A 1", "nodes 2", 2) + &line("A 2", "nodes 1", 3);
        let series = read(&text).expect("readable");
        let names = |one: &Series| {
            let labels = one.entries.iter().map(HistoryEntry::label);
            labels.collect::<Vec<_>>().join(", ")
        };
        let found: Vec<String> = series.iter().map(names).collect();
        assert_eq!(found, ["A 1", "A 1, A 2"]);
        assert_eq!(series[1].title(), "mates.epd: 10 positions, nodes 1");
    }

    #[test]
    fn unreadable_lines_are_named() {
        let good = line("A", "nodes 1", 1);
        let other = good.replace("history/1", "history/2");
        let no_schema = "line 2: missing field `schema` at line 1 column 2";
        let other_schema = "line 3: schema is 'touchstone/epd-mates-history/2', expected \
                            'touchstone/epd-mates-history/1'";
        let rows = [
            (good.clone() + "{}\n", no_schema),
            (good + "\n" + &other, other_schema),
        ];
        for (text, expected) in rows {
            assert_eq!(read(&text).unwrap_err().to_string(), expected);
        }
    }
}
