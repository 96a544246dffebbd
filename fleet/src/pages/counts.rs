//! Perft counts as published tables, as a page and as JSON.

use std::collections::BTreeMap;

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use selfplay::lab::summary::Outcome;
use serde::Serialize;
use utoipa::ToSchema;
use web::problem::Problem;

use super::format::grouped;
use super::queries::{self, JobSummary};
use super::{PageFrame, page, reading};
use crate::app::LabState;
use crate::people::SignedIn;

/// A finished perft count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PerftCount)]
pub(crate) struct Count {
    /// The test.
    test: String,
    /// The position.
    fen: String,
    /// The depth in plies.
    depth: u32,
    /// Leaf nodes, as text: they do not fit a JSON number.
    nodes: String,
    /// Whether all results of workers agree.
    exact: bool,
    /// The leaf nodes by kind of the last move: names and numbers.
    breakdown: Vec<(String, String)>,
    /// The leaf nodes by root move.
    divide: Vec<(String, String)>,
}

/// All finished perft counts.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = PerftCounts)]
pub(crate) struct Counts {
    /// Always `touchstone/lab-perft/1`.
    schema: &'static str,
    /// By position and depth.
    counts: Vec<Count>,
}

/// One count for each position and depth: the newest exact one, or the newest.
fn published(jobs: &[JobSummary]) -> Vec<Count> {
    let mut counts: BTreeMap<(String, u32), Count> = BTreeMap::new();
    for job in jobs {
        let summary = job.summary();
        let Some(perft) = summary.perft else {
            continue;
        };
        let count = Count {
            test: job.id.clone(),
            exact: summary.outcome == Some(Outcome::Complete) && perft.alarms == 0,
            fen: perft.fen,
            depth: perft.depth,
            nodes: perft.nodes,
            breakdown: perft.breakdown,
            divide: perft.divide,
        };
        let key = (count.fen.clone(), count.depth);
        let known = counts.get(&key);
        // The newest come first, so that an older one replaces only what it outranks. A breakdown says more.
        let rank = |count: &Count| (count.exact, !count.breakdown.is_empty());
        if known.is_none_or(|known| rank(&count) > rank(known)) {
            counts.insert(key, count);
        }
    }
    counts.into_values().collect()
}

/// The counts of one position.
struct PositionCounts {
    fen: String,
    columns: Vec<String>,
    rows: Vec<CountRow>,
}

struct CountRow {
    test: String,
    depth: u32,
    nodes: String,
    is_exact: bool,
    cells: Vec<String>,
}

fn tables(counts: Vec<Count>) -> Vec<PositionCounts> {
    let mut tables: Vec<PositionCounts> = Vec::new();
    for count in counts {
        // Counts come ordered by position: those of one are neighbours.
        if tables.last().is_none_or(|last| last.fen != count.fen) {
            tables.push(PositionCounts {
                fen: count.fen.clone(),
                columns: Vec::new(),
                rows: Vec::new(),
            });
        }
        let table = tables.last_mut().expect("it was just added");
        // A breakdown repeats the number of leaf nodes, which has a column of its own.
        let parts = count.breakdown.iter().filter(|(name, _)| name != "nodes");
        if table.columns.is_empty() {
            table.columns = parts.clone().map(|(name, _)| name.clone()).collect();
        }
        table.rows.push(CountRow {
            cells: parts.map(|(_, number)| grouped(number)).collect(),
            test: count.test,
            depth: count.depth,
            nodes: grouped(count.nodes),
            is_exact: count.exact,
        });
    }
    // Counts without a breakdown stand beside others that have one.
    for table in &mut tables {
        let width = table.columns.len();
        for row in &mut table.rows {
            row.cells.resize(width, "–".to_owned());
        }
    }
    tables
}

#[derive(Template)]
#[template(path = "perft.html")]
struct PerftPage {
    frame: PageFrame,
    tables: Vec<PositionCounts>,
}

/// Shows all finished counts.
pub(crate) async fn show(
    State(app): State<LabState>,
    who: Option<SignedIn>,
) -> Result<Response, Problem> {
    let jobs = queries::counts(&app.database.pool).await.map_err(reading)?;
    let frame = PageFrame::new("Perft tables", "", who.map(|who| who.0));
    let tables = tables(published(&jobs));
    Ok(page(&PerftPage { frame, tables }))
}

/// Lists finished perft counts, with breakdown and divide.
#[utoipa::path(get, path = "/api/1/perft", tag = "tests",
    responses((status = 200, description = "All finished counts", body = Counts)))]
pub(crate) async fn list(State(app): State<LabState>) -> Result<Json<Counts>, Problem> {
    let jobs = queries::counts(&app.database.pool).await.map_err(reading)?;
    let schema = "touchstone/lab-perft/1";
    let counts = published(&jobs);
    Ok(Json(Counts { schema, counts }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(depth: u32, breakdown: &[(&str, &str)]) -> Count {
        let text = |(name, number): &(&str, &str)| ((*name).to_owned(), (*number).to_owned());
        Count {
            test: format!("t{depth}"),
            fen: "start".to_owned(),
            depth,
            nodes: "1000".to_owned(),
            exact: true,
            breakdown: breakdown.iter().map(text).collect(),
            divide: Vec::new(),
        }
    }

    #[test]
    fn tables_are_by_position_with_a_column_for_each_kind() {
        let counts = vec![
            count(5, &[]),
            count(6, &[("nodes", "1000"), ("captures", "34")]),
        ];
        let tables = tables(counts);
        assert_eq!(tables.len(), 1);
        assert_eq!(tables[0].columns, ["captures"]);
        assert_eq!(tables[0].rows[0].cells, ["–"]);
        assert_eq!(tables[0].rows[1].cells, ["34"]);
        assert_eq!(tables[0].rows[1].nodes, "1\u{202f}000");
    }
}
