//! Putting questions to the subject, within limits.

use std::num::NonZeroU32;

use chess::perft::Counter;
use chess::rules::{Move, Position};

use super::finding::End;
use super::judge::{Judged, judge};
use crate::subject::{Answer, Failure, Route, Subject};

/// What a subject is asked: the leaf nodes so many plies below a position, reached in some way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// How the subject is brought to the position.
    pub route: Route,
    /// How many plies are counted.
    pub depth: NonZeroU32,
}

impl Question {
    /// Asks by the position's FEN alone.
    pub fn by_fen(position: Position, depth: NonZeroU32) -> Self {
        Self {
            route: Route::by_fen(position),
            depth,
        }
    }

    /// The position whose leaf nodes are counted.
    pub fn position(&self) -> &Position {
        self.route.position()
    }

    /// The same position at another depth.
    #[must_use]
    pub fn at_depth(&self, depth: NonZeroU32) -> Self {
        Self {
            route: self.route.clone(),
            depth,
        }
    }

    /// The same position reached by no more than the last `length` moves.
    #[must_use]
    pub fn by_last_moves(&self, length: usize) -> Self {
        let moves = self.route.moves();
        let (before, last) = moves.split_at(moves.len().saturating_sub(length));
        let root = before.iter().fold(*self.route.root(), |position, &m| {
            position.play_unchecked(m)
        });
        let route = last
            .iter()
            .fold(Route::by_fen(root), |route, &m| route.then(m));
        Self {
            route,
            depth: self.depth,
        }
    }

    /// The question one ply down, after a legal move; `None` when nothing is left to count.
    pub fn child(&self, m: Move) -> Option<Self> {
        Some(Self {
            route: self.route.then(m),
            depth: NonZeroU32::new(self.depth.get() - 1)?,
        })
    }

    /// Every smaller depth, from 1.
    pub(super) fn smaller_depths(&self) -> impl Iterator<Item = NonZeroU32> + use<> {
        (1..self.depth.get()).filter_map(NonZeroU32::new)
    }
}

/// How much a hunt may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Questions in all.
    pub questions: u32,
    /// Questions that were not answered in time: each costs as long as the subject is given.
    pub timeouts: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            questions: 3000,
            timeouts: 6,
        }
    }
}

/// What came back for a question.
pub(super) type Reply = Result<Answer, Failure>;

/// The subject, with the account of what it was asked.
pub(super) struct Asker<'a> {
    subject: &'a mut dyn Subject,
    limits: Limits,
    /// What knows the truth.
    counter: Counter<'a>,
    questions: u32,
    timeouts: u32,
}

impl<'a> Asker<'a> {
    pub(super) fn new(subject: &'a mut dyn Subject, limits: Limits, counter: Counter<'a>) -> Self {
        Self {
            subject,
            limits,
            counter,
            questions: 0,
            timeouts: 0,
        }
    }

    /// How many questions were put.
    pub(super) fn questions(&self) -> u32 {
        self.questions
    }

    /// The subject's reply.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or the user ended the run.
    pub(super) fn reply(&mut self, question: &Question) -> Result<Reply, End> {
        if self.timeouts >= self.limits.timeouts {
            return Err(End::Timeouts);
        }
        if self.questions >= self.limits.questions {
            return Err(End::Questions);
        }
        self.questions += 1;
        let reply = self.subject.perft(&question.route, question.depth);
        match reply {
            Err(Failure::Cancelled) => return Err(End::Cancelled),
            Err(Failure::TimedOut { .. }) => self.timeouts += 1,
            _ => {}
        }
        Ok(reply)
    }

    /// What is wrong with the subject's reply; `None` when it is right.
    ///
    /// # Errors
    ///
    /// As [`Asker::reply`].
    pub(super) fn judged(&mut self, question: &Question) -> Result<Option<Judged>, End> {
        let reply = self.reply(question)?;
        Ok(self.judge(question, &reply))
    }

    /// What is right; `None` when we cannot count as far ourselves.
    pub(super) fn truth(&self, position: &Position, depth: u32) -> Option<u64> {
        self.counter.count(position, depth).ok()
    }

    /// What is wrong with a reply; `None` when it is right.
    pub(super) fn judge(&self, question: &Question, reply: &Reply) -> Option<Judged> {
        judge(question, reply, self.counter)
    }
}
