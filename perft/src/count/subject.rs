//! The test subject: anything that counts moves, be it an engine process or one of our generators.

use std::num::NonZeroU32;

pub use uci::perft::{Answer, DivideRow, Failure, MoveMeaning, Route};

/// Counts leaf nodes on request. After a failure, a subject restarts at the next question.
pub trait Subject {
    /// The leaf nodes below a position.
    ///
    /// # Errors
    ///
    /// When there is no answer.
    fn perft(&mut self, route: &Route, depth: NonZeroU32) -> Result<Answer, Failure>;
}

impl Subject for uci::perft::Driver<'_> {
    fn perft(&mut self, route: &Route, depth: NonZeroU32) -> Result<Answer, Failure> {
        self.ask(route, depth)
    }
}
