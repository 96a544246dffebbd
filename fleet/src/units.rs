//! Checks that the chunks of a job contain each of its units once, in order, so a chunk is a range.

use std::ops::Range;

use crate::{BrokerError, Chunk, Job};

/// Checks the chunks of a job, one after the other.
#[derive(Debug)]
pub(crate) struct Units<'a> {
    job: &'a Job,
    /// The next key expected.
    next: u64,
    chunks: u64,
}

impl<'a> Units<'a> {
    pub(crate) fn of(job: &'a Job) -> Self {
        let (next, chunks) = (0, 0);
        Self { job, next, chunks }
    }

    /// The keys of the next chunk.
    pub(crate) fn follow(&mut self, chunk: &Chunk) -> Result<Range<u64>, BrokerError> {
        if chunk.units.is_empty() {
            return Err(self.wrong(None));
        }
        let first = self.next;
        for unit in &chunk.units {
            if unit.key != self.next || unit.key >= self.job.units {
                return Err(self.wrong(Some(unit.key)));
            }
            self.next += 1;
        }
        self.chunks += 1;
        Ok(first..self.next)
    }

    /// Checks that no units are missing at the end.
    pub(crate) fn end(&self) -> Result<(), BrokerError> {
        if self.next == self.job.units {
            return Ok(());
        }
        Err(self.wrong(None))
    }

    fn wrong(&self, found: Option<u64>) -> BrokerError {
        let text = |key: Option<u64>| key.map_or("none".into(), |key| key.to_string());
        let expected = Some(self.next).filter(|next| *next < self.job.units);
        BrokerError::Units {
            id: self.job.id.clone(),
            chunk: self.chunks,
            found: text(found),
            expected: text(expected),
        }
    }
}

/// Returns true if the chunk with this number is leased twice.
pub(crate) fn is_done_twice(job: &Job, chunk: u64) -> bool {
    job.again_every
        .is_some_and(|every| chunk.is_multiple_of(every.get()))
}
