//! How a game ends (FIDE Laws of Chess, 2023).

use super::{Bitboard, Color, PieceType, Position};

/// The end of a game that requires no claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The king is in check and no move is legal (FIDE 5.1.1).
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// No move is legal, but the king is not in check (FIDE 5.2.1).
    Stalemate,
    /// Neither side has the material for any mate (FIDE 5.2.2, dead position).
    InsufficientMaterial,
    /// The same position for the fifth time (FIDE 9.6.1).
    FivefoldRepetition,
    /// 75 moves of each side without capture or pawn move, the last not mating (FIDE 9.6.2).
    SeventyFiveMoves,
}

impl Outcome {
    /// The winner, or `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }
}

/// A draw that the player to move may claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClaimableDraw {
    /// The same position for at least the third time (FIDE 9.2).
    ThreefoldRepetition,
    /// 50 moves of each side without capture or pawn move (FIDE 9.3).
    FiftyMoves,
}

impl Position {
    /// The result determined by this position alone: all but repetition, which
    /// [`super::Game::outcome`] adds. Checkmate takes precedence over the seventy-five-move rule.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.legal_move_count() == 0 {
            return Some(if self.is_check() {
                Outcome::Checkmate {
                    winner: !self.side_to_move(),
                }
            } else {
                Outcome::Stalemate
            });
        }
        if self.is_insufficient_material() {
            return Some(Outcome::InsufficientMaterial);
        }
        // In plies: 75 moves of each side.
        (self.halfmove_clock() >= 150).then_some(Outcome::SeventyFiveMoves)
    }

    /// Whether neither side could mate even with the other's help, as far as material alone
    /// decides: bare kings, a single knight, or only bishops, all on squares of one colour.
    pub fn is_insufficient_material(&self) -> bool {
        let kings = self.by_type(PieceType::King);
        let others = self.occupied() & !kings;
        let knights = self.by_type(PieceType::Knight);
        let bishops = self.by_type(PieceType::Bishop);
        let one_knight = others == knights && knights.count() == 1;
        let bishops_of_one_color = others == bishops
            && (bishops & Bitboard::DARK == bishops || !bishops.intersects(Bitboard::DARK));
        one_knight || bishops_of_one_color
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    fn outcome(text: &str) -> Option<Outcome> {
        fen::parse(text)
            .expect("test positions are legal")
            .outcome()
    }

    #[test]
    fn ends_of_games() {
        let rows = rows![
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3" =>
                Some(Outcome::Checkmate {winner: Color::Black,});
            "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1" => Some(Outcome::Stalemate);
            "8/8/4k3/8/8/3K4/8/8 w - - 0 1" => Some(Outcome::InsufficientMaterial);
            "8/8/4k3/8/8/3KN3/8/8 w - - 0 1" => Some(Outcome::InsufficientMaterial);
            "8/8/4k3/8/8/3KB3/8/8 w - - 0 1" => Some(Outcome::InsufficientMaterial);
            // Bishops on squares of one colour, on both sides.
            "8/8/4k1b1/8/4B3/3K4/8/8 w - - 0 1" => Some(Outcome::InsufficientMaterial);
            // Bishops on both colours, two knights, bishop and knight: a helpmate exists.
            "8/8/4kb2/8/4B3/3K4/8/8 w - - 0 1" => None;
            "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1" => None;
            "8/8/4k3/8/8/3KBN2/8/8 w - - 0 1" => None;
            "8/8/4kn2/8/8/3KN3/8/8 w - - 0 1" => None;
            "8/8/4k3/8/8/3KP3/8/8 w - - 0 1" => None;
            "8/8/4k3/8/8/3KP3/8/8 w - - 149 90" => None;
            "8/8/4k3/8/8/3KR3/8/8 b - - 150 90" => Some(Outcome::SeventyFiveMoves);
            // Checkmate takes precedence.
            "R3k3/8/4K3/8/8/8/8/8 b - - 150 90" => Some(Outcome::Checkmate {winner: Color::White,});
        ];
        for (text, expected) in rows {
            assert_eq!(outcome(text), expected, "{text}");
        }
    }
}
