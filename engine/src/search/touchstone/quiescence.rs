//! Quiescence search: resolves captures before a leaf is evaluated.

use super::node::NodeEval;
use super::picker::{
    ScoredMove, ScoredMoves, Sources, is_noisy, is_noisy_by, noisy_score, select, victim,
};
use super::worker::{Node, Worker};
use crate::eval::Evaluation;
use crate::search::stopper::Stopped;
use crate::search::table::{Bound, Entry};
use crate::search::value::{INFINITE, Window, is_mate, mated_in};
use chess::rules::attacks::Sliders;
use chess::rules::cpu::{CpuSliders, Multiversioned};
use chess::rules::{Move, PieceType};

impl<E: Evaluation, S: CpuSliders> Worker<'_, E, S> {
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
        let eval = self.evaluate_node(node, tt_entry);
        let mut alpha = window.alpha;
        let mut best_value = -INFINITE;
        if !node.is_check {
            best_value = eval.estimate;
            if best_value >= window.beta {
                return Ok(best_value);
            }
            alpha = alpha.max(best_value);
        }
        let mut moves = ScoredMoves::new();
        if node.is_check {
            self.score_evasions(node, eval.tt_entry.and_then(|entry| entry.best), &mut moves);
            if moves.is_empty() {
                return Ok(mated_in(node.ply));
            }
        } else {
            self.sources(node.position).score_captures(&mut moves);
        }
        let (mut next, mut best) = (0, None);
        while let Some(scored) = select(&mut moves, next) {
            let m = scored.m;
            next += 1;
            self.prefetch(node, m);
            if self.is_futile(node, &eval, m, alpha, best_value) {
                continue;
            }
            let after = node.position.play_unchecked(m);
            self.enter_move(node, scored.played(node.position), &after);
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
        // Entries of deeper searches are worth more and are not overwritten.
        if tt_entry.is_none_or(|entry| entry.depth == 0) {
            let bound = if best_value >= window.beta {
                Bound::Lower
            } else {
                Bound::Upper
            };
            let entry = Entry {
                best,
                value: best_value,
                bound,
                depth: 0,
                static_eval: eval.raw_eval,
            };
            self.table.put(node.position.key(), node.ply, entry);
        }
        Ok(best_value)
    }

    /// Generates and scores check evasions.
    #[inline(always)]
    fn score_evasions(&self, node: Node<'_>, tt_move: Option<Move>, moves: &mut ScoredMoves) {
        let position = node.position;
        let sources = self.sources(position);
        let quiets = sources.quiets(self.earlier(node.ply));
        for &m in &position.legal_moves() {
            let kind = position
                .piece_type_at(m.from())
                .expect("a legal move starts from a piece");
            let value = if tt_move == Some(m) {
                i32::MAX
            } else if is_noisy_by(position, kind, m) {
                NOISY_FIRST + noisy_score(sources, kind, m)
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
        best_value: i32,
    ) -> bool {
        if !self.features.exchange_quiescence || is_mate(best_value) {
            return false;
        }
        if node.is_check {
            // An evasion that avoids mate was found, so quiet ones can be skipped.
            return best_value > -INFINITE && !is_noisy(node.position, m);
        }
        let gain = gain(node, m);
        eval.estimate + gain + self.parameters.delta() <= alpha
            || !node.position.see_at_least_by(m, 0, self.sliders)
    }
}

impl<S: CpuSliders> Sources<'_, S> {
    /// Generates and scores captures and queen promotions.
    #[inline(always)]
    pub(super) fn score_captures(self, moves: &mut ScoredMoves) {
        struct Captures<'a, S>(Sources<'a, S>, &'a mut ScoredMoves);
        impl<C: CpuSliders> Multiversioned for Captures<'_, C> {
            type Output = ();
            #[inline(always)]
            fn run<S: Sliders>(self, sliders: S) {
                let Self(sources, moves) = self;
                sources.position.each_legal_capture(sliders, |kind, m| {
                    let value = noisy_score(sources, kind, m);
                    moves.push(ScoredMove { value, m, kind });
                });
            }
        }
        self.sliders.enter(Captures(self, moves));
    }
}

/// The arguments of a call to the quiescence search.
struct Quiesce<'w, 'a, 'p, E, S>(&'w mut Worker<'a, E, S>, Node<'p>, Window);

impl<E: Evaluation, C: CpuSliders> Multiversioned for Quiesce<'_, '_, '_, E, C> {
    type Output = Result<i32, Stopped>;

    #[inline(always)]
    fn run<S: Sliders>(self, _: S) -> Result<i32, Stopped> {
        let Self(worker, node, window) = self;
        worker.quiesce_node(node, window)
    }
}

/// Above any history score of a quiet move.
const NOISY_FIRST: i32 = 1 << 20;

/// The immediate material gain of a capture or promotion, in centipawns.
fn gain(node: Node<'_>, m: Move) -> i32 {
    let value = |kind| match kind {
        PieceType::Pawn => 100,
        PieceType::Knight | PieceType::Bishop => 330,
        PieceType::Rook => 520,
        PieceType::Queen | PieceType::King => 1000,
    };
    let taken = value(victim(node.position, m));
    taken + if m.promotion().is_some() { 900 } else { 0 }
}
