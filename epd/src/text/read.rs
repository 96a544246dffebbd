//! Parses one line: the position, then the operations; all problems are collected.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use chess::notation::fen::{self, FenFault, FenField, FenReason};
use chess::rules::Position;

use super::diagnostic::{Diagnostic, RecordProblem, Severity};
use super::operation::{Operand, Operation, digits, is_count, is_standard_opcode, read_count};
use super::record::Record;
use super::scan::{
    EpdToken, EpdTokenKind, ScannedOperation, characters, is_opcode_like, join, scan, unescape,
};

/// A record that was read leniently, with everything that was tolerated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LenientRecord {
    /// The record.
    pub record: Record,
    /// Notes and warnings, by column; in one column, the worst first.
    pub tolerated: Vec<Diagnostic>,
}

/// The line is not a record. Lists every problem; if strict, notes and warnings too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseRecordError {
    /// The line.
    pub text: String,
    /// The problems, at least one.
    pub diagnostics: Vec<Diagnostic>,
}

impl ParseRecordError {
    fn new(text: &str, diagnostics: Vec<Diagnostic>) -> Self {
        let text = text.to_owned();
        Self { text, diagnostics }
    }
}

impl fmt::Display for ParseRecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.diagnostics.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            let Diagnostic {
                column, problem, ..
            } = diagnostic;
            write!(f, "{separator}column {column}: {problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseRecordError {}

/// Parses a record strictly: any diagnostic is an error.
impl FromStr for Record {
    type Err = ParseRecordError;

    fn from_str(text: &str) -> Result<Self, ParseRecordError> {
        let LenientRecord { record, tolerated } = Self::parse_lenient(text)?;
        if tolerated.is_empty() {
            return Ok(record);
        }
        Err(ParseRecordError::new(text, tolerated))
    }
}

impl Record {
    /// Parses a record as found in the wild: one line, without its line end. It tolerates the
    /// following, and reports it with line number 1:
    ///
    /// - white space before and after the record, tabs or several blanks inside;
    /// - a last operation without semicolon, and empty operations;
    /// - no blank between a string and its neighbour;
    /// - opcodes that are too long or have odd characters, and opcodes given twice;
    /// - text between semicolons that is not an operation, such as a time: it is ignored;
    /// - what [`fen::parse_lenient`] tolerates in four fields or more, except impossible checks:
    ///   castling rights out of order or without a rook, an en passant square that contradicts the
    ///   board, fullmove number 0, a single clock field.
    ///
    /// # Errors
    ///
    /// When the line cannot be read; the error has every problem: a malformed or illegal position,
    /// an invalid or repeated perft count, a lone number beside perft counts, an unterminated
    /// string, a control character.
    pub fn parse_lenient(text: &str) -> Result<LenientRecord, ParseRecordError> {
        read_line(text, 1)
    }
}

/// Parses a line; its number is for the diagnostics.
pub(super) fn read_line(text: &str, line: usize) -> Result<LenientRecord, ParseRecordError> {
    let (record, mut problems) = read(text);
    problems.sort_by_key(|(offset, problem)| (*offset, Reverse(problem.severity())));
    // Sorted by offset, so that columns are counted in one pass.
    let (mut reached, mut column) = (0, 1);
    let mut diagnostics = Vec::with_capacity(problems.len());
    for (offset, problem) in problems {
        column += characters(&text.as_bytes()[reached..offset]);
        reached = offset;
        diagnostics.push(Diagnostic::new(line, column, problem));
    }
    match record {
        Some(record) => {
            let tolerated = diagnostics;
            Ok(LenientRecord { record, tolerated })
        }
        None => Err(ParseRecordError::new(text, diagnostics)),
    }
}

/// Parses a record; `None` exactly if one of the problems is an error.
fn read(text: &str) -> (Option<Record>, Vec<(usize, RecordProblem)>) {
    let mut problems = control_characters(text);
    // A control character shows that the line is no text; what else is wrong with it would be
    // noise.
    if !problems.is_empty() {
        return (None, problems);
    }
    let scan = scan(text);
    problems = scan.problems;
    // The strict reader comes first: most lines are in the standard form.
    let read = read_position(&scan.fields).or_else(|faults| {
        let ToleratedFields { position, repairs } = tolerate(&scan.fields).ok_or(faults)?;
        problems.extend(repairs.into_iter().map(|repair| {
            let (problem, after) = (Box::new(repair.problem), repair.after);
            (repair.offset, RecordProblem::Repaired { problem, after })
        }));
        Ok::<_, Vec<_>>(position)
    });
    let position = match read {
        Ok(position) => Some(position),
        Err(faults) => {
            let mut kinds = faults.iter().map(|(_, problem)| problem);
            let is_malformed = !kinds.all(RecordProblem::is_illegal_position);
            problems.extend(faults);
            if is_malformed {
                // The end of the fields is unknown then, so any note on the rest would be
                // unreliable.
                problems.retain(|(_, problem)| problem.severity() == Severity::Error);
                return (None, problems);
            }
            None
        }
    };
    let operations = read_operations(&scan.operations, &mut problems);
    let mut severities = problems.iter().map(|(_, problem)| problem.severity());
    let is_sound = severities.all(|severity| severity < Severity::Error);
    let record = position.filter(|_| is_sound).map(|position| {
        let position = match scan.fields.len() {
            // The fields of a FEN come before `hmvc` and `fmvn` if a line has both.
            4 => with_clocks(position, &operations),
            _ => position,
        };
        Record::from_parts(text.to_owned(), position, operations)
    });
    (record, problems)
}

/// Parses the operations of a line in the standard form, whose four fields are known to be those of
/// `position`; they are not parsed again.
pub(super) fn read_standard(text: &str, position: Position) -> Result<Record, Vec<RecordProblem>> {
    let scan = scan(text);
    let mut problems = scan.problems;
    let operations = read_operations(&scan.operations, &mut problems);
    if problems.is_empty() {
        let position = with_clocks(position, &operations);
        Ok(Record::from_parts(text.to_owned(), position, operations))
    } else {
        Err(problems.into_iter().map(|(_, problem)| problem).collect())
    }
}

/// The position with the clocks from `hmvc` and `fmvn`, if they are valid.
fn with_clocks(position: Position, operations: &[Operation]) -> Position {
    let clock = |opcode: &str| -> Option<u32> {
        let first = operations.iter().find(|one| one.opcode() == opcode);
        match first?.operands() {
            [Operand::Word(word)] => digits(word),
            _ => None,
        }
    };
    // Move numbers begin at 1 (PGN standard, 16.1.3.6).
    let (halfmove, fullmove) = (clock("hmvc"), clock("fmvn").filter(|&number| number > 0));
    if halfmove.is_none() && fullmove.is_none() {
        return position;
    }
    let mut setup = position.to_setup();
    setup.halfmove_clock = halfmove.unwrap_or(setup.halfmove_clock);
    setup.fullmove_number = fullmove.unwrap_or(setup.fullmove_number);
    Position::from_setup(setup).expect("the clocks make no position illegal")
}

pub(super) fn control_characters(text: &str) -> Vec<(usize, RecordProblem)> {
    let controls = text.char_indices();
    let controls = controls.filter(|&(_, c)| c.is_control() && c != '\t');
    let problem = |(offset, found)| (offset, RecordProblem::ControlCharacter { found });
    controls.map(problem).collect()
}

/// Maps a fault in the joined fields to a problem of the line.
fn locate(fields: &[EpdToken<'_>], fault: FenFault) -> (usize, RecordProblem) {
    let FenFault {
        field,
        reason,
        offset,
        ..
    } = fault;
    let mut start = 0;
    for token in fields {
        let within = offset - start;
        // A fault may be at the end of a field, where something is missing.
        if within <= token.text.len() {
            return (token.offset + within, RecordProblem::Fen { field, reason });
        }
        start += token.text.len() + 1;
    }
    (offset, RecordProblem::Fen { field, reason })
}

pub(super) fn read_position(
    fields: &[EpdToken<'_>],
) -> Result<Position, Vec<(usize, RecordProblem)>> {
    fen::parse(&join(fields)).map_err(|error| {
        let is_count = |fault: &FenFault| matches!(fault.reason, FenReason::FieldCount { .. });
        let count_fault = error.faults.iter().find(|fault| is_count(fault)).cloned();
        // It is uncertain which field is which then; further faults would be noise.
        let faults = count_fault.map_or(error.faults, |fault| vec![fault]);
        let faults = faults.into_iter();
        faults.map(|fault| locate(fields, fault)).collect()
    })
}

pub(super) struct ToleratedFields {
    pub(super) position: Position,
    /// Tolerated faults, one per place.
    pub(super) repairs: Vec<FieldRepair>,
}

/// A field that is read differently from how it is written.
pub(super) struct FieldRepair {
    /// Byte offset of the fault in the line.
    pub(super) offset: usize,
    pub(super) problem: RecordProblem,
    pub(super) before: String,
    pub(super) after: String,
}

/// The position according to the lenient FEN reader, provided the strict one accepts it as
/// rewritten.
pub(super) fn tolerate(fields: &[EpdToken<'_>]) -> Option<ToleratedFields> {
    // With fewer fields it is unknown which is missing; `repair` knows more and tries it.
    if !(4..=6).contains(&fields.len()) {
        return None;
    }
    let lenient = fen::parse_lenient(&join(fields)).ok()?;
    let written = fen::write(&lenient.position);
    // The lenient reader lets impossible checks pass, which are no matter of form.
    let position = fen::parse(&written).ok()?;
    let written: Vec<&str> = written.split(' ').collect();
    let mut repairs: Vec<FieldRepair> = Vec::new();
    for fault in lenient.tolerated {
        let index = match fault.field {
            FenField::Record => None,
            FenField::Placement => Some(0),
            FenField::SideToMove => Some(1),
            FenField::Castling => Some(2),
            FenField::EpSquare => Some(3),
            FenField::HalfmoveClock => Some(4),
            FenField::FullmoveNumber => Some(5),
        };
        let (offset, problem) = locate(fields, fault);
        // A duplicate castling right is also out of order, but that is not a second fault.
        if repairs.iter().any(|earlier| earlier.offset == offset) {
            continue;
        }
        let (before, after) = match index {
            Some(index) => (fields[index].text.to_owned(), written[index].to_owned()),
            // A single clock field.
            None => (join(&fields[4..]), written[4..].join(" ")),
        };
        repairs.push(FieldRepair {
            offset,
            problem,
            before,
            after,
        });
    }
    Some(ToleratedFields { position, repairs })
}

fn read_operations(
    raw: &[ScannedOperation<'_>],
    problems: &mut Vec<(usize, RecordProblem)>,
) -> Vec<Operation> {
    let mut depths = HashSet::new();
    let mut opcodes = HashSet::new();
    let mut operations = Vec::with_capacity(raw.len());
    let has_counts = raw.iter().any(|tokens| is_count(tokens[0].text));
    for tokens in raw {
        let [opcode, operand_tokens @ ..] = &tokens[..] else {
            continue;
        };
        if !is_opcode_like(opcode) {
            let is_number = |token: &EpdToken<'_>| {
                token.kind == EpdTokenKind::Word
                    && token.text.bytes().all(|byte| byte.is_ascii_digit())
            };
            let found = operand(opcode).to_string();
            // A count that lost its depth: one that is never compared is worse than none.
            let problem = if has_counts && tokens.iter().all(is_number) {
                RecordProblem::NotAnOpcode { found }
            } else {
                RecordProblem::NotAnOperation { found }
            };
            problems.push((opcode.offset, problem));
            continue;
        }
        let operands: Vec<Operand> = operand_tokens.iter().map(operand).collect();
        let problem = match read_count(opcode.text, &operands) {
            None if let Some(found) = count_among(operand_tokens) => {
                Some(RecordProblem::CountAmongOperands {
                    found,
                    opcode: opcode.text.to_owned(),
                })
            }
            Some(Err(error)) => Some(RecordProblem::Count(error)),
            // `D1` and `D01` count the same depth under two opcodes.
            Some(Ok((depth, _))) if !depths.insert(depth) => {
                Some(RecordProblem::RepeatedDepth { depth })
            }
            Some(Ok(_)) => None,
            None => opcode_problem(opcode, !opcodes.insert(opcode.text)),
        };
        let at = match (&problem, operand_tokens) {
            // The column is that of the number if the number is wrong.
            (Some(RecordProblem::Count(error)), [operand]) if error.is_in_operand() => operand,
            _ => opcode,
        };
        problems.extend(problem.map(|problem| (at.offset, problem)));
        operations.push(Operation::new_unchecked(opcode.text, operands));
    }
    operations
}

/// A perft count among words: a depth such as `D1` and a number.
fn count_among(operands: &[EpdToken<'_>]) -> Option<String> {
    let words = operands
        .iter()
        .filter(|token| token.kind == EpdTokenKind::Word)
        .map(|token| token.text)
        .collect::<Vec<_>>();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_count =
        |pair: &&[&str]| pair[0].strip_prefix('D').is_some_and(is_number) && is_number(pair[1]);
    words.windows(2).find(is_count).map(|pair| pair.join(" "))
}

fn operand(token: &EpdToken<'_>) -> Operand {
    match token.kind {
        EpdTokenKind::Text => Operand::Text(unescape(token.text)),
        _ => Operand::Word(token.text.to_owned()),
    }
}

fn opcode_problem(opcode: &EpdToken<'_>, is_repeated: bool) -> Option<RecordProblem> {
    let found = opcode.text.to_owned();
    if is_repeated {
        Some(RecordProblem::RepeatedOpcode { found })
    } else if !is_standard_opcode(&found) {
        Some(RecordProblem::OddOpcode { found })
    } else if is_small_d(&found) {
        Some(RecordProblem::SmallD { found })
    } else {
        None
    }
}

/// Whether an opcode may be a perft count with a lower-case `d`.
pub(super) fn is_small_d(opcode: &str) -> bool {
    let depth = opcode.strip_prefix('d');
    depth.is_some_and(|depth| depth.starts_with(|c: char| c.is_ascii_digit()))
}
