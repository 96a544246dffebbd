//! Tables in CSV.

use std::io::Write;

use chess::perft::Breakdown;

use crate::count::result::{CountMode, CountResult};

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
