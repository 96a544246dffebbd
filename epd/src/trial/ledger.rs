//! The results of one engine.

use std::time::Duration;

use super::case::Case;
use crate::score::{Answer, IllegalPv, Moment};

/// The outcome of the handshake with an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// It is ready to search.
    Ready {
        /// The name in `id name`.
        name: Option<String>,
        /// Whether it has the option `UCI_Chess960`.
        chess960: bool,
    },
    /// It rejects an option that is to be set.
    Refused {
        /// Why not.
        reason: String,
    },
    /// It does not start or complete the handshake.
    Failed {
        /// Why not.
        reason: String,
        /// The transcript so far.
        transcript: String,
    },
}

/// How an engine failed on a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It ended, or its pipes broke.
    #[error("crashed: {how}")]
    Crashed {
        /// How it ended.
        how: String,
    },
    /// It runs, but does not answer even `stop`.
    #[error("hangs: {what}")]
    Hung {
        /// What it did not answer.
        what: String,
    },
    /// It answered only after `stop`.
    #[error("overdue: no bestmove within {} s, only after stop", .after.as_secs_f64())]
    Overdue {
        /// Its time limit.
        after: Duration,
    },
    /// Its best move is illegal.
    #[error("illegal: {what}")]
    Illegal {
        /// The move and the position.
        what: String,
    },
}

impl Fault {
    /// A short machine-readable name.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Crashed { .. } => "crashed",
            Self::Hung { .. } => "hung",
            Self::Overdue { .. } => "overdue",
            Self::Illegal { .. } => "illegal",
        }
    }
}

/// The result of one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A legal best move.
    Answered(Box<Answer>),
    /// A failure of the engine.
    Failed {
        /// How it failed.
        fault: Fault,
        /// The transcript of this position.
        transcript: String,
    },
    /// Not run: the engine lacks `UCI_Chess960`.
    NeedsChess960,
}

impl Outcome {
    /// The answer, if there is one.
    pub fn answer(&self) -> Option<&Answer> {
        match self {
            Self::Answered(answer) => Some(answer),
            _ => None,
        }
    }

    /// A short machine-readable name.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Answered(answer) if answer.solved => "solved",
            Self::Answered(_) => "unsolved",
            Self::Failed { fault, .. } => fault.kind(),
            Self::NeedsChess960 => "needs-chess960",
        }
    }
}

/// The state of a position after all its searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Not searched, or not often enough: the run was cancelled.
    Open,
    /// Not run: the engine lacks `UCI_Chess960`.
    NeedsChess960,
    /// Solved in more than half of its searches.
    Solved,
    /// Solved in half of its searches or fewer.
    Unsolved,
}

impl State {
    /// A short machine-readable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::NeedsChess960 => "needs-chess960",
            Self::Solved => "solved",
            Self::Unsolved => "unsolved",
        }
    }
}

/// An engine and the results of its searches.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The command line that starts it.
    pub command: String,
    /// The outcome of the handshake.
    pub meeting: Meeting,
    /// Total duration.
    pub time: Duration,
    /// Whether the run was cancelled.
    pub interrupted: bool,
    /// The searches of each case.
    outcomes: Vec<Vec<Option<Outcome>>>,
}

/// Totals over cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Positions solved.
    pub solved: usize,
    /// Positions not solved.
    pub unsolved: usize,
    /// Positions in which the engine failed at least once, solved or not.
    pub failed: usize,
    /// Positions not run for lack of `UCI_Chess960`.
    pub needs_chess960: usize,
    /// Positions not searched, or not often enough.
    pub open: usize,
    /// Points of all searches.
    pub points: u64,
    /// Maximum possible points.
    pub most_points: u64,
    /// Nodes of all searches, as far as reported.
    pub nodes: u64,
    /// Nodes to the solutions, as far as reported.
    pub solution_nodes: u64,
    /// Time of all searches.
    pub time: Duration,
    /// Time to the solutions.
    pub solution_time: Duration,
}

impl Totals {
    /// Number of positions that were searched the requested number of times.
    pub fn asked(&self) -> usize {
        self.solved + self.unsolved
    }
}

impl Trial {
    /// A trial of `cases` cases, each to be searched `repeat` times.
    pub fn new(command: String, meeting: Meeting, cases: usize, repeat: usize) -> Self {
        Self {
            command,
            meeting,
            time: Duration::ZERO,
            interrupted: false,
            outcomes: vec![vec![None; repeat]; cases],
        }
    }

    /// Records the result of a search.
    pub fn record(&mut self, case: usize, repeat: usize, outcome: Outcome) {
        self.outcomes[case][repeat] = Some(outcome);
    }

