//! The root: aspiration windows and passes over the root moves.

use super::correction::CorrectionKeys;
use super::features::Switches;
use super::history::PieceTo;
use super::picker::{Hints, MovePicker, is_noisy};
use super::reductions::{PLY, reduction};
use super::trend::Trend;
use super::worker::{SearchNode, SearchThread};
use crate::search::iterations::{Iterations, RootSearch, allowed};
use crate::search::stopper::SearchStopped;
use crate::search::table::{TtBound, TtEntry};
use crate::search::value::{Depth, INFINITE, Window, is_lost, is_mate, mated_in};
use crate::search::{PvLine, ScoreBound, SearchLimits};
use chess::rules::cpu::CpuSliders;
use chess::rules::{Move, Position};

/// Aspiration windows: from this depth.
const ASPIRATION_DEPTH: u32 = 5;

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
pub(in crate::search) struct Root<'a, S, F> {
    worker: SearchThread<'a, S, F>,
    position: Position,
    moves: Vec<RootMove>,
    /// Whether these are all legal moves, so that their best score is that of the position.
    has_all_moves: bool,
    trend: Trend,
}

impl<'a, S: CpuSliders, F: Switches> Root<'a, S, F> {
    pub(in crate::search) fn new(
        worker: SearchThread<'a, S, F>,
        position: Position,
        limits: &SearchLimits,
    ) -> Self {
        worker.memory.histories.begin_search();
        let entry = worker.table.get(position.key(), 0);
        let mut picker = MovePicker::new(Hints {
            tt_move: entry.and_then(|entry| entry.best),
            ..Hints::default()
        });
        let keys = CorrectionKeys::new(&position, [None; 2]);
        let context = worker.quiet_context(root_node(&position, 0), &keys);
        let ordered = std::iter::from_fn(|| picker.next(worker.sources(&position), &context));
        let legal: Vec<Move> = ordered.map(|pick| pick.m).collect();
        let count = legal.len();
        let moves = allowed(legal, limits);
        let unsearched = |m| RootMove {
            m,
            value: 0,
            nodes: 0,
        };
        Self {
            has_all_moves: moves.len() == count,
            moves: moves.into_iter().map(unsearched).collect(),
            worker,
            position,
            trend: Trend::default(),
        }
    }

    /// Searches the moves from `rank` on within the window.
    fn search_moves(
        &mut self,
        iterations: &mut Iterations<'_, '_>,
        [depth, searched]: [u32; 2],
        rank: usize,
        window: Window,
    ) -> Result<PvLine, SearchStopped> {
        let position = self.position;
        let node = root_node(&position, signed(searched));
        let tt_entry = self.worker.table.get(position.key(), 0);
        self.worker.evaluate_node(node, window, tt_entry);
        self.worker.frames[1].killers = [None; 2];
        self.worker.frames[2].cutoffs = 0;
        let mut alpha = window.alpha;
        let mut best = self.line(depth, -INFINITE);
        for index in rank..self.moves.len() {
            let m = self.moves[index].m;
            let stopper = &self.worker.stopper;
            iterations.begin_move(stopper, depth, m, index + 1);
            let now = Window::new(alpha, window.beta);
            let before = self.worker.stopper.own_nodes();
            let value = self.search_move(node, m, now, best.value, index - rank + 1)?;
            self.moves[index].nodes += self.worker.stopper.own_nodes() - before;
            best.value = best.value.max(value);
            if value > alpha {
                alpha = value;
                self.worker.lines.set(0, m);
                // A rotation, unlike a swap, keeps the other moves in order.
                self.moves[rank..=index].rotate_right(1);
                best = PvLine {
                    bound: (value >= window.beta).then_some(ScoreBound::Lower),
                    ..self.line(depth, value)
                };
                // That every move loses is known only after all have been searched.
                if rank == 0 && !is_lost(value) {
                    iterations.improve(&best, index + 1);
                }
            }
            if value >= window.beta {
                break;
            }
        }
        // The best of some moves (MultiPV, `searchmoves`) is not the score of the position.
        if rank == 0 && self.has_all_moves {
            self.store(&best, signed(searched), window);
        }
        Ok(PvLine {
            pv: best.pv,
            ..self.line(depth, best.value)
        })
    }

    /// Stores the position in the TT, with the best of all moves.
    fn store(&self, best: &PvLine, depth: Depth, window: Window) {
        let bound = if best.value >= window.beta {
            TtBound::Lower
        } else if best.value <= window.alpha {
            TtBound::Upper
        } else {
            TtBound::Exact
        };
        let entry = TtEntry {
            // After a fail low all scores are upper bounds, so no move is known to be best.
            best: best.pv.first().filter(|_| bound != TtBound::Upper).copied(),
            value: best.value,
            bound,
            depth,
            static_eval: None,
            is_pv: true,
        };
        self.worker.table.put(self.position.key(), 0, entry);
    }

