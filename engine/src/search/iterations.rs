//! What both searches do around their iterations: which is the last, what is reported of each, and
//! whether another is wanted.

use std::time::Duration;

use super::report::ScoreBound;
use super::stopper::Stopper;
use super::value::{MATE, is_mate};
use super::{Limits, Line, MAX_DEPTH, Report};
use chess::rules::Move;

/// From here on lines and bounds are reported within an iteration. Before, iterations are so short
/// that nobody could read them.
const REPORTS_LINES_AFTER: Duration = Duration::from_secs(1);

/// From here on the root move being searched is reported.
const REPORTS_MOVES_AFTER: Duration = Duration::from_secs(3);

/// The iterations of a search, as those see them who hear of them.
///
/// With several lines an iteration is several passes over the root moves, each for the best of those
/// that have no line yet. Whenever lines are reported, there are as many as are wanted, each
/// begins with another move, and the scores go down.
pub(super) struct Iterations<'a, 'r> {
    pub(super) limits: &'a Limits,
    report: &'r mut dyn FnMut(&Report),
    /// The lines of the last finished iteration, best first; before the first one, of moves that
    /// have not been searched. Empty where no move is legal.
    finished: Vec<Line>,
    /// The lines of the finished passes of this iteration.
    found: Vec<Line>,
    /// The best line so far of the first pass.
    unfinished: Option<Line>,
    /// Root moves searched in the first pass; among them are as many of the best of `finished`.
    searched: usize,
    /// The lines that were reported last, and when.
    reported: Vec<Line>,
    reported_at: Duration,
}

impl<'a, 'r> Iterations<'a, 'r> {
    pub(super) fn new(limits: &'a Limits, report: &'r mut dyn FnMut(&Report)) -> Self {
        Self {
            limits,
            report,
            finished: Vec::new(),
            found: Vec::new(),
            unfinished: None,
            searched: 0,
            reported: Vec::new(),
            reported_at: Duration::ZERO,
        }
    }

