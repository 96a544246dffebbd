//! The rules of one game: which answers are moves, and when the game is over.
//!
//! Receives the answers of the engines; uses no clocks and no processes. A game ends, in this
//! order:
//!
//! 1. by the rules of chess: checkmate, stalemate, insufficient material;
//! 2. by threefold repetition and the fifty-move rule, without a claim;
//! 3. by adjudication, as configured: tablebases, resignation, draw, maximum length.
//!
//! An answer that is not a legal move also ends the game, as the fault of the side that gave it,
//! whatever the position.

mod endgames;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use chess::notation::fen;
use chess::notation::uci_move::{self, UciMove};
use chess::rules::{ByColor, CastlingMode, Color, Game, Move, Outcome, Position};
use uci::grammar::{Reply, ScoreValue};

use crate::model::{Adjudication, FaultKind, GameResult, Opening, Termination};
pub use endgames::Endgames;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    pub result: GameResult,
    pub termination: Termination,
}

impl Ending {
    /// The end of the game by the rules alone, without adjudication; `None` if it continues.
    pub fn by_the_rules(game: &Game) -> Option<Self> {
        let position = game.position();
        let draw = |termination| {
            Some(Self {
                result: GameResult::Draw,
                termination,
            })
        };
        // FIDE Laws 5.1 and 5.2 end the game at once. 9.2 and 9.3 want a claim, for which UCI has
        // no command, so they end it at once here.
        match position.outcome() {
            Some(Outcome::Checkmate { winner }) => Some(Self {
                result: won_by(winner),
                termination: Termination::Checkmate,
            }),
            Some(Outcome::Stalemate) => draw(Termination::Stalemate),
            Some(Outcome::InsufficientMaterial) => draw(Termination::InsufficientMaterial),
            _ if game.repetitions() >= 3 => draw(Termination::Threefold),
            _ if position.halfmove_clock() >= 100 => draw(Termination::FiftyMoves),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadAnswer {
    pub kind: FaultKind,
    /// The answer, in one sentence without a full stop.
    pub detail: String,
}

pub struct Referee<'r> {
    game: Game,
    mode: CastlingMode,
    /// The `position` line, which grows with each move.
    position_line: String,
    has_moves: bool,
    adjudicator: Adjudicator<'r>,
    ending: Option<Ending>,
}

impl<'r> Referee<'r> {
    /// Starts a game from an opening; the game may be over at once. `endgames` is probed if the
    /// adjudication rules require tablebases.
    pub fn new(
        opening: &Opening,
        rules: &'r Adjudication,
        endgames: Option<&'r dyn Endgames>,
    ) -> Result<Self, UnplayableOpening> {
        let unplayable = |reason| UnplayableOpening {
            label: opening.label.clone(),
            reason,
        };
        let start = read_start(opening).map_err(unplayable)?;
        let mut referee = Self {
            game: Game::new(start),
            mode: opening.castling_mode(),
            position_line: if start == Position::startpos() {
                "position startpos".to_owned()
            } else {
                format!("position fen {}", opening.fen)
            },
            has_moves: false,
            adjudicator: Adjudicator {
                rules,
                endgames,
                low: ByColor::default(),
                high: ByColor::default(),
                level: 0,
                plies: 0,
                number: 0,
            },
            ending: None,
        };
        for (number, text) in (1_usize..).zip(&opening.moves) {
            let m = uci_move::parse(text, referee.position(), referee.mode);
            let m = m.map_err(|error| unplayable(format!(", move {number}: {error}")))?;
            referee.play(m);
        }
        referee.ending = Ending::by_the_rules(&referee.game);
        Ok(referee)
    }

    pub fn position(&self) -> &Position {
        self.game.position()
    }

    pub fn side_to_move(&self) -> Color {
        self.position().side_to_move()
    }

    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// What is wrong with the principal variation of a mate score: it must be legal from here, end in
    /// mate, and be as long as the score says; its length also decides who is mated.
    pub fn bad_mate_pv(&self, moves: i64, pv: Option<&str>) -> Option<String> {
        let Some(pv) = pv else {
            return Some(format!("it announced mate {moves} without a PV"));
        };
        let mut position = *self.position();
        let mut plies = 0_u64;
        for text in pv.split_ascii_whitespace() {
            plies += 1;
            let Ok(m) = uci_move::parse(text, &position, self.mode) else {
                return Some(format!(
                    "ply {plies} of its PV for mate {moves} is '{text}', which is not legal there"
                ));
            };
            position = position.play_unchecked(m);
        }
        // UCI counts moves of the winner: 2n - 1 plies for the side that mates, 2n for the other.
        let expected = moves
            .unsigned_abs()
            .saturating_mul(2)
            .saturating_sub(u64::from(moves > 0));
        if plies != expected {
            return Some(format!(
                "its PV for mate {moves} has length {plies}, expected {expected} plies"
            ));
        }
        let is_mate = position.is_check() && position.legal_move_count() == 0;
        (!is_mate).then(|| format!("its PV for mate {moves} does not end in mate"))
    }

    /// The command for the current position: `position … moves …`.
    pub fn position_line(&self) -> &str {
        &self.position_line
    }

    /// The command for the position after one more move; `None` if that move is illegal or ends the
    /// game by checkmate, stalemate or insufficient material.
    pub fn position_line_after(&self, m: UciMove) -> Option<String> {
        let m_inside = m.to_move(self.position(), self.mode)?;
        let next = self.position().play_unchecked(m_inside);
        next.outcome().is_none().then(|| {
            let moves = if self.has_moves { "" } else { " moves" };
            format!("{}{moves} {m}", self.position_line)
        })
    }

    /// Returns true if a move is legal now.
    pub fn is_legal(&self, m: UciMove) -> bool {
        m.to_move(self.position(), self.mode).is_some()
    }

    /// Plays the answer of the side to move, with its score. Returns the end of the game, if this
    /// move ends it.
    pub fn answer(
        &mut self,
        reply: &Reply,
        score: Option<ScoreValue>,
    ) -> Result<Option<Ending>, BadAnswer> {
        let m = self.read(reply)?;
        let before = *self.position();
        self.play(m);
        let after = self.game.position();
        self.adjudicator.note(&before, after, score);
        self.ending = Ending::by_the_rules(&self.game).or_else(|| self.adjudicator.verdict(after));
        Ok(self.ending)
    }

    /// The end of a game by a fault of one side.
    pub fn lost_by(side: Color) -> Ending {
        Ending {
            result: won_by(!side),
            termination: Termination::Fault,
        }
    }

    /// The end of a game by the resignation of one side.
    pub fn resigned_by(side: Color) -> Ending {
        Ending {
            result: won_by(!side),
            termination: Termination::Resignation,
        }
    }

    fn read(&self, reply: &Reply) -> Result<Move, BadAnswer> {
        let (kind, what) = match reply {
            Reply::Move(m) => match m.to_move(self.position(), self.mode) {
                Some(m) => return Ok(m),
                None if m.lacks_promotion(self.position()) => (
                    FaultKind::IllegalMove,
                    "which is not legal: the promotion piece is missing",
                ),
                None => (FaultKind::IllegalMove, "which is not legal"),
            },
            Reply::NoMove => (FaultKind::NoMove, "though there are legal moves"),
            Reply::NullMove => (FaultKind::NoMove, "the null move"),
            Reply::Illegal(_) => (FaultKind::IllegalMove, "which is not legal"),
            Reply::Unreadable(text) => {
                let lower = text.to_ascii_lowercase().parse();
                let what = if lower.is_ok_and(|m| self.is_legal(m)) {
                    "which is not a move: it must be lower case"
                } else {
                    "which is not a move"
                };
                (FaultKind::Unreadable, what)
            }
        };
        let fen = fen::write(self.position());
        // The output of engines ends up on terminals.
        let printable = |c: char| if c.is_control() { '\u{fffd}' } else { c };
        let mut answer: String = reply.to_string().chars().map(printable).take(40).collect();
        if answer.is_empty() {
            "nothing".clone_into(&mut answer);
        }
        let detail = format!("it answered {answer}, {what}, in {fen}");
        Err(BadAnswer { kind, detail })
    }

    fn play(&mut self, m: Move) {
        let text = UciMove::from_move(m, self.position(), self.mode);
        self.position_line
            .push_str(if self.has_moves { " " } else { " moves " });
        write!(self.position_line, "{text}").expect("a text takes any text");
        self.has_moves = true;
        self.game.play(m).expect("the move has been found legal");
    }
}

fn won_by(side: Color) -> GameResult {
    match side {
        Color::White => GameResult::WhiteWins,
        Color::Black => GameResult::BlackWins,
    }
}

// Adjudication: ending games before the rules of chess do. All rules are off by default.
//
// - **Resignation**: a side loses once the scores of its last moves have all been at or below the
// limit; if two-sided, those of its opponent must also have been at or above it.
// - **Draw**: the scores of a number of consecutive moves of both sides are within the limit, and
// the last of them is not before the first move number allowed. Captures and pawn moves restart
// the count, and are its first move.
// - **Maximum length**: the engines have played the given number of full moves, opening excluded.
// - **Tablebases**: the position has a known result.
//
// A mate score exceeds any limit. A move without a score resets every count, since the engine's
// opinion is unknown.

/// The rules and the current counts.
struct Adjudicator<'r> {
    rules: &'r Adjudication,
    endgames: Option<&'r dyn Endgames>,
    /// Consecutive moves of a side with a score that is as good as lost.
    low: ByColor<u32>,
    /// Consecutive moves of a side with a score that is as good as won.
    high: ByColor<u32>,
    /// Consecutive plies with a score near zero.
    level: u32,
    plies: u32,
    /// The number of the last move, as on a score sheet.
    number: u32,
}

impl Adjudicator<'_> {
    /// Notes a move, with its score from the mover's point of view.
    fn note(&mut self, before: &Position, after: &Position, score: Option<ScoreValue>) {
        self.plies += 1;
        self.number = before.fullmove_number();
        let score = score.map(in_centipawns);
        if let Some(rule) = self.rules.resign {
            let limit = i64::from(rule.score_cp);
            let side = before.side_to_move();
            count(&mut self.low[side], score.is_some_and(|cp| cp <= -limit));
            count(&mut self.high[side], score.is_some_and(|cp| cp >= limit));
        }
        if let Some(rule) = self.rules.draw {
            let is_capture_or_pawn_move = after.halfmove_clock() == 0;
            if is_capture_or_pawn_move {
                self.level = 0;
            }
            let limit = i64::from(rule.score_cp);
            count(&mut self.level, score.is_some_and(|cp| cp.abs() <= limit));
        }
    }

