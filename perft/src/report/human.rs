//! Human-readable text, made for 80 to 120 columns.

use std::fmt::{self, Write as _};

use chess::perft::Breakdown;
use kit::output::{grouped, rate};

use super::MutantsReport;
use crate::count::result::{CompletionStatus, CountMode, CountResult};
use crate::suite::mutants::detect::{Catch, Judged};

fn written(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut text = String::new();
    write(&mut text).expect("a string can be written to");
    text
}

/// Width of a column with this head.
fn width<'a>(texts: impl Iterator<Item = &'a str>, head: &str) -> usize {
    let widths = texts.map(|text| text.chars().count());
    widths.max().unwrap_or(0).max(head.len())
}

pub(super) fn count(result: &CountResult) -> String {
    written(|text| match result.mode {
        CountMode::Unique { .. } => write_unique(result, text),
        _ => write_count(result, text),
    })
}

fn write_count(result: &CountResult, text: &mut String) -> fmt::Result {
    for (name, nodes) in &result.divide {
        writeln!(text, "{name}: {nodes}")?;
    }
    if result.mode == CountMode::Divide {
        writeln!(text)?;
    }
    if let Some(breakdown) = &result.breakdown {
        for (name, &nodes) in Breakdown::NAMES.into_iter().zip(breakdown).skip(1) {
            writeln!(text, "{name:<11} {:>20}", grouped(nodes))?;
        }
    }
    if let Some(provenance) = &result.provenance {
        if result.breakdown.is_some() {
            writeln!(text)?;
        }
        for (worker, units) in &provenance.workers {
            writeln!(text, "{worker}: {} units", grouped(*units))?;
        }
        writeln!(
            text,
            "{} of {} units at ply {}, {} counted by two workers and compared",
            grouped(provenance.done),
            grouped(provenance.units),
            provenance.ply,
            grouped(provenance.compared)
        )?;
        if provenance.recounted > 0 {
            let recounted = grouped(provenance.recounted);
            writeln!(
                text,
                "{recounted} picked at random, counted again here and compared"
            )?;
        }
        writeln!(
            text,
            "{:.2} % verified; a worker that lies about 1 % of its units is missed with a probability \
             of {:.2} %, about 10 %: {:.2} %\n",
            provenance.verified * 100.0,
            provenance.unseen.of_1_percent * 100.0,
            provenance.unseen.of_10_percent * 100.0
        )?;
    }
    let seconds = result.time.as_secs_f64();
    let (depth, nodes) = (result.depth, grouped(result.nodes));
    match result.status {
        CompletionStatus::Complete => {
            let rate = rate(result.nodes.saturating_sub(result.resumed), seconds);
            writeln!(text, "perft({depth}) = {nodes} in {seconds:.2} s, {rate}")
        }
        CompletionStatus::Interrupted | CompletionStatus::Incomplete => {
            writeln!(
                text,
                "INTERRUPTED after {seconds:.2} s: at least {nodes} nodes"
            )
        }
        CompletionStatus::Stopped => {
            writeln!(text, "STOPPED after {seconds:.2} s: at least {nodes} nodes")
        }
        CompletionStatus::Unverified => writeln!(
            text,
            "UNVERIFIED after {seconds:.2} s: perft({depth}) = {nodes}, if the workers are right"
        ),
        CompletionStatus::Different => writeln!(
            text,
            "DIFFERENT after {seconds:.2} s: counts disagree, no sum can be trusted"
        ),
    }
}

