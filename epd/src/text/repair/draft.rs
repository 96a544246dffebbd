//! Operations during repair, and the findings on their line.

use std::cmp::Reverse;

use crate::text::diagnostic::{Diagnostic, Finding, Fix, RecordProblem};
use crate::text::operation::{Operand, Operation};
use crate::text::scan::{EpdToken, EpdTokenKind, characters, unescape};

/// Placeholder opcode of free text until it gets a comment opcode.
pub(super) const COMMENT: &str = "";

#[derive(Clone, Debug)]
pub(super) struct DraftPiece {
    pub(super) offset: usize,
    pub(super) operand: Operand,
}

impl DraftPiece {
    pub(super) fn word(offset: usize, text: impl Into<String>) -> Self {
        let operand = Operand::Word(text.into());
        Self { offset, operand }
    }

    pub(super) fn text(offset: usize, text: impl Into<String>) -> Self {
        let operand = Operand::Text(text.into());
        Self { offset, operand }
    }

    pub(super) fn from_token(token: &EpdToken<'_>) -> Self {
        match token.kind {
            EpdTokenKind::Text => Self::text(token.offset, unescape(token.text)),
            _ => Self::word(token.offset, token.text),
        }
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self.operand, Operand::Text(_))
    }
}

#[derive(Clone, Debug)]
pub(super) struct RecordDraft {
    pub(super) offset: usize,
    pub(super) opcode: String,
    pub(super) operands: Vec<DraftPiece>,
    /// Byte offset of the end of the last operand in the line.
    pub(super) end: usize,
    /// Whether the operands are known to fit the opcode.
    pub(super) is_sound: bool,
}

impl RecordDraft {
    pub(super) fn new(offset: usize, opcode: impl Into<String>, operands: Vec<DraftPiece>) -> Self {
        Self {
            offset,
            opcode: opcode.into(),
            operands,
            end: offset,
            is_sound: false,
        }
    }

    /// Free text that ends at `end`.
    pub(super) fn comment(offset: usize, end: usize, text: impl Into<String>) -> Self {
        let pieces = vec![DraftPiece::text(offset, text)];
        Self {
            end,
            ..Self::new(offset, COMMENT, pieces)
        }
    }

    pub(super) fn operation(&self) -> Operation {
        let operands = self.operands.iter().map(|piece| piece.operand.clone());
        Operation::new_unchecked(&self.opcode, operands.collect())
    }

    /// The operands as in a record.
    pub(super) fn operands_text(&self) -> String {
        let operands = self.operands.iter().map(|piece| piece.operand.to_string());
        operands.collect::<Vec<_>>().join(" ")
    }

    /// The operands without quotes.
    pub(super) fn texts(&self) -> Vec<&str> {
        let pieces = self.operands.iter();
        pieces.map(|piece| piece.operand.as_str()).collect()
    }
}

/// Problems with their byte offsets, repaired or not.
#[derive(Default)]
pub(super) struct Notes {
    noted: Vec<(usize, RecordProblem, Option<Fix>)>,
    /// Whether a doubt prevents the line from being rewritten: it is kept as it is.
    pub(super) in_doubt: bool,
}

impl Notes {
    pub(super) fn fix(&mut self, offset: usize, problem: RecordProblem, before: &str, after: &str) {
        let (before, after) = (before.to_owned(), after.to_owned());
        self.noted
            .push((offset, problem, Some(Fix { before, after })));
    }

    /// Notes an unrepaired problem; the rest of the line is readable.
    pub(super) fn leave(&mut self, offset: usize, problem: RecordProblem) {
        self.noted.push((offset, problem, None));
    }

    /// Notes a problem that makes the line be kept as it is.
    pub(super) fn fault(&mut self, offset: usize, problem: RecordProblem) {
        self.in_doubt = true;
        self.leave(offset, problem);
    }

    pub(super) fn faults(&mut self, faults: impl IntoIterator<Item = (usize, RecordProblem)>) {
        for (offset, problem) in faults {
            self.fault(offset, problem);
        }
    }

    /// Whether there is a note at this offset.
    pub(super) fn has_at(&self, offset: usize) -> bool {
        self.noted.iter().any(|&(noted, ..)| noted == offset)
    }

    pub(super) fn has_faults(&self) -> bool {
        self.noted.iter().any(|(_, _, fix)| fix.is_none())
    }

    /// Appends the notes of a successful attempt.
    pub(super) fn append(&mut self, other: Self) {
        self.noted.extend(other.noted);
        self.in_doubt |= other.in_doubt;
    }

    /// All findings, by column; in one column, the worst first. For a line that is kept as it is,
    /// only the doubts are certain.
    pub(super) fn into_findings(mut self, text: &str, line: usize) -> Vec<Finding> {
        if self.in_doubt {
            self.noted.retain(|(_, _, fix)| fix.is_none());
        }
        self.noted
            .sort_by_key(|(offset, problem, _)| (*offset, Reverse(problem.severity())));
        // Columns are counted incrementally: from the beginning each time, a line of 1 MB takes
        // hours.
        let (mut reached, mut column) = (0, 1);
        let mut finding = |(offset, problem, fix): (usize, RecordProblem, Option<Fix>)| {
            let within = offset.min(text.len());
            column += characters(&text.as_bytes()[reached..within]);
            reached = within;
            // Text after the end was stripped byte by byte.
            let diagnostic = Diagnostic::new(line, column + offset - within, problem);
            Finding { diagnostic, fix }
        };
        self.noted.into_iter().map(&mut finding).collect()
    }
}
