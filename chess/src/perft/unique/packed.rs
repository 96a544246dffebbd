//! A position in 24 bytes, without loss.

use crate::rules::{Bitboard, Color, Piece, PieceType, Position, PositionError, Setup, cpu};

/// Everything that distinguishes positions, except the side to move.
///
/// Four bits encode the 15 possible contents of an occupied square: the six pieces of each side, a
/// rook with castling rights of each side, and a pawn that can be taken en passant. The first word
/// is the set of occupied squares; the others hold those bits for at most 32 pieces, as four planes
/// of 32 bits in the order of the squares. The first word is mixed with the others, reversibly, so
/// that its values are evenly distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackedPosition(u64, u64, u64);

impl PackedPosition {
    /// Packs a position, without its side to move and its clocks.
    pub fn new(position: &Position) -> Self {
        let occupied = position.occupied();
        let [a, b, c, d] = planes(position).map(|plane| cpu::pack(plane.0, occupied.0));
        let (second, third) = (a | b << 32, c | d << 32);
        Self(
            (occupied.0 ^ mix(second, third)).wrapping_mul(SPREAD),
            second,
            third,
        )
    }

    /// The part, of `2^bits` parts of about the same size, that the position belongs to; parts are
    /// consecutive in the order of positions.
    #[expect(clippy::cast_possible_truncation, reason = "an index of a few bits")]
    pub(super) fn part(self, bits: u32) -> usize {
        (self.0 >> (u64::BITS - bits)) as usize
    }

    /// The position, with the clocks of a new game.
    pub(super) fn unpack(self, side_to_move: Color) -> Position {
        Position::from_setup(self.to_setup(side_to_move))
            .or_else(PositionError::ignore_impossible_check)
            .expect("only positions are packed")
    }

    /// The setup, with the clocks of a new game, and an en passant square only where the capture is
    /// legal.
    pub fn to_setup(self, side_to_move: Color) -> Setup {
        let occupied = Bitboard(self.0.wrapping_mul(GATHER) ^ mix(self.1, self.2));
        let planes = [self.1, self.1 >> 32, self.2, self.2 >> 32];
        let mut setup = Setup {
            side_to_move,
            ..Setup::empty()
        };
        for (index, square) in occupied.into_iter().enumerate() {
            let bit = |plane: usize| usize::from(planes[plane] >> index & 1 != 0);
            let code = bit(0) | bit(1) << 1 | bit(2) << 2;
            let piece_type = match code {
                EP_PAWN => {
                    // The mapping between the pawn and the square behind it is its own inverse.
                    setup.ep_square = Some(Position::ep_victim(square));
                    PieceType::Pawn
                }
                CASTLING_ROOK => {
                    setup.castling_rooks |= square.bitboard();
                    PieceType::Rook
                }
                code => PieceType::ALL[code - 1],
            };
            let color = Color::ALL[bit(3)];
            setup.board[square.index()] = Some(Piece::new(color, piece_type));
        }
        setup
    }
}

/// Codes of the first three planes, besides the pieces from 1 for a pawn to 6 for a king.
const EP_PAWN: usize = 0;
const CASTLING_ROOK: usize = 7;

/// Two numbers whose product is 1 (mod 2^64): one spreads the low bits upwards, the other undoes
/// it.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
const GATHER: u64 = 0xf1de_83e1_9937_733d;
const _: () = assert!(SPREAD.wrapping_mul(GATHER) == 1);

/// Mixes the bits of two words into one.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a product is folded by its halves"
)]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xbf58_476d_1ce4_e5b9);
    product as u64 ^ (product >> 64) as u64
}

fn planes(position: &Position) -> [Bitboard; 4] {
    use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};
    let [pawns, knights, bishops, rooks, queens, kings] =
        [Pawn, Knight, Bishop, Rook, Queen, King].map(|kind| position.by_type(kind));
    // An en passant square without a capture would tell equal positions apart.
    let ep_pawn = position
        .legal_ep_square()
        .map_or(Bitboard::EMPTY, |square| {
            Position::ep_victim(square).bitboard()
        });
    let castling = position.castling_rooks();
    [
        pawns & !ep_pawn | bishops | queens | castling,
        knights | bishops | kings | castling,
        rooks | queens | kings,
        position.by_color(Color::Black),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    #[test]
    fn what_is_packed_comes_back() {
        let rows = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 0 1",
            // En passant, by either side.
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            // Castling rooks away from the corners, besides other rooks.
            "rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1",
        ];
        for row in rows {
            let position = fen::parse(row).expect("legal");
            let packed = PackedPosition::new(&position);
            assert_eq!(packed.unpack(position.side_to_move()), position, "{row}");
        }
    }

    #[test]
    fn an_ep_square_is_packed_only_where_the_capture_is_legal() {
        let pack = |text: &str| PackedPosition::new(&fen::parse(text).expect("legal"));
        let rows = [
            // First no pawn stands beside; then one does, but is pinned by the rook along the rank.
            "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1",
            "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1",
        ];
        for row in rows {
            assert_eq!(pack(row), pack(&row.replace("e3", "-")), "{row}");
        }
        let legal = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
        assert_ne!(pack(legal), pack(&legal.replace("e3", "-")));
    }
}
