//! A Markdown summary, as GitHub shows below a job.

use std::io::{self, Write};

use kit::output::grouped;

use super::words::{Portrait, verdict_line};
use super::{EngineReport, finding};
use crate::engine_check::ledger::TagCount;

pub(super) fn engines(report: &EngineReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## perft\n")?;
    writeln!(
        out,
        "| engine | right | wrong | failed | not asked | nodes |"
    )?;
    writeln!(out, "|---|--:|--:|--:|--:|--:|")?;
    for engine in report.engines {
        let totals = engine.totals(report.cases, None);
        let command = engine.command.replace('|', "\\|");
        let (right, wrong, failed) = (totals.right, totals.wrong, totals.failed);
        let not_asked = totals.needs_chess960 + totals.open;
        let nodes = grouped(totals.nodes);
        writeln!(
            out,
            "| `{command}` | {right} | {wrong} | {failed} | {not_asked} | {nodes} |"
        )?;
    }
    writeln!(out)?;
    for engine in report.engines {
        let (portrait, verdict) = (Portrait(&engine.meeting), verdict_line(report, engine));
        writeln!(
            out,
            "### `{}`\n\n{portrait}\n\n**{verdict}**\n",
            engine.command
        )?;
        for fault in engine.faults() {
            let kind = fault.finding.fault.kind();
            let places = report.places(&fault.cases);
            let finding = finding::write(fault.finding, engine.speech());
            let again = engine.again(fault.finding);
            writeln!(out, "<details><summary>{kind}: {places}</summary>\n")?;
            writeln!(
                out,
                "```text\n{finding}```\n\n```sh\n{again}\n```\n\n</details>\n"
            )?;
        }
        let tags = engine.by_tag(report.cases);
        if !tags.is_empty() {
            writeln!(out, "| tag | fail | of |\n|---|--:|--:|")?;
            for TagCount { tag, fail, of } in tags {
                writeln!(out, "| {tag} | {fail} | {of} |")?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}
