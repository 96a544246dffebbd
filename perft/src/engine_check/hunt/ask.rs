//! Asking the subject, within limits.

use chess::perft::Counter;
use chess::rules::Position;

use super::finding::End;
use super::judge::{Judged, judge};
use super::question::{Question, Reply};
use crate::subject::{Failure, Subject};

/// Limits on a hunt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of questions.
    pub questions: u32,
    /// Maximum number of timeouts: each costs the subject's full time limit.
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

/// The subject, with a record of the questions asked.
pub(super) struct Asker<'a> {
    subject: &'a mut dyn Subject,
    limits: Limits,
    /// Computes the correct counts.
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

    /// Number of questions asked so far.
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

    /// The fault in the subject's reply; `None` if it is right.
    ///
    /// # Errors
    ///
    /// As [`Asker::reply`].
    pub(super) fn judged(&mut self, question: &Question) -> Result<Option<Judged>, End> {
        let reply = self.reply(question)?;
        Ok(self.judge(question, &reply))
    }

    /// The correct count; `None` if we cannot count that far ourselves.
    pub(super) fn truth(&self, position: &Position, depth: u32) -> Option<u64> {
        self.counter.count(position, depth).ok()
    }

    /// The fault in a reply; `None` if it is right.
    pub(super) fn judge(&self, question: &Question, reply: &Reply) -> Option<Judged> {
        judge(question, reply, self.counter)
    }
}
