//! A Markdown summary, as GitHub shows below a job.

use std::fmt::Write as _;

use kit::output::grouped;

use super::{Portrait, TrialReport, again, speech, verdict_line};
use crate::report::finding;
use crate::trial::ledger::Trial;

pub(super) fn write(report: &TrialReport<'_>) -> String {
    let mut text = String::from("## perft\n\n");
    write_engines(report, &mut text).expect("a string can be written to");
    for trial in report.trials {
        write_trial(report, trial, &mut text).expect("a string can be written to");
    }
    text
}

fn write_engines(report: &TrialReport<'_>, text: &mut String) -> std::fmt::Result {
    writeln!(
        text,
        "| engine | right | wrong | failed | not asked | nodes |"
    )?;
    writeln!(text, "|---|--:|--:|--:|--:|--:|")?;
    for trial in report.trials {
        let totals = trial.totals(report.cases, None);
        writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} |",
            trial.command.replace('|', "\\|"),
            totals.right,
            totals.wrong,
            totals.failed,
            totals.needs_chess960 + totals.open,
            grouped(totals.nodes)
        )?;
    }
    writeln!(text)
}

fn write_trial(report: &TrialReport<'_>, trial: &Trial, text: &mut String) -> std::fmt::Result {
    writeln!(text, "### `{}`\n", trial.command)?;
    writeln!(
        text,
        "{}\n\n**{}**\n",
        Portrait(&trial.meeting),
        verdict_line(report, trial)
    )?;
    for fault in trial.faults() {
        let kind = fault.finding.fault.kind();
        let places = report.places(&fault.cases);
        writeln!(text, "<details><summary>{kind}: {places}</summary>\n")?;
        writeln!(
            text,
            "```text\n{}```\n",
            finding::write(fault.finding, speech(trial))
        )?;
        writeln!(
            text,
            "```sh\n{}\n```\n\n</details>\n",
            again(trial, fault.finding)
        )?;
    }
    let tags = trial.by_tag(report.cases);
    if !tags.is_empty() {
        writeln!(text, "| tag | fail | of |\n|---|--:|--:|")?;
        for (tag, bad, all) in tags {
            writeln!(text, "| {tag} | {bad} | {all} |")?;
        }
        writeln!(text)?;
    }
    Ok(())
}
