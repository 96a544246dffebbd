//! A Markdown summary, as GitHub shows below a job.

use std::fmt::Write as _;

use kit::output::grouped;

use super::words::{Portrait, verdict_line};
use super::{EngineReport, finding};
use crate::engine_check::ledger::TagCount;

pub(super) fn engines(report: &EngineReport<'_>) -> String {
    let mut text = String::from("## perft\n\n");
    write_engines(report, &mut text).expect("a string can be written to");
    text
}

fn write_engines(report: &EngineReport<'_>, text: &mut String) -> std::fmt::Result {
    text.push_str("| engine | right | wrong | failed | not asked | nodes |\n");
    text.push_str("|---|--:|--:|--:|--:|--:|\n");
    for engine in report.engines {
        let totals = engine.totals(report.cases, None);
        let command = engine.command.replace('|', "\\|");
        let (right, wrong, failed) = (totals.right, totals.wrong, totals.failed);
        let not_asked = totals.needs_chess960 + totals.open;
        let nodes = grouped(totals.nodes);
        writeln!(
            text,
            "| `{command}` | {right} | {wrong} | {failed} | {not_asked} | {nodes} |"
        )?;
    }
    writeln!(text)?;
    for engine in report.engines {
        let (portrait, verdict) = (Portrait(&engine.meeting), verdict_line(report, engine));
        writeln!(
            text,
            "### `{}`\n\n{portrait}\n\n**{verdict}**\n",
            engine.command
        )?;
        for fault in engine.faults() {
            let kind = fault.finding.fault.kind();
            let places = report.places(&fault.cases);
            let finding = finding::write(fault.finding, engine.speech());
            let again = engine.again(fault.finding);
            writeln!(text, "<details><summary>{kind}: {places}</summary>\n")?;
            writeln!(
                text,
                "```text\n{finding}```\n\n```sh\n{again}\n```\n\n</details>\n"
            )?;
        }
        let tags = engine.by_tag(report.cases);
        if !tags.is_empty() {
            writeln!(text, "| tag | fail | of |\n|---|--:|--:|")?;
            for TagCount { tag, fail, of } in tags {
                writeln!(text, "| {tag} | {fail} | {of} |")?;
            }
            writeln!(text)?;
        }
    }
    Ok(())
}
