//! The root: one ply more in each iteration, as many lines as are wanted, until a limit is met.

use std::time::Duration;

use super::alpha_beta::{Node, Search, Window, end_of_game};
use super::order::{Hints, Ordered};
use crate::eval::Evaluation;
use crate::rules::{Move, Position};
use crate::search::stopper::Stopped;
use crate::search::value::{INFINITE, MATE, is_mate};
use crate::search::{Found, Limits, Line, MAX_DEPTH, Report};

/// Before this nobody is told which root move is being searched.
const TELLS_MOVES_AFTER: Duration = Duration::from_secs(3);

/// The root of a search.
pub(in crate::search) struct Root<'a, 'r, E> {
    pub(super) search: Search<'a, E>,
    position: Position,
    /// The moves to be searched; in front those of the best lines, best first.
    moves: Vec<Move>,
    limits: &'a Limits,
    report: &'r mut dyn FnMut(&Report),
    /// The best line so far, of an unfinished iteration perhaps.
    best: Option<Line>,
    /// Of the best line that was told last, the move and the answer to it.
    told: [Option<Move>; 2],
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
            limits,
            report,
            best: None,
            told: [None; 2],
        }
    }

    /// Searches until a limit is met.
    pub(in crate::search) fn run(mut self) -> Found {
        if !self.moves.is_empty() {
            for depth in 1..=self.last_depth() {
                if self.iterate(depth).is_err() || self.is_enough(depth) {
                    break;
                }
            }
            self.tell_unfinished();
        }
        self.found()
    }

    /// Tells the line of the moves that will be given, where no finished iteration has told it:
    /// whoever hears a move has heard a score for it.
    fn tell_unfinished(&mut self) {
        let line = self.best.clone().unwrap_or_else(|| Line {
            pv: vec![self.moves[0]],
            ..self.line(0, 0, self.value_unsearched())
        });
        if self.told != beginning(&line) {
            (self.report)(&Report::Line(line));
        }
    }

    /// The last iteration that a limit allows. A mate in `n` is found at depth `2n - 1`.
    fn last_depth(&self) -> u32 {
        let for_mate = self.limits.mate.map(|moves| {
            let plies = moves.saturating_mul(2).saturating_sub(1);
            plies.max(1)
        });
        let depth = self.limits.depth.unwrap_or(MAX_DEPTH);
        depth.min(for_mate.unwrap_or(MAX_DEPTH)).clamp(1, MAX_DEPTH)
    }

    /// One iteration, to its end; then its lines are told.
    fn iterate(&mut self, depth: u32) -> Result<(), Stopped> {
        self.search.deepest = 0;
        let count = self.limits.multipv.clamp(1, self.moves.len());
        let mut lines = Vec::with_capacity(count);
        for rank in 0..count {
            lines.push(self.find_line(depth, rank)?);
        }
        self.told = beginning(&lines[0]);
        for line in lines {
            (self.report)(&Report::Line(line));
        }
        Ok(())
    }

    /// The best line among the moves from `rank` on; its move is put in that place.
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
            self.tell_move(depth, index);
            let window = Window::new(alpha, INFINITE);
            let value = self.search.search_move(node, m, window, index == rank)?;
            if value > alpha {
                alpha = value;
                self.search.lines.set(0, m);
                self.moves[rank..=index].rotate_right(1);
                let line = self.line(depth, rank, value);
                if rank == 0 {
                    self.best = Some(line.clone());
                }
                best = Some(line);
            }
        }
        let best = best.expect("the first move is better than nothing");
        Ok(self.line(depth, rank, best.value)).map(|now| Line { pv: best.pv, ..now })
    }

    fn line(&self, depth: u32, rank: usize, value: i32) -> Line {
        Line {
            depth,
            seldepth: u32::try_from(self.search.deepest).expect("plies are few"),
            multipv: rank + 1,
            value,
            nodes: self.search.stopper.nodes(),
            elapsed: self.search.stopper.elapsed(),
            hashfull: self.search.table.permill_full(),
            table_hits: 0,
            pv: self.search.lines.get(0).to_vec(),
        }
    }

    fn tell_move(&mut self, depth: u32, index: usize) {
        let elapsed = self.search.stopper.elapsed();
        if elapsed >= TELLS_MOVES_AFTER {
            (self.report)(&Report::CurrentMove {
                depth,
                m: self.moves[index],
                number: index + 1,
                nodes: self.search.stopper.nodes(),
                elapsed,
            });
        }
    }

    /// Whether no other iteration is wanted.
    fn is_enough(&mut self, depth: u32) -> bool {
        let value = self.best.as_ref().map_or(0, |line| line.value);
        let proved = |moves: u32| i64::from(MATE - value) < 2 * i64::from(moves);
        if self.limits.mate.is_some_and(proved) || self.search.stopper.ends_iterations() {
            return true;
        }
        // Neither another move nor another value can come of it.
        let settled =
            self.moves.len() == 1 || is_mate(value) && (MATE - value.abs()).unsigned_abs() <= depth;
        settled && self.search.stopper.saves_time()
    }

    /// What is known of the position before any move has been searched.
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
        let unsearched = self.value_unsearched();
        let line = self.best;
        let value = line.as_ref().map_or(unsearched, |line| line.value);
        Found {
            best: self.moves.first().copied(),
            ponder: line.as_ref().and_then(|line| line.pv.get(1).copied()),
            value,
            depth: line.map_or(0, |line| line.depth),
            nodes: self.search.stopper.nodes(),
        }
    }
}

/// The move of a line and the answer to it.
fn beginning(line: &Line) -> [Option<Move>; 2] {
    [0, 1].map(|index| line.pv.get(index).copied())
}

/// The moves that the limits allow, in the order in which they are first tried.
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
