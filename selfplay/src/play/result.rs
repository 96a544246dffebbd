//! The result of a match, a test or a tournament: a function of its configuration and its games, which every report,
//! the lab and the end of a run show.

use std::collections::BTreeMap;

use super::schedule::Standings;
use crate::model::{EngineIndex, FaultKind, Quarantine, Termination};
use crate::stats::{AfterStop, Counts, SprtDesign, SprtState};

/// The result so far.
#[derive(Clone, Debug)]
pub struct MatchResult {
    pub games: u64,
    /// Number of games that differ from each other.
    pub distinct: u64,
    /// Number of games of the whole schedule; `None` if it depends on results, as for a test that
    /// continues until it is decided.
    pub scheduled: Option<u64>,
    /// Names of the engines, in the order of their indices.
    pub engines: Vec<String>,
    /// The counts of a run of two engines, from the point of view of the first. With a test, those of
    /// the pairs up to the first that is incomplete, or at which the test stopped.
    pub counts: Option<Counts>,
    /// Number of games in incomplete pairs, in a run of two engines.
    pub in_incomplete_pairs: Option<u64>,
    pub test: Option<TestResult>,
    pub standings: Standings,
    /// The winner of a knockout.
    pub champion: Option<EngineIndex>,
    /// How games ended.
    pub terminations: BTreeMap<Termination, u64>,
    /// Number of games lost by faults, by engine and kind.
    pub faults: BTreeMap<(EngineIndex, FaultKind), u64>,
    /// Number of faults that ended no game, by engine and kind.
    pub incidents: BTreeMap<(EngineIndex, FaultKind), u64>,
    /// Quarantined fleet workers, whose games do not count.
    pub quarantined: Vec<Quarantine>,
    /// Whether nothing is left to play: all games are finished, or the test is decided.
    pub is_complete: bool,
}

/// The state of a sequential test.
#[derive(Clone, Debug)]
pub struct TestResult {
    pub design: SprtDesign,
    /// Current state, or the state in which it stopped; final if no games are left.
    pub state: SprtState,
    /// Number of pairs that it has looked at.
    pub pairs: u64,
    /// The reason for an invalid test.
    pub invalid: Option<String>,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Bounds of the ratio at that state, corrected for the expected overshoot: H0, H1.
    pub bounds: [f64; 2],
    /// Strength, corrected for the stopping rule; `None` without a spread of results.
    pub after_stop: Option<AfterStop>,
}

impl MatchResult {
    /// Number of games lost by faults.
    pub fn games_lost_by_faults(&self) -> u64 {
        self.faults.values().sum()
    }

    /// Whether every game was lost by a fault, so that nothing was compared: the score of games that end
    /// by illegal moves says as little about strength as that of games that end by crashes.
    pub fn is_void(&self) -> bool {
        self.games > 0 && self.games_lost_by_faults() == self.games
    }
}
