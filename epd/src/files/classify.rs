//! Game phase and identity of positions.

use std::fmt;

use chess::notation::fen::{self, CastlingText, EnPassantMode, FenStyle};
use chess::rules::{Color, PieceType, Position, Rank};
use serde::Serialize;

/// Game phase, derived from the board alone, since EPD records have no move numbers.
///
/// Material counts knights and bishops 1, rooks 2, queens 4: 24 at the start of a game.
///
/// - [`Phase::Endgame`]: at most 8, such as a queen or two rooks per side.
/// - [`Phase::Opening`]: at least 20, and at least five knights, bishops and queens of both sides
///   together on their own back rank.
/// - [`Phase::Middlegame`]: everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Most pieces are still on the board, and many are undeveloped.
    Opening,
    /// Neither opening nor endgame.
    Middlegame,
    /// Few pieces are left.
    Endgame,
}

impl Phase {
    /// All phases, in the order of a game.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Endgame];
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Endgame => "endgame",
        })
    }
}

/// The phase of a position; [`Phase`] has the definition.
pub fn phase(position: &Position) -> Phase {
    let count = |piece_type| position.by_type(piece_type).count();
    let minors = count(PieceType::Knight) + count(PieceType::Bishop);
    let material = minors + 2 * count(PieceType::Rook) + 4 * count(PieceType::Queen);
    if material <= 8 {
        Phase::Endgame
    } else if material >= 20 && undeveloped(position) >= 5 {
        Phase::Opening
    } else {
        Phase::Middlegame
    }
}

fn undeveloped(position: &Position) -> u32 {
    let at_home = |color: Color| {
        let rank = Rank::R1.relative_to(color).bitboard();
        let kinds = [PieceType::Knight, PieceType::Bishop, PieceType::Queen];
        let count = |kind| (position.pieces(color, kind) & rank).count();
        kinds.into_iter().map(count).sum::<u32>()
    };
    at_home(Color::White) + at_home(Color::Black)
}

/// A key that is equal for equal positions in the sense of FIDE 9.2.3: placement, side to move,
/// castling rights, and the en passant square if a capture there is legal. The clocks are ignored.
pub fn position_key(position: &Position) -> String {
    let style = FenStyle {
        ep: EnPassantMode::Legal,
        castling: CastlingText::Shredder,
    };
    fen::write_epd(position, style)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        fen::parse(fen).unwrap()
    }

    #[test]
    fn phases() {
        for (fen, expected) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
                Phase::Opening,
            ),
            (
                "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq -",
                Phase::Opening,
            ),
            (
                "r4rk1/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/R4RK1 w - -",
                Phase::Middlegame,
            ),
            ("r2qk3/8/8/8/8/8/8/3QK2R w - -", Phase::Middlegame),
            ("3qk3/8/8/8/8/8/8/3QK3 w - -", Phase::Endgame),
            ("4k3/8/8/8/8/8/4P3/4K3 w - -", Phase::Endgame),
        ] {
            assert_eq!(phase(&position(fen)), expected, "{fen}");
        }
    }

    #[test]
    fn same_positions_have_the_same_key() {
        let key = |fen: &str| position_key(&position(fen));
        let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
        assert_eq!(
            key(&format!("{start} e3 0 1")),
            key(&format!("{start} - 5 9"))
        );
        let capture = "4k3/8/8/8/3pP3/8/8/4K3 b -";
        assert_ne!(key(&format!("{capture} e3")), key(&format!("{capture} -")));
        assert_ne!(
            key("4k3/8/8/8/8/8/8/4K2R w K -"),
            key("4k3/8/8/8/8/8/8/4K2R w - -")
        );
    }
}
