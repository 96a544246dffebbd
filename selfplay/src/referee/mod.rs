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

mod adjudicator;
mod endgames;
mod error;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use chess::notation::fen;
use chess::notation::uci_move::{self, UciMove};
use chess::rules::{CastlingMode, Color, Game, Move, Outcome, Position};
use uci::grammar::{Reply, ScoreValue};

use crate::model::{Adjudication, FaultKind, GameResult, Opening, Termination};
use adjudicator::{Adjudicator, Moved};
pub use endgames::Endgames;
pub use error::OpeningError;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The result.
    pub result: GameResult,
    /// The reason.
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

/// An answer that is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadAnswer {
    /// The kind of fault.
    pub kind: FaultKind,
    /// The answer, in one sentence without a full stop.
    pub detail: String,
}

/// A game in progress.
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
    ///
    /// # Errors
    ///
    /// If the opening is not a valid position with legal moves.
    pub fn new(
        opening: &Opening,
        rules: &'r Adjudication,
        endgames: Option<&'r dyn Endgames>,
    ) -> Result<Self, OpeningError> {
        let start = error::read_start(opening)?;
        let mode = if opening.chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        };
        let mut referee = Self {
            game: Game::new(start),
            mode,
            position_line: start_line(&start, opening),
            has_moves: false,
            adjudicator: Adjudicator::new(rules, endgames),
            ending: None,
        };
        referee.play_opening(opening)?;
        referee.ending = Ending::by_the_rules(&referee.game);
        Ok(referee)
    }

    fn play_opening(&mut self, opening: &Opening) -> Result<(), OpeningError> {
        for (index, text) in opening.moves.iter().enumerate() {
            let m = uci_move::parse(text, self.position(), self.mode);
            let m = m.map_err(|source| error::bad_move(opening, index, source))?;
            self.play(m);
        }
        Ok(())
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.position().side_to_move()
    }

    /// The end of the game, if it is over.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
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
    ///
    /// # Errors
    ///
    /// If it is not a legal move; [`Referee::lost_by`] gives the resulting end.
    pub fn answer(
        &mut self,
        reply: &Reply,
        score: Option<ScoreValue>,
    ) -> Result<Option<Ending>, BadAnswer> {
        let m = self.read(reply)?;
        let before = *self.position();
        self.play(m);
        self.adjudicator.note(&Moved {
            side: before.side_to_move(),
            number: before.fullmove_number(),
            is_irreversible: self.position().halfmove_clock() == 0,
            score,
        });
        self.ending = Ending::by_the_rules(&self.game)
            .or_else(|| self.adjudicator.verdict(self.game.position()));
        Ok(self.ending)
    }

    /// The end of a game by a fault of one side.
    pub fn lost_by(side: Color) -> Ending {
        Ending {
            result: won_by(!side),
            termination: Termination::Fault,
        }
    }

    fn read(&self, reply: &Reply) -> Result<Move, BadAnswer> {
        let (kind, what) = match reply {
            Reply::Move(m) => match m.to_move(self.position(), self.mode) {
                Some(m) => return Ok(m),
                None => (FaultKind::IllegalMove, "which is not legal"),
            },
            Reply::NoMove => (FaultKind::NoMove, "though there are legal moves"),
            Reply::NullMove => (FaultKind::NoMove, "the null move"),
            Reply::Unreadable(_) => (FaultKind::Unreadable, "which is no move"),
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
        let moves = if self.has_moves { "" } else { " moves" };
        write!(self.position_line, "{moves} {text}").expect("a text takes any text");
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

fn start_line(start: &Position, opening: &Opening) -> String {
    if *start == Position::startpos() {
        return "position startpos".to_owned();
    }
    format!("position fen {}", opening.fen)
}
