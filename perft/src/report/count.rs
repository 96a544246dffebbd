//! What is printed of a count, in each of its formats.

use std::collections::BTreeMap;
use std::io::{self, Write};

use chess::notation::fen;
use chess::perft::{Breakdown, UniqueCount};
use kit::output::{grouped, rate};
use kit::report::{Format, Rows};
use serde::Serialize;

#[cfg(feature = "fleet")]
use crate::count::result::Provenance;
use crate::count::result::{CompletionStatus, CountMode, CountResult};

/// Writes the report on a count.
///
/// # Errors
///
/// As for the output.
pub(crate) fn write_count(
    result: &CountResult,
    format: Format,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    match (format, result.mode) {
        (Format::Json, _) => json(result, out),
        (Format::Csv, _) => rows(result).write(out),
        (_, CountMode::Unique { .. }) => Ok(human_unique(result, out)?),
        _ => Ok(human(result, out)?),
    }
}

fn human(result: &CountResult, text: &mut dyn Write) -> io::Result<()> {
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
    #[cfg(feature = "fleet")]
    if let Some(provenance) = &result.provenance {
        if result.breakdown.is_some() {
            writeln!(text)?;
        }
        write_provenance(provenance, text)?;
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

#[cfg(feature = "fleet")]
fn write_provenance(provenance: &Provenance, text: &mut dyn Write) -> io::Result<()> {
    for (worker, units) in &provenance.workers {
        writeln!(text, "{worker}: {} units", grouped(*units))?;
    }
    let known = &provenance.verification;
    writeln!(
        text,
        "{} of {} units, {} counted by two workers and compared",
        grouped(known.done),
        grouped(provenance.units),
        grouped(known.verified)
    )?;
    writeln!(
        text,
        "a worker that lies about 1 % of its units is missed with a probability of {:.2} %, about 10 %: {:.2} %\n",
        known.unseen_1_percent * 100.0,
        known.unseen_10_percent * 100.0
    )
}

fn human_unique(result: &CountResult, text: &mut dyn Write) -> io::Result<()> {
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

/// A row for each root move or ply, or a single row.
fn rows(result: &CountResult) -> Rows<'_> {
    match (result.mode, result.breakdown) {
        (CountMode::Unique { .. }, _) => {
            let numbers = |ply: &UniqueCount| {
                let numbers = [u64::from(ply.ply), ply.positions, ply.sequences];
                numbers.map(|number| number.to_string()).to_vec()
            };
            Rows::new("ply,positions,sequences", result.plies.iter().map(numbers))
        }
        (CountMode::Divide, _) => {
            let moves = result.divide.iter();
            let moves = moves.map(|(name, nodes)| vec![name.clone(), nodes.to_string()]);
            Rows::new("move,nodes", moves)
        }
        (_, Some(breakdown)) => {
            let counts = breakdown.map(|count| count.to_string());
            Rows::new(&Breakdown::NAMES.join(","), [counts.to_vec()])
        }
        _ => {
            let row = vec![result.depth.to_string(), result.nodes.to_string()];
            Rows::new("depth,nodes", [row])
        }
    }
}

#[derive(Serialize)]
struct CountObject<'a> {
    schema: &'static str,
    fen: String,
    depth: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u128>,
    complete: bool,
    seconds: f64,
    #[cfg(feature = "fleet")]
    #[serde(rename = "lab", skip_serializing_if = "Option::is_none")]
    provenance: Option<&'a Provenance>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<MoveCount<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    breakdown: Option<BTreeMap<String, u128>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<Vec<PlyCount>>,
}

#[derive(Serialize)]
struct MoveCount<'a> {
    #[serde(rename = "move")]
    name: &'a str,
    nodes: u128,
}

#[derive(Serialize)]
struct PlyCount {
    ply: u32,
    positions: u64,
    sequences: u64,
}

/// One object. The names of its keys and the schema are stable.
fn json(result: &CountResult, out: &mut dyn Write) -> anyhow::Result<()> {
    let is_unique = matches!(result.mode, CountMode::Unique { .. });
    let divide = result.divide.iter();
    let divide = divide.map(|&(ref name, nodes)| MoveCount { name, nodes });
    let plies = result.plies.iter().map(|count| PlyCount {
        ply: count.ply,
        positions: count.positions,
        sequences: count.sequences,
    });
    let object = CountObject {
        schema: "touchstone/perft-count/2",
        fen: fen::write(&result.position),
        depth: result.depth,
        nodes: (!is_unique).then_some(result.nodes),
        complete: matches!(
            result.status,
            CompletionStatus::Complete | CompletionStatus::Unverified
        ),
        seconds: result.time.as_secs_f64(),
        #[cfg(feature = "fleet")]
        provenance: result.provenance.as_ref(),
        divide: (result.mode == CountMode::Divide).then(|| divide.collect()),
        breakdown: result.breakdown.map(|breakdown| {
            let names = Breakdown::NAMES.map(|name| name.replace(' ', "_"));
            names.into_iter().zip(breakdown).collect()
        }),
        plies: is_unique.then(|| plies.collect()),
    };
    kit::report::json(&object, out)
}
