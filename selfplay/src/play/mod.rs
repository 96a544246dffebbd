//! From a schedule to the games in the ledger.
//!
//! [`Schedule`] decides which pairing is next, [`game`] plays one game between two players under the
//! eyes of the [`referee`], [`Ledger`] records it before it is counted, and [`run`](mod@run) is the
//! loop that owns a run; what it reports are the values of [`event`]. The edges are `player`, `game`, `tablebase`, [`ledger`] and `run`.
//!
//! Other wings name what they use as `play::X`, wherever it lives in here.

pub mod event;
pub mod game;
pub mod ledger;
pub mod player;
pub mod referee;
pub mod result;
pub mod run;
pub mod schedule;
pub mod tablebase;

use std::time::Instant;

pub use game::{FinishedPlay, GameError, GameRules};
#[cfg(test)]
pub(crate) use ledger::samples;
pub use ledger::{
    FleetJob, Follower, Ledger, LedgerError, Paused, RecordFault, Resumed, Stored, UtcTime,
    check_record, default_name, failure_name, schema_of,
};
pub use player::{EngineTimeouts, Incident, Player, PlayerError, RunPrograms};
pub use referee::Endgames;
pub use result::{MatchResult, TestResult};
pub use run::{Run, RunError, RunState, Strikes, StruckOut, run};
pub use schedule::{Couple, Next, Schedule, ScheduleError, StandingsRow};
pub use tablebase::Syzygy;

#[expect(
    clippy::disallowed_methods,
    reason = "the edges time moves, waits and writes"
)]
fn now() -> Instant {
    Instant::now()
}
