//! A summary in Markdown, as GitHub shows it below a job.

use std::io::{self, Write};

use super::{CaseSuite, Report, Section, Status};
use crate::table;

/// Cases that are listed for each suite; the rest are counted.
const LISTED: usize = 50;
/// Cases that are shown with details, and lines of these.
const DETAILED: usize = 10;
const DETAILS: usize = 24;

pub(super) fn write(report: &dyn Report, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## {}\n", report.command())?;
    for line in report.verdict().text.lines() {
        writeln!(out, "**{}**\n", line.trim())?;
    }
    for section in report.sections() {
        match section {
            // `write_news` lists these.
            Section::Cases(_) => {}
            Section::Text(text) if text.trim().is_empty() => {}
            Section::Text(text) => write_block(out, &text)?,
            Section::Table(head, rows) => writeln!(out, "{}", table::markdown(&head, rows))?,
        }
    }
    for suite in report.suites() {
        write_news(suite, out)?;
    }
    Ok(())
}

/// The cases of a suite that did not pass, folded; the first of them with their details.
fn write_news(suite: CaseSuite<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (mut failed, mut others) = (0, 0);
    let mut lines = Vec::new();
    for case in suite.cases {
        let message = case.message();
        if case.status == Status::Passed || message.is_empty() {
            continue;
        }
        match case.status {
            Status::Skipped | Status::Open => others += 1,
            _ => failed += 1,
        }
        let count = failed + others;
        if count <= LISTED {
            let (status, name) = (case.status.as_str(), &case.name);
            lines.push(format!("{status:<9} {name}: {message}").replace('\n', " "));
        }
        if count <= DETAILED {
            let details = case.details.lines().take(DETAILS);
            lines.extend(details.map(|line| format!("    {line}")));
        }
    }
    if failed + others == 0 {
        return Ok(());
    }
    if let more @ 1.. = (failed + others).saturating_sub(LISTED) {
        lines.push(format!("and {more} more"));
    }
    let summary = format!("{}: {failed} failed, {others} skipped", suite.name);
    writeln!(out, "<details><summary>{summary}</summary>\n")?;
    write_block(out, &lines.join("\n"))?;
    writeln!(out, "</details>\n")
}

/// A block of text as it stands, which no text in it ends.
fn write_block(out: &mut dyn Write, text: &str) -> io::Result<()> {
    let text = text.replace("```", "'''");
    writeln!(out, "```text\n{}\n```\n", text.trim_matches('\n'))
}
