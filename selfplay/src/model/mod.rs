//! Types that all modules share: pairings, game records, configuration. Plain values that can be
//! written to the run directory and read back, without behaviour beyond arithmetic.

mod config;
mod game;
pub mod time_control;

pub use config::{
    Adjudication, BookFormat, BookOrder, BuiltInBook, BuiltRevision, ClockStage, DrawRule,
    EloModel, EngineCommand, EngineConfig, GamesPerOpening, Limits, OpeningSource, OutputConfig,
    OutputFile, PairingRules, PgnField, PgnForm, PgnNotation, Pinning, Protocol, ResignRule,
    Restart, RunConfig, SprtConfig, TablebaseResults, TablebaseRule, TimeControl, Timeouts,
    TournamentFormat,
};
pub use game::{
    EngineId, EngineIndex, Fault, FaultKind, GamePlan, GameRecord, GameResult, Machine, MoveRecord,
    Opening, PairNumber, PairOptions, Pairing, Quarantine, Termination,
};
