//! The results of one engine.

use std::time::Duration;

use serde::Serialize;

use super::claims::{ClaimRecorder, MateClaims};
use super::plan::RunCase;
use super::score::{IllegalPv, SearchAnswer, SearchMoment, seconds};

/// The outcome of the handshake with an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Handshake {
    /// It is ready to search; `name` is that of `id name`.
    Ready {
        name: Option<String>,
        chess960: bool,
    },
    /// It starts, but cannot be used as it is to be.
    Refused { why: Refusal, reason: String },
    /// It does not start or complete the handshake.
    Failed { reason: String, transcript: String },
}

/// What an engine that starts does not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It rejects an option that is to be set.
    Option,
    /// It ignores a limit of the searches.
    Limit,
}

impl Refusal {
    /// A short machine-readable name.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Option => "option",
            Self::Limit => "limit",
        }
    }

    /// Why nothing was run, in words.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Option => "NOT RUN: an option cannot be set",
            Self::Limit => "NOT RUN: a limit is not obeyed",
        }
    }
}

/// How an engine failed on a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SearchFault {
    /// It ended, or its pipes broke.
    #[error("crashed: {how}")]
    Crashed { how: String },
    /// It runs, but does not answer even `stop`.
    #[error("hangs: {what}")]
    Hung { what: String },
    #[error("overdue: no bestmove within {} s, only after stop", .after.as_secs_f64())]
    Overdue { after: Duration },
    #[error("illegal: {what}")]
    Illegal { what: String },
}

impl SearchFault {
    /// A short machine-readable name.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Crashed { .. } => "crashed",
            Self::Hung { .. } => "hung",
            Self::Overdue { .. } => "overdue",
            Self::Illegal { .. } => "illegal",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SearchOutcome {
    Answered(Box<SearchAnswer>),
    /// A failure of the engine, with the transcript of this position.
    Failed {
        fault: SearchFault,
        transcript: String,
    },
    /// Not run: the engine lacks `UCI_Chess960`.
    NeedsChess960,
}

impl SearchOutcome {
    pub(crate) fn answer(&self) -> Option<&SearchAnswer> {
        match self {
            Self::Answered(answer) => Some(answer),
            _ => None,
        }
    }

    /// A short machine-readable name.
    pub(crate) fn as_str(&self) -> &'static str {
        match self {
            Self::Answered(answer) if answer.solved => "solved",
            Self::Answered(_) => "unsolved",
            Self::Failed { fault, .. } => fault.kind(),
            Self::NeedsChess960 => "needs-chess960",
        }
    }
}

/// The state of a position after all its searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PositionState {
    /// Not searched, or not often enough: the run was cancelled.
    Open,
    /// Not run: the engine lacks `UCI_Chess960`.
    #[serde(rename = "needs-chess960")]
    NeedsChess960,
    /// Solved in more than half of its searches.
    Solved,
    /// Solved in half of its searches or fewer.
    Unsolved,
}

/// An engine and the results of its searches.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    pub(crate) command: String,
    pub(crate) handshake: Handshake,
    /// The time of the whole run; of it, `earlier` is that of runs that were interrupted.
    pub(crate) time: Duration,
    pub(crate) earlier: Duration,
    pub(crate) interrupted: bool,
    outcomes: Vec<Vec<Option<SearchOutcome>>>,
}

/// Totals over cases, as in the JSON report; points, nodes and time are those of all searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Totals {
    pub(crate) solved: usize,
    pub(crate) unsolved: usize,
    /// Positions in which the engine failed at least once, solved or not.
    pub(crate) failed: usize,
    pub(crate) needs_chess960: usize,
    pub(crate) open: usize,
    pub(crate) points: u64,
    pub(crate) most_points: u64,
    /// Solved by the best move itself, where one of several lines counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) solved_first: Option<usize>,
    /// Searches that were stopped once their solution was stable.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) stopped_early: usize,
    /// Of all searches, as far as reported.
    pub(crate) nodes: u64,
    /// To the solutions, as far as reported.
    pub(crate) solution_nodes: u64,
    #[serde(rename = "search_seconds", serialize_with = "seconds")]
    pub(crate) time: Duration,
    #[serde(rename = "solution_seconds", serialize_with = "seconds")]
    pub(crate) solution_time: Duration,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde demands it")]
fn is_zero(&count: &usize) -> bool {
    count == 0
}

impl Totals {
    /// Number of positions that were searched the requested number of times.
    pub(crate) fn asked(&self) -> usize {
        self.solved + self.unsolved
    }
}

impl Trial {
    /// A trial of `cases` cases, each to be searched `repeat` times.
    pub(crate) fn new(command: String, handshake: Handshake, cases: usize, repeat: usize) -> Self {
        Self {
            command,
            handshake,
            time: Duration::ZERO,
            earlier: Duration::ZERO,
            interrupted: false,
            outcomes: vec![vec![None; repeat]; cases],
        }
    }

    pub(crate) fn record(&mut self, case: usize, repeat: usize, outcome: SearchOutcome) {
        self.outcomes[case][repeat] = Some(outcome);
    }

    /// The results of a case, as far as it was searched.
    pub(crate) fn outcomes(&self, case: usize) -> impl Iterator<Item = &SearchOutcome> {
        self.outcomes[case].iter().flatten()
    }

    /// All searches of a case, including those not made.
    pub(crate) fn searches(&self, case: usize) -> &[Option<SearchOutcome>] {
        &self.outcomes[case]
    }

