//! A node below the root: draws, TT cutoffs, tablebases, node pruning, and then its moves.
//!
//! Fail-soft: a score within the window is exact, above it a lower bound, below it an upper bound.

use super::correction::CorrectionKeys;
use super::features::Switches;
use super::worker::{SearchNode, SearchThread};
use crate::eval;
use crate::search::stopper::SearchStopped;
use crate::search::table::{TtBound, TtEntry};
use crate::search::value::{Window, from_node, is_decided, is_mate, mated_in, won_by_tables};
use crate::search::{MATE, MAX_PLY};
use chess::rules::Position;
use chess::rules::attacks::Sliders;
use chess::rules::cpu::{CpuSliders, Multiversioned};
use tablebase::TablebaseWdl;

/// Data of a node computed before its moves are searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeEval {
    pub(super) tt_entry: Option<TtEntry>,
    /// The static evaluation before correction; `None` in check.
    pub(super) raw_eval: Option<i32>,
    /// The expected score: the corrected static eval, or the TT score if that is a better bound.
    pub(super) estimate: i32,
    /// Whether the static eval has improved since our previous move.
    pub(super) improving: bool,
    /// Whether it is better than the opponent's was a ply before, so that the last move was bad.
    pub(super) opponent_worsening: bool,
    /// Whether this is or was a PV node.
    pub(super) is_tt_pv: bool,
    pub(super) keys: CorrectionKeys,
}

/// Plies without capture or pawn move after which a draw may be claimed (FIDE 9.3).
const FIFTY_MOVES: u32 = 100;
/// Fifty-move damping: a static evaluation loses half of its value in so many plies.
const FIFTY_FADE: i32 = 100;
/// Within this many plies of a draw by the fifty-move rule, TT scores are not trusted.
const FIFTY_MARGIN: u32 = 10;

