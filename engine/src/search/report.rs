//! What a search reports while it runs, and what it has found.

use std::time::Duration;

use chess::rules::Move;

/// What a search reports while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// One of the best lines. They come together, best first, each with a first move of its own: as
    /// many as [`multipv`](super::Limits::multipv) asks for, or as there are moves.
    Line(Line),
    /// A root move whose search begins; reported only once a search has lasted some seconds.
    CurrentMove {
        /// The depth of the iteration.
        depth: u32,
        /// The move.
        m: Move,
        /// Its number among the root moves, from 1.
        number: usize,
        /// Positions searched so far.
        nodes: u64,
        /// Time since the command to search.
        elapsed: Duration,
    },
}

/// A best line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Plies that were searched, extensions and quiescence apart.
    pub depth: u32,
    /// The deepest ply that was looked at.
    pub seldepth: u32,
    /// The rank of the line, 1 for the best.
    pub multipv: usize,
    /// The value for the side to move.
    pub value: i32,
    /// Which side of the true value it is on, if it is only a bound.
    pub bound: Option<ScoreBound>,
    /// Positions searched so far.
    pub nodes: u64,
    /// Time since the command to search.
    pub elapsed: Duration,
    /// How full the table is with what this search found, in permill.
    pub hashfull: u32,
    /// Positions that were found in endgame tables, by the thread that reports.
    pub table_hits: u64,
    /// The line, captures of the quiescence search included.
    pub pv: Vec<Move>,
}

/// A bound of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreBound {
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The best move; none only where no move is legal.
    pub best: Option<Move>,
    /// The answer that is expected.
    pub ponder: Option<Move>,
    /// The value of the position; where not even one move was searched, what the evaluation says.
    pub value: i32,
    /// The depth of the iteration from which move and value come.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
}
