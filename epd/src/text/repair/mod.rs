//! Reads a line as found in the wild and writes it in the standard form.
//!
//! Unambiguous text is repaired, and each repair is reported; ambiguous or meaningless text is left
//! as it is and reported too. No information is dropped.
//!
//! The standard form: four fields of a position, then operations in the ASCII order of their
//! opcodes, each once and ended by a semicolon, one blank between words, moves in SAN, texts in
//! quotes. [`crate::Record`] reads it without a diagnostic.

mod draft;
mod fields;
mod layout;
mod merge;
mod moves;
mod operands;
mod split;
mod words;

use crate::text::diagnostic::{Finding, RecordProblem};
use crate::text::fast;
use crate::text::read::{control_characters, read_standard};
use crate::text::record::Record;
use draft::Notes;

/// The result of repairing a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// The record in the standard form; `None` if nothing in the line is certain.
    pub record: Option<Record>,
    /// Everything that was repaired or is in doubt, by column.
    pub findings: Vec<Finding>,
}

impl Repaired {
    /// Whether nothing is in doubt.
    pub fn is_certain(&self) -> bool {
        self.record.is_some() && !self.findings.iter().any(Finding::is_left)
    }
}

pub(super) enum RepairLine {
    /// Empty, or white space only.
    Blank,
    Comment(String),
    /// `None` if it cannot be repaired.
    Record(Option<Record>),
}

/// Reads a record as found in the wild and returns it in the standard form. `line` has no line
/// feed; the findings refer to line 1.
///
/// Repaired is all that [`Record::parse_lenient`] tolerates and, in addition:
///
/// - carriage return, NUL or Ctrl-Z at the end, a byte order mark, Windows-1252 for UTF-8;
/// - six fields of a FEN: the clocks become `hmvc` and `fmvn`, or are dropped if they are `0 1`;
/// - what [`chess::notation::fen::parse_lenient`] tolerates, except impossible checks; a missing
///   castling or en passant field if the position allows only `-`;
/// - semicolons before operations instead of after them; a missing one between operations;
/// - `bm: Nf3`, `bm=Nf3`, `BM Nf3`; `d1` if its count is that of `D1`;
/// - moves that [`chess::notation::san::parse_lenient`] reads, in quotes, with commas, `or`, or
///   move numbers between them, or a separate check mark;
/// - `bm #3`, `dm #3` and `ce +M3`; numbers with `+`, in quotes, with commas by thousands;
/// - texts without quotes; a last text without closing quote; free text, which becomes a comment;
/// - duplicate opcodes that agree or list moves or tags; opcodes out of order.
///
/// # Examples
///
/// ```
/// let line = b"4k3/8/8/8/8/8/8/4K2R w K - 0 1 bm 0-0 dm 26; id first light\0\r";
/// let repaired = epd::repair(line);
/// assert_eq!(
///     repaired.record.unwrap().to_string(),
///     "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; dm 26; id \"first light\";"
/// );
/// assert_eq!(
///     repaired.findings[1].display("x").to_string(),
///     "x:1:35: warning: bm: '0-0' should be written O-O (fix: O-O)"
/// );
/// ```
pub fn repair(line: &[u8]) -> Repaired {
    let mut notes = Notes::default();
    let text = layout::decode(line, &mut notes);
    let record = text.as_deref().and_then(|text| read(text, &mut notes));
    Repaired {
        record,
        findings: notes.into_findings(&text.unwrap_or_default(), 1),
    }
}

impl RepairLine {
    /// The record, if there is one.
    #[cfg(test)]
    pub(super) fn into_record(self) -> Option<Record> {
        match self {
            Self::Record(record) => record,
            Self::Blank | Self::Comment(_) => None,
        }
    }
}

pub(super) fn read_line(line: &[u8], number: usize) -> (RepairLine, Vec<Finding>) {
    match fast::read(line) {
        Some(record) => (RepairLine::Record(Some(record)), Vec::new()),
        None => read_slowly(line, number),
    }
}

/// Reads a line in whatever form it is.
pub(super) fn read_slowly(line: &[u8], number: usize) -> (RepairLine, Vec<Finding>) {
    let mut notes = Notes::default();
    let Some(text) = layout::decode(line, &mut notes) else {
        return (RepairLine::Record(None), notes.into_findings("", number));
    };
    let kind = match comment(&text, &mut notes) {
        Some(kind) => kind,
        None => RepairLine::Record(read(&text, &mut notes)),
    };
    (kind, notes.into_findings(&text, number))
}

/// Recognises comments, in any dialect.
fn comment(text: &str, notes: &mut Notes) -> Option<RepairLine> {
    let content = text.trim_matches([' ', '\t']);
    if content.is_empty() {
        return Some(RepairLine::Blank);
    }
    if content.starts_with('#') {
        return Some(RepairLine::Comment(text.to_owned()));
    }
    // `%` is the escape of PGN (standard, section 6); the other two are those of programs.
    let mut marks = ["//", "%", ";"].into_iter();
    let mark = marks.find(|mark| content.starts_with(mark))?;
    let found = mark.to_owned();
    let rest = content.trim_start_matches([';', '%', '/']).trim_start();
    let offset = text.len() - text.trim_start_matches([' ', '\t']).len();
    if mark == ";" && Record::parse_lenient(rest).is_ok() {
        // A disabled record, or one with a stray semicolon.
        notes.fault(offset, RecordProblem::UnknownText { found });
        return Some(RepairLine::Record(None));
    }
    notes.fix(offset, RecordProblem::CommentMark { found }, mark, "#");
    let rest = content.strip_prefix(mark).unwrap_or(content);
    // A repaired line must not end in anything that is stripped from line ends.
    let rest = rest.trim_end_matches([' ', '\t', '\r', '\0', '\u{1a}']);
    Some(RepairLine::Comment(format!("#{rest}")))
}

fn read(text: &str, notes: &mut Notes) -> Option<Record> {
    let record = read_once(text, notes)?;
    // Nothing was repaired, so there is nothing to check.
    if record.text() == text {
        return Some(record);
    }
    // If the result of two repairs needs a third, the meaning is not certain.
    let again = read_once(record.text(), &mut Notes::default());
    if again.is_some_and(|again| again == record) {
        return Some(record);
    }
    let found = record.text().to_owned();
    notes.fault(0, RecordProblem::UnknownText { found });
    None
}

fn read_once(text: &str, notes: &mut Notes) -> Option<Record> {
    let controls = control_characters(text);
    if !controls.is_empty() {
        notes.faults(controls);
        return None;
    }
    let line = layout::close_string(text, notes);
    let placed = fields::read(&line, notes)?;
    layout::note_spacing(&line, &placed.scan, notes);
    let mut drafts = split::drafts(&line, &placed, notes);
    merge::small_d(&placed.position, &mut drafts, notes);
    operands::repair(&line, &placed.position, &mut drafts, notes);
    merge::merge(&placed, &mut drafts, notes);
    if notes.in_doubt {
        return None;
    }
    // The standard form is read back as a check.
    let operations = drafts.iter().map(|draft| format!(" {}", draft.operation()));
    let text = placed.fields.clone() + &operations.collect::<String>();
    let read = read_standard(&text, placed.position);
    if let Err(problems) = &read
        && !notes.has_faults()
    {
        notes.faults(problems.iter().map(|problem| (0, problem.clone())));
    }
    read.ok()
}
