//! The evaluation of profile `Touchstone`: that of [`ChessBin`], so far.
//!
//! It begins as the value of the articles and leaves it change by change, each judged by games.

use super::{ChessBin, Evaluation, Trace};
use crate::rules::Position;

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
        ChessBin.evaluate(position)
    }

    fn trace(&self, position: &Position) -> Trace {
        ChessBin.trace(position).named("Touchstone")
    }
}
