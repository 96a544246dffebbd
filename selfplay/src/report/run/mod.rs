//! Formats a run as text, one file for each format, from only the configuration and the game
//! records.
//!
//! [`Collector`] adds records one by one and keeps sums; [`RunSummary`] is their summary, common to
//! all formats; [`RunReport`] writes it. [`GameTable`] is the one format with a line for each game.
//!
//! Strength is computed from the pairs that count ([`CoupleSummary::counted`]): complete ones, in
//! the order of the schedule, up to where the test stopped. All formats report the same counts.

mod collect;
mod csv;
mod fastchess;
mod html;
mod human;
mod json;
mod markdown;
mod summary;
mod text;

use crate::model::{EngineIndex, RunConfig};
use crate::play::ledger::Host;
pub use crate::play::result::TestResult;
pub use collect::{CollectError, Collector, FEWEST_OPENING_GAMES, MOST_FAULTS};
pub use csv::GameTable;
pub use html::{MOST_PAGE_FAULTS, MOST_PAGE_GAMES, PageGames};
pub use json::SCHEMA;
pub use summary::{
    CoupleSummary, CoursePoint, EngineSummary, FaultLine, Lengths, OpeningLine, OpeningsSummary,
    Pace, PairSummary, RunSummary, TimeUse,
};

/// A run, ready to be written in one of the formats.
#[derive(Clone, Copy, Debug)]
pub struct RunReport<'a> {
    config: &'a RunConfig,
    summary: &'a RunSummary,
    place: Option<RunPlace<'a>>,
}

/// Where a run is stored, and whether it is running.
#[derive(Clone, Copy, Debug)]
struct RunPlace<'a> {
    directory: &'a str,
    is_running: bool,
    /// The machine on which the run was started.
    host: Option<&'a Host>,
}

impl<'a> RunReport<'a> {
    pub const fn new(config: &'a RunConfig, summary: &'a RunSummary) -> Self {
        Self {
            config,
            summary,
            place: None,
        }
    }

    /// Sets the run directory, and whether a process is playing the run.
    pub const fn at(mut self, directory: &'a str, is_running: bool) -> Self {
        self.place = Some(RunPlace {
            directory,
            is_running,
            host: None,
        });
        self
    }

    /// Sets the machine on which the run at that place was started.
    pub const fn on(mut self, host: Option<&'a Host>) -> Self {
        if let Some(place) = &mut self.place {
            place.host = host;
        }
        self
    }

    fn name(&self, engine: EngineIndex) -> &'a str {
        &self.config.engines[engine.0].name
    }
}
