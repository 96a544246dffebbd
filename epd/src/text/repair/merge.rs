//! Merges the operations of a record: each opcode once, and in order.

use chess::rules::Position;

use super::draft::{COMMENT, DraftPiece, Notes, RecordDraft};
use super::fields::Placed;
use super::operands;
use super::words::is_digits;
use crate::text::diagnostic::RecordProblem;
use crate::text::operation::{is_count, is_standard_opcode};
use crate::text::read::is_small_d;
use crate::text::scan::join;
use crate::text::value::is_known;

/// Puts the operations into the standard form.
pub(super) fn merge(placed: &Placed<'_>, drafts: &mut Vec<RecordDraft>, notes: &mut Notes) {
    comments(drafts, notes);
    clocks(placed, drafts, notes);
    repeated(drafts, notes);
    opcodes(drafts, notes);
    operands::check(&placed.position, drafts, notes);
    order(drafts, notes);
}

/// Reads `d1 20; d2 400;` as perft counts if the first is the number of legal moves.
pub(super) fn small_d(position: &Position, drafts: &mut [RecordDraft], notes: &mut Notes) {
    // The number of leaf nodes at depth 1 is that of the legal moves, so d1 can be checked at no
    // cost.
    let moves = position.legal_move_count().to_string();
    let agrees = |draft: &RecordDraft| draft.opcode == "d1" && draft.texts() == [moves.as_str()];
    if !drafts.iter().any(agrees) {
        return;
    }
    for draft in drafts {
        let depth = draft.opcode.strip_prefix('d');
        if depth.is_some_and(is_digits) {
            let capital = draft.opcode.to_ascii_uppercase();
            let found = std::mem::replace(&mut draft.opcode, capital);
            let (problem, before) = (
                RecordProblem::SmallD {
                    found: found.clone(),
                },
                found,
            );
            notes.fix(draft.offset, problem, &before, &draft.opcode);
        }
    }
}

/// Assigns the first free comment opcode to free text.
fn comments(drafts: &mut [RecordDraft], notes: &mut Notes) {
    for index in 0..drafts.len() {
        if drafts[index].opcode != COMMENT {
            continue;
        }
        // A comment of the file keeps its number; c0 to c9 are all that there are (PGN standard,
        // 16.2).
        let is_free = |opcode: &String| drafts.iter().all(|draft| draft.opcode != *opcode);
        let opcode = (0..10).map(|digit| format!("c{digit}")).find(is_free);
        let draft = &mut drafts[index];
        let found = draft.texts().concat();
        match opcode {
            Some(opcode) => {
                let after = format!("{opcode} \"{found}\"");
                notes.fix(draft.offset, RecordProblem::FreeText, &found, &after);
                draft.opcode = opcode;
            }
            None => notes.fault(draft.offset, RecordProblem::UnknownText { found }),
        }
    }
}

/// Writes the clock fields as `hmvc` and `fmvn`, unless they are the default `0 1`.
fn clocks(placed: &Placed<'_>, drafts: &mut Vec<RecordDraft>, notes: &mut Notes) {
    let Some(first) = placed.scan.fields.get(4) else {
        return;
    };
    let (offset, position) = (first.offset, &placed.position);
    let mut written = Vec::new();
    for (opcode, field, default) in [
        ("fmvn", position.fullmove_number(), 1),
        ("hmvc", position.halfmove_clock(), 0),
    ] {
        let number = field.to_string();
        match drafts.iter().find(|draft| draft.opcode == opcode) {
            // Neither of the two is more likely to be right.
            Some(draft) if draft.texts() != [number.as_str()] => {
                let operation = draft.operation().to_string();
                notes.fault(offset, RecordProblem::ClocksDisagree { field, operation });
            }
            None if field != default => {
                let draft =
                    RecordDraft::new(offset, opcode, vec![DraftPiece::word(offset, number)]);
                written.push(draft.operation().to_string());
                drafts.push(draft);
            }
            _ => {}
        }
    }
    let before = join(&placed.scan.fields[4..]);
    let found = before.clone();
    notes.fix(
        offset,
        RecordProblem::Clocks { found },
        &before,
        &written.join(" "),
    );
}

