//! What is tested: anything that counts moves, whether an engine behind a process or a generator of our own.

use std::num::NonZeroU32;

pub use uci::perft::{Answer, Failure, Meaning, Route, Row};

/// Counts leaf nodes when asked. A subject that failed starts anew at the next question.
pub trait Subject {
    /// Leaf nodes below a position.
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
