//! Adjudication: ending games before the rules of chess do. All rules are off by default.
//!
//! - **Resignation**: a side loses once the scores of its last moves have all been at or below the
//!   limit; if two-sided, those of its opponent must also have been at or above it.
//! - **Draw**: the scores of a number of consecutive moves of both sides are within the limit, and
//!   the last of them is not before the first move number allowed. Captures and pawn moves restart
//!   the count, and are its first move.
//! - **Maximum length**: the engines have played the given number of full moves, opening excluded.
//! - **Tablebases**: the position has a known result.
//!
//! A mate score exceeds any limit. A move without a score resets every count, since the engine's
//! opinion is unknown.

use chess::rules::{ByColor, Color, Position};
use uci::grammar::ScoreValue;

use super::endgames::{self, Endgames};
use super::{Ending, won_by};
use crate::model::{Adjudication, GameResult, Termination};

/// The properties of a move that matter for adjudication.
pub(super) struct Moved {
    /// The side that moved.
    pub(super) side: Color,
    /// The move number, as on a score sheet.
    pub(super) number: u32,
    /// Whether it was a capture or a pawn move.
    pub(super) is_irreversible: bool,
    /// The score from the mover's point of view.
    pub(super) score: Option<ScoreValue>,
}

/// The rules and the current counts.
pub(super) struct Adjudicator<'r> {
    rules: &'r Adjudication,
    endgames: Option<&'r dyn Endgames>,
    /// Consecutive moves of a side with a score that is as good as lost.
    low: ByColor<u32>,
    /// Consecutive moves of a side with a score that is as good as won.
    high: ByColor<u32>,
    /// Consecutive plies with a score near zero.
    level: u32,
    /// Plies played by the engines.
    plies: u32,
    /// The number of the last move.
    number: u32,
}

impl<'r> Adjudicator<'r> {
    pub(super) fn new(rules: &'r Adjudication, endgames: Option<&'r dyn Endgames>) -> Self {
        Self {
            rules,
            endgames,
            low: ByColor::default(),
            high: ByColor::default(),
            level: 0,
            plies: 0,
            number: 0,
        }
    }

    /// Counts a move.
    pub(super) fn note(&mut self, moved: &Moved) {
        self.plies += 1;
        self.number = moved.number;
        let score = moved.score.map(in_centipawns);
        if let Some(rule) = self.rules.resign {
            let limit = i64::from(rule.score_cp);
            let side = moved.side;
            count(&mut self.low[side], score.is_some_and(|cp| cp <= -limit));
            count(&mut self.high[side], score.is_some_and(|cp| cp >= limit));
        }
        if let Some(rule) = self.rules.draw {
            if moved.is_irreversible {
                self.level = 0;
            }
            let limit = i64::from(rule.score_cp);
            count(&mut self.level, score.is_some_and(|cp| cp.abs() <= limit));
        }
    }

    /// The end of the game after the last move noted.
    pub(super) fn verdict(&self, position: &Position) -> Option<Ending> {
        self.by_tables(position)
            .or_else(|| self.by_resignation())
            .or_else(|| self.by_agreement())
            .or_else(|| self.by_length())
    }

    fn by_tables(&self, position: &Position) -> Option<Ending> {
        let rule = self.rules.tablebase.as_ref()?;
        let tables = self.endgames?;
        let pieces = rule.pieces.unwrap_or(u32::MAX).min(tables.pieces());
        if !endgames::may_know(position, pieces) {
            return None;
        }
        let value = tables.probe(position)?;
        endgames::ending(value, position, rule.fifty_moves)
    }

    fn by_resignation(&self) -> Option<Ending> {
        let rule = self.rules.resign?;
        let moves = rule.moves.max(1);
        let has_lost = |side: &Color| {
            self.low[*side] >= moves && (!rule.two_sided || self.high[!*side] >= moves)
        };
        let loser = Color::ALL.into_iter().find(has_lost)?;
        Some(Ending {
            result: won_by(!loser),
            termination: Termination::ResignAdjudication,
        })
    }

    fn by_agreement(&self) -> Option<Ending> {
        let rule = self.rules.draw?;
        let plies = rule.moves.max(1).saturating_mul(2);
        let is_drawn = self.number >= rule.from_move && self.level >= plies;
        is_drawn.then_some(Ending {
            result: GameResult::Draw,
            termination: Termination::DrawAdjudication,
        })
    }

    fn by_length(&self) -> Option<Ending> {
        let plies = self.rules.max_moves?.saturating_mul(2);
        (self.plies >= plies).then_some(Ending {
            result: GameResult::Draw,
            termination: Termination::MaxMoves,
        })
    }
}

/// Increments a count, or resets it.
fn count(series: &mut u32, is_met: bool) {
    *series = if is_met { *series + 1 } else { 0 };
}

/// The score as a number; a mate exceeds any limit. A side that is mated reports `mate 0`.
fn in_centipawns(score: ScoreValue) -> i64 {
    match score {
        ScoreValue::Cp(cp) => i64::from(cp),
        ScoreValue::Mate(moves) if moves > 0 => i64::MAX,
        ScoreValue::Mate(_) => -i64::MAX,
    }
}
