//! One search: whether what the engine says of it can be true.

use chess::notation::fen;
use chess::notation::uci_move::UciMove;
use chess::rules::{CastlingMode, Move, Outcome, Position};
use uci::grammar::{BestMove, Bound, Go, Info, Reply, ScoreValue};

use crate::talk::Fault;

/// No evaluation is beyond this, in centipawns.
const MOST_CENTIPAWNS: u32 = 20_000;
/// No mate is further away, in moves: half of the longest line.
const MOST_MOVES_TO_MATE: u32 = 80;
/// Limits up to these end a search soon.
const FEW_NODES: u64 = 50_000;
const SHORT_MS: u64 = 2_000;

/// A search under way.
pub(crate) struct Search {
    position: Position,
    mode: CastlingMode,
    /// The root moves that may be searched.
    allowed: Vec<Move>,
    multipv: usize,
    go: Go,
    /// Whether `stop` was sent.
    pub(crate) stopped: bool,
    /// Whether it is still the opponent's time.
    pub(crate) pondering: bool,
    reported: Reported,
}

/// What was said of the search so far.
#[derive(Default)]
struct Reported {
    depth: u32,
    /// The first moves of the lines that came together last.
    firsts: Vec<Move>,
    /// The answer in the first of them.
    answer: Option<UciMove>,
    /// Score and depth of the last of them.
    score: i64,
    last_depth: u32,
    nodes: u64,
    time_ms: u64,
}

impl Search {
    /// The search that `go` asks for, or `None` where one of `searchmoves` is not legal.
    pub(crate) fn new(
        go: &Go,
        position: Position,
        mode: CastlingMode,
        multipv: usize,
    ) -> Option<Self> {
        let read = |text: &UciMove| read_move(*text, &position, mode);
        let mut allowed: Vec<Move> = go.searchmoves.iter().map(read).collect::<Option<_>>()?;
        if allowed.is_empty() {
            allowed = position.legal_moves().into_iter().collect();
        }
        allowed.sort_unstable();
        allowed.dedup();
        Some(Self {
            multipv: multipv.min(allowed.len()),
            position,
            mode,
            allowed,
            pondering: go.ponder,
            go: go.clone(),
            stopped: false,
            reported: Reported::default(),
        })
    }

    /// Whether the answer must wait for `stop` or `ponderhit`.
    pub(crate) fn is_held(&self) -> bool {
        !self.stopped && (self.pondering || self.go.infinite)
    }

    /// Whether it has a limit and needs no `stop`.
    pub(crate) fn ends_by_itself(&self) -> bool {
        let limited = self.go.depth.is_some()
            || self.go.nodes.is_some()
            || self.go.mate.is_some()
            || self.go.movetime_ms.is_some()
            || self.time_ms().is_some();
        limited && !self.pondering && !self.go.infinite
    }

    /// The time on the clock of the side to move.
    fn time_ms(&self) -> Option<i64> {
        match self.position.side_to_move() {
            chess::rules::Color::White => self.go.wtime_ms,
            chess::rules::Color::Black => self.go.btime_ms,
        }
    }

    /// Whether it ends soon, without a stop.
    pub(crate) fn ends_soon(&self) -> bool {
        let time = self.time_ms();
        let limited = self.go.nodes.is_some_and(|nodes| nodes <= FEW_NODES)
            || self.go.movetime_ms.is_some_and(|time| time <= SHORT_MS)
            || time.is_some_and(|time| time <= SHORT_MS.cast_signed());
        self.stopped || limited && !self.is_held()
    }

    /// Hears an `info` that is not mere text.
    pub(crate) fn hear(&mut self, info: &Info) -> Result<(), Fault> {
        self.check_numbers(info)?;
        if let Some(m) = info.currmove {
            self.root_move(m)?;
        }
        match info.pv.first() {
            Some(&first) => self.hear_line(info, first),
            None if self.allowed.is_empty() || info.score.is_none() => Ok(()),
            None => Err("a score without a line".to_owned()),
        }
    }

    fn check_numbers(&mut self, info: &Info) -> Result<(), Fault> {
        let (nodes, time_ms) = (info.nodes.unwrap_or(0), info.time_ms.unwrap_or(0));
        let wdl = info.wdl.map_or(1000, |wdl| wdl.win + wdl.draw + wdl.loss);
        #[rustfmt::skip]
        let sound = [
            (info.multipv <= Some(1) || (nodes, time_ms) == (self.reported.nodes, self.reported.time_ms), "lines that come together have other nodes or time"),
            (info.hashfull.unwrap_or(0) <= 1000, "hashfull beyond 1000"),
            (wdl == 1000, "win, draw and loss are not 1000 together"),
            (nodes >= self.reported.nodes, "fewer nodes than before"),
            (time_ms >= self.reported.time_ms, "less time than before"),
            (nodes <= self.go.nodes.map_or(u64::MAX, |most| most.max(1)), "more nodes than allowed"),
            (info.depth.unwrap_or(0) <= self.go.depth.map_or(u32::MAX, |most| most.max(1)), "deeper than allowed"),
        ];
        (self.reported.nodes, self.reported.time_ms) = (nodes, time_ms);
        match sound.iter().find(|(holds, _)| !holds) {
            Some((_, fault)) => Err((*fault).to_owned()),
            None => Ok(()),
        }
    }

