//! The move loop of a node.

use super::features::Switches;
use super::history::{PieceTo, QuietContext};
use super::history_update::{MoveToSearch, MovesSearched};
use super::node::NodeEval;
use super::picker::{Hints, MovePicker, Pick, gain, is_noisy, victim};
use super::reductions::{PLY, reduction};
use super::worker::{SearchNode, SearchThread};
use crate::search::MAX_PLY;
use crate::search::stopper::SearchStopped;
use crate::search::table::{TtBound, TtEntry};
use crate::search::value::{Depth, Window, is_decided, is_lost, is_mate};
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
/// Singular extension: from this depth.
const SINGULAR_DEPTH: i32 = 7;

/// Futility pruning of captures: up to this reduced depth.
const CAPTURE_FUTILITY_DEPTH: i32 = 6;
/// The depths at which a raised alpha lowers the depth.
const RAISED_DEPTHS: std::ops::RangeInclusive<i32> = 3..=12;

/// Maximal depth after extensions: as deep as lines are long, and it fits the TT entry.
const DEEPEST: i32 = 160;
const _: () = assert!(DEEPEST as usize == MAX_PLY && MAX_PLY <= u8::MAX as usize);

/// The node whose moves are being searched.
#[derive(Clone, Copy)]
struct Current<'a> {
    node: SearchNode<'a>,
    /// The window, as far as it has been narrowed.
    window: Window,
    eval: &'a NodeEval,
    context: &'a QuietContext,
}

