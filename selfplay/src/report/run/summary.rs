//! What all formats tell of a run: plain values, made by [`super::Collector`].

use std::collections::BTreeMap;
use std::ops::Range;

use crate::fleet::conduct::Conduct;
use crate::model::{EngineIndex, FaultKind, SetAside, Termination};
use crate::rating::Rating;
use crate::schedule::{Couple, Row};
use crate::stats::{AfterStop, Counts, Estimate, Pentanomial, SprtDesign, SprtState, Summary, Wdl};

/// A run, as its ledger tells it.
#[derive(Clone, Debug)]
pub struct RunSummary {
    /// Games in the ledger.
    pub games: u64,
    /// Games of the whole schedule, where that does not depend on results. A test that goes on until it
    /// is decided has none.
    pub scheduled: Option<u64>,
    /// The engines, in the order of the configuration.
    pub engines: Vec<EngineSummary>,
    /// Who stands where.
    pub standings: Vec<Row>,
    /// Engines that have met, in the order of the configuration.
    pub couples: Vec<CoupleSummary>,
    /// The test, if the run has one.
    pub test: Option<TestSummary>,
    /// How Elo and LLR went, in a run of two engines.
    pub course: Vec<CoursePoint>,
    /// All games as White sees them.
    pub white: Wdl,
    /// What White is worth, in Elo, from the ratings of all engines.
    pub white_advantage: Option<Estimate>,
    /// How games ended: those that occurred, in the order of [`Termination::ALL`].
    pub terminations: Vec<(Termination, u64)>,
    /// What engines did wrong.
    pub faults: FaultSummary,
    /// How long games were; `None` without any.
    pub lengths: Option<Lengths>,
    /// What openings did to games.
    pub openings: OpeningsSummary,
    /// How fast the run went.
    pub pace: Pace,
    /// How many games differ from each other.
    pub distinct: u64,
    /// Who played, by name; nobody where one machine played all.
    pub workers: Vec<WorkerSummary>,
    /// Workers of a fleet whose games do not count.
    pub set_aside: Vec<SetAside>,
    /// Whether nothing is left to be played: all games are, or the test is decided.
    pub is_complete: bool,
}

/// One machine of a fleet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerSummary {
    /// The name of the worker.
    pub name: String,
    /// What it has brought.
    pub conduct: Conduct,
}

/// One engine in all its games.
#[derive(Clone, Debug)]
pub struct EngineSummary {
    /// Games with White.
    pub as_white: Wdl,
    /// Games with Black.
    pub as_black: Wdl,
    /// Its rating among all; `None` if it has not played.
    pub rating: Option<Rating>,
    /// How it used its time.
    pub time: TimeUse,
}

/// Two engines against each other, as the first sees it.
#[derive(Clone, Debug)]
pub struct CoupleSummary {
    /// Who.
    pub couple: Couple,
    /// All games in the ledger.
    pub games: Wdl,
    /// Those of them with White.
    pub as_white: Wdl,
    /// The pairs that count: all complete ones; with a test, in the order of the schedule up to the
    /// first that is not complete or at which the test stopped.
    pub counted: PairTally,
    /// All complete pairs.
    pub all: PairTally,
    /// What the pairs that count tell, if there are any; not a number is what is not known without
    /// a spread of results.
    pub strength: Option<Summary>,
}

/// Complete pairs and their games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairTally {
    /// By points of the first engine.
    pub pairs: Pentanomial,
    /// Their games.
    pub games: Wdl,
    /// Even pairs of two draws; the other even pairs have a winner each.
    pub drawn_twice: u64,
}

/// The sequential test of a run.
#[derive(Clone, Debug)]
pub struct TestSummary {
    /// What it asks.
    pub design: SprtDesign,
    /// Where it stands, or stopped.
    pub state: SprtState,
    /// After how many pairs.
    pub pairs: u64,
    /// Why it is invalid, if it is.
    pub invalid: Option<String>,
    /// The log-likelihood ratio there.
    pub llr: f64,
    /// The bounds there, the expected overshoot taken off.
    pub bounds: [f64; 2],
    /// The strength, with the way in which the test stops computed in; `None` without a spread of
    /// results.
    pub after_stop: Option<AfterStop>,
}

/// A run after some pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoursePoint {
    /// How many pairs, in the order of the schedule.
    pub pairs: u64,
    /// The Elo of the first engine; its interval is not a number without a spread of results.
    pub elo: Estimate,
    /// The log-likelihood ratio, if there is a test.
    pub llr: Option<f64>,
}

