//! Alpha-beta in negamax form: scores are relative to the side to move.
//!
//! Fail-soft: a score within the window is exact, above it a lower bound, below it an upper bound.

use chess::rules::{Move, Position};

use super::features::ChessBinFeatures;
use super::order::{Killers, Ordered, OrderingHints, is_noisy};
use super::path::PositionPath;
use crate::eval::Evaluation;
use crate::search::MAX_PLY;
use crate::search::report::PvTable;
use crate::search::stopper::{SearchStopped, Stopper};
use crate::search::table::{TranspositionTable, TtBound, TtEntry};
use crate::search::value::{Depth, INFINITE, Window, mated_in};

/// The state of a running search.
pub(in crate::search) struct ChessBinSearch<'a, E> {
    pub(super) evaluation: &'a E,
    pub(super) features: ChessBinFeatures,
    pub(super) table: &'a TranspositionTable,
    pub(super) stopper: Stopper<'a>,
    pub(super) path: PositionPath,
    pub(super) lines: PvTable,
    pub(super) killers: Killers,
    /// The maximal ply reached in this iteration.
    pub(super) deepest: usize,
    /// Number of draws so far that depend on the path, by repetition or the fifty-move rule, and
    /// not on the position alone.
    path_draws: u64,
}

/// A node: the position, the remaining depth, and the distance from the root.
#[derive(Clone, Copy)]
pub(super) struct ChessBinNode<'p> {
    pub(super) position: &'p Position,
    pub(super) depth: Depth,
    pub(super) ply: usize,
}

/// Number of plies without a capture that quiescence can add, by check evasions that themselves
/// give check, and that an extension adds, with room to spare.
const FIFTY_MARGIN: u32 = 16;

/// Plies without capture or pawn move after which a draw may be claimed (FIDE 9.3).
const FIFTY_MOVES: u32 = 100;

impl<'a, E: Evaluation> ChessBinSearch<'a, E> {
    pub(in crate::search) fn new(
        evaluation: &'a E,
        features: ChessBinFeatures,
        table: &'a TranspositionTable,
        stopper: Stopper<'a>,
        path: PositionPath,
    ) -> Self {
        Self {
            evaluation,
            features,
            table,
            stopper,
            path,
            lines: PvTable::new(),
            killers: Killers::new(),
            deepest: 0,
            path_draws: 0,
        }
    }

    /// The score of a move within the window. The first move of a node is searched with the full
    /// window, the others first with a null window.
    pub(super) fn search_move(
        &mut self,
        node: ChessBinNode<'_>,
        m: Move,
        window: Window,
        is_first: bool,
    ) -> Result<i32, SearchStopped> {
        let next = node.position.play_unchecked(m);
        let child = ChessBinNode {
            position: &next,
            depth: node.depth - 1 + self.extension(node.position, &next),
            ply: node.ply + 1,
        };
        self.path.push(next);
        let scouts = self.features.scout && !is_first && window.is_pv();
        let mut value = 0;
        if scouts {
            value = -self.search(child, Window::scout(window.alpha).flipped())?;
        }
        if !scouts || value > window.alpha && value < window.beta {
            value = -self.search(child, window.flipped())?;
        }
        self.path.pop();
        Ok(value)
    }

    /// The extension, in plies, of a move that enters the end game.
    fn extension(&self, before: &Position, after: &Position) -> Depth {
        if !self.is_end_game(before) && self.is_end_game(after) {
            self.features.end_game_extension.cast_signed()
        } else {
            0
        }
    }

    pub(super) fn is_end_game(&self, position: &Position) -> bool {
        position.occupied().count() < self.features.end_game_pieces
    }

