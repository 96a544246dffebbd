//! Play for material: with an option that makes it blunder, the strength depends on the option, as tuning needs.

use chess::rules::{Color, Move, PieceType, Position};

/// The options that are declared. Scale changes nothing.
pub(crate) const OPTIONS: &str = "option name Margin type spin default 20 min 0 max 100\n\
    option name Scale type string default 1\n";
/// The value of Margin unless set.
pub(crate) const MARGIN: u64 = 20;

/// The move that wins most material after the best reply; among equals, one that `random` selects.
pub(crate) fn greedy(position: &Position, random: u64) -> Option<Move> {
    let us = position.side_to_move();
    let worth = |m: &Move| {
        let after = position.play_unchecked(*m);
        let replies = after.legal_moves();
        if replies.is_empty() {
            return if after.checkers().is_empty() {
                0
            } else {
                i32::MAX
            };
        }
        let replies = replies.into_iter();
        let worst = replies.map(|reply| balance(&after.play_unchecked(reply), us));
        worst.min().expect("there are replies")
    };
    let worths: Vec<(i32, Move)> = position
        .legal_moves()
        .into_iter()
        .map(|m| (worth(&m), m))
        .collect();
    let most = worths.iter().map(|(worth, _)| *worth).max()?;
    let best = worths.iter().filter(|(worth, _)| *worth == most);
    let count = u64::try_from(best.clone().count()).expect("moves are few");
    let index = usize::try_from(random % count).expect("moves are few");
    best.map(|(_, m)| *m).nth(index)
}

/// The balance of material for a side, in centipawns.
pub(crate) fn balance(position: &Position, side: Color) -> i32 {
    let values = [
        (PieceType::Pawn, 100),
        (PieceType::Knight, 300),
        (PieceType::Bishop, 300),
        (PieceType::Rook, 500),
        (PieceType::Queen, 900),
    ];
    let count = |color, piece_type| {
        i32::try_from(position.pieces(color, piece_type).count()).expect("at most 64")
    };
    let sum = values.map(|(piece, value)| (count(side, piece) - count(!side, piece)) * value);
    sum.iter().sum()
}
