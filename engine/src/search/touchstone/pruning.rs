//! Node-level pruning, before any move is searched.

use super::node::Facts;
use super::picker::{Promise, Promises, has_pieces, select};
use super::reductions::PLY;
use super::worker::{Node, Window, Worker};
use crate::eval::{self, Evaluation};
use crate::search::stopper::Stopped;
use crate::search::value::is_mate;
use chess::rules::cpu::Chosen;

/// Razoring: up to this depth; margin below alpha per ply.
const RAZOR_DEPTH: i32 = 3;
const RAZOR_STEP: i32 = 263;
/// Reverse futility pruning: up to this depth; margin above beta per ply.
const REVERSE_DEPTH: i32 = 8;
const REVERSE_STEP: i32 = 51;
/// Null-move pruning: from this depth; base reduction, reduction per ply of depth (both in
/// fractions of a ply), and the centipawns above beta that reduce by one more ply.
const NULL_DEPTH: i32 = 3;
const NULL_BASE: i32 = 4710;
const NULL_SLOPE: i32 = PLY / 4;
const NULL_STEP: i32 = 178;
/// From this depth a null-move cutoff is verified by a search without null moves, against zugzwang.
const VERIFY_DEPTH: i32 = 14;
/// `ProbCut`: from this depth; margin above beta.
const PROBABLE_DEPTH: i32 = 5;
const PROBABLE_MARGIN: i32 = 120;

