//! Running a schedule: workers that play, one loop that owns what is known.
//!
//! ```text
//! schedule -> jobs -> workers (one game at a time each) -> events -> ledger, tally, reporter
//! ```
//!
//! A game is recorded before it is counted, and counted before it is told. What a run comes to is
//! therefore a function of its ledger: [`Tally`], which a resumed run begins with.
//!
//! A run ends when its games are played, its test is decided, the user wants it to, or it cannot go
//! on. Games that are in progress then are broken off and not recorded; no engine is left.

pub(crate) mod affinity;
mod crew;
mod dispatch;
mod state;
mod strikes;
mod tally;
mod worker;

pub(crate) use crew::Crew;
pub(crate) use dispatch::check_faults;
pub use dispatch::{End, Run, RunError, run};
pub use state::{Awaited, AwaitedAnswer, State};
pub use strikes::{Strikes, StruckOut};
pub use tally::Tally;
pub(crate) use worker::{is_configuration, not_started};
