//! `JUnit` XML for continuous integration: one test case per count, or per engine and position.

use std::io::{self, Write};

use chess::notation::fen;
use kit::junit::{
    NonSuccessKind, Report, Stream, TestCase, TestCaseStatus, TestSuite, non_success, skipped,
};
use uci::perft::Meeting;

use super::words::{Difference, Portrait, Wrong, kind_and_rule, verdict_line};
use super::{CheckReport, EngineReport, finding};
use crate::engine_check::case::Case;
use crate::engine_check::ledger::{CaseOutcome, EngineCheck};
use crate::event::SuiteCountResult;
use crate::suite::check::ledger::SuiteCountState;
use crate::suite::check::plan::{SuiteCount, SuitePlan};

pub(super) fn check(report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let plans = &report.plan.suites;
    let mut suites: Vec<TestSuite> = plans.iter().map(counted_suite).collect();
    for (_, count, state) in report.counts() {
        suites[count.record.suite()].count(&status(count, state));
    }
    let mut stream = Stream::begin(out, &head(report), &suites)?;
    for (index, (plan, suite)) in plans.iter().zip(&suites).enumerate() {
        let counts = report.counts();
        let counts = counts.filter(|(_, count, _)| count.record.suite() == index);
        let cases = counts.map(|(name, count, state)| {
            let line = || format!("line {}", count.record.line());
            let record = count.record.id().map_or_else(line, str::to_owned);
            let name_of_case = format!("{record} depth {}", count.depth);
            let mut case = TestCase::new(name_of_case, status(count, state));
            case.set_classname(name);
            if let SuiteCountState::Done { time, .. } = state {
                case.set_time(time);
            }
            case
        });
        stream.suite(suite, unreadable_lines(plan).chain(cases))?;
    }
    stream.end()
}

fn status(count: SuiteCount<'_>, state: SuiteCountState) -> TestCaseStatus {
    match state {
        SuiteCountState::Open => TestCaseStatus::skipped(),
        SuiteCountState::Done {
            result: SuiteCountResult::Agrees,
            ..
        } => TestCaseStatus::success(),
        SuiteCountState::Done { result, .. } => {
            let message = Difference(count, result).to_string();
            let mut status = non_success(NonSuccessKind::Failure, message);
            status.set_description(fen::write(&count.record.position()));
            status
        }
    }
}

pub(super) fn engines(report: &EngineReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let plans = &report.check.plan.suites;
    let mut suites = Vec::new();
    for engine in report.engines {
        let first = suites.len();
        for plan in plans {
            let mut suite = counted_suite(plan);
            suite.name = format!("{} {}", engine.command, plan.name);
            if let Some(case) = speaks(report, engine) {
                suite.count(case.status());
            }
            suites.push(suite);
        }
        for (number, case) in report.cases.iter().enumerate() {
            let status = engine_status(engine, number, case);
            suites[first + case.suite()].count(&status);
        }
    }
    let mut stream = Stream::begin(out, &head(&report.check), &suites)?;
    let tested = report.engines.iter();
    let tested = tested.flat_map(|engine| plans.iter().enumerate().map(move |plan| (engine, plan)));
    for (suite, (engine, (index, plan))) in suites.iter().zip(tested) {
        let cases = report.cases.iter().enumerate();
        let cases = cases.filter(|(_, case)| case.suite() == index);
        let cases = cases.map(|(number, case)| {
            let mut test = TestCase::new(case.name(), engine_status(engine, number, case));
            test.set_classname(suite.name.as_str());
            if let Some(time) = engine.time_of(number) {
                test.set_time(time);
            }
            test
        });
        let before = unreadable_lines(plan).chain(speaks(report, engine));
        stream.suite(suite, before.chain(cases))?;
    }
    stream.end()
}

/// An engine that cannot be tested is a failed test case.
fn speaks(report: &EngineReport<'_>, engine: &EngineCheck) -> Option<TestCase> {
    if matches!(engine.meeting, Meeting::Speaks(_)) {
        return None;
    }
    let mut status = non_success(NonSuccessKind::Error, verdict_line(report, engine));
    status.set_description(Portrait(&engine.meeting).to_string());
    Some(TestCase::new("speaks perft", status))
}

fn engine_status(engine: &EngineCheck, number: usize, case: Case<'_>) -> TestCaseStatus {
    let outcome = match engine.outcome(number) {
        Some(CaseOutcome::Right) => return TestCaseStatus::success(),
        None => return TestCaseStatus::skipped(),
        Some(outcome @ CaseOutcome::NeedsChess960) => return skipped(Wrong(outcome).to_string()),
        Some(outcome) => outcome,
    };
    let kind = match outcome {
        CaseOutcome::Failed { .. } => NonSuccessKind::Error,
        _ => NonSuccessKind::Failure,
    };
    let found = engine.finding(number);
    let rule = found.map_or_else(String::new, |found| format!("{}; ", kind_and_rule(found)));
    let mut status = non_success(kind, format!("{rule}{}", Wrong(outcome)));
    status.set_description(match found {
        Some(found) => {
            let text = finding::write(found, engine.speech());
            format!("{text}again: {}\n", engine.again(found))
        }
        None => fen::write(case.route().position()),
    });
    status
}

fn head(report: &CheckReport<'_>) -> Report {
    let mut head = Report::new("perft check");
    head.set_time(report.time);
    head
}

/// A suite in which the unreadable lines are counted.
fn counted_suite(plan: &SuitePlan) -> TestSuite {
    let mut suite = TestSuite::new(plan.name.as_str());
    for case in unreadable_lines(plan) {
        suite.count(case.status());
    }
    suite
}

/// A failed test case for each unreadable line of a suite.
fn unreadable_lines(plan: &SuitePlan) -> impl Iterator<Item = TestCase> {
    let diagnostics = plan.diagnostics.iter();
    let errors = diagnostics.filter(|one| one.severity() == epd::Severity::Error);
    errors.map(|error| {
        let message = error.display(&plan.name).to_string();
        let status = non_success(NonSuccessKind::Error, message);
        TestCase::new(format!("line {}", error.line), status)
    })
}
