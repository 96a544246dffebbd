//! The state of one search thread.

use super::correction::Corrections;
use super::features::Config;
use super::features::Features;
use super::history::{Histories, PieceTo};
use super::parameters::Parameters;
use super::path::Path;
use super::picker::Sources;
use crate::eval::{Cache, Evaluation};
use crate::search::MAX_PLY;
use crate::search::report::Lines;
use crate::search::stopper::{Stopped, Stopper};
use crate::search::table::Table;
use chess::rules::attacks::Sliders;
use chess::rules::cpu::CpuSliders;
use chess::rules::{Move, Position};
use tablebase::Probing;

/// Histories and caches of a thread; they persist between searches.
#[derive(Clone, Debug)]
pub(in crate::search) struct Memory {
    pub(super) histories: Histories,
    pub(super) corrections: Corrections,
    pub(super) cache: Cache,
}

impl Memory {
    pub(in crate::search) fn new() -> Self {
        Self {
            histories: Histories::new(),
            corrections: Corrections::new(),
            cache: Cache::new(),
        }
    }
}

/// Search stack entry, one per ply.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// The corrected static eval; `None` in check.
    pub(super) static_eval: Option<i32>,
    /// The move being searched; `None` for the null move.
    pub(super) played: Option<PieceTo>,
    /// The excluded move of a singular search.
    pub(super) excluded: Option<Move>,
    /// Killer moves: the two latest quiet moves that caused a cutoff at this ply.
    pub(super) killers: [Option<Move>; 2],
}

pub(in crate::search) struct Worker<'a, E, S> {
    pub(super) evaluation: &'a E,
    /// The slider implementation, chosen once for the whole search.
    pub(super) sliders: S,
    pub(super) features: Features,
    pub(super) parameters: Parameters,
    pub(super) tables: Option<&'a Probing>,
    pub(super) table_hits: u64,
    pub(super) table: &'a Table,
    pub(super) memory: &'a mut Memory,
    pub(super) stopper: Stopper<'a>,
    pub(super) path: Path,
    pub(super) lines: Lines,
    pub(super) frames: Box<[Frame]>,
    /// The maximal ply reached in this iteration.
    pub(super) deepest: usize,
    /// The depth of this iteration.
    pub(super) root_depth: i32,
    /// Null moves are allowed from this ply on; 0 except during a verification search.
    pub(super) null_moves_from: usize,
}

/// A node: the position, the remaining depth, and the distance from the root.
#[derive(Clone, Copy)]
pub(super) struct Node<'p> {
    pub(super) position: &'p Position,
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// Whether the side to move is in check.
    pub(super) is_check: bool,
    /// Whether this is an expected cut node.
    pub(super) is_cut: bool,
}

impl Node<'_> {
    /// The child after a move, with depth 0.
    #[inline(always)]
    pub(super) fn after<S: Sliders>(self, next: &Position, sliders: S) -> Node<'_> {
        Node {
            position: next,
            depth: 0,
            ply: self.ply + 1,
            is_check: !next.checkers_with(sliders).is_empty(),
            is_cut: false,
        }
    }
}

impl<'a, E: Evaluation, S: CpuSliders> Worker<'a, E, S> {
    pub(in crate::search) fn new(
        (evaluation, sliders): (&'a E, S),
        config: Config<'a>,
        table: &'a Table,
        memory: &'a mut Memory,
        stopper: Stopper<'a>,
        path: Path,
    ) -> Self {
        Self {
            evaluation,
            sliders,
            features: config.features,
            parameters: config.parameters,
            tables: config.tables,
            table_hits: 0,
            table,
            memory,
            stopper,
            path,
            lines: Lines::new(),
            frames: vec![Frame::default(); MAX_PLY + 2].into(),
            deepest: 0,
            root_depth: 0,
            null_moves_from: 0,
        }
    }

    /// Counts the node and initialises its ply.
    #[inline(always)]
    pub(super) fn enter(&mut self, ply: usize) -> Result<(), Stopped> {
        self.stopper.count_node()?;
        self.deepest = self.deepest.max(ply);
        self.lines.clear(ply);
        Ok(())
    }

    /// The static evaluation, before correction.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        self.evaluation
            .evaluate_cached(position, ply, &mut self.memory.cache)
    }

    /// The data used for move ordering.
    #[inline(always)]
    pub(super) fn sources<'b>(&'b self, position: &'b Position) -> Sources<'b, S> {
        Sources {
            position,
            sliders: self.sliders,
            histories: &self.memory.histories,
            features: self.features,
        }
    }

    /// The moves one and two plies before a node; `None` before the root and for null moves.
    #[inline(always)]
    pub(super) fn earlier(&self, ply: usize) -> [Option<PieceTo>; 2] {
        [1, 2].map(|back| self.frames[ply.checked_sub(back)?].played)
    }
}
