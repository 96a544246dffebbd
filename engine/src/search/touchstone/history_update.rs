//! History and correction-history updates at the end of a node.

use arrayvec::ArrayVec;

use super::correction::CorrectionKeys;
use super::features::Switches;
use super::history::{PieceTo, QuietContext};
use super::picker::{is_noisy, victim};
use super::worker::{SearchNode, SearchThread, StackEntry};
use crate::search::table::{TtBound, TtEntry};
use crate::search::value::{Depth, INFINITE, Window, is_decided};
use chess::rules::cpu::CpuSliders;
use chess::rules::{Move, PieceType};

/// Maximal number of searched moves per list that receive a malus; the first ones count.
const TRIED: usize = 32;

/// What a move is believed to have gained, by the static evaluations before and after it, is at
/// least and at most this, in centipawns.
const PRIOR_GAIN: [i32; 2] = [-100, 80];
/// The right to move that a move gives away, in centipawns.
const TEMPO: i32 = 28;

/// The results of the moves searched so far.
pub(super) struct MovesSearched {
    pub(super) best_value: i32,
    pub(super) best: Option<Move>,
    /// Number of moves that the picker has yielded.
    pub(super) generated: usize,
    pub(super) searched: usize,
    quiets: ArrayVec<(PieceType, Move), TRIED>,
    noisies: ArrayVec<(PieceType, Move), TRIED>,
}

/// A move to be searched.
#[derive(Clone, Copy)]
pub(super) struct MoveToSearch {
    pub(super) m: Move,
    /// The kind of the moving piece.
    pub(super) kind: PieceType,
    pub(super) is_noisy: bool,
    /// Whether it loses material by SEE, if that is known.
    pub(super) loses: Option<bool>,
    /// The sum of a quiet move's histories; the capture history of a noisy one.
    pub(super) history: i32,
}

impl MovesSearched {
    pub(super) fn new() -> Self {
        Self {
            best_value: -INFINITE,
            best: None,
            generated: 0,
            searched: 0,
            quiets: ArrayVec::new(),
            noisies: ArrayVec::new(),
        }
    }

    /// Records a searched move that did not cause a cutoff.
    pub(super) fn remember(&mut self, candidate: MoveToSearch) {
        let list = if candidate.is_noisy {
            &mut self.noisies
        } else {
            &mut self.quiets
        };
        // A full list is fine: the first moves matter most.
        let _ = list.try_push((candidate.kind, candidate.m));
    }
}

