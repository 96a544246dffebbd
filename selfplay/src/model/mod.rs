//! Types that all modules share: pairings, game records, configuration. Plain values that can be
//! written to the run directory and read back, without behaviour beyond arithmetic.

mod config;
mod event;
mod fault;
mod machine;
mod pairing;
mod record;
mod termination;

pub use config::{
    Adjudication, BookFormat, BookOrder, Command, DrawRule, EngineConfig, Format, Limits,
    OpeningSource, Pinning, ResignRule, Restart, RunConfig, SprtConfig, SprtModel, Stage,
    TablebaseRule, TimeControl,
};
pub use event::{Event, SlowMove};
pub use fault::{Fault, FaultKind};
pub use machine::{Machine, SetAside};
pub use pairing::{EngineIndex, GamePlan, PairNumber, Pairing};
pub use record::{GameRecord, GameResult, MoveRecord, Opening};
pub use termination::Termination;
