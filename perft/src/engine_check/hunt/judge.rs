//! Compares one reply of the subject with the truth.

use chess::perft::Counter;
use chess::rules::{Move, Position};

use super::fault::{NoMoves, WrongMove, WrongRow};
use super::finding::Counts;
use super::listing::wrong_moves;
use super::question::{Question, Reply};
use crate::subject::{Answer, Failure, Meaning, Row};

/// A wrong reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judged {
    pub(crate) counts: Counts,
    pub(crate) symptom: Symptom,
}

/// The fault visible in a single reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Symptom {
    Failed(Failure),
    /// The move list is wrong.
    Moves(Vec<WrongMove>),
    /// The move list is right, but the counts of these rows are not; smallest subtree first.
    Rows(Vec<WrongRow>),
    /// All rows are right, but the total is not.
    Total,
    /// A position without moves is counted as one leaf.
    Mated(NoMoves),
    /// The total is wrong, and there are no rows.
    Count,
}

/// The fault in a reply; `None` if it is right, or if we cannot count that far ourselves or are
/// cancelled.
pub(crate) fn judge(question: &Question, reply: &Reply, counter: Counter<'_>) -> Option<Judged> {
    let position = question.position();
    let divide = counter.divide(position, question.depth.get()).ok()?;
    let ours = divide
        .iter()
        .try_fold(0_u64, |sum, &(_, count)| sum.checked_add(count))?;
    let (theirs, symptom) = match reply {
        Err(failure) => (None, Some(Symptom::Failed(failure.clone()))),
        Ok(answer) => (answer.count(), symptom(position, &divide, ours, answer)),
    };
    Some(Judged {
        counts: Counts { ours, theirs },
        symptom: symptom?,
    })
}

/// Why a position has no moves; `None` if it has some.
pub(super) fn no_moves(position: &Position) -> Option<NoMoves> {
    (position.legal_move_count() == 0).then(|| {
        if position.is_check() {
            NoMoves::Checkmate
        } else {
            NoMoves::Stalemate
        }
    })
}

fn symptom(
    position: &Position,
    divide: &[(Move, u64)],
    ours: u64,
    answer: &Answer,
) -> Option<Symptom> {
    let right = answer.count() == Some(ours);
    let rows = answer.rows.as_deref().unwrap_or_default();
    if let (Some(end), []) = (no_moves(position), rows) {
        return match answer.count() {
            Some(0) => None,
            Some(1) => Some(Symptom::Mated(end)),
            Some(_) => Some(Symptom::Count),
            None => Some(no_count()),
        };
    }
    if answer.rows.is_none() {
        return match answer.total {
            None => Some(no_count()),
            Some(_) => (!right).then_some(Symptom::Count),
        };
    }
    let moves = wrong_moves(position, rows);
    if !moves.is_empty() {
        return Some(Symptom::Moves(moves));
    }
    let wrong = wrong_rows(divide, rows);
    if wrong.is_empty() {
        (!right).then_some(Symptom::Total)
    } else {
        Some(Symptom::Rows(wrong))
    }
}

fn no_count() -> Symptom {
    Symptom::Failed(Failure::Unreadable {
        excerpt: "neither a total nor moves".to_owned(),
    })
}

/// The rows with wrong counts, in a correct list of moves.
fn wrong_rows(divide: &[(Move, u64)], rows: &[Row]) -> Vec<WrongRow> {
    let mut wrong: Vec<WrongRow> = divide
        .iter()
        .filter_map(|&(m, ours)| {
            let row = rows.iter().find(|row| row.meaning == Meaning::Legal(m))?;
            (row.nodes != ours).then_some(WrongRow {
                m,
                ours,
                theirs: row.nodes,
            })
        })
        .collect();
    wrong.sort_unstable_by_key(|row| (row.ours, row.m));
    wrong
}
