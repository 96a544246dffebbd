//! Human-readable text, made for 80 to 120 columns.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::io;

use chess::notation::fen;
use chess::perft::Breakdown;
use kit::output::{grouped, rate};
use uci::perft::Meeting;

use super::words::{Difference, Portrait, Wrong, kind_and_rule, last_lines, verdict_line};
use super::{CheckReport, EngineReport, MutantsReport, finding};
use crate::count::result::{CompletionStatus, CountMode, CountResult};
use crate::engine_check::ledger::{CaseOutcome, EngineCheck, TagCount};
use crate::suite::check::ledger::SuiteVerdict;
use crate::suite::mutants::detect::{Catch, Judged};

/// Maximum number of listed cases without a finding; the rest are only counted.
const LISTED: usize = 10;
/// Width of the bars of a histogram.
const BAR: usize = 20;

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

pub(super) fn check(report: &CheckReport<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let CheckReport {
        plan,
        ledger,
        time,
        threads,
    } = report;
    let width = width(plan.suites.iter().map(|suite| suite.name.as_str()), "suite");
    writeln!(
        out,
        "{:<width$}  positions  counts agreed  {:>16}",
        "suite", "nodes"
    )?;
    for (index, suite) in plan.suites.iter().enumerate() {
        let totals = ledger.totals(plan, Some(index));
        let all = totals.agreed + totals.differing + totals.open;
        let counts = format!("{} of {all}", totals.agreed);
        let (name, positions, nodes) = (&suite.name, suite.positions, grouped(totals.nodes));
        writeln!(
            out,
            "{name:<width$}  {positions:>9}  {counts:>13}  {nodes:>16}"
        )?;
    }
    write_faults_of_suites(report, out)?;
    let totals = ledger.totals(plan, None);
    let (agreed, differing, open) = (totals.agreed, totals.differing, totals.open);
    let all = agreed + differing + open;
    match ledger.verdict(plan) {
        SuiteVerdict::Agree => {
            let positions: usize = plan.suites.iter().map(|suite| suite.positions).sum();
            write!(out, "OK: all {all} counts of {positions} positions agree")?;
        }
        SuiteVerdict::Differ => {
            write!(out, "DIFFERENT: {differing} of {all} counts differ")?;
            if open > 0 {
                write!(out, ", {open} not made")?;
            }
        }
        SuiteVerdict::BrokenSuite => write!(
            out,
            "BROKEN SUITE: some lines cannot be read; the {agreed} counts of the others agree"
        )?,
        SuiteVerdict::Nothing => return writeln!(out, "NOTHING: no count was selected"),
        SuiteVerdict::Interrupted => write!(
            out,
            "INTERRUPTED: {agreed} counts agree, {differing} differ, {open} not made"
        )?,
    }
    let seconds = time.as_secs_f64();
    let plural = if *threads == 1 { "" } else { "s" };
    let (nodes, rate) = (grouped(totals.nodes), rate(totals.nodes, seconds));
    writeln!(
        out,
        "; {nodes} nodes in {seconds:.2} s, {rate}, {threads} thread{plural}"
    )
}

fn write_faults_of_suites(report: &CheckReport<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    for suite in &report.plan.suites {
        for diagnostic in &suite.diagnostics {
            writeln!(out, "{}", diagnostic.display(&suite.name))?;
        }
    }
    for (suite, count, result) in report.differing() {
        let record = count.record;
        let id = record.id().map_or_else(String::new, |id| format!(" {id}"));
        writeln!(
            out,
            "{suite}:{}:{id} {}",
            record.line(),
            Difference(count, result)
        )?;
        writeln!(out, "    {}", fen::write(&record.position()))?;
    }
    Ok(())
}

pub(super) fn engines(report: &EngineReport<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    write_faults_of_suites(&report.check, out)?;
    for engine in report.engines {
        write_engine(report, engine, out)?;
    }
    out.write_all(match report.check.ledger.verdict(report.check.plan) {
        SuiteVerdict::BrokenSuite => "BROKEN SUITE: some lines cannot be read, see above\n",
        SuiteVerdict::Differ => {
            "WRONG SUITE: some of its counts differ from ours, see above; engines were compared \
             with ours\n"
        }
        SuiteVerdict::Agree | SuiteVerdict::Nothing | SuiteVerdict::Interrupted => "",
    }
    .as_bytes())
}

