//! Evaluates searches: whether and when the position was solved, and which mates were announced.
//!
//! [`Recorder`] collects an engine's output into a [`Search`]; [`assess`] judges it. Pure: times
//! are passed in.

mod answer;
mod line;
mod mate;
mod search;
#[cfg(test)]
mod tests;

pub use answer::{Answer, BadReplyError, assess};
pub use line::{IllegalPv, Line, play_out};
pub use mate::{MateFault, prove};
pub use search::{Moment, Observation, Recorder, Search};
