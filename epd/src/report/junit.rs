//! For continuous integration: `JUnit` XML, one test case for each engine and position.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{RunReport, words};
use crate::trial::case::{Case, SuitePlan};
use crate::trial::ledger::{Meeting, State, Trial};

pub(super) fn write(report: &RunReport<'_>) -> anyhow::Result<String> {
    let mut xml = Report::new("epd run");
    xml.set_time(report.time);
    for (number, trial) in report.trials.iter().enumerate() {
        for (index, suite) in report.plan.suites.iter().enumerate() {
            let mut tests = TestSuite::new(format!("{} {}", trial.command, suite.name));
            add_faults(&mut tests, suite);
            let cases = report.plan.cases.iter().enumerate();
            for (number, case) in cases.filter(|(_, case)| case.suite == index) {
                tests.add_test_case(test_case(report, trial, number, case));
            }
            xml.add_test_suite(tests);
        }
        add_verdict(&mut xml, report, number);
    }
    // The only characters of a suite's text that XML cannot hold even escaped.
    let text = xml.to_string()?;
    Ok(text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}"))
}

/// A test case for each line of a suite that cannot be read.
fn add_faults(tests: &mut TestSuite, suite: &SuitePlan) {
    for (line, fault) in suite.faults() {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(fault);
        tests.add_test_case(TestCase::new(format!("line {line}"), status));
    }
}

/// What the engine as a whole has failed at: a test suite of its own, of one case.
fn add_verdict(xml: &mut Report, report: &RunReport<'_>, index: usize) {
    let trial = &report.trials[index];
    let complaints = &report.verdict.complaints[index];
    let (kind, description) = match &trial.meeting {
        Meeting::Ready { .. } if complaints.is_empty() => return,
        Meeting::Ready { .. } => (NonSuccessKind::Failure, complaints.join("\n")),
        Meeting::Refused { reason } => (NonSuccessKind::Error, reason.clone()),
        Meeting::Failed { reason, transcript } => {
            (NonSuccessKind::Error, format!("{reason}\n{transcript}"))
        }
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(words::verdict(report, index));
    status.set_description(description);
    let mut tests = TestSuite::new(format!("{} demands", trial.command));
    tests.add_test_case(TestCase::new("what is demanded of the run", status));
    xml.add_test_suite(tests);
}

fn test_case(report: &RunReport<'_>, trial: &Trial, index: usize, case: &Case) -> TestCase {
    let state = trial.state(index);
    let status = if let Some((_, transcript)) = trial.fault(index) {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(words::unsolved(trial, index, case));
        status.set_description(format!("{}\n{transcript}", case.record));
        status
    } else {
        match state {
            State::Solved => TestCaseStatus::success(),
            State::Open => TestCaseStatus::skipped(),
            State::NeedsChess960 => {
                let mut status = TestCaseStatus::skipped();
                status.set_message("not asked: the engine has no UCI_Chess960");
                status
            }
            State::Unsolved => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message(words::unsolved(trial, index, case));
                status.set_description(case.record.to_string());
                status
            }
        }
    };
    let mut test = TestCase::new(case.name(), status);
    test.set_classname(format!("{} {}", trial.command, report.suite_name(case)));
    let time: Duration = trial.answers(index).map(|answer| answer.end.time).sum();
    test.set_time(time);
    test
}
