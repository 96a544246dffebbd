//! Putting questions to the subject, within limits.

use chess::perft::Counter;
use chess::rules::Position;

use super::finding::End;
use super::judge::{Judged, judge};
use super::question::{Question, Reply};
use crate::subject::{Failure, Subject};

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
