//! Material on the board besides the kings, after which tables are named.

use chess::rules::{Color, PieceType, Position};

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
    pub(super) fn of(position: &Position) -> Self {
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
        Self(self.0 >> 20 | (self.0 & 0xf_ffff) << 20)
    }

    /// The materials after one capture, with and without a promotion.
    pub(super) fn after_captures(self) -> Vec<Self> {
        let mut found = Vec::new();
        for color in Color::ALL {
            for taken in KINDS {
                if let Some(rest) = self.without(!color, taken) {
                    found.push(rest);
                    found.extend(rest.promotions_of(color));
                }
            }
        }
        found
    }

    /// The materials after one promotion.
    pub(super) fn after_promotions(self) -> Vec<Self> {
        let of = |color| self.promotions_of(color);
        Color::ALL.into_iter().flat_map(of).collect()
    }

    fn promotions_of(self, color: Color) -> impl Iterator<Item = Self> {
        let pawnless = self.without(color, PieceType::Pawn);
        PieceType::PROMOTIONS
            .into_iter()
            .filter_map(move |kind| pawnless?.with(color, kind))
    }

    fn count(self, color: Color, kind: PieceType) -> u32 {
        (self.0 >> shift(color, kind) & 15) as u32
    }

    /// Adds a piece, unless the counter of its type is full.
    fn with(self, color: Color, kind: PieceType) -> Option<Self> {
        (self.count(color, kind) < 15).then_some(Self(self.0 + (1 << shift(color, kind))))
    }

    /// Removes a piece, if there is one.
    fn without(self, color: Color, kind: PieceType) -> Option<Self> {
        (self.count(color, kind) > 0).then(|| Self(self.0 - (1 << shift(color, kind))))
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
        assert_eq!(Material::of(&position), expected);
        let mirrored = fen::parse("8/8/8/2K5/8/1R1p4/3k4/r7 b - - 0 1").expect("legal");
        assert_eq!(Material::of(&mirrored), expected.exchanged());
    }

    #[test]
    fn captures_and_promotions_lead_to_other_materials() {
        let names = |materials: Vec<Material>| {
            let mut names: Vec<String> = materials.into_iter().map(Material::name).collect();
            names.sort();
            names.dedup();
            names
        };
        let material = Material::from_name("KPvKR").map(Material::exchanged);
        assert_eq!(material, None, "the better side comes first");
        let material = Material::from_name("KRvKP").expect("a name");
        assert_eq!(
            names(material.after_captures()),
            ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK"]
        );
        assert_eq!(
            names(material.after_promotions()),
            ["KQvKR", "KRvKB", "KRvKN", "KRvKR"]
        );
    }
}
