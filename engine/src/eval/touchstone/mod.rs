//! The evaluation of profile `Touchstone`: that of [`ChessBin`], tapered.
//!
//! It grows from the evaluation of the articles change by change, each judged by games. What it
//! takes from there it takes by composition.

use super::{ChessBin, Evaluation, Taper, Trace};
use crate::rules::{Color, PieceType, Position};

/// The evaluation of the engine as strong as we can make it.
///
/// ```
/// use engine::eval::{Evaluation, Touchstone};
/// use engine::rules::Position;
///
/// // All is equal but the right to move, which is worth 10.
/// let position = Position::startpos();
/// assert_eq!(Touchstone.evaluate(&position), 10);
/// println!("{}", Touchstone.trace(&position));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touchstone;

impl Evaluation for Touchstone {
    fn evaluate(&self, position: &Position) -> i32 {
        let white = taper(position).blend(ChessBin::sum(position));
        match position.side_to_move() {
            Color::White => white,
            Color::Black => -white,
        }
    }

    fn trace(&self, position: &Position) -> Trace {
        Trace::new(
            "Touchstone",
            ChessBin::rows(position),
            taper(position),
            position.side_to_move(),
        )
    }
}

/// The middle game fades with the pieces: a knight or bishop is one part of it, a rook two, a queen
/// four, and the pieces of the start position are all of it.
#[inline(always)]
fn taper(position: &Position) -> Taper {
    let count = |kind| position.by_type(kind).count();
    Taper::middle_game(
        count(PieceType::Knight)
            + count(PieceType::Bishop)
            + 2 * count(PieceType::Rook)
            + 4 * count(PieceType::Queen),
    )
}
