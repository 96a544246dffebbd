//! The root: iterative deepening with aspiration windows and `MultiPV`, until a limit is reached.

use super::history::PieceTo;
use super::picker::{Hints, Picker, is_noisy};
use super::reductions::{PLY, reduction};
use super::trend::Trend;
use super::worker::{Node, Window, Worker};
use crate::eval::Evaluation;
use crate::search::iterations::Iterations;
use crate::search::stopper::Stopped;
use crate::search::value::{INFINITE, is_lost, is_mate, mated_in};
use crate::search::{Found, Limits, Line, Report, ScoreBound};
use chess::rules::cpu::Chosen;
use chess::rules::{Move, Position};

/// Aspiration windows: from this depth; initial half-width in centipawns.
const ASPIRATION_DEPTH: u32 = 5;
const ASPIRATION: i32 = 20;

/// A root move with its statistics.
#[derive(Clone, Copy, Debug)]
struct RootMove {
    m: Move,
    /// Its score in the last iteration in which it was best of its rank.
    value: i32,
    /// Nodes spent on it in this search.
    nodes: u64,
}

/// The state of a search at the root.
pub(in crate::search) struct Root<'a, 'r, E, S> {
    worker: Worker<'a, E, S>,
    position: Position,
    /// The root moves; those of the PVs come first, best first.
    moves: Vec<RootMove>,
    iterations: Iterations<'a, 'r>,
    trend: Trend,
}

impl<'a, 'r, E: Evaluation, S: Chosen> Root<'a, 'r, E, S> {
    pub(in crate::search) fn new(
        worker: Worker<'a, E, S>,
        position: Position,
        limits: &'a Limits,
        report: &'r mut dyn FnMut(&Report),
    ) -> Self {
        let moves = root_moves(&worker, &position, limits);
        Self {
            worker,
            position,
            moves,
            iterations: Iterations::new(limits, report),
            trend: Trend::default(),
        }
    }