impl<S: CpuSliders, F: Switches> SearchThread<'_, S, F> {
    /// Searches a node below the root within the window.
    pub(super) fn search(
        &mut self,
        node: SearchNode<'_>,
        window: Window,
    ) -> Result<i32, SearchStopped> {
        self.sliders.enter(SearchCall(self, node, window))
    }

    #[inline(always)]
    fn search_node(&mut self, node: SearchNode<'_>, window: Window) -> Result<i32, SearchStopped> {
        if node.depth <= 0 {
            return self.quiesce(SearchNode { depth: 0, ..node }, window);
        }
        self.enter(node.ply)?;
        if let Some(value) = self.draw_score(node) {
            return Ok(value);
        }
        // Mate-distance pruning: no score lies outside being mated now and mating with the next move.
        let window = Window::new(
            self.raised_by_repetition(node, window.alpha.max(mated_in(node.ply))),
            window.beta.min(-mated_in(node.ply + 1)),
        );
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }
        let excluded = self.frames[node.ply].excluded;
        let tt_entry = self.table.get(node.position.key(), node.ply);
        // The entry would answer with the excluded move.
        if excluded.is_none()
            && let Some(entry) = tt_entry
            && let Some(value) = self.tt_cutoff(node, entry, window)
        {
            self.reward_tt_move(node, entry, value, window);
            return Ok(value);
        }
        // A probe costs more than a TT hit, so it comes later.
        if let Some(value) = self.tablebase_score(node, window) {
            return Ok(value);
        }
        let eval = self.evaluate_node(node, window, tt_entry);
        // Node pruning goes by the static eval, which knows nothing of the excluded move.
        if excluded.is_some() {
            return self.search_moves(node, window, &eval);
        }
        self.judge_prior_move(node);
        let node = self.in_hindsight(node, &eval);
        if let Some(value) = self.prune_node(node, window, &eval)? {
            return Ok(value);
        }
        // Internal iterative reduction: without a TT move, move ordering is poor (chessprogramming
        // wiki, "Internal Iterative Reductions").
        let has_tt_move = tt_entry.is_some_and(|entry| entry.best.is_some());
        let reduces = self.features().internal_reduction
            && !has_tt_move
            && node.depth >= 4
            && (node.is_cut || window.is_pv());
        let depth = node.depth - i32::from(reduces);
        self.search_moves(SearchNode { depth, ..node }, window, &eval)
    }

    /// Corrects the reduction of the move that led here, now that the position is evaluated.
    #[inline(always)]
    fn in_hindsight<'p>(&self, node: SearchNode<'p>, eval: &NodeEval) -> SearchNode<'p> {
        let before = &self.frames[node.ply - 1];
        let (Some(own), Some(opponents)) = (
            self.frames[node.ply].static_eval,
            before.static_eval.filter(|_| self.features().hindsight),
        ) else {
            return node;
        };
        // A much reduced move that has not worsened the opponent's position deserves more depth.
        let change = if before.reduction >= 3 && !eval.opponent_worsening {
            1
        } else if before.reduction >= 2
            && node.depth >= 2
            && own + opponents > self.parameters.hindsight_margin()
        {
            // The sum of both static evals is what the opponent's last move has lost.
            -1
        } else {
            0
        };
        SearchNode {
            depth: node.depth + change,
            ..node
        }
    }

    /// The score of a node that needs no search: a draw, or the maximal ply.
    #[inline(always)]
    pub(super) fn draw_score(&mut self, node: SearchNode<'_>) -> Option<i32> {
        let position = node.position;
        if position.is_insufficient_material()
            || self.path.is_draw(!self.features().shortcuts)
            || is_fifty_moves(node)
        {
            return Some(0);
        }
        (node.ply >= MAX_PLY).then(|| self.evaluate(position, node.ply))
    }

    /// Alpha, at least a draw if a move of the side to move repeats an earlier position.
    #[inline(always)]
    pub(super) fn raised_by_repetition(&self, node: SearchNode<'_>, alpha: i32) -> i32 {
        let can_draw =
            alpha < 0 && self.features().upcoming_repetition && self.path.can_repeat(node.position);
        if can_draw { 0 } else { alpha }
    }

    /// The TT score, if it causes a cutoff. PV nodes need the exact score and the PV, so they are
    /// never cut off.
    #[inline(always)]
    pub(super) fn tt_cutoff(
        &self,
        node: SearchNode<'_>,
        entry: TtEntry,
        window: Window,
    ) -> Option<i32> {
        let is_deep = entry.depth >= node.depth;
        let is_safe = is_before_fifty_moves(node, entry.value);
        if !self.features().shortcuts || window.is_pv() || !is_deep || !is_safe {
            return None;
        }
        entry.cut_off(window.alpha, window.beta)
    }

    /// The tablebase score, if it decides the node.
    #[inline(always)]
    fn tablebase_score(&mut self, node: SearchNode<'_>, window: Window) -> Option<i32> {
        let depth = u32::try_from(node.depth).unwrap_or(0);
        let found = self.tables?.value(node.position, depth)?;
        self.table_hits += 1;
        let value = won_by_tables(node.ply);
        match found {
            TablebaseWdl::Win | TablebaseWdl::CursedWin => (value >= window.beta).then_some(value),
            TablebaseWdl::Loss | TablebaseWdl::BlessedLoss => {
                (-value <= window.alpha).then_some(-value)
            }
            TablebaseWdl::Draw => Some(0),
        }
    }

    /// Evaluates the position and records the static eval for the plies below.
    #[inline(always)]
    pub(super) fn evaluate_node(
        &mut self,
        node: SearchNode<'_>,
        window: Window,
        tt_entry: Option<TtEntry>,
    ) -> NodeEval {
        let SearchNode { position, ply, .. } = node;
        let keys = CorrectionKeys::new(position, self.earlier([1, 2], ply));
        let mut eval = NodeEval {
            tt_entry,
            raw_eval: None,
            estimate: 0,
            improving: false,
            opponent_worsening: false,
            is_tt_pv: window.is_pv() || tt_entry.is_some_and(|entry| entry.is_pv),
            keys,
        };
        self.frames[ply].static_eval = None;
        if node.is_check {
            return eval;
        }
        let known = tt_entry.and_then(|entry| entry.static_eval);
        let raw = known.unwrap_or_else(|| self.evaluate(position, ply));
        eval.raw_eval = Some(raw);
        if tt_entry.is_none() {
            // The evaluation is kept even if the node is then pruned and nothing else is stored.
            let entry = TtEntry {
                is_pv: eval.is_tt_pv,
                ..TtEntry::of_static_eval(raw)
            };
            self.table.put(position.key(), ply, entry);
        }
        let corrected = self.corrected(position, raw, &keys);
        self.frames[ply].static_eval = Some(corrected);
        let before = |back: usize| self.frames[ply.checked_sub(back)?].static_eval;
        // Two plies ago our king may have been in check, where there is no static eval.
        eval.improving = self.features().improving
            && before(2)
                .or_else(|| before(4))
                .is_some_and(|earlier| corrected > earlier);
        eval.opponent_worsening = before(1).is_some_and(|opponents| corrected > -opponents);
        // The TT score, if it is a better estimate than the static eval.
        eval.estimate = match tt_entry {
            Some(TtEntry { value, bound, .. })
                if self.features().shortcuts
                    && !is_decided(value)
                    && match bound {
                        TtBound::None => false,
                        TtBound::Lower => value > corrected,
                        TtBound::Upper => value < corrected,
                        TtBound::Exact => true,
                    } =>
            {
                value
            }
            _ => corrected,
        };
        eval
    }

    /// A static evaluation, faded near the draw by the fifty-move rule and corrected by history.
    #[inline(always)]
    fn corrected(&self, position: &Position, raw: i32, keys: &CorrectionKeys) -> i32 {
        let features = self.features();
        let mut value = raw;
        if features.fifty_move_damping {
            let clock = i32::try_from(position.halfmove_clock()).unwrap_or(FIFTY_FADE);
            value -= value * clock.min(FIFTY_FADE) / (2 * FIFTY_FADE);
        }
        // A static eval must not look like a tablebase win.
        let limit = eval::LIMIT - 1;
        (value + self.memory.corrections.of(keys, features, &self.parameters)).clamp(-limit, limit)
    }
}

