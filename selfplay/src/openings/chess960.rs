//! Start positions of Chess960 as openings, and pairs of them.

use chess::rules::{CHESS960_POSITIONS, Position};

use super::start::Start;
use crate::model::Opening;

/// How many start positions Chess960 has.
pub const POSITIONS: u64 = CHESS960_POSITIONS as u64;
/// How many there are with a back rank of its own for each side.
pub const DOUBLE_POSITIONS: u64 = POSITIONS * POSITIONS;

/// The opening with a number.
pub(super) fn opening(number: u64) -> Opening {
    start(number, number).into_opening(format!("Chess960 position {number}"), true)
}

/// The opening with a number below [`DOUBLE_POSITIONS`]: White's number times 960, and Black's.
pub(super) fn double_opening(number: u64) -> Opening {
    let (white, black) = (number / POSITIONS, number % POSITIONS);
    let label = format!("Chess960 positions {white} and {black}");
    start(white, black).into_opening(label, true)
}

fn start(white: u64, black: u64) -> Start {
    let number = |number| u16::try_from(number).expect("below 960");
    let position = Position::chess960_start(number(white), number(black));
    Start {
        label: None,
        position: position.expect("below 960"),
        moves: Vec::new(),
        needs_chess960: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_of_a_double_opening_can_castle() {
        let opening = double_opening(518 * POSITIONS);
        assert_eq!(
            opening.fen,
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
        assert_eq!(opening.label, "Chess960 positions 518 and 0");
        assert!(opening.chess960);
    }
}
