//! Spans, distances, and squares relative to a side.

use chess::rules::{Bitboard, Color, Square};

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
    use super::*;
    use chess::rules::File;

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