/// How an engine used its time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeUse {
    /// Moves it made.
    pub moves: u64,
    /// Mean time of a move, in milliseconds.
    pub mean_ms: Option<f64>,
    /// The longest time of a move, in milliseconds.
    pub longest_ms: f64,
    /// Mean time left at the end of a game, in milliseconds.
    pub mean_left_ms: Option<f64>,
    /// The least time left at the end of a game, in milliseconds.
    pub least_left_ms: Option<i64>,
    /// By how much a move overstepped the clock within the margin, at most, in milliseconds.
    pub overstep_ms: Option<f64>,
    /// Positions a second, over the moves that tell them.
    pub nodes_per_second: Option<f64>,
    /// Mean positions of a move.
    pub mean_nodes: Option<f64>,
    /// Mean depth of a move.
    pub mean_depth: Option<f64>,
    /// Mean time of its first move of a game, its second, and so on, in milliseconds.
    pub by_move_ms: Vec<f64>,
}

/// What engines did wrong.
#[derive(Clone, Debug, Default)]
pub struct FaultSummary {
    /// How often, by engine and kind.
    pub counts: BTreeMap<(EngineIndex, FaultKind), u64>,
    /// Faults that cost no game, by engine and kind.
    pub incidents: BTreeMap<(EngineIndex, FaultKind), u64>,
    /// The first of them by game, see [`super::MOST_FAULTS`].
    pub listed: Vec<FaultLine>,
}

/// A game that ended by a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultLine {
    /// The number of the game, from 0.
    pub game: u64,
    /// Whose fault.
    pub engine: EngineIndex,
    /// Who won.
    pub opponent: EngineIndex,
    /// Which fault.
    pub kind: FaultKind,
    /// What happened.
    pub detail: String,
    /// The talk, relative to the run directory.
    pub transcript: Option<String>,
}

/// How many plies engines played in a game, those of the book not counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Lengths {
    /// On average.
    pub mean: f64,
    /// The one in the middle; of an even number, the mean of the two.
    pub median: f64,
    /// The fewest.
    pub shortest: usize,
    /// The most.
    pub longest: usize,
    /// Games by length.
    pub classes: Vec<(Range<usize>, u64)>,
}

/// What openings did to games.
#[derive(Clone, Debug, Default)]
pub struct OpeningsSummary {
    /// How many different ones were played.
    pub played: u64,
    /// Pairs in which White won both games.
    pub white_twice: u64,
    /// Pairs in which Black won both games.
    pub black_twice: u64,
    /// Those that favour one side most, of those played often enough, see
    /// [`super::FEWEST_OPENING_GAMES`].
    pub one_sided: Vec<OpeningLine>,
}

/// An opening and its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningLine {
    /// What the book calls it.
    pub label: String,
    /// Its games as White sees them.
    pub white: Wdl,
}

/// How fast a run went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Milliseconds in which games were played, pauses taken off.
    pub busy_ms: u64,
    /// Games a minute in that time; `None` without any time.
    pub games_per_minute: Option<f64>,
}

impl EngineSummary {
    /// All its games.
    pub const fn games(&self) -> Wdl {
        Wdl {
            wins: self.as_white.wins + self.as_black.wins,
            draws: self.as_white.draws + self.as_black.draws,
            losses: self.as_white.losses + self.as_black.losses,
        }
    }
}

impl CoupleSummary {
    /// Games with Black.
    pub const fn as_black(&self) -> Wdl {
        Wdl {
            wins: self.games.wins - self.as_white.wins,
            draws: self.games.draws - self.as_white.draws,
            losses: self.games.losses - self.as_white.losses,
        }
    }

    /// What [`Self::strength`] is computed from.
    pub const fn counts(&self) -> Counts {
        self.counted.counts()
    }

    /// Games of pairs that are not complete.
    pub fn in_incomplete_pairs(&self) -> u64 {
        self.games.games() - self.all.games.games()
    }

    /// Games of complete pairs at which the test does not look.
    pub fn beyond_the_test(&self) -> u64 {
        self.all.games.games() - self.counted.games.games()
    }
}

impl PairTally {
    /// The pairs with their games.
    pub const fn counts(&self) -> Counts {
        Counts::Pairs {
            pairs: self.pairs,
            games: Some(self.games),
        }
    }

    /// Even pairs in which each engine won a game.
    pub const fn won_by_turns(&self) -> u64 {
        self.pairs.0[2] - self.drawn_twice
    }
}

impl FaultSummary {
    /// How many games ended by a fault.
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }
}

impl RunSummary {
    /// Whether an engine or its machine failed in every game: nothing was compared then.
    pub fn is_void(&self) -> bool {
        let failed = self.faults.counts.iter();
        let failed = failed.filter(|((_, kind), _)| kind.may_be_the_machine());
        self.games > 0 && failed.map(|(_, games)| games).sum::<u64>() == self.games
    }

    /// The two engines, if the run has no more.
    pub fn only_couple(&self) -> Option<&CoupleSummary> {
        match self.couples.as_slice() {
            [only] if self.engines.len() == 2 => Some(only),
            _ => None,
        }
    }
}
