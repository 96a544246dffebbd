//! What is known of mates besides the records: endgame tables, and the mates after single moves.

use std::collections::HashMap;
use std::fmt;

use chess::notation::fen;
use chess::notation::uci_move::UciMove;
use chess::rules::{CastlingMode, Color, Move, Position};
use tablebase::{Tablebase, TablebaseWdl};

use super::goal::{Goal, MateGoal};
use crate::text::{PositionKey, Severity, Suite, position_key};

/// Tables and mates by which announcements are judged.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pub(crate) tables: Option<Tablebase>,
    /// The mate of each listed position, `None` if none is known.
    mates: HashMap<PositionKey, Option<MateGoal>>,
}

/// What the tables have against an announced win.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TableFault {
    #[error("the tables give {color} {} in {fen}", described(*.value))]
    Value {
        color: Color,
        value: TablebaseWdl,
        fen: String,
    },
    #[error("by the tables the next capture, pawn move or mate is {plies} plies away")]
    TooShort { plies: u32 },
}

fn described(value: TablebaseWdl) -> &'static str {
    match value {
        TablebaseWdl::Win => "a win",
        TablebaseWdl::CursedWin => "a win that the fifty-move rule makes a draw",
        TablebaseWdl::Draw => "a draw",
        TablebaseWdl::BlessedLoss => "a loss that the fifty-move rule makes a draw",
        TablebaseWdl::Loss => "a loss",
    }
}

/// The mate after a move, seen from before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MateAfter {
    /// As an engine would announce it with that move, negative for a mated side; `None` if no mate is
    /// known.
    pub(crate) moves: Option<i64>,
    pub(crate) first: Move,
}

impl Known {
    /// Adds the positions of a file such as matetrack's `matetrack_multipv.epd`: those after each
    /// first move of other records, with `bm #N` where a mate is known. Of two mates of a position
    /// the shorter one counts.
    ///
    /// # Errors
    ///
    /// The first line that cannot be read.
    pub(crate) fn add_mates(&mut self, suite: &Suite) -> Result<(), UnreadableMate> {
        let fault = |line, reason: &dyn fmt::Display| UnreadableMate {
            file: suite.name.clone(),
            line,
            reason: reason.to_string(),
        };
        let mut diagnostics = suite.diagnostics.iter();
        if let Some(error) = diagnostics.find(|one| one.severity() == Severity::Error) {
            return Err(fault(error.line, &error.problem));
        }
        for entry in &suite.entries {
            let goal = Goal::read(&entry.record).map_err(|error| fault(entry.line, &error))?;
            let mate = goal.and_then(|goal| goal.mate);
            let known = self
                .mates
                .entry(position_key(entry.record.position()))
                .or_default();
            let length = |mate: MateGoal| mate.moves();
            if known.is_none_or(|known| mate.is_some_and(|mate| length(mate) < length(known))) {
                *known = mate;
            }
        }
        Ok(())
    }

    /// The mate after the first move of a PV, if the position after it is listed.
    pub(crate) fn after(
        &self,
        position: &Position,
        pv: &[UciMove],
        mode: CastlingMode,
    ) -> Option<MateAfter> {
        if self.mates.is_empty() {
            return None;
        }
        let first = pv.first()?.to_move(position, mode)?;
        let mate = self
            .mates
            .get(&position_key(&position.play_unchecked(first)))?;
        let count = |mate: MateGoal| i64::from(mate.moves().get());
        let moves = mate.map(|mate| match mate {
            MateGoal::Mates(_) => -count(mate),
            MateGoal::Mated(_) => count(mate) + 1,
        });
        Some(MateAfter { moves, first })
    }

    /// Why one of these positions is not won for `winner`, by the tables that cover it.
    ///
    /// A result with a halfmove clock of 0 is the best that the winner can have: what is no win then,
    /// because of the fifty-move rule or otherwise, is no mate with any clock.
    pub(crate) fn not_won(
        &self,
        mut positions: impl Iterator<Item = Position>,
        winner: Color,
    ) -> Option<TableFault> {
        let tables = self.tables.as_ref()?;
        positions.find_map(|position| value_fault(tables, &position, winner))
    }

    /// Why there is no mate in this number of plies, by the tables that cover a won or lost position.
    pub(crate) fn too_short(&self, position: &Position, announced: u32) -> Option<TableFault> {
        let plies = least_plies(self.tables.as_ref()?, position)?;
        (announced < plies).then_some(TableFault::TooShort { plies })
    }
}

/// Why a position is not won for `winner`; `None` if the game is over or no table covers it.
fn value_fault(tables: &Tablebase, position: &Position, winner: Color) -> Option<TableFault> {
    if position.legal_move_count() == 0 {
        return None;
    }
    let color = position.side_to_move();
    let expected = if color == winner {
        TablebaseWdl::Win
    } else {
        TablebaseWdl::Loss
    };
    let value = tables.probe_wdl_at_zero(position)?;
    (value != expected).then(|| TableFault::Value {
        color,
        value,
        fen: fen::write(position),
    })
}

/// The plies to the next capture, pawn move or mate of a won or lost position under best play: no mate
/// takes fewer. Tables round it down, if at all.
fn least_plies(tables: &Tablebase, position: &Position) -> Option<u32> {
    let ranks = tables.probe_root(position)?;
    let (_, best) = ranks.iter().max_by_key(|(_, rank)| rank.order(false))?;
    best.dtz().map(i32::unsigned_abs)
}

/// A line of a file of mates that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{file}:{line}: {reason}")]
pub(crate) struct UnreadableMate {
    file: String,
    line: usize,
    reason: String,
}
