//! Moves back to an earlier position, recognised by keys: the keys of two positions one reversible
//! move apart differ by a number that belongs to this move alone (Marcel van Kervinck, in the
//! chessprogramming wiki, "Repetitions").

use super::attacks::{self, DIRECTIONS, ray};
use super::{Bitboard, Color, Piece, PieceType, Position, Square, zobrist};

/// Number of slots; a power of two.
const SLOTS: usize = 1 << 13;

/// All moves of pieces on an empty board, back and forth as one, by the difference that they make
/// to the key. Each has two possible slots (Pagh and Rodler, "Cuckoo Hashing", 2001).
struct ReversibleMoves {
    /// The difference; 0 for an empty slot.
    differences: [u64; SLOTS],
    squares: [[Square; 2]; SLOTS],
}

static MOVES: ReversibleMoves = ReversibleMoves::all();

#[expect(
    clippy::cast_possible_truncation,
    reason = "slots are chosen by some of the bits"
)]
const fn slots(difference: u64) -> [usize; 2] {
    [
        difference as usize % SLOTS,
        (difference >> 16) as usize % SLOTS,
    ]
}

impl ReversibleMoves {
    #[expect(clippy::large_stack_arrays, reason = "evaluated at compile time")]
    const fn all() -> Self {
        let mut moves = Self {
            differences: [0; SLOTS],
            squares: [[Square::A1; 2]; SLOTS],
        };
        let mut index = 0;
        while index < Square::COUNT {
            let from = Square::ALL[index];
            moves = moves.with(PieceType::Knight, from, attacks::KNIGHT[index]);
            moves = moves.with(PieceType::King, from, attacks::KING[index]);
            let mut direction = 0;
            while direction < DIRECTIONS.len() {
                let squares = ray(from, DIRECTIONS[direction]);
                let kind = if direction < 4 {
                    PieceType::Rook
                } else {
                    PieceType::Bishop
                };
                moves = moves.with(kind, from, squares);
                moves = moves.with(PieceType::Queen, from, squares);
                direction += 1;
            }
            index += 1;
        }
        moves
    }

    /// Adds the moves of both sides' pieces of a kind to the targets after `from`.
    const fn with(mut self, kind: PieceType, from: Square, targets: Bitboard) -> Self {
        let mut rest = targets.0 >> from.index() >> 1 << 1 << from.index();
        while rest != 0 {
            let to = Square::ALL[rest.trailing_zeros() as usize];
            rest &= rest - 1;
            let mut color = 0;
            while color < Color::COUNT {
                let piece = Piece::new(Color::ALL[color], kind);
                let difference = zobrist::piece(piece, from)
                    ^ zobrist::piece(piece, to)
                    ^ zobrist::black_to_move();
                self.add(difference, [from, to]);
                color += 1;
            }
        }
        self
    }

    /// Adds a move; one that is in its slot makes way to its other slot, and so on.
    const fn add(&mut self, difference: u64, squares: [Square; 2]) {
        let (mut difference, mut squares) = (difference, squares);
        let mut slot = slots(difference)[0];
        loop {
            let before = (self.differences[slot], self.squares[slot]);
            (self.differences[slot], self.squares[slot]) = (difference, squares);
            (difference, squares) = before;
            if difference == 0 {
                return;
            }
            let [first, second] = slots(difference);
            slot = if slot == first { second } else { first };
        }
    }

    #[inline(always)]
    fn find(&self, difference: u64) -> Option<[Square; 2]> {
        let slot = slots(difference)
            .into_iter()
            .find(|&slot| self.differences[slot] == difference)?;
        // What is in an empty slot is no move.
        (difference != 0).then_some(self.squares[slot])
    }
}

impl Position {
    /// Whether the side to move can reach an earlier position of the game by a reversible move:
    /// neither a capture, nor a pawn move, nor castling. `key` is that of the earlier position, in
    /// which it was the other side's turn.
    #[inline(always)]
    pub fn can_return_to(&self, key: u64) -> bool {
        // The earlier position is legal, and so is the move to it if the squares between are empty.
        // If the piece is the opponent's, their move led from the earlier position to this one.
        MOVES.find(self.key() ^ key).is_some_and(|[one, other]| {
            let ends = one.bitboard() | other.bitboard();
            !attacks::between(one, other).intersects(self.occupied())
                && ends.intersects(self.by_color(self.side_to_move()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_moves_are_there() {
        // Both ways of a move are one: knights 168, kings 210, bishops 280, rooks 448, queens 728.
        let count = MOVES.differences.iter().filter(|&&it| it != 0).count();
        assert_eq!(count, Color::COUNT * (168 + 210 + 280 + 448 + 728));
        let piece = Piece::new(Color::White, PieceType::Knight);
        let difference = zobrist::piece(piece, Square::G1)
            ^ zobrist::piece(piece, Square::F3)
            ^ zobrist::black_to_move();
        assert_eq!(MOVES.find(difference), Some([Square::G1, Square::F3]));
        assert_eq!(MOVES.find(difference ^ 1), None);
        for difference in [0, zobrist::black_to_move()] {
            assert_eq!(MOVES.find(difference), None);
        }
    }
}
