//! Splits tokens into operations: variant opcodes, operations run together, free text.

use chess::notation::san;
use chess::rules::{Position, Square};

use super::draft::{DraftPiece, Notes, RecordDraft};
use super::fields::Placed;
use super::words;
use crate::text::diagnostic::RecordProblem;
use crate::text::operation::is_standard_opcode;
use crate::text::scan::{EpdToken, EpdTokenKind, unescape};
use crate::text::value::{Demand, demand, is_known};

pub(super) fn drafts(line: &str, placed: &Placed<'_>, notes: &mut Notes) -> Vec<RecordDraft> {
    let mut drafts = Vec::with_capacity(placed.scan.operations.len() + 2);
    // Without operations, this is an index that no loop reaches.
    let last = placed.scan.operations.len().wrapping_sub(1);
    let is_open = !line.trim_end_matches([' ', '\t']).ends_with(';');
    for (index, raw) in placed.scan.operations.iter().enumerate() {
        let splitter = Splitter {
            line,
            position: &placed.position,
            is_open: is_open && index == last,
        };
        let mut rest = &raw[..];
        while let Some(others) = splitter.split_first(rest, &mut drafts, notes) {
            rest = others;
        }
    }
    drafts
}

struct Splitter<'a> {
    line: &'a str,
    position: &'a Position,
    /// Whether the operation is the last and lacks its semicolon.
    is_open: bool,
}

