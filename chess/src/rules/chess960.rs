//! The start positions of Chess960, by the numbers of Reinhard Scharnagl.
//!
//! Sources: FIDE Laws of Chess, guidelines II; Scharnagl, "Fischer-Random-Schach (FRC/Chess960)", 2004.

use super::{Bitboard, Color, Piece, PieceType, Position, Setup};

/// How many start positions Chess960 has. Number 518 is that of standard chess.
pub const CHESS960_POSITIONS: u16 = 960;

/// The squares of the two knights among the five that are left, in the order of their numbers.
fn knights() -> impl Iterator<Item = (usize, usize)> {
    (0..5).flat_map(|one| (one + 1..5).map(move |other| (one, other)))
}

/// The back rank with a number, from the a-file on; `None` unless the number is below [`CHESS960_POSITIONS`].
pub fn chess960_back_rank(number: u16) -> Option<[PieceType; 8]> {
    if number >= CHESS960_POSITIONS {
        return None;
    }
    let number = usize::from(number);
    let mut rank = [None; 8];
    // Light squares of the first rank are those of the b-, d-, f- and h-file.
    rank[number % 4 * 2 + 1] = Some(PieceType::Bishop);
    rank[number / 4 % 4 * 2] = Some(PieceType::Bishop);
    let mut put_on_free = |index: usize, piece_type| {
        let mut free = rank.iter_mut().filter(|file| file.is_none());
        *free.nth(index).expect("so many files are free") = Some(piece_type);
    };
    put_on_free(number / 16 % 6, PieceType::Queen);
    let (one, other) = knights().nth(number / 96).expect("ten pairs");
    // The farther first, so that the nearer is not moved by it.
    put_on_free(other, PieceType::Knight);
    put_on_free(one, PieceType::Knight);
    for piece_type in [PieceType::Rook, PieceType::King, PieceType::Rook] {
        put_on_free(0, piece_type);
    }
    Some(rank.map(|piece_type| piece_type.expect("eight pieces fill eight files")))
}

impl Position {
    /// The start position of Chess960 in which the sides have the back ranks of these numbers: the same for both in Chess960,
    /// any two in double Chess960. `None` unless both are below [`CHESS960_POSITIONS`].
    ///
    /// ```
    /// use chess::rules::Position;
    ///
    /// assert_eq!(Position::chess960_start(518, 518), Some(Position::startpos()));
    /// ```
    pub fn chess960_start(white: u16, black: u16) -> Option<Self> {
        let mut setup = Setup::empty();
        for (color, number, back, pawns) in
            [(Color::White, white, 0, 8), (Color::Black, black, 56, 48)]
        {
            for (file, piece_type) in chess960_back_rank(number)?.into_iter().enumerate() {
                setup.board[back + file] = Some(Piece::new(color, piece_type));
                setup.board[pawns + file] = Some(Piece::new(color, PieceType::Pawn));
                if piece_type == PieceType::Rook {
                    setup.castling_rooks |= Bitboard(1 << (back + file));
                }
            }
        }
        Some(Self::from_setup(setup).expect("a start position of Chess960 is legal"))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn letters(number: u16) -> String {
        chess960_back_rank(number)
            .expect("in range")
            .iter()
            .map(|kind| kind.to_char())
            .collect()
    }

    #[test]
    fn known_numbers() {
        for (number, expected) in rows![
            0 => "BBQNNRKR";
            1 => "BQNBNRKR";
            518 => "RNBQKBNR";
            534 => "RNBKQBNR";
            959 => "RKRNNQBB";
        ] {
            assert_eq!(letters(number), expected, "{number}");
        }
        assert_eq!(chess960_back_rank(CHESS960_POSITIONS), None);
        assert_eq!(Position::chess960_start(0, CHESS960_POSITIONS), None);
    }

    #[test]
    fn all_960_are_different_and_keep_the_rules() {
        let all: BTreeSet<String> = (0..CHESS960_POSITIONS).map(letters).collect();
        assert_eq!(all.len(), 960);
        for rank in &all {
            let places =
                |kind| -> Vec<usize> { rank.match_indices(kind).map(|(file, _)| file).collect() };
            let (bishops, rooks, king) = (places("B"), places("R"), places("K"));
            let counts = (places("N").len(), places("Q").len(), king.len());
            assert_eq!(counts, (2, 1, 1), "{rank}");
            assert_eq!(bishops[0] % 2 + bishops[1] % 2, 1, "{rank}");
            assert!(rooks[0] < king[0] && king[0] < rooks[1], "{rank}");
        }
    }

    #[test]
    fn the_numbering_is_its_own_inverse() {
        // The number computed from the rank, as the sources define it.
        for number in 0..CHESS960_POSITIONS {
            let rank = chess960_back_rank(number).expect("in range");
            let file_of =
                |kind, parity| (0..8).find(|&file| rank[file] == kind && file % 2 == parity);
            let light = file_of(PieceType::Bishop, 1).expect("a bishop on light squares") / 2;
            let dark = file_of(PieceType::Bishop, 0).expect("a bishop on dark squares") / 2;
            let mut left = rank.to_vec();
            left.retain(|&kind| kind != PieceType::Bishop);
            let queen = left.iter().position(|&kind| kind == PieceType::Queen);
            let queen = queen.expect("a queen");
            left.remove(queen);
            let is_knight = |file: usize| left[file] == PieceType::Knight;
            let code = knights().position(|(one, other)| is_knight(one) && is_knight(other));
            let code = code.expect("two knights");
            let found = light + 4 * dark + 16 * queen + 96 * code;
            assert_eq!(found, usize::from(number));
        }
    }
}
