//! Sides, kinds of pieces, coloured pieces, and arrays with one entry for each side or kind.

use std::fmt;
use std::ops::Not;

index_enum! {
    /// A kind of piece.
    #[expect(missing_docs, reason = "the name is the meaning")]
    pub enum PieceType { Pawn, Knight, Bishop, Rook, Queen, King }
}

impl PieceType {
    /// The promotion pieces, strongest first (FIDE 3.7.3.3).
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// The English letter, upper case: `P N B R Q K`.
    pub const fn to_char(self) -> char {
        b"PNBRQK"[self as usize] as char
    }

    /// The kind with this upper-case English letter.
    pub const fn from_char(letter: char) -> Option<Self> {
        match letter {
            'P' => Some(Self::Pawn),
            'N' => Some(Self::Knight),
            'B' => Some(Self::Bishop),
            'R' => Some(Self::Rook),
            'Q' => Some(Self::Queen),
            'K' => Some(Self::King),
            _ => None,
        }
    }
}

impl fmt::Display for PieceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(["pawn", "knight", "bishop", "rook", "queen", "king"][*self as usize])
    }
}

/// A piece of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The side it belongs to.
    pub color: Color,
    /// The kind of piece.
    pub piece_type: PieceType,
}

impl Piece {
    /// A piece of `color`.
    pub const fn new(color: Color, piece_type: PieceType) -> Self {
        Self { color, piece_type }
    }

    /// The FEN letter: upper case for White, lower case for Black.
    pub const fn to_char(self) -> char {
        let letter = self.piece_type.to_char();
        match self.color {
            Color::White => letter,
            Color::Black => letter.to_ascii_lowercase(),
        }
    }

    /// The piece with this FEN letter.
    pub const fn from_char(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_lowercase() {
            Color::Black
        } else {
            Color::White
        };
        match PieceType::from_char(letter.to_ascii_uppercase()) {
            Some(piece_type) => Some(Self { color, piece_type }),
            None => None,
        }
    }
}

array_by! {
    /// One `T` for each kind of piece, indexed by [`PieceType`].
    ByPieceType of PieceType
}

index_enum! {
    /// A side.
    pub enum Color {
        /// The side that moves first, up the board.
        White,
        /// The side that moves second, down the board.
        Black,
    }
}

impl Color {
    /// The letter used in FEN, `w` or `b`.
    pub const fn to_char(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }

    /// The direction of the side's pawns in ranks: 1 for White, -1 for Black.
    pub const fn forward(self) -> i32 {
        match self {
            Self::White => 1,
            Self::Black => -1,
        }
    }
}

impl Not for Color {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

array_by! {
    /// One `T` for each side, indexed by [`Color`].
    ByColor of Color
}
