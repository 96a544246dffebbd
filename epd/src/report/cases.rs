//! The cases of a run: one for each engine and position, one for each line that cannot be read, and
//! one for each rule that an engine breaks as a whole.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use kit::report::{AnnotationLevel, Case, CaseSuite, Status};

use crate::run::ledger::{Handshake, Trial};
use crate::run::plan::{RunCase as Position, RunPlan, SuiteCases};
use crate::run::verdict::{PositionStatus, RunVerdict};

/// A judged run, of positions or of mates.
pub(crate) struct JudgedRun<'a> {
    pub(crate) plan: &'a RunPlan,
    /// The results of each engine, in the order of the command line.
    pub(crate) trials: &'a [Trial],
    pub(crate) verdict: &'a RunVerdict,
    /// Whether lines that cannot be read are let pass.
    pub(crate) allow_unreadable: bool,
    /// By engine; empty without a baseline.
    pub(crate) regressions: Vec<Regressions>,
}

/// The positions that got worse since the baseline: by index, the rule and what changed.
pub(crate) type Regressions = BTreeMap<usize, (&'static str, String)>;

impl<'a> JudgedRun<'a> {
    /// The suites of all engines. `describe` says in one line what is to be said of a position that did
    /// not pass; `line` is the verdict on an engine.
    pub(crate) fn suites(
        &self,
        describe: impl Fn(usize, usize) -> String,
        line: impl Fn(usize) -> String,
    ) -> Vec<CaseSuite<'a>> {
        let mut suites = Vec::new();
        for (engine, trial) in self.trials.iter().enumerate() {
            for (index, plan) in self.plan.suites.iter().enumerate() {
                // One annotation for each line, however many engines there are.
                let level = (engine == 0).then_some(AnnotationLevel::Error);
                let mut cases: Vec<Case<'a>> = self.lines(plan, level).collect();
                let positions = self.plan.cases.iter().enumerate();
                let positions = positions.filter(|(_, position)| position.suite == index);
                cases.extend(
                    positions
                        .map(|(number, _)| self.case(engine, number, || describe(engine, number))),
                );
                suites.push(CaseSuite::new(
                    format!("{} {}", trial.command, plan.name),
                    cases,
                ));
            }
            // A demand such as --min-solved belongs to no position, and needs a case for JUnit to
            // fail.
            let demands = self.demands(engine, &line(engine));
            if !demands.is_empty() {
                suites.push(CaseSuite::new(
                    format!("{} demands", trial.command),
                    demands,
                ));
            }
        }
        suites
    }

    /// The lines that cannot be read, and those that are read despite a fault.
    fn lines(
        &self,
        plan: &'a SuiteCases,
        level: Option<AnnotationLevel>,
    ) -> impl Iterator<Item = Case<'a>> {
        let (status, text) = if self.allow_unreadable {
            (Status::Skipped, "as --skip-bad allows: ")
        } else {
            (Status::BadInput, "")
        };
        // What --skip-bad allows does not fail the run, and an annotation as error would say that
        // it does.
        let level = level.map(|level| match status {
            Status::Skipped => AnnotationLevel::Warning,
            _ => level,
        });
        let faults = plan.faults().into_iter().map(move |(line, fault)| {
            let (name, text) = (format!("line {line}"), format!("{text}{fault}"));
            let case = Case::not_passed(status, name, "unreadable", text);
            in_file(case, &plan.name, line).annotated(level)
        });
        let doubts = plan.warnings.iter().map(move |warning| {
            let (name, text) = (format!("line {}", warning.line), warning.error.to_string());
            let case = Case::not_passed(Status::Skipped, name, "points in doubt", text);
            in_file(case, &plan.name, warning.line)
                .annotated(level.map(|_| AnnotationLevel::Warning))
        });
        faults.chain(doubts)
    }

    fn case(&self, engine: usize, index: usize, describe: impl Fn() -> String) -> Case<'a> {
        let (trial, position) = (&self.trials[engine], &self.plan.cases[index]);
        let not_passed = |status, rule: Cow<'a, str>| {
            self::position(self.plan, position, status, rule, describe())
        };
        let case = match &self.verdict.standings[engine][index] {
            PositionStatus::Passed => Case::passed(position.name()),
            PositionStatus::Open => Case::open(position.name()),
            // An engine that does not offer UCI_Chess960 would read the castling rights of the FEN
            // wrongly.
            PositionStatus::NeedsChess960 => {
                Case::skipped(position.name(), "not asked: the engine has no UCI_Chess960")
            }
            // Skipped is what JUnit has for a test that is expected to fail.
            PositionStatus::KnownFailure => not_passed(Status::Skipped, "known failure".into()),
            PositionStatus::Unsolved => not_passed(Status::Skipped, "unsolved".into()),
            PositionStatus::Failed(rules) => not_passed(Status::Failed, rules.join(", ").into())
                .details(position.record.to_string()),
            PositionStatus::Error => {
                let (kind, transcript) = trial
                    .fault(index)
                    .map_or(("error", ""), |(fault, transcript)| {
                        (fault.kind(), transcript)
                    });
                not_passed(Status::Error, kind.into())
                    // The record and the transcript are all that is needed to repeat the failure by
                    // hand.
                    .details(format!("{}\n{transcript}", position.record))
            }
        };
        let case = case.took(time(trial, index));
        let regressions = self.regressions.get(engine);
        match regressions.and_then(|regressions| regressions.get(&index)) {
            // The run is not to fail for it; people are to see it all the same.
            Some((rule, text)) if matches!(case.status, Status::Passed | Status::Skipped) => Case {
                rule: Cow::Borrowed(*rule),
                text: text.clone().into(),
                ..in_file(case, &self.plan.suites[position.suite].name, position.line)
            }
            .annotated(Some(AnnotationLevel::Warning)),
            _ => case,
        }
    }

    /// What an engine as a whole breaks, and why it could not be run.
    fn demands(&self, engine: usize, line: &str) -> Vec<Case<'a>> {
        let (rule, text, transcript) = match &self.trials[engine].handshake {
            Handshake::Ready { .. } => {
                let complaints = self.verdict.complaints[engine].iter();
                let cases = complaints.map(|complaint| {
                    let (rule, text) = (complaint.rule, complaint.text.as_str());
                    Case::not_passed(Status::Failed, rule, rule, text).details(line.to_owned())
                });
                return cases.collect();
            }
            Handshake::Refused { why, reason } => (why.as_str(), reason, ""),
            Handshake::Failed { reason, transcript } => ("start", reason, transcript.as_str()),
        };
        let case = Case::not_passed(Status::Error, rule, rule, text.as_str());
        vec![case.details(format!("{line}\n{transcript}"))]
    }
}

/// The case of a position that did not pass.
pub(crate) fn position<'a>(
    plan: &'a RunPlan,
    position: &Position,
    status: Status,
    rule: impl Into<Cow<'a, str>>,
    text: String,
) -> Case<'a> {
    let case = Case::not_passed(status, position.name(), rule, text);
    in_file(case, &plan.suites[position.suite].name, position.line)
}

/// The time of all searches of a position.
fn time(trial: &Trial, index: usize) -> Duration {
    trial.answers(index).map(|answer| answer.end.time).sum()
}

/// A case with its place, unless the suite is built in.
fn in_file<'a>(case: Case<'a>, suite: &'a str, line: usize) -> Case<'a> {
    if crate::suites::find(suite).is_some() {
        // A suite that is built in has no file in the repository that an annotation could point to.
        return case;
    }
    case.at(suite, line)
}