    pub(crate) fn answers(&self, case: usize) -> impl Iterator<Item = &SearchAnswer> {
        self.outcomes(case).filter_map(SearchOutcome::answer)
    }

    /// Judges the mates that were announced in a case anew.
    pub(crate) fn judge_claims(
        &mut self,
        case: usize,
        judge: impl Fn(&ClaimRecorder) -> MateClaims,
    ) {
        for outcome in self.outcomes[case].iter_mut().flatten() {
            if let SearchOutcome::Answered(answer) = outcome
                && let Some(claims) = &mut answer.claims
            {
                *claims = judge(&claims.recorder);
            }
        }
    }

    /// The engine's first failure on a case, with its transcript.
    pub(crate) fn fault(&self, case: usize) -> Option<(&SearchFault, &str)> {
        self.outcomes(case).find_map(|outcome| match outcome {
            SearchOutcome::Failed { fault, transcript } => Some((fault, transcript.as_str())),
            _ => None,
        })
    }

    /// The first illegal PV reported in a case.
    pub(crate) fn illegal_pv(&self, case: usize) -> Option<&IllegalPv> {
        let mut answers = self.answers(case);
        answers.find_map(|answer| answer.illegal_pv.as_ref())
    }

    /// Number of searches that solved a case, and number of searches.
    pub(crate) fn solved_of(&self, case: usize) -> (usize, usize) {
        let solved = self.answers(case).filter(|answer| answer.solved).count();
        (solved, self.outcomes[case].len())
    }

    /// Whether the best move itself solves a case in more than half of its searches.
    fn is_solved_first(&self, case: usize) -> bool {
        let first = self.answers(case).filter(|answer| answer.is_first());
        2 * first.count() > self.outcomes[case].len()
    }

    pub(crate) fn state(&self, case: usize) -> PositionState {
        if self.outcomes[case].iter().any(Option::is_none) {
            return PositionState::Open;
        }
        let needs_chess960 = |one: &SearchOutcome| *one == SearchOutcome::NeedsChess960;
        match self.solved_of(case) {
            _ if self.outcomes(case).any(needs_chess960) => PositionState::NeedsChess960,
            (solved, of) if 2 * solved > of => PositionState::Solved,
            _ => PositionState::Unsolved,
        }
    }

    /// The cases that were searched the requested number of times, in order.
    pub(crate) fn searched(&self) -> impl Iterator<Item = usize> {
        let is_searched = |&case: &usize| {
            matches!(
                self.state(case),
                PositionState::Solved | PositionState::Unsolved
            )
        };
        (0..self.outcomes.len()).filter(is_searched)
    }

    /// The representative answer of a case: the first that solves it if it is solved, else the
    /// first that does not.
    pub(crate) fn typical(&self, case: usize) -> Option<&SearchAnswer> {
        let solved = self.state(case) == PositionState::Solved;
        self.answers(case)
            .find(|answer| answer.solved == solved)
            .or_else(|| self.answers(case).next())
    }

    /// The median solution of a case, ordered by nodes, then time; of two in the middle the
    /// cheaper.
    pub(crate) fn median_solution(&self, case: usize) -> Option<SearchMoment> {
        let solutions = self.answers(case).filter_map(|answer| answer.solution);
        let mut solutions: Vec<SearchMoment> = solutions.collect();
        solutions.sort_by_key(|moment| (moment.nodes, moment.time));
        let middle = solutions.len().checked_sub(1)? / 2;
        solutions.get(middle).copied()
    }

    /// The points of a case over all its searches, and the maximum possible.
    pub(crate) fn points(&self, cases: &[RunCase], case: usize) -> Option<(u64, u64)> {
        let most = cases[case].goal.points.as_ref()?.most();
        let points = self.answers(case).filter_map(|answer| answer.points);
        let searches = self.outcomes[case].len() as u64;
        Some((points.map(u64::from).sum(), u64::from(most) * searches))
    }

    pub(crate) fn totals(&self, cases: &[RunCase], suite: Option<usize>) -> Totals {
        let mut totals = Totals::default();
        for (case, planned) in cases.iter().enumerate() {
            if suite.is_some_and(|suite| planned.suite != suite) {
                continue;
            }
            totals.failed += usize::from(self.fault(case).is_some());
            let state = self.state(case);
            match state {
                PositionState::Open => totals.open += 1,
                PositionState::NeedsChess960 => totals.needs_chess960 += 1,
                PositionState::Solved => {
                    totals.solved += 1;
                    if planned.lines.is_some() {
                        let first = usize::from(self.is_solved_first(case));
                        *totals.solved_first.get_or_insert(0) += first;
                    }
                }
                PositionState::Unsolved => totals.unsolved += 1,
            }
            if let (PositionState::Solved | PositionState::Unsolved, Some((points, most))) =
                (state, self.points(cases, case))
            {
                totals.points += points;
                totals.most_points += most;
            }
            for answer in self.answers(case) {
                totals.stopped_early += usize::from(answer.is_stopped);
                totals.nodes = totals.nodes.saturating_add(answer.end.nodes.unwrap_or(0));
                totals.time += answer.end.time;
                if let Some(solution) = answer.solution {
                    let nodes = solution.nodes.unwrap_or(0);
                    totals.solution_nodes = totals.solution_nodes.saturating_add(nodes);
                    totals.solution_time += solution.time;
                }
            }
        }
        totals
    }
}
