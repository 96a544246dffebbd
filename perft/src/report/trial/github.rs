//! Workflow commands for GitHub Actions: an annotation per fault, and the human-readable report.

use kit::github::Level;
use uci::perft::Meeting;

use super::{Portrait, TrialReport, Wrong, human, kind_and_rule, speech, unhunted, verdict_line};
use crate::report::{finding, github};
use crate::trial::ledger::{Outcome, Trial};

pub(super) fn write(report: &TrialReport<'_>) -> String {
    let mut text = String::new();
    github::annotate_suites(&mut text, &report.check);
    for trial in report.trials {
        annotate_trial(&mut text, report, trial);
    }
    text + &human::write(report)
}

fn annotate_trial(text: &mut String, report: &TrialReport<'_>, trial: &Trial) {
    let mut error = |case: usize, title: &str, message: &str| {
        let case = &report.cases[case];
        let message = format!("{}: {message}", trial.command);
        let place = (report.suite_name(case), case.line);
        github::annotate(text, Level::Error, title, place, &message);
    };
    for fault in trial.faults() {
        let places = report.places(&fault.cases);
        let what = finding::write(fault.finding, speech(trial));
        error(
            fault.cases[0],
            &kind_and_rule(fault.finding),
            &format!("{what}in {places}"),
        );
    }
    for (case, outcome) in unhunted(trial) {
        error(case, word(outcome), &Wrong(outcome).to_string());
    }
    if !matches!(trial.meeting, Meeting::Speaks(_)) {
        let portrait = Portrait(&trial.meeting);
        let verdict = verdict_line(report, trial);
        let message = format!("{}: {portrait}; {verdict}", trial.command);
        github::annotate_run(text, "engine not asked", &message);
    }
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Wrong { .. } => "wrong count",
        _ => "no answer",
    }
}
