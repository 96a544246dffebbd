//! The root: passes over the root moves with the full window.

use super::alpha_beta::{ChessBinNode, ChessBinSearch, end_of_game};
use super::order::{Ordered, OrderingHints};
use crate::eval::Evaluation;
use crate::search::iterations::{Iterations, RootSearch, allowed};
use crate::search::stopper::SearchStopped;
use crate::search::value::{Depth, INFINITE, Window};
use crate::search::{PvLine, SearchLimits};
use chess::rules::{Move, Position};

/// The state of a search at the root.
pub(in crate::search) struct ChessBinRoot<'a, E> {
    search: ChessBinSearch<'a, E>,
    position: Position,
    moves: Vec<Move>,
}

impl<'a, E: Evaluation> ChessBinRoot<'a, E> {
    pub(in crate::search) fn new(
        search: ChessBinSearch<'a, E>,
        position: Position,
        limits: &SearchLimits,
    ) -> Self {
        let (all, hints) = (position.legal_moves(), OrderingHints::default());
        let ordered = Ordered::new(all, &position, hints, search.features);
        Self {
            moves: allowed(ordered.collect(), limits),
            search,
            position,
        }
    }
}

impl<E: Evaluation> RootSearch for ChessBinRoot<'_, E> {
    fn moves(&self) -> Vec<Move> {
        self.moves.clone()
    }

    fn begin_iteration(&mut self, _depth: u32) {
        self.search.deepest = 0;
    }

    fn find_line(
        &mut self,
        iterations: &mut Iterations<'_, '_>,
        depth: u32,
        rank: usize,
    ) -> Result<PvLine, SearchStopped> {
        let position = self.position;
        let extension = if self.search.is_end_game(&position) {
            self.search.features.end_game_extension.cast_signed()
        } else {
            0
        };
        let node = ChessBinNode {
            position: &position,
            depth: Depth::try_from(depth).expect("depths are small") + extension,
            ply: 0,
        };
        let mut alpha = -INFINITE;
        let mut best = None;
        for index in rank..self.moves.len() {
            let m = self.moves[index];
            let stopper = &self.search.stopper;
            iterations.begin_move(stopper, depth, m, index + 1);
            let window = Window::new(alpha, INFINITE);
            let value = self.search.search_move(node, m, window, index == rank)?;
            if value > alpha {
                alpha = value;
                self.search.lines.set(0, m);
                self.moves[rank..=index].rotate_right(1);
                let line = self.line(depth, value);
                if rank == 0 {
                    iterations.improve(&line, index + 1);
                }
                best = Some(line);
            }
        }
        let best = best.expect("the first move is better than nothing");
        Ok(PvLine {
            pv: best.pv,
            ..self.line(depth, best.value)
        })
    }

    fn sort_moves(&mut self, count: usize, rank: impl Fn(Move) -> usize) {
        self.moves[..count].sort_by_key(|&m| rank(m));
    }

    fn line(&self, depth: u32, value: i32) -> PvLine {
        PvLine {
            depth,
            seldepth: u32::try_from(self.search.deepest).expect("plies are few"),
            multipv: 1,
            value,
            bound: None,
            nodes: self.search.stopper.nodes(),
            elapsed: self.search.stopper.elapsed(),
            hashfull: self.search.table.permill_full(),
            table_hits: 0,
            pv: self.search.lines.get(0).to_vec(),
        }
    }

    fn static_score(&mut self) -> i32 {
        if self.moves.is_empty() {
            end_of_game(ChessBinNode {
                position: &self.position,
                depth: 0,
                ply: 0,
            })
        } else {
            self.search.evaluation.evaluate(&self.position)
        }
    }

    fn ends_iterations(&mut self, _value: i32, is_settled: bool) -> bool {
        self.search.stopper.ends_iterations_at(100, is_settled)
    }
}
