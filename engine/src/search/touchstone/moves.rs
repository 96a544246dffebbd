//! The move loop of a node.

use super::history::PieceTo;
use super::learning::{Candidate, Progress};
use super::node::Facts;
use super::picker::{Hints, Pick, Picker};
use super::reductions::{PLY, reduction};
use super::worker::{Node, Window, Worker};
use crate::eval::Evaluation;
use crate::search::MAX_PLY;
use crate::search::stopper::Stopped;
use crate::search::table::{Bound, Entry};
use crate::search::value::{is_lost, is_mate, mated_in};
use chess::rules::cpu::Chosen;
use chess::rules::{Move, Position};

/// Late-move pruning: up to this depth, after a base number of moves plus `depth²`, halved if not
/// improving.
const LATE_DEPTH: i32 = 8;
const LATE_BASE: i32 = 5;
/// Futility pruning: up to this depth, if the static eval plus a base and a margin per ply is below
/// alpha.
const FUTILITY_DEPTH: i32 = 8;
const FUTILITY_BASE: i32 = 70;
const FUTILITY_STEP: i32 = 62;
/// History pruning: up to this depth, below this history score per ply.
const HISTORY_DEPTH: i32 = 4;
const HISTORY_STEP: i32 = 5500;
/// SEE pruning: up to this depth; the allowed loss per ply of a quiet and of a noisy move.
const EXCHANGE_DEPTH: i32 = 9;
const QUIET_LOSS: i32 = 60;
const LOUD_LOSS: i32 = 95;
/// Singular extension: from this depth; the margin per ply, in sixteenths of a centipawn.
const SINGULAR_DEPTH: i32 = 8;
const SINGULAR_STEP: i32 = 10;
/// History score that reduces a move one ply less.
const HISTORY_PLY: i32 = 5900;
/// Adjustments of the reduction, in fractions of a ply: less in PV nodes, more in expected cut
/// nodes and if not improving.
const OPEN_LESS: i32 = 850;
const CUT_MORE: i32 = 1200;
const FALLING_MORE: i32 = 480;

/// Maximal depth after extensions: as deep as lines are long, and it fits the TT entry.
const DEEPEST: i32 = 160;
const _: () = assert!(DEEPEST as usize == MAX_PLY && MAX_PLY <= u8::MAX as usize);

