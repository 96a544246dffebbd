//! Few pieces on random squares, arranged for rare rules.

use chacha20::ChaCha8Rng;
use chess::rules::{Color, File, Piece, PieceType, Position, Rank, Setup, Square};
use rand::RngExt;
use rand::seq::IndexedRandom;

use super::{chance, play};

/// Number of boards to try before falling back to a random game. Most boards are legal, so only a
/// broken random number generator gets there.
const TRIES: u32 = 1_000;

/// Favours sliders: they pin and give check from afar.
const KINDS: [PieceType; 8] = [
    PieceType::Pawn,
    PieceType::Pawn,
    PieceType::Knight,
    PieceType::Bishop,
    PieceType::Bishop,
    PieceType::Rook,
    PieceType::Rook,
    PieceType::Queen,
];

/// A legal position with a few pieces.
pub(super) fn position(rng: &mut ChaCha8Rng, chess960: bool) -> Position {
    for _ in 0..TRIES {
        let setup = Board::new(rng).fill(chess960);
        if let Ok(position) = Position::from_setup(setup) {
            return position;
        }
    }
    play::position(rng, chess960)
}

/// A board under construction.
struct Board<'a> {
    rng: &'a mut ChaCha8Rng,
    setup: Setup,
}

impl<'a> Board<'a> {
    fn new(rng: &'a mut ChaCha8Rng) -> Self {
        let mut setup = Setup::empty();
        if chance(rng, 1, 2) {
            setup.side_to_move = Color::Black;
        }
        Self { rng, setup }
    }

    /// Places any of the rare-rule arrangements, the kings, and a few more pieces.
    fn fill(mut self, chess960: bool) -> Setup {
        for color in Color::ALL {
            if chance(self.rng, 1, 3) {
                self.castling(color, chess960);
            }
        }
        if chance(self.rng, 1, 3) {
            self.en_passant();
        }
        if chance(self.rng, 1, 3) {
            self.promotion();
        }
        for color in Color::ALL {
            if self
                .setup
                .squares_of(Piece::new(color, PieceType::King))
                .is_empty()
            {
                self.put_anywhere(Piece::new(color, PieceType::King));
            }
        }
        for _ in 0..self.rng.random_range(0..5) {
            let color = *Color::ALL.choose(self.rng).expect("there are two");
            let kind = *KINDS.choose(self.rng).expect("there are some");
            self.put_anywhere(Piece::new(color, kind));
        }
        self.setup
    }

    /// Places king and rooks at home, most of them with castling rights.
    fn castling(&mut self, color: Color, chess960: bool) {
        let king = if chess960 {
            File::ALL[self.rng.random_range(1..7_usize)]
        } else {
            File::E
        };
        let back_rank = Rank::R1.relative_to(color);
        self.setup.board[Square::new(king, back_rank).index()] =
            Some(Piece::new(color, PieceType::King));
        let sides = [0..king.index(), king.index() + 1..8];
        for (side, corner) in sides.into_iter().zip([File::A, File::H]) {
            let file = if chess960 {
                File::ALL[self.rng.random_range(side)]
            } else {
                corner
            };
            let square = Square::new(file, back_rank);
            if chance(self.rng, 3, 4) {
                self.setup.board[square.index()] = Some(Piece::new(color, PieceType::Rook));
                if chance(self.rng, 7, 8) {
                    self.setup.castling_rooks |= square.bitboard();
                }
            }
        }
    }

    /// Places a pawn that has just moved two squares, or may do so next, and a pawn beside its
    /// path.
    fn en_passant(&mut self) {
        let capturer = if chance(self.rng, 1, 2) {
            self.setup.side_to_move
        } else {
            !self.setup.side_to_move
        };
        let file = self.rng.random_range(0..8_usize);
        let beside: Vec<usize> = [file.wrapping_sub(1), file + 1]
            .into_iter()
            .filter(|&file| file < 8)
            .collect();
        let square =
            |file: usize, rank: Rank| Square::new(File::ALL[file], rank.relative_to(capturer));
        for &beside in &beside {
            if chance(self.rng, 2, 3) {
                let pawn = Piece::new(capturer, PieceType::Pawn);
                self.setup.board[square(beside, Rank::R5).index()] = Some(pawn);
            }
        }
        let has_moved = capturer == self.setup.side_to_move;
        let victim = square(file, if has_moved { Rank::R5 } else { Rank::R7 });
        self.setup.board[victim.index()] = Some(Piece::new(!capturer, PieceType::Pawn));
        if has_moved && chance(self.rng, 7, 8) {
            self.setup.ep_square = Some(square(file, Rank::R6));
        }
    }

    /// Places a pawn before the last rank, often with something to capture there.
    fn promotion(&mut self) {
        let color = *Color::ALL.choose(self.rng).expect("there are two");
        let file = self.rng.random_range(0..8_usize);
        let pawn = Square::new(File::ALL[file], Rank::R7.relative_to(color));
        self.setup.board[pawn.index()] = Some(Piece::new(color, PieceType::Pawn));
        let beside = if file == 0 { 1 } else { file - 1 };
        let target = Square::new(File::ALL[beside], Rank::R8.relative_to(color));
        if chance(self.rng, 1, 2) && self.setup.piece_at(target).is_none() {
            let kinds = [PieceType::Knight, PieceType::Bishop, PieceType::Rook];
            let kind = *kinds.choose(self.rng).expect("there are three");
            self.setup.board[target.index()] = Some(Piece::new(!color, kind));
        }
    }

    /// Puts a piece on any empty square; legality is checked at the end.
    fn put_anywhere(&mut self, piece: Piece) {
        let empty: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|&square| self.setup.piece_at(square).is_none())
            .collect();
        let square = empty.choose(self.rng).expect("few squares are taken");
        self.setup.board[square.index()] = Some(piece);
    }
}
