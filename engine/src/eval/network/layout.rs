//! The input features of the network: piece placement from either side's perspective.

use chess::rules::{Color, Piece, Square};

/// Inputs per perspective and king bucket: twelve kinds of pieces on 64 squares.
pub const INPUTS: usize = 12 * 64;
/// Hidden neurons per perspective; a network may use fewer.
pub const HIDDEN: usize = 256;
const _: () = assert!(HIDDEN.is_multiple_of(32), "rows are whole vectors");
/// Number of output buckets, selected by the piece count.
pub const BUCKETS: usize = 8;

/// King buckets: the first layer has weights of its own for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KingBuckets {
    /// By the squares a1, b1, c1, d1, a2, … d8 of the own king, as its side sees the board.
    map: [u8; 32],
}

impl KingBuckets {
    /// The maximal number of buckets.
    pub const MAX: usize = 32;
    /// One bucket for all squares.
    pub const ONE: Self = Self { map: [0; 32] };

    /// The buckets by square: a1, b1, c1, d1, a2, … d8. `None` if a number is skipped.
    pub fn new(map: [u8; 32]) -> Option<Self> {
        let buckets = Self { map };
        let is_used = |bucket| map.iter().any(|&of| usize::from(of) == bucket);
        (0..buckets.count()).all(is_used).then_some(buckets)
    }

    /// Number of buckets.
    pub fn count(&self) -> usize {
        let last = self.map.iter().max().expect("there are 32");
        usize::from(*last) + 1
    }

    /// The buckets by square.
    pub fn map(&self) -> [u8; 32] {
        self.map
    }
}

/// The perspective of one side: seen from its own edge, with its king on the left half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective {
    side: Color,
    /// Combined with square indices by XOR.
    flip: u8,
    bucket: u8,
}

impl Perspective {
    /// The perspective of a side whose king is on `king`.
    #[inline(always)]
    pub const fn new(side: Color, king: Square, buckets: &KingBuckets) -> Self {
        let rank = match side {
            Color::White => 0,
            Color::Black => 0b11_1000,
        };
        let file = if king as u8 & 0b100 != 0 { 0b111 } else { 0 };
        let flip = rank | file;
        let seen = king as u8 ^ flip;
        Self {
            side,
            flip,
            bucket: buckets.map[(seen / 8 * 4 + seen % 8) as usize],
        }
    }

    /// The input feature of a piece on a square, below [`INPUTS`] times the number of king buckets.
    #[inline(always)]
    pub const fn input(self, piece: Piece, square: Square) -> usize {
        let opponent = piece.color as usize ^ self.side as usize;
        let kind = self.bucket as usize * 12 + opponent * 6 + piece.piece_type as usize;
        kind * 64 + (square as usize ^ self.flip as usize)
    }

    /// An index of the perspective, below four times the number of king buckets.
    #[inline(always)]
    pub(super) const fn index(self) -> usize {
        let mirrored = (self.flip & 1) as usize;
        self.bucket as usize * 4 + mirrored * 2 + self.side as usize
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
