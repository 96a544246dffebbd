//! What came of the searches of one engine.

use std::time::Duration;

use super::case::Case;
use crate::score::{Answer, IllegalPv, Moment};

/// What an engine says of itself, or why it could not be met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// It is ready to search.
    Ready {
        /// What it calls itself.
        name: Option<String>,
        /// Whether it has the option `UCI_Chess960`.
        chess960: bool,
    },
    /// It does not take an option that is to be set.
    Refused {
        /// Why not.
        reason: String,
    },
    /// It does not start.
    Failed {
        /// Why not.
        reason: String,
        /// What was said.
        transcript: String,
    },
}

/// How an engine failed over a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It ended, or its pipes broke.
    #[error("crashed: {how}")]
    Crashed {
        /// How.
        how: String,
    },
    /// It runs, but does not answer, not even to `stop`.
    #[error("hangs: {what}")]
    Hung {
        /// What it does not answer.
        what: String,
    },
    /// It answered only when told to stop.
    #[error("overdue: no bestmove within {} s, only after stop", .after.as_secs_f64())]
    Overdue {
        /// How long it was given.
        after: Duration,
    },
    /// Its best move is not legal.
    #[error("illegal: {what}")]
    Illegal {
        /// What it said, and where.
        what: String,
    },
}

impl Fault {
    /// The word for machines.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Crashed { .. } => "crashed",
            Self::Hung { .. } => "hung",
            Self::Overdue { .. } => "overdue",
            Self::Illegal { .. } => "illegal",
        }
    }
}

/// What came of one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A legal best move.
    Answered(Box<Answer>),
    /// A failure of the engine.
    Failed {
        /// How it failed.
        fault: Fault,
        /// What was said about this position.
        transcript: String,
    },
    /// Not asked: the engine has no `UCI_Chess960`.
    NeedsChess960,
}

impl Outcome {
    /// The answer, where there is one.
    pub fn answer(&self) -> Option<&Answer> {
        match self {
            Self::Answered(answer) => Some(answer),
            _ => None,
        }
    }

    /// The word for machines.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Answered(answer) if answer.solved => "solved",
            Self::Answered(_) => "unsolved",
            Self::Failed { fault, .. } => fault.kind(),
            Self::NeedsChess960 => "needs-chess960",
        }
    }
}

/// How a position stands after all its searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Not searched, or not often enough: the run was cancelled.
    Open,
    /// Not asked: the engine has no `UCI_Chess960`.
    NeedsChess960,
    /// Solved in more than half of its searches.
    Solved,
    /// Not so.
    Unsolved,
}

impl State {
    /// The word for machines.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::NeedsChess960 => "needs-chess960",
            Self::Solved => "solved",
            Self::Unsolved => "unsolved",
        }
    }
}

/// An engine and what came of its searches.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The command by which it is started.
    pub command: String,
    /// Who it is.
    pub meeting: Meeting,
    /// How long it all took.
    pub time: Duration,
    /// Whether the run was cancelled.
    pub interrupted: bool,
    /// For each case, each of its searches.
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
    /// Positions not asked.
    pub needs_chess960: usize,
    /// Positions not searched, or not often enough.
    pub open: usize,
    /// Points of all searches.
    pub points: u64,
    /// Points that could have been had.
    pub most_points: u64,
    /// Nodes of all searches, as far as told.
    pub nodes: u64,
    /// Nodes to the solutions, as far as told.
    pub solution_nodes: u64,
    /// Time of all searches.
    pub time: Duration,
    /// Time to the solutions.
    pub solution_time: Duration,
}

impl Totals {
    /// Positions that were put to the engine as often as was asked.
    pub fn asked(&self) -> usize {
        self.solved + self.unsolved
    }
}

impl Trial {
    /// A trial of so many cases, each to be searched so often.
    pub fn new(command: String, meeting: Meeting, cases: usize, repeat: usize) -> Self {
        Self {
            command,
            meeting,
            time: Duration::ZERO,
            interrupted: false,
            outcomes: vec![vec![None; repeat]; cases],
        }
    }

    /// Notes what came of a search.
    pub fn record(&mut self, case: usize, repeat: usize, outcome: Outcome) {
        self.outcomes[case][repeat] = Some(outcome);
    }

    /// What came of the searches of a case, as far as they were made.
    pub fn outcomes(&self, case: usize) -> impl Iterator<Item = &Outcome> {
        self.outcomes[case].iter().flatten()
    }

    /// All searches of a case, those not made too.
    pub fn searches(&self, case: usize) -> &[Option<Outcome>] {
        &self.outcomes[case]
    }

    /// The answers of a case.
    pub fn answers(&self, case: usize) -> impl Iterator<Item = &Answer> {
        self.outcomes(case).filter_map(Outcome::answer)
    }

    /// The first failure of the engine over a case, and what was said.
    pub fn fault(&self, case: usize) -> Option<(&Fault, &str)> {
        self.outcomes(case).find_map(|outcome| match outcome {
            Outcome::Failed { fault, transcript } => Some((fault, transcript.as_str())),
            _ => None,
        })
    }

    /// The first variation told in a case that is not legal.
    pub fn illegal_pv(&self, case: usize) -> Option<&IllegalPv> {
        let mut answers = self.answers(case);
        answers.find_map(|answer| answer.illegal_pv.as_ref())
    }

    /// In how many searches a case was solved, and of how many.
    pub fn solved_of(&self, case: usize) -> (usize, usize) {
        let solved = self.answers(case).filter(|answer| answer.solved).count();
        (solved, self.outcomes[case].len())
    }

    /// How a case stands.
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

    /// The cases that were searched as often as was asked, in their order.
    pub fn searched(&self) -> impl Iterator<Item = usize> {
        let is_searched =
            |&case: &usize| matches!(self.state(case), State::Solved | State::Unsolved);
        (0..self.outcomes.len()).filter(is_searched)
    }

    /// The answer that stands for a case: the first that solves it if it is solved, else the first
    /// that does not.
    pub fn typical(&self, case: usize) -> Option<&Answer> {
        let solved = self.state(case) == State::Solved;
        self.answers(case)
            .find(|answer| answer.solved == solved)
            .or_else(|| self.answers(case).next())
    }

    /// The solution of the middle search, those that solve the case ordered by nodes, then time;
    /// of two in the middle the cheaper.
    pub fn median_solution(&self, case: usize) -> Option<Moment> {
        let solutions = self.answers(case).filter_map(|answer| answer.solution);
        let mut solutions: Vec<Moment> = solutions.collect();
        solutions.sort_by_key(|moment| (moment.nodes, moment.time));
        let middle = solutions.len().checked_sub(1)? / 2;
        solutions.get(middle).copied()
    }

    /// The points of a case, of all its searches, and the most it could have.
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
