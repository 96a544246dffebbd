//! A node below the root: draws, TT cutoffs, tablebases, node pruning, and then its moves.
//!
//! Fail-soft: a score within the window is exact, above it a lower bound, below it an upper bound.

use super::worker::{Node, Window, Worker};
use crate::eval::{self, Evaluation};
use crate::search::stopper::Stopped;
use crate::search::table::{Bound, Entry};
use crate::search::value::{from_node, is_mate, mated_in, won_by_tables};
use crate::search::{MATE, MAX_PLY};
use chess::rules::Position;
use chess::rules::attacks::Sliders;
use chess::rules::cpu::{Chosen, SliderTask};
use tablebase::Wdl;

/// Data of a node computed before its moves are searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// The TT entry.
    pub(super) kept: Option<Entry>,
    /// Whether the side to move is in check.
    pub(super) is_check: bool,
    /// The static evaluation before correction; `None` in check.
    pub(super) raw_value: Option<i32>,
    /// The expected score: the corrected static eval, or the TT score if that is a better bound.
    pub(super) expected: i32,
    /// Whether the static eval has improved since our previous move.
    pub(super) improving: bool,
}

/// Plies without capture or pawn move after which a draw may be claimed (FIDE 9.3).
const FIFTY_MOVES: u32 = 100;
/// Within this many plies of a draw by the fifty-move rule, TT scores are not trusted.
const FIFTY_MARGIN: u32 = 10;

impl<E: Evaluation, S: Chosen> Worker<'_, E, S> {
    /// Searches a node below the root within the window.
    pub(super) fn search(&mut self, node: Node<'_>, window: Window) -> Result<i32, Stopped> {
        self.sliders.enter(Search(self, node, window))
    }

    #[inline(always)]
    fn search_entered(&mut self, node: Node<'_>, window: Window) -> Result<i32, Stopped> {
        if node.depth <= 0 {
            return self.quiesce(node, window);
        }
        self.enter(node.ply)?;
        if let Some(value) = self.value_at_sight(node) {
            return Ok(value);
        }
        let window = without_longer_mates(node.ply, window);
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }
        let excluded = self.frames[node.ply].excluded;
        let kept = self.table.get(node.position.key(), node.ply);
        if excluded.is_none()
            && let Some(value) = kept.and_then(|entry| self.table_value(node, entry, window))
        {
            return Ok(value);
        }
        if let Some(value) = self.value_of_tables(node, window) {
            return Ok(value);
        }
        let facts = self.look_at(node, kept);
        if excluded.is_none()
            && let Some(value) = self.value_without_moves(node, window, &facts)?
        {
            return Ok(value);
        }
        let depth = self.internal_depth(node, &facts);
        self.search_moves(Node { depth, ..node }, window, &facts)
    }

    /// The score of a node that needs no search: a draw, or the maximal ply.
    #[inline(always)]
    pub(super) fn value_at_sight(&mut self, node: Node<'_>) -> Option<i32> {
        let position = node.position;
        if position.is_insufficient_material()
            || self.path.is_draw(!self.features.shortcuts)
            || is_fifty_moves(node)
        {
            return Some(0);
        }
        (node.ply >= MAX_PLY).then(|| self.evaluate(position, node.ply))
    }

    /// The TT score, if it causes a cutoff. PV nodes need the exact score and the PV, so they are
    /// never cut off.
    #[inline(always)]
    pub(super) fn table_value(&self, node: Node<'_>, entry: Entry, window: Window) -> Option<i32> {
        let is_deep = i32::try_from(entry.depth).is_ok_and(|depth| depth >= node.depth);
        let is_safe = is_before_fifty_moves(node, entry.value);
        if !self.features.shortcuts || window.is_open() || !is_deep || !is_safe {
            return None;
        }
        entry.cut_off(window.alpha, window.beta)
    }

    /// The tablebase score, if it decides the node.
    #[inline(always)]
    fn value_of_tables(&mut self, node: Node<'_>, window: Window) -> Option<i32> {
        let depth = u32::try_from(node.depth).unwrap_or(0);
        let found = self.tables?.value(node.position, depth)?;
        self.table_hits += 1;
        let value = won_by_tables(node.ply);
        match found {
            Wdl::Win | Wdl::CursedWin => (value >= window.beta).then_some(value),
            Wdl::Loss | Wdl::BlessedLoss => (-value <= window.alpha).then_some(-value),
            Wdl::Draw => Some(0),
        }
    }

    /// Evaluates the position and records the static eval for the plies below.
    #[inline(always)]
    pub(super) fn look_at(&mut self, node: Node<'_>, kept: Option<Entry>) -> Facts {
        let Node {
            position,
            ply,
            is_check,
            ..
        } = node;
        let mut facts = Facts {
            kept,
            is_check,
            raw_value: None,
            expected: 0,
            improving: false,
        };
        self.frames[ply].static_value = None;
        if is_check {
            return facts;
        }
        let raw = kept
            .and_then(|entry| entry.static_value)
            .unwrap_or_else(|| self.evaluate(position, ply));
        let corrected = self.corrected(position, raw);
        self.frames[ply].static_value = Some(corrected);
        facts.raw_value = Some(raw);
        facts.improving = self.is_improving(ply, corrected);
        facts.expected = self.expected(corrected, kept);
        facts
    }

    /// The static eval adjusted by the correction history.
    #[inline(always)]
    fn corrected(&self, position: &Position, raw: i32) -> i32 {
        if !self.features.correction_history {
            return raw;
        }
        let limit = eval::LIMIT - 1;
        (raw + self.memory.corrections.of(position)).clamp(-limit, limit)
    }

    #[inline(always)]
    fn is_improving(&self, ply: usize, value: i32) -> bool {
        let before = |back: usize| self.frames[ply.checked_sub(back)?].static_value;
        self.features.improving
            && before(2)
                .or_else(|| before(4))
                .is_some_and(|earlier| value > earlier)
    }

    /// The TT score if it is a better estimate than the static eval, else the static eval.
    #[inline(always)]
    fn expected(&self, corrected: i32, kept: Option<Entry>) -> i32 {
        let Some(entry) = kept.filter(|entry| self.features.shortcuts && !is_mate(entry.value))
        else {
            return corrected;
        };
        let is_better = match entry.bound {
            Bound::None => false,
            Bound::Lower => entry.value > corrected,
            Bound::Upper => entry.value < corrected,
            Bound::Exact => true,
        };
        if is_better { entry.value } else { corrected }
    }

    /// The depth to search, one ply less without a TT move, since move ordering will be poor
    /// (chessprogramming wiki, "Internal Iterative Reductions").
    #[inline(always)]
    fn internal_depth(&self, node: Node<'_>, facts: &Facts) -> i32 {
        let knows = facts.kept.is_some_and(|entry| entry.best.is_some());
        let reduces = self.features.internal_reduction && !knows && node.depth >= 4;
        node.depth - i32::from(reduces)
    }
}

