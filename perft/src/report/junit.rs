//! `JUnit` XML for continuous integration: one test case per count, or per engine and position.

use chess::notation::fen;
use kit::junit::{
    NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite, non_success, skipped, to_text,
};
use uci::perft::Meeting;

use super::words::{Difference, Portrait, Wrong, kind_and_rule, verdict_line};
use super::{CheckReport, EngineReport, finding};
use crate::engine_check::ledger::CaseOutcome;
use crate::event::SuiteCountResult;
use crate::suite::check::ledger::SuiteCountState;
use crate::suite::check::plan::SuitePlan;

pub(super) fn check(report: &CheckReport<'_>) -> anyhow::Result<String> {
    let mut junit = Report::new("perft check");
    junit.set_time(report.time);
    let mut suites: Vec<TestSuite> = report.plan.suites.iter().map(suite).collect();
    for (name, count, state) in report.counts() {
        let mut time = None;
        let status = match state {
            SuiteCountState::Open => TestCaseStatus::skipped(),
            SuiteCountState::Done {
                result,
                time: taken,
            } => {
                time = Some(*taken);
                if *result == SuiteCountResult::Agrees {
                    TestCaseStatus::success()
                } else {
                    let message = Difference(count, result).to_string();
                    let mut status = non_success(NonSuccessKind::Failure, message);
                    status.set_description(fen::write(&count.position));
                    status
                }
            }
        };
        let line = || format!("line {}", count.line);
        let record = count.id.clone().unwrap_or_else(line);
        let mut case = TestCase::new(format!("{record} depth {}", count.depth), status);
        case.set_classname(name);
        time.map(|time| case.set_time(time));
        suites[count.suite].add_test_case(case);
    }
    junit.add_test_suites(suites);
    to_text(&junit)
}

pub(super) fn engines(report: &EngineReport<'_>) -> anyhow::Result<String> {
    let mut junit = Report::new("perft check");
    junit.set_time(report.check.time);
    for engine in report.engines {
        for (index, plan) in report.check.plan.suites.iter().enumerate() {
            let mut tests = suite(plan);
            tests.name = format!("{} {}", engine.command, plan.name).into();
            // An engine that cannot be tested is a failed test case.
            if !matches!(engine.meeting, Meeting::Speaks(_)) {
                let mut status = non_success(NonSuccessKind::Error, verdict_line(report, engine));
                status.set_description(Portrait(&engine.meeting).to_string());
                tests.add_test_case(TestCase::new("speaks perft", status));
            }
            let cases = report.cases.iter().enumerate();
            for (number, case) in cases.filter(|(_, case)| case.suite == index) {
                let status = match engine.outcome(number) {
                    Some(CaseOutcome::Right) => TestCaseStatus::success(),
                    None => TestCaseStatus::skipped(),
                    Some(outcome @ CaseOutcome::NeedsChess960) => {
                        skipped(Wrong(outcome).to_string())
                    }
                    Some(outcome) => {
                        let kind = match outcome {
                            CaseOutcome::Failed { .. } => NonSuccessKind::Error,
                            _ => NonSuccessKind::Failure,
                        };
                        let found = engine.finding(number);
                        let rule = found.map_or_else(String::new, |found| {
                            format!("{}; ", kind_and_rule(found))
                        });
                        let mut status = non_success(kind, format!("{rule}{}", Wrong(outcome)));
                        status.set_description(match found {
                            Some(found) => {
                                let text = finding::write(found, engine.speech());
                                format!("{text}again: {}\n", engine.again(found))
                            }
                            None => fen::write(case.route.position()),
                        });
                        status
                    }
                };
                let mut test = TestCase::new(case.name(), status);
                test.set_classname(format!("{} {}", engine.command, plan.name));
                engine.time_of(number).map(|time| test.set_time(time));
                tests.add_test_case(test);
            }
            junit.add_test_suite(tests);
        }
    }
    to_text(&junit)
}

/// A suite with a failed test case for each of its unreadable lines.
fn suite(plan: &SuitePlan) -> TestSuite {
    let mut tests = TestSuite::new(plan.name.as_str());
    for diagnostic in &plan.diagnostics {
        if diagnostic.severity() == epd::Severity::Error {
            let message = diagnostic.display(&plan.name).to_string();
            let status = non_success(NonSuccessKind::Error, message);
            tests.add_test_case(TestCase::new(format!("line {}", diagnostic.line), status));
        }
    }
    tests
}