impl<'a> Splitter<'a> {
    /// Takes off the first operation; returns what follows it without a `;` between.
    fn split_first<'b>(
        &self,
        raw: &'b [EpdToken<'a>],
        drafts: &mut Vec<RecordDraft>,
        notes: &mut Notes,
    ) -> Option<&'b [EpdToken<'a>]> {
        let [first, operands @ ..] = raw else {
            return None;
        };
        let is_move = |token: &EpdToken<'_>| {
            token.kind == EpdTokenKind::Word
                && san::parse_lenient(token.text, self.position).is_ok()
        };
        // Some opcodes, such as c3, could be moves as well.
        if !is_known(first.text) && raw.iter().all(is_move) {
            self.stray_moves(raw, drafts, notes);
            return None;
        }
        let (opcode, glued) = opcode(first, operands);
        if !self.is_operation(&opcode, first, operands, glued.is_some()) {
            drafts.extend(self.free_text(raw, notes));
            return None;
        }
        if opcode != first.text {
            let (found, expected) = (first.text.to_owned(), opcode.clone());
            let operand = glued.as_ref().map(|piece| format!(" {}", piece.operand));
            let after = opcode.clone() + &operand.unwrap_or_default();
            let problem = RecordProblem::OpcodeForm { found, expected };
            notes.fix(first.offset, problem, first.text, &after);
        }
        let rest = own_operands(&opcode, glued.is_some(), operands);
        let (own, others) = operands.split_at(rest);
        let mut draft = RecordDraft::new(first.offset, opcode, glued.into_iter().collect());
        draft
            .operands
            .extend(own.iter().map(DraftPiece::from_token));
        draft.end = end_of(own.last().unwrap_or(first));
        drafts.push(draft);
        let [next, ..] = others else {
            return None;
        };
        let opcode = next.text.to_owned();
        let after = format!("; {opcode}");
        let problem = RecordProblem::JoinedOperations { opcode };
        notes.fix(next.offset, problem, next.text, &after);
        Some(others)
    }

    /// Appends stray moves to the previous operation if that has moves. After `bm #2` they are a
    /// remark: the goal is the mate, and other moves may give it too.
    fn stray_moves(&self, raw: &[EpdToken<'_>], drafts: &mut Vec<RecordDraft>, notes: &mut Notes) {
        let (offset, end) = (raw[0].offset, end_of(&raw[raw.len() - 1]));
        let found = self.line[offset..end].to_owned();
        let is_mate = |piece: &DraftPiece| words::mate(piece.operand.as_str()).is_some();
        if let Some(before) = drafts.last()
            && before.opcode == "bm"
            && before.operands.iter().any(is_mate)
        {
            drafts.push(RecordDraft::comment(offset, end, found));
            return;
        }
        let before = drafts.last_mut();
        let Some(draft) = before.filter(|draft| matches!(draft.opcode.as_str(), "bm" | "am"))
        else {
            notes.fault(offset, RecordProblem::UnknownText { found });
            return;
        };
        let opcode = draft.opcode.clone();
        let (text, after) = (found.clone(), format!("{opcode} … {found}"));
        let problem = RecordProblem::StrayMoves { found, opcode };
        notes.fix(offset, problem, &text, &after);
        draft
            .operands
            .extend(raw.iter().map(DraftPiece::from_token));
        draft.end = end;
    }

    /// Whether the tokens are an operation, rather than a sentence or something unclear.
    fn is_operation(
        &self,
        opcode: &str,
        first: &EpdToken<'_>,
        operands: &[EpdToken<'_>],
        is_glued: bool,
    ) -> bool {
        if first.kind == EpdTokenKind::Text || !is_standard_opcode(opcode) {
            return false;
        }
        // A capital begins a sentence; only perft counts begin with one among the known opcodes.
        let is_capital = opcode.starts_with(|c: char| c.is_ascii_uppercase());
        !self.is_open
            || is_glued
            || is_known(opcode)
            || (!is_capital && words::are_operands(operands, self.position))
    }

    /// Converts free text to a comment if it is certainly one; else to the operation that it may
    /// be, if that can be written.
    fn free_text(&self, raw: &[EpdToken<'_>], notes: &mut Notes) -> Option<RecordDraft> {
        let (first, last) = (raw.first()?, raw.last()?);
        let found = &self.line[first.offset..end_of(last)];
        let are_words = raw.iter().all(|token| token.kind == EpdTokenKind::Word);
        let is_operation = are_words && is_standard_opcode(first.text);
        let is_riddle = is_operation
            && !first.text.starts_with(|c: char| c.is_ascii_uppercase())
            // An unknown opcode with an operand or two looks the same as a short remark.
            && raw.len() < 4;
        let is_prose = words::is_sentence(raw) || words::is_remark(raw, self.position);
        let comment = match raw {
            [only] if only.kind == EpdTokenKind::Text => Some(unescape(only.text)),
            _ => (are_words && !is_riddle && is_prose).then(|| found.to_owned()),
        };
        if let Some(comment) = comment {
            return Some(RecordDraft::comment(first.offset, end_of(last), comment));
        }
        let found = found.to_owned();
        if !is_operation {
            notes.fault(first.offset, RecordProblem::UnknownText { found });
            return None;
        }
        // As an operation, the words stay as they are whichever of the two was meant.
        notes.leave(first.offset, RecordProblem::PerhapsComment { found });
        let operands = raw[1..].iter().map(DraftPiece::from_token).collect();
        let mut draft = RecordDraft::new(first.offset, first.text, operands);
        draft.end = end_of(last);
        Some(draft)
    }
}

/// Number of tokens that are operands of the opcode, up to the next opcode.
fn own_operands(opcode: &str, is_glued: bool, operands: &[EpdToken<'_>]) -> usize {
    let first = operands.first();
    let is_string = first.is_some_and(|one| one.kind == EpdTokenKind::Text);
    let least = match demand(opcode) {
        Demand::Moves | Demand::OneMove | Demand::Line | Demand::Nothing => 0,
        Demand::Integer | Demand::Unsigned => 1,
        Demand::Text if is_string => 1,
        Demand::Unknown if is_known(opcode) => 1,
        // Strings without quotes may hold any word, an opcode as well.
        _ => return operands.len(),
    };
    let least = if is_glued { 0 } else { least };
    let begins = |index: usize| {
        let token = &operands[index];
        let next = operands.get(index + 1);
        // `c3` may be a pawn move; before a string it is a comment opcode.
        let is_pawn_move = token.text.parse::<Square>().is_ok()
            && next.is_none_or(|next| next.kind == EpdTokenKind::Word);
        token.kind == EpdTokenKind::Word && is_known(token.text) && !is_pawn_move
    };
    let mut others = least..operands.len();
    let next = others.find(|&index| begins(index));
    next.unwrap_or(operands.len())
}

/// Byte offset of the end of a token in the line.
fn end_of(token: &EpdToken<'_>) -> usize {
    let quotes = if token.kind == EpdTokenKind::Text {
        2
    } else {
        0
    };
    token.offset + token.text.len() + quotes
}

/// The opcode that a word means, and an operand attached to it: `bm:`, `bm=Nf3`, `BM`.
fn opcode(first: &EpdToken<'_>, operands: &[EpdToken<'_>]) -> (String, Option<DraftPiece>) {
    let word = first.text;
    let as_it_is = (word.to_owned(), None);
    if first.kind == EpdTokenKind::Text {
        return as_it_is;
    }
    if let Some(opcode) = known(word) {
        return (opcode, None);
    }
    let Some((name, operand)) = word.split_once([':', '=']) else {
        return as_it_is;
    };
    if operand.is_empty() && operands.is_empty() {
        return as_it_is;
    }
    // `e8=Q` is a move, and `note:` before other words is not an opcode.
    let is_alone = operands.is_empty() && name.parse::<Square>().is_err();
    let Some(opcode) = known(name).or_else(|| is_alone.then(|| name.to_owned())) else {
        return as_it_is;
    };
    let offset = first.offset + name.len() + 1;
    let piece = DraftPiece::word(offset, operand);
    (opcode, (!operand.is_empty()).then_some(piece))
}

/// A known opcode in its standard spelling.
fn known(word: &str) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    // The word itself comes first: `D1` is known in capitals only.
    let known = [word, &lower].into_iter().find(|word| is_known(word));
    known.map(str::to_owned)
}

/// Whether a text holds `bm` or `am` and a legal move: it may be two operations, or a remark.
pub(super) fn holds_moves(text: &str, position: &Position) -> bool {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let is_move = |word: &str| san::parse_lenient(word, position).is_ok();
    let mut pairs = words.windows(2);
    pairs.any(|pair| matches!(pair[0], "bm" | "am") && is_move(pair[1]))
}
