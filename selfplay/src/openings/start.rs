//! An opening as a position with moves, and the check that it can be played.

use chess::notation::{fen, uci_move};
use chess::rules::{CastlingMode, ClaimableDraw, Game, Move, Outcome, Position};

use super::error::OpeningFault;
use crate::model::{Opening, Termination};

/// A starting position and the moves from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) label: Option<String>,
    pub(super) position: Position,
    pub(super) moves: Vec<Move>,
    /// Whether it exists only in Chess960.
    pub(super) needs_chess960: bool,
}

/// The start position of standard chess.
pub(super) fn startpos() -> Opening {
    let start = Start {
        label: None,
        position: Position::startpos(),
        moves: Vec::new(),
        needs_chess960: false,
    };
    start.into_opening("start position".to_owned(), false)
}

impl Start {
    /// Checks that games can be played from here.
    pub(super) fn check(&self, chess960: bool) -> Result<(), OpeningFault> {
        if self.needs_chess960 && !chess960 {
            return Err(OpeningFault::Chess960);
        }
        let mut game = Game::new(self.position);
        for plies in 0..=self.moves.len() {
            if plies > 0 {
                game.play(self.moves[plies - 1])
                    .expect("the moves of a start are legal");
            }
            if let Some(end) = end(&game) {
                return Err(OpeningFault::Over { plies, end });
            }
        }
        Ok(())
    }

    /// Converts to text. `place` is the label of an opening without a name.
    pub(super) fn into_opening(self, place: String, chess960: bool) -> Opening {
        let mode = if chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        };
        let mut position = self.position;
        let moves = self.moves.iter().map(|&m| {
            let text = uci_move::write(m, &position, mode);
            position = position.play(m).expect("the moves of a start are legal");
            text
        });
        Opening {
            moves: moves.collect(),
            label: self.label.unwrap_or(place),
            fen: fen::write(&self.position),
            chess960,
        }
    }
}

/// How a game has ended, where draws by repetition and fifty moves need no claim.
fn end(game: &Game) -> Option<Termination> {
    let end = match game.outcome() {
        Some(Outcome::Checkmate { .. }) => Termination::Checkmate,
        Some(Outcome::Stalemate) => Termination::Stalemate,
        Some(Outcome::InsufficientMaterial) => Termination::InsufficientMaterial,
        Some(Outcome::FivefoldRepetition) => Termination::Threefold,
        Some(Outcome::SeventyFiveMoves) => Termination::FiftyMoves,
        None => match game.claimable_draw()? {
            ClaimableDraw::ThreefoldRepetition => Termination::Threefold,
            ClaimableDraw::FiftyMoves => Termination::FiftyMoves,
        },
    };
    Some(end)
}
