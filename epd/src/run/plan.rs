//! The positions to run, records that have a goal, and the limits of their searches.

use std::fmt;
use std::time::Duration;

use chess::rules::Position;
use uci::grammar::Go;

use super::goal::{Goal, GoalError};
use crate::text::{Diagnostic, Record, Severity, Suite, SuiteEntry};

#[derive(Clone, Debug)]
pub(crate) struct RunCase {
    /// Index of its suite.
    pub(crate) suite: usize,
    /// The line, from 1.
    pub(crate) line: usize,
    pub(crate) record: Record,
    pub(crate) goal: Goal,
    pub(crate) asked: String,
    pub(crate) limits: PositionLimits,
    /// One of so many lines has to be a solution, if it is not only the first.
    pub(crate) lines: Option<usize>,
    /// The moves after the first that a puzzle asks for.
    pub(crate) later: Vec<PuzzleStep>,
    pub(crate) puzzle: Option<Puzzle>,
}

/// A position of a puzzle's solution, and the move to be found there.
#[derive(Clone, Debug)]
pub(crate) struct PuzzleStep {
    pub(crate) position: Position,
    pub(crate) goal: Goal,
}

/// What is known of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Puzzle {
    pub(crate) rating: u32,
    /// The rating deviation of Glicko; 0 if it is not known.
    pub(crate) deviation: u32,
    pub(crate) themes: Vec<String>,
}

impl RunCase {
    /// A position that is searched, whatever the engine plays.
    #[cfg(feature = "task")]
    pub(crate) fn without_goal(position: Position, limits: PositionLimits) -> Self {
        Self {
            suite: 0,
            line: 1,
            record: Record::new(position),
            goal: Goal::default(),
            asked: String::new(),
            limits,
            lines: None,
            later: Vec::new(),
            puzzle: None,
        }
    }

    /// The positions to search, each with its goal: one, or several of a puzzle.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (&Position, &Goal)> {
        let later = self.later.iter();
        let later = later.map(|step| (&step.position, &step.goal));
        std::iter::once((self.record.position(), &self.goal)).chain(later)
    }

    /// The number of lines to expect in one of its positions, if several count.
    pub(crate) fn lines_of(&self, position: &Position) -> Option<usize> {
        self.lines
            .map(|lines| lines.min(position.legal_moves().len()))
    }

    /// Its name in a list of its suite.
    pub(crate) fn name(&self) -> String {
        let line = || format!("line {}", self.line);
        self.record.id().map_or_else(line, str::to_owned)
    }
}

/// A goal that cannot be read, or only with faults ignored.
#[derive(Clone, Debug)]
pub(crate) struct GoalFault {
    /// The line, from 1.
    pub(crate) line: usize,
    pub(crate) error: GoalError,
}

#[derive(Clone, Debug)]
pub(crate) struct SuiteCases {
    pub(crate) name: String,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) unreadable: Vec<GoalFault>,
    /// Faults ignored in goals that are run, such as duplicate points.
    pub(crate) warnings: Vec<GoalFault>,
    pub(crate) without_goal: usize,
    /// The records without a goal or with an unreadable one.
    pub(crate) not_run: Vec<SuiteEntry>,
}

impl SuiteCases {
    /// The unreadable lines with the reasons, in order.
    pub(crate) fn faults(&self) -> Vec<(usize, String)> {
        let errors = self.diagnostics.iter();
        let errors = errors.filter(|one| one.severity() == Severity::Error);
        let errors = errors.map(|one| (one.line, one.problem.to_string()));
        let goals = self.unreadable.iter();
        let goals = goals.map(|one| (one.line, one.error.to_string()));
        let mut faults: Vec<_> = errors.chain(goals).collect();
        faults.sort();
        faults
    }
}

/// The suites and positions of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunPlan {
    pub(crate) suites: Vec<SuiteCases>,
    pub(crate) cases: Vec<RunCase>,
}

impl RunPlan {
    /// Builds the plan from the goals of all records.
    pub(crate) fn new(suites: Vec<Suite>, limits: PositionLimits) -> Self {
        let mut plan = Self::default();
        for suite in suites {
            plan.add(suite, limits);
        }
        plan
    }

    /// Counts one of the first `lines` lines as a solution, in every position.
    pub(crate) fn set_lines(&mut self, lines: usize) {
        for case in &mut self.cases {
            case.lines = Some(lines);
        }
    }

    /// Whether a suite has an unreadable line.
    pub(crate) fn has_faults(&self) -> bool {
        self.suites.iter().any(|suite| !suite.faults().is_empty())
    }

    fn add(&mut self, suite: Suite, limits: PositionLimits) {
        let mut summary = SuiteCases {
            name: suite.name,
            diagnostics: suite.diagnostics,
            unreadable: Vec::new(),
            warnings: Vec::new(),
            without_goal: 0,
            not_run: Vec::new(),
        };
        for entry in suite.entries {
            let line = entry.line;
            let mut warnings = Vec::new();
            let read = Goal::read_with_warnings(&entry.record, &mut warnings);
            let warnings = warnings.into_iter();
            let warnings = warnings.map(|error| GoalFault { line, error });
            summary.warnings.extend(warnings);
            match read {
                Err(error) => {
                    summary.unreadable.push(GoalFault { line, error });
                    summary.not_run.push(entry);
                }
                Ok(None) => {
                    summary.without_goal += 1;
                    summary.not_run.push(entry);
                }
                Ok(Some(goal)) => self.cases.push(RunCase {
                    suite: self.suites.len(),
                    line,
                    asked: goal.describe(entry.record.position()),
                    goal,
                    limits,
                    record: entry.record,
                    lines: None,
                    later: Vec::new(),
                    puzzle: None,
                }),
            }
        }
        self.suites.push(summary);
    }
}

/// The limits of one search, which ends at the first one reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PositionLimits {
    pub(crate) nodes: Option<u64>,
    /// In plies.
    pub(crate) depth: Option<u32>,
    pub(crate) time: Option<Duration>,
    /// Search for a mate in this many moves (`go mate`).
    pub(crate) mate: Option<u32>,
}

impl From<kit::options::LimitArgs> for PositionLimits {
    fn from(args: kit::options::LimitArgs) -> Self {
        Self {
            nodes: args.nodes,
            depth: args.depth,
            time: args.movetime,
            mate: None,
        }
    }
}

impl PositionLimits {
    /// Whether no limit is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// One limit of each kind that any of the cases has.
    pub(crate) fn of_all(cases: &[RunCase]) -> Self {
        let all = || cases.iter().map(|case| case.limits);
        Self {
            nodes: all().find_map(|limits| limits.nodes),
            depth: all().find_map(|limits| limits.depth),
            time: all().find_map(|limits| limits.time),
            mate: all().find_map(|limits| limits.mate),
        }
    }

    /// The parameters of `go`.
    pub fn to_go(self) -> Go {
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Go {
            nodes: self.nodes,
            depth: self.depth,
            movetime_ms: self.time.map(milliseconds),
            mate: self.mate,
            ..Go::default()
        }
    }
}

/// Formats as `nodes 1000, depth 5`, or `no limit`.
impl fmt::Display for PositionLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.time.map(|time| time.as_secs_f64());
        let parts = [
            self.nodes.map(|nodes| format!("nodes {nodes}")),
            self.depth.map(|depth| format!("depth {depth}")),
            seconds.map(|seconds| format!("time {seconds} s")),
            self.mate.map(|moves| format!("mate {moves}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() {
            return f.write_str("no limit");
        }
        f.write_str(&parts.join(", "))
    }
}
