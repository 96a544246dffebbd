//! Workflow commands for GitHub Actions: an annotation per fault, and the human-readable report.

use std::io::{self, Write};

use epd::Severity;
use kit::github::{Annotation, Level, Place};
use uci::perft::Meeting;

use super::words::{Difference, Portrait, Wrong, kind_and_rule, verdict_line};
use super::{CheckReport, EngineReport, finding, human};
use crate::engine_check::case::{BY_MOVES, COMMAND_LINE};
use crate::engine_check::ledger::CaseOutcome;

pub(super) fn check(report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    annotate_suites(out, report)?;
    human::check(report, out)
}

pub(super) fn engines(report: &EngineReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    annotate_suites(out, &report.check)?;
    for engine in report.engines {
        let mut error = |case: usize, title: &str, message: &str| {
            let case = report.cases.get(case);
            let message = format!("{}: {message}", engine.command);
            let place = (report.suite_name(case), case.line());
            annotate(out, Level::Error, title, Some(place), &message)
        };
        for fault in engine.faults() {
            let places = report.places(&fault.cases);
            let what = finding::write(fault.finding, engine.speech());
            let message = format!("{what}in {places}");
            error(fault.cases[0], &kind_and_rule(fault.finding), &message)?;
        }
        for (case, outcome) in engine.unhunted() {
            let title = match outcome {
                CaseOutcome::Wrong { .. } => "wrong count",
                _ => "no answer",
            };
            error(case, title, &Wrong(outcome).to_string())?;
        }
        if !matches!(engine.meeting, Meeting::Speaks(_)) {
            let portrait = Portrait(&engine.meeting);
            let verdict = verdict_line(report, engine);
            let message = format!("{}: {portrait}; {verdict}", engine.command);
            annotate(out, Level::Error, "engine not asked", None, &message)?;
        }
    }
    human::engines(report, out)
}

/// Annotates each fault of the suites.
fn annotate_suites(out: &mut dyn Write, report: &CheckReport<'_>) -> io::Result<()> {
    for suite in &report.plan.suites {
        for diagnostic in &suite.diagnostics {
            let level = match diagnostic.severity() {
                Severity::Error => Level::Error,
                Severity::Warning => Level::Warning,
                Severity::Note => Level::Notice,
            };
            let place = (suite.name.as_str(), diagnostic.line);
            let message = diagnostic.problem.to_string();
            annotate(out, level, "suite", Some(place), &message)?;
        }
    }
    for (suite, count, result) in report.differing() {
        let message = Difference(count, result).to_string();
        let place = (suite, count.record.line());
        annotate(out, Level::Error, "count differs", Some(place), &message)?;
    }
    Ok(())
}

/// Annotates a line of a suite, or no file if the suite is not one.
fn annotate(
    out: &mut dyn Write,
    level: Level,
    title: &str,
    place: Option<(&str, usize)>,
    message: &str,
) -> io::Result<()> {
    let is_file =
        |file: &str| epd::suites::find(file).is_none() && ![BY_MOVES, COMMAND_LINE].contains(&file);
    let message = match place {
        Some((suite, line)) if !is_file(suite) => format!("{suite}:{line}: {message}"),
        _ => message.to_owned(),
    };
    let place = place.filter(|(file, _)| is_file(file));
    let annotation = Annotation {
        level,
        title: &format!("perft: {title}"),
        place: place.map(|(file, line)| Place {
            file,
            line,
            column: None,
        }),
        message: &message,
    };
    writeln!(out, "{annotation}")
}
