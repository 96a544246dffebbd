//! The human-readable report.

use std::fmt::Write as _;

use kit::output::grouped;

use super::{Judged, MutantsReport};
use crate::mutants::detect::Catch;

pub(super) fn write(report: &MutantsReport) -> String {
    let mut text = String::new();
    write_into(report, &mut text).expect("a string can be written to");
    text
}

fn write_into(report: &MutantsReport, text: &mut String) -> std::fmt::Result {
    write_mutants(report, text)?;
    writeln!(text)?;
    write_suites(report, text)?;
    writeln!(text)?;
    write_verdict(report, text)
}

/// A line per mutant.
fn write_mutants(report: &MutantsReport, text: &mut String) -> std::fmt::Result {
    let MutantsReport { suites, classics } = report;
    let places: Vec<String> = suites
        .outcomes
        .iter()
        .map(|outcome| {
            outcome
                .first()
                .map_or("ESCAPED".to_owned(), |catch| suites.place(catch))
        })
        .collect();
    let names = suites
        .outcomes
        .iter()
        .map(|outcome| outcome.mutation.name());
    let name_width = width(names, "mutant");
    let place_width = width(places.iter().map(String::as_str), "caught by");
    writeln!(
        text,
        "{:<name_width$}  {:<place_width$}  depth  {:>13}  by the six classics",
        "mutant", "caught by", "nodes"
    )?;
    for ((outcome, classic), place) in report.rows().zip(&places) {
        let name = outcome.mutation.name();
        let (depth, nodes) = depth_and_nodes(suites, outcome.first());
        let classic = match classic.first() {
            Some(catch) => {
                let (depth, nodes) = depth_and_nodes(classics, Some(catch));
                format!("depth {depth}, {nodes} nodes")
            }
            None => "no".to_owned(),
        };
        writeln!(
            text,
            "{name:<name_width$}  {place:<place_width$}  {depth:>5}  {nodes:>13}  {classic}"
        )?;
    }
    Ok(())
}

fn depth_and_nodes(judged: &Judged, catch: Option<Catch>) -> (String, String) {
    match catch {
        Some(catch) => (
            judged.unit(catch).depth.to_string(),
            grouped(judged.course.cost(catch.unit, None)),
        ),
        None => ("-".to_owned(), "-".to_owned()),
    }
}

/// A line per suite, a total if there are several, and a line for the classics.
fn write_suites(report: &MutantsReport, text: &mut String) -> std::fmt::Result {
    let MutantsReport { suites, classics } = report;
    let names = suites.names.iter().chain(&classics.names);
    let width = width(names.map(String::as_str), "suite");
    writeln!(
        text,
        "{:<width$}  {:>11}  {:>16}",
        "suite", "caught", "nodes"
    )?;
    for suite in 0..suites.names.len() {
        write_suite(suites, Some(suite), width, text)?;
    }
    if suites.names.len() > 1 {
        write_suite(suites, None, width, text)?;
    }
    write_suite(classics, Some(0), width, text)
}

fn write_suite(
    judged: &Judged,
    suite: Option<usize>,
    width: usize,
    text: &mut String,
) -> std::fmt::Result {
    let caught = format!("{} of {}", judged.caught(suite), judged.outcomes.len());
    let nodes = grouped(judged.nodes(suite));
    let (name, time) = match suite {
        Some(suite) => (judged.names[suite].as_str(), judged.times[suite]),
        None => ("all", judged.times.iter().sum()),
    };
    let seconds = time.as_secs_f64();
    writeln!(
        text,
        "{name:<width$}  {caught:>11}  {nodes:>16}  in {seconds:.2} s"
    )
}

fn write_verdict(report: &MutantsReport, text: &mut String) -> std::fmt::Result {
    let suites = &report.suites;
    let all = suites.outcomes.len();
    let escaped = all - suites.caught(None);
    if escaped == 0 {
        return writeln!(text, "OK: all {all} mutants are caught");
    }
    writeln!(text, "ESCAPED: {escaped} of {all} mutants are not caught")?;
    for outcome in suites
        .outcomes
        .iter()
        .filter(|outcome| outcome.first().is_none())
    {
        let mutation = outcome.mutation;
        writeln!(text, "    {}: {}", mutation.name(), mutation.description())?;
    }
    Ok(())
}

fn width<'a>(texts: impl Iterator<Item = &'a str>, head: &str) -> usize {
    let widths = texts.map(|text| text.chars().count());
    widths.max().unwrap_or(0).max(head.len())
}
