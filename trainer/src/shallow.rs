//! A small search of its own: shallow scores of positions after random moves.

use chess::rules::{Move, PieceType, Position};
use engine::eval::{ChessBin, Evaluation, LIMIT};

/// The score for the side to move of a search of `plies` plies with quiescence.
pub(crate) fn value(position: &Position, plies: u32) -> i32 {
    search(position, plies, -LIMIT, LIMIT)
}

fn search(position: &Position, plies: u32, mut alpha: i32, beta: i32) -> i32 {
    if plies == 0 {
        return quiesce(position, alpha, beta);
    }
    let moves = position.legal_moves();
    if moves.is_empty() {
        // Checkmate and stalemate (FIDE Laws 5.1.1 and 5.2.1).
        return if position.is_check() { -LIMIT } else { 0 };
    }
    for m in ordered(position, moves) {
        let next = position.play_unchecked(m);
        alpha = alpha.max(-search(&next, plies - 1, -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// Quiescence search of captures and promotions. The side to move may stand pat unless it is in
/// check; then all evasions are tried. It terminates, since every other move captures or promotes.
fn quiesce(position: &Position, mut alpha: i32, beta: i32) -> i32 {
    let moves = position.legal_moves();
    let is_check = position.is_check();
    if moves.is_empty() {
        return if is_check { -LIMIT } else { 0 };
    }
    if !is_check {
        alpha = alpha.max(ChessBin.evaluate(position));
    }
    let tried = moves
        .into_iter()
        .filter(|&m| is_check || is_noisy(position, m));
    for m in ordered(position, tried) {
        if alpha >= beta {
            break;
        }
        alpha = alpha.max(-quiesce(&position.play_unchecked(m), -beta, -alpha));
    }
    alpha
}

/// Whether a move is a capture or a promotion.
fn is_noisy(position: &Position, m: Move) -> bool {
    m.promotion().is_some() || position.is_capture(m)
}

/// MVV-LVA: the most valuable victims first, each by the least valuable attacker first.
fn ordered(position: &Position, moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let value = |square| {
        position
            .piece_type_at(square)
            .map_or(0, ChessBin::piece_value)
    };
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort_by_key(|&m| {
        let victim = if position.is_capture(m) {
            // The target square of a capture en passant is empty; what is captured is a pawn.
            value(m.to()).max(ChessBin::piece_value(PieceType::Pawn))
        } else {
            0
        };
        (-victim, value(m.from()))
    });
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::notation::fen;

    #[test]
    fn mates_and_losses_within_the_plies_are_seen() {
        let mate_in_one = fen::parse("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
        assert_eq!(value(&mate_in_one, 1), LIMIT);
        let hanging = fen::parse("4k3/8/8/8/8/8/1q6/R3K3 b - - 0 1").unwrap();
        assert!(value(&hanging, 0) > 700);
    }
}
