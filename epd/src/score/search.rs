//! Records an engine's output during a search.

use std::time::Duration;

use chess::notation::uci_move::UciMove;
use uci::grammar::{Info, Reply, Score};

/// The progress of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The last depth reported, in plies.
    pub depth: Option<u32>,
    /// The last node count reported.
    pub nodes: Option<u64>,
    /// The time since `go`, by our own clock.
    pub time: Duration,
}

/// A principal variation, as reported by the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// When it was reported.
    pub moment: Moment,
    /// Its score, if one was reported with it.
    pub score: Option<Score>,
    /// Its moves, at least one; legality is not checked yet.
    pub pv: Vec<UciMove>,
}

/// A finished search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The PVs reported, first to last.
    pub observations: Vec<Observation>,
    /// The reply after `bestmove`.
    pub reply: Reply,
    /// The end of the search, when `bestmove` came.
    pub end: Moment,
}

/// Records an engine's output. With `multipv`, only the best line counts.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    observations: Vec<Observation>,
    latest: Moment,
}

impl Recorder {
    /// Records an `info` line that came `since_go` after `go`.
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

    /// Finishes the search with the best move that came `since_go` after `go`.
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
