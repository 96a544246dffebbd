//! Counting with cozy-chess, the moves of the last ply in bulk; here and in `peers.rs`.

use cozy_chess::Board;

/// The leaf nodes below a position; `depth` is at least 1.
pub(crate) fn perft(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for m in moves {
                let mut next = board.clone();
                next.play_unchecked(m);
                nodes += perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}
