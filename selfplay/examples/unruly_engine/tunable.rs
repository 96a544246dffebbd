//! Play whose strength depends on an option: for testing those who tune.

use chess::rules::{Color, Move, PieceType, Position};
use uci::grammar::Command;

/// What is declared.
pub(crate) const OPTIONS: &[u8] = b"option name Margin type spin default 20 min 0 max 100\n\
    option name Scale type string default 1\n";

/// The option Margin, and where it is best. The option Scale changes nothing.
pub(crate) struct Tunable {
    optimum: u64,
    margin: u64,
}

impl Tunable {
    pub(crate) fn new(optimum: u64) -> Self {
        Self {
            optimum,
            margin: 20,
        }
    }

    /// Sets the option, if it is this one.
    pub(crate) fn obey(&mut self, command: &Command) {
        if let Command::SetOption { name, value } = command
            && name == "Margin"
        {
            let value = value.as_deref().unwrap_or_default();
            self.margin = value.parse().expect("only whole numbers are sent");
        }
    }

    /// Whether it blunders: in as many of a hundred positions as the option is away from its best.
    pub(crate) fn blunders(&self, dice: u64) -> bool {
        dice % 100 < self.margin.abs_diff(self.optimum)
    }
}

/// The move that wins most material, the other side's best capture in return counted; of equals the
/// one that the dice say.
pub(crate) fn greedy(position: &Position, dice: u64) -> Option<Move> {
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
    let index = usize::try_from(dice % count).expect("moves are few");
    best.map(|(_, m)| *m).nth(index)
}

/// Material of a side less that of the other, in centipawns.
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
