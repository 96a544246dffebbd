//! Parses one line: the position, then the operations; all problems are collected.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use chess::notation::fen::{self, FenFault, FenField, FenReason};
use chess::rules::Position;

use crate::count;
use crate::diagnostic::{Diagnostic, Problem};
use crate::operand::Operand;
use crate::operation::{Operation, is_standard_opcode};
use crate::record::Record;
use crate::scan::{RawOperation, Token, TokenKind, characters, is_opcode_like, scan, unescape};
use crate::severity::Severity;

/// A record that was read leniently, with everything that was tolerated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lenient {
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

impl fmt::Display for ParseRecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.diagnostics.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(
                f,
                "{separator}column {}: {}",
                diagnostic.column, diagnostic.problem
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseRecordError {}

/// Parses a record strictly: any diagnostic is an error.
impl FromStr for Record {
    type Err = ParseRecordError;

    fn from_str(text: &str) -> Result<Self, ParseRecordError> {
        let Lenient { record, tolerated } = Self::parse_lenient(text)?;
        if tolerated.is_empty() {
            Ok(record)
        } else {
            Err(ParseRecordError {
                text: text.to_owned(),
                diagnostics: tolerated,
            })
        }
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
    pub fn parse_lenient(text: &str) -> Result<Lenient, ParseRecordError> {
        read_line(text, 1)
    }
}

/// Parses a line; its number is for the diagnostics.
pub(crate) fn read_line(text: &str, line: usize) -> Result<Lenient, ParseRecordError> {
    let (record, mut problems) = read(text);
    problems.sort_by_key(|(offset, problem)| (*offset, Reverse(problem.severity())));
    // Sorted by offset, so that columns are counted in one pass.
    let (mut reached, mut column) = (0, 1);
    let mut diagnostics = Vec::with_capacity(problems.len());
    for (offset, problem) in problems {
        column += characters(&text.as_bytes()[reached..offset]);
        reached = offset;
        diagnostics.push(Diagnostic {
            line,
            column,
            problem,
        });
    }
    match record {
        Some(record) => Ok(Lenient {
            record,
            tolerated: diagnostics,
        }),
        None => Err(ParseRecordError {
            text: text.to_owned(),
            diagnostics,
        }),
    }
}

/// The column of a byte offset, from 1, in characters.
pub(crate) fn column(text: &str, offset: usize) -> usize {
    text.char_indices()
        .take_while(|(start, _)| *start < offset)
        .count()
        + 1
}

/// Parses a record; `None` exactly if one of the problems is an error.
fn read(text: &str) -> (Option<Record>, Vec<(usize, Problem)>) {
    let mut problems = control_characters(text);
    if !problems.is_empty() {
        return (None, problems);
    }
    let scan = scan(text);
    problems = scan.problems;
    let position = match read_or_tolerate(&scan.fields, &mut problems) {
        Ok(position) => Some(position),
        Err(faults) => {
            let is_malformed = faults
                .iter()
                .any(|(_, problem)| !problem.is_illegal_position());
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
    let is_sound = problems
        .iter()
        .all(|(_, problem)| problem.severity() < Severity::Error);
    let position = position.filter(|_| is_sound);
    let position = match scan.fields.len() {
        4 => position.map(|position| with_clocks(position, &operations)),
        _ => position,
    };
    (
        position.map(|position| Record::from_parts(text, position, operations)),
        problems,
    )
}

/// Parses the operations of a line in the standard form, whose four fields are known to be those of
/// `position`; they are not parsed again.
pub(crate) fn read_standard(text: &str, position: Position) -> Result<Record, Vec<Problem>> {
    let scan = scan(text);
    let mut problems = scan.problems;
    let operations = read_operations(&scan.operations, &mut problems);
    if problems.is_empty() {
        let position = with_clocks(position, &operations);
        Ok(Record::from_parts(text, position, operations))
    } else {
        Err(problems.into_iter().map(|(_, problem)| problem).collect())
    }
}

/// The position with the clocks from `hmvc` and `fmvn`, if they are valid.
fn with_clocks(position: Position, operations: &[Operation]) -> Position {
    let clock = |opcode: &str| -> Option<u32> {
        let mut with_opcode = operations.iter().filter(|one| one.opcode() == opcode);
        match with_opcode.next()?.operands() {
            [Operand::Word(word)] => count::digits(word),
            _ => None,
        }
    };
    let (halfmove, fullmove) = (clock("hmvc"), clock("fmvn").filter(|&number| number > 0));
    if halfmove.is_none() && fullmove.is_none() {
        return position;
    }
    let mut setup = position.to_setup();
    setup.halfmove_clock = halfmove.unwrap_or(setup.halfmove_clock);
    setup.fullmove_number = fullmove.unwrap_or(setup.fullmove_number);
    Position::from_setup(setup).expect("the clocks make no position illegal")
}

pub(crate) fn control_characters(text: &str) -> Vec<(usize, Problem)> {
    text.char_indices()
        .filter(|&(_, c)| c.is_control() && c != '\t')
        .map(|(offset, found)| (offset, Problem::ControlCharacter { found }))
        .collect()
}

/// The fields, joined by single blanks.
pub(crate) fn join(fields: &[Token<'_>]) -> String {
    let words: Vec<&str> = fields.iter().map(|field| field.text).collect();
    words.join(" ")
}

/// Maps a fault in the joined fields to a problem of the line.
pub(crate) fn locate(fields: &[Token<'_>], fault: FenFault) -> (usize, Problem) {
    let problem = Problem::Fen {
        field: fault.field,
        reason: fault.reason,
    };
    (offset_in_line(fields, fault.offset), problem)
}

pub(crate) fn read_position(fields: &[Token<'_>]) -> Result<Position, Vec<(usize, Problem)>> {
    fen::parse(&join(fields)).map_err(|error| {
        let is_count = |fault: &FenFault| matches!(fault.reason, FenReason::FieldCount { .. });
        let count_fault = error.faults.iter().find(|fault| is_count(fault)).cloned();
        // It is uncertain which field is which then; further faults would be noise.
        let faults = count_fault.map_or(error.faults, |fault| vec![fault]);
        let faults = faults.into_iter();
        faults.map(|fault| locate(fields, fault)).collect()
    })
}

/// Reads the position; tolerated faults are added to the problems.
fn read_or_tolerate(
    fields: &[Token<'_>],
    problems: &mut Vec<(usize, Problem)>,
) -> Result<Position, Vec<(usize, Problem)>> {
    read_position(fields).or_else(|faults| {
        let ToleratedFields { position, repairs } = tolerate(fields).ok_or(faults)?;
        problems.extend(repairs.into_iter().map(FieldRepair::into_problem));
        Ok(position)
    })
}

/// Fields that the lenient reader accepts.
pub(crate) struct ToleratedFields {
    pub(crate) position: Position,
    /// Tolerated faults, one per place.
    pub(crate) repairs: Vec<FieldRepair>,
}

/// A field that is read differently from how it is written.
pub(crate) struct FieldRepair {
    /// Byte offset of the fault in the line.
    pub(crate) offset: usize,
    pub(crate) problem: Problem,
    /// The field.
    pub(crate) before: String,
    /// How it is read.
    pub(crate) after: String,
}

impl FieldRepair {
    fn into_problem(self) -> (usize, Problem) {
        let problem = Problem::Repaired {
            problem: Box::new(self.problem),
            after: self.after,
        };
        (self.offset, problem)
    }
}

/// The position according to the lenient FEN reader, provided the strict one accepts it as
/// rewritten.
pub(crate) fn tolerate(fields: &[Token<'_>]) -> Option<ToleratedFields> {
    if !(4..=6).contains(&fields.len()) {
        return None;
    }
    let lenient = fen::parse_lenient(&join(fields)).ok()?;
    let written = fen::write(&lenient.position);
    let position = fen::parse(&written).ok()?;
    let written: Vec<&str> = written.split(' ').collect();
    let mut repairs: Vec<FieldRepair> = Vec::new();
    for fault in lenient.tolerated {
        let index = field_index(fault.field);
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

/// The index of a field; `None` for faults of the record as a whole.
fn field_index(field: FenField) -> Option<usize> {
    Some(match field {
        FenField::Record => return None,
        FenField::Placement => 0,
        FenField::SideToMove => 1,
        FenField::Castling => 2,
        FenField::EpSquare => 3,
        FenField::HalfmoveClock => 4,
        FenField::FullmoveNumber => 5,
    })
}

/// Maps a byte offset in the joined fields to one in the line.
fn offset_in_line(fields: &[Token<'_>], offset: usize) -> usize {
    let mut start = 0;
    for field in fields {
        let within = offset - start;
        if within <= field.text.len() {
            return field.offset + within;
        }
        start += field.text.len() + 1;
    }
    offset
}

fn read_operations(
    raw: &[RawOperation<'_>],
    problems: &mut Vec<(usize, Problem)>,
) -> Vec<Operation> {
    let mut depths = HashSet::new();
    let mut opcodes = HashSet::new();
    let mut operations = Vec::with_capacity(raw.len());
    let has_counts = raw.iter().any(|tokens| count::is_count(tokens[0].text));
    for tokens in raw {
        let [opcode, operand_tokens @ ..] = &tokens[..] else {
            continue;
        };
        if !is_opcode_like(opcode) {
            problems.push((opcode.offset, not_an_operation(tokens, has_counts)));
            continue;
        }
        let operands: Vec<Operand> = operand_tokens.iter().map(operand).collect();
        let problem = match count::read(opcode.text, &operands) {
            Some(Err(error)) => Some(Problem::Count(error)),
            Some(Ok((depth, _))) if !depths.insert(depth) => Some(Problem::RepeatedDepth { depth }),
            Some(Ok(_)) => None,
            None => opcode_problem(opcode, !opcodes.insert(opcode.text)),
        };
        let at = match (&problem, operand_tokens) {
            (Some(Problem::Count(error)), [operand]) if error.is_in_operand() => operand,
            _ => opcode,
        };
        problems.extend(problem.map(|problem| (at.offset, problem)));
        operations.push(Operation::new_unchecked(opcode.text, operands));
    }
    operations
}

fn operand(token: &Token<'_>) -> Operand {
    match token.kind {
        TokenKind::Text => Operand::Text(unescape(token.text)),
        _ => Operand::Word(token.text.to_owned()),
    }
}

/// Classifies text between semicolons that is ignored. A count that lost its depth is an error
/// instead: a count that is never compared is worse than none.
fn not_an_operation(tokens: &[Token<'_>], beside_counts: bool) -> Problem {
    let is_number = |token: &Token<'_>| {
        token.kind == TokenKind::Word && token.text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let found = operand(&tokens[0]).to_string();
    if beside_counts && tokens.iter().all(is_number) {
        Problem::NotAnOpcode { found }
    } else {
        Problem::NotAnOperation { found }
    }
}

fn opcode_problem(opcode: &Token<'_>, is_repeated: bool) -> Option<Problem> {
    let is_digit = |c: char| c.is_ascii_digit();
    let found = opcode.text.to_owned();
    if is_repeated {
        Some(Problem::RepeatedOpcode { found })
    } else if !is_standard_opcode(&found) {
        Some(Problem::OddOpcode { found })
    } else if found
        .strip_prefix('d')
        .is_some_and(|rest| rest.starts_with(is_digit))
    {
        Some(Problem::SmallD { found })
    } else {
        None
    }
}