    fn search_move(
        &mut self,
        node: SearchNode<'_>,
        m: Move,
        window: Window,
        best_value: i32,
        number: usize,
    ) -> Result<i32, SearchStopped> {
        let worker = &mut self.worker;
        let next = node.position.play_unchecked(m);
        worker.enter_move(node, PieceTo::from_position(node.position, m), None, &next);
        let child = node.after(&next, worker.sliders);
        let full = node.depth - 1;
        let value = if number == 1 {
            worker.search_first(node, child, full, window)
        } else {
            let reduces = worker.features().late_reductions
                && number > 3
                && node.depth >= 3
                && !is_noisy(node.position, m)
                && !child.is_check;
            let parts = if reduces {
                (reduction(&worker.parameters, node.depth, number) - PLY).max(0)
            } else {
                0
            };
            let reduced = (full - parts / PLY).clamp(1.min(full), full);
            worker.search_later(node, child, [full, reduced], best_value, window)
        };
        worker.path.pop();
        value
    }
}

impl<S: CpuSliders, F: Switches> RootSearch for Root<'_, S, F> {
    fn moves(&self) -> Vec<Move> {
        self.moves.iter().map(|root| root.m).collect()
    }

    fn begin_iteration(&mut self, depth: u32) {
        self.worker.deepest = 0;
        self.worker.root_depth = signed(depth);
        let nodes = self.worker.stopper.own_nodes();
        self.worker.checkmates.judge(nodes);
    }

    /// The aspiration window is widened until the score lies within it.
    fn find_line(
        &mut self,
        iterations: &mut Iterations<'_, '_>,
        depth: u32,
        rank: usize,
    ) -> Result<PvLine, SearchStopped> {
        let before = self.moves[rank].value;
        let mut fail_highs = 0;
        let aspires = self.worker.features().aspiration && depth >= ASPIRATION_DEPTH;
        let mut width = self.worker.parameters.aspiration();
        let mut window = if aspires && !is_mate(before) {
            Window::new(before - width, before + width)
        } else {
            Window::new(-INFINITE, INFINITE)
        };
        loop {
            let line = self.search_moves(iterations, [depth, depth - fail_highs], rank, window)?;
            width += width / 2;
            // A window without that bound cannot fail again, so the loop ends.
            if line.value <= window.alpha && window.alpha > -INFINITE {
                if rank == 0 {
                    iterations.fail_low(&line);
                }
                // The score lies below the window, so beta comes down, too (as in Stockfish).
                window.beta = i32::midpoint(window.alpha, window.beta).max(window.alpha + 1);
                window.alpha = widened(line.value - width);
                fail_highs = 0;
            } else if line.value >= window.beta && window.beta < INFINITE {
                window.beta = widened(line.value + width);
                // The next search only confirms the move, so it may be shallower (Stockfish).
                if self.worker.features().fail_high_reduction && !is_mate(line.value) {
                    fail_highs = (fail_highs + 1).min(depth - 1);
                }
            } else {
                self.moves[rank].value = line.value;
                return Ok(line);
            }
        }
    }

    fn sort_moves(&mut self, count: usize, rank: impl Fn(Move) -> usize) {
        self.moves[..count].sort_by_key(|root| rank(root.m));
    }

    fn line(&self, depth: u32, value: i32) -> PvLine {
        PvLine {
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

    fn static_score(&mut self) -> i32 {
        if !self.moves.is_empty() {
            self.worker.evaluate(&self.position, 0)
        } else if self.position.is_check() {
            mated_in(0)
        } else {
            0
        }
    }

    fn ends_iterations(&mut self, value: i32, is_settled: bool) -> bool {
        let best = self.moves[0];
        let all = self.worker.stopper.own_nodes().max(1);
        self.trend.add(best.m, value);
        let percent = if self.worker.features().time_by_trend {
            self.trend.percent(best.nodes * 100 / all)
        } else {
            100
        };
        self.worker.stopper.ends_iterations_at(percent, is_settled)
    }

    /// If the PV has no second move, the TT move.
    fn ponder(&self, best: &PvLine) -> Option<Move> {
        best.pv.get(1).copied().or_else(|| {
            let next = self.position.play_unchecked(best.pv[0]);
            let tt_move = self.worker.table.get(next.key(), 1)?.best?;
            next.is_legal(tt_move).then_some(tt_move)
        })
    }
}

/// The root as a node.
fn root_node(position: &Position, depth: Depth) -> SearchNode<'_> {
    SearchNode {
        position,
        depth,
        ply: 0,
        is_check: position.is_check(),
        is_cut: false,
    }
}

fn signed(depth: u32) -> Depth {
    Depth::try_from(depth).expect("depths are small")
}

/// An aspiration bound; infinite if it would be a mate score or very large.
fn widened(bound: i32) -> i32 {
    if is_mate(bound) || bound.abs() > 2000 {
        bound.signum() * INFINITE
    } else {
        bound
    }
}
