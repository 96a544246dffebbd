//! Repairs the operands of operations according to their opcodes.

use chess::rules::Position;

use super::draft::{DraftPiece, Notes, RecordDraft};
use super::words::{canonical, is_digits, mate};
use super::{moves, split};
use crate::text::diagnostic::RecordProblem;
use crate::text::operation::is_count;
use crate::text::value::{Demand, OperandReason, demand, mate_evaluation};

/// Repairs the operands; mates and sentences among moves become operations of their own.
pub(super) fn repair(
    line: &str,
    position: &Position,
    drafts: &mut Vec<RecordDraft>,
    notes: &mut Notes,
) {
    let mut more = Vec::new();
    for draft in drafts.iter_mut() {
        match demand(&draft.opcode) {
            demand @ (Demand::Moves | Demand::OneMove | Demand::Line) => {
                let besides = moves::repair(draft, demand, position, notes);
                let has_mates = !besides.mates.is_empty();
                more.extend(besides.mates);
                more.extend(besides.comment);
                if has_mates && draft.operands.is_empty() {
                    // The operation held only the mate.
                    draft.opcode.clear();
                }
            }
            Demand::Integer | Demand::Unsigned => number(draft, position, notes),
            Demand::Text => text(line, position, draft, notes),
            Demand::Unknown if is_count(&draft.opcode) => number(draft, position, notes),
            _ => {}
        }
    }
    drafts.retain(|draft| !(draft.opcode.is_empty() && draft.operands.is_empty()));
    drafts.extend(more);
}

/// A number: canonical and without quotes; a mate becomes the opcode's encoding of it.
fn number(draft: &mut RecordDraft, position: &Position, notes: &mut Notes) {
    let [piece] = &draft.operands[..] else {
        return;
    };
    let found = piece.operand.as_str();
    let expected = match (draft.opcode.as_str(), mate(found)) {
        ("ce", Some(mate)) => Some(mate_evaluation(mate).to_string()),
        // dm has no form for the side that is mated (PGN standard, 16.2).
        ("dm", Some(mate)) if mate > 0 => Some(mate.to_string()),
        _ => canonical(found),
    };
    let Some(expected) = expected else {
        return;
    };
    if !piece.is_text() && found == expected {
        return;
    }
    let (offset, before) = (piece.offset, piece.operand.to_string());
    let mut repaired = draft.clone();
    repaired.operands = vec![DraftPiece::word(offset, expected.clone())];
    // A repair that does not fit the opcode either, such as a sign in `acd`, is no repair.
    if repaired.operation().value(position).is_err() {
        return;
    }
    let found = before.clone();
    let problem = match draft.operation().value(position) {
        Err(error) => RecordProblem::Operand(error),
        Ok(_) => RecordProblem::NumberForm {
            found,
            expected: expected.clone(),
        },
    };
    notes.fix(offset, problem, &before, &expected);
    *draft = repaired;
}

/// A string: all of it in one pair of quotes.
fn text(line: &str, position: &Position, draft: &mut RecordDraft, notes: &mut Notes) {
    let Some(first) = draft.operands.first().map(|piece| piece.offset) else {
        return;
    };
    if draft.operands.iter().any(DraftPiece::is_text) {
        return;
    }
    let found = line[first..draft.end].trim();
    if split::holds_moves(found, position) || holds_operations(found) {
        let found = found.to_owned();
        notes.fault(first, RecordProblem::UnknownText { found });
        // The fault is noted already; `check` would add a second one at the same place.
        draft.is_sound = true;
        return;
    }
    let problem = match draft.operands.len() {
        1 => RecordProblem::BareWord,
        _ => RecordProblem::BareString,
    };
    // A tab is a control character, which a string cannot hold.
    let inner = found.replace('\t', " ");
    notes.fix(first, problem, found, &format!("\"{inner}\""));
    draft.operands = vec![DraftPiece::text(first, inner)];
}

/// Whether a later word is an opcode with operands: a semicolon may be missing.
fn holds_operations(text: &str) -> bool {
    const OPCODES: [&str; 13] = [
        "bm", "am", "pm", "sm", "pv", "dm", "ce", "acd", "acn", "acs", "id", "eco", "nic",
    ];
    let is_opcode = |word: &str| {
        let numbered = word.strip_prefix(['c', 'D']).unwrap_or_default();
        OPCODES.contains(&word) || is_digits(numbered)
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    // The first word is the text itself, and an opcode as the last one would have no operands.
    let behind_the_first = words.get(1..words.len().saturating_sub(1));
    behind_the_first.is_some_and(|words| words.iter().any(|word| is_opcode(word)))
}

/// Notes every operation whose operands do not fit its opcode.
pub(super) fn check(position: &Position, drafts: &[RecordDraft], notes: &mut Notes) {
    for draft in drafts.iter().filter(|draft| !draft.is_sound) {
        let Err(error) = draft.operation().value(position) else {
            continue;
        };
        let is_in_operand =
            matches!(&error.reason, OperandReason::Count(error) if error.is_in_operand());
        let index = error.operand.or(is_in_operand.then_some(0));
        let operand = index.and_then(|index| draft.operands.get(index));
        let offset = operand.map_or(draft.offset, |piece| piece.offset);
        match error.reason {
            // A count that is never compared is worse than none.
            OperandReason::Count(error) => notes.fault(offset, RecordProblem::Count(error)),
            _ => notes.leave(offset, RecordProblem::Operand(error)),
        }
    }
}
