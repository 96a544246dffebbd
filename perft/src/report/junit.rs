//! The `JUnit` XML report for continuous integration: one test case per count.

use chess::notation::fen;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{CheckReport, Difference};
use crate::check::{State, SuitePlan, Unit};
use crate::event::UnitResult;

pub(super) fn write(report: &CheckReport<'_>) -> anyhow::Result<String> {
    let mut junit = Report::new("perft check");
    junit.set_time(report.time);
    let mut suites: Vec<TestSuite> = report
        .plan
        .suites
        .iter()
        .map(|suite| TestSuite::new(suite.name.as_str()))
        .collect();
    for (suite, plan) in suites.iter_mut().zip(&report.plan.suites) {
        add_diagnostics(suite, plan);
    }
    for (name, unit, state) in report.units() {
        suites[unit.suite].add_test_case(test_case(name, unit, state));
    }
    junit.add_test_suites(suites);
    to_text(&junit)
}

/// Adds a test case for each unreadable line of a suite.
pub(super) fn add_diagnostics(tests: &mut TestSuite, suite: &SuitePlan) {
    for diagnostic in &suite.diagnostics {
        if diagnostic.severity() == epd::Severity::Error {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(diagnostic.display(&suite.name).to_string());
            tests.add_test_case(TestCase::new(format!("line {}", diagnostic.line), status));
        }
    }
}

/// Serialises the XML without the characters that XML cannot represent even escaped.
pub(super) fn to_text(report: &Report) -> anyhow::Result<String> {
    let text = report.to_string()?;
    Ok(text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}"))
}

fn test_case(suite: &str, unit: &Unit, state: &State) -> TestCase {
    let status = match state {
        State::Open => TestCaseStatus::skipped(),
        State::Done {
            result: UnitResult::Agrees,
            ..
        } => TestCaseStatus::success(),
        State::Done { result, .. } => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(Difference(unit, result).to_string());
            status.set_description(fen::write(&unit.position));
            status
        }
    };
    let record = unit
        .id
        .clone()
        .unwrap_or_else(|| format!("line {}", unit.line));
    let mut case = TestCase::new(format!("{record} depth {}", unit.depth), status);
    case.set_classname(suite);
    if let State::Done { time, .. } = state {
        case.set_time(*time);
    }
    case
}
