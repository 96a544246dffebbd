//! What the network looks at: which piece stands where, as either side sees it.

use chess::rules::{Color, Piece, Square};

/// Inputs of one side: twelve kinds of pieces on 64 squares.
pub const INPUTS: usize = 12 * 64;
/// Neurons that either side's inputs feed.
pub const HIDDEN: usize = 256;
/// Sets of output weights, by how many pieces are left.
pub const BUCKETS: usize = 8;

/// How one side sees the board: from its own edge, and with its king on the left half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    side: Color,
    /// What squares are combined with.
    flip: u8,
}

impl View {
    /// The view of a side whose king stands on `king`.
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

    /// The input that a piece on a square switches on, below [`INPUTS`].
    #[inline(always)]
    pub const fn input(self, piece: Piece, square: Square) -> usize {
        let opponent = piece.color as usize ^ self.side as usize;
        let kind = opponent * 6 + piece.piece_type as usize;
        kind * 64 + (square as usize ^ self.flip as usize)
    }
}

/// The set of output weights for so many pieces, kings included.
#[inline(always)]
pub const fn bucket(pieces: usize) -> usize {
    let bucket = (pieces - 2) / 4;
    if bucket < BUCKETS {
        bucket
    } else {
        BUCKETS - 1
    }
}