impl<E: Evaluation, S: Chosen> Worker<'_, E, S> {
    /// Searches the moves of a node and stores the result in the transposition table.
    #[inline(always)]
    pub(super) fn search_moves(
        &mut self,
        node: Node<'_>,
        window: Window,
        facts: &Facts,
    ) -> Result<i32, Stopped> {
        let position = node.position;
        let mut picker = Picker::new(self.hints(node, facts));
        picker.take(position, self.sliders);
        if picker.is_empty() {
            return Ok(if facts.is_check {
                mated_in(node.ply)
            } else {
                0
            });
        }
        if let Some(frame) = self.frames.get_mut(node.ply + 1) {
            frame.killers = [None; 2];
        }
        let mut progress = Progress::new();
        let mut alpha = window.alpha;
        while let Some(pick) = picker.next(self.sources(position)) {
            let m = pick.m;
            if self.frames[node.ply].excluded == Some(m) {
                continue;
            }
            self.prefetch(node, m);
            let candidate = self.candidate(node, pick);
            let now = Window::new(alpha, window.beta);
            if self.is_pruned(node, now, facts, candidate, &progress, &mut picker) {
                continue;
            }
            let extension = match self.extension(node, window, facts, m)? {
                Extension::Plies(plies) => plies,
                Extension::Cut(value) => return Ok(value),
            };
            progress.searched += 1;
            let value =
                self.search_move(node, now, facts, candidate, extension, progress.searched)?;
            progress.best_value = progress.best_value.max(value);
            if value > alpha {
                alpha = value;
                progress.best = Some(m);
                if window.is_open() {
                    self.lines.set(node.ply, m);
                }
            }
            if value >= window.beta {
                self.learn_refutation(node, candidate, &progress);
                break;
            }
            progress.remember(candidate);
        }
        Ok(self.conclude(node, window, facts, &progress))
    }

    #[inline(always)]
    fn hints(&self, node: Node<'_>, facts: &Facts) -> Hints {
        let earlier = self.earlier(node.ply);
        let [first, second] = self.frames[node.ply].killers;
        let counter = earlier[0]
            .filter(|_| self.features.countermoves)
            .and_then(|before| self.memory.histories.counter(before));
        Hints {
            table: facts.kept.and_then(|entry| entry.best),
            refutations: [first, second, counter],
            earlier,
        }
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
            pick.quiet_value.unwrap_or_else(value)
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
        facts: &Facts,
        candidate: Candidate,
        progress: &Progress,
        picker: &mut Picker,
    ) -> bool {
        if progress.searched == 0 || is_lost(progress.best_value) {
            return false;
        }
        if candidate.is_noisy {
            return self.loses_much(node, candidate.m, node.depth, LOUD_LOSS * node.depth);
        }
        let number = progress.searched;
        let reduced = self.depth_of_late(node.depth, number + 1);
        let is_check = self.features.check_order && picker.gives_check(candidate.kind, candidate.m);
        let ends_quiet =
            self.is_late(node.depth, facts, number) || self.is_hopeless(reduced, window, facts);
        if ends_quiet && !is_check {
            picker.skip_quiet();
            return true;
        }
        self.was_bad(node.depth, candidate)
            || self.loses_much(node, candidate.m, reduced, QUIET_LOSS * reduced)
    }

    /// The depth to which a quiet move will probably be reduced.
    #[inline(always)]
    fn depth_of_late(&self, depth: i32, number: usize) -> i32 {
        if self.features.late_reductions {
            (depth - reduction(depth, number) / PLY).max(0)
        } else {
            depth
        }
    }

    /// Late-move pruning: enough moves have been searched.
    #[inline(always)]
    fn is_late(&self, depth: i32, facts: &Facts, searched: usize) -> bool {
        let halves = self.features.improving && !facts.improving;
        let limit = (LATE_BASE + depth * depth) / if halves { 2 } else { 1 };
        self.features.late_pruning
            && !facts.is_check
            && depth <= LATE_DEPTH
            && searched >= usize::try_from(limit).unwrap_or(0)
    }

    /// Futility pruning: no quiet move is likely to raise the score to alpha.
    #[inline(always)]
    fn is_hopeless(&self, reduced: i32, window: Window, facts: &Facts) -> bool {
        self.features.futility
            && !facts.is_check
            && !is_mate(window.alpha)
            && reduced <= FUTILITY_DEPTH
            && facts.expected + FUTILITY_BASE + FUTILITY_STEP * reduced <= window.alpha
    }

    /// History pruning.
    #[inline(always)]
    fn was_bad(&self, depth: i32, candidate: Candidate) -> bool {
        self.features.history_pruning
            && depth <= HISTORY_DEPTH
            && candidate.history < -HISTORY_STEP * depth
    }

    /// SEE pruning: the move loses more than `loss` centipawns.
    #[inline(always)]
    fn loses_much(&self, node: Node<'_>, m: Move, depth: i32, loss: i32) -> bool {
        self.features.exchange_pruning
            && depth <= EXCHANGE_DEPTH
            && !node.position.see_at_least_by(m, -loss, self.sliders)
    }

    /// The extension of a move, in plies, or a cutoff found on the way.
    #[inline(always)]
    fn extension(
        &mut self,
        node: Node<'_>,
        window: Window,
        facts: &Facts,
        m: Move,
    ) -> Result<Extension, Stopped> {
        let Some(entry) = facts.kept.filter(|entry| entry.best == Some(m)) else {
            return Ok(Extension::Plies(0));
        };
        let may_be_singular = self.features.singular_extension
            && node.depth >= SINGULAR_DEPTH
            && self.frames[node.ply].excluded.is_none()
            && matches!(entry.bound, Bound::Lower | Bound::Exact)
            && i64::from(entry.depth) + 3 >= i64::from(node.depth)
            && !is_mate(entry.value)
            && i32::try_from(node.ply).is_ok_and(|ply| ply < 2 * self.root_depth);
        if !may_be_singular {
            return Ok(Extension::Plies(0));
        }
        self.singular_extension(node, window, entry, m)
    }

    /// Searches the position without the TT move, to see whether that is singular (Anantharaman,
    /// Campbell and Hsu, "Singular extensions: adding selectivity to brute-force searching").
    fn singular_extension(
        &mut self,
        node: Node<'_>,
        window: Window,
        entry: Entry,
        m: Move,
    ) -> Result<Extension, Stopped> {
        let target = entry.value - SINGULAR_STEP * node.depth / 16;
        let shallow = Node {
            depth: (node.depth - 1) / 2,
            ..node
        };
        let frame = self.frames[node.ply];
        self.frames[node.ply].excluded = Some(m);
        let value = self.search(shallow, Window::scout(target - 1));
        self.frames[node.ply] = frame;
        let value = value?;
        Ok(if value < target {
            let is_far = !window.is_open() && value < target - 20;
            Extension::Plies(if is_far { 2 } else { 1 })
        } else if target >= window.beta && !window.is_open() {
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
        facts: &Facts,
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
            let reduced = self.reduced_depth(node, window, facts, candidate, depth, number);
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
            expects_cut: !window.is_open() && !node.expects_cut,
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
            expects_cut: true,
            ..child
        };
        let mut value = -self.search(child, scout.flipped())?;
        if value > window.alpha && reduced < full {
            child.depth = full;
            child.expects_cut = !node.expects_cut;
            value = -self.search(child, scout.flipped())?;
        }
        if value > window.alpha && window.is_open() {
            child.depth = full;
            child.expects_cut = false;
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
        facts: &Facts,
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
        let mut parts = reduction(node.depth, number);
        if candidate.is_noisy {
            parts /= 2;
        }
        if window.is_open() {
            parts -= OPEN_LESS;
        }
        if node.expects_cut {
            parts += CUT_MORE;
        }
        if self.features.improving && !facts.improving {
            parts += FALLING_MORE;
        }
        if facts.is_check {
            parts -= PLY;
        }
        if self.frames[node.ply].killers.contains(&Some(candidate.m)) {
            parts -= PLY;
        }
        if self.features.history_pruning {
            parts -= candidate.history * PLY / HISTORY_PLY;
        }
        (depth - (parts / PLY).max(0)).clamp(1.min(depth), depth)
    }

    /// Stores the result of a node and returns its score.
    fn conclude(
        &mut self,
        node: Node<'_>,
        window: Window,
        facts: &Facts,
        progress: &Progress,
    ) -> i32 {
        let &Progress {
            best_value,
            best,
            searched,
            ..
        } = progress;
        if self.frames[node.ply].excluded.is_some() {
            return if searched == 0 {
                window.alpha
            } else {
                best_value
            };
        }
        let bound = if best_value >= window.beta {
            Bound::Lower
        } else if best.is_some() && window.is_open() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            best,
            value: best_value,
            bound,
            depth: u32::try_from(node.depth).expect("a node with moves has depth"),
            static_value: facts.raw_value,
        };
        self.table.put(node.position.key(), node.ply, entry);
        self.learn_correction(node, best, best_value, bound);
        best_value
    }
}

/// The outcome of the extension check.
enum Extension {
    /// Number of plies to extend; may be negative.
    Plies(i32),
    /// Return this score for the node: several moves are good enough.
    Cut(i32),
}
