//! Move lists as people and programs write them.

use chess::notation::san::{self, ParseSanError};
use chess::rules::Position;

use super::draft::{DraftPiece, Notes, RecordDraft};
use super::words::{is_move_like, is_sentence_word, mate};
use crate::text::diagnostic::RecordProblem;
use crate::text::value::{Demand, OperandError, OperandReason};

/// The contents of a move list other than moves.
#[derive(Default)]
pub(super) struct Besides {
    /// Announced mates, as separate operations.
    pub(super) mates: Vec<RecordDraft>,
    /// A sentence after the moves.
    pub(super) comment: Option<RecordDraft>,
    /// Announcements that the side to move is mated; they are kept in place.
    mated: Vec<DraftPiece>,
}

/// A word of the list: as written, and without the text around the move.
struct MoveWord {
    offset: usize,
    found: String,
    text: String,
}

/// Rewrites the moves of an operation in standard form.
pub(super) fn repair(
    draft: &mut RecordDraft,
    demand: Demand,
    position: &Position,
    notes: &mut Notes,
) -> Besides {
    let quoted = draft.operands.iter().find(|piece| piece.is_text()).cloned();
    let Some(quoted) = quoted else {
        return repair_words(draft, demand, position, notes);
    };
    // A string is accepted as moves only if it holds nothing else.
    let mut attempt = draft.clone();
    attempt.operands.clear();
    for DraftPiece { offset, operand } in &draft.operands {
        let words = operand.as_str().split_ascii_whitespace();
        let pieces = words.map(|word| DraftPiece::word(*offset, word));
        attempt.operands.extend(pieces);
    }
    let mut attempt_notes = Notes::default();
    let besides = repair_words(&mut attempt, demand, position, &mut attempt_notes);
    if !attempt.is_sound || attempt.operands.is_empty() || besides.comment.is_some() {
        return Besides::default();
    }
    let reason = OperandReason::String {
        found: quoted.operand.to_string(),
        expected: "a move",
    };
    let (before, after) = (draft.operands_text(), attempt.operands_text());
    notes.fix(quoted.offset, fault(draft, reason), &before, &after);
    notes.append(attempt_notes);
    *draft = attempt;
    besides
}

/// A problem of the operands as a whole.
fn fault(draft: &RecordDraft, reason: OperandReason) -> RecordProblem {
    let (opcode, operand) = (draft.opcode.clone(), None);
    RecordProblem::Operand(OperandError {
        opcode,
        operand,
        reason,
    })
}

fn repair_words(
    draft: &mut RecordDraft,
    demand: Demand,
    position: &Position,
    notes: &mut Notes,
) -> Besides {
    let mut besides = Besides::default();
    let mut words = words(draft, &mut besides, notes);
    if demand != Demand::Line {
        besides.comment = cut_sentence(&mut words, draft, position);
    }
    let mut next = *position;
    draft.operands.clear();
    let count = words.len() + besides.mated.len();
    draft.is_sound = count > 0 && (demand != Demand::OneMove || count == 1);
    for word in words {
        // After a word of a PV that is no move, the position of the next one is unknown.
        let is_wanted = draft.is_sound || demand != Demand::Line;
        let Some(m) = san::parse_lenient(&word.text, &next)
            .ok()
            .filter(|_| is_wanted)
        else {
            draft.is_sound = false;
            let pieces = word.found.split(' ');
            let pieces = pieces.map(|piece| DraftPiece::word(word.offset, piece));
            draft.operands.extend(pieces);
            continue;
        };
        let expected = san::write(m, &next);
        if word.found != expected {
            let (text, san) = (word.found.clone(), expected.clone());
            let reason = ParseSanError::NotStandard { text, expected }.into();
            notes.fix(word.offset, fault(draft, reason), &word.found, &san);
        }
        let san = san::write(m, &next);
        if demand == Demand::Line {
            next = next.play_unchecked(m);
        }
        draft.operands.push(DraftPiece::word(word.offset, san));
    }
    draft.operands.append(&mut besides.mated);
    besides
}