/// The arguments of a call to the search.
struct Search<'w, 'a, 'p, E, S>(&'w mut Worker<'a, E, S>, Node<'p>, Window);

impl<E: Evaluation, C: Chosen> SliderTask for Search<'_, '_, '_, E, C> {
    type Output = Result<i32, Stopped>;

    #[inline(always)]
    fn run<S: Sliders>(self, _: S) -> Result<i32, Stopped> {
        let Self(worker, node, window) = self;
        worker.search_entered(node, window)
    }
}

/// Mate-distance pruning: narrows the window to the scores reachable from here, between being mated
/// now and mating with the next move.
#[inline(always)]
fn without_longer_mates(ply: usize, window: Window) -> Window {
    Window::new(
        window.alpha.max(mated_in(ply)),
        window.beta.min(-mated_in(ply + 1)),
    )
}

/// Whether the position is drawn by the fifty-move rule; checkmate on the last move takes
/// precedence.
#[inline(always)]
fn is_fifty_moves(node: Node<'_>) -> bool {
    node.position.halfmove_clock() >= FIFTY_MOVES
        && !(node.is_check && node.position.legal_move_count() == 0)
}

/// Whether a TT score can be trusted despite the fifty-move rule: a mate must come before the draw.
#[inline(always)]
fn is_before_fifty_moves(node: Node<'_>, value: i32) -> bool {
    let needed = if is_mate(value) {
        (MATE - from_node(value, node.ply).abs()).unsigned_abs()
    } else {
        0
    };
    node.position.halfmove_clock() + needed.max(FIFTY_MARGIN) < FIFTY_MOVES
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::notation::fen;

    #[test]
    fn a_mate_that_comes_after_the_fiftieth_move_is_not_trusted() {
        let position = fen::parse("7k/8/6K1/8/8/8/8/R7 w - - 80 90").expect("legal");
        let node = Node {
            position: &position,
            depth: 3,
            ply: 6,
            is_check: false,
            expects_cut: false,
        };
        let trusts = |value| is_before_fifty_moves(node, value);
        assert!(trusts(0) && trusts(-500));
        assert!(trusts(MATE - 6 - 19) && trusts(6 + 19 - MATE));
        assert!(!trusts(MATE - 6 - 20) && !trusts(6 + 20 - MATE));
    }
}
