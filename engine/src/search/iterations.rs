//! Iterative deepening, shared by both searches: the final depth, the reports, and the decision to
//! stop.

use std::time::Duration;

use super::report::ScoreBound;
use super::stopper::{SearchStopped, Stopper};
use super::value::{MATE, is_mate};
use super::{MAX_DEPTH, PvLine, SearchLimits, SearchResult, SearchUpdate};
use chess::rules::Move;

/// PVs and bounds within an iteration are reported after this time. Before, iterations are too
/// short for anyone to read them.
const REPORTS_LINES_AFTER: Duration = Duration::from_secs(1);

/// The current root move is reported after this time.
const REPORTS_MOVES_AFTER: Duration = Duration::from_secs(3);

/// A search at the root, as far as the two searches differ.
pub(super) trait RootSearch {
    /// The root moves allowed by the limits; those of the PVs come first, best first.
    fn moves(&self) -> Vec<Move>;

    fn begin_iteration(&mut self, depth: u32);

    /// Finds the best PV among the moves from `rank` on, and puts its move in that place.
    fn find_line(
        &mut self,
        iterations: &mut Iterations<'_, '_>,
        depth: u32,
        rank: usize,
    ) -> Result<PvLine, SearchStopped>;

    /// Sorts the first `count` moves by their rank.
    fn sort_moves(&mut self, count: usize, rank: impl Fn(Move) -> usize);

    /// The current PV and statistics, with this depth and score.
    fn line(&self, depth: u32, value: i32) -> PvLine;

    /// The score of the position before any move has been searched.
    fn static_score(&mut self) -> i32;

    /// Whether no further iteration should begin after one with this score. `is_settled` means that
    /// further iterations cannot change the result.
    fn ends_iterations(&mut self, value: i32, is_settled: bool) -> bool;

    /// The ponder move: the second move of the PV.
    fn ponder(&self, best: &PvLine) -> Option<Move> {
        best.pv.get(1).copied()
    }
}

/// Searches until a limit is reached.
pub(super) fn run(
    search: &mut impl RootSearch,
    limits: &SearchLimits,
    report: &mut dyn FnMut(&SearchUpdate),
) -> SearchResult {
    let moves = search.moves();
    let value = search.static_score();
    // UCI wants a move even if the search is stopped before its first iteration ends.
    let unsearched = search.line(0, value);
    let mut iterations = Iterations::new(limits, report);
    iterations.begin(&moves, &unsearched);
    if !moves.is_empty() {
        for depth in 1..=iterations.last() {
            if iterations.iterate(search, depth).is_err() {
                break;
            }
            let is_settled = iterations.is_settled(depth, moves.len());
            if search.ends_iterations(iterations.value(), is_settled) || iterations.is_proved() {
                break;
            }
        }
        iterations.finish(&search.line(0, 0));
    }
    let best = iterations.best();
    SearchResult {
        best: best.as_ref().map(|line| line.pv[0]),
        ponder: best.as_ref().and_then(|line| search.ponder(line)),
        value: best.as_ref().map_or(value, |line| line.value),
        depth: best.map_or(0, |line| line.depth),
        nodes: search.line(0, 0).nodes,
    }
}

/// The iterations of a search and their reports.
///
/// With `MultiPV` an iteration consists of several passes over the root moves, each for the best
/// move without a PV so far. Each report contains all requested PVs, with distinct first moves and
/// descending scores.
pub(super) struct Iterations<'a, 'r> {
    limits: &'a SearchLimits,
    report: &'r mut dyn FnMut(&SearchUpdate),
    /// The PVs of the last finished iteration, best first; before the first iteration, unsearched
    /// moves. Empty if there is no legal move.
    finished: Vec<PvLine>,
    /// The PVs of the finished passes of this iteration.
    found: Vec<PvLine>,
    /// The best PV so far of the first pass.
    unfinished: Option<PvLine>,
    /// Number of root moves searched in the first pass; the first `searched` moves of `finished`
    /// are among them.
    searched: usize,
    /// The last reported PVs and the time of the report.
    reported: Vec<PvLine>,
    reported_at: Duration,
}

