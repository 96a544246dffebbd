//! Quiescence search: resolves captures before a leaf is evaluated.

use super::features::Switches;
use super::history::PieceTo;
use super::node::NodeEval;
use super::picker::{CheckSquares, ScoredMove, ScoredMoves, gain, is_noisy, is_noisy_by, select};
use super::worker::{SearchNode, SearchThread};
use crate::search::stopper::SearchStopped;
use crate::search::table::{TtBound, TtEntry};
use crate::search::value::{INFINITE, Window, is_decided};
use chess::rules::attacks::Sliders;
use chess::rules::cpu::{CpuSliders, Multiversioned};
use chess::rules::{Move, Position};

/// The state of a node of quiescence whose moves are being searched.
struct QuiescenceState {
    /// As far as it has been narrowed.
    window: Window,
    best_value: i32,
    /// The best of the moves that raised alpha.
    best: Option<Move>,
}

impl<S: CpuSliders, F: Switches> SearchThread<'_, S, F> {
    /// The score of a leaf; counts the node. In check every evasion is searched; otherwise the side
    /// to move may stand pat, or try captures and queen promotions. In a search for mate, nodes of
    /// depth 0, those before which no move of quiescence was made, try quiet checks too.
    pub(super) fn quiesce(
        &mut self,
        node: SearchNode<'_>,
        window: Window,
    ) -> Result<i32, SearchStopped> {
        self.sliders.enter(Quiesce(self, node, window))
    }

    #[inline(always)]
    fn quiesce_node(&mut self, node: SearchNode<'_>, window: Window) -> Result<i32, SearchStopped> {
        self.enter(node.ply)?;
        if let Some(value) = self.draw_score(node) {
            return Ok(value);
        }
        let window = Window::new(self.raised_by_repetition(node, window.alpha), window.beta);
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }
        let tt_entry = self.table.get(node.position.key(), node.ply);
        if let Some(value) = tt_entry.and_then(|entry| self.tt_cutoff(node, entry, window)) {
            return Ok(value);
        }
        self.quiesce_moves(node, window, tt_entry)
    }

    /// The same for a node that has already been counted and probed.
    pub(super) fn quiesce_again(
        &mut self,
        node: SearchNode<'_>,
        window: Window,
    ) -> Result<i32, SearchStopped> {
        let tt_entry = self.table.get(node.position.key(), node.ply);
        self.quiesce_moves(SearchNode { depth: 0, ..node }, window, tt_entry)
    }

    #[inline(always)]
    fn quiesce_moves(
        &mut self,
        node: SearchNode<'_>,
        window: Window,
        tt_entry: Option<TtEntry>,
    ) -> Result<i32, SearchStopped> {
        let eval = self.evaluate_node(node, window, tt_entry);
        let mut standing = QuiescenceState {
            window,
            best_value: -INFINITE,
            best: None,
        };
        if !node.is_check {
            standing.best_value = eval.estimate;
            if eval.estimate >= window.beta {
                return Ok(self.damped(eval.estimate, window.beta, 1));
            }
            standing.window.alpha = window.alpha.max(eval.estimate);
        }
        let mut moves = ScoredMoves::new();
        let tt_move = eval.tt_entry.and_then(|entry| entry.best);
        if node.is_check {
            self.score_evasions(node, &eval, tt_move, &mut moves);
            if moves.is_empty() {
                return Ok(self.checkmated(node.ply));
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
        let (mut next, mut searched) = (0, 0);
        while let Some(scored) = select(&mut moves, next) {
            let m = scored.m;
            next += 1;
            let is_late = self.features().exchange_quiescence
                && !node.is_check
                && searched >= QUIESCENCE_MOVES
                && Some(m.to()) != target
                && m.promotion().is_none();
            // While every move loses, none is skipped: it may be the one that saves the game.
            if !is_decided(standing.best_value)
                && (is_late || self.is_futile(node, &eval, m, &mut standing))
            {
                continue;
            }
            searched += 1;
            if self.quiesce_move(node, scored, &mut standing)? {
                break;
            }
        }
        let tries_checks = self.searches_mate() && node.depth == 0 && !node.is_check;
        if tries_checks && standing.best_value < window.beta {
            for scored in self.quiet_checks(node.position) {
                if self.quiesce_move(node, scored, &mut standing)? {
                    break;
                }
            }
        }
        let QuiescenceState {
            mut best_value,
            best,
            ..
        } = standing;
        // Quiescence leaves moves out, so its scores are never exact.
        let bound = if best_value >= window.beta {
            best_value = self.damped(best_value, window.beta, 1);
            TtBound::Lower
        } else {
            TtBound::Upper
        };
        // Entries of deeper searches are worth more and are not overwritten.
        if tt_entry.is_none_or(|entry| entry.depth == 0) {
            let entry = TtEntry {
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

    /// Searches a move of quiescence. Returns whether it causes a cutoff.
    #[inline(always)]
    fn quiesce_move(
        &mut self,
        node: SearchNode<'_>,
        scored: ScoredMove,
        standing: &mut QuiescenceState,
    ) -> Result<bool, SearchStopped> {
        let m = scored.m;
        self.prefetch(node, m);
        let after = node.position.play_unchecked(m);
        self.enter_move(node, scored.played(node.position), None, &after);
        let child = SearchNode {
            // Quiet checks are for nodes of depth 0 only.
            depth: -1,
            ..node.after(&after, self.sliders)
        };
        let value = self.quiesce(child, standing.window.flipped());
        self.path.pop();
        let value = -value?;
        standing.best_value = standing.best_value.max(value);
        if value > standing.window.alpha {
            if standing.window.is_pv() {
                self.lines.set(node.ply, m);
            }
            standing.window.alpha = value;
            standing.best = Some(m);
        }
        Ok(value >= standing.window.beta)
    }

    /// The quiet moves that give direct check and lose no material.
    fn quiet_checks(&self, position: &Position) -> ScoredMoves {
        let checks = CheckSquares::new(position, self.sliders);
        let mut moves = ScoredMoves::new();
        position.each_legal_move(self.sliders, |kind, m| {
            if checks.contain(kind, m)
                && !is_noisy_by(position, kind, m)
                && position.see_at_least_by(m, 0, self.sliders)
            {
                moves.push(ScoredMove { value: 0, m, kind });
            }
        });
        moves
    }

    /// Generates and scores check evasions.
    #[inline(always)]
    fn score_evasions(
        &self,
        node: SearchNode<'_>,
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
        node: SearchNode<'_>,
        eval: &NodeEval,
        m: Move,
        standing: &mut QuiescenceState,
    ) -> bool {
        if !self.features().exchange_quiescence {
            return false;
        }
        if node.is_check {
            // An evasion that avoids mate was found, so quiet ones can be skipped.
            return !is_noisy(node.position, m);
        }
        let most = eval.estimate + gain(node.position, m) + self.parameters.delta();
        if most <= standing.window.alpha {
            // Fail-soft: the capture might have gained as much.
            standing.best_value = standing.best_value.max(most);
            return true;
        }
        !node.position.see_at_least_by(m, 0, self.sliders)
    }
}

/// The arguments of a call to the quiescence search.
struct Quiesce<'w, 'a, 'p, S, F>(&'w mut SearchThread<'a, S, F>, SearchNode<'p>, Window);

impl<C: CpuSliders, F: Switches> Multiversioned for Quiesce<'_, '_, '_, C, F> {
    type Output = Result<i32, SearchStopped>;

    #[inline(always)]
    fn run<S: Sliders>(self, _: S) -> Result<i32, SearchStopped> {
        let Self(worker, node, window) = self;
        worker.quiesce_node(node, window)
    }
}

/// Number of moves after which only recaptures and promotions are searched.
const QUIESCENCE_MOVES: usize = 2;

/// Above any history score of a quiet move.
const NOISY_FIRST: i32 = 1 << 20;
