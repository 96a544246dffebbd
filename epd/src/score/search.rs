//! What an engine said during a search.

use std::time::Duration;

use chess::notation::uci_move::UciMove;
use uci::grammar::{Info, Reply, Score};

/// How far a search had come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The last depth told, in plies.
    pub depth: Option<u32>,
    /// The last number of nodes told.
    pub nodes: Option<u64>,
    /// The time since `go`, by our clock.
    pub time: Duration,
}

/// A principal variation, as the engine told it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// When it was told.
    pub moment: Moment,
    /// Its score, where one was told with it.
    pub score: Option<Score>,
    /// Its moves, at least one; whether they are legal is not known yet.
    pub pv: Vec<UciMove>,
}

/// A finished search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The variations told, first to last.
    pub observations: Vec<Observation>,
    /// What stood after `bestmove`.
    pub reply: Reply,
    /// The end, when the best move was given.
    pub end: Moment,
}

/// Gathers what an engine says. Of several lines at once (`multipv`) only the best counts.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    observations: Vec<Observation>,
    latest: Moment,
}

impl Recorder {
    /// Notes an `info` line that came so long after `go`.
    pub fn info(&mut self, since_go: Duration, info: &Info) {
        self.latest.nodes = info.nodes.or(self.latest.nodes);
        if info.multipv.is_some_and(|rank| rank > 1) {
            return;
        }
        self.latest.depth = info.depth.or(self.latest.depth);
        self.latest.time = since_go;
        if !info.pv.is_empty() {
            self.observations.push(Observation {
                moment: self.latest,
                score: info.score,
                pv: info.pv.clone(),
            });
        }
    }

    /// The search, with the best move that came so long after `go`.
    pub fn finish(self, since_go: Duration, reply: Reply) -> Search {
        Search {
            observations: self.observations,
            reply,
            end: Moment {
                time: since_go,
                ..self.latest
            },
        }
    }
}
