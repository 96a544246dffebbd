//! The `JUnit` XML report for continuous integration: one test case per engine and position.

use chess::notation::fen;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use uci::perft::Meeting;

use super::{Portrait, TrialReport, Wrong, again, kind_and_rule, speech, verdict_line};
use crate::report::{finding, junit};
use crate::trial::case::Case;
use crate::trial::ledger::{Outcome, State, Trial};

pub(super) fn write(report: &TrialReport<'_>) -> anyhow::Result<String> {
    let mut xml = Report::new("perft check");
    xml.set_time(report.check.time);
    for trial in report.trials {
        for (index, suite) in report.check.plan.suites.iter().enumerate() {
            let mut tests = TestSuite::new(format!("{} {}", trial.command, suite.name));
            junit::add_diagnostics(&mut tests, suite);
            add_meeting(&mut tests, report, trial);
            let cases = report.cases.iter().enumerate();
            for (number, case) in cases.filter(|(_, case)| case.suite == index) {
                tests.add_test_case(test_case(report, trial, number, case));
            }
            xml.add_test_suite(tests);
        }
    }
    junit::to_text(&xml)
}

/// An engine that cannot be tested is a failed test case.
fn add_meeting(tests: &mut TestSuite, report: &TrialReport<'_>, trial: &Trial) {
    if !matches!(trial.meeting, Meeting::Speaks(_)) {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(verdict_line(report, trial));
        status.set_description(Portrait(&trial.meeting).to_string());
        tests.add_test_case(TestCase::new("speaks perft", status));
    }
}

fn test_case(report: &TrialReport<'_>, trial: &Trial, number: usize, case: &Case) -> TestCase {
    let state = &trial.states()[number];
    let status = match state {
        State::Done {
            outcome: Outcome::Right,
            ..
        } => TestCaseStatus::success(),
        State::Open => TestCaseStatus::skipped(),
        State::Done {
            outcome: outcome @ Outcome::NeedsChess960,
            ..
        } => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(Wrong(outcome).to_string());
            status
        }
        State::Done { outcome, .. } => {
            let kind = match outcome {
                Outcome::Failed { .. } => NonSuccessKind::Error,
                _ => NonSuccessKind::Failure,
            };
            let mut status = TestCaseStatus::non_success(kind);
            let found = trial.finding(number);
            let rule = found.map_or_else(String::new, |found| kind_and_rule(found) + "; ");
            status.set_message(format!("{rule}{}", Wrong(outcome)));
            status.set_description(description(trial, number, case));
            status
        }
    };
    let mut test = TestCase::new(case.name(), status);
    test.set_classname(format!("{} {}", trial.command, report.suite_name(case)));
    if let State::Done { time, .. } = state {
        test.set_time(*time);
    }
    test
}

fn description(trial: &Trial, number: usize, case: &Case) -> String {
    match trial.finding(number) {
        Some(found) => {
            let text = finding::write(found, speech(trial));
            format!("{text}again: {}\n", again(trial, found))
        }
        None => fen::write(case.route.position()),
    }
}
