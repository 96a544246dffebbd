//! The root: iterative deepening with `MultiPV`, until a limit is reached.

use super::alpha_beta::{Node, Search, Window, end_of_game};
use super::order::{Hints, Ordered};
use crate::eval::Evaluation;
use crate::search::iterations::Iterations;
use crate::search::stopper::Stopped;
use crate::search::value::INFINITE;
use crate::search::{Found, Limits, Line, Report};
use chess::rules::{Move, Position};

/// The state of a search at the root.
pub(in crate::search) struct Root<'a, 'r, E> {
    pub(super) search: Search<'a, E>,
    position: Position,
    /// The root moves; those of the PVs come first, best first.
    moves: Vec<Move>,
    iterations: Iterations<'a, 'r>,
}

impl<'a, 'r, E: Evaluation> Root<'a, 'r, E> {
    pub(in crate::search) fn new(
        search: Search<'a, E>,
        position: Position,
        limits: &'a Limits,
        report: &'r mut dyn FnMut(&Report),
    ) -> Self {
        let moves = root_moves(&search, &position, limits);
        Self {
            search,
            position,
            moves,
            iterations: Iterations::new(limits, report),
        }
    }

    /// Searches until a limit is reached.
    pub(in crate::search) fn run(mut self) -> Found {
        if !self.moves.is_empty() {
            let unsearched = self.line(0, self.value_unsearched());
            self.iterations
                .begin(self.moves.iter().copied(), &unsearched);
            for depth in 1..=self.iterations.last() {
                if self.iterate(depth).is_err() || self.is_enough(depth) {
                    break;
                }
            }
            let now = self.line(0, 0);
            self.iterations.finish(&now);
        }
        self.found()
    }

    /// Runs one iteration to its end and reports its PVs.
    fn iterate(&mut self, depth: u32) -> Result<(), Stopped> {
        self.search.deepest = 0;
        self.iterations.begin_iteration();
        let count = self.iterations.count(self.moves.len());
        for rank in 0..count {
            let line = self.find_line(depth, rank)?;
            self.iterations.finish_pass(&line);
        }
        // A later PV may have scored better.
        let iterations = &self.iterations;
        self.moves[..count].sort_by_key(|&m| iterations.rank(m));
        Ok(())
    }

    /// Finds the best PV among the moves from `rank` on, and puts its move in that place.
    fn find_line(&mut self, depth: u32, rank: usize) -> Result<Line, Stopped> {
        let position = self.position;
        let extension = if self.search.is_end_game(&position) {
            self.search.features.end_game_extension
        } else {
            0
        };
        let node = Node {
            position: &position,
            depth: depth + extension,
            ply: 0,
        };
        let mut alpha = -INFINITE;
        let mut best = None;
        for index in rank..self.moves.len() {
            let m = self.moves[index];
            let stopper = &self.search.stopper;
            self.iterations.begin_move(stopper, depth, m, index + 1);
            let window = Window::new(alpha, INFINITE);
            let value = self.search.search_move(node, m, window, index == rank)?;
            if value > alpha {
                alpha = value;
                self.search.lines.set(0, m);
                self.moves[rank..=index].rotate_right(1);
                let line = self.line(depth, value);
                if rank == 0 {
                    self.iterations.improve(&line, index + 1);
                }
                best = Some(line);
            }
        }
        let best = best.expect("the first move is better than nothing");
        Ok(Line {
            pv: best.pv,
            ..self.line(depth, best.value)
        })
    }

    fn line(&self, depth: u32, value: i32) -> Line {
        Line {
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

    /// Whether iterative deepening should stop.
    fn is_enough(&mut self, depth: u32) -> bool {
        let is_settled = self.iterations.is_settled(depth, self.moves.len());
        let ends = self.search.stopper.ends_iterations_at(100, is_settled);
        ends || self.iterations.is_proved()
    }

    /// The score of the position before any move has been searched.
    fn value_unsearched(&self) -> i32 {
        if self.moves.is_empty() {
            end_of_game(Node {
                position: &self.position,
                depth: 0,
                ply: 0,
            })
        } else {
            self.search.evaluation.evaluate(&self.position)
        }
    }

    fn found(self) -> Found {
        let nodes = self.search.stopper.nodes();
        match self.iterations.best() {
            None => Found {
                best: None,
                ponder: None,
                value: self.value_unsearched(),
                depth: 0,
                nodes,
            },
            Some(line) => Found {
                best: Some(line.pv[0]),
                ponder: line.pv.get(1).copied(),
                value: line.value,
                depth: line.depth,
                nodes,
            },
        }
    }
}

/// The root moves allowed by the limits, in initial order.
fn root_moves<E: Evaluation>(
    search: &Search<'_, E>,
    position: &Position,
    limits: &Limits,
) -> Vec<Move> {
    let ordered = Ordered::new(
        position.legal_moves(),
        position,
        Hints::default(),
        search.features,
    );
    let all: Vec<Move> = ordered.collect();
    let wanted: Vec<Move> = all
        .iter()
        .copied()
        .filter(|m| limits.searchmoves.contains(m))
        .collect();
    if wanted.is_empty() { all } else { wanted }
}
