//! Tablebase filter of the root moves: removes those that give the result away.

use engine::search::Limits;
use tablebase::{Probing, Wdl};

use crate::board::Board;

/// Restricts a search to root moves that preserve the tablebase result, if the position is in the
/// tablebases. Returns a message for the user.
pub(crate) fn restrict(
    limits: &mut Limits,
    probing: Option<&Probing>,
    board: &Board,
) -> Option<String> {
    let (mut kept, value) = probing?.root_moves(board.game())?;
    let count = board.position().legal_moves().len();
    if !limits.searchmoves.is_empty() {
        kept.retain(|m| limits.searchmoves.contains(m));
    }
    if kept.is_empty() {
        return None;
    }
    let result = match value {
        Wdl::Win | Wdl::CursedWin => "win",
        Wdl::Draw => "draw",
        Wdl::Loss | Wdl::BlessedLoss => "loss",
    };
    let told = format!(
        "endgame tables: {result}, {} of {count} moves searched",
        kept.len()
    );
    limits.searchmoves = kept;
    Some(told)
}
