//! The 16-byte entries of a book.

use crate::rules::{CastlingSide, File, Move, PieceType, Position, Rank, Square};

/// Length of an entry in bytes.
pub(super) const ENTRY_BYTES: usize = 16;

/// A book move for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BookMove {
    /// The move, legal in the position.
    pub m: Move,
    /// Its weight relative to the other moves of the position.
    pub weight: u16,
    /// Learning data; 0 in most books.
    pub learn: u32,
}

/// A raw entry, with the move still encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RawEntry {
    pub(super) key: u64,
    pub(super) code: u16,
    pub(super) weight: u16,
    pub(super) learn: u32,
}

impl RawEntry {
    #[expect(clippy::cast_possible_truncation, reason = "the bits of each field")]
    pub(super) fn from_bytes(bytes: [u8; ENTRY_BYTES]) -> Self {
        // Polyglot books are big-endian.
        let all = u128::from_be_bytes(bytes);
        Self {
            key: (all >> 64) as u64,
            code: (all >> 48) as u16,
            weight: (all >> 32) as u16,
            learn: all as u32,
        }
    }

    pub(super) fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let all = u128::from(self.key) << 64
            | u128::from(self.code) << 48
            | u128::from(self.weight) << 32
            | u128::from(self.learn);
        all.to_be_bytes()
    }

    /// Decodes the move, if it is legal in the position.
    pub(super) fn book_move(self, position: &Position) -> Option<BookMove> {
        let m = decode(self.code, position)?;
        Some(BookMove {
            m,
            weight: self.weight,
            learn: self.learn,
        })
    }
}

/// Promotion pieces by code; 0 means no promotion.
const PROMOTIONS: [PieceType; 4] = [
    PieceType::Knight,
    PieceType::Bishop,
    PieceType::Rook,
    PieceType::Queen,
];

/// Encodes a move in Polyglot format.
pub(super) fn encode(m: Move) -> u16 {
    let promotion = m.promotion().and_then(|kind| {
        let index = PROMOTIONS.into_iter().position(|one| one == kind)?;
        Some(index + 1)
    });
    let code = m.to().index() | m.from().index() << 6 | promotion.unwrap_or(0) << 12;
    u16::try_from(code).expect("it has 15 bits")
}

/// The legal move with this code. In standard chess castling may also be encoded by the king's two
/// squares, which no other king move can mean.
fn decode(code: u16, position: &Position) -> Option<Move> {
    let square = |bits: u16| Square::try_from_index(usize::from(bits & 0x3f));
    let (to, from) = (square(code)?, square(code >> 6)?);
    let m = match usize::from(code >> 12) {
        0 => Move::new(from, to),
        number => Move::new_promotion(from, to, *PROMOTIONS.get(number - 1)?),
    };
    if position.is_legal(m) {
        return Some(m);
    }
    let castling = castling_by_king(m, position)?;
    position.is_legal(castling).then_some(castling)
}

/// Converts `e1g1` to `e1h1` and so on.
fn castling_by_king(m: Move, position: &Position) -> Option<Move> {
    let color = position.side_to_move();
    let home = Square::new(File::E, Rank::R1.relative_to(color));
    if m.promotion().is_some() || m.from() != home || position.king(color) != home {
        return None;
    }
    let mut sides = CastlingSide::ALL.into_iter();
    let side = sides.find(|side| side.king_target(color) == m.to())?;
    Some(Move::new(home, side.standard_rook(color)))
}

/// Chooses a move with a probability proportional to its weight; moves of weight 0 are never
/// chosen. `None` if there is no other. The same `random` gives the same move.
pub fn choose(moves: &[BookMove], random: u64) -> Option<Move> {
    let total: u64 = moves.iter().map(|one| u64::from(one.weight)).sum();
    // The high half of the product is below the total and almost exactly uniform (Lemire 2019).
    let mut left = (u128::from(random) * u128::from(total)) >> 64;
    let chosen = moves.iter().find(|one| {
        let weight = u128::from(one.weight);
        let is_here = left < weight;
        left = left.saturating_sub(weight);
        is_here
    });
    chosen.map(|one| one.m)
}

/// The move with the highest weight, the first of equals. `None` if all weights are 0.
pub fn best(moves: &[BookMove]) -> Option<Move> {
    let most = moves.iter().map(|one| one.weight).max()?;
    let mut moves = moves.iter().filter(|one| one.weight > 0);
    moves.find(|one| one.weight == most).map(|one| one.m)
}

#[cfg(test)]
mod tests {
    use crate::notation::fen;
    use crate::rules::{Color, Square};

    use super::*;

