//! Tablebase results of a position.

use chess::rules::Position;
use tablebase::TablebaseWdl;

use super::{Ending, won_by};
use crate::model::{GameResult, Termination};

pub trait Endgames: Sync {
    /// Maximum number of pieces, kings included.
    fn pieces(&self) -> u32;

    /// Probes a position without castling rights, as if its halfmove clock were 0; `None` if the
    /// tables do not contain it.
    fn probe(&self, position: &Position) -> Option<TablebaseWdl>;
}

/// The end of the game for a tablebase result. A win or loss is certain only when the halfmove
/// clock is 0, since the tables assume that value.
pub(super) fn ending(
    value: TablebaseWdl,
    position: &Position,
    fifty_moves: bool,
) -> Option<Ending> {
    let us = position.side_to_move();
    let is_exact = !fifty_moves || position.halfmove_clock() == 0;
    let result = match value {
        TablebaseWdl::Win if is_exact => won_by(us),
        TablebaseWdl::Loss if is_exact => won_by(!us),
        TablebaseWdl::CursedWin if !fifty_moves => won_by(us),
        TablebaseWdl::BlessedLoss if !fifty_moves => won_by(!us),
        TablebaseWdl::Win | TablebaseWdl::Loss => return None,
        // The fifty-move rule only takes wins away: a draw is one at any clock.
        TablebaseWdl::CursedWin | TablebaseWdl::BlessedLoss | TablebaseWdl::Draw => {
            GameResult::Draw
        }
    };
    Some(Ending {
        result,
        termination: Termination::Tablebase,
    })
}

/// Returns true if tables with this many pieces may contain a position.
pub(super) fn may_know(position: &Position, pieces: u32) -> bool {
    // Syzygy tables have no positions with castling rights.
    position.castling_rooks().is_empty() && position.occupied().count() <= pieces
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;

    #[test]
    fn values_become_results() {
        use GameResult::{BlackWins, Draw, WhiteWins};
        let rows = [
            (TablebaseWdl::Win, "w", 0, true, Some(WhiteWins)),
            (TablebaseWdl::Win, "b", 0, true, Some(BlackWins)),
            (TablebaseWdl::Loss, "w", 0, true, Some(BlackWins)),
            // Fifty moves may pass before the win.
            (TablebaseWdl::Win, "w", 1, true, None),
            (TablebaseWdl::Loss, "w", 1, true, None),
            (TablebaseWdl::Win, "w", 1, false, Some(WhiteWins)),
            (TablebaseWdl::CursedWin, "w", 0, true, Some(Draw)),
            (TablebaseWdl::CursedWin, "w", 0, false, Some(WhiteWins)),
            (TablebaseWdl::BlessedLoss, "b", 7, true, Some(Draw)),
            (TablebaseWdl::BlessedLoss, "b", 7, false, Some(WhiteWins)),
            (TablebaseWdl::Draw, "w", 60, true, Some(Draw)),
            (TablebaseWdl::Draw, "w", 60, false, Some(Draw)),
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
