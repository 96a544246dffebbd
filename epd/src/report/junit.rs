//! `JUnit` XML for continuous integration: one test case per engine and position.
//!
//! A `<failure>` is a position that makes the exit code 1, or a rule that is broken; an `<error>` is
//! anything that makes it 2 or 3. Everything else that is not solved is skipped with the reason. So
//! a CI server fails exactly if the exit code is not 0.

use std::time::Duration;

use kit::Exit;
use kit::junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite, skipped, to_text};

use super::{RunReport, words};
use crate::run::ledger::{Handshake, Trial};
use crate::run::plan::Case;
use crate::run::verdict::Standing;

pub(super) fn write(report: &RunReport<'_>) -> anyhow::Result<String> {
    let mut xml = Report::new("epd run");
    xml.set_time(report.time);
    for (engine, trial) in report.trials.iter().enumerate() {
        for (index, suite) in report.plan.suites.iter().enumerate() {
            let mut tests = TestSuite::new(format!("{} {}", trial.command, suite.name));
            // A test case per unreadable line.
            for (line, fault) in suite.faults() {
                let status = if report.policy.allow_unreadable {
                    skipped(format!("unreadable, as --skip-bad allows: {fault}"))
                } else {
                    non_success(NonSuccessKind::Error, "unreadable", &fault)
                };
                let mut test = TestCase::new(format!("line {line}"), status);
                test.set_classname(class_name(report, trial, index));
                tests.add_test_case(test);
            }
            let cases = report.plan.cases.iter().enumerate();
            for (number, case) in cases.filter(|(_, case)| case.suite == index) {
                tests.add_test_case(test_case(report, engine, number, case));
            }
            xml.add_test_suite(tests);
        }
        add_verdict(&mut xml, report, engine);
    }
    if report.verdict.exit == Exit::Nothing {
        let what = "nothing was run or compared";
        let status = non_success(NonSuccessKind::Error, "nothing", what);
        let mut tests = TestSuite::new("epd run");
        tests.add_test_case(TestCase::new("something was run", status));
        xml.add_test_suite(tests);
    }
    to_text(&xml)
}

/// A failure or error; the rule is its type and begins its message.
fn non_success(kind: NonSuccessKind, rule: &str, what: &str) -> TestCaseStatus {
    let mut status = kit::junit::non_success(kind, format!("{rule}: {what}"));
    status.set_type(rule);
    status
}

/// The failures of the engine as a whole: a separate test suite with one case per rule.
fn add_verdict(xml: &mut Report, report: &RunReport<'_>, engine: usize) {
    let trial = &report.trials[engine];
    let mut tests = TestSuite::new(format!("{} demands", trial.command));
    let verdict = words::verdict(report, engine);
    let mut add = |name: &str, mut status: TestCaseStatus, description: String| {
        status.set_description(description);
        tests.add_test_case(TestCase::new(name, status));
    };
    match &trial.handshake {
        Handshake::Ready { .. } => {
            for complaint in &report.verdict.complaints[engine] {
                let (rule, text) = (complaint.rule, &complaint.text);
                let status = non_success(NonSuccessKind::Failure, rule, text);
                add(rule, status, verdict.clone());
            }
        }
        Handshake::Refused { why, reason } => {
            let rule = why.as_str();
            let status = non_success(NonSuccessKind::Error, rule, reason);
            add(&format!("{rule}s"), status, verdict);
        }
        Handshake::Failed { reason, transcript } => {
            let status = non_success(NonSuccessKind::Error, "start", reason);
            add("start", status, format!("{verdict}\n{transcript}"));
        }
    }
    if !tests.is_empty() {
        xml.add_test_suite(tests);
    }
}

/// Under which CI servers list the cases of a suite.
fn class_name(report: &RunReport<'_>, trial: &Trial, suite: usize) -> String {
    format!("{} {}", trial.command, report.plan.suites[suite].name)
}

fn test_case(report: &RunReport<'_>, engine: usize, index: usize, case: &Case) -> TestCase {
    let trial = &report.trials[engine];
    let standing = &report.verdict.standings[engine][index];
    let news = words::one_news(report, engine, index, standing);
    let status = match (standing, news) {
        (Standing::Open, _) => skipped("not searched: the run was cancelled"),
        (Standing::NeedsChess960, _) => skipped("not asked: the engine has no UCI_Chess960"),
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
    test.set_classname(class_name(report, trial, case.suite));
    let time: Duration = trial.answers(index).map(|answer| answer.end.time).sum();
    test.set_time(time);
    test
}
