//! The current game, and the notation of its moves.

use chess::notation::uci_move::UciMove;
use chess::rules::explain::{Explanation, explain};
use chess::rules::{CastlingMode, Game, Move, Position};
use uci::grammar::{PositionCommand, StartPosition};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SessionBoard {
    game: Game,
    mode: CastlingMode,
}

/// An illegal move in a `position` command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number} of {count}: {explanation}")]
pub(crate) struct IllegalPositionMove {
    /// Its number, from 1.
    pub(crate) number: usize,
    pub(crate) count: usize,
    /// Why the move is illegal.
    pub(crate) explanation: Explanation,
}

impl SessionBoard {
    /// A new game. `mode` is the notation of castling unless `start` requires that of Chess960;
    /// once required, it is kept to the end of the game.
    pub(crate) fn new(start: Position, mode: CastlingMode) -> Self {
        Self {
            mode: castling_text(&start, mode),
            game: Game::new(start),
        }
    }

    /// The game given by a `position` command.
    pub(crate) fn from_command(
        command: &PositionCommand,
        mode: CastlingMode,
    ) -> Result<Self, IllegalPositionMove> {
        let start = match &command.start {
            StartPosition::Startpos => Position::startpos(),
            StartPosition::Fen(fen) => *fen.position(),
        };
        let mut board = Self::new(start, mode);
        for (index, &text) in command.moves.iter().enumerate() {
            let m = board
                .read_move(text)
                .map_err(|explanation| IllegalPositionMove {
                    number: index + 1,
                    count: command.moves.len(),
                    explanation,
                })?;
            board.game.play(m).expect("the move has been read as legal");
        }
        Ok(board)
    }

    pub(crate) const fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn position(&self) -> &Position {
        self.game.position()
    }

    pub(crate) const fn mode(&self) -> CastlingMode {
        self.mode
    }

    /// Sets the notation of castling, unless the game requires that of Chess960.
    pub(crate) fn set_mode(&mut self, mode: CastlingMode) {
        self.mode = castling_text(self.game.start(), mode);
    }

    /// Parses a legal move. Castling is accepted in either notation, that of the game first: what
    /// one notation writes as castling is never another legal move in the other.
    pub(crate) fn read_move(&self, text: UciMove) -> Result<Move, Explanation> {
        let position = self.position();
        let other = match self.mode {
            CastlingMode::Standard => CastlingMode::Chess960,
            CastlingMode::Chess960 => CastlingMode::Standard,
        };
        text.to_move(position, self.mode)
            .or_else(|| text.to_move(position, other))
            .ok_or_else(|| {
                let m = match text.promotion {
                    Some(kind) => Move::new_promotion(text.from, text.to, kind),
                    None => Move::new(text.from, text.to),
                };
                explain(position, m)
            })
    }

    /// The moves of a legal line from the current position, in UCI notation.
    pub(crate) fn write_line(&self, line: &[Move]) -> Vec<UciMove> {
        let mut position = *self.position();
        let mut written = Vec::with_capacity(line.len());
        for &m in line {
            written.push(UciMove::from_move(m, &position, self.mode));
            position = position.play_unchecked(m);
        }
        written
    }

    /// A legal move in UCI notation.
    pub(crate) fn write_move(&self, m: Move) -> UciMove {
        UciMove::from_move(m, self.position(), self.mode)
    }

    /// A game that starts from the current position with colours exchanged.
    #[must_use]
    pub(crate) fn flipped(&self) -> Self {
        let setup = self.position().to_setup().mirrored();
        let mirror = Position::from_setup(setup).expect("a mirrored position is as legal");
        Self::new(mirror, self.mode)
    }
}

/// The notation of castling in a game from `start`, given the user's choice.
fn castling_text(start: &Position, wanted: CastlingMode) -> CastlingMode {
    match start.castling_mode() {
        CastlingMode::Chess960 => CastlingMode::Chess960,
        CastlingMode::Standard => wanted,
    }
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;
    use uci::grammar::Command;

    use super::*;

    /// Castling is read in either form, and a step of the king is not castling.
    #[test]
    fn castling_is_read_in_either_form() {
        let (standard, shuffled) = (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1",
        );
        for (start, m, expected) in [
            (standard, "e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"),
            (standard, "e1h1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"),
            (shuffled, "f1g1", "4k3/8/8/8/8/8/8/1R4KR b - - 1 1"),
            (shuffled, "f1h1", "4k3/8/8/8/8/8/8/1R3RK1 b - - 1 1"),
            (shuffled, "f1b1", "4k3/8/8/8/8/8/8/2KR3R b - - 1 1"),
            (shuffled, "f1c1", "4k3/8/8/8/8/8/8/2KR3R b - - 1 1"),
        ] {
            let Ok(Command::Position(command)) = format!("position fen {start} moves {m}").parse()
            else {
                panic!("{start} is a position");
            };
            for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
                let board = SessionBoard::from_command(&command, mode).expect("legal moves");
                assert_eq!(fen::write(board.position()), expected, "{m} {mode:?}");
            }
        }
    }
}
