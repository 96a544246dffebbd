//! What endgame tables say of a position.

use engine::rules::Position;

use super::{Ending, won_by};
use crate::model::{GameResult, Termination};

/// What a table says of a position with the counter of the fifty-move rule at 0, for the side to
/// move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableValue {
    /// Lost.
    Loss,
    /// Lost, but for the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but for the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

/// Endgame tables.
pub trait Endgames: Sync {
    /// The greatest number of pieces, kings included, that they have.
    fn pieces(&self) -> u32;

    /// What they say of a position without castling rights; nothing if they do not know it.
    fn probe(&self, position: &Position) -> Option<TableValue>;
}

/// What a value means for the game. Whether a win can still be had before fifty moves are over is
/// known only at the start of the count.
pub(super) fn ending(value: TableValue, position: &Position, fifty_moves: bool) -> Option<Ending> {
    let us = position.side_to_move();
    let is_exact = !fifty_moves || position.halfmove_clock() == 0;
    let result = match value {
        TableValue::Win if is_exact => won_by(us),
        TableValue::Loss if is_exact => won_by(!us),
        TableValue::CursedWin if !fifty_moves => won_by(us),
        TableValue::BlessedLoss if !fifty_moves => won_by(!us),
        TableValue::Win | TableValue::Loss => return None,
        TableValue::CursedWin | TableValue::BlessedLoss | TableValue::Draw => GameResult::Draw,
    };
    Some(Ending {
        result,
        termination: Termination::Tablebase,
    })
}

/// Whether tables with so many pieces may know a position.
pub(super) fn may_know(position: &Position, pieces: u32) -> bool {
    position.castling_rooks().is_empty() && position.occupied().count() <= pieces
}

#[cfg(test)]
mod tests {
    use engine::notation::fen;

    use super::*;

    #[test]
    fn values_become_results() {
        use GameResult::{BlackWins, Draw, WhiteWins};
        let rows = [
            (TableValue::Win, "w", 0, true, Some(WhiteWins)),
            (TableValue::Win, "b", 0, true, Some(BlackWins)),
            (TableValue::Loss, "w", 0, true, Some(BlackWins)),
            // Fifty moves may be over before the win is.
            (TableValue::Win, "w", 1, true, None),
            (TableValue::Loss, "w", 1, true, None),
            (TableValue::Win, "w", 1, false, Some(WhiteWins)),
            (TableValue::CursedWin, "w", 0, true, Some(Draw)),
            (TableValue::CursedWin, "w", 0, false, Some(WhiteWins)),
            (TableValue::BlessedLoss, "b", 7, true, Some(Draw)),
            (TableValue::BlessedLoss, "b", 7, false, Some(WhiteWins)),
            (TableValue::Draw, "w", 60, true, Some(Draw)),
            (TableValue::Draw, "w", 60, false, Some(Draw)),
        ];
        for (value, side, clock, fifty_moves, expected) in rows {
            let text = format!("8/8/4k3/8/8/3K1R2/8/8 {side} - - {clock} 60");
            let position = fen::parse(&text).expect("legal");
            let found = ending(value, &position, fifty_moves);
            assert_eq!(
                found.map(|ending| ending.result),
                expected,
                "{value:?} {text}"
            );
        }
    }

    #[test]
    fn castling_and_pieces_keep_tables_away() {
        let rows = [
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", 5, false),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 3, true),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 2, false),
        ];
        for (text, pieces, expected) in rows {
            let position = fen::parse(text).expect("legal");
            assert_eq!(may_know(&position, pieces), expected, "{text} {pieces}");
        }
    }
}