    /// The results of a case, as far as it was searched.
    pub fn outcomes(&self, case: usize) -> impl Iterator<Item = &Outcome> {
        self.outcomes[case].iter().flatten()
    }

    /// All searches of a case, including those not made.
    pub fn searches(&self, case: usize) -> &[Option<Outcome>] {
        &self.outcomes[case]
    }

    /// The answers of a case.
    pub fn answers(&self, case: usize) -> impl Iterator<Item = &Answer> {
        self.outcomes(case).filter_map(Outcome::answer)
    }

    /// The engine's first failure on a case, with its transcript.
    pub fn fault(&self, case: usize) -> Option<(&Fault, &str)> {
        self.outcomes(case).find_map(|outcome| match outcome {
            Outcome::Failed { fault, transcript } => Some((fault, transcript.as_str())),
            _ => None,
        })
    }

    /// The first illegal PV reported in a case.
    pub fn illegal_pv(&self, case: usize) -> Option<&IllegalPv> {
        let mut answers = self.answers(case);
        answers.find_map(|answer| answer.illegal_pv.as_ref())
    }

    /// Number of searches that solved a case, and number of searches.
    pub fn solved_of(&self, case: usize) -> (usize, usize) {
        let solved = self.answers(case).filter(|answer| answer.solved).count();
        (solved, self.outcomes[case].len())
    }

    /// The state of a case.
    pub fn state(&self, case: usize) -> State {
        if self.outcomes[case].iter().any(Option::is_none) {
            return State::Open;
        }
        if self
            .outcomes(case)
            .any(|one| *one == Outcome::NeedsChess960)
        {
            return State::NeedsChess960;
        }
        let (solved, of) = self.solved_of(case);
        if 2 * solved > of {
            State::Solved
        } else {
            State::Unsolved
        }
    }

    /// The cases that were searched the requested number of times, in order.
    pub fn searched(&self) -> impl Iterator<Item = usize> {
        let is_searched =
            |&case: &usize| matches!(self.state(case), State::Solved | State::Unsolved);
        (0..self.outcomes.len()).filter(is_searched)
    }

    /// The representative answer of a case: the first that solves it if it is solved, else the
    /// first that does not.
    pub fn typical(&self, case: usize) -> Option<&Answer> {
        let solved = self.state(case) == State::Solved;
        self.answers(case)
            .find(|answer| answer.solved == solved)
            .or_else(|| self.answers(case).next())
    }

    /// The median solution of a case, ordered by nodes, then time; of two in the middle the
    /// cheaper.
    pub fn median_solution(&self, case: usize) -> Option<Moment> {
        let solutions = self.answers(case).filter_map(|answer| answer.solution);
        let mut solutions: Vec<Moment> = solutions.collect();
        solutions.sort_by_key(|moment| (moment.nodes, moment.time));
        let middle = solutions.len().checked_sub(1)? / 2;
        solutions.get(middle).copied()
    }

    /// The points of a case over all its searches, and the maximum possible.
    pub fn points(&self, cases: &[Case], case: usize) -> Option<(u64, u64)> {
        let most = cases[case].goal.points.as_ref()?.most();
        let points = self.answers(case).filter_map(|answer| answer.points);
        let searches = self.outcomes[case].len() as u64;
        Some((points.map(u64::from).sum(), u64::from(most) * searches))
    }

    /// The totals of one suite, or of all.
    pub fn totals(&self, cases: &[Case], suite: Option<usize>) -> Totals {
        let mut totals = Totals::default();
        for index in 0..cases.len() {
            if suite.is_none_or(|suite| cases[index].suite == suite) {
                self.add_to(&mut totals, cases, index);
            }
        }
        totals
    }

    fn add_to(&self, totals: &mut Totals, cases: &[Case], case: usize) {
        totals.failed += usize::from(self.fault(case).is_some());
        match self.state(case) {
            State::Open => totals.open += 1,
            State::NeedsChess960 => totals.needs_chess960 += 1,
            State::Solved => totals.solved += 1,
            State::Unsolved => totals.unsolved += 1,
        }
        if let (State::Solved | State::Unsolved, Some((points, most))) =
            (self.state(case), self.points(cases, case))
        {
            totals.points += points;
            totals.most_points += most;
        }
        for answer in self.answers(case) {
            totals.nodes = totals.nodes.saturating_add(answer.end.nodes.unwrap_or(0));
            totals.time += answer.end.time;
            if let Some(solution) = answer.solution {
                let nodes = solution.nodes.unwrap_or(0);
                totals.solution_nodes = totals.solution_nodes.saturating_add(nodes);
                totals.solution_time += solution.time;
            }
        }
    }
}
