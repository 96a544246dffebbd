//! What a search amounts to: whether it solved the position, when, and what it claimed on the way.
//!
//! [`Recorder`] gathers what an engine says into a [`Search`]; [`assess`] judges it. Values in,
//! values out; times are passed in.

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