fn write_unique(result: &CountResult, text: &mut String) -> fmt::Result {
    writeln!(text, "{:>3} {:>26} {:>26}", "ply", "positions", "sequences")?;
    for ply in &result.plies {
        let (positions, sequences) = (grouped(ply.positions), grouped(ply.sequences));
        writeln!(text, "{:>3} {positions:>26} {sequences:>26}", ply.ply)?;
    }
    let (depth, seconds) = (result.depth, result.time.as_secs_f64());
    match result.plies.last() {
        Some(last) if last.ply == depth => {
            let positions = grouped(last.positions);
            writeln!(text, "unique({depth}) = {positions} in {seconds:.2} s")
        }
        _ => {
            let done = result.plies.len();
            let why = match result.status {
                CompletionStatus::Incomplete => "INCOMPLETE",
                _ => "INTERRUPTED",
            };
            writeln!(text, "{why} after {seconds:.2} s: {done} of {depth} plies")
        }
    }
}

pub(super) fn mutants(report: &MutantsReport) -> String {
    written(|text| {
        write_mutants(report, text)?;
        write_caught(report, text)
    })
}

fn write_mutants(report: &MutantsReport, text: &mut String) -> fmt::Result {
    let MutantsReport { suites, classics } = report;
    let place = |catch: Option<Catch>| {
        catch.map_or_else(|| "ESCAPED".to_owned(), |catch| suites.place(catch))
    };
    let places: Vec<String> = report.rows().map(|(one, _)| place(one.first())).collect();
    let name_width = width(report.rows().map(|(one, _)| one.mutation.name()), "mutant");
    let place_width = width(places.iter().map(String::as_str), "caught by");
    writeln!(
        text,
        "{:<name_width$}  {:<place_width$}  depth  {:>13}  by the six classics",
        "mutant", "caught by", "nodes"
    )?;
    for ((one, classic), place) in report.rows().zip(&places) {
        let name = one.mutation.name();
        let depth_and_nodes = |judged: &Judged, catch: Catch| {
            let nodes = judged.course.cost(catch.index, None);
            (judged.count(catch).depth.to_string(), grouped(nodes))
        };
        let dash = || ("-".to_owned(), "-".to_owned());
        let (depth, nodes) = one
            .first()
            .map_or_else(dash, |catch| depth_and_nodes(suites, catch));
        let classic = classic.first().map_or_else(
            || "no".to_owned(),
            |catch| {
                let (depth, nodes) = depth_and_nodes(classics, catch);
                format!("depth {depth}, {nodes} nodes")
            },
        );
        writeln!(
            text,
            "{name:<name_width$}  {place:<place_width$}  {depth:>5}  {nodes:>13}  {classic}"
        )?;
    }
    Ok(())
}

/// A line per suite, a total if there are several, a line for the classics; the verdict.
fn write_caught(report: &MutantsReport, text: &mut String) -> fmt::Result {
    let MutantsReport { suites, classics } = report;
    let names = suites.names.iter().chain(&classics.names);
    let width = width(names.map(String::as_str), "suite");
    writeln!(
        text,
        "\n{:<width$}  {:>11}  {:>16}",
        "suite", "caught", "nodes"
    )?;
    let number = suites.names.len();
    let total = (number > 1).then_some((suites, None));
    let rows = (0..number).map(|suite| (suites, Some(suite)));
    for (judged, suite) in rows.chain(total).chain([(classics, Some(0))]) {
        let caught = format!("{} of {}", judged.caught(suite), judged.catches.len());
        let nodes = grouped(judged.nodes(suite));
        let (name, time) = match suite {
            Some(suite) => (judged.names[suite].as_str(), judged.times[suite]),
            None => ("all", judged.times.iter().sum()),
        };
        let seconds = time.as_secs_f64();
        writeln!(
            text,
            "{name:<width$}  {caught:>11}  {nodes:>16}  in {seconds:.2} s"
        )?;
    }
    let all = suites.catches.len();
    let escaped = all - suites.caught(None);
    if escaped == 0 {
        return writeln!(text, "\nOK: all {all} mutants are caught");
    }
    writeln!(text, "\nESCAPED: {escaped} of {all} mutants are not caught")?;
    for one in suites.catches.iter().filter(|one| one.first().is_none()) {
        writeln!(
            text,
            "    {}: {}",
            one.mutation.name(),
            one.mutation.description()
        )?;
    }
    Ok(())
}
