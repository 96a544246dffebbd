//! The positions to run: records that have a goal.

use crate::goal::{Goal, GoalError};
use crate::trial::limits::Limits;
use crate::{Diagnostic, Entry, Record, Severity, Suite};

/// A position to run on engines.
#[derive(Clone, Debug)]
pub struct Case {
    /// Index of its suite.
    pub suite: usize,
    /// The line, from 1.
    pub line: usize,
    /// The record.
    pub record: Record,
    /// Its goal.
    pub goal: Goal,
    /// The goal, as text.
    pub asked: String,
    /// The search limits.
    pub limits: Limits,
}

impl Case {
    /// Its name in a list of its suite.
    pub fn name(&self) -> String {
        let line = || format!("line {}", self.line);
        self.record.id().map_or_else(line, str::to_owned)
    }
}

/// A goal that cannot be read, or only with faults ignored.
#[derive(Clone, Debug)]
pub struct GoalFault {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub error: GoalError,
}

/// A suite, as planned.
#[derive(Clone, Debug)]
pub struct SuitePlan {
    /// What it is called.
    pub name: String,
    /// The diagnostics from reading it.
    pub diagnostics: Vec<Diagnostic>,
    /// The records whose goal cannot be read.
    pub unreadable: Vec<GoalFault>,
    /// Faults ignored in goals that are run, such as duplicate points.
    pub warnings: Vec<GoalFault>,
    /// Number of records without a goal.
    pub without_goal: usize,
    /// The records that are not run, without a goal or with an unreadable one.
    pub not_run: Vec<Entry>,
}

impl SuitePlan {
    /// The unreadable lines with the reasons, in order.
    pub fn faults(&self) -> Vec<(usize, String)> {
        let errors = self
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity() == Severity::Error)
            .map(|diagnostic| (diagnostic.line, diagnostic.problem.to_string()));
        let goals = self
            .unreadable
            .iter()
            .map(|unreadable| (unreadable.line, unreadable.error.to_string()));
        let mut faults: Vec<_> = errors.chain(goals).collect();
        faults.sort();
        faults
    }
}

/// The suites and positions of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The suites.
    pub suites: Vec<SuitePlan>,
    /// The positions of all suites.
    pub cases: Vec<Case>,
}

/// Where the search limits come from.
#[derive(Clone, Copy, Debug)]
pub struct LimitRule {
    /// The limits of the command line.
    pub given: Limits,
    /// Whether a record's own limits take precedence.
    pub from_record: bool,
}

impl LimitRule {
    fn limits(&self, record: &Record) -> Result<Limits, GoalError> {
        if !self.from_record {
            return Ok(self.given);
        }
        let own = Limits::of_record(record)?;
        Ok(if own.is_empty() { self.given } else { own })
    }
}

/// Builds the plan from the goals of all records.
pub fn plan(suites: Vec<Suite>, rule: LimitRule) -> Plan {
    let mut plan = Plan {
        suites: Vec::new(),
        cases: Vec::new(),
    };
    for suite in suites {
        plan.add(suite, rule);
    }
    plan
}

impl Plan {
    /// Whether a suite has an unreadable line.
    pub fn has_faults(&self) -> bool {
        self.suites.iter().any(|suite| !suite.faults().is_empty())
    }

    fn add(&mut self, suite: Suite, rule: LimitRule) {
        let mut summary = SuitePlan {
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
            let read = Goal::read_with_warnings(&entry.record, &mut warnings)
                .and_then(|goal| Ok((goal, rule.limits(&entry.record)?)));
            let warnings = warnings.into_iter();
            let warnings = warnings.map(|error| GoalFault { line, error });
            summary.warnings.extend(warnings);
            match read {
                Err(error) => {
                    summary.unreadable.push(GoalFault { line, error });
                    summary.not_run.push(entry);
                }
                Ok((None, _)) => {
                    summary.without_goal += 1;
                    summary.not_run.push(entry);
                }
                Ok((Some(goal), limits)) => self.cases.push(Case {
                    suite: self.suites.len(),
                    line,
                    asked: goal.describe(entry.record.position()),
                    goal,
                    limits,
                    record: entry.record,
                }),
            }
        }
        self.suites.push(summary);
    }
}
