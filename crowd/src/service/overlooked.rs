//! What people overlook, as it is shown to anyone.

use std::sync::Arc;

use serde::Serialize;

use super::positions::Positions;
use crate::insight::{IllegalMove, KindShare, MoveShare, RuleShare, Share};
use crate::model::PositionState;

/// A position by how hard it is for people, with what identifies it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HardPosition {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its FEN.
    pub fen: String,
    /// Whether it is a Chess960 position.
    pub chess960: bool,
    /// Why its answer is public.
    pub state: PositionState,
    /// The number of lists.
    pub lists: u64,
    /// Over all its legal moves and lists: how often they were shown and found.
    pub difficulty: Share,
    /// Its legal moves, most overlooked first.
    pub moves: Vec<MoveShare>,
    /// Illegal moves that were listed, most frequent first.
    pub illegal: Vec<IllegalMove>,
}

/// What people overlook.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Overlooked {
    /// The number of lists evaluated.
    pub lists: u64,
    /// The number of people who made them.
    pub people: u64,
    /// Kinds of moves, hardest first. A move may be of several kinds.
    pub kinds: Vec<KindShare>,
    /// Rules that listed moves break, most frequently broken first.
    pub rules: Vec<RuleShare>,
    /// Positions, hardest first.
    pub positions: Vec<HardPosition>,
}

/// The latest evaluation, and what it was made from.
#[derive(Debug, Default)]
pub(super) struct LastInsight {
    pub(super) made: Option<(Arc<Positions>, u64, Arc<Overlooked>)>,
}
