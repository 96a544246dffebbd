//! What an engine says about its search.

use std::fmt;

use chess::notation::uci_move::UciMove;

/// An `info` line. What was not said, or could not be read, is `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth of the search, in plies.
    pub depth: Option<u32>,
    /// Depth of the deepest line looked at, in plies.
    pub seldepth: Option<u32>,
    /// Rank of this line among several, 1 for the best.
    pub multipv: Option<u32>,
    /// What the position is worth to the side to move.
    pub score: Option<Score>,
    /// Chances of the side to move.
    pub wdl: Option<WinDrawLoss>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Positions searched a second.
    pub nps: Option<u64>,
    /// How full the transposition table is, in permill.
    pub hashfull: Option<u32>,
    /// Positions found in endgame tables.
    pub tbhits: Option<u64>,
    /// Positions found in Shredder's endgame databases.
    pub sbhits: Option<u64>,
    /// Load of the CPU, in permill.
    pub cpuload: Option<u32>,
    /// Time searched, in milliseconds.
    pub time_ms: Option<u64>,
    /// The move being searched.
    pub currmove: Option<UciMove>,
    /// Its number among the root moves, from 1.
    pub currmovenumber: Option<u32>,
    /// A move, and the line that refutes it.
    pub refutation: Vec<UciMove>,
    /// The line a processor is looking at.
    pub currline: Option<CurrLine>,
    /// The principal variation.
    pub pv: Vec<UciMove>,
    /// Any text, to the end of the line.
    pub string: Option<String>,
}

/// A score with its certainty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Score {
    /// The score.
    pub value: ScoreValue,
    /// Which side of the true score it is on, if it is only a bound.
    pub bound: Option<Bound>,
}

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScoreValue {
    /// In centipawns.
    Cp(i32),
    /// Mate in this many moves, not plies; negative when the side to move is mated, 0 when it is
    /// mated already.
    Mate(i32),
}

/// A bound of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// Chances of a result, in permill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WinDrawLoss {
    /// Of a win.
    pub win: u32,
    /// Of a draw.
    pub draw: u32,
    /// Of a loss.
    pub loss: u32,
}

/// The line a processor is looking at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrLine {
    /// The number of the processor, from 1; none where there is but one.
    pub cpu: Option<u32>,
    /// The line.
    pub moves: Vec<UciMove>,
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            ScoreValue::Cp(value) => write!(f, "cp {value}")?,
            ScoreValue::Mate(moves) => write!(f, "mate {moves}")?,
        }
        f.write_str(match self.bound {
            Some(Bound::Lower) => " lowerbound",
            Some(Bound::Upper) => " upperbound",
            None => "",
        })
    }
}

impl fmt::Display for WinDrawLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.win, self.draw, self.loss)
    }
}

impl fmt::Display for Info {
    /// Writes each value with its key and a blank before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_value(f, "depth", self.depth)?;
        write_value(f, "seldepth", self.seldepth)?;
        write_value(f, "multipv", self.multipv)?;
        write_value(f, "score", self.score)?;
        write_value(f, "wdl", self.wdl)?;
        write_value(f, "nodes", self.nodes)?;
        write_value(f, "nps", self.nps)?;
        write_value(f, "hashfull", self.hashfull)?;
        write_value(f, "tbhits", self.tbhits)?;
        write_value(f, "sbhits", self.sbhits)?;
        write_value(f, "cpuload", self.cpuload)?;
        write_value(f, "time", self.time_ms)?;
        write_value(f, "currmove", self.currmove)?;
        write_value(f, "currmovenumber", self.currmovenumber)?;
        write_line(f, "refutation", &self.refutation)?;
        if let Some(line) = &self.currline {
            f.write_str(" currline")?;
            line.cpu.map_or(Ok(()), |cpu| write!(f, " {cpu}"))?;
            write_moves(f, &line.moves)?;
        }
        write_line(f, "pv", &self.pv)?;
        write_value(f, "string", self.string.as_deref())
    }
}

fn write_value(
    f: &mut fmt::Formatter<'_>,
    key: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    match value {
        Some(value) => write!(f, " {key} {value}"),
        None => Ok(()),
    }
}

fn write_line(f: &mut fmt::Formatter<'_>, key: &str, moves: &[UciMove]) -> fmt::Result {
    if moves.is_empty() {
        return Ok(());
    }
    write!(f, " {key}")?;
    write_moves(f, moves)
}

fn write_moves(f: &mut fmt::Formatter<'_>, moves: &[UciMove]) -> fmt::Result {
    moves.iter().try_for_each(|m| write!(f, " {m}"))
}