/// Merges operations with the same opcode if they are equal, or list moves or tags.
fn repeated(drafts: &mut Vec<RecordDraft>, notes: &mut Notes) {
    let depth = |draft: &RecordDraft| draft.operation().perft_count().map(|(depth, _)| depth);
    let is_same = |a: &RecordDraft, b: &RecordDraft| {
        let are_counts = is_count(&a.opcode) && is_count(&b.opcode);
        a.opcode == b.opcode || (are_counts && depth(a) == depth(b))
    };
    let mut kept: Vec<RecordDraft> = Vec::with_capacity(drafts.len());
    for draft in drafts.drain(..) {
        let Some(first) = kept.iter_mut().find(|first| is_same(first, &draft)) else {
            kept.push(draft);
            continue;
        };
        let found = draft.opcode.clone();
        let problem = match depth(&draft) {
            Some(depth) => RecordProblem::RepeatedDepth { depth },
            None => RecordProblem::RepeatedOpcode { found },
        };
        let before = draft.operation().to_string();
        if first.texts() == draft.texts() {
            notes.fix(draft.offset, problem, &before, "");
        } else if matches!(draft.opcode.as_str(), "bm" | "am" | "tag") {
            // These are lists, and two lists say the same as one. Of other opcodes, only one can be
            // right.
            for piece in draft.operands {
                if !first.texts().contains(&piece.operand.as_str()) {
                    first.operands.push(piece);
                }
            }
            first.is_sound &= draft.is_sound;
            let after = first.operation().to_string();
            notes.fix(draft.offset, problem, &before, &after);
        } else {
            notes.fault(draft.offset, problem);
        }
    }
    *drafts = kept;
}

/// Notes opcodes that cannot be written, and unknown ones.
fn opcodes(drafts: &[RecordDraft], notes: &mut Notes) {
    for draft in drafts {
        let found = draft.opcode.clone();
        if is_small_d(&found) {
            notes.fault(draft.offset, RecordProblem::SmallD { found });
        } else if !is_standard_opcode(&found) && !is_count(&found) {
            notes.fault(draft.offset, RecordProblem::OddOpcode { found });
        } else if !is_known(&found) && !notes.has_at(draft.offset) {
            // One note per place is enough: an existing one there is worse.
            notes.leave(draft.offset, RecordProblem::UnknownOpcode { found });
        }
    }
}

/// Puts the opcodes in ASCII order; notes moves that are both to be played and to be avoided.
fn order(drafts: &mut [RecordDraft], notes: &mut Notes) {
    let find = |opcode| drafts.iter().find(|draft| draft.opcode == opcode);
    if let (Some(best), Some(avoided)) = (find("bm"), find("am")) {
        for piece in &avoided.operands {
            let found = piece.operand.as_str().to_owned();
            if best.texts().contains(&found.as_str()) {
                notes.leave(piece.offset, RecordProblem::BestAndAvoided { found });
            }
        }
    }
    let is_out =
        // Operations that a repair added at the end were not out of order in the file.
        |pair: &&[RecordDraft]| pair[0].opcode > pair[1].opcode && pair[0].offset <= pair[1].offset;
    if let Some(pair) = drafts.windows(2).find(is_out) {
        let (opcode, next) = (pair[0].opcode.clone(), pair[1].opcode.clone());
        let before = format!("{opcode} … {next}");
        let after = format!("{next} … {opcode}");
        notes.fix(
            pair[0].offset,
            RecordProblem::OpcodeOrder { opcode, next },
            &before,
            &after,
        );
    }
    drafts.sort_by(|a, b| a.opcode.cmp(&b.opcode));
}
