//! The `info` message.

use std::fmt;
use std::str::FromStr;

use chess::notation::uci_move::UciMove;

use crate::grammar::words::{Words, write_value};

/// An `info` line. Missing or unreadable fields are `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// Selective search depth in plies.
    pub seldepth: Option<u32>,
    /// Rank of this PV in `MultiPV` mode, 1 for the best.
    pub multipv: Option<u32>,
    /// Score from the side to move's point of view.
    pub score: Option<Score>,
    /// Win, draw and loss probabilities for the side to move.
    pub wdl: Option<WinDrawLoss>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Usage of the transposition table, in permill.
    pub hashfull: Option<u32>,
    /// Endgame tablebase hits.
    pub tbhits: Option<u64>,
    /// Hits in Shredder's endgame databases.
    pub sbhits: Option<u64>,
    /// CPU load, in permill.
    pub cpuload: Option<u32>,
    /// Time searched, in milliseconds.
    pub time_ms: Option<u64>,
    /// The move being searched.
    pub currmove: Option<UciMove>,
    /// Its number among the root moves, from 1.
    pub currmovenumber: Option<u32>,
    /// A move followed by its refutation.
    pub refutation: Vec<UciMove>,
    /// The line a processor is searching.
    pub currline: Option<CurrLine>,
    /// The principal variation.
    pub pv: Vec<UciMove>,
    /// The first word behind its moves, if it is meant as a move and is none: the variation went on with it.
    pub pv_rest: Option<String>,
    /// Arbitrary text, to the end of the line.
    pub string: Option<String>,
}

/// A score, exact or a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Score {
    /// The score, in centipawns or moves to mate.
    pub value: ScoreValue,
    /// Whether the score is only a lower or an upper bound.
    pub bound: Option<Bound>,
}

/// The score of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScoreValue {
    /// In centipawns.
    Cp(i32),
    /// Mate in this many moves, not plies; negative if the side to move is being mated, 0 if it is
    /// checkmated.
    Mate(i32),
}

/// The kind of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// Probabilities of the results, in permill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WinDrawLoss {
    /// Probability of a win.
    pub win: u32,
    /// Probability of a draw.
    pub draw: u32,
    /// Probability of a loss.
    pub loss: u32,
}

/// The line a processor is searching.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrLine {
    /// The number of the processor, from 1; `None` if there is only one.
    pub cpu: Option<u32>,
    /// The moves of the line.
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

/// A text that is not a score.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a score, expected such as 'cp 31', 'mate -3', 'cp 31 lowerbound'")]
pub struct ParseScoreError {
    text: String,
}

impl FromStr for Score {
    type Err = ParseScoreError;

    /// Reads what is written by `Display`.
    fn from_str(text: &str) -> Result<Self, ParseScoreError> {
        let score = Info::read(&mut Words::new(text)).score;
        score
            // `read` is lenient; a text that it understands otherwise than written is an error
            // here.
            .filter(|score| score.to_string() == text)
            .ok_or_else(|| ParseScoreError {
                text: text.to_owned(),
            })
    }
}

impl fmt::Display for WinDrawLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.win, self.draw, self.loss)
    }
}

impl fmt::Display for Info {
    /// Writes each field with its key and a leading blank.
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
        if let Some(word) = &self.pv_rest {
            write!(f, " {word}")?;
        }
        write_value(f, "string", self.string.as_deref())
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

/// Words that are never values.
const KEYS: &str = "\
    depth seldepth multipv score cp mate lowerbound upperbound wdl nodes nps hashfull tbhits \
    sbhits cpuload time currmove currmovenumber refutation currline pv string info";

impl Info {
    /// Parses the arguments of `info`.
    pub(super) fn read(words: &mut Words<'_>) -> Self {
        let mut info = Self::default();
        // Some engines print it before the value.
        let mut bound_ahead = None;
        let mut has_value = false;
        while let Some(key) = words.next() {
            match key.text {
                "score" => (bound_ahead, has_value) = (None, false),
                "depth" => info.depth = value(words),
                "seldepth" => info.seldepth = value(words),
                "multipv" => info.multipv = value(words),
                kind @ ("cp" | "mate") => {
                    let number: Option<i32> = value(words);
                    let value = number.map(match kind {
                        "cp" => ScoreValue::Cp,
                        _ => ScoreValue::Mate,
                    });
                    let bound = bound_ahead.take();
                    info.score = value.map(|value| Score { value, bound });
                    has_value = true;
                }
                kind @ ("lowerbound" | "upperbound") => {
                    let bound = Some(match kind {
                        "lowerbound" => Bound::Lower,
                        _ => Bound::Upper,
                    });
                    match &mut info.score {
                        Some(score) if has_value => score.bound = bound,
                        _ => bound_ahead = bound,
                    }
                }
                "wdl" => info.wdl = wdl(words),
                "nodes" => info.nodes = value(words),
                "nps" => info.nps = value(words),
                "hashfull" => info.hashfull = value(words),
                "tbhits" => info.tbhits = value(words),
                "sbhits" => info.sbhits = value(words),
                "cpuload" => info.cpuload = value(words),
                "time" => info.time_ms = value(words),
                "currmove" => info.currmove = value(words),
                "currmovenumber" => info.currmovenumber = value(words),
                "refutation" => info.refutation = moves(words),
                "currline" => info.currline = Some(currline(words)),
                "pv" => {
                    info.pv = moves(words);
                    let rest = words.peek().filter(|word| is_meant_as_move(word.text));
                    let rest = rest.filter(|_| !info.pv.is_empty());
                    info.pv_rest = rest.map(|word| word.text.to_owned());
                }
                "string" => info.string = Some(words.rest().to_owned()),
                // An unknown key is skipped, and so are its values: they are not keys either.
                _ => {}
            }
        }
        info
    }
}

fn is_key(word: &str) -> bool {
    KEYS.split(' ').any(|key| key == word)
}

/// Whether a word that is no move stands in the place of one: it names a square or what looks like one, or says that there is
/// no move. Some engines put keys of their own behind the moves, such as `bmc`.
fn is_meant_as_move(word: &str) -> bool {
    let names_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'0'..=b'9']);
    matches!(word, "0000" | "(none)" | "O-O" | "O-O-O" | "0-0" | "0-0-0")
        || word.as_bytes().windows(2).any(names_square)
}

/// Returns true if the next word is a key of `info`.
pub(super) fn begins_with_key(words: &Words<'_>) -> bool {
    words.peek().is_some_and(|word| is_key(word.text))
}

/// Parses the next word as a value. A key is left unread: its own value may follow.
fn value<T: FromStr>(words: &mut Words<'_>) -> Option<T> {
    let word = words.peek().filter(|word| !is_key(word.text))?;
    words.next();
    word.text.parse().ok()
}

/// Parses words as long as they are moves.
fn moves(words: &mut Words<'_>) -> Vec<UciMove> {
    let mut moves = Vec::new();
    while let Some(m) = words.peek().and_then(|word| word.text.parse().ok()) {
        moves.push(m);
        words.next();
    }
    moves
}

fn wdl(words: &mut Words<'_>) -> Option<WinDrawLoss> {
    Some(WinDrawLoss {
        win: value(words)?,
        draw: value(words)?,
        loss: value(words)?,
    })
}

fn currline(words: &mut Words<'_>) -> CurrLine {
    let number = words.peek().and_then(|word| word.text.parse().ok());
    if number.is_some() {
        words.next();
    }
    CurrLine {
        cpu: number,
        moves: moves(words),
    }
}
