//! What makes a tactic: the one winning move, whatever the number of nodes.

use anyhow::Result;
use chess::rules::{Move, Position};

use crate::stockfish::{Line, Stockfish};

/// How clear a win must be, in centipawns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Margins {
    /// The least that the best move is worth.
    pub(crate) best: i32,
    /// The most that the next best is worth.
    pub(crate) next: i32,
    pub(crate) gap: i32,
}

pub(crate) const TO_FIND: Margins = Margins {
    best: 300,
    next: 100,
    gap: 250,
};

/// For what is in a suite: half a pawn is left to other versions and other node counts.
pub(crate) const TO_VERIFY: Margins = Margins {
    best: 250,
    next: 150,
    gap: 200,
};

/// The best move and the next best.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) best: Line,
    pub(crate) next: Line,
}

impl Pair {
    /// Asks Stockfish, which has forgotten all it knew; nothing where there is only one move.
    pub(crate) fn ask(
        stockfish: &mut Stockfish,
        position: &Position,
        nodes: u64,
    ) -> Result<Option<Self>> {
        stockfish.forget()?;
        let lines = stockfish.lines(position, 2, nodes)?;
        Ok(match lines[..] {
            [best, next] => Some(Self { best, next }),
            _ => None,
        })
    }

    /// Whether `m` wins and no other move does.
    pub(crate) fn alone_wins(&self, m: Move, margins: Margins) -> bool {
        let (best, next) = (self.best.score_cp, self.next.score_cp);
        self.best.first == m
            && best >= margins.best
            && next <= margins.next
            && best - next >= margins.gap
    }
}
