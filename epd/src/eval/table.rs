//! Reading and writing evaluations as CSV.

use std::collections::HashMap;

use chess::notation::fen;
use serde::{Deserialize, Serialize};

/// A line of the CSV.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "columns of the CSV, described in docs/epd.md")]
pub struct ScoreCsvRow {
    pub file: String,
    pub line: usize,
    pub id: String,
    pub fen: String,
    /// The score from White's view; `None` if the engine reported a mate or none.
    pub score_cp: Option<i32>,
    /// How the engine was queried: its command, `depth 1`, or `failed`.
    pub way: String,
    /// The engine's output, or the error.
    pub raw: String,
}

/// The value of [`ScoreCsvRow::way`] if there is no answer.
pub const FAILED: &str = "failed";

/// Writes rows below a header.
///
/// # Errors
///
/// When CSV serialisation fails.
pub fn write(rows: &[ScoreCsvRow]) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row)?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// Evaluations by position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoreTable {
    /// The rows, the first of each position, in the order of the file.
    pub rows: Vec<ScoreCsvRow>,
    /// Index of the row of each position.
    pub by_position: HashMap<String, usize>,
}

impl ScoreTable {
    /// Parses CSV that [`write()`] wrote.
    ///
    /// # Errors
    ///
    /// When a row is malformed; the message has its line.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let mut table = Self::default();
        let mut reader = csv::Reader::from_reader(bytes);
        let mut record = csv::StringRecord::new();
        let fail = |error: csv::Error| error.to_string();
        let head = reader.headers().map_err(fail)?.clone();
        while reader.read_record(&mut record).map_err(fail)? {
            let line = record.position().map_or(0, csv::Position::line);
            let row: ScoreCsvRow = record
                .deserialize(Some(&head))
                .map_err(|error| format!("line {line}: {error}"))?;
            let position =
                fen::parse(&row.fen).map_err(|error| format!("line {line}: fen: {error}"))?;
            // Including the clocks: the evaluation may depend on them.
            let key = fen::write(&position);
            if let std::collections::hash_map::Entry::Vacant(place) = table.by_position.entry(key) {
                place.insert(table.rows.len());
                table.rows.push(row);
            }
        }
        Ok(table)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn row(fen: &str, score_cp: Option<i32>) -> ScoreCsvRow {
        ScoreCsvRow {
            file: "a.epd".to_owned(),
            line: 1,
            id: "with, comma \"and quotes".to_owned(),
            fen: fen.to_owned(),
            score_cp,
            way: "eval".to_owned(),
            raw: "raw".to_owned(),
        }
    }

    #[test]
    fn reads_what_it_wrote() {
        let rows = [
            row("4k3/8/8/8/8/8/8/4K2R w K - 0 1", Some(-500)),
            row("4k3/8/8/8/8/8/8/4K3 w - - 0 1", None),
        ];
        let text = write(&rows).unwrap();
        assert!(text.starts_with("file,line,id,fen,score_cp,way,raw\n"));
        assert_eq!(ScoreTable::read(text.as_bytes()).unwrap().rows, rows);
    }

    #[test]
    fn says_where_a_row_is_wrong() {
        for (row, expected) in [
            ("a,1,,4k3/8/8/8/8/8/8/4K3 w - - 0 1,x,eval,", "line 2: "),
            ("a,1,,4k3 w - - 0 1,5,eval,", "line 2: fen: "),
            ("a,1", "CSV error"),
        ] {
            let text = format!("file,line,id,fen,score_cp,way,raw\n{row}\n");
            let error = ScoreTable::read(text.as_bytes()).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn the_first_of_a_position_counts_and_clocks_are_part_of_it() {
        let mut failed = row("4k3/8/8/8/8/8/8/4K3 w - - 0 1", None);
        FAILED.clone_into(&mut failed.way);
        let rows = [
            failed,
            row("4k3/8/8/8/8/8/8/4K3 w - - 5 9", Some(1)),
            row("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Some(2)),
        ];
        let table = ScoreTable::read(write(&rows).unwrap().as_bytes()).unwrap();
        assert_eq!(table.rows, rows[..2]);
    }
}
