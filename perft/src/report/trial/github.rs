//! For GitHub Actions: an annotation for each fault, and the report as people read it.

use super::{Portrait, TrialReport, Wrong, human, unhunted, verdict_line};
use crate::drive::Meeting;
use crate::report::{finding, github};
use crate::trial::ledger::Trial;

pub(super) fn write(report: &TrialReport<'_>) -> String {
    let mut text = String::new();
    github::annotate_suites(&mut text, &report.check);
    for trial in report.trials {
        annotate_trial(&mut text, report, trial);
    }
    text + &human::write(report)
}

fn annotate_trial(text: &mut String, report: &TrialReport<'_>, trial: &Trial) {
    let mut error = |case: usize, message: &str| {
        let case = &report.cases[case];
        let message = format!("{}: {message}", trial.command);
        github::annotate(text, "error", report.suite_name(case), case.line, &message);
    };
    for fault in trial.faults() {
        let places = report.places(&fault.cases);
        let what = finding::write(fault.finding, trial.dialect());
        error(fault.cases[0], &format!("{what}in {places}"));
    }
    for (case, outcome) in unhunted(trial) {
        error(case, &Wrong(outcome).to_string());
    }
    if !matches!(trial.meeting, Meeting::Speaks(_)) {
        let portrait = Portrait(&trial.meeting);
        let verdict = verdict_line(report, trial);
        let message = format!("{}: {portrait}; {verdict}", trial.command);
        github::annotate_run(text, "error", &message);
    }
}