/// The arguments of a call to the search.
struct SearchCall<'w, 'a, 'p, S, F>(&'w mut SearchThread<'a, S, F>, SearchNode<'p>, Window);

impl<C: CpuSliders, F: Switches> Multiversioned for SearchCall<'_, '_, '_, C, F> {
    type Output = Result<i32, SearchStopped>;

    #[inline(always)]
    fn run<S: Sliders>(self, _: S) -> Result<i32, SearchStopped> {
        let Self(worker, node, window) = self;
        worker.search_node(node, window)
    }
}

/// Whether the position is drawn by the fifty-move rule; checkmate on the last move takes
/// precedence.
#[inline(always)]
fn is_fifty_moves(node: SearchNode<'_>) -> bool {
    node.position.halfmove_clock() >= FIFTY_MOVES
        && !(node.is_check && node.position.legal_move_count() == 0)
}

/// Whether a TT score can be trusted despite the fifty-move rule: a mate must come before the draw.
#[inline(always)]
fn is_before_fifty_moves(node: SearchNode<'_>, value: i32) -> bool {
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
        let node = SearchNode {
            position: &position,
            depth: 3,
            ply: 6,
            is_check: false,
            is_cut: false,
        };
        let trusts = |value| is_before_fifty_moves(node, value);
        assert!(trusts(0) && trusts(-500));
        assert!(trusts(MATE - 6 - 19) && trusts(6 + 19 - MATE));
        assert!(!trusts(MATE - 6 - 20) && !trusts(6 + 20 - MATE));
    }
}
