//! The journal of a resumable count as text: a header, then one line per counted unit. Pure.
//!
//! At some ply, the tree has thousands of unique positions: the units. Each count is written as soon
//! as it is known; after a kill, the next run counts the missing units.

use chess::notation::fen;
use serde::{Deserialize, Serialize};

use super::units::Units;

/// The schema name of journals.
pub const SCHEMA: &str = "touchstone/perft-resume/1";

/// The first line: the count, and its division into units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`SCHEMA`].
    pub schema: String,
    /// The root position as a FEN.
    pub fen: String,
    /// Depth of the whole count in plies.
    pub depth: u32,
    /// The ply at which the tree is cut into units.
    pub ply: u32,
    /// Number of units.
    pub units: usize,
}

/// A line after the first: the number of a unit, from 0, and its count.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    unit: usize,
    nodes: u64,
}

/// The contents of a journal.
#[derive(Debug, PartialEq, Eq)]
pub struct Journal {
    /// The count of each unit, if known.
    pub counts: Vec<Option<u64>>,
    /// Length of the complete lines in bytes. The rest was torn when the run ended.
    pub whole: usize,
}

/// Why a journal cannot be resumed; lines count from 1.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum JournalError {
    #[error("line 1: '{text}' is not the header of a journal, expected {SCHEMA}")]
    NoHeader { text: String },
    #[error("line 1: {field} is {found}, expected {expected}")]
    Differs {
        field: &'static str,
        found: String,
        expected: String,
    },
    #[error(
        r#"line {line}: '{text}' is not the count of a unit, expected {{"unit":0,"nodes":20}}"#
    )]
    Broken { line: usize, text: String },
    #[error("line {line}: unit {unit} does not exist, expected one below {units}")]
    NoUnit {
        line: usize,
        unit: usize,
        units: usize,
    },
    #[error("line {line}: {nodes} nodes below unit {unit}, but an earlier line has {earlier}")]
    Contradiction {
        line: usize,
        unit: usize,
        nodes: u64,
        earlier: u64,
    },
}

impl Header {
    /// The header of a count's journal.
    pub(crate) fn new(units: &Units) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            fen: fen::write(&units.position),
            depth: units.depth,
            ply: units.ply,
            units: units.list.len(),
        }
    }

    /// The header as the journal's first line.
    pub fn to_line(&self) -> String {
        to_line(self)
    }

    /// The first field in which another header differs.
    fn compare(&self, found: &Self) -> Result<(), JournalError> {
        let fields = |header: &Self| {
            [
                ("schema", header.schema.clone()),
                ("fen", header.fen.clone()),
                ("depth", header.depth.to_string()),
                ("ply", header.ply.to_string()),
                ("units", header.units.to_string()),
            ]
        };
        let mut pairs = fields(found).into_iter().zip(fields(self));
        match pairs.find(|(found, ours)| found != ours) {
            None => Ok(()),
            Some(((field, found), (_, expected))) => Err(JournalError::Differs {
                field,
                found,
                expected,
            }),
        }
    }
}

impl Journal {
    /// Parses the journal that belongs to `header`; an empty one is valid.
    ///
    /// # Errors
    ///
    /// When a complete line is malformed, or contradicts another.
    pub fn parse(bytes: &[u8], header: &Header) -> Result<Self, JournalError> {
        let whole = bytes.iter().rposition(|&byte| byte == b'\n');
        let mut journal = Self {
            counts: vec![None; header.units],
            whole: whole.map_or(0, |newline| newline + 1),
        };
        let mut lines = bytes[..journal.whole].split_inclusive(|&byte| byte == b'\n');
        let Some(first) = lines.next() else {
            // Only a torn copy of our own header is overwritten.
            let ours = header.to_line().as_bytes().starts_with(bytes);
            return ours.then_some(journal).ok_or_else(|| no_header(bytes));
        };
        let found: Header = serde_json::from_slice(first).map_err(|_| no_header(first))?;
        header.compare(&found)?;
        for (index, line) in lines.enumerate() {
            journal.read(index + 2, line)?;
        }
        Ok(journal)
    }

