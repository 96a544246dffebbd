//! The `go` command: search limits.

use std::fmt;

use chess::notation::uci_move::UciMove;

/// Search limits; without any, the engine or `stop` ends the search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// White's remaining time in milliseconds; negative after a time forfeit.
    pub wtime_ms: Option<i64>,
    /// Black's remaining time in milliseconds; negative after a time forfeit.
    pub btime_ms: Option<i64>,
    /// White's increment per move, in milliseconds.
    pub winc_ms: Option<u64>,
    /// Black's increment per move, in milliseconds.
    pub binc_ms: Option<u64>,
    /// Moves to the next time control.
    pub movestogo: Option<u32>,
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// Number of nodes to search.
    pub nodes: Option<u64>,
    /// Distance of the mate to search for, in moves.
    pub mate: Option<u32>,
    /// Time to search, in milliseconds.
    pub movetime_ms: Option<u64>,
    /// Perft depth in plies, to count leaf nodes instead of searching: not part of UCI, but widely
    /// supported. Many engines treat 0 as an infinite search.
    pub perft: Option<u32>,
    /// Whether to search until `stop`.
    pub infinite: bool,
    /// Whether to search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// The root moves to search; empty for all.
    pub searchmoves: Vec<UciMove>,
}

impl fmt::Display for Go {
    /// Writes each limit with a leading blank. The moves come last.
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
