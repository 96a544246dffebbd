//! Keeps a suite varied: no two positions of one kind.

use std::collections::HashSet;

use chess::rules::{ByColor, Color, Move, PieceType, Position};

/// What is in a suite already.
pub(crate) struct Variety {
    wanted: usize,
    by_color: ByColor<usize>,
    materials: HashSet<String>,
    patterns: HashSet<Pattern>,
}

/// What one sees of a solution: two positions with the same one are of one kind.
#[derive(PartialEq, Eq, Hash)]
struct Pattern {
    moved: Option<PieceType>,
    captured: Option<PieceType>,
    promotion: Option<PieceType>,
    /// From the king that is attacked to where the piece arrives, in files and in ranks.
    from_king: (u8, u8),
    /// How far the king is from the edges of the board.
    king_from_edges: (u8, u8),
}

impl Variety {
    /// For a suite of so many positions, half of them with either side to move.
    pub(crate) fn new(wanted: usize) -> Self {
        Self {
            wanted,
            by_color: ByColor::default(),
            materials: HashSet::new(),
            patterns: HashSet::new(),
        }
    }

    /// Whether a position with this side to move is wanted still.
    pub(crate) fn wants(&self, color: Color) -> bool {
        self.by_color[color] < self.wanted / 2
    }

    /// Whether nothing is wanted any more.
    pub(crate) fn is_full(&self) -> bool {
        !Color::ALL.into_iter().any(|color| self.wants(color))
    }

    /// Takes a position in, unless there is one with the same pieces or the same pattern.
    pub(crate) fn admit(&mut self, position: &Position, m: Move) -> bool {
        let color = position.side_to_move();
        let (material, pattern) = (material_text(position), Pattern::of(position, m));
        if !self.wants(color)
            || self.materials.contains(&material)
            || self.patterns.contains(&pattern)
        {
            return false;
        }
        self.by_color[color] += 1;
        self.materials.insert(material);
        self.patterns.insert(pattern)
    }
}

impl Pattern {
    fn of(position: &Position, m: Move) -> Self {
        let king = position.king(!position.side_to_move());
        let (file, rank) = (king.file().index(), king.rank().index());
        let distance = |a: usize, b: usize| u8::try_from(a.abs_diff(b)).expect("at most 7");
        let to_edge = |index| distance(index, 0).min(distance(index, 7));
        let to = m.to();
        Self {
            moved: position.piece_type_at(m.from()),
            captured: position.piece_type_at(m.to()),
            promotion: m.promotion(),
            from_king: (
                distance(file, to.file().index()),
                distance(rank, to.rank().index()),
            ),
            king_from_edges: (to_edge(file), to_edge(rank)),
        }
    }
}

/// The pieces of the side to move, then those of the other, whichever the colours.
fn material_text(position: &Position) -> String {
    let us = position.side_to_move();
    let of = |color| {
        let each = PieceType::ALL.into_iter().rev();
        each.map(|kind| position.pieces(color, kind).count().to_string())
            .collect::<String>()
    };
    format!("{}-{}", of(us), of(!us))
}
