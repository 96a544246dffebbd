//! What both searches do around their iterations: which is the last, what is told of each, and
//! whether another is wanted.

use std::time::Duration;

use super::stopper::Stopper;
use super::value::{MATE, is_mate};
use super::{Limits, Line, MAX_DEPTH, Report};
use crate::rules::Move;

/// Before this nobody is told which root move is being searched.
const TELLS_MOVES_AFTER: Duration = Duration::from_secs(3);

/// The iterations of a search, as those see them who hear of them.
pub(super) struct Iterations<'a, 'r> {
    pub(super) limits: &'a Limits,
    /// The best line so far, of an unfinished iteration perhaps.
    pub(super) best: Option<Line>,
    report: &'r mut dyn FnMut(&Report),
    /// Of the best line that was told last, the move and the answer to it.
    told: [Option<Move>; 2],
}

impl<'a, 'r> Iterations<'a, 'r> {
    pub(super) fn new(limits: &'a Limits, report: &'r mut dyn FnMut(&Report)) -> Self {
        Self {
            limits,
            best: None,
            report,
            told: [None; 2],
        }
    }

    /// The last iteration that a limit allows. A mate in `n` is found at depth `2n - 1`.
    pub(super) fn last(&self) -> u32 {
        let for_mate = self.limits.mate.map(|moves| {
            let plies = moves.saturating_mul(2).saturating_sub(1);
            plies.max(1)
        });
        let depth = self.limits.depth.unwrap_or(MAX_DEPTH);
        depth.min(for_mate.unwrap_or(MAX_DEPTH)).clamp(1, MAX_DEPTH)
    }

    /// Tells the lines of a finished iteration, the best first.
    pub(super) fn tell(&mut self, lines: Vec<Line>) {
        self.told = beginning(&lines[0]);
        for line in lines {
            (self.report)(&Report::Line(line));
        }
    }

    /// Tells the best line, or what is there before any has been searched, where no finished
    /// iteration has told it: whoever hears a move has heard a score for it.
    pub(super) fn tell_unfinished(&mut self, unsearched: Line) {
        let line = self.best.clone().unwrap_or(unsearched);
        let [first, answer] = beginning(&line);
        let is_told = first == self.told[0] && (answer.is_none() || answer == self.told[1]);
        if !is_told {
            (self.report)(&Report::Line(line));
        }
    }

    /// Tells which root move is being searched, the first being number 1, once that takes long.
    pub(super) fn tell_move(&mut self, stopper: &Stopper<'_>, depth: u32, m: Move, number: usize) {
        let elapsed = stopper.elapsed();
        if elapsed >= TELLS_MOVES_AFTER {
            (self.report)(&Report::CurrentMove {
                depth,
                m,
                number,
                nodes: stopper.nodes(),
                elapsed,
            });
        }
    }

    /// The value of the best line, 0 where there is none.
    pub(super) fn value(&self) -> i32 {
        self.best.as_ref().map_or(0, |line| line.value)
    }

    /// Whether the mate that was wanted has been found.
    pub(super) fn is_proved(&self) -> bool {
        let proved = |moves: u32| i64::from(MATE - self.value()) < 2 * i64::from(moves);
        self.limits.mate.is_some_and(proved)
    }

    /// Whether neither another move nor another value can come of further iterations, with so many
    /// moves to choose from.
    pub(super) fn is_settled(&self, depth: u32, moves: usize) -> bool {
        let value = self.value();
        moves == 1 || is_mate(value) && (MATE - value.abs()).unsigned_abs() <= depth
    }
}

/// The move of a line and the answer to it.
fn beginning(line: &Line) -> [Option<Move>; 2] {
    [0, 1].map(|index| line.pv.get(index).copied())
}