    /// The end of the game after the last move noted.
    fn verdict(&self, position: &Position) -> Option<Ending> {
        self.by_tables(position)
            .or_else(|| self.by_resignation())
            .or_else(|| self.by_agreement())
            .or_else(|| self.by_length())
    }

    fn by_tables(&self, position: &Position) -> Option<Ending> {
        let rule = self.rules.tablebase.as_ref()?;
        let tables = self.endgames?;
        let pieces = rule.pieces.unwrap_or(u32::MAX).min(tables.pieces());
        if !endgames::may_know(position, pieces) {
            return None;
        }
        let value = tables.probe(position)?;
        endgames::ending(value, position, rule.fifty_moves)
            .filter(|ending| rule.results.includes(ending.result == GameResult::Draw))
    }

    fn by_resignation(&self) -> Option<Ending> {
        let rule = self.rules.resign?;
        // A stored configuration may have 0, by which every game would be lost at once.
        let moves = rule.moves.max(1);
        let has_lost = |side: &Color| {
            self.low[*side] >= moves && (!rule.two_sided || self.high[!*side] >= moves)
        };
        let loser = Color::ALL.into_iter().find(has_lost)?;
        Some(Ending {
            result: won_by(!loser),
            termination: Termination::ResignAdjudication,
        })
    }

