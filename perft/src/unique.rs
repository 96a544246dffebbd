//! `perft count --unique`: the unique positions at each ply, and the move sequences to them.

use std::fmt::Write as _;
use std::time::Duration;

use chess::notation::fen;
use chess::perft::UniqueCount;
use chess::rules::Position;
use kit::output::grouped;
use serde::Serialize;

use crate::count::Format;

/// The result of a unique count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unique {
    /// The root position.
    pub position: Position,
    /// Requested depth in plies.
    pub depth: u32,
    /// One entry per finished ply from ply 1, or ply 0 alone if depth 0 was requested.
    pub plies: Vec<UniqueCount>,
    /// Whether counting was cancelled.
    pub interrupted: bool,
    /// Wall-clock time of the count.
    pub time: Duration,
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    fen: String,
    depth: u32,
    complete: bool,
    seconds: f64,
    plies: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    ply: u32,
    positions: u64,
    sequences: u64,
}

impl Unique {
    /// Renders the report in a format.
    ///
    /// # Errors
    ///
    /// When a library cannot write the format.
    pub fn write(&self, format: Format) -> anyhow::Result<String> {
        match format {
            Format::Human => Ok(self.human()),
            Format::Json => Ok(serde_json::to_string_pretty(&self.report())? + "\n"),
            Format::Csv => self.csv(),
        }
    }

    /// Whether every requested ply has been counted.
    fn is_complete(&self) -> bool {
        self.plies
            .last()
            .is_some_and(|count| count.ply == self.depth)
    }

    fn human(&self) -> String {
        let mut text = String::new();
        let written = self.write_human(&mut text);
        written.expect("a string can be written to");
        text
    }

    fn write_human(&self, text: &mut String) -> std::fmt::Result {
        writeln!(text, "{:>3} {:>26} {:>26}", "ply", "positions", "sequences")?;
        for count in &self.plies {
            let (positions, sequences) = (grouped(count.positions), grouped(count.sequences));
            writeln!(text, "{:>3} {positions:>26} {sequences:>26}", count.ply)?;
        }
        let seconds = self.time.as_secs_f64();
        let Some(last) = self.plies.last().filter(|_| self.is_complete()) else {
            let why = if self.interrupted {
                "INTERRUPTED"
            } else {
                "INCOMPLETE"
            };
            let (done, depth) = (self.plies.len(), self.depth);
            return writeln!(text, "{why} after {seconds:.2} s: {done} of {depth} plies");
        };
        let positions = grouped(last.positions);
        writeln!(
            text,
            "unique({}) = {positions} in {seconds:.2} s",
            self.depth
        )
    }

    fn report(&self) -> Report {
        let plies = self.plies.iter().map(|count| Row {
            ply: count.ply,
            positions: count.positions,
            sequences: count.sequences,
        });
        Report {
            schema: "touchstone/perft-unique/1",
            fen: fen::write(&self.position),
            depth: self.depth,
            complete: self.is_complete(),
            seconds: self.time.as_secs_f64(),
            plies: plies.collect(),
        }
    }

    fn csv(&self) -> anyhow::Result<String> {
        let mut table = csv::Writer::from_writer(Vec::new());
        table.write_record(["ply", "positions", "sequences"])?;
        for count in &self.plies {
            let row = [u64::from(count.ply), count.positions, count.sequences];
            table.write_record(row.map(|number| number.to_string()))?;
        }
        let bytes = table
            .into_inner()
            .map_err(csv::IntoInnerError::into_error)?;
        Ok(String::from_utf8(bytes)?)
    }
}
