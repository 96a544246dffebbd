//! Data shared by the terms: piece sets and the attacks found so far; spans, distances, and
//! squares relative to a side.

use chess::rules::{Bitboard, ByColor, ByPieceType, Color, PieceType, Position, Square, attacks};

/// A position with the attacks of both sides. Those of pawns and kings are present from the start;
/// the other pieces are added as they are [recorded](View::record).
pub(super) struct View<'a> {
    pub(super) position: &'a Position,
    pub(super) occupied: Bitboard,
    pub(super) sides: ByColor<Side>,
}

/// The data of one side.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub(super) king: Square,
    pub(super) pawns: Bitboard,
    /// The squares that its pawns attack now or after advancing.
    pub(super) pawn_span: Bitboard,
    /// The mobility area: no own men, no attacks by enemy pawns.
    pub(super) mobility_area: Bitboard,
    /// The king, the squares around it and those one rank ahead of them.
    pub(super) king_zone: Bitboard,
    /// The attacked squares, by attacking kind.
    pub(super) attacks: ByPieceType<Bitboard>,
    /// The squares attacked by anything.
    pub(super) all_attacks: Bitboard,
    /// The squares attacked at least twice by different men, including two pawns.
    pub(super) double_attacks: Bitboard,
    /// Danger units from its attacks on the enemy king zone.
    pub(super) attack_units: u32,
}

/// Danger units per piece that attacks the king zone.
const ATTACK_UNITS: ByPieceType<u32> = ByPieceType([0, 2, 2, 3, 4, 0]);

impl<'a> View<'a> {
    #[inline(always)]
    pub(super) fn new(position: &'a Position) -> Self {
        let [white, black] = Color::ALL;
        Self {
            position,
            occupied: position.occupied(),
            sides: ByColor([Side::new(position, white), Side::new(position, black)]),
        }
    }

    /// The men of one kind and side.
    #[inline(always)]
    pub(super) fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.position.pieces(color, kind)
    }

    /// Records the attacks of a piece.
    #[inline(always)]
    pub(super) fn record(&mut self, color: Color, kind: PieceType, targets: Bitboard) {
        let zone = self.sides[!color].king_zone;
        let side = &mut self.sides[color];
        side.double_attacks |= side.all_attacks & targets;
        side.all_attacks |= targets;
        side.attacks[kind] |= targets;
        if targets.intersects(zone) {
            side.attack_units += ATTACK_UNITS[kind];
        }
    }
}

impl Side {
    #[inline(always)]
    fn new(position: &Position, color: Color) -> Self {
        let king = position.king(color);
        let pawns = position.pieces(color, PieceType::Pawn);
        let forward = pawns.forward(color);
        let pawn_attacks = aside(forward);
        let king_attacks = attacks::king(king);
        let around = king_attacks | king.bitboard();
        let mut by_kind = ByPieceType::default();
        by_kind[PieceType::Pawn] = pawn_attacks;
        by_kind[PieceType::King] = king_attacks;
        let enemy_pawns = position.pieces(!color, PieceType::Pawn);
        Self {
            king,
            pawns,
            pawn_span: aside(ahead(pawns, color)),
            mobility_area: !(position.by_color(color) | enemy_pawns.pawn_attacks(!color)),
            king_zone: around | around.forward(color),
            attacks: by_kind,
            all_attacks: pawn_attacks | king_attacks,
            double_attacks: pawn_attacks & king_attacks | forward.east() & forward.west(),
            attack_units: 0,
        }
    }

    /// The squares attacked by its pawns.
    #[inline(always)]
    pub(super) fn pawn_attacks(&self) -> Bitboard {
        self.attacks[PieceType::Pawn]
    }

    /// The squares attacked by anything but its king.
    #[inline(always)]
    pub(super) fn attacks_but_king(&self) -> Bitboard {
        let [pawn, knight, bishop, rook, queen, _] = self.attacks.0;
        pawn | knight | bishop | rook | queen
    }
}

/// The squares ahead of a set on the same files, up to the edge (front spans).
#[inline(always)]
pub(super) const fn ahead(set: Bitboard, color: Color) -> Bitboard {
    let set = set.forward(color).0;
    match color {
        Color::White => {
            let set = set | set << 8;
            let set = set | set << 16;
            Bitboard(set | set << 32)
        }
        Color::Black => {
            let set = set | set >> 8;
            let set = set | set >> 16;
            Bitboard(set | set >> 32)
        }
    }
}

/// The neighbours of a set on the same ranks.
#[inline(always)]
pub(super) fn aside(set: Bitboard) -> Bitboard {
    set.east() | set.west()
}

/// All squares of the files of a set.
#[inline(always)]
pub(super) fn files(set: Bitboard) -> Bitboard {
    set | ahead(set, Color::White) | ahead(set, Color::Black)
}

/// The king-move distance between two squares.
#[inline(always)]
pub(super) fn distance(a: Square, b: Square) -> usize {
    let files = a.file().index().abs_diff(b.file().index());
    files.max(a.rank().index().abs_diff(b.rank().index()))
}

/// The rank relative to a side, from 0.
#[inline(always)]
pub(super) const fn rank(square: Square, color: Color) -> usize {
    let rank = square.index() >> 3;
    match color {
        Color::White => rank,
        Color::Black => 7 - rank,
    }
}

/// The distance of a file from the edge of the board, 0 to 3.
#[inline(always)]
pub(super) const fn from_edge(file: usize) -> usize {
    if file < 4 { file } else { 7 - file }
}

/// The index of a square in the piece-square tables: by relative rank, then by file from the edge
/// to the middle.
#[inline(always)]
pub(super) const fn table_index(square: Square, color: Color) -> usize {
    rank(square, color) * 4 + from_edge(square.index() & 7)
}

/// The set relative to a side, its own first rank lowest.
#[inline(always)]
pub(super) const fn as_seen_by(color: Color, set: Bitboard) -> Bitboard {
    match color {
        Color::White => set,
        Color::Black => Bitboard(set.0.swap_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use chess::rules::File;

    use super::*;

    #[test]
    fn ahead_is_the_rest_of_the_file() {
        let square = Square::C4.bitboard();
        assert_eq!(ahead(square, Color::White).count(), 4);
        assert_eq!(ahead(square, Color::Black).count(), 3);
        assert_eq!(files(square), File::C.bitboard());
        assert_eq!(ahead(Square::C8.bitboard(), Color::White), Bitboard::EMPTY);
    }

    #[test]
    fn both_sides_and_wings_share_the_tables() {
        for square in [Square::B2, Square::G2] {
            assert_eq!(table_index(square, Color::White), 5);
            assert_eq!(table_index(square.flip_rank(), Color::Black), 5);
        }
        assert_eq!(table_index(Square::E8, Color::White), 31);
    }

    #[test]
    fn kings_walk_in_all_directions() {
        assert_eq!(distance(Square::A1, Square::H8), 7);
        assert_eq!(distance(Square::B3, Square::C7), 4);
        assert_eq!(distance(Square::E4, Square::E4), 0);
    }
}
