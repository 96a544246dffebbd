//! Human-readable text, made for 80 to 120 columns.

use std::fmt::{self, Write as _};

use chess::perft::Breakdown;
use kit::output::{grouped, rate};

use crate::count::result::{CompletionStatus, CountMode, CountResult};

fn written(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut text = String::new();
    write(&mut text).expect("a string can be written to");
    text
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
