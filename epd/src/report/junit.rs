//! `JUnit` XML for continuous integration: one test case per engine and position.
//!
//! A `<failure>` is a position that makes the exit code 1, or a demand that is not met; an
//! `<error>` is anything that makes it 2 or 3. Everything else that is not solved is skipped with
//! the reason. So a CI server fails exactly if the exit code is not 0.

use std::time::Duration;

use kit::Exit;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{RunReport, words};
use crate::trial::case::{Case, SuitePlan};
use crate::trial::ledger::Meeting;
use crate::verdict::Standing;

pub(super) fn write(report: &RunReport<'_>) -> anyhow::Result<String> {
    let mut xml = Report::new("epd run");
    xml.set_time(report.time);
    for (engine, trial) in report.trials.iter().enumerate() {
        for (index, suite) in report.plan.suites.iter().enumerate() {
            let mut tests = TestSuite::new(format!("{} {}", trial.command, suite.name));
            add_faults(&mut tests, suite, report.demands.allow_unreadable);
            let cases = report.plan.cases.iter().enumerate();
            for (number, case) in cases.filter(|(_, case)| case.suite == index) {
                tests.add_test_case(test_case(report, engine, number, case));
            }
            xml.add_test_suite(tests);
        }
        add_verdict(&mut xml, report, engine);
    }
    if report.verdict.exit == Exit::Nothing {
        let status = non_success(
            NonSuccessKind::Error,
            "nothing",
            "nothing was run or compared",
        );
        let mut tests = TestSuite::new("epd run");
        tests.add_test_case(TestCase::new("something was run", status));
        xml.add_test_suite(tests);
    }
    // XML cannot represent these characters of a suite's text, not even escaped.
    let text = xml.to_string()?;
    Ok(text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}"))
}

/// A failure or error; the rule is its type and begins its message.
fn non_success(kind: NonSuccessKind, rule: &str, what: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(rule);
    status.set_message(format!("{rule}: {what}"));
    status
}

fn skipped(why: String) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(why);
    status
}

/// A test case per unreadable line of a suite.
fn add_faults(tests: &mut TestSuite, suite: &SuitePlan, are_allowed: bool) {
    for (line, fault) in suite.faults() {
        let status = if are_allowed {
            skipped(format!("unreadable, as --allow-unreadable allows: {fault}"))
        } else {
            non_success(NonSuccessKind::Error, "unreadable", &fault)
        };
        tests.add_test_case(TestCase::new(format!("line {line}"), status));
    }
}

/// The failures of the engine as a whole: a separate test suite with one case per demand.
fn add_verdict(xml: &mut Report, report: &RunReport<'_>, engine: usize) {
    let trial = &report.trials[engine];
    let mut tests = TestSuite::new(format!("{} demands", trial.command));
    let verdict = words::verdict(report, engine);
    match &trial.meeting {
        Meeting::Ready { .. } => {
            for complaint in &report.verdict.complaints[engine] {
                let mut status =
                    non_success(NonSuccessKind::Failure, complaint.rule, &complaint.text);
                status.set_description(verdict.clone());
                tests.add_test_case(TestCase::new(complaint.rule, status));
            }
        }
        Meeting::Refused { reason } => {
            let mut status = non_success(NonSuccessKind::Error, "option", reason);
            status.set_description(verdict);
            tests.add_test_case(TestCase::new("options", status));
        }
        Meeting::Failed { reason, transcript } => {
            let mut status = non_success(NonSuccessKind::Error, "start", reason);
            status.set_description(format!("{verdict}\n{transcript}"));
            tests.add_test_case(TestCase::new("start", status));
        }
    }
    if !tests.test_cases.is_empty() {
        xml.add_test_suite(tests);
    }
}

fn test_case(report: &RunReport<'_>, engine: usize, index: usize, case: &Case) -> TestCase {
    let trial = &report.trials[engine];
    let standing = &report.verdict.standings[engine][index];
    let news = words::one_news(report, engine, index, standing);
    let status = match (standing, news) {
        (Standing::Open, _) => skipped("not searched: the run was cancelled".to_owned()),
        (Standing::NeedsChess960, _) => {
            skipped("not asked: the engine has no UCI_Chess960".to_owned())
        }
        (Standing::Passed, _) | (_, None) => TestCaseStatus::success(),
        (Standing::KnownFailure | Standing::Unsolved, Some(news)) => {
            skipped(format!("{}: {}", news.rule, news.what))
        }
        (Standing::Failed(_), Some(news)) => {
            let mut status = non_success(NonSuccessKind::Failure, &news.rule, &news.what);
            status.set_description(case.record.to_string());
            status
        }
        (Standing::Error, Some(news)) => {
            let mut status = non_success(NonSuccessKind::Error, &news.rule, &news.what);
            let transcript = trial.fault(index).map_or("", |(_, transcript)| transcript);
            status.set_description(format!("{}\n{transcript}", case.record));
            status
        }
    };
    let mut test = TestCase::new(case.name(), status);
    test.set_classname(format!("{} {}", trial.command, report.suite_name(case)));
    let time: Duration = trial.answers(index).map(|answer| answer.end.time).sum();
    test.set_time(time);
    test
}
