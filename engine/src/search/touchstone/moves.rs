//! The move loop of a node.

use super::history::PieceTo;
use super::history_update::{Candidate, Progress};
use super::node::NodeEval;
use super::picker::{Hints, Pick, Picker};
use super::reductions::{PLY, reduction};
use super::worker::{Node, Worker};
use crate::eval::Evaluation;
use crate::search::MAX_PLY;
use crate::search::stopper::Stopped;
use crate::search::table::{Bound, Entry};
use crate::search::value::{Window, is_lost, is_mate, mated_in};
use chess::rules::cpu::CpuSliders;
use chess::rules::{Move, Position};

/// Late-move pruning: up to this depth, after a base number of moves plus `depth²`, halved if not
/// improving.
const LATE_MOVE_DEPTH: i32 = 8;
/// Futility pruning: up to this depth, if the static eval plus a base and a margin per ply is below
/// alpha.
const FUTILITY_DEPTH: i32 = 8;
/// History pruning: up to this depth.
const HISTORY_DEPTH: i32 = 4;
/// SEE pruning: up to this depth.
const SEE_DEPTH: i32 = 9;
/// Singular extension: from this depth; the margin per ply, in sixteenths of a centipawn.
const SINGULAR_DEPTH: i32 = 8;
const SINGULAR_STEP: i32 = 10;

/// Maximal depth after extensions: as deep as lines are long, and it fits the TT entry.
const DEEPEST: i32 = 160;
const _: () = assert!(DEEPEST as usize == MAX_PLY && MAX_PLY <= u8::MAX as usize);

