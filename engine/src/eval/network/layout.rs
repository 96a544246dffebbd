//! The input features of the network: piece placement from either side's perspective.

use chess::rules::{Color, Piece, Square};

/// Inputs per perspective: twelve kinds of pieces on 64 squares.
pub const INPUTS: usize = 12 * 64;
/// Hidden neurons per perspective.
pub const HIDDEN: usize = 256;
/// Number of output buckets, selected by the piece count.
pub const BUCKETS: usize = 8;

/// The perspective of one side: seen from its own edge, with its king on the left half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    side: Color,
    /// Combined with square indices by XOR.
    flip: u8,
}

impl View {
    /// The perspective of a side whose king is on `king`.
    #[inline(always)]
    pub const fn new(side: Color, king: Square) -> Self {
        let rank = match side {
            Color::White => 0,
            Color::Black => 0b11_1000,
        };
        let file = if king as u8 & 0b100 != 0 { 0b111 } else { 0 };
        Self {
            side,
            flip: rank | file,
        }
    }

    /// The input feature of a piece on a square, below [`INPUTS`].
    #[inline(always)]
    pub const fn input(self, piece: Piece, square: Square) -> usize {
        let opponent = piece.color as usize ^ self.side as usize;
        let kind = opponent * 6 + piece.piece_type as usize;
        kind * 64 + (square as usize ^ self.flip as usize)
    }
}

/// The output bucket for this number of pieces, kings included.
#[inline(always)]
pub const fn bucket(pieces: usize) -> usize {
    let bucket = (pieces - 2) / 4;
    if bucket < BUCKETS {
        bucket
    } else {
        BUCKETS - 1
    }
}
