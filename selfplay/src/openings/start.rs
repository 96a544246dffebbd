//! An opening as a position with moves, and the check that it can be played.

use chess::notation::{fen, uci_move};
use chess::rules::{ClaimableDraw, Game, Move, Outcome, Position};

use super::error::OpeningFault;
use crate::model::{Opening, Termination};

/// A starting position and the moves from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpeningStart {
    pub(super) label: Option<String>,
    pub(super) position: Position,
    pub(super) moves: Vec<Move>,
    /// Whether it exists only in Chess960.
    pub(super) needs_chess960: bool,
}

impl OpeningStart {
    /// Checks that games can be played from here; returns the key of the position in which they begin.
    pub(super) fn check(&self, chess960: bool) -> Result<u64, OpeningFault> {
        if self.needs_chess960 && !chess960 {
            let reason = "Chess960 in a book that is said to be of standard chess";
            return Err(OpeningFault(reason.to_owned()));
        }
        let mut game = Game::new(self.position);
        for plies in 0..=self.moves.len() {
            if plies > 0 {
                game.play(self.moves[plies - 1])
                    .expect("the moves of a start are legal");
            }
            if let Some(end) = end(&game) {
                return Err(OpeningFault(format!(
                    "the game is over after {plies} plies of the opening: {}",
                    end.as_str()
                )));
            }
        }
        Ok(game.position().key())
    }

    /// Converts to text. `place` is the label of an opening without a name.
    pub(super) fn into_opening(self, place: String, chess960: bool) -> Opening {
        let mut opening = Opening {
            label: self.label.unwrap_or(place),
            fen: fen::write(&self.position),
            moves: Vec::new(),
            chess960,
        };
        let mode = opening.castling_mode();
        let mut position = self.position;
        let moves = self.moves.iter().map(|&m| {
            let text = uci_move::write(m, &position, mode);
            position = position.play(m).expect("the moves of a start are legal");
            text
        });
        opening.moves = moves.collect();
        opening
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
