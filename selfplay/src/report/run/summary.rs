//! The data of a report, common to all formats: plain values, made by [`super::Collector`].

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Serialize, Serializer};

use crate::fleet::worker_stats::WorkerStats;
use crate::model::{EngineId, EngineIndex, FaultKind};
use crate::play::MatchResult;
use crate::play::schedule::Couple;
use crate::stats::number::{digits, twelve_digits};
use crate::stats::rating::Rating;
use crate::stats::{Counts, Estimate, Pentanomial, Summary, Wdl};

#[derive(Clone, Debug)]
pub struct RunSummary {
    pub result: MatchResult,
    pub engines: Vec<EngineSummary>,
    /// Ratings among all engines that have played.
    pub ratings: BTreeMap<EngineIndex, Rating>,
    /// Pairings of engines that have met, in the order of the configuration.
    pub couples: Vec<CoupleSummary>,
    /// Course of Elo and LLR, in a run of two engines.
    pub course: Vec<CoursePoint>,
    pub white: Wdl,
    /// Advantage of White, in Elo, from the ratings of all engines.
    pub white_advantage: Option<Estimate>,
    /// The first games that ended by a fault, at most [`crate::report::run::MOST_FAULTS`].
    pub faults: Vec<FaultLine>,
    /// Lengths of games; `None` without any games.
    pub lengths: Option<Lengths>,
    pub openings: OpeningsSummary,
    /// Games by round and couple, as the first engine sees them; of a Swiss tournament only.
    pub rounds: BTreeMap<u32, BTreeMap<Couple, Wdl>>,
    pub pace: Pace,
    /// Workers by name; empty if one machine played all games.
    pub workers: BTreeMap<String, WorkerStats>,
}

#[derive(Clone, Debug)]
pub struct EngineSummary {
    pub as_white: Wdl,
    pub as_black: Wdl,
    pub time: TimeUse,
    /// What it has said of itself: one, unless it was changed during the run.
    pub ids: Vec<EngineId>,
}

/// Two engines against each other, from the view of the first.
#[derive(Clone, Debug)]
pub struct CoupleSummary {
    pub couple: Couple,
    pub games: Wdl,
    /// Games in which the first engine has White.
    pub as_white: Wdl,
    /// Pairs that count: all complete ones; with a test, in the order of the schedule up to the
    /// first that is incomplete, or at which the test stopped.
    pub counted: PairSummary,
    pub all: PairSummary,
    /// Strength computed from the pairs or games that count; `None` if there are none. Values that need a
    /// spread of results are NaN without one.
    pub strength: Option<Summary>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairSummary {
    /// Pairs by points of the first engine; none if games are not played in pairs.
    pub pairs: Pentanomial,
    pub games: Wdl,
    /// Number of even pairs with two draws; in the other even pairs, each engine won a game.
    pub drawn_twice: u64,
}

/// A run after some number of pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoursePoint {
    pub pairs: u64,
    /// Elo of the first engine; its interval is NaN without a spread of results.
    pub elo: Estimate,
    /// Log-likelihood ratio; `None` without a test.
    pub llr: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TimeUse {
    pub moves: u64,
    /// Mean time of a move, in milliseconds.
    #[serde(serialize_with = "digits")]
    pub mean_ms: Option<f64>,
    /// The longest time of a move, in milliseconds.
    #[serde(serialize_with = "digits")]
    pub longest_ms: f64,
    /// Mean time left at the end of a game, in milliseconds.
    #[serde(serialize_with = "digits")]
    pub mean_left_ms: Option<f64>,
    /// Least time left at the end of a game, in milliseconds.
    pub least_left_ms: Option<i64>,
    /// Maximum excess of a move over the clock within the time margin, in milliseconds.
    #[serde(serialize_with = "digits")]
    pub overstep_ms: Option<f64>,
    /// Nodes per second, over the moves that report nodes.
    #[serde(serialize_with = "digits")]
    pub nodes_per_second: Option<f64>,
    #[serde(serialize_with = "digits")]
    pub mean_nodes: Option<f64>,
    #[serde(serialize_with = "digits")]
    pub mean_depth: Option<f64>,
    /// Mean time of the first move of a game, the second, and so on, in milliseconds.
    #[serde(serialize_with = "all_digits")]
    pub by_move_ms: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultLine {
    /// Number of the game, from 0.
    pub game: u64,
    pub engine: EngineIndex,
    pub opponent: EngineIndex,
    pub kind: FaultKind,
    pub detail: String,
    /// Path of the transcript, relative to the run directory.
    pub transcript: Option<String>,
}

/// Lengths of games in plies, without book moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lengths {
    #[serde(serialize_with = "digits")]
    pub mean: f64,
    /// Median; for an even number of games, the mean of the middle two.
    #[serde(serialize_with = "digits")]
    pub median: f64,
    pub shortest: usize,
    pub longest: usize,
    #[serde(skip)]
    pub classes: Vec<(Range<usize>, u64)>,
}

#[derive(Clone, Debug, Default)]
pub struct OpeningsSummary {
    pub played: u64,
    /// Number of pairs in which White won both games.
    pub white_twice: u64,
    /// Number of pairs in which Black won both games.
    pub black_twice: u64,
    /// The most one-sided openings with enough games, see [`crate::report::run::FEWEST_OPENING_GAMES`].
    pub one_sided: Vec<OpeningLine>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningLine {
    pub label: String,
    pub white: Wdl,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// When the first game began and the last one ended, in milliseconds since 1970.
    pub span_ms: Option<[u64; 2]>,
    /// Milliseconds in which games were played, without pauses.
    pub busy_ms: u64,
    /// Games per minute of that time; `None` if that time is zero.
    pub games_per_minute: Option<f64>,
}

fn all_digits<S: Serializer>(numbers: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(numbers.iter().copied().map(twelve_digits))
}

impl EngineSummary {
    pub const fn games(&self) -> Wdl {
        Wdl {
            wins: self.as_white.wins + self.as_black.wins,
            draws: self.as_white.draws + self.as_black.draws,
            losses: self.as_white.losses + self.as_black.losses,
        }
    }
}

impl CoupleSummary {
    /// Games in which the first engine has Black.
    pub const fn as_black(&self) -> Wdl {
        Wdl {
            wins: self.games.wins - self.as_white.wins,
            draws: self.games.draws - self.as_white.draws,
            losses: self.games.losses - self.as_white.losses,
        }
    }

    pub fn in_incomplete_pairs(&self) -> u64 {
        self.games.games() - self.all.games.games()
    }

    /// Number of games of complete pairs that the test does not use.
    pub fn beyond_the_test(&self) -> u64 {
        self.all.games.games() - self.counted.games.games()
    }
}

impl PairSummary {
    pub fn counts(&self) -> Counts {
        if self.games.games() > 0 && self.pairs.pairs() == 0 {
            return Counts::Games(self.games);
        }
        Counts::Pairs {
            pairs: self.pairs,
            games: Some(self.games),
        }
    }

    /// Number of even pairs in which each engine won a game.
    pub const fn won_by_turns(&self) -> u64 {
        self.pairs.0[2] - self.drawn_twice
    }
}

impl RunSummary {
    /// The two engines, if the run has no more.
    pub fn only_couple(&self) -> Option<&CoupleSummary> {
        match self.couples.as_slice() {
            [only] if self.engines.len() == 2 => Some(only),
            _ => None,
        }
    }
}