impl<'a, 'r> Iterations<'a, 'r> {
    fn new(limits: &'a SearchLimits, report: &'r mut dyn FnMut(&SearchUpdate)) -> Self {
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

    /// The final depth allowed by the limits. A mate in `n` is found at depth `2n - 1`.
    fn last(&self) -> u32 {
        let for_mate = self.limits.mate.map(|moves| {
            let plies = moves.saturating_mul(2).saturating_sub(1);
            plies.max(1)
        });
        let depth = self.limits.depth.unwrap_or(MAX_DEPTH);
        depth.min(for_mate.unwrap_or(MAX_DEPTH)).clamp(1, MAX_DEPTH)
    }

    /// Starts the search with these root moves; `line` provides the statistics at depth 0.
    fn begin(&mut self, moves: &[Move], line: &PvLine) {
        let count = self.limits.multipv.clamp(1, moves.len().max(1));
        let unsearched = moves.iter().take(count).map(|&m| PvLine {
            pv: vec![m],
            ..line.clone()
        });
        self.finished = unsearched.collect();
    }

    /// Runs one iteration to its end and reports its PVs.
    fn iterate(&mut self, search: &mut impl RootSearch, depth: u32) -> Result<(), SearchStopped> {
        search.begin_iteration(depth);
        self.found.clear();
        self.unfinished = None;
        self.searched = 0;
        let count = self.finished.len();
        for rank in 0..count {
            let line = search.find_line(self, depth, rank)?;
            self.finish_pass(&line);
        }
        // A later PV may have scored better.
        search.sort_moves(count, |m| self.rank(m));
        Ok(())
    }

    /// Starts the search of a root move, numbered from 1. It is reported once the search takes
    /// long.
    pub(super) fn begin_move(&mut self, stopper: &Stopper<'_>, depth: u32, m: Move, number: usize) {
        self.searched = self.searched.max(number - 1);
        let elapsed = stopper.elapsed();
        // As in Stockfish, short searches do not flood the GUI with moves.
        if elapsed >= REPORTS_MOVES_AFTER {
            (self.report)(&SearchUpdate::CurrentMove {
                depth,
                m,
                number,
                nodes: stopper.nodes(),
                elapsed,
            });
        }
    }

    /// The first pass has found a better PV, with the root move of this number.
    pub(super) fn improve(&mut self, line: &PvLine, number: usize) {
        self.searched = self.searched.max(number);
        self.unfinished = Some(line.clone());
        if self.finished.len() == 1 && line.elapsed >= REPORTS_LINES_AFTER {
            self.report(self.lines(), line);
        }
    }

    /// The first pass failed low and is searched again: `line` has the upper bound of the score.
    /// With `MultiPV` it is not reported, since the score belongs to no PV.
    pub(super) fn fail_low(&mut self, line: &PvLine) {
        self.searched = 0;
        if self.finished.len() == 1 && line.elapsed >= REPORTS_LINES_AFTER {
            let pv = self.best().map_or_else(Vec::new, |best| best.pv);
            (self.report)(&SearchUpdate::Line(PvLine {
                bound: Some(ScoreBound::Upper),
                pv: pv_of_capped(&pv, line.value),
                ..line.clone()
            }));
        }
    }

    /// Finishes a pass with this PV. After the last pass of an iteration all PVs are reported;
    /// after other passes only if the last report was some time ago, since there may be 218 of
    /// each.
    fn finish_pass(&mut self, line: &PvLine) {
        self.found.push(line.clone());
        if self.found.len() == self.finished.len() {
            self.finished = self.lines();
            self.report(self.finished.clone(), line);
        } else if line.elapsed >= self.reported_at + REPORTS_LINES_AFTER {
            self.report(self.lines(), line);
        }
    }

    /// Finishes the search and reports what has not been reported yet, with the statistics of
    /// `now`.
    fn finish(&mut self, now: &PvLine) {
        let is_known = |(line, known): (&PvLine, &PvLine)| {
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

    /// The best PV; `None` if there is no legal move.
    fn best(&self) -> Option<PvLine> {
        self.lines().into_iter().next()
    }

    /// The current PVs, best first.
    ///
    /// An unfinished iteration contributes the PVs of its finished passes; the rest are those of
    /// the previous iteration. In its first pass the best PV so far counts unless a move not
    /// searched since had a higher score; with a single PV it always counts, because the best move
    /// is searched first. A PV of the previous iteration cannot be better than those of this one,
    /// so its score is capped.
    fn lines(&self) -> Vec<PvLine> {
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
        let is_new =
            |&(_, line): &(usize, &PvLine)| lines.iter().all(|new| new.pv[0] != line.pv[0]);
        let older: Vec<PvLine> = (self.finished.iter().enumerate())
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

    /// A PV of the previous iteration with its score capped: then an upper bound, unless its move
    /// has not been searched at all.
    fn at_most(&self, most: i32, index: usize, line: &PvLine) -> PvLine {
        if line.value <= most {
            return line.clone();
        }
        let is_searched = line.depth > 0 || index < self.searched || !self.found.is_empty();
        PvLine {
            value: most,
            bound: is_searched.then_some(ScoreBound::Upper),
            pv: pv_of_capped(&line.pv, most),
            ..line.clone()
        }
    }

    /// Reports PVs together, with the same statistics, so that neither nodes nor time decrease.
    fn report(&mut self, lines: Vec<PvLine>, now: &PvLine) {
        for line in &lines {
            (self.report)(&SearchUpdate::Line(PvLine {
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

    /// The rank of a move among the PVs of the last finished iteration; last if it has none.
    fn rank(&self, m: Move) -> usize {
        let mut lines = self.finished.iter();
        lines
            .position(|line| line.pv[0] == m)
            .unwrap_or(self.finished.len())
    }

    /// The score of the last finished iteration.
    fn value(&self) -> i32 {
        self.finished.first().map_or(0, |line| line.value)
    }

    /// Whether the requested mate has been found.
    fn is_proved(&self) -> bool {
        // A mate in `n` moves ends 2n - 1 plies below the root.
        let proved = |moves: u32| i64::from(MATE - self.value()) < 2 * i64::from(moves);
        self.limits.mate.is_some_and(proved)
    }

    /// Whether further iterations can change neither the best move nor the score.
    fn is_settled(&self, depth: u32, moves: usize) -> bool {
        let value = self.value();
        // A shorter mate would have been found by a shallower iteration.
        moves == 1 || is_mate(value) && (MATE - value.abs()).unsigned_abs() <= depth
    }
}

/// The root moves allowed by the limits: `searchmoves`, or all if none of them is legal.
pub(super) fn allowed(all: Vec<Move>, limits: &SearchLimits) -> Vec<Move> {
    let wanted = |m: &Move| limits.searchmoves.contains(m);
    let some: Vec<Move> = all.iter().copied().filter(wanted).collect();
    if some.is_empty() { all } else { some }
}

/// What remains of a PV whose score is capped: with a mate score only its first move, because the
/// rest is of another score and does not end in that mate.
fn pv_of_capped(pv: &[Move], value: i32) -> Vec<Move> {
    let most = if is_mate(value) { 1 } else { pv.len() };
    pv.iter().copied().take(most).collect()
}
