//! The human-readable report.

use std::fmt::Write as _;

use chess::notation::fen;
use kit::output::{grouped, rate};

use super::{CheckReport, Difference};
use crate::check::Verdict;

pub(super) fn write(report: &CheckReport<'_>) -> String {
    let mut text = String::new();
    write_into(report, &mut text).expect("a string can be written to");
    text
}

/// The diagnostics of the suites themselves.
pub(super) fn faults_of_suites(report: &CheckReport<'_>) -> String {
    let mut text = String::new();
    write_faults_of_suites(report, &mut text).expect("a string can be written to");
    text
}

fn write_faults_of_suites(report: &CheckReport<'_>, text: &mut String) -> std::fmt::Result {
    for suite in &report.plan.suites {
        for diagnostic in &suite.diagnostics {
            writeln!(text, "{}", diagnostic.display(&suite.name))?;
        }
    }
    for (suite, unit, result) in report.differing() {
        let id = unit
            .id
            .as_deref()
            .map_or_else(String::new, |id| format!(" {id}"));
        writeln!(
            text,
            "{suite}:{}:{id} {}",
            unit.line,
            Difference(unit, result)
        )?;
        writeln!(text, "    {}", fen::write(&unit.position))?;
    }
    Ok(())
}

fn write_into(report: &CheckReport<'_>, text: &mut String) -> std::fmt::Result {
    let CheckReport { plan, ledger, .. } = report;
    let width = plan
        .suites
        .iter()
        .map(|suite| suite.name.chars().count())
        .max()
        .unwrap_or(0)
        .max(5);
    writeln!(
        text,
        "{:<width$}  positions  counts agreed  {:>16}",
        "suite", "nodes"
    )?;
    for (index, suite) in plan.suites.iter().enumerate() {
        let totals = ledger.totals(plan, Some(index));
        let all = totals.agreed + totals.differing + totals.open;
        let counts = format!("{} of {all}", totals.agreed);
        let (positions, nodes) = (suite.positions, grouped(totals.nodes));
        writeln!(
            text,
            "{:<width$}  {positions:>9}  {counts:>13}  {nodes:>16}",
            suite.name
        )?;
    }
    write_faults_of_suites(report, text)?;
    write_verdict(report, text)
}

fn write_verdict(report: &CheckReport<'_>, text: &mut String) -> std::fmt::Result {
    let CheckReport {
        plan,
        ledger,
        time,
        threads,
    } = report;
    let totals = ledger.totals(plan, None);
    let all = totals.agreed + totals.differing + totals.open;
    match ledger.verdict(plan) {
        Verdict::Agree => {
            let positions: usize = plan.suites.iter().map(|suite| suite.positions).sum();
            write!(text, "OK: all {all} counts of {positions} positions agree")?;
        }
        Verdict::Differ => {
            write!(
                text,
                "DIFFERENT: {} of {all} counts differ",
                totals.differing
            )?;
            if totals.open > 0 {
                write!(text, ", {} not made", totals.open)?;
            }
        }
        Verdict::BrokenSuite => write!(
            text,
            "BROKEN SUITE: some lines cannot be read; the {} counts of the others agree",
            totals.agreed
        )?,
        Verdict::Nothing => return writeln!(text, "NOTHING: no count was selected"),
        Verdict::Interrupted => write!(
            text,
            "INTERRUPTED: {} counts agree, {} differ, {} not made",
            totals.agreed, totals.differing, totals.open
        )?,
    }
    let seconds = time.as_secs_f64();
    let plural = if *threads == 1 { "" } else { "s" };
    let rate = rate(totals.nodes, seconds);
    let nodes = grouped(totals.nodes);
    writeln!(
        text,
        "; {nodes} nodes in {seconds:.2} s, {rate}, {threads} thread{plural}"
    )
}