    fn hear_line(&mut self, info: &Info, first: UciMove) -> Result<(), Fault> {
        let first = self.root_move(first)?;
        let last = self.replay(&info.pv)?;
        let score = Self::check_score(info, &last)?;
        let (Some(depth), Some(rank)) = (info.depth, info.multipv) else {
            return Err("a line without depth or multipv".to_owned());
        };
        if rank == 1 {
            self.expect_all_lines()?;
            if depth < self.reported.depth {
                return Err("a lower depth than before".to_owned());
            }
            self.reported.depth = depth;
            self.reported.firsts.clear();
            self.reported.answer = info.pv.get(1).copied();
        } else if score > self.reported.score {
            return Err("a better score than that of the line before".to_owned());
        } else if depth > self.reported.last_depth {
            // Where an iteration was not finished, the last lines are those of the one before.
            return Err("a line is deeper than the one before".to_owned());
        } else if info
            .score
            .is_some_and(|score| score.bound == Some(Bound::Lower))
        {
            return Err("a line that is not the first is better than its score".to_owned());
        }
        if rank as usize != self.reported.firsts.len() + 1 {
            return Err("multipv out of order".to_owned());
        }
        if self.reported.firsts.contains(&first) {
            return Err("two lines begin with the same move".to_owned());
        }
        self.reported.firsts.push(first);
        (self.reported.score, self.reported.last_depth) = (score, depth);
        Ok(())
    }

    /// All lines come together.
    fn expect_all_lines(&self) -> Result<(), Fault> {
        let reported = self.reported.firsts.len();
        if reported == 0 || reported == self.multipv {
            return Ok(());
        }
        Err(format!(
            "{reported} lines to depth {}, expected {}",
            self.reported.depth, self.multipv
        ))
    }

    /// Before a move comes its line with all others, unless it is of the book.
    fn expect_last_line(&self, best: Move, ponder: Option<UciMove>) -> Result<(), Fault> {
        match (self.reported.firsts.first(), self.reported.answer) {
            (None, _) => Ok(()),
            (Some(&first), _) if first != best => {
                Err("the best move is not that of the first line".to_owned())
            }
            (_, Some(answer)) if ponder != Some(answer) => {
                Err("the answer is not that of the first line".to_owned())
            }
            _ => self.expect_all_lines(),
        }
    }

    /// Checks a score against the position after its line, and gives a number that grows with it.
    fn check_score(info: &Info, last: &Position) -> Result<i64, Fault> {
        let Some(score) = info.score else {
            return Err("a line without a score".to_owned());
        };
        let is_sound = match score.value {
            ScoreValue::Cp(value) => value.unsigned_abs() <= MOST_CENTIPAWNS,
            ScoreValue::Mate(moves) => {
                let plies = 2 * moves.unsigned_abs() - u32::from(moves > 0);
                let mates = matches!(last.outcome(), Some(Outcome::Checkmate { .. }));
                // Where the table knew the rest, the line is shorter.
                let is_bound = score.bound.is_some();
                let as_reported = info.pv.len() < plies as usize || mates || is_bound;
                moves != 0 && moves.unsigned_abs() <= MOST_MOVES_TO_MATE && as_reported
            }
        };
        let height = match score.value {
            ScoreValue::Cp(value) => i64::from(value),
            ScoreValue::Mate(moves) => {
                let height = i64::from(MOST_CENTIPAWNS) + 1_000;
                i64::from(moves.signum()) * height - i64::from(moves)
            }
        };
        is_sound
            .then_some(height)
            .ok_or_else(|| format!("an impossible score:{info}"))
    }

    /// The position after a line.
    fn replay(&self, line: &[UciMove]) -> Result<Position, Fault> {
        let mut position = self.position;
        for &text in line {
            let Some(m) = text.to_move(&position, self.mode) else {
                return Err(format!("{text} is not legal in {}", fen::write(&position)));
            };
            position = position.play_unchecked(m);
        }
        Ok(position)
    }

    fn root_move(&self, text: UciMove) -> Result<Move, Fault> {
        text.to_move(&self.position, self.mode)
            .filter(|m| self.allowed.contains(m))
            .ok_or_else(|| format!("{text} may not be played in {}", fen::write(&self.position)))
    }

    /// Hears the answer.
    pub(crate) fn end(&self, answer: &BestMove) -> Result<(), Fault> {
        if self.is_held() {
            return Err("a best move before stop or ponderhit".to_owned());
        }
        match (&answer.reply, answer.ponder) {
            (Reply::NoMove, None) if self.allowed.is_empty() => Ok(()),
            (Reply::Move(best), ponder) => {
                let m = self.root_move(*best)?;
                self.expect_last_line(m, ponder)?;
                let line: Vec<UciMove> = std::iter::once(*best).chain(ponder).collect();
                self.replay(&line).map(drop)
            }
            (other, _) => Err(format!("{other} in {}", fen::write(&self.position))),
        }
    }
}

/// The legal move that is written so, in the form of `mode` or in the other.
pub(crate) fn read_move(text: UciMove, position: &Position, mode: CastlingMode) -> Option<Move> {
    let other = match mode {
        CastlingMode::Standard => CastlingMode::Chess960,
        CastlingMode::Chess960 => CastlingMode::Standard,
    };
    text.to_move(position, mode)
        .or_else(|| text.to_move(position, other))
}
