//! Move lists as people and programs write them.

use chess::notation::san::ParseSanError;
use chess::rules::Position;

use super::draft::{Draft, Piece};
use super::notes::Notes;
use super::{numbers, prose, san_and_next};
use crate::diagnostic::Problem;
use crate::operand::Operand;
use crate::style::StyleProblem;
use crate::value::{Demand, OperandError, OperandReason};

/// The contents of a move list other than moves.
#[derive(Default)]
pub(super) struct Besides {
    /// Announced mates, as separate operations.
    pub(super) mates: Vec<Draft>,
    /// A sentence after the moves.
    pub(super) comment: Option<Draft>,
    /// Announcements that the side to move is mated; they are kept in place.
    mated: Vec<Piece>,
}

/// A word of the list: as written, and without the text around the move.
struct Word {
    offset: usize,
    found: String,
    text: String,
}

/// Rewrites the moves of an operation in standard form.
pub(super) fn repair(
    draft: &mut Draft,
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
    attempt.operands = draft.operands.iter().flat_map(unquote).collect();
    let mut attempt_notes = Notes::default();
    let besides = repair_words(&mut attempt, demand, position, &mut attempt_notes);
    if !attempt.is_sound || attempt.operands.is_empty() || besides.comment.is_some() {
        return Besides::default();
    }
    let error = OperandError {
        opcode: draft.opcode.clone(),
        operand: None,
        reason: OperandReason::String {
            found: quoted.operand.to_string(),
            expected: "a move",
        },
    };
    let before = draft.operands_text();
    notes.fix(
        quoted.offset,
        Problem::Operand(error),
        &before,
        &attempt.operands_text(),
    );
    notes.append(attempt_notes);
    *draft = attempt;
    besides
}

fn unquote(piece: &Piece) -> Vec<Piece> {
    match &piece.operand {
        Operand::Word(_) => vec![piece.clone()],
        Operand::Text(text) => {
            let words = text.split_ascii_whitespace();
            words.map(|word| Piece::word(piece.offset, word)).collect()
        }
    }
}

fn repair_words(
    draft: &mut Draft,
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
        let read =
            san_and_next(&word.text, &next).filter(|_| draft.is_sound || demand != Demand::Line);
        let Some((san, after)) = read else {
            draft.is_sound = false;
            let pieces = word.found.split(' ');
            draft
                .operands
                .extend(pieces.map(|piece| Piece::word(word.offset, piece)));
            continue;
        };
        note_form(&draft.opcode, &word, &san, notes);
        if demand == Demand::Line {
            next = after;
        }
        draft.operands.push(Piece::word(word.offset, san));
    }
    draft.operands.append(&mut besides.mated);
    besides
}

/// Notes a move that is not in standard form.
fn note_form(opcode: &str, word: &Word, san: &str, notes: &mut Notes) {
    if word.found == san {
        return;
    }
    let error = OperandError {
        opcode: opcode.to_owned(),
        operand: None,
        reason: OperandReason::Move(ParseSanError::NotStandard {
            text: word.found.clone(),
            expected: san.to_owned(),
        }),
    };
    notes.fix(word.offset, Problem::Operand(error), &word.found, san);
}

/// The words that should be moves; others are noted, or collected in `besides`.
fn words(draft: &Draft, besides: &mut Besides, notes: &mut Notes) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::with_capacity(draft.operands.len());
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
    draft: &Draft,
    offset: usize,
    found: &str,
    words: &mut Vec<Word>,
    besides: &mut Besides,
    notes: &mut Notes,
) {
    let text = found.trim_end_matches(',');
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
        let found = found.to_owned();
        let before = found.clone();
        notes.fix(offset, StyleProblem::Filler { found }.into(), &before, "");
        return;
    }
    let mate = numbers::mate(text).filter(|_| draft.opcode == "bm");
    if let Some(mate) = mate.filter(|&mate| mate < 0) {
        let problem = StyleProblem::MatedAmongMoves {
            found: found.to_owned(),
        };
        let standard = format!("#{mate}");
        if found == standard {
            notes.leave(offset, problem.into());
        } else {
            notes.fix(offset, problem.into(), found, &standard);
        }
        besides.mated.push(Piece::word(offset, standard));
        return;
    }
    if let Some(mate) = mate {
        let problem = StyleProblem::MateAmongMoves {
            found: found.to_owned(),
        };
        notes.fix(offset, problem.into(), found, &format!("dm {mate}"));
        let operand = Piece::word(offset, mate.to_string());
        besides.mates.push(Draft::new(offset, "dm", vec![operand]));
        return;
    }
    words.push(Word {
        offset,
        found: found.to_owned(),
        text: text.to_owned(),
    });
}

/// Whether a word completes a promotion that the previous one begins: `a8 = B`, `a8= B`, `a8 =B`.
fn is_promotion(before: &str, text: &str) -> bool {
    let is_piece = |text: &str| matches!(text, "Q" | "R" | "B" | "N");
    if before.ends_with(['1', '8']) {
        text == "=" || text.strip_prefix('=').is_some_and(is_piece)
    } else {
        before.ends_with("1=") || before.ends_with("8=")
    }
}

/// Strips the move number from `1.e4` or `1...e5`.
fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = rest.len() < text.len() && rest.starts_with('.');
    if is_number {
        rest.trim_start_matches('.')
    } else {
        text
    }
}

/// Cuts off a sentence that follows the moves: `bm Qg6 winning a piece`.
fn cut_sentence(words: &mut Vec<Word>, draft: &Draft, position: &Position) -> Option<Draft> {
    let is_move = |word: &Word| prose::is_move_like(&word.text, position);
    let start = words.iter().position(|word| !is_move(word))?;
    let rest = &words[start..];
    let is_sentence = rest
        .iter()
        .filter(|word| prose::is_sentence_word(&word.found))
        .count()
        >= 2;
    if start == 0 || !is_sentence || rest.iter().any(is_move) {
        return None;
    }
    let text: Vec<&str> = rest.iter().map(|word| word.found.as_str()).collect();
    let (offset, text) = (rest[0].offset, text.join(" "));
    words.truncate(start);
    let mut comment = Draft::new(
        offset,
        super::split::COMMENT,
        vec![Piece::text(offset, text)],
    );
    comment.end = draft.end;
    comment.is_sound = true;
    Some(comment)
}