impl<S: CpuSliders, F: Switches> SearchThread<'_, S, F> {
    /// Searches the moves of a node and stores the result in the transposition table.
    #[inline(always)]
    pub(super) fn search_moves(
        &mut self,
        node: SearchNode<'_>,
        window: Window,
        eval: &NodeEval,
    ) -> Result<i32, SearchStopped> {
        let position = node.position;
        let context = self.quiet_context(node, &eval.keys);
        let [first, second] = self.frames[node.ply].killers;
        let counter = context.earlier[0]
            .filter(|_| self.features().countermoves)
            .and_then(|before| self.memory.histories.countermove(before));
        let tt_move = eval.tt_entry.and_then(|entry| entry.best);
        let mut picker = MovePicker::new(Hints {
            tt_move,
            killers_and_counter: [first, second, counter],
        });
        // Killers are shared by these children; those of another node's would mislead.
        self.frames[node.ply + 1].killers = [None; 2];
        // As in Stockfish, cutoffs are counted over all grandchildren, so that the first moves of a
        // node see some, too.
        self.frames[node.ply + 2].cutoffs = 0;
        let excluded = self.frames[node.ply].excluded;
        let mut now = Current {
            node,
            window,
            eval,
            context: &context,
        };
        let mut progress = MovesSearched::new();
        while let Some(pick) = picker.next(self.sources(position), &context) {
            let m = pick.m;
            progress.generated += 1;
            if excluded == Some(m) {
                continue;
            }
            let candidate = self.candidate(node, pick, &context);
            if self.is_pruned(now, candidate, &progress, &mut picker) {
                continue;
            }
            self.prefetch(node, m);
            let extension = match self.singular_extension(now.node, window, eval, m)? {
                Extension::Plies(plies) => plies,
                Extension::Cut(value) => return Ok(value),
            };
            progress.searched += 1;
            let value = self.search_move(now, candidate, extension, &progress)?;
            progress.best_value = progress.best_value.max(value);
            if value > now.window.alpha {
                now.window.alpha = value;
                progress.best = Some(m);
                if window.is_pv() {
                    self.lines.set(node.ply, m);
                }
                if value >= window.beta {
                    self.frames[node.ply].cutoffs += 1;
                    self.update_histories(now.node, candidate, &progress, &context);
                    break;
                }
                // A better move is unlikely to be among the rest.
                let lowers = self.features().raised_alpha
                    && RAISED_DEPTHS.contains(&now.node.depth)
                    && !is_mate(value);
                now.node.depth -= Depth::from(lowers);
            }
            progress.remember(candidate);
        }
        if excluded.is_some() {
            // The result is not that of the whole position and must not be stored.
            Ok(if progress.searched == 0 {
                window.alpha
            } else {
                progress.best_value
            })
        } else if progress.generated == 0 {
            Ok(if node.is_check {
                self.checkmated(node.ply)
            } else {
                0
            })
        } else {
            Ok(self.finish_node(now.node, window, eval, &progress))
        }
    }

    /// Stores the result of a node whose moves have been searched, and returns its score.
    fn finish_node(
        &mut self,
        node: SearchNode<'_>,
        window: Window,
        eval: &NodeEval,
        progress: &MovesSearched,
    ) -> i32 {
        let &MovesSearched {
            best_value, best, ..
        } = progress;
        let (value, bound) = if best_value >= window.beta {
            let damped = self.damped(best_value, window.beta, node.depth);
            (damped, TtBound::Lower)
        } else if best.is_some() && window.is_pv() {
            // In a null window, a score above alpha reaches beta: only PV nodes have exact ones.
            (best_value, TtBound::Exact)
        } else {
            (best_value, TtBound::Upper)
        };
        if best.is_none() {
            self.reward_prior_move(node);
        }
        let entry = TtEntry {
            best,
            value,
            bound,
            depth: node.depth,
            // The uncorrected eval: the corrections may be others when the entry is read.
            static_eval: eval.raw_eval,
            is_pv: eval.is_tt_pv,
        };
        self.table
            .put_unless_shallow(node.position.key(), node.ply, entry);
        self.update_correction_history(node, &eval.keys, best, value, bound);
        value
    }

    /// A score above beta, drawn towards it: how far above is uncertain.
    #[inline(always)]
    pub(super) fn damped(&self, value: i32, beta: i32, depth: Depth) -> i32 {
        if self.features().fail_high_damping && !is_decided(value) && !is_decided(beta) {
            (value * depth + beta) / (depth + 1)
        } else {
            value
        }
    }

    /// A move with its history score.
    #[inline(always)]
    fn candidate(&self, node: SearchNode<'_>, pick: Pick, context: &QuietContext) -> MoveToSearch {
        let Pick { m, kind, .. } = pick;
        let history = if !pick.is_noisy {
            self.sources(node.position).quiets(context).value(kind, m)
        } else if self.features().capture_history {
            let now = PieceTo::new(context.color, kind, m.to());
            (self.memory.histories).capture(now, victim(node.position, m))
        } else {
            0
        };
        MoveToSearch {
            m,
            kind,
            is_noisy: pick.is_noisy,
            loses: pick.loses,
            history,
        }
    }

    /// Whether to skip a move near the leaves. The first move is never skipped.
    #[inline(always)]
    fn is_pruned(
        &self,
        now: Current<'_>,
        candidate: MoveToSearch,
        progress: &MovesSearched,
        picker: &mut MovePicker,
    ) -> bool {
        let Current {
            node, window, eval, ..
        } = now;
        let depth = node.depth;
        let searched = progress.searched;
        // A mate against us must not rest on a pruned defence.
        if searched == 0 || is_lost(progress.best_value) {
            return false;
        }
        // The depth to which late-move reductions will probably reduce the move.
        let lmr_depth = if self.features().late_reductions {
            let mut parts = reduction(&self.parameters, depth, searched + 1);
            if !candidate.is_noisy && self.features().history_pruning {
                parts -= candidate.history * PLY / self.parameters.history_ply();
            }
            (depth - parts / PLY).clamp(0, depth)
        } else {
            depth
        };
        if candidate.is_noisy {
            // In check there is no static eval; a check can be worth more than what it captures.
            let capture_futility = self.features().capture_futility
                && !self.searches_mate()
                && !node.is_check
                && !is_mate(window.alpha)
                && !picker.gives_check(candidate.kind, candidate.m)
                && lmr_depth <= CAPTURE_FUTILITY_DEPTH
                && candidate.m.promotion().is_none()
                && eval.estimate
                    + self.parameters.capture_futility_base()
                    + self.parameters.capture_futility_step() * lmr_depth
                    + gain(node.position, candidate.m)
                    + candidate.history / 64
                    <= window.alpha;
            return capture_futility
                || self.is_pruned_by_see(
                    node,
                    candidate,
                    depth,
                    self.parameters.noisy_see() * depth,
                );
        }
        let divisor = if self.features().improving && !eval.improving {
            2
        } else {
            1
        };
        let limit = (self.parameters.late_move_base() + depth * depth) / divisor;
        // Before evasions and quiet mates were exempt, late-move pruning lost 211 Elo
        // (docs/log/strength.md).
        let late_move_pruning = self.features().late_pruning
            && !node.is_check
            && depth <= LATE_MOVE_DEPTH
            && searched >= usize::try_from(limit).unwrap_or(0);
        let futility_pruning = self.features().futility
            && !self.searches_mate()
            && !node.is_check
            && !is_mate(window.alpha)
            && lmr_depth <= FUTILITY_DEPTH
            && eval.estimate
                + self.parameters.futility_base()
                + self.parameters.futility_step() * lmr_depth
                <= window.alpha;
        // Both apply to all later quiet moves as well, checks excepted.
        if (late_move_pruning || futility_pruning)
            && !(self.features().check_order && picker.gives_check(candidate.kind, candidate.m))
        {
            picker.skip_quiet();
            return true;
        }
        let history_pruning = self.features().history_pruning
            && depth <= HISTORY_DEPTH
            && candidate.history < -self.parameters.history_step() * depth;
        history_pruning
            || self.is_pruned_by_see(
                node,
                candidate,
                lmr_depth,
                self.parameters.quiet_see() * lmr_depth,
            )
    }

    /// SEE pruning: the move loses more than `loss` centipawns.
    #[inline(always)]
    fn is_pruned_by_see(
        &self,
        node: SearchNode<'_>,
        candidate: MoveToSearch,
        depth: Depth,
        loss: i32,
    ) -> bool {
        self.features().exchange_pruning
            && depth <= SEE_DEPTH
            // The picker has already computed that such a move loses nothing.
            && candidate.loses != Some(false)
            && !node
                .position
                .see_at_least_by(candidate.m, -loss, self.sliders)
    }

    /// The extension of a move, in plies, or a cutoff found on the way: searches the position without
    /// the TT move, to see whether that is singular (Anantharaman, Campbell and Hsu, "Singular
    /// extensions: adding selectivity to brute-force searching").
    #[inline(always)]
    fn singular_extension(
        &mut self,
        node: SearchNode<'_>,
        window: Window,
        eval: &NodeEval,
        m: Move,
    ) -> Result<Extension, SearchStopped> {
        let Some(entry) = eval.tt_entry.filter(|entry| entry.best == Some(m)) else {
            return Ok(Extension::Plies(0));
        };
        let frame = self.frames[node.ply];
        let may_be_singular = self.features().singular_extension
            && node.depth >= SINGULAR_DEPTH
            && frame.excluded.is_none()
            // An upper bound does not say that the move is good, and a shallow entry says little.
            && matches!(entry.bound, TtBound::Lower | TtBound::Exact)
            && entry.depth + 3 >= node.depth
            && !is_mate(entry.value)
            // At twice the depth of the iteration extensions end, else a forced line could grow
            // without end.
            && i32::try_from(node.ply).is_ok_and(|ply| ply < 2 * self.root_depth);
        if !may_be_singular {
            return Ok(Extension::Plies(0));
        }
        let target = entry.value - self.parameters.singular_step() * node.depth / 16;
        let shallow = SearchNode {
            depth: (node.depth - 1) / 2,
            ..node
        };
        self.frames[node.ply].excluded = Some(m);
        let value = self.search(shallow, Window::scout(target - 1));
        // The search at the same ply has overwritten the frame.
        self.frames[node.ply] = frame;
        let value = value?;
        Ok(if value < target {
            let is_far = !window.is_pv() && value < target - self.parameters.double_margin();
            Extension::Plies(if is_far { 2 } else { 1 })
        } else if value >= window.beta && !window.is_pv() && !is_decided(value) {
            // Multi-cut: another move is above beta too.
            Extension::Cut(value)
        } else if entry.value >= window.beta {
            // The TT move is expected to fail high, but is not the only good one (negative
            // extension, as in Stockfish).
            Extension::Plies(-2)
        } else if node.is_cut {
            Extension::Plies(-1)
        } else {
            Extension::Plies(0)
        })
    }

    /// Prefetches the TT slots of the child well before the move is made, since memory latency
    /// exceeds the work in between.
    #[inline(always)]
    pub(super) fn prefetch(&self, node: SearchNode<'_>, m: Move) {
        self.table.prefetch(node.position.key_after(m));
    }

    /// Updates frame and path for the position after a move; `quiet` is the move and its context, if
    /// it is quiet.
    #[inline(always)]
    pub(super) fn enter_move(
        &mut self,
        node: SearchNode<'_>,
        played: PieceTo,
        quiet: Option<(Move, QuietContext)>,
        next: &Position,
    ) {
        let frame = &mut self.frames[node.ply];
        frame.played = Some(played);
        frame.played_quiet = quiet;
        self.path.push(next);
    }

    /// Searches a move (PVS): the first with the full window, the others with a null window, late
    /// ones at reduced depth.
    #[inline(always)]
    fn search_move(
        &mut self,
        now: Current<'_>,
        candidate: MoveToSearch,
        extension: Depth,
        progress: &MovesSearched,
    ) -> Result<i32, SearchStopped> {
        let Current { node, window, .. } = now;
        let MoveToSearch { m, kind, .. } = candidate;
        let next = node.position.play_unchecked(m);
        let played = PieceTo::new(node.position.side_to_move(), kind, m.to());
        let quiet = (!candidate.is_noisy).then_some((m, *now.context));
        self.enter_move(node, played, quiet, &next);
        let child = node.after(&next, self.sliders);
        let keeps_material = || match candidate.loses {
            Some(loses) => !loses,
            None => node.position.see_at_least_by(m, 0, self.sliders),
        };
        // The exchange is evaluated last, and only for checks, since it costs most.
        let checks =
            self.features().check_extension && extension == 0 && child.is_check && keeps_material();
        let depth = (node.depth - 1 + extension + i32::from(checks)).min(DEEPEST);
        let number = progress.searched;
        let value = if number == 1 {
            self.search_first(node, child, depth, window)
        } else {
            let reduced = self.reduced_depth(now, candidate, child.is_check, depth, number);
            self.search_later(node, child, [depth, reduced], progress.best_value, window)
        };
        self.path.pop();
        value
    }

    #[inline(always)]
    pub(super) fn search_first(
        &mut self,
        node: SearchNode<'_>,
        child: SearchNode<'_>,
        depth: Depth,
        window: Window,
    ) -> Result<i32, SearchStopped> {
        // The child's hindsight must not see the reduction of an earlier move.
        self.frames[node.ply].reduction = 0;
        let child = SearchNode {
            depth,
            is_cut: !window.is_pv() && !node.is_cut,
            ..child
        };
        Ok(-self.search(child, window.flipped())?)
    }

    /// Searches a later move with a null window at the reduced depth, the second of the two given,
    /// then at full depth, then with the full window, as long as it exceeds alpha. `best_value` is
    /// that of the moves before.
    #[inline(always)]
    pub(super) fn search_later(
        &mut self,
        node: SearchNode<'_>,
        child: SearchNode<'_>,
        [mut full, reduced]: [i32; 2],
        best_value: i32,
        window: Window,
    ) -> Result<i32, SearchStopped> {
        let scout = Window::scout(window.alpha);
        let mut child = SearchNode {
            depth: reduced,
            // A later move is expected to be refuted.
            is_cut: true,
            ..child
        };
        self.frames[node.ply].reduction = full - reduced;
        let mut value = -self.search(child, scout.flipped())?;
        self.frames[node.ply].reduction = 0;
        if value > window.alpha && reduced < full {
            // A score far above the best deserves more depth, one barely above it less (Stockfish).
            if self.features().deeper_shallower {
                full += i32::from(
                    full < DEEPEST && value > best_value + self.parameters.deeper_margin(),
                ) - i32::from(value < best_value + self.parameters.shallower_margin());
            }
            // A shallower re-search can be as shallow as the search just made.
            if full > reduced {
                child.depth = full;
                child.is_cut = !node.is_cut;
                value = -self.search(child, scout.flipped())?;
            }
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
        now: Current<'_>,
        candidate: MoveToSearch,
        gives_check: bool,
        depth: Depth,
        number: usize,
    ) -> Depth {
        let Current {
            node, window, eval, ..
        } = now;
        if !self.features().late_reductions
            || node.depth < 2
            || number < 2
            || candidate.is_noisy && number < 3
        {
            return depth;
        }
        let mut parts = reduction(&self.parameters, node.depth, number);
        if candidate.is_noisy {
            parts /= 2;
        }
        if window.is_pv() {
            parts -= self.parameters.pv_less();
        } else if self.features().tt_pv && eval.is_tt_pv {
            parts -= self.parameters.tt_pv_less();
        }
        if node.is_cut {
            // A cutoff was expected from one of the first moves.
            parts += self.parameters.cut_more();
        }
        if self.features().improving && !eval.improving {
            parts += self.parameters.not_improving_more();
        }
        if node.is_check || gives_check {
            parts -= self.parameters.check_less();
        }
        if self.frames[node.ply].killers.contains(&Some(candidate.m)) {
            parts -= self.parameters.killer_less();
        }
        if self.features().reduction_signals {
            // If the best known move is a capture, a quiet move is less likely to be better.
            let tt_move = eval.tt_entry.and_then(|entry| entry.best);
            if tt_move.is_some_and(|m| is_noisy(node.position, m)) {
                parts += self.parameters.tt_capture_more();
            }
            // Children that often fail high show that moves here rarely raise alpha.
            if self.frames[node.ply + 1].cutoffs > 2 {
                parts += self.parameters.cutoffs_more();
            }
        }
        if candidate.is_noisy {
            if self.features().capture_reduction {
                parts -= candidate.history * PLY / self.parameters.capture_history_ply();
            }
        } else if self.features().history_pruning {
            parts -= candidate.history * PLY / self.parameters.history_ply();
        }
        // One ply stays, else quiescence would judge the move; `depth` itself may be below 1.
        (depth - (parts / PLY).max(0)).clamp(1.min(depth), depth)
    }
}

/// The outcome of the extension check.
enum Extension {
    /// Number of plies to extend; may be negative.
    Plies(Depth),
    /// Return this score for the node: several moves are good enough.
    Cut(i32),
}
