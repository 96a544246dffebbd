//! Node-level pruning, before any move is searched.

use super::features::Switches;
use super::node::NodeEval;
use super::picker::{ScoredMoves, has_pieces, select};
use super::reductions::PLY;
use super::worker::{SearchNode, SearchThread};
use crate::eval;
use crate::search::stopper::SearchStopped;
use crate::search::table::{TtBound, TtEntry};
use crate::search::value::{Window, is_mate};
use chess::rules::cpu::CpuSliders;

/// Nodes are searched whatever their static evaluation where the window is this far from 0, in
/// centipawns: the game is decided, and what remains is to find the mate.
const DECISIVE: i32 = 500;
/// Razoring: up to this depth.
const RAZOR_DEPTH: i32 = 3;
/// Reverse futility pruning: up to this depth.
const REVERSE_DEPTH: i32 = 8;
/// Null-move pruning: from this depth.
const NULL_DEPTH: i32 = 3;
/// From this depth a null-move cutoff is verified by a search without null moves, against zugzwang.
const VERIFY_DEPTH: i32 = 14;
/// `ProbCut`: from this depth.
const PROB_CUT_DEPTH: i32 = 5;

impl<S: CpuSliders, F: Switches> SearchThread<'_, S, F> {
    /// The score of a node that can be pruned without searching its moves.
    #[inline(always)]
    pub(super) fn prune_node(
        &mut self,
        node: SearchNode<'_>,
        window: Window,
        eval: &NodeEval,
    ) -> Result<Option<i32>, SearchStopped> {
        // A PV node needs its exact score, and in check there is no static eval.
        if window.is_pv() || node.is_check || window.beta.abs() > DECISIVE {
            return Ok(None);
        }
        let margin = self.parameters.reverse_step() * (node.depth - i32::from(eval.improving));
        let reverse_futility_pruning = self.features().reverse_futility
            && node.depth <= REVERSE_DEPTH
            && eval.estimate - margin >= window.beta;
        if reverse_futility_pruning {
            // No search has proved the estimate, so only half of the excess counts.
            return Ok(Some(i32::midpoint(eval.estimate, window.beta)));
        }
        let razoring = self.features().razoring
            && !self.searches_mate()
            && node.depth <= RAZOR_DEPTH
            && eval.estimate + self.parameters.razor_step() * node.depth < window.alpha;
        if razoring {
            let value = self.quiesce_again(node, Window::scout(window.alpha))?;
            if value <= window.alpha && !is_mate(value) {
                return Ok(Some(value));
            }
        }
        if let Some(value) = self.null_move_pruning(node, window, eval)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.small_prob_cut(node, window, eval) {
            return Ok(Some(value));
        }
        self.prob_cut(node, window, eval)
    }

    /// Null-move pruning: if the opponent moves twice and still does not get below beta, a move of
    /// ours will be good enough, except in zugzwang.
    #[inline(always)]
    fn null_move_pruning(
        &mut self,
        node: SearchNode<'_>,
        window: Window,
        eval: &NodeEval,
    ) -> Result<Option<i32>, SearchStopped> {
        let SearchNode {
            position,
            depth,
            ply,
            ..
        } = node;
        // Two null moves in a row would only repeat the position at less depth.
        let after_null_move = ply > 0 && self.frames[ply - 1].played.is_none();
        let is_allowed = self.features().null_move
            && depth >= NULL_DEPTH
            && !after_null_move
            && ply >= self.null_moves_from
            && eval.estimate >= window.beta
            // With king and pawns only, zugzwang is common.
            && has_pieces(position, position.side_to_move());
        if !is_allowed {
            return Ok(None);
        }
        let above = ((eval.estimate - window.beta) / self.parameters.null_step()).min(3);
        let reduced = depth
            - (self.parameters.null_base() + self.parameters.null_slope() * depth) / PLY
            - above;
        let null_window = Window::scout(window.beta - 1);
        let next = position.play_null();
        self.table.prefetch(next.key());
        let child = SearchNode {
            position: &next,
            depth: reduced,
            ply: ply + 1,
            // It was our move, so the opponent's king is not attacked.
            is_check: false,
            is_cut: !node.is_cut,
        };
        self.frames[ply].played = None;
        self.frames[ply].played_quiet = None;
        self.frames[ply].reduction = 0;
        self.path.push_null(&next);
        let value = self.search(child, null_window.flipped());
        self.path.pop();
        let value = -value?;
        if value < window.beta {
            return Ok(None);
        }
        // A mate after a pass is no mate against a real move.
        let value = if is_mate(value) { window.beta } else { value };
        if depth < VERIFY_DEPTH || self.null_moves_from > 0 {
            return Ok(Some(value));
        }
        // Verification search: the score must reach beta without null moves in the next plies too.
        let verified = SearchNode {
            depth: reduced,
            ..node
        };
        // As in Stockfish, null moves stay off for three quarters of the remaining depth.
        self.null_moves_from = ply + usize::try_from(reduced * 3 / 4).unwrap_or(0);
        // Hindsight must not change the depth of this node a second time.
        if let Some(before) = ply.checked_sub(1) {
            self.frames[before].reduction = 0;
        }
        let verification = self.search(verified, null_window);
        self.null_moves_from = 0;
        Ok((verification? >= window.beta).then_some(value))
    }

    /// `ProbCut` without a search: the TT score exceeds beta by far at almost the depth.
    #[inline(always)]
    fn small_prob_cut(&self, node: SearchNode<'_>, window: Window, eval: &NodeEval) -> Option<i32> {
        let entry = eval.tt_entry?;
        let target = window.beta + self.parameters.small_prob_cut_margin();
        let is_cut = self.features().small_probability_cut
            && matches!(entry.bound, TtBound::Lower | TtBound::Exact)
            && entry.depth >= node.depth - 4
            && entry.value >= target
            && !is_mate(entry.value);
        is_cut.then_some(target)
    }

    /// `ProbCut`: a capture that exceeds beta by a margin in a search four plies shallower will
    /// exceed beta at full depth (Buro, in the form of the chessprogramming wiki).
    #[inline(always)]
    fn prob_cut(
        &mut self,
        node: SearchNode<'_>,
        window: Window,
        eval: &NodeEval,
    ) -> Result<Option<i32>, SearchStopped> {
        let margin = self.parameters.prob_cut_margin();
        let target = window.beta + margin;
        // The TT already says that the reduced search would fall short.
        let is_doubtful = eval.tt_entry.is_some_and(|entry| {
            entry.bound != TtBound::None && entry.value < target && entry.depth >= node.depth - 3
        });
        if !self.features().probability_cut || node.depth < PROB_CUT_DEPTH || is_doubtful {
            return Ok(None);
        }
        // A capture must win at least what the static eval lacks.
        let needed = target - eval.estimate;
        let null_window = Window::scout(target - 1).flipped();
        let mut moves = ScoredMoves::new();
        self.sources(node.position).score_captures(&mut moves);
        moves.retain(|capture| {
            node.position
                .see_at_least_by(capture.m, needed.max(0), self.sliders)
        });
        let mut next = 0;
        while let Some(capture) = select(&mut moves, next) {
            next += 1;
            self.prefetch(node, capture.m);
            self.frames[node.ply].reduction = 0;
            let after = node.position.play_unchecked(capture.m);
            let child = SearchNode {
                is_cut: !node.is_cut,
                ..node.after(&after, self.sliders)
            };
            self.enter_move(node, capture.played(node.position), None, &after);
            // Quiescence first; only if that is good enough, the reduced search.
            let mut value = self.search(child, null_window).map(|value| -value);
            if value.is_ok_and(|value| value >= target) {
                let deeper = SearchNode {
                    depth: node.depth - 4,
                    ..child
                };
                value = self.search(deeper, null_window).map(|value| -value);
            }
            self.path.pop();
            let value = value?;
            if value >= target {
                let entry = TtEntry {
                    best: Some(capture.m),
                    value,
                    bound: TtBound::Lower,
                    // The child's depth is `depth - 4`, so the node's is one more.
                    depth: node.depth - 3,
                    static_eval: eval.raw_eval,
                    is_pv: eval.is_tt_pv,
                };
                self.table
                    .put_unless_shallow(node.position.key(), node.ply, entry);
                return Ok(Some(prob_cut_score(value, margin)));
            }
        }
        Ok(None)
    }
}

/// The score returned by a `ProbCut` cutoff: the reduced-depth score minus the margin. Decided
/// scores are returned unchanged: minus the margin, a mate score would be an invalid score above
/// any evaluation.
fn prob_cut_score(value: i32, margin: i32) -> i32 {
    if value.abs() >= eval::LIMIT {
        value
    } else {
        value - margin
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::MATE;

    #[test]
    fn prob_cut_scores_are_evaluations_or_mates() {
        assert_eq!(prob_cut_score(400, 120), 280);
        for plies in 0..100 {
            assert_eq!(prob_cut_score(MATE - plies, 120), MATE - plies);
        }
        for value in [1, 5_000, eval::LIMIT - 1] {
            assert!(prob_cut_score(value, 120) < eval::LIMIT);
        }
    }
}