    fn read(&mut self, line: usize, bytes: &[u8]) -> Result<(), JournalError> {
        let Line { unit, nodes } =
            serde_json::from_slice(bytes).map_err(|_| JournalError::Broken {
                line,
                text: shown(bytes),
            })?;
        let units = self.counts.len();
        let count = self.counts.get_mut(unit);
        let count = count.ok_or(JournalError::NoUnit { line, unit, units })?;
        match count.replace(nodes).filter(|&earlier| earlier != nodes) {
            None => Ok(()),
            Some(earlier) => Err(JournalError::Contradiction {
                line,
                unit,
                nodes,
                earlier,
            }),
        }
    }
}

/// A unit's count as a line of the journal.
pub fn count_line(unit: usize, nodes: u64) -> String {
    to_line(&Line { unit, nodes })
}

fn to_line(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value);
    text.expect("numbers and strings can be written") + "\n"
}

fn no_header(bytes: &[u8]) -> JournalError {
    JournalError::NoHeader { text: shown(bytes) }
}

/// The beginning of a line, for an error message.
fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 60;
    let text = String::from_utf8_lossy(bytes);
    let line = text.trim_end();
    let mut shown = String::new();
    for c in line.chars().take(MOST) {
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    if line.chars().nth(MOST).is_some() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            schema: SCHEMA.to_owned(),
            fen: "8/8/8/8/8/8/8/8 w - - 0 1".to_owned(),
            depth: 5,
            ply: 3,
            units: 4,
        }
    }

    fn parse(lines: &str) -> Result<Journal, JournalError> {
        let text = header().to_line() + lines;
        Journal::parse(text.as_bytes(), &header())
    }

    #[test]
    fn every_complete_line_counts() {
        let lines = count_line(2, 7) + &count_line(0, 9) + &count_line(2, 7);
        let text = header().to_line() + &lines;
        for end in 0..=text.len() {
            let journal = Journal::parse(&text.as_bytes()[..end], &header()).expect("good");
            let whole = text[..end].rfind('\n').map_or(0, |newline| newline + 1);
            let lines = text[..whole].lines().count();
            assert_eq!(journal.whole, whole);
            assert_eq!(journal.counts[2], (lines > 1).then_some(7), "{end} bytes");
            assert_eq!(journal.counts[0], (lines > 2).then_some(9), "{end} bytes");
        }
    }

    #[test]
    fn errors_report_what_and_where() {
        let rows = [
            (
                "{\"unit\":1,\"nodes\":5}\n{\"unit\":1,\n{\"unit\":2,\"nodes\":5}\n",
                r#"line 3: '{"unit":1,' is not the count of a unit, expected {"unit":0,"nodes":20}"#,
            ),
            (
                "{\"unit\":4,\"nodes\":5}\n",
                "line 2: unit 4 does not exist, expected one below 4",
            ),
            (
                "{\"unit\":1,\"nodes\":5}\n{\"unit\":1,\"nodes\":6}\n",
                "line 3: 6 nodes below unit 1, but an earlier line has 5",
            ),
        ];
        for (lines, message) in rows {
            let error = parse(lines).expect_err("a fault");
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn another_header_is_rejected_by_its_first_difference() {
        let change = |change: fn(&mut Header)| {
            let mut other = header();
            change(&mut other);
            let error = Journal::parse(other.to_line().as_bytes(), &header());
            error.expect_err("it differs").to_string()
        };
        let rows = [
            (
                change(|h| h.schema.push('0')),
                "schema is touchstone/perft-resume/10, expected touchstone/perft-resume/1",
            ),
            (
                change(|h| h.fen = "x".to_owned()),
                "fen is x, expected 8/8/8/8/8/8/8/8 w - - 0 1",
            ),
            (change(|h| h.depth = 6), "depth is 6, expected 5"),
            (change(|h| h.ply = 2), "ply is 2, expected 3"),
            (change(|h| h.units = 40), "units is 40, expected 4"),
        ];
        for (message, expected) in rows {
            assert_eq!(message, format!("line 1: {expected}"));
        }
    }

    #[test]
    fn another_file_is_rejected() {
        for (bytes, shown) in [
            (&b"my notes"[..], "my notes"),
            (b"my notes\nfor today\n", "my notes"),
            (b"\xff\x00\n", "\u{fffd}\\u{0}"),
        ] {
            let error = Journal::parse(bytes, &header()).expect_err("no journal");
            let expected = "' is not the header of a journal, expected touchstone/perft-resume/1";
            assert_eq!(error.to_string(), format!("line 1: '{shown}{expected}"));
        }
    }
}