impl<E: Evaluation, S: Chosen> Worker<'_, E, S> {
    /// The score of a node that can be pruned without searching its moves.
    #[inline(always)]
    pub(super) fn value_without_moves(
        &mut self,
        node: Node<'_>,
        window: Window,
        facts: &Facts,
    ) -> Result<Option<i32>, Stopped> {
        if window.is_open() || facts.is_check {
            return Ok(None);
        }
        if let Some(value) = self.value_far_above(node, window, facts) {
            return Ok(Some(value));
        }
        if let Some(value) = self.value_far_below(node, window, facts)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.value_of_passing(node, window, facts)? {
            return Ok(Some(value));
        }
        self.value_of_probable_cut(node, window, facts)
    }

    /// Reverse futility pruning.
    #[inline(always)]
    fn value_far_above(&self, node: Node<'_>, window: Window, facts: &Facts) -> Option<i32> {
        let margin = REVERSE_STEP * (node.depth - i32::from(facts.improving));
        let is_far = self.features.reverse_futility
            && node.depth <= REVERSE_DEPTH
            && !is_mate(window.beta)
            && facts.expected - margin >= window.beta;
        is_far.then(|| i32::midpoint(facts.expected, window.beta))
    }

    /// Razoring.
    #[inline(always)]
    fn value_far_below(
        &mut self,
        node: Node<'_>,
        window: Window,
        facts: &Facts,
    ) -> Result<Option<i32>, Stopped> {
        let is_far = self.features.razoring
            && node.depth <= RAZOR_DEPTH
            && facts.expected + RAZOR_STEP * node.depth < window.alpha;
        if !is_far {
            return Ok(None);
        }
        let value = self.quiesce_again(node, Window::scout(window.alpha))?;
        Ok((value <= window.alpha && !is_mate(value)).then_some(value))
    }

    /// Null-move pruning: if the opponent moves twice and still does not get below beta, a move of
    /// ours will be good enough, except in zugzwang.
    #[inline(always)]
    fn value_of_passing(
        &mut self,
        node: Node<'_>,
        window: Window,
        facts: &Facts,
    ) -> Result<Option<i32>, Stopped> {
        let Node {
            position,
            depth,
            ply,
            ..
        } = node;
        let passed_before = ply > 0 && self.frames[ply - 1].played.is_none();
        let may_pass = self.features.null_move
            && depth >= NULL_DEPTH
            && !passed_before
            && ply >= self.passes_from
            && facts.expected >= window.beta
            && !is_mate(window.beta)
            && has_pieces(position, position.side_to_move());
        if !may_pass {
            return Ok(None);
        }
        let above = ((facts.expected - window.beta) / NULL_STEP).min(3);
        let reduced = depth - (NULL_BASE + NULL_SLOPE * depth) / PLY - above;
        let value = self.pass(node, reduced, window)?;
        if value < window.beta {
            return Ok(None);
        }
        let value = if is_mate(value) { window.beta } else { value };
        if depth < VERIFY_DEPTH || self.passes_from > 0 {
            return Ok(Some(value));
        }
        self.verify(
            Node {
                depth: reduced,
                ..node
            },
            window,
        )
        .map(|holds| holds.then_some(value))
    }

    fn pass(&mut self, node: Node<'_>, depth: i32, window: Window) -> Result<i32, Stopped> {
        let next = node.position.play_null();
        self.table.prefetch(next.key());
        let child = Node {
            position: &next,
            depth,
            ply: node.ply + 1,
            // It was our move, so the opponent's king is not attacked.
            is_check: false,
            expects_cut: !node.expects_cut,
        };
        self.frames[node.ply].played = None;
        self.path.push_null(&next);
        let value = self.search(child, Window::scout(window.beta - 1).flipped());
        self.path.pop();
        Ok(-value?)
    }

    /// Verification search: whether the score reaches beta without null moves in the next plies.
    fn verify(&mut self, node: Node<'_>, window: Window) -> Result<bool, Stopped> {
        let plies = usize::try_from(node.depth * 3 / 4).unwrap_or(0);
        self.passes_from = node.ply + plies;
        let value = self.search(node, Window::scout(window.beta - 1));
        self.passes_from = 0;
        Ok(value? >= window.beta)
    }

    /// `ProbCut`: a capture that exceeds beta by a margin in a search four plies shallower will
    /// exceed beta at full depth (Buro, in the form of the chessprogramming wiki).
    #[inline(always)]
    fn value_of_probable_cut(
        &mut self,
        node: Node<'_>,
        window: Window,
        facts: &Facts,
    ) -> Result<Option<i32>, Stopped> {
        let target = window.beta + PROBABLE_MARGIN;
        let doubted = facts.kept.is_some_and(|entry| {
            entry.value < target && i64::from(entry.depth) >= i64::from(node.depth) - 3
        });
        if !self.features.probability_cut
            || node.depth < PROBABLE_DEPTH
            || is_mate(window.beta)
            || doubted
        {
            return Ok(None);
        }
        let needed = target - facts.expected;
        let mut moves = Promises::new();
        self.sources(node.position).value_captures(&mut moves);
        moves.retain(|promise| {
            node.position
                .see_at_least_by(promise.m, needed.max(0), self.sliders)
        });
        let mut next = 0;
        while let Some(promise) = select(&mut moves, next) {
            next += 1;
            self.prefetch(node, promise.m);
            let value = self.probe_capture(node, promise, Window::scout(target - 1))?;
            if value >= target {
                return Ok(Some(less_margin(value)));
            }
        }
        Ok(None)
    }

    /// The score of a capture: by quiescence, and if that is good enough, by a reduced search.
    #[inline(always)]
    fn probe_capture(
        &mut self,
        node: Node<'_>,
        capture: Promise,
        window: Window,
    ) -> Result<i32, Stopped> {
        let next = node.position.play_unchecked(capture.m);
        let child = Node {
            expects_cut: !node.expects_cut,
            ..node.after(&next, self.sliders)
        };
        self.enter_move(node, capture.played(node.position), &next);
        let mut value = self.search(child, window.flipped()).map(|value| -value);
        if value.is_ok_and(|value| value >= window.beta) {
            let deeper = Node {
                depth: node.depth - 4,
                ..child
            };
            value = self.search(deeper, window.flipped()).map(|value| -value);
        }
        self.path.pop();
        value
    }
}

/// The score returned by a `ProbCut` cutoff: the reduced-depth score minus the margin. Decided
/// scores are returned unchanged: minus the margin, a mate score would be an invalid score above
/// any evaluation.
fn less_margin(value: i32) -> i32 {
    if value.abs() >= eval::LIMIT {
        value
    } else {
        value - PROBABLE_MARGIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::MATE;

    #[test]
    fn what_is_promised_is_an_evaluation_or_a_mate() {
        assert_eq!(less_margin(400), 400 - PROBABLE_MARGIN);
        for plies in 0..100 {
            assert_eq!(less_margin(MATE - plies), MATE - plies);
        }
        for value in [1, 5_000, eval::LIMIT - 1] {
            assert!(less_margin(value) < eval::LIMIT);
        }
    }
}
