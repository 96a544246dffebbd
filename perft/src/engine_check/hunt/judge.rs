//! Asks the subject, within limits, and compares each reply with the correct counts.

use chess::perft::Counter;
use chess::rules::{Move, Position};

use super::fault::{CountPair, HuntEnd, NoMoves, NoReply, WrongMove, WrongRow};
use super::listing::wrong_moves;
use super::question::{CountQuestion, CountReply};
use crate::count::subject::{Answer, Failure, MoveMeaning, Subject};

/// Limits on a hunt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HuntLimits {
    /// Maximum number of questions.
    pub questions: u32,
    /// Maximum number of timeouts: each costs the subject's full time limit.
    pub timeouts: u32,
}

impl Default for HuntLimits {
    fn default() -> Self {
        Self {
            questions: 3000,
            timeouts: 6,
        }
    }
}

/// The subject, with a record of the questions asked.
pub(super) struct Asker<'a> {
    subject: &'a mut dyn Subject,
    limits: HuntLimits,
    counter: Counter<'a>,
    questions: u32,
    timeouts: u32,
}

impl<'a> Asker<'a> {
    pub(super) fn new(
        subject: &'a mut dyn Subject,
        limits: HuntLimits,
        counter: Counter<'a>,
    ) -> Self {
        Self {
            subject,
            limits,
            counter,
            questions: 0,
            timeouts: 0,
        }
    }

    /// Number of questions asked so far.
    pub(super) fn questions(&self) -> u32 {
        self.questions
    }

    /// The subject's reply.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or the user ended the run.
    pub(super) fn reply(&mut self, question: &CountQuestion) -> Result<CountReply, HuntEnd> {
        if self.timeouts >= self.limits.timeouts {
            return Err(HuntEnd::Timeouts);
        }
        if self.questions >= self.limits.questions {
            return Err(HuntEnd::Questions);
        }
        self.questions += 1;
        let reply = self.subject.perft(&question.route, question.depth);
        match reply {
            Err(Failure::Cancelled) => return Err(HuntEnd::Cancelled),
            Err(Failure::TimedOut { .. }) => self.timeouts += 1,
            _ => {}
        }
        Ok(reply)
    }

    /// The fault in the subject's reply; `None` if it is right.
    ///
    /// # Errors
    ///
    /// As [`Asker::reply`].
    pub(super) fn judged(
        &mut self,
        question: &CountQuestion,
    ) -> Result<Option<JudgedReply>, HuntEnd> {
        let reply = self.reply(question)?;
        Ok(self.judge(question, &reply))
    }

    /// The correct count; `None` if we cannot count that far ourselves.
    pub(super) fn truth(&self, position: &Position, depth: u32) -> Option<u64> {
        self.counter.count(position, depth).ok()
    }

    /// The correct rows of a question; `None` if we cannot count that far ourselves.
    pub(super) fn divide(&self, question: &CountQuestion) -> Option<Vec<(Move, u64)>> {
        let divide = self
            .counter
            .divide(question.position(), question.depth.get());
        divide.ok()
    }

    /// The fault in a reply; `None` if it is right.
    pub(super) fn judge(
        &self,
        question: &CountQuestion,
        reply: &CountReply,
    ) -> Option<JudgedReply> {
        judge(question, reply, self.counter)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JudgedReply {
    pub(crate) counts: CountPair,
    pub(crate) symptom: Symptom,
}

impl JudgedReply {
    /// Whether there is no answer, for this reason.
    pub(super) fn is(&self, breakdown: NoReply) -> bool {
        self.breakdown() == Some(breakdown)
    }

    /// Why there is no answer; `None` if there is one.
    pub(super) fn breakdown(&self) -> Option<NoReply> {
        match &self.symptom {
            Symptom::Failed(failure) => Some(NoReply::from_failure(failure)),
            _ => None,
        }
    }

    /// Compares two faults, ignoring the error text.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        match (self.breakdown(), other.breakdown()) {
            (None, None) => self == other,
            (one, other) => one == other,
        }
    }
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
pub(crate) fn judge(
    question: &CountQuestion,
    reply: &CountReply,
    counter: Counter<'_>,
) -> Option<JudgedReply> {
    let position = question.position();
    let divide = counter.divide(position, question.depth.get()).ok()?;
    let ours = divide
        .iter()
        .try_fold(0_u64, |sum, &(_, count)| sum.checked_add(count))?;
    let (theirs, symptom) = match reply {
        Err(failure) => (None, Some(Symptom::Failed(failure.clone()))),
        Ok(answer) => (answer.count(), symptom(position, &divide, ours, answer)),
    };
    Some(JudgedReply {
        counts: CountPair { ours, theirs },
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
    // The rows with wrong counts, in a correct list of moves.
    let wrong = divide.iter().filter_map(|&(m, ours)| {
        let row = rows
            .iter()
            .find(|row| row.meaning == MoveMeaning::Legal(m))?;
        (row.nodes != ours).then_some(WrongRow {
            m,
            ours,
            theirs: row.nodes,
        })
    });
    let mut wrong: Vec<WrongRow> = wrong.collect();
    wrong.sort_unstable_by_key(|row| (row.ours, row.m));
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
