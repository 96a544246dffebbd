//! The human-readable report.

use std::fmt::Write as _;

use kit::output::grouped;
use uci::perft::Meeting;

use super::{Portrait, TrialReport, Wrong, again, speech, unhunted, verdict_line};
use crate::check::Verdict as SuiteVerdict;
use crate::report::{finding, human};
use crate::trial::ledger::{Outcome, Trial};

/// Maximum number of listed cases without a finding; the rest are only counted.
const LISTED: usize = 10;
/// Number of transcript lines to print.
const TRANSCRIPT: usize = 12;

pub(super) fn write(report: &TrialReport<'_>) -> String {
    let mut text = human::faults_of_suites(&report.check);
    for trial in report.trials {
        write_trial(report, trial, &mut text).expect("a string can be written to");
    }
    text + suites_verdict(report)
}

/// The closing lines, if the suites themselves have faults.
fn suites_verdict(report: &TrialReport<'_>) -> &'static str {
    match report.check.ledger.verdict(report.check.plan) {
        SuiteVerdict::BrokenSuite => "BROKEN SUITE: some lines cannot be read, see above\n",
        SuiteVerdict::Differ => {
            "WRONG SUITE: some of its counts differ from ours, see above; engines were held to ours\n"
        }
        SuiteVerdict::Agree | SuiteVerdict::Nothing | SuiteVerdict::Interrupted => "",
    }
}

fn write_trial(report: &TrialReport<'_>, trial: &Trial, text: &mut String) -> std::fmt::Result {
    writeln!(text, "{}: {}", trial.command, Portrait(&trial.meeting))?;
    if matches!(trial.meeting, Meeting::Speaks(_)) {
        write_table(report, trial, text)?;
        write_faults(report, trial, text)?;
        write_unhunted(report, trial, text)?;
        write_tags(report, trial, text)?;
    }
    writeln!(text, "{}", verdict_line(report, trial))
}

fn write_table(report: &TrialReport<'_>, trial: &Trial, text: &mut String) -> std::fmt::Result {
    let suites = &report.check.plan.suites;
    let width = suites
        .iter()
        .map(|suite| suite.name.chars().count())
        .max()
        .unwrap_or(0)
        .max(5);
    writeln!(
        text,
        "{:<width$}  right  wrong  failed  not asked  {:>16}",
        "suite", "nodes"
    )?;
    for (index, suite) in suites.iter().enumerate() {
        let totals = trial.totals(report.cases, Some(index));
        let not_asked = totals.needs_chess960 + totals.open;
        writeln!(
            text,
            "{:<width$}  {:>5}  {:>5}  {:>6}  {not_asked:>9}  {:>16}",
            suite.name,
            totals.right,
            totals.wrong,
            totals.failed,
            grouped(totals.nodes)
        )?;
    }
    Ok(())
}

fn write_faults(report: &TrialReport<'_>, trial: &Trial, text: &mut String) -> std::fmt::Result {
    for (number, fault) in trial.faults().iter().enumerate() {
        let count = fault.cases.len();
        let plural = if count == 1 { "" } else { "s" };
        let places = report.places(&fault.cases);
        writeln!(
            text,
            "\nFAULT {} in {count} position{plural}: {places}",
            number + 1
        )?;
        for line in finding::write(fault.finding, speech(trial)).lines() {
            writeln!(text, "  {line}")?;
        }
        writeln!(text, "  again: {}", again(trial, fault.finding))?;
    }
    if trial.faults().is_empty() {
        return Ok(());
    }
    writeln!(text)
}

fn write_unhunted(report: &TrialReport<'_>, trial: &Trial, text: &mut String) -> std::fmt::Result {
    for (case, outcome) in unhunted(trial).take(LISTED) {
        writeln!(text, "{}: {}", report.place(case), Wrong(outcome))?;
        if let Outcome::Failed { transcript, .. } = outcome {
            let lines: Vec<&str> = transcript.lines().collect();
            for line in &lines[lines.len().saturating_sub(TRANSCRIPT)..] {
                writeln!(text, "    {line}")?;
            }
        }
    }
    match unhunted(trial).count().saturating_sub(LISTED) {
        0 => Ok(()),
        more => writeln!(text, "and {more} more positions"),
    }
}

/// A histogram of the failing positions by tag.
fn write_tags(report: &TrialReport<'_>, trial: &Trial, text: &mut String) -> std::fmt::Result {
    const BAR: usize = 20;
    let tags = trial.by_tag(report.cases);
    if tags.is_empty() {
        return Ok(());
    }
    let width = tags
        .iter()
        .map(|(tag, ..)| tag.chars().count())
        .max()
        .unwrap_or(0)
        .max(3);
    writeln!(text, "{:<width$}  positions that fail", "tag")?;
    for (tag, bad, all) in tags {
        let bar = "#".repeat((bad * BAR).div_ceil(all));
        writeln!(text, "{tag:<width$}  {bar:<BAR$}  {bad} of {all}")?;
    }
    Ok(())
}
