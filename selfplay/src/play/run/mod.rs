//! Running a schedule: workers that play, and one loop that owns the state.
//!
//! ```text
//! schedule -> jobs -> workers (one game at a time each) -> events -> ledger, tally, reporter
//! ```
//!
//! A game is recorded before it is counted, and counted before it is reported. The state of a run
//! is therefore a function of its ledger: [`RunTally`], from which a run resumes.
//!
//! A run ends when its games are played, its test stops, the user interrupts it, or it cannot
//! continue. Games in progress are then aborted and not recorded, and all engines exit.

mod dispatch;
pub(crate) mod pinning;
mod state;
mod strikes;
mod worker;

pub(crate) use dispatch::{GameSource, Ground, play};
pub use dispatch::{Run, RunError, run};
pub use pinning::PinningError;
pub use state::{RunState, RunTally};
pub use strikes::{Strikes, StruckOut};
pub(crate) use worker::{EnginePool, not_started};
