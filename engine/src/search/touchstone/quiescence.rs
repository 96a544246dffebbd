//! Quiescence search: resolves captures before a leaf is evaluated.

use super::features::Switches;
use super::history::PieceTo;
use super::node::NodeEval;
use super::picker::{ScoredMove, ScoredMoves, gain, is_noisy, is_noisy_by, select};
use super::worker::{Node, Worker};
use crate::eval::Evaluation;
use crate::search::stopper::Stopped;
use crate::search::table::{Bound, Entry};
use crate::search::value::{INFINITE, Window, is_decided, mated_in};
use chess::rules::Move;
use chess::rules::attacks::Sliders;
use chess::rules::cpu::{CpuSliders, Multiversioned};

impl<E: Evaluation, S: CpuSliders, F: Switches> Worker<'_, E, S, F> {
    /// The score of a leaf; counts the node. In check every evasion is searched; otherwise the side
    /// to move may stand pat, or try captures and queen promotions.
    pub(super) fn quiesce(&mut self, node: Node<'_>, window: Window) -> Result<i32, Stopped> {
        self.sliders.enter(Quiesce(self, node, window))
    }

    #[inline(always)]
    fn quiesce_node(&mut self, node: Node<'_>, window: Window) -> Result<i32, Stopped> {
        self.enter(node.ply)?;
        if let Some(value) = self.draw_score(node) {
            return Ok(value);
        }
        let window = Window::new(self.raised_by_repetition(node, window.alpha), window.beta);
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }
        let node = Node { depth: 0, ..node };
        let tt_entry = self.table.get(node.position.key(), node.ply);
        if let Some(value) = tt_entry.and_then(|entry| self.tt_cutoff(node, entry, window)) {
            return Ok(value);
        }
        self.quiesce_moves(node, window, tt_entry)
    }

    /// The same for a node that has already been counted and probed.
    pub(super) fn quiesce_again(&mut self, node: Node<'_>, window: Window) -> Result<i32, Stopped> {
        let tt_entry = self.table.get(node.position.key(), node.ply);
        self.quiesce_moves(Node { depth: 0, ..node }, window, tt_entry)
    }

    #[inline(always)]
    fn quiesce_moves(
        &mut self,
        node: Node<'_>,
        window: Window,
        tt_entry: Option<Entry>,
    ) -> Result<i32, Stopped> {
        let eval = self.evaluate_node(node, window, tt_entry);
        let mut alpha = window.alpha;
        let mut best_value = -INFINITE;
        if !node.is_check {
            best_value = eval.estimate;
            if best_value >= window.beta {
                return Ok(self.damped(best_value, window.beta, 1));
            }
            alpha = alpha.max(best_value);
        }
        let mut moves = ScoredMoves::new();
        let tt_move = eval.tt_entry.and_then(|entry| entry.best);
        if node.is_check {
            self.score_evasions(node, &eval, tt_move, &mut moves);
            if moves.is_empty() {
                return Ok(mated_in(node.ply));
            }
        } else {
            self.sources(node.position).score_captures(&mut moves);
            if self.features().tt_quiescence
                && let Some(first) = moves.iter_mut().find(|scored| tt_move == Some(scored.m))
            {
                first.value = i32::MAX;
            }
        }
        self.frames[node.ply].reduction = 0;
        let target = self.frames[node.ply - 1].played.map(PieceTo::to);
        let (mut next, mut searched, mut best) = (0, 0, None);
        while let Some(scored) = select(&mut moves, next) {
            let m = scored.m;
            next += 1;
            let is_late = self.features().exchange_quiescence
                && !node.is_check
                && searched >= QUIESCENCE_MOVES
                && Some(m.to()) != target
                && m.promotion().is_none();
            if !is_decided(best_value)
                && (is_late || self.is_futile(node, &eval, m, alpha, &mut best_value))
            {
                continue;
            }
            searched += 1;
            self.prefetch(node, m);
            let after = node.position.play_unchecked(m);
            self.enter_move(node, scored.played(node.position), None, &after);
            let child = node.after(&after, self.sliders);
            let value = self.quiesce(child, Window::new(alpha, window.beta).flipped());
            self.path.pop();
            let value = -value?;
            best_value = best_value.max(value);
            if value > alpha {
                alpha = value;
                best = Some(m);
                if window.is_pv() {
                    self.lines.set(node.ply, m);
                }
            }
            if value >= window.beta {
                break;
            }
        }
        let bound = if best_value >= window.beta {
            best_value = self.damped(best_value, window.beta, 1);
            Bound::Lower
        } else {
            Bound::Upper
        };
        // Entries of deeper searches are worth more and are not overwritten.
        if tt_entry.is_none_or(|entry| entry.depth == 0) {
            let entry = Entry {
                best,
                value: best_value,
                bound,
                depth: 0,
                static_eval: eval.raw_eval,
                is_pv: eval.is_tt_pv,
            };
            self.table.put(node.position.key(), node.ply, entry);
        }
        Ok(best_value)
    }

    /// Generates and scores check evasions.
    #[inline(always)]
    fn score_evasions(
        &self,
        node: Node<'_>,
        eval: &NodeEval,
        tt_move: Option<Move>,
        moves: &mut ScoredMoves,
    ) {
        let position = node.position;
        let sources = self.sources(position);
        let context = self.quiet_context(node, &eval.keys);
        let quiets = sources.quiets(&context);
        for &m in &position.legal_moves() {
            let kind = position
                .piece_type_at(m.from())
                .expect("a legal move starts from a piece");
            let value = if tt_move == Some(m) {
                i32::MAX
            } else if is_noisy_by(position, kind, m) {
                NOISY_FIRST + sources.noisy_score(kind, m)
            } else {
                quiets.value(kind, m)
            };
            moves.push(ScoredMove { value, m, kind });
        }
    }

    /// Whether a capture can be skipped: it loses material or wins too little.
    #[inline(always)]
    fn is_futile(
        &self,
        node: Node<'_>,
        eval: &NodeEval,
        m: Move,
        alpha: i32,
        best_value: &mut i32,
    ) -> bool {
        if !self.features().exchange_quiescence {
            return false;
        }
        if node.is_check {
            // An evasion that avoids mate was found, so quiet ones can be skipped.
            return !is_noisy(node.position, m);
        }
        let most = eval.estimate + gain(node.position, m) + self.parameters.delta();
        if most <= alpha {
            *best_value = most.max(*best_value);
            return true;
        }
        !node.position.see_at_least_by(m, 0, self.sliders)
    }
}

/// The arguments of a call to the quiescence search.
struct Quiesce<'w, 'a, 'p, E, S, F>(&'w mut Worker<'a, E, S, F>, Node<'p>, Window);

impl<E: Evaluation, C: CpuSliders, F: Switches> Multiversioned for Quiesce<'_, '_, '_, E, C, F> {
    type Output = Result<i32, Stopped>;

    #[inline(always)]
    fn run<S: Sliders>(self, _: S) -> Result<i32, Stopped> {
        let Self(worker, node, window) = self;
        worker.quiesce_node(node, window)
    }
}

/// Number of moves after which only recaptures and promotions are searched.
const QUIESCENCE_MOVES: usize = 2;

/// Above any history score of a quiet move.
const NOISY_FIRST: i32 = 1 << 20;
