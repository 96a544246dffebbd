//! Material on the board besides the kings, after which tables are named.

use chess::rules::{Color, Piece, PieceType, Position};

/// The piece types besides the king, in the order of a table's name.
const KINDS: [PieceType; 5] = [
    PieceType::Queen,
    PieceType::Rook,
    PieceType::Bishop,
    PieceType::Knight,
    PieceType::Pawn,
];

/// Maximum number of pieces in a Syzygy table, kings included.
pub(super) const MOST_PIECES: u32 = 7;

/// Number of pieces of each type and side besides the kings, four bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Material(u64);

impl Material {
    pub(super) const BARE: Self = Self(0);

    /// The material of a position with at most [`MOST_PIECES`] pieces.
    #[inline(always)]
    pub(super) fn from_position(position: &Position) -> Self {
        let mut material = Self::BARE;
        for color in Color::ALL {
            for kind in KINDS {
                let count = position.pieces(color, kind).count();
                material.0 |= u64::from(count) << shift(color, kind);
            }
        }
        material
    }

    /// Parses a table name such as `KRPvKR` in its canonical form: the side with more pieces first,
    /// or the stronger one if equal; pieces from queen to pawn.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        let (first, second) = name.split_once('v')?;
        let mut material = Self::BARE;
        for (color, side) in [(Color::White, first), (Color::Black, second)] {
            for letter in side.strip_prefix('K')?.chars() {
                let kind = KINDS.into_iter().find(|kind| kind.to_char() == letter)?;
                material = material.with(color, kind)?;
            }
        }
        (material.pieces() <= MOST_PIECES && material.name() == name).then_some(material)
    }

    /// The name of its table, the same for both colourings.
    pub(super) fn name(self) -> String {
        let side = |color| {
            let kinds = KINDS.into_iter().enumerate();
            let ranks = kinds.flat_map(move |(rank, kind)| {
                std::iter::repeat_n(rank, self.count(color, kind) as usize)
            });
            ranks.collect::<Vec<_>>()
        };
        let mut sides = Color::ALL.map(side);
        sides.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        let text = |side: &Vec<usize>| -> String {
            let letters = side.iter().map(|&rank| KINDS[rank].to_char());
            std::iter::once('K').chain(letters).collect()
        };
        format!("{}v{}", text(&sides[0]), text(&sides[1]))
    }

    /// The number of pieces, kings included.
    pub(super) fn pieces(self) -> u32 {
        let counts = KINDS.map(|kind| Color::ALL.map(|color| self.count(color, kind)));
        2 + counts.into_iter().flatten().sum::<u32>()
    }

    /// The material with colours exchanged.
    pub(super) const fn exchanged(self) -> Self {
        // Each side has five counters of four bits.
        Self(self.0 >> 20 | (self.0 & 0xf_ffff) << 20)
    }

    /// The material of these pieces with their numbers, if they contain one king of each side and no
    /// piece twice.
    pub(super) fn from_pieces(pieces: &[(Piece, usize)]) -> Option<Self> {
        let mut material = Self::BARE;
        let mut kings = Vec::new();
        for &(piece, count) in pieces {
            if piece.piece_type == PieceType::King {
                kings.push((piece.color, count));
            } else if material.count(piece.color, piece.piece_type) > 0 {
                return None;
            } else {
                for _ in 0..count {
                    material = material.with(piece.color, piece.piece_type)?;
                }
            }
        }
        kings.sort_unstable();
        (kings == Color::ALL.map(|color| (color, 1))).then_some(material)
    }

    /// Number of pieces of this type, which is not the king.
    pub(super) fn count(self, color: Color, kind: PieceType) -> u32 {
        (self.0 >> shift(color, kind) & 15) as u32
    }

    /// Adds a piece, unless the counter of its type is full.
    fn with(self, color: Color, kind: PieceType) -> Option<Self> {
        (self.count(color, kind) < 15).then_some(Self(self.0 + (1 << shift(color, kind))))
    }
}

/// Bit offset of a counter. There are five types besides the king, which has the highest index.
#[inline(always)]
fn shift(color: Color, kind: PieceType) -> usize {
    4 * (5 * color.index() + kind.index())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::notation::fen;

    #[test]
    fn names_are_read_and_written() {
        for name in ["KQvK", "KRPvKR", "KBBvKNN", "KQRBNPvK", "KRvKP", "KPPPvKPP"] {
            let material = Material::from_name(name).expect("a name");
            assert_eq!(material.name(), name);
            assert_eq!(material.exchanged().name(), name);
            assert_eq!(material.pieces() as usize, name.len() - 1);
        }
        assert_eq!(Material::BARE.name(), "KvK");
    }

    #[test]
    fn other_texts_are_not_names() {
        let texts = ",K,KQ,QvK,KQvQ,KvKQ,KPQvK,KRvKQ,kqvk,KQvKvK,KXvK,KQQQvKQQQ,KBvKNN";
        for text in texts.split(',') {
            assert_eq!(Material::from_name(text), None, "{text}");
        }
    }

    #[test]
    fn positions_have_material() {
        let position = fen::parse("8/8/8/2k5/8/1r1P4/3K4/R7 b - - 0 1").expect("legal");
        let expected = Material::from_name("KRPvKR").expect("a name");
        assert_eq!(Material::from_position(&position), expected);
        let mirrored = fen::parse("8/8/8/2K5/8/1R1p4/3k4/r7 b - - 0 1").expect("legal");
        assert_eq!(Material::from_position(&mirrored), expected.exchanged());
    }
}
