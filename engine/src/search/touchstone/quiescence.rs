//! Quiescence search: resolves captures before a leaf is evaluated.

use super::node::Facts;
use super::picker::{
    Promise, Promises, Sources, is_loud_by, is_noisy, noisy_value, select, victim,
};
use super::worker::{Node, Window, Worker};
use crate::eval::Evaluation;
use crate::search::stopper::Stopped;
use crate::search::table::{Bound, Entry};
use crate::search::value::{INFINITE, is_mate, mated_in};
use chess::rules::attacks::Sliders;
use chess::rules::cpu::{Chosen, SliderTask};
use chess::rules::{Move, PieceType};

/// Delta pruning: captures that stay further than this below alpha, including the material won, are
/// skipped.
const DELTA: i32 = 198;

impl<E: Evaluation, S: Chosen> Worker<'_, E, S> {
    /// The score of a leaf; counts the node. In check every evasion is searched; otherwise the side
    /// to move may stand pat, or try captures and queen promotions.
    pub(super) fn quiesce(&mut self, node: Node<'_>, window: Window) -> Result<i32, Stopped> {
        self.sliders.enter(Quiesce(self, node, window))
    }

    #[inline(always)]
    fn quiesce_entered(&mut self, node: Node<'_>, window: Window) -> Result<i32, Stopped> {
        self.enter(node.ply)?;
        if let Some(value) = self.value_at_sight(node) {
            return Ok(value);
        }
        let node = Node { depth: 0, ..node };
        let kept = self.table.get(node.position.key(), node.ply);
        if let Some(value) = kept.and_then(|entry| self.table_value(node, entry, window)) {
            return Ok(value);
        }
        self.quiesce_moves(node, window, kept)
    }

    /// The same for a node that has already been counted and probed.
    pub(super) fn quiesce_again(&mut self, node: Node<'_>, window: Window) -> Result<i32, Stopped> {
        let kept = self.table.get(node.position.key(), node.ply);
        self.quiesce_moves(Node { depth: 0, ..node }, window, kept)
    }

    #[inline(always)]
    fn quiesce_moves(
        &mut self,
        node: Node<'_>,
        window: Window,
        kept: Option<Entry>,
    ) -> Result<i32, Stopped> {
        let facts = self.look_at(node, kept);
        let mut alpha = window.alpha;
        let mut best_value = -INFINITE;
        if !facts.is_check {
            best_value = facts.expected;
            if best_value >= window.beta {
                return Ok(best_value);
            }
            alpha = alpha.max(best_value);
        }
        let mut moves = Promises::new();
        if facts.is_check {
            self.value_answers(node, &facts, &mut moves);
        } else {
            self.sources(node.position).value_captures(&mut moves);
        }
        if facts.is_check && moves.is_empty() {
            return Ok(mated_in(node.ply));
        }
        let (mut next, mut best) = (0, None);
        while let Some(promise) = select(&mut moves, next) {
            let m = promise.m;
            next += 1;
            self.prefetch(node, m);
            if self.is_futile(node, &facts, m, alpha, best_value) {
                continue;
            }
            let value = self.quiesce_move(node, promise, Window::new(alpha, window.beta))?;
            best_value = best_value.max(value);
            if value > alpha {
                alpha = value;
                best = Some(m);
                if window.is_open() {
                    self.lines.set(node.ply, m);
                }
            }
            if value >= window.beta {
                break;
            }
        }
        self.keep_quiescence(node, &facts, best_value, best, window);
        Ok(best_value)
    }

    /// Generates and scores check evasions.
    #[inline(always)]
    fn value_answers(&self, node: Node<'_>, facts: &Facts, moves: &mut Promises) {
        let position = node.position;
        let sources = self.sources(position);
        let quiets = sources.quiets(self.earlier(node.ply));
        let table = facts.kept.and_then(|entry| entry.best);
        for &m in &position.legal_moves() {
            let kind = position
                .piece_type_at(m.from())
                .expect("a legal move starts from a piece");
            let value = if table == Some(m) {
                i32::MAX
            } else if is_loud_by(position, kind, m) {
                LOUD_FIRST + noisy_value(sources, kind, m)
            } else {
                quiets.value(kind, m)
            };
            moves.push(Promise { value, m, kind });
        }
    }

    /// Whether a capture can be skipped: it loses material or wins too little.
    #[inline(always)]
    fn is_futile(
        &self,
        node: Node<'_>,
        facts: &Facts,
        m: Move,
        alpha: i32,
        best_value: i32,
    ) -> bool {
        if !self.features.exchange_quiescence || is_mate(best_value) {
            return false;
        }
        if facts.is_check {
            // An evasion that avoids mate was found, so quiet ones can be skipped.
            return best_value > -INFINITE && !is_noisy(node.position, m);
        }
        let gain = gain(node, m);
        facts.expected + gain + DELTA <= alpha || !node.position.see_at_least_by(m, 0, self.sliders)
    }

    #[inline(always)]
    fn quiesce_move(
        &mut self,
        node: Node<'_>,
        promise: Promise,
        window: Window,
    ) -> Result<i32, Stopped> {
        let next = node.position.play_unchecked(promise.m);
        self.enter_move(node, promise.played(node.position), &next);
        let value = self.quiesce(node.after(&next, self.sliders), window.flipped());
        self.path.pop();
        Ok(-value?)
    }

    fn keep_quiescence(
        &mut self,
        node: Node<'_>,
        facts: &Facts,
        value: i32,
        best: Option<Move>,
        window: Window,
    ) {
        let bound = if value >= window.beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        let entry = Entry {
            best,
            value,
            bound,
            depth: 0,
            static_value: facts.raw_value,
        };
        // Entries of deeper searches are worth more and are not overwritten.
        if facts.kept.is_none_or(|kept| kept.depth == 0) {
            self.table.put(node.position.key(), node.ply, entry);
        }
    }
}

impl<S: Chosen> Sources<'_, S> {
    /// Generates and scores captures and queen promotions.
    #[inline(always)]
    pub(super) fn value_captures(self, moves: &mut Promises) {
        struct Captures<'a, S>(Sources<'a, S>, &'a mut Promises);
        impl<C: Chosen> SliderTask for Captures<'_, C> {
            type Output = ();
            #[inline(always)]
            fn run<S: Sliders>(self, sliders: S) {
                let Self(sources, moves) = self;
                sources.position.each_legal_capture(sliders, |kind, m| {
                    let value = noisy_value(sources, kind, m);
                    moves.push(Promise { value, m, kind });
                });
            }
        }
        self.sliders.enter(Captures(self, moves));
    }
}

/// The arguments of a call to the quiescence search.
struct Quiesce<'w, 'a, 'p, E, S>(&'w mut Worker<'a, E, S>, Node<'p>, Window);

impl<E: Evaluation, C: Chosen> SliderTask for Quiesce<'_, '_, '_, E, C> {
    type Output = Result<i32, Stopped>;

    #[inline(always)]
    fn run<S: Sliders>(self, _: S) -> Result<i32, Stopped> {
        let Self(worker, node, window) = self;
        worker.quiesce_entered(node, window)
    }
}

/// Above any history score of a quiet move.
const LOUD_FIRST: i32 = 1 << 20;

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
