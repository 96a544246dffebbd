//! The CSV report: one row per mutant.

use anyhow::Context;

use super::{Judged, MutantsReport};
use crate::mutants::detect::Catch;

const HEAD: [&str; 11] = [
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

pub(super) fn write(report: &MutantsReport) -> anyhow::Result<String> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(HEAD)?;
    for (outcome, classic) in report.rows() {
        let mutation = outcome.mutation;
        let mut row = vec![
            mutation.name().to_owned(),
            mutation.description().to_owned(),
            mutation.tags().join(" "),
        ];
        row.extend(place(&report.suites, outcome.first()));
        row.extend(cost(&report.suites, outcome.first()));
        row.extend(cost(&report.classics, classic.first()));
        table.write_record(&row)?;
    }
    let bytes = table
        .into_inner()
        .map_err(csv::IntoInnerError::into_error)?;
    String::from_utf8(bytes).context("the table is not UTF-8")
}

/// Suite and line, empty if nothing catches the mutant.
fn place(judged: &Judged, catch: Option<Catch>) -> [String; 2] {
    let Some(catch) = catch else {
        return Default::default();
    };
    let unit = judged.unit(catch);
    [judged.names[unit.suite].clone(), unit.line.to_string()]
}

/// Id, depth and nodes, empty if nothing catches the mutant.
fn cost(judged: &Judged, catch: Option<Catch>) -> [String; 3] {
    let Some(catch) = catch else {
        return Default::default();
    };
    let unit = judged.unit(catch);
    [
        unit.id.clone().unwrap_or_default(),
        unit.depth.to_string(),
        judged.course.cost(catch.unit, None).to_string(),
    ]
}