    /// Searches until a limit is reached.
    pub(in crate::search) fn run(mut self) -> Found {
        if !self.moves.is_empty() {
            let value = self.static_score();
            let unsearched = self.line(0, value);
            let moves = self.moves.iter().map(|root| root.m);
            self.iterations.begin(moves, &unsearched);
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
        self.worker.deepest = 0;
        self.worker.root_depth = signed(depth);
        self.iterations.begin_iteration();
        let count = self.iterations.count(self.moves.len());
        for rank in 0..count {
            let line = self.find_line(depth, rank)?;
            self.iterations.finish_pass(&line);
        }
        // A later PV may have scored better.
        let iterations = &self.iterations;
        self.moves[..count].sort_by_key(|root| iterations.rank(root.m));
        Ok(())
    }

    /// Finds the best PV among the moves from `rank` on, and puts its move in that place. The
    /// aspiration window is widened until the score lies within it.
    fn find_line(&mut self, depth: u32, rank: usize) -> Result<Line, Stopped> {
        let before = self.moves[rank].value;
        let aspires = self.worker.features.aspiration && depth >= ASPIRATION_DEPTH;
        let mut width = ASPIRATION;
        let mut window = if aspires && !is_mate(before) {
            Window::new(before - width, before + width)
        } else {
            Window::new(-INFINITE, INFINITE)
        };
        loop {
            let line = self.search_moves(depth, rank, window)?;
            width *= 2;
            if line.value <= window.alpha && window.alpha > -INFINITE {
                if rank == 0 {
                    self.iterations.fail_low(&line);
                }
                window.beta = i32::midpoint(window.alpha, window.beta).max(window.alpha + 1);
                window.alpha = widened(line.value - width);
            } else if line.value >= window.beta && window.beta < INFINITE {
                window.beta = widened(line.value + width);
            } else {
                self.moves[rank].value = line.value;
                return Ok(line);
            }
        }
    }

    /// Searches the moves from `rank` on within the window.
    fn search_moves(&mut self, depth: u32, rank: usize, window: Window) -> Result<Line, Stopped> {
        let position = self.position;
        let node = Node {
            position: &position,
            depth: signed(depth),
            ply: 0,
            is_check: position.is_check(),
            is_cut_node: false,
        };
        self.worker.evaluate_node(node, None);
        self.worker.frames[1].killers = [None; 2];
        let mut alpha = window.alpha;
        let mut best = self.line(depth, -INFINITE);
        for index in rank..self.moves.len() {
            let m = self.moves[index].m;
            let stopper = &self.worker.stopper;
            self.iterations.begin_move(stopper, depth, m, index + 1);
            let now = Window::new(alpha, window.beta);
            let before = self.worker.stopper.own_nodes();
            let value = self.search_move(node, m, now, index - rank + 1)?;
            self.moves[index].nodes += self.worker.stopper.own_nodes() - before;
            best.value = best.value.max(value);
            if value > alpha {
                alpha = value;
                self.worker.lines.set(0, m);
                self.moves[rank..=index].rotate_right(1);
                best = Line {
                    bound: (value >= window.beta).then_some(ScoreBound::Lower),
                    ..self.line(depth, value)
                };
                // That every move loses is known only after all have been searched.
                if rank == 0 && !is_lost(value) {
                    self.iterations.improve(&best, index + 1);
                }
            }
            if value >= window.beta {
                break;
            }
        }
        Ok(Line {
            pv: best.pv,
            ..self.line(depth, best.value)
        })
    }

    fn search_move(
        &mut self,
        node: Node<'_>,
        m: Move,
        window: Window,
        number: usize,
    ) -> Result<i32, Stopped> {
        let worker = &mut self.worker;
        let next = node.position.play_unchecked(m);
        worker.enter_move(node, PieceTo::of(node.position, m), &next);
        let child = node.after(&next, worker.sliders);
        let full = node.depth - 1;
        let value = if number == 1 {
            worker.search_first(node, child, full, window)
        } else {
            let reduces = worker.features.late_reductions
                && number > 3
                && node.depth >= 3
                && !is_noisy(node.position, m)
                && !child.is_check;
            let parts = if reduces {
                (reduction(node.depth, number) - PLY).max(0)
            } else {
                0
            };
            let reduced = (full - parts / PLY).clamp(1.min(full), full);
            worker.search_later(node, child, [full, reduced], window)
        };
        worker.path.pop();
        value
    }

    fn line(&self, depth: u32, value: i32) -> Line {
        Line {
            depth,
            seldepth: u32::try_from(self.worker.deepest).expect("plies are few"),
            multipv: 1,
            value,
            bound: None,
            nodes: self.worker.stopper.nodes(),
            elapsed: self.worker.stopper.elapsed(),
            hashfull: self.worker.table.permill_full(),
            table_hits: self.worker.table_hits,
            pv: self.worker.lines.get(0).to_vec(),
        }
    }

    /// Whether iterative deepening should stop.
    fn is_enough(&mut self, depth: u32) -> bool {
        let percent = self.percent_of_time(self.iterations.value());
        let is_settled = self.iterations.is_settled(depth, self.moves.len());
        let ends = self.worker.stopper.ends_iterations_at(percent, is_settled);
        ends || self.iterations.is_proved()
    }

    /// How much of the usual time this move deserves, in percent.
    fn percent_of_time(&mut self, value: i32) -> u32 {
        let best = self.moves[0];
        let all = self.worker.stopper.own_nodes().max(1);
        self.trend.add(best.m, value);
        if self.worker.features.time_by_trend {
            self.trend.percent(best.nodes * 100 / all)
        } else {
            100
        }
    }

    /// The score of the position before any move has been searched.
    fn static_score(&mut self) -> i32 {
        if !self.moves.is_empty() {
            self.worker.evaluate(&self.position, 0)
        } else if self.position.is_check() {
            mated_in(0)
        } else {
            0
        }
    }

    fn found(mut self) -> Found {
        let nodes = self.worker.stopper.nodes();
        match self.iterations.best() {
            None => Found {
                best: None,
                ponder: None,
                value: self.static_score(),
                depth: 0,
                nodes,
            },
            Some(line) => Found {
                best: Some(line.pv[0]),
                ponder: self.ponder(&line),
                value: line.value,
                depth: line.depth,
                nodes,
            },
        }
    }

    /// The ponder move: the second move of the PV, or the TT move if the PV has none.
    fn ponder(&self, best: &Line) -> Option<Move> {
        best.pv.get(1).copied().or_else(|| {
            let next = self.position.play_unchecked(best.pv[0]);
            let kept = self.worker.table.get(next.key(), 1)?.best?;
            next.is_legal(kept).then_some(kept)
        })
    }
}

fn signed(depth: u32) -> i32 {
    i32::try_from(depth).expect("depths are small")
}

/// An aspiration bound; infinite if it would be a mate score or very large.
fn widened(bound: i32) -> i32 {
    if is_mate(bound) || bound.abs() > 2000 {
        bound.signum() * INFINITE
    } else {
        bound
    }
}

/// The root moves allowed by the limits, in initial order.
fn root_moves<E: Evaluation, S: Chosen>(
    worker: &Worker<'_, E, S>,
    position: &Position,
    limits: &Limits,
) -> Vec<RootMove> {
    let hints = Hints {
        tt_move: worker
            .table
            .get(position.key(), 0)
            .and_then(|entry| entry.best),
        ..Hints::default()
    };
    let mut picker = Picker::new(hints);
    picker.take(position, worker.sliders);
    let ordered = std::iter::from_fn(|| picker.next(worker.sources(position)));
    let all: Vec<RootMove> = ordered
        .map(|pick| RootMove {
            m: pick.m,
            value: 0,
            nodes: 0,
        })
        .collect();
    let wanted = |root: &&RootMove| limits.searchmoves.contains(&root.m);
    let some: Vec<RootMove> = all.iter().filter(wanted).copied().collect();
    if some.is_empty() { all } else { some }
}
