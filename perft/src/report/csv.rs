//! Tables in CSV.

use std::io::Write;

use chess::perft::Breakdown;

use super::MutantsReport;
use crate::count::result::{CountMode, CountResult};
use crate::suite::mutants::detect::{Catch, Judged};

/// One row per root move, per ply, or a single row.
pub(super) fn count(result: &CountResult) -> anyhow::Result<String> {
    match (result.mode, result.breakdown) {
        (CountMode::Unique { .. }, _) => {
            let numbers = |ply: &chess::perft::UniqueCount| {
                let numbers = [u64::from(ply.ply), ply.positions, ply.sequences];
                numbers.map(|number| number.to_string())
            };
            table(
                ["ply", "positions", "sequences"],
                result.plies.iter().map(numbers),
            )
        }
        (CountMode::Divide, _) => {
            let rows = result.divide.iter().cloned();
            table(
                ["move", "nodes"],
                rows.map(|(name, nodes)| [name, nodes.to_string()]),
            )
        }
        (_, Some(breakdown)) => {
            let counts = breakdown.map(|count| count.to_string());
            table(Breakdown::NAMES, [counts])
        }
        _ => table(
            ["depth", "nodes"],
            [[result.depth.to_string(), result.nodes.to_string()]],
        ),
    }
}

pub(super) fn mutants(report: &MutantsReport) -> anyhow::Result<String> {
    let head = [
        "mutant",
        "description",
        "tags",
        "suite",
        "line",
        "id",
        "depth",
        "nodes",
        "classic_id",
        "classic_depth",
        "classic_nodes",
    ];
    // Id, depth and nodes, empty if nothing catches the mutant.
    let cost = |judged: &Judged, catch: Option<Catch>| {
        let count = catch.map(|catch| judged.count(catch));
        let nodes = catch.map(|catch| judged.course.cost(catch.index, None));
        let id = count.and_then(|count| count.id.clone());
        [text(id), text(count.map(|count| count.depth)), text(nodes)]
    };
    let rows = report.rows().map(|(suites, classics)| {
        let mutation = suites.mutation;
        let place = suites.first().map(|catch| report.suites.count(catch));
        let suite = place.map(|count| report.suites.names[count.suite].clone());
        let [id, depth, nodes] = cost(&report.suites, suites.first());
        let [classic_id, classic_depth, classic_nodes] = cost(&report.classics, classics.first());
        [
            mutation.name().to_owned(),
            mutation.description().to_owned(),
            mutation.tags().join(" "),
            text(suite),
            text(place.map(|count| count.line)),
            id,
            depth,
            nodes,
            classic_id,
            classic_depth,
            classic_nodes,
        ]
    });
    table(head, rows)
}

/// An empty cell for `None`.
fn text(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn table<const N: usize>(
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    write_table(head, rows, &mut bytes)?;
    Ok(String::from_utf8(bytes)?)
}

fn write_table<const N: usize>(
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(head)?;
    for row in rows {
        table.write_record(&row)?;
    }
    Ok(table.flush()?)
}
