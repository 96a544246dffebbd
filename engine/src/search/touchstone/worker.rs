//! The state of one search thread.

use super::correction::{CorrectionKeys, Corrections};
use super::features::{Config, Features, Switches};
use super::history::{Histories, PieceTo, QuietContext};
use super::mate_search::Checkmates;
use super::parameters::Parameters;
use super::path::KeyPath;
use super::picker::Sources;
use crate::eval::{Cache, Evaluation, Network};
use crate::search::MAX_PLY;
use crate::search::report::PvTable;
use crate::search::stopper::{SearchStopped, Stopper};
use crate::search::table::TranspositionTable;
use crate::search::value::{Depth, mated_in};
use chess::rules::attacks::Sliders;
use chess::rules::cpu::CpuSliders;
use chess::rules::{Bitboard, Move, Position, king_danger};
use tablebase::Probing;

/// Histories and caches of a thread; they persist between searches.
#[derive(Clone, Debug)]
pub(in crate::search) struct ThreadHistories {
    pub(super) histories: Histories,
    pub(super) corrections: Corrections,
    pub(super) cache: Cache,
}

impl ThreadHistories {
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
pub(super) struct StackEntry {
    /// The corrected static eval; `None` in check.
    pub(super) static_eval: Option<i32>,
    /// The move being searched; `None` for the null move.
    pub(super) played: Option<PieceTo>,
    /// The move being searched if it is quiet, and what its histories depend on.
    pub(super) played_quiet: Option<(Move, QuietContext)>,
    /// By how many plies the move being searched is reduced.
    pub(super) reduction: i32,
    /// The excluded move of a singular search.
    pub(super) excluded: Option<Move>,
    /// Killer moves: the two latest quiet moves that caused a cutoff at this ply.
    pub(super) killers: [Option<Move>; 2],
    /// Cutoffs at this ply since the last node two plies above.
    pub(super) cutoffs: u32,
}

pub(in crate::search) struct SearchThread<'a, S, F> {
    pub(super) evaluation: &'a Network,
    /// The slider implementation, chosen once for the whole search.
    pub(super) sliders: S,
    pub(super) switches: F,
    pub(super) parameters: Parameters,
    pub(super) tables: Option<&'a Probing>,
    pub(super) table_hits: u64,
    pub(super) table: &'a TranspositionTable,
    pub(super) memory: &'a mut ThreadHistories,
    pub(super) stopper: Stopper<'a>,
    pub(super) path: KeyPath,
    pub(super) lines: PvTable,
    pub(super) frames: Box<[StackEntry]>,
    /// The maximal ply reached in this iteration.
    pub(super) deepest: usize,
    /// The depth of this iteration.
    pub(super) root_depth: Depth,
    /// Null moves are allowed from this ply on; 0 except during a verification search.
    pub(super) null_moves_from: usize,
    pub(super) checkmates: Checkmates,
}

/// A node: the position, the remaining depth, and the distance from the root.
#[derive(Clone, Copy)]
pub(super) struct SearchNode<'p> {
    pub(super) position: &'p Position,
    pub(super) depth: Depth,
    pub(super) ply: usize,
    /// Whether the side to move is in check.
    pub(super) is_check: bool,
    /// Whether this is an expected cut node.
    pub(super) is_cut: bool,
}

impl SearchNode<'_> {
    /// The child after a move, with depth 0.
    #[inline(always)]
    pub(super) fn after<S: Sliders>(self, next: &Position, sliders: S) -> SearchNode<'_> {
        SearchNode {
            position: next,
            depth: 0,
            ply: self.ply + 1,
            is_check: !next.checkers_with(sliders).is_empty(),
            is_cut: false,
        }
    }
}

impl<'a, S: CpuSliders, F: Switches> SearchThread<'a, S, F> {
    pub(in crate::search) fn new(
        (evaluation, sliders, switches): (&'a Network, S, F),
        config: Config<'a>,
        table: &'a TranspositionTable,
        memory: &'a mut ThreadHistories,
        stopper: Stopper<'a>,
        path: KeyPath,
    ) -> Self {
        Self {
            evaluation,
            sliders,
            switches,
            parameters: config.parameters,
            tables: config.tables,
            table_hits: 0,
            table,
            memory,
            stopper,
            path,
            lines: PvTable::new(),
            // A node resets the frames up to two plies below itself.
            frames: vec![StackEntry::default(); MAX_PLY + 3].into(),
            deepest: 0,
            root_depth: 0,
            null_moves_from: 0,
            checkmates: Checkmates::default(),
        }
    }

    /// Counts the node and initialises its ply.
    #[inline(always)]
    pub(super) fn enter(&mut self, ply: usize) -> Result<(), SearchStopped> {
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

    /// The features of this search.
    #[inline(always)]
    pub(super) fn features(&self) -> Features {
        self.switches.features()
    }

    /// Whether this has become a search for mate.
    #[inline(always)]
    pub(super) fn searches_mate(&self) -> bool {
        self.features().mate_search && self.checkmates.are_dense()
    }

    /// The score of a checkmate; counts it.
    #[inline(always)]
    pub(super) fn checkmated(&mut self, ply: usize) -> i32 {
        self.checkmates.add();
        mated_in(ply)
    }

    /// The data used for move ordering.
    #[inline(always)]
    pub(super) fn sources<'b>(&'b self, position: &'b Position) -> Sources<'b, S, F> {
        Sources {
            position,
            sliders: self.sliders,
            histories: &self.memory.histories,
            parameters: &self.parameters,
            switches: self.switches,
        }
    }

    /// What the histories of a node's quiet moves depend on.
    #[inline(always)]
    pub(super) fn quiet_context(
        &self,
        node: SearchNode<'_>,
        keys: &CorrectionKeys,
    ) -> QuietContext {
        let us = node.position.side_to_move();
        QuietContext {
            color: us,
            threats: if self.features().threat_history {
                king_danger(node.position, !us, self.sliders)
            } else {
                Bitboard::EMPTY
            },
            pawns: keys.pawns(),
            ply: node.ply,
            earlier: self.earlier([1, 2, 4], node.ply),
        }
    }

    /// The moves so many plies before a node; `None` before the root and for null moves.
    #[inline(always)]
    pub(super) fn earlier<const N: usize>(
        &self,
        back: [usize; N],
        ply: usize,
    ) -> [Option<PieceTo>; N] {
        back.map(|back| self.frames[ply.checked_sub(back)?].played)
    }
}