impl<S: CpuSliders, F: Switches> SearchThread<'_, S, F> {
    /// Updates the correction history if the search result is a reliable evaluation of a quiet
    /// position.
    pub(super) fn update_correction_history(
        &mut self,
        node: SearchNode<'_>,
        keys: &CorrectionKeys,
        best: Option<Move>,
        value: i32,
        bound: TtBound,
    ) {
        let Some(static_eval) = self.frames[node.ply].static_eval else {
            return;
        };
        // After a capture, score and eval differ for other reasons than a misjudged structure.
        let is_quiet = best.is_none_or(|m| !is_noisy(node.position, m));
        let is_informative = match bound {
            TtBound::None => false,
            TtBound::Exact => true,
            // A bound corrects the eval only if the eval lies beyond it.
            TtBound::Lower => value > static_eval,
            TtBound::Upper => value < static_eval,
        };
        if is_quiet && is_informative && !is_decided(value) {
            let error = value - static_eval;
            self.memory.corrections.update(keys, error, node.depth);
        }
    }

    /// Updates the histories on a beta cutoff: a bonus for the move, a malus for those tried before
    /// it.
    pub(super) fn update_histories(
        &mut self,
        node: SearchNode<'_>,
        candidate: MoveToSearch,
        progress: &MovesSearched,
        context: &QuietContext,
    ) {
        let MoveToSearch {
            m, kind, is_noisy, ..
        } = candidate;
        let bonus = self.bonus(node.depth);
        let malus = self.malus(node.depth);
        let position = node.position;
        let histories = &mut self.memory.histories;
        if is_noisy {
            let now = PieceTo::new(context.color, kind, m.to());
            histories.update_capture(now, victim(position, m), bonus);
        } else {
            let [first, second] = &mut self.frames[node.ply].killers;
            if *first != Some(m) {
                *second = first.replace(m);
            }
            if let Some(before) = context.earlier[0] {
                histories.set_countermove(before, m);
            }
            for &(kind, tried) in &progress.quiets {
                histories.update_quiet(context, kind, tried, -malus);
            }
            histories.update_quiet(context, kind, m, bonus);
        }
        for &(kind, tried) in &progress.noisies {
            let now = PieceTo::new(context.color, kind, tried.to());
            histories.update_capture(now, victim(position, tried), -malus);
        }
    }

    /// On a cutoff by the TT: a bonus for its move if it is quiet.
    #[inline(always)]
    pub(super) fn reward_tt_move(
        &mut self,
        node: SearchNode<'_>,
        entry: TtEntry,
        value: i32,
        window: Window,
    ) {
        if !self.features().tt_history || value < window.beta {
            return;
        }
        let position = node.position;
        let Some((m, kind)) = entry.best.and_then(|m| {
            // The entry may be of another position with the same key.
            let is_own = position
                .by_color(position.side_to_move())
                .contains(m.from());
            Some((m, position.piece_type_at(m.from()).filter(|_| is_own)?))
        }) else {
            return;
        };
        if !is_noisy(position, m) {
            let keys = CorrectionKeys::new(position, self.earlier([1, 2], node.ply));
            let context = self.quiet_context(node, &keys);
            // This node itself has not been searched.
            let bonus = self.bonus(node.depth) / 2;
            let histories = &mut self.memory.histories;
            histories.update_quiet(&context, kind, m, bonus);
        }
    }

    /// If no move raises alpha, the opponent's last move was good: a bonus for it if it is quiet.
    #[inline(always)]
    pub(super) fn reward_prior_move(&mut self, node: SearchNode<'_>) {
        if self.features().prior_move_history {
            let before = self.frames[node.ply - 1];
            let bonus = self.bonus(node.depth) * self.parameters.prior_fail_low() / 64;
            self.update_prior_move(&before, bonus);
        }
    }

    /// The opponent's last move, if quiet, is judged by what it did to the static evaluation.
    #[inline(always)]
    pub(super) fn judge_prior_move(&mut self, node: SearchNode<'_>) {
        let before = self.frames[node.ply - 1];
        if self.features().prior_move_history
            && let Some(own) = self.frames[node.ply].static_eval
            && let Some(opponents) = before.static_eval
            && let Some((m, context)) = before.played_quiet
            && let Some(played) = before.played
        {
            // The sum of both static evals is what the move has lost (as in Stockfish).
            let gain = (-own - opponents).clamp(PRIOR_GAIN[0], PRIOR_GAIN[1]) + TEMPO;
            let bonus = gain * self.parameters.prior_eval();
            let histories = &mut self.memory.histories;
            histories.update_butterfly(&context, played, m, bonus);
        }
    }

    /// The history bonus of a cutoff at this depth.
    #[inline(always)]
    fn bonus(&self, depth: Depth) -> i32 {
        (self.parameters.bonus_step() * depth - 90).clamp(0, self.parameters.bonus_most())
    }

    /// The history malus of the moves tried before.
    #[inline(always)]
    fn malus(&self, depth: Depth) -> i32 {
        (self.parameters.malus_step() * depth - 90).clamp(0, self.parameters.malus_most())
    }

    fn update_prior_move(&mut self, before: &StackEntry, bonus: i32) {
        if let (Some(played), Some((m, context))) = (before.played, before.played_quiet) {
            let histories = &mut self.memory.histories;
            histories.update_butterfly(&context, played, m, bonus);
            for earlier in context.earlier[..2].iter().flatten() {
                histories.update_continuation(*earlier, played, bonus);
            }
        }
    }
}
