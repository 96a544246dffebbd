//! The Chess Engine Communication Protocol, version 2 (Mann and Muller), of `XBoard` and `WinBoard`:
//! its grammar and a session, parallel to those of UCI. [`crate::Client`] drives both.
//!
//! Its events are those of UCI: moves are `bestmove`, thinking output is `info`, and `pong` is
//! readiness. What UCI does not have is [`crate::Claim`]: engines resign, claim results and reject
//! moves. Judging these is left to the caller.
//!
//! Standard chess and Chess960 (`fischerandom`). Absent: analysis, other variants, clients of chess
//! servers.

mod grammar;
mod session;
#[cfg(test)]
mod tests;

pub use grammar::{ClaimedResult, Thinking, XboardCommand, XboardMessage};
pub use session::XboardSession;
