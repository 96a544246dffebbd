//! History and correction-history updates at the end of a node.

use arrayvec::ArrayVec;

use super::history::PieceTo;
use super::picker::{is_noisy, victim};
use super::worker::{Node, Worker};
use crate::eval::Evaluation;
use crate::search::table::Bound;
use crate::search::value::{INFINITE, is_mate};
use chess::rules::cpu::CpuSliders;
use chess::rules::{Move, PieceType};

/// Maximal number of searched moves per list that receive a malus; the first ones count.
const TRIED: usize = 32;

/// The results of the moves searched so far.
pub(super) struct Progress {
    pub(super) best_value: i32,
    pub(super) best: Option<Move>,
    pub(super) searched: usize,
    quiets: ArrayVec<Move, TRIED>,
    noisies: ArrayVec<Move, TRIED>,
}

/// A move to be searched.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) m: Move,
    /// The kind of the moving piece.
    pub(super) kind: PieceType,
    pub(super) is_noisy: bool,
    /// The history score of a quiet move; 0 for a noisy one.
    pub(super) history: i32,
}

impl Progress {
    pub(super) fn new() -> Self {
        Self {
            best_value: -INFINITE,
            best: None,
            searched: 0,
            quiets: ArrayVec::new(),
            noisies: ArrayVec::new(),
        }
    }

    /// Records a searched move that did not cause a cutoff.
    pub(super) fn remember(&mut self, candidate: Candidate) {
        let list = if candidate.is_noisy {
            &mut self.noisies
        } else {
            &mut self.quiets
        };
        // A full list is fine: the first moves matter most.
        let _ = list.try_push(candidate.m);
    }
}

impl<E: Evaluation, S: CpuSliders> Worker<'_, E, S> {
    /// Updates the correction history if the search result is a reliable evaluation of a quiet
    /// position.
    pub(super) fn update_correction_history(
        &mut self,
        node: Node<'_>,
        best: Option<Move>,
        value: i32,
        bound: Bound,
    ) {
        let Some(static_eval) = self.frames[node.ply].static_eval else {
            return;
        };
        let is_quiet = best.is_none_or(|m| !is_noisy(node.position, m));
        let is_informative = match bound {
            Bound::None => false,
            Bound::Exact => true,
            Bound::Lower => value > static_eval,
            Bound::Upper => value < static_eval,
        };
        if self.features.correction_history && is_quiet && is_informative && !is_mate(value) {
            let error = value - static_eval;
            self.memory
                .corrections
                .update(node.position, error, node.depth);
        }
    }

    /// Updates the histories on a beta cutoff: a bonus for the move, a malus for those tried before
    /// it.
    pub(super) fn update_histories(
        &mut self,
        node: Node<'_>,
        candidate: Candidate,
        progress: &Progress,
    ) {
        let Candidate { m, is_noisy, .. } = candidate;
        let bonus = (313 * node.depth - 90).min(1800);
        let position = node.position;
        let earlier = self.earlier(node.ply);
        let histories = &mut self.memory.histories;
        if is_noisy {
            histories.update_capture(PieceTo::of(position, m), victim(position, m), bonus);
        } else {
            let [first, second] = &mut self.frames[node.ply].killers;
            if *first != Some(m) {
                *second = first.replace(m);
            }
            if let Some(before) = earlier[0] {
                histories.set_countermove(before, m);
            }
            let bad = progress.quiets.iter().map(|&tried| (tried, -bonus));
            for (tried, bonus) in bad.chain([(m, bonus)]) {
                histories.update_quiet(position.side_to_move(), tried, bonus);
                let now = PieceTo::of(position, tried);
                for before in earlier.into_iter().flatten() {
                    histories.update_continuation(before, now, bonus);
                }
            }
        }
        for &tried in &progress.noisies {
            histories.update_capture(
                PieceTo::of(position, tried),
                victim(position, tried),
                -bonus,
            );
        }
    }
}
