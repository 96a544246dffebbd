//! Formats games as CSV, one line each.

use std::io::Write;

use serde::Serialize;

use crate::model::{GameRecord, RunConfig};

/// Writes games as CSV, one after another, with a header before the first.
#[derive(Debug)]
pub struct GameTable<'a, W: Write> {
    config: &'a RunConfig,
    writer: csv::Writer<W>,
}

#[derive(Serialize)]
struct GameRow<'a> {
    game: u64,
    pair: u64,
    round: u64,
    opening: u64,
    opening_label: &'a str,
    white: &'a str,
    black: &'a str,
    result: &'static str,
    termination: &'static str,
    fault_engine: Option<&'a str>,
    fault: Option<&'static str>,
    fault_detail: Option<&'a str>,
    transcript: Option<&'a str>,
    plies: usize,
    started_ms: u64,
    duration_ms: u64,
}

/// Column names, printed even without any games.
const HEAD: [&str; 16] = [
    "game",
    "pair",
    "round",
    "opening",
    "opening_label",
    "white",
    "black",
    "result",
    "termination",
    "fault_engine",
    "fault",
    "fault_detail",
    "transcript",
    "plies",
    "started_ms",
    "duration_ms",
];

impl<'a, W: Write> GameTable<'a, W> {
    pub fn new(config: &'a RunConfig, writer: W) -> Result<Self, csv::Error> {
        let mut writer = csv::WriterBuilder::new()
            .has_headers(false)
            .from_writer(writer);
        writer.write_record(HEAD)?;
        Ok(Self { config, writer })
    }

    /// Adds a game. Numbers of games, pairs, rounds and openings count from 1, as in PGN and in the
    /// names of transcripts; only the ledger counts from 0.
    pub fn write(&mut self, record: &GameRecord) -> Result<(), csv::Error> {
        let name = |engine: crate::model::EngineIndex| self.config.engines[engine.0].name.as_str();
        let (plan, fault) = (&record.plan, record.fault.as_ref());
        self.writer.serialize(GameRow {
            game: plan.game + 1,
            pair: plan.pairing.number.0 + 1,
            round: u64::from(plan.pairing.round) + 1,
            opening: plan.pairing.opening + 1,
            opening_label: &record.opening.label,
            white: name(plan.white),
            black: name(plan.black),
            result: record.result.as_str(),
            termination: record.termination.as_str(),
            fault_engine: fault.map(|fault| name(fault.engine)),
            fault: fault.map(|fault| fault.kind.as_str()),
            fault_detail: fault.map(|fault| fault.detail.as_str()),
            transcript: fault.and_then(|fault| fault.transcript.as_deref()),
            plies: record.moves.len(),
            started_ms: record.started_ms,
            duration_ms: record.duration_ms,
        })
    }

    /// Finishes the table and returns the underlying writer.
    pub fn finish(self) -> std::io::Result<W> {
        self.writer
            .into_inner()
            .map_err(csv::IntoInnerError::into_error)
    }
}