    /// How many lines there are, with so many moves to choose from.
    pub(super) fn count(&self, moves: usize) -> usize {
        self.limits.multipv.clamp(1, moves.max(1))
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

    /// The search begins with these moves; `line` is of none of them, at depth 0.
    pub(super) fn begin(&mut self, moves: impl Iterator<Item = Move>, line: &Line) {
        let unsearched = moves.map(|m| Line {
            pv: vec![m],
            ..line.clone()
        });
        self.finished = unsearched.collect();
        self.finished.truncate(self.count(self.finished.len()));
    }

    /// Another iteration begins.
    pub(super) fn begin_iteration(&mut self) {
        self.found.clear();
        self.unfinished = None;
        self.searched = 0;
    }

    /// A root move is about to be searched, the first being number 1. It is reported once the search
    /// takes long.
    pub(super) fn begin_move(&mut self, stopper: &Stopper<'_>, depth: u32, m: Move, number: usize) {
        self.searched = self.searched.max(number - 1);
        let elapsed = stopper.elapsed();
        if elapsed >= REPORTS_MOVES_AFTER {
            (self.report)(&Report::CurrentMove {
                depth,
                m,
                number,
                nodes: stopper.nodes(),
                elapsed,
            });
        }
    }

    /// The first pass has found a better line than before, with the root move of this number.
    pub(super) fn improve(&mut self, line: &Line, number: usize) {
        self.searched = self.searched.max(number);
        self.unfinished = Some(line.clone());
        if self.finished.len() == 1 && line.elapsed >= REPORTS_LINES_AFTER {
            self.report(self.lines(), line);
        }
    }

    /// All moves have turned out worse than expected, and are searched anew: `line` has the score that
    /// none exceeds. With several lines it is not reported, since it is the score of no line.
    pub(super) fn fail_low(&mut self, line: &Line) {
        self.searched = 0;
        if self.finished.len() == 1 && line.elapsed >= REPORTS_LINES_AFTER {
            let pv = self.best().map_or_else(Vec::new, |best| best.pv);
            (self.report)(&Report::Line(Line {
                bound: Some(ScoreBound::Upper),
                pv,
                ..line.clone()
            }));
        }
    }

    /// A pass has ended with this line. After the last one of the iteration all lines are reported, after
    /// the others only if that was not done for a while: there may be 218 of each.
    pub(super) fn finish_pass(&mut self, line: &Line) {
        self.found.push(line.clone());
        if self.found.len() == self.finished.len() {
            self.finished = self.lines();
            self.report(self.finished.clone(), line);
        } else if line.elapsed >= self.reported_at + REPORTS_LINES_AFTER {
            self.report(self.lines(), line);
        }
    }

    /// The search has ended: what was not reported yet is. The numbers are those of `now`.
    pub(super) fn finish(&mut self, now: &Line) {
        let is_known = |(line, known): (&Line, &Line)| {
            (line.value, line.bound, line.depth, &line.pv)
                == (known.value, known.bound, known.depth, &known.pv)
        };
        let lines = self.lines();
        let are_known =
            lines.len() == self.reported.len() && lines.iter().zip(&self.reported).all(is_known);
        if !are_known {
            self.report(lines, now);
        }
    }

    /// The best line; none where no move is legal.
    pub(super) fn best(&self) -> Option<Line> {
        self.lines().into_iter().next()
    }

    /// The best lines as they are known now, best first.
    ///
    /// An unfinished iteration gives those of its finished passes; the rest are of the iteration
    /// before. In its first pass the best so far counts unless a move that was not searched since had
    /// a higher score: where one line is wanted always, because the best move is searched first. A
    /// line of the iteration before cannot be better than those of this one, so its score is at most
    /// theirs.
    pub(super) fn lines(&self) -> Vec<Line> {
        let mut lines = self.found.clone();
        if lines.is_empty() {
            lines.extend(self.unfinished.clone().filter(|line| {
                let unsearched = self.finished.iter().skip(self.searched);
                let mut known = unsearched.filter(|other| other.depth > 0);
                known.all(|other| other.value <= line.value)
            }));
        }
        lines.sort_by_key(|line| -line.value);
        let worst = lines.last().map_or(i32::MAX, |line| line.value);
        let is_new = |&(_, line): &(usize, &Line)| lines.iter().all(|new| new.pv[0] != line.pv[0]);
        let older: Vec<Line> = (self.finished.iter().enumerate())
            .filter(is_new)
            .map(|(index, line)| self.at_most(worst, index, line))
            .collect();
        lines.extend(older);
        lines.truncate(self.finished.len());
        for (line, multipv) in lines.iter_mut().zip(1..) {
            line.multipv = multipv;
        }
        lines
    }

    /// A line of the iteration before with no more than this score: a bound, unless its move has not been
    /// searched at all.
    fn at_most(&self, most: i32, index: usize, line: &Line) -> Line {
        if line.value <= most {
            return line.clone();
        }
        let is_searched = line.depth > 0 || index < self.searched || !self.found.is_empty();
        Line {
            value: most,
            bound: is_searched.then_some(ScoreBound::Upper),
            ..line.clone()
        }
    }

    /// Reports lines together: neither nodes nor time go back from one to the next.
    fn report(&mut self, lines: Vec<Line>, now: &Line) {
        for line in &lines {
            (self.report)(&Report::Line(Line {
                nodes: now.nodes,
                elapsed: now.elapsed,
                hashfull: now.hashfull,
                table_hits: now.table_hits,
                ..line.clone()
            }));
        }
        self.reported = lines;
        self.reported_at = now.elapsed;
    }

    /// The place of a move among the lines of the last finished iteration; after all where it has none.
    pub(super) fn rank(&self, m: Move) -> usize {
        let mut lines = self.finished.iter();
        lines
            .position(|line| line.pv[0] == m)
            .unwrap_or(self.finished.len())
    }

    /// The value of the last finished iteration.
    pub(super) fn value(&self) -> i32 {
        self.finished.first().map_or(0, |line| line.value)
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