    fn by_agreement(&self) -> Option<Ending> {
        let rule = self.rules.draw?;
        let plies = rule.moves.max(1).saturating_mul(2);
        let is_drawn = self.number >= rule.from_move && self.level >= plies;
        is_drawn.then_some(Ending {
            result: GameResult::Draw,
            termination: Termination::DrawAdjudication,
        })
    }

    fn by_length(&self) -> Option<Ending> {
        let plies = self.rules.max_moves?.saturating_mul(2);
        (self.plies >= plies).then_some(Ending {
            result: GameResult::Draw,
            termination: Termination::MaxMoves,
        })
    }
}

fn count(series: &mut u32, is_met: bool) {
    *series = if is_met { *series + 1 } else { 0 };
}

/// The score as a number; a mate exceeds any limit. A side that is mated reports `mate 0`.
fn in_centipawns(score: ScoreValue) -> i64 {
    match score {
        ScoreValue::Cp(cp) => i64::from(cp),
        ScoreValue::Mate(moves) if moves > 0 => i64::MAX,
        // Not `i64::MIN`, whose absolute value overflows.
        ScoreValue::Mate(_) => -i64::MAX,
    }
}

/// An opening that cannot be played: its label, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("opening '{label}'{reason}")]
pub struct UnplayableOpening {
    label: String,
    reason: String,
}

/// Parses the position of an opening. Castling rights that exist only in Chess960 are an error in a
/// game of standard chess.
fn read_start(opening: &Opening) -> Result<Position, String> {
    let start = fen::parse(&opening.fen).map_err(|error| format!(": {error}"))?;
    if !opening.chess960 && start.castling_mode() == CastlingMode::Chess960 {
        let fen = &opening.fen;
        return Err(format!(
            ": castling in {fen} can be written in Chess960 only"
        ));
    }
    Ok(start)
}
