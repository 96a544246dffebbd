//! How to search, and for how long.

use std::fmt;

use chess::notation::uci_move::UciMove;

/// The limits of a search; none at all leaves the end to the engine or to `stop`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// White's time left, in milliseconds; negative once it has been overstepped.
    pub wtime_ms: Option<i64>,
    /// Black's time left, in milliseconds; negative once it has been overstepped.
    pub btime_ms: Option<i64>,
    /// What White gets for each move, in milliseconds.
    pub winc_ms: Option<u64>,
    /// What Black gets for each move, in milliseconds.
    pub binc_ms: Option<u64>,
    /// Moves to the next time control.
    pub movestogo: Option<u32>,
    /// Plies to search.
    pub depth: Option<u32>,
    /// Positions to search.
    pub nodes: Option<u64>,
    /// Mate to look for, in moves.
    pub mate: Option<u32>,
    /// Time to search, in milliseconds.
    pub movetime_ms: Option<u64>,
    /// Plies to count the leaves of, in place of a search: no part of UCI, but widely known. Many
    /// engines take 0 for a search without end.
    pub perft: Option<u32>,
    /// Whether to search until `stop`.
    pub infinite: bool,
    /// Whether to search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// The only root moves to search; empty for all.
    pub searchmoves: Vec<UciMove>,
}

impl fmt::Display for Go {
    /// Writes each limit with a blank before it. The moves come last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ponder {
            f.write_str(" ponder")?;
        }
        write_limit(f, "wtime", self.wtime_ms)?;
        write_limit(f, "btime", self.btime_ms)?;
        write_limit(f, "winc", self.winc_ms)?;
        write_limit(f, "binc", self.binc_ms)?;
        write_limit(f, "movestogo", self.movestogo)?;
        write_limit(f, "depth", self.depth)?;
        write_limit(f, "nodes", self.nodes)?;
        write_limit(f, "mate", self.mate)?;
        write_limit(f, "movetime", self.movetime_ms)?;
        write_limit(f, "perft", self.perft)?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        if !self.searchmoves.is_empty() {
            f.write_str(" searchmoves")?;
        }
        self.searchmoves.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

fn write_limit(
    f: &mut fmt::Formatter<'_>,
    key: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    match value {
        Some(value) => write!(f, " {key} {value}"),
        None => Ok(()),
    }
}
