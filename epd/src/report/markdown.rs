//! Markdown summary, as GitHub shows below a job.

use std::fmt::Write as _;

use super::{RunReport, changes, human, words};
use crate::trial::ledger::Trial;

pub(super) fn write(report: &RunReport<'_>) -> String {
    let mut text = String::from("## epd run\n\n");
    write_to(report, &mut text).expect("a string can be written to");
    text
}

fn write_to(report: &RunReport<'_>, text: &mut String) -> std::fmt::Result {
    for (index, trial) in report.trials.iter().enumerate() {
        let number = index + 1;
        let name = words::portrait(&trial.meeting);
        let verdict = words::verdict(report, index);
        let command = &trial.command;
        writeln!(text, "{number}. `{command}` ({name}): **{verdict}**")?;
    }
    if let Some(sentence) = words::not_run(report) {
        writeln!(text, "\n**{sentence}**")?;
    }
    writeln!(text, "\n{}\n", report.limits)?;
    write_table(report, text)?;
    for (index, trial) in report.trials.iter().enumerate() {
        write_changes(report, index, text)?;
        write_positions(report, trial, index, text)?;
    }
    Ok(())
}

fn write_table(report: &RunReport<'_>, text: &mut String) -> std::fmt::Result {
    for (index, row) in human::rows(report).iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        writeln!(text, "| {} |", cells.join(" | "))?;
        if index == 0 {
            writeln!(text, "|---|{}", "--:|".repeat(row.len() - 1))?;
        }
    }
    writeln!(text)
}

fn write_changes(report: &RunReport<'_>, index: usize, text: &mut String) -> std::fmt::Result {
    let (Some(comparison), Some(baseline)) = (&report.comparisons[index], report.baseline) else {
        return Ok(());
    };
    writeln!(
        text,
        "```text\n{}```\n",
        changes::write(comparison, baseline)
    )
}

fn write_positions(
    report: &RunReport<'_>,
    trial: &Trial,
    index: usize,
    text: &mut String,
) -> std::fmt::Result {
    let news = words::news(report, index);
    if news.is_empty() {
        return Ok(());
    }
    let failed = news.iter().filter(|one| one.is_failure()).count();
    let lines: Vec<String> = news.iter().map(|one| words::line(report, one)).collect();
    let (others, command) = (news.len() - failed, &trial.command);
    writeln!(
        text,
        "<details><summary>{command}: {failed} failed, {others} not solved</summary>\n"
    )?;
    writeln!(text, "```text\n{}\n```\n\n</details>\n", lines.join("\n"))
}
