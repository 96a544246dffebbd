//! Attack generation for each kind of piece.
//!
//! Leapers use tables computed at compile time. Sliders have two implementations, both always
//! compiled: [`Pext`] uses look-ups on CPUs with BMI2; [`Subtraction`] computes the thesis's
//! `o ^ (o - 2s)` on any CPU. [`rook`] and [`bishop`] choose at run time.

mod leapers;
mod lines;
mod pext;
mod sliders;

pub use leapers::{king, knight, pawn};
pub use lines::{between, line};
pub use pext::Pext;
pub use sliders::{Sliders, Subtraction};

use super::{Bitboard, Square};

/// The squares a rook on `square` attacks, up to and including the first piece of `occupied` on
/// each line.
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    match Pext::detect() {
        Some(pext) => pext.rook(square, occupied),
        None => Subtraction.rook(square, occupied),
    }
}

/// The squares a bishop on `square` attacks, up to and including the first piece of `occupied` on
/// each line.
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    match Pext::detect() {
        Some(pext) => pext.bishop(square, occupied),
        None => Subtraction.bishop(square, occupied),
    }
}