fn write_engine(
    report: &EngineReport<'_>,
    engine: &EngineCheck,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    writeln!(out, "{}: {}", engine.command, Portrait(&engine.meeting))?;
    if matches!(engine.meeting, Meeting::Speaks(_)) {
        write_engine_table(report, engine, out)?;
        write_faults(report, engine, out)?;
        // A histogram of the failing positions by tag.
        let tags = engine.by_tag(report.cases);
        if !tags.is_empty() {
            let width = width(tags.iter().map(|count| count.tag), "tag");
            writeln!(out, "{:<width$}  positions that fail", "tag")?;
            for TagCount { tag, fail, of } in tags {
                let bar = "#".repeat((fail * BAR).div_ceil(of));
                writeln!(out, "{tag:<width$}  {bar:<BAR$}  {fail} of {of}")?;
            }
        }
    }
    writeln!(out, "{}", verdict_line(report, engine))
}

/// What has changed since the check before: the first engine's cases that fail newly, pass newly, and
/// still fail.
pub(super) fn changes(
    report: &EngineReport<'_>,
    before: &EngineCheck,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    for engine in report.engines {
        if matches!(engine.meeting, Meeting::Speaks(_)) {
            let old: BTreeSet<usize> = before.failing().map(|(case, _)| case).collect();
            let failing = engine.failing();
            let new: Vec<_> = failing.filter(|(case, _)| !old.contains(case)).collect();
            for &(case, outcome) in new.iter().take(LISTED) {
                let found = engine.finding(case).map(kind_and_rule);
                let rule = found.map_or_else(String::new, |found| format!("{found}; "));
                let place = report.place(case);
                writeln!(out, "newly failing: {place}: {rule}{}", Wrong(outcome))?;
            }
            if let more @ 1.. = new.len().saturating_sub(LISTED) {
                writeln!(out, "newly failing: {more} more")?;
            }
            let passes = |case: &&usize| engine.outcome(**case) == Some(&CaseOutcome::Right);
            let passing: Vec<_> = old.iter().filter(passes).collect();
            for &&case in passing.iter().take(LISTED) {
                writeln!(out, "newly passing: {}", report.place(case))?;
            }
            if let more @ 1.. = passing.len().saturating_sub(LISTED) {
                writeln!(out, "newly passing: {more} more")?;
            }
            let still = engine.failing().count() - new.len();
            let (new, passing) = (new.len(), passing.len());
            writeln!(
                out,
                "{new} newly failing, {passing} newly passing, {still} still failing"
            )?;
        } else {
            writeln!(out, "{}", Portrait(&engine.meeting))?;
        }
        writeln!(out, "{}", verdict_line(report, engine))?;
    }
    Ok(())
}

fn write_engine_table(
    report: &EngineReport<'_>,
    engine: &EngineCheck,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let suites = &report.check.plan.suites;
    let width = width(suites.iter().map(|suite| suite.name.as_str()), "suite");
    writeln!(
        out,
        "{:<width$}  right  wrong  failed  not asked  {:>16}",
        "suite", "nodes"
    )?;
    for (index, suite) in suites.iter().enumerate() {
        let totals = engine.totals(report.cases, Some(index));
        let not_asked = totals.needs_chess960 + totals.open;
        let (right, wrong, failed) = (totals.right, totals.wrong, totals.failed);
        let (name, nodes) = (&suite.name, grouped(totals.nodes));
        writeln!(
            out,
            "{name:<width$}  {right:>5}  {wrong:>5}  {failed:>6}  {not_asked:>9}  {nodes:>16}"
        )?;
    }
    Ok(())
}

/// The findings of the hunts, and the failing cases that no finding covers.
fn write_faults(
    report: &EngineReport<'_>,
    engine: &EngineCheck,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let faults = engine.faults();
    for (number, fault) in (1..).zip(&faults) {
        let count = fault.cases.len();
        let plural = if count == 1 { "" } else { "s" };
        let places = report.places(&fault.cases);
        writeln!(
            out,
            "\nFAULT {number} in {count} position{plural}: {places}"
        )?;
        for line in finding::write(fault.finding, engine.speech()).lines() {
            writeln!(out, "  {line}")?;
        }
        writeln!(out, "  again: {}", engine.again(fault.finding))?;
    }
    if !faults.is_empty() {
        writeln!(out)?;
    }
    for (case, outcome) in engine.unhunted().take(LISTED) {
        writeln!(out, "{}: {}", report.place(case), Wrong(outcome))?;
        if let CaseOutcome::Failed { transcript, .. } = outcome {
            for line in last_lines(transcript) {
                writeln!(out, "    {line}")?;
            }
        }
    }
    match engine.unhunted().count().saturating_sub(LISTED) {
        0 => Ok(()),
        more => writeln!(out, "and {more} more positions"),
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