    #[test]
    fn entries_round_trip() {
        let bytes = *b"\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\x01\x02\x03\x04\x05\x06";
        let entry = RawEntry::from_bytes(bytes);
        let expected = RawEntry {
            key: 0x463b_9618_1691_fc9c,
            code: 0x031c,
            weight: 0x0102,
            learn: 0x0304_0506,
        };
        assert_eq!(entry, expected);
        assert_eq!(entry.to_bytes(), bytes);
        let e2e4 = Move::new(Square::E2, Square::E4);
        assert_eq!(entry.code, encode(e2e4));
        let start = Position::startpos();
        assert_eq!(entry.book_move(&start).map(|one| one.m), Some(e2e4));
    }

    #[test]
    fn codes_are_moves() {
        let castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let black = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
        let promote = "3n4/4P3/8/8/8/k7/8/K7 w - - 0 1";
        let chess960 = "4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1";
        let no_right = "4k3/8/8/8/8/8/8/4K2R w - - 0 1";
        let rows = [
            (castle, 0o0407, Some("e1h1")),
            (castle, 0o0406, Some("e1h1")),
            (castle, 0o0402, Some("e1a1")),
            (castle, 0o0405, Some("e1f1")),
            (black, 0o7476, Some("e8h8")),
            (black, 0o7470, Some("e8a8")),
            (castle, 0o7476, None),
            (chess960, 0o0406, Some("e1g1")),
            (chess960, 0o0402, None),
            (no_right, 0o0406, None),
            (no_right, 0o0407, None),
            (promote, 0o1_6473, Some("e7d8n")),
            (promote, 0o4_6474, Some("e7e8q")),
            (promote, 0o6474, None),
            (promote, 0o5_6474, None),
            (castle, 0o10_0405, None),
            (castle, 0, None),
        ];
        for (text, code, expected) in rows {
            let position = fen::parse(text).expect("legal");
            let found = decode(code, &position);
            let found = found.map(|m| m.to_string());
            assert_eq!(found.as_deref(), expected, "{text} {code:o}");
        }
    }

    #[test]
    fn every_legal_move_has_a_code() {
        let text = "r3k2r/P6P/8/3pP3/8/8/p6p/R3K2R w KQkq d6 0 1";
        let white = fen::parse(text).expect("legal");
        for position in [
            white,
            white.play_unchecked(Move::new(Square::E1, Square::E2)),
        ] {
            for m in position.legal_moves() {
                assert_eq!(decode(encode(m), &position), Some(m), "{m}");
            }
        }
        let mirrored = Position::from_setup(white.to_setup().mirrored()).expect("legal");
        assert_eq!(mirrored.side_to_move(), Color::Black);
        for m in mirrored.legal_moves() {
            assert_eq!(decode(encode(m), &mirrored), Some(m), "{m}");
        }
    }

    /// Moves with these weights, to the squares of the first rank.
    fn moves(weights: &[u16]) -> Vec<BookMove> {
        let squares = Square::ALL.into_iter();
        let weighted = squares.zip(weights).map(|(to, &weight)| BookMove {
            m: Move::new(Square::H8, to),
            weight,
            learn: 0,
        });
        weighted.collect()
    }

    fn targets(weights: &[u16], randoms: impl Iterator<Item = u64>) -> Vec<usize> {
        let moves = moves(weights);
        let mut counts = vec![0; weights.len()];
        for random in randoms {
            let m = choose(&moves, random).expect("there is weight");
            counts[m.to().index()] += 1;
        }
        counts
    }

    #[test]
    fn each_as_often_as_its_weight() {
        // Equidistant numbers meet each move in proportion to its weight.
        let even = || (0..1_000).map(|n| n * (u64::MAX / 1_000) + 1_000);
        assert_eq!(targets(&[1, 2, 0, 5, 2], even()), [100, 200, 0, 500, 200]);
        assert_eq!(targets(&[0, 9], [0, u64::MAX].into_iter()), [0, 2]);
        assert_eq!(targets(&[9, 1, 0], [0, u64::MAX].into_iter()), [1, 1, 0]);
        let most = [u16::MAX; 60];
        assert_eq!(targets(&most, [0].into_iter())[0], 1);
        assert_eq!(targets(&most, [u64::MAX].into_iter())[59], 1);
    }

    #[test]
    fn zero_weights_are_never_chosen() {
        assert_eq!(choose(&[], 7), None);
        assert_eq!(choose(&moves(&[0, 0]), 7), None);
        assert_eq!(best(&[]), None);
        assert_eq!(best(&moves(&[0, 0])), None);
    }

    #[test]
    fn the_best_is_the_first_of_the_heaviest() {
        let m = best(&moves(&[1, 7, 7, 3])).expect("there is weight");
        assert_eq!(m.to(), Square::B1);
    }
}
