//! Markdown summary, as GitHub shows below a job.

use std::fmt::{self, Write as _};

use super::{RunReport, human, words};

pub(super) fn write(report: &RunReport<'_>) -> String {
    let mut text = String::from("## epd run\n\n");
    write_to(report, &mut text).expect("a string can be written to");
    text
}

fn write_to(report: &RunReport<'_>, text: &mut String) -> fmt::Result {
    for (index, trial) in report.trials.iter().enumerate() {
        let (number, command) = (index + 1, &trial.command);
        let name = words::engine_name(&trial.handshake);
        let verdict = words::verdict(report, index);
        writeln!(text, "{number}. `{command}` ({name}): **{verdict}**")?;
    }
    if let Some(sentence) = words::not_run(report) {
        writeln!(text, "\n**{sentence}**")?;
    }
    writeln!(text, "\n{}\n", report.limits)?;
    for (index, row) in human::rows(report).iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        writeln!(text, "| {} |", cells.join(" | "))?;
        if index == 0 {
            writeln!(text, "|---|{}", "--:|".repeat(row.len() - 1))?;
        }
    }
    writeln!(text)?;
    for (index, trial) in report.trials.iter().enumerate() {
        if let (Some(comparison), Some(baseline)) = (&report.comparisons[index], report.baseline) {
            let changes = words::changes(comparison, baseline);
            writeln!(text, "```text\n{changes}```\n")?;
        }
        let news = words::news(report, index);
        if news.is_empty() {
            continue;
        }
        let failed = news.iter().filter(|one| one.is_failure()).count();
        let lines: Vec<String> = news.iter().map(|one| words::line(report, one)).collect();
        let (lines, others) = (lines.join("\n"), news.len() - failed);
        let summary = format!("{}: {failed} failed, {others} not solved", trial.command);
        writeln!(text, "<details><summary>{summary}</summary>\n")?;
        writeln!(text, "```text\n{lines}\n```\n\n</details>\n")?;
    }
    Ok(())
}