/// The words that should be moves; others are noted, or collected in `besides`.
fn words(draft: &RecordDraft, besides: &mut Besides, notes: &mut Notes) -> Vec<MoveWord> {
    let mut words: Vec<MoveWord> = Vec::with_capacity(draft.operands.len());
    for piece in &draft.operands {
        let mut offset = piece.offset;
        for part in piece.operand.as_str().split_inclusive(',') {
            add_word(draft, offset, part, &mut words, besides, notes);
            offset += part.len();
        }
    }
    words
}

fn add_word(
    draft: &RecordDraft,
    offset: usize,
    found: &str,
    words: &mut Vec<MoveWord>,
    besides: &mut Besides,
    notes: &mut Notes,
) {
    let text = found.trim_end_matches(',');
    let own = || found.to_owned();
    if let Some(before) = words.last_mut()
        && is_promotion(&before.text, text)
    {
        before.found.push(' ');
        before.found.push_str(found);
        before.text.push_str(text);
        return;
    }
    let is_mark = !text.is_empty() && text.chars().all(|c| "+#!?".contains(c));
    if (is_mark || matches!(text, "e.p." | "ep"))
        && let Some(before) = words.last_mut()
    {
        before.found.push(' ');
        before.found.push_str(found);
        before.text.push_str(if is_mark { text } else { "e.p." });
        return;
    }
    let text = without_number(text);
    if text.is_empty() || matches!(text, "or" | "and" | "/" | "|") {
        notes.fix(offset, RecordProblem::Filler { found: own() }, found, "");
        return;
    }
    // `am #3` and `pv #3` have no meaning that an opcode could express.
    match mate(text).filter(|_| draft.opcode == "bm") {
        Some(mate) if mate < 0 => {
            let problem = RecordProblem::MatedAmongMoves { found: own() };
            let standard = format!("#{mate}");
            if found == standard {
                notes.leave(offset, problem);
            } else {
                notes.fix(offset, problem, found, &standard);
            }
            besides.mated.push(DraftPiece::word(offset, standard));
        }
        Some(mate) => {
            let problem = RecordProblem::MateAmongMoves { found: own() };
            notes.fix(offset, problem, found, &format!("dm {mate}"));
            let operand = DraftPiece::word(offset, mate.to_string());
            besides
                .mates
                .push(RecordDraft::new(offset, "dm", vec![operand]));
        }
        None => {
            let (found, text) = (own(), text.to_owned());
            words.push(MoveWord {
                offset,
                found,
                text,
            });
        }
    }
}

/// Whether a word completes a promotion that the previous one begins: `a8 = B`, `a8= B`, `a8 =B`.
fn is_promotion(before: &str, text: &str) -> bool {
    let is_piece = |text: &str| matches!(text, "Q" | "R" | "B" | "N");
    // Pawns promote on the first and the last rank.
    if before.ends_with(['1', '8']) {
        text == "=" || text.strip_prefix('=').is_some_and(is_piece)
    } else {
        before.ends_with("1=") || before.ends_with("8=")
    }
}

/// Strips the move number from `1.e4` or `1...e5`.
fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < text.len() && rest.starts_with('.') {
        return rest.trim_start_matches('.');
    }
    text
}

/// Cuts off a sentence that follows the moves: `bm Qg6 winning a piece`.
fn cut_sentence(
    words: &mut Vec<MoveWord>,
    draft: &RecordDraft,
    position: &Position,
) -> Option<RecordDraft> {
    let is_move = |word: &MoveWord| is_move_like(&word.text, position);
    let start = words.iter().position(|word| !is_move(word))?;
    let rest = &words[start..];
    let sentence = rest.iter().filter(|word| is_sentence_word(&word.found));
    // One word may be a misspelt move, and a move among the rest would be lost in a comment.
    if start == 0 || sentence.count() < 2 || rest.iter().any(is_move) {
        return None;
    }
    let text: Vec<&str> = rest.iter().map(|word| word.found.as_str()).collect();
    let mut comment = RecordDraft::comment(rest[0].offset, draft.end, text.join(" "));
    comment.is_sound = true;
    words.truncate(start);
    Some(comment)
}