    /// Searches a node below the root within the window.
    fn search(&mut self, node: ChessBinNode<'_>, window: Window) -> Result<i32, SearchStopped> {
        let position = node.position;
        self.enter(node.ply)?;
        if let Some(value) = self.draw_score(node) {
            return Ok(value);
        }
        if node.depth == 0 {
            return if self.features.quiescence {
                self.quiesce(node, window)
            } else if position.legal_move_count() == 0 {
                Ok(end_of_game(node))
            } else {
                Ok(self.evaluation.evaluate(position))
            };
        }
        let tt_entry = if self.features.table {
            self.table.get(position.key(), node.ply)
        } else {
            None
        };
        // A TT score decides the node only if it equals the node's own: searched to the same depth,
        // and out of reach of draws that depend on the path. (A position of this line that recurs
        // twice below the node is not detected here; that takes at least four plies.)
        let reach =
            (node.depth.unsigned_abs() + FIFTY_MARGIN).saturating_add(position.halfmove_clock());
        if let Some(value) = tt_entry
            .filter(|entry| entry.depth == node.depth)
            .filter(|_| reach < FIFTY_MOVES && !self.path.is_repeated())
            .and_then(|entry| entry.cut_off(window.alpha, window.beta))
        {
            return Ok(value);
        }
        let Window {
            mut alpha,
            mut beta,
        } = window;
        if self.features.mate_distance {
            // No score lies outside being mated now and mating with the next move.
            alpha = alpha.max(mated_in(node.ply));
            beta = beta.min(-mated_in(node.ply + 1));
            if alpha >= beta {
                return Ok(alpha);
            }
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Ok(end_of_game(node));
        }
        let hints = OrderingHints {
            tt_move: tt_entry.and_then(|entry| entry.best),
            killers: if self.features.killers {
                self.killers.at(node.ply)
            } else {
                [None; 2]
            },
        };
        let draws_before = self.path_draws;
        let lower = alpha;
        let (mut best_value, mut best) = (-INFINITE, None);
        let ordered = Ordered::new(moves, position, hints, self.features);
        for (number, m) in ordered.enumerate() {
            let value = self.search_move(node, m, Window::new(alpha, beta), number == 0)?;
            best_value = best_value.max(value);
            if value > alpha {
                alpha = value;
                best = Some(m);
                self.lines.set(node.ply, m);
            }
            if value >= beta {
                if self.features.killers && !is_noisy(position, m) {
                    self.killers.add(node.ply, m);
                }
                break;
            }
        }
        if self.features.table {
            let bound = if self.path_draws != draws_before {
                // The score depends on the path: only the move can be used elsewhere.
                TtBound::None
            } else if best_value >= beta {
                TtBound::Lower
            } else if best_value > lower {
                TtBound::Exact
            } else {
                TtBound::Upper
            };
            let entry = TtEntry {
                best,
                value: best_value,
                bound,
                depth: node.depth,
                static_eval: None,
                is_pv: false,
            };
            self.table.put(position.key(), node.ply, entry);
        }
        Ok(best_value)
    }

    /// Counts the node and initialises its ply.
    pub(super) fn enter(&mut self, ply: usize) -> Result<(), SearchStopped> {
        self.stopper.count_node()?;
        self.deepest = self.deepest.max(ply);
        self.lines.clear(ply);
        Ok(())
    }

    /// The score of a node that needs no search: a draw, or the maximal ply.
    pub(super) fn draw_score(&mut self, node: ChessBinNode<'_>) -> Option<i32> {
        if node.position.is_insufficient_material() {
            return Some(0);
        }
        if self.path.repetitions() >= 3 || is_fifty_moves(node.position) {
            self.path_draws += 1;
            return Some(0);
        }
        (node.ply >= MAX_PLY).then(|| self.evaluation.evaluate(node.position))
    }
}

/// The score of a node without legal moves: mate or stalemate.
pub(super) fn end_of_game(node: ChessBinNode<'_>) -> i32 {
    if node.position.is_check() {
        mated_in(node.ply)
    } else {
        0
    }
}

/// Whether the position is drawn by the fifty-move rule; checkmate on the last move takes
/// precedence.
fn is_fifty_moves(position: &Position) -> bool {
    position.halfmove_clock() >= FIFTY_MOVES
        && !(position.is_check() && position.legal_move_count() == 0)
}

impl<E: Evaluation> ChessBinSearch<'_, E> {
    /// The score of a leaf. In check every evasion is searched; otherwise the side to move may
    /// stand pat, or try captures and queen promotions. The node has been counted, and is not drawn
    /// by repetition, the fifty-move rule or material.
    pub(super) fn quiesce(
        &mut self,
        node: ChessBinNode<'_>,
        window: Window,
    ) -> Result<i32, SearchStopped> {
        let Window { mut alpha, beta } = window;
        let moves = node.position.legal_moves();
        if moves.is_empty() {
            return Ok(end_of_game(node));
        }
        let is_check = node.position.is_check();
        let mut best = -INFINITE;
        if !is_check {
            best = self.evaluation.evaluate(node.position);
            if best >= beta {
                return Ok(best);
            }
            alpha = alpha.max(best);
        }
        let tried = moves
            .into_iter()
            .filter(|&m| is_check || is_noisy(node.position, m));
        for m in Ordered::new(
            tried,
            node.position,
            OrderingHints::default(),
            self.features,
        ) {
            let next = node.position.play_unchecked(m);
            let child = ChessBinNode {
                position: &next,
                depth: 0,
                ply: node.ply + 1,
            };
            self.path.push(next);
            self.enter(child.ply)?;
            let value = match self.draw_score(child) {
                Some(value) => -value,
                None => -self.quiesce(child, Window::new(alpha, beta).flipped())?,
            };
            self.path.pop();
            best = best.max(value);
            if value > alpha {
                alpha = value;
                self.lines.set(node.ply, m);
            }
            if value >= beta {
                break;
            }
        }
        Ok(best)
    }
}
