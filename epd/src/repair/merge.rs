//! Merges the operations of a record: each opcode once, and in order.

use chess::rules::Position;

use super::draft::{Draft, Piece};
use super::notes::Notes;
use super::operands::{self, texts};
use super::placed::Placed;
use super::position::note_clocks;
use super::split::COMMENT;
use crate::count;
use crate::diagnostic::Problem;
use crate::operation::is_standard_opcode;
use crate::style::StyleProblem;

/// Puts the operations into the standard form.
pub(super) fn merge(placed: &Placed<'_>, drafts: &mut Vec<Draft>, notes: &mut Notes) {
    let position = &placed.position;
    comments(drafts, notes);
    clocks(placed, drafts, notes);
    repeated(drafts, notes);
    opcodes(drafts, notes);
    operands::check(position, drafts, notes);
    contradictions(drafts, notes);
    order(drafts, notes);
}

/// Reads `d1 20; d2 400;` as perft counts if the first is the number of legal moves.
pub(super) fn small_d(position: &Position, drafts: &mut [Draft], notes: &mut Notes) {
    let is_small = |draft: &Draft| {
        let depth = draft.opcode.strip_prefix('d').unwrap_or_default();
        !depth.is_empty() && depth.bytes().all(|byte| byte.is_ascii_digit())
    };
    let moves = position.legal_move_count().to_string();
    let agrees = |draft: &Draft| draft.opcode == "d1" && texts(draft) == [moves.as_str()];
    if !drafts.iter().any(agrees) {
        return;
    }
    for draft in drafts.iter_mut().filter(|draft| is_small(draft)) {
        let found = draft.opcode.clone();
        let capital = found.to_ascii_uppercase();
        let problem = Problem::SmallD {
            found: found.clone(),
        };
        notes.fix(draft.offset, problem, &found, &capital);
        draft.opcode = capital;
    }
}

/// Assigns the first free comment opcode to free text.
fn comments(drafts: &mut [Draft], notes: &mut Notes) {
    for index in 0..drafts.len() {
        if drafts[index].opcode != COMMENT {
            continue;
        }
        let is_free = |opcode: &String| drafts.iter().all(|draft| draft.opcode != *opcode);
        let opcode = (0..10).map(|digit| format!("c{digit}")).find(is_free);
        let draft = &mut drafts[index];
        let found = texts(draft).concat();
        match opcode {
            Some(opcode) => {
                let after = format!("{opcode} \"{found}\"");
                notes.fix(draft.offset, StyleProblem::FreeText.into(), &found, &after);
                draft.opcode = opcode;
            }
            None => notes.fault(draft.offset, StyleProblem::UnknownText { found }.into()),
        }
    }
}

/// Writes the clock fields as `hmvc` and `fmvn`, unless they are the default `0 1`.
fn clocks(placed: &Placed<'_>, drafts: &mut Vec<Draft>, notes: &mut Notes) {
    let Some(offset) = placed.clocks else {
        return;
    };
    let position = &placed.position;
    let clocks = [
        ("fmvn", position.fullmove_number(), 1),
        ("hmvc", position.halfmove_clock(), 0),
    ];
    let mut written = String::new();
    for (opcode, field, default) in clocks {
        let number = field.to_string();
        match drafts.iter().find(|draft| draft.opcode == opcode) {
            Some(draft) if texts(draft) != [number.as_str()] => {
                let operation = draft.operation().to_string();
                let problem = StyleProblem::ClocksDisagree { field, operation };
                notes.fault(offset, problem.into());
            }
            None if field != default => {
                let draft = Draft::new(offset, opcode, vec![Piece::word(offset, number)]);
                written += if written.is_empty() { "" } else { " " };
                draft.write(&mut written);
                drafts.push(draft);
            }
            _ => {}
        }
    }
    note_clocks(placed, &written, notes);
}

/// Merges operations with the same opcode if they are equal, or list moves or tags.
fn repeated(drafts: &mut Vec<Draft>, notes: &mut Notes) {
    let mut kept: Vec<Draft> = Vec::with_capacity(drafts.len());
    for draft in drafts.drain(..) {
        let Some(first) = kept.iter_mut().find(|first| is_same(first, &draft)) else {
            kept.push(draft);
            continue;
        };
        let problem = match count::read(&draft.opcode, draft.operation().operands()) {
            Some(Ok((depth, _))) => Problem::RepeatedDepth { depth },
            _ => Problem::RepeatedOpcode {
                found: draft.opcode.clone(),
            },
        };
        let before = draft.operation().to_string();
        if texts(first) == texts(&draft) {
            notes.fix(draft.offset, problem, &before, "");
        } else if matches!(draft.opcode.as_str(), "bm" | "am" | "tag") {
            for piece in draft.operands {
                if !texts(first).contains(&piece.operand.as_str()) {
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

/// Whether two operations have the same opcode or count the same depth.
fn is_same(a: &Draft, b: &Draft) -> bool {
    let depth = |draft: &Draft| draft.operation().perft_count().map(|(depth, _)| depth);
    a.opcode == b.opcode
        || (count::is_count(&a.opcode) && count::is_count(&b.opcode) && depth(a) == depth(b))
}

/// Notes opcodes that cannot be written, and unknown ones.
fn opcodes(drafts: &[Draft], notes: &mut Notes) {
    for draft in drafts {
        let found = draft.opcode.clone();
        let is_small_d = found
            .strip_prefix('d')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if is_small_d {
            notes.fault(draft.offset, Problem::SmallD { found });
        } else if !is_standard_opcode(&found) && !count::is_count(&found) {
            notes.fault(draft.offset, Problem::OddOpcode { found });
        } else if !crate::value::is_known(&found) && !notes.has_at(draft.offset) {
            // One note per place is enough: an existing one there is worse.
            notes.leave(draft.offset, StyleProblem::UnknownOpcode { found }.into());
        }
    }
}

/// Notes moves that are both to be played and to be avoided.
fn contradictions(drafts: &[Draft], notes: &mut Notes) {
    let find = |opcode| drafts.iter().find(|draft| draft.opcode == opcode);
    let (Some(best), Some(avoided)) = (find("bm"), find("am")) else {
        return;
    };
    for piece in &avoided.operands {
        let found = piece.operand.as_str();
        if texts(best).contains(&found) {
            let found = found.to_owned();
            notes.leave(piece.offset, StyleProblem::BestAndAvoided { found }.into());
        }
    }
}

fn order(drafts: &mut [Draft], notes: &mut Notes) {
    let is_out =
        |pair: &&[Draft]| pair[0].opcode > pair[1].opcode && pair[0].offset <= pair[1].offset;
    if let Some(pair) = drafts.windows(2).find(is_out) {
        let (opcode, next) = (pair[0].opcode.clone(), pair[1].opcode.clone());
        let before = format!("{opcode} … {next}");
        let after = format!("{next} … {opcode}");
        let problem = StyleProblem::OpcodeOrder { opcode, next };
        notes.fix(pair[0].offset, problem.into(), &before, &after);
    }
    drafts.sort_by(|a, b| a.opcode.cmp(&b.opcode));
}