impl<E: Evaluation, S: CpuSliders> Worker<'_, E, S> {
    /// Searches the moves of a node and stores the result in the transposition table.
    #[inline(always)]
    pub(super) fn search_moves(
        &mut self,
        node: Node<'_>,
        window: Window,
        eval: &NodeEval,
    ) -> Result<i32, Stopped> {
        let position = node.position;
        let earlier = self.earlier(node.ply);
        let [first, second] = self.frames[node.ply].killers;
        let counter = earlier[0]
            .filter(|_| self.features.countermoves)
            .and_then(|before| self.memory.histories.countermove(before));
        let mut picker = Picker::new(Hints {
            tt_move: eval.tt_entry.and_then(|entry| entry.best),
            killers_and_counter: [first, second, counter],
            earlier,
        });
        picker.take(position, self.sliders);
        if picker.is_empty() {
            return Ok(if node.is_check { mated_in(node.ply) } else { 0 });
        }
        if let Some(frame) = self.frames.get_mut(node.ply + 1) {
            frame.killers = [None; 2];
        }
        let excluded = self.frames[node.ply].excluded;
        let mut progress = Progress::new();
        let mut alpha = window.alpha;
        while let Some(pick) = picker.next(self.sources(position)) {
            let m = pick.m;
            if excluded == Some(m) {
                continue;
            }
            self.prefetch(node, m);
            let candidate = self.candidate(node, pick);
            let now = Window::new(alpha, window.beta);
            if self.is_pruned(node, now, eval, candidate, &progress, &mut picker) {
                continue;
            }
            let extension = match self.singular_extension(node, window, eval, m)? {
                Extension::Plies(plies) => plies,
                Extension::Cut(value) => return Ok(value),
            };
            progress.searched += 1;
            let number = progress.searched;
            let value = self.search_move(node, now, eval, candidate, extension, number)?;
            progress.best_value = progress.best_value.max(value);
            if value > alpha {
                alpha = value;
                progress.best = Some(m);
                if window.is_pv() {
                    self.lines.set(node.ply, m);
                }
            }
            if value >= window.beta {
                self.update_histories(node, candidate, &progress);
                break;
            }
            progress.remember(candidate);
        }
        let Progress {
            best_value, best, ..
        } = progress;
        if excluded.is_some() {
            // The result is not that of the whole position and must not be stored.
            return Ok(if progress.searched == 0 {
                window.alpha
            } else {
                best_value
            });
        }
        let bound = if best_value >= window.beta {
            Bound::Lower
        } else if best.is_some() && window.is_pv() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            best,
            value: best_value,
            bound,
            depth: u32::try_from(node.depth).expect("a node with moves has depth"),
            static_eval: eval.raw_eval,
        };
        self.table.put(position.key(), node.ply, entry);
        self.update_correction_history(node, best, best_value, bound);
        Ok(best_value)
    }

    /// A move with its history score.
    #[inline(always)]
    fn candidate(&self, node: Node<'_>, pick: Pick) -> Candidate {
        let Pick { m, kind, .. } = pick;
        let history = if pick.is_noisy {
            0
        } else {
            let value = || {
                let quiets = self.sources(node.position).quiets(self.earlier(node.ply));
                quiets.value(kind, m)
            };
            pick.quiet_score.unwrap_or_else(value)
        };
        Candidate {
            m,
            kind,
            is_noisy: pick.is_noisy,
            history,
        }
    }

    /// Whether to skip a move near the leaves. The first move is never skipped.
    #[inline(always)]
    fn is_pruned(
        &self,
        node: Node<'_>,
        window: Window,
        eval: &NodeEval,
        candidate: Candidate,
        progress: &Progress,
        picker: &mut Picker,
    ) -> bool {
        let depth = node.depth;
        let searched = progress.searched;
        if searched == 0 || is_lost(progress.best_value) {
            return false;
        }
        if candidate.is_noisy {
            return self.is_pruned_by_see(
                node,
                candidate.m,
                depth,
                self.parameters.noisy_see() * depth,
            );
        }
        // The depth to which late-move reductions will probably reduce the move.
        let lmr_depth = if self.features.late_reductions {
            (depth - reduction(&self.parameters, depth, searched + 1) / PLY).max(0)
        } else {
            depth
        };
        let divisor = if self.features.improving && !eval.improving {
            2
        } else {
            1
        };
        let limit = (self.parameters.late_move_base() + depth * depth) / divisor;
        let late_move_pruning = self.features.late_pruning
            && !node.is_check
            && depth <= LATE_MOVE_DEPTH
            && searched >= usize::try_from(limit).unwrap_or(0);
        let futility_pruning = self.features.futility
            && !node.is_check
            && !is_mate(window.alpha)
            && lmr_depth <= FUTILITY_DEPTH
            && eval.estimate
                + self.parameters.futility_base()
                + self.parameters.futility_step() * lmr_depth
                <= window.alpha;
        // Both apply to all later quiet moves as well, checks excepted.
        if (late_move_pruning || futility_pruning)
            && !(self.features.check_order && picker.gives_check(candidate.kind, candidate.m))
        {
            picker.skip_quiet();
            return true;
        }
        let history_pruning = self.features.history_pruning
            && depth <= HISTORY_DEPTH
            && candidate.history < -self.parameters.history_step() * depth;
        history_pruning
            || self.is_pruned_by_see(
                node,
                candidate.m,
                lmr_depth,
                self.parameters.quiet_see() * lmr_depth,
            )
    }

    /// SEE pruning: the move loses more than `loss` centipawns.
    #[inline(always)]
    fn is_pruned_by_see(&self, node: Node<'_>, m: Move, depth: i32, loss: i32) -> bool {
        self.features.exchange_pruning
            && depth <= SEE_DEPTH
            && !node.position.see_at_least_by(m, -loss, self.sliders)
    }

    /// The extension of a move, in plies, or a cutoff found on the way: searches the position without
    /// the TT move, to see whether that is singular (Anantharaman, Campbell and Hsu, "Singular
    /// extensions: adding selectivity to brute-force searching").
    #[inline(always)]
    fn singular_extension(
        &mut self,
        node: Node<'_>,
        window: Window,
        eval: &NodeEval,
        m: Move,
    ) -> Result<Extension, Stopped> {
        let Some(entry) = eval.tt_entry.filter(|entry| entry.best == Some(m)) else {
            return Ok(Extension::Plies(0));
        };
        let frame = self.frames[node.ply];
        let may_be_singular = self.features.singular_extension
            && node.depth >= SINGULAR_DEPTH
            && frame.excluded.is_none()
            && matches!(entry.bound, Bound::Lower | Bound::Exact)
            && i64::from(entry.depth) + 3 >= i64::from(node.depth)
            && !is_mate(entry.value)
            && i32::try_from(node.ply).is_ok_and(|ply| ply < 2 * self.root_depth);
        if !may_be_singular {
            return Ok(Extension::Plies(0));
        }
        let target = entry.value - SINGULAR_STEP * node.depth / 16;
        let shallow = Node {
            depth: (node.depth - 1) / 2,
            ..node
        };
        self.frames[node.ply].excluded = Some(m);
        let value = self.search(shallow, Window::scout(target - 1));
        self.frames[node.ply] = frame;
        let value = value?;
        Ok(if value < target {
            let is_far = !window.is_pv() && value < target - 20;
            Extension::Plies(if is_far { 2 } else { 1 })
        } else if target >= window.beta && !window.is_pv() {
            // Multi-cut: another move is above beta too.
            Extension::Cut(target)
        } else if entry.value >= window.beta {
            Extension::Plies(-1)
        } else {
            Extension::Plies(0)
        })
    }

    /// Prefetches the TT slots of the child well before the move is made, since memory latency
    /// exceeds the work in between.
    #[inline(always)]
    pub(super) fn prefetch(&self, node: Node<'_>, m: Move) {
        self.table.prefetch(node.position.key_after(m));
    }

    /// Updates frame and path for the position after a move.
    #[inline(always)]
    pub(super) fn enter_move(&mut self, node: Node<'_>, played: PieceTo, next: &Position) {
        self.frames[node.ply].played = Some(played);
        self.path.push(next);
    }

    /// Searches a move (PVS): the first with the full window, the others with a null window, late
    /// ones at reduced depth.
    #[inline(always)]
    fn search_move(
        &mut self,
        node: Node<'_>,
        window: Window,
        eval: &NodeEval,
        candidate: Candidate,
        extension: i32,
        number: usize,
    ) -> Result<i32, Stopped> {
        let Candidate { m, kind, .. } = candidate;
        let next = node.position.play_unchecked(m);
        let played = PieceTo::new(node.position.side_to_move(), kind, m.to());
        self.enter_move(node, played, &next);
        let child = node.after(&next, self.sliders);
        let checks = self.features.check_extension
            && extension == 0
            && child.is_check
            && node.position.see_at_least_by(m, 0, self.sliders);
        let depth = (node.depth - 1 + extension + i32::from(checks)).min(DEEPEST);
        let value = if number == 1 {
            self.search_first(node, child, depth, window)
        } else {
            let reduced = self.reduced_depth(node, window, eval, candidate, depth, number);
            self.search_later(node, child, [depth, reduced], window)
        };
        self.path.pop();
        value
    }

    #[inline(always)]
    pub(super) fn search_first(
        &mut self,
        node: Node<'_>,
        child: Node<'_>,
        depth: i32,
        window: Window,
    ) -> Result<i32, Stopped> {
        let child = Node {
            depth,
            is_cut: !window.is_pv() && !node.is_cut,
            ..child
        };
        Ok(-self.search(child, window.flipped())?)
    }

    /// Searches a later move with a null window at the reduced depth, the second of the two given,
    /// then at full depth, then with the full window, as long as it exceeds alpha.
    #[inline(always)]
    pub(super) fn search_later(
        &mut self,
        node: Node<'_>,
        child: Node<'_>,
        [full, reduced]: [i32; 2],
        window: Window,
    ) -> Result<i32, Stopped> {
        let scout = Window::scout(window.alpha);
        let mut child = Node {
            depth: reduced,
            is_cut: true,
            ..child
        };
        let mut value = -self.search(child, scout.flipped())?;
        if value > window.alpha && reduced < full {
            child.depth = full;
            child.is_cut = !node.is_cut;
            value = -self.search(child, scout.flipped())?;
        }
        if value > window.alpha && window.is_pv() {
            child.depth = full;
            child.is_cut = false;
            value = -self.search(child, window.flipped())?;
        }
        Ok(value)
    }

    /// The reduced depth of a late move (LMR).
    #[inline(always)]
    fn reduced_depth(
        &self,
        node: Node<'_>,
        window: Window,
        eval: &NodeEval,
        candidate: Candidate,
        depth: i32,
        number: usize,
    ) -> i32 {
        if !self.features.late_reductions
            || node.depth < 3
            || number < 3
            || candidate.is_noisy && number < 4
        {
            return depth;
        }
        let mut parts = reduction(&self.parameters, node.depth, number);
        if candidate.is_noisy {
            parts /= 2;
        }
        if window.is_pv() {
            parts -= self.parameters.pv_less();
        }
        if node.is_cut {
            parts += self.parameters.cut_more();
        }
        if self.features.improving && !eval.improving {
            parts += self.parameters.not_improving_more();
        }
        if node.is_check {
            parts -= PLY;
        }
        if self.frames[node.ply].killers.contains(&Some(candidate.m)) {
            parts -= PLY;
        }
        if self.features.history_pruning {
            parts -= candidate.history * PLY / self.parameters.history_ply();
        }
        (depth - (parts / PLY).max(0)).clamp(1.min(depth), depth)
    }
}

/// The outcome of the extension check.
enum Extension {
    /// Number of plies to extend; may be negative.
    Plies(i32),
    /// Return this score for the node: several moves are good enough.
    Cut(i32),
}
