//! Principal variations, search reports and results.

use std::time::Duration;

use chess::rules::Move;

use super::MAX_PLY;

/// A report of a running search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchUpdate {
    /// A principal variation. PVs are reported together, best first, with distinct first moves:
    /// [`multipv`](super::SearchLimits::multipv) of them, or as many as there are moves.
    Line(PvLine),
    /// The root move whose search begins; reported only after some seconds.
    CurrentMove {
        /// Depth of the iteration.
        depth: u32,
        /// The root move.
        m: Move,
        /// Its number among the root moves, from 1.
        number: usize,
        /// Nodes searched so far.
        nodes: u64,
        /// Time since the search command.
        elapsed: Duration,
    },
}

/// A principal variation with its score and statistics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PvLine {
    /// Depth in plies, without extensions and quiescence.
    pub depth: u32,
    /// Selective depth: the maximal ply reached.
    pub seldepth: u32,
    /// Rank of the PV, 1 for the best.
    pub multipv: usize,
    /// Score for the side to move, in centipawns or as a mate score.
    pub value: i32,
    /// Whether the score is a lower or upper bound; `None` if exact.
    pub bound: Option<ScoreBound>,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Time since the search command.
    pub elapsed: Duration,
    /// Fill level of the transposition table with entries of this search, in permill.
    pub hashfull: u32,
    /// Tablebase hits of the reporting thread.
    pub table_hits: u64,
    /// The moves of the PV, including captures of the quiescence search.
    pub pv: Vec<Move>,
}

/// The kind of a score bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreBound {
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move; `None` only if there is no legal move.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// Score of the position; the static evaluation if not even one move was searched.
    pub value: i32,
    /// Depth of the iteration that produced move and score.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

/// The principal variation from each ply on. It consists of moves that were searched, so it is
/// legal and ends where the search ended.
pub(super) struct PvTable(Box<[Vec<Move>]>);

impl PvTable {
    pub(super) fn new() -> Self {
        Self((0..=MAX_PLY).map(|_| Vec::with_capacity(MAX_PLY)).collect())
    }

    /// Clears the PV from `ply` on.
    #[inline(always)]
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Sets the PV from `ply` on to `m` followed by the PV of the next ply.
    pub(super) fn set(&mut self, ply: usize, m: Move) {
        let (before, after) = self.0.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&after[0]);
    }

    /// The PV from `ply` on.
    pub(super) fn get(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}
