//! Asking Stockfish. One thread and a limit of nodes make every answer one that can be had again.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use chess::notation::uci_move::UciMove;
use chess::rules::{CastlingMode, Move, Position};
use uci::grammar::{FenText, Go, PositionCommand, ScoreValue};
use uci::{Cancel, Client, CommandLine, SessionEvent, Start};

/// How long one answer may take.
const PATIENCE: Duration = Duration::from_mins(5);

/// What a mate is worth in centipawns, before the moves it takes are taken off; as in `ce`.
const MATE_CP: i32 = 32767;

/// A move and what it is worth to the side to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) first: Move,
    /// Centipawns; for a mate, 32767 less the plies it takes.
    pub(crate) score_cp: i32,
}

pub(crate) struct Stockfish {
    client: Client,
}

impl Stockfish {
    pub(crate) fn start(path: &Path, cancel: Cancel) -> Result<Self> {
        let mut client = Client::start(&Start {
            cancel,
            ..Start::new(CommandLine::new(path))
        })?;
        client.handshake(PATIENCE)?;
        client.set_option("Threads", Some("1"))?;
        client.set_option("Hash", Some("16"))?;
        client.synchronise(PATIENCE)?;
        Ok(Self { client })
    }

    pub(crate) fn name(&self) -> &str {
        let name = self.client.id().name.as_deref();
        name.unwrap_or("an engine without a name")
    }

    /// Makes it forget all it has seen.
    pub(crate) fn forget(&mut self) -> Result<()> {
        Ok(self.client.new_game(PATIENCE)?)
    }

    /// The best `count` moves after `nodes`, the best first; fewer where there are not so many.
    pub(crate) fn lines(
        &mut self,
        position: &Position,
        count: usize,
        nodes: u64,
    ) -> Result<Vec<Line>> {
        self.client
            .set_option("MultiPV", Some(&count.to_string()))?;
        let go = Go {
            nodes: Some(nodes),
            ..Go::default()
        };
        let mut found: Vec<Option<(UciMove, ScoreValue)>> = vec![None; count];
        let command = PositionCommand::from(FenText::from(position));
        self.client.go(command, go, PATIENCE, |_, event| {
            let SessionEvent::Info(info) = event else {
                return;
            };
            let exact = info.score.filter(|score| score.bound.is_none());
            let (Some(score), Some(&first)) = (exact, info.pv.first()) else {
                return;
            };
            let rank = info
                .multipv
                .map_or(0, |rank| (rank as usize).saturating_sub(1));
            if let Some(slot) = found.get_mut(rank) {
                *slot = Some((first, score.value));
            }
        })?;
        let read = |(first, score): (UciMove, ScoreValue)| {
            let first = first.to_move(position, CastlingMode::Standard);
            Ok(Line {
                first: first.context("Stockfish gives an illegal move")?,
                score_cp: to_cp(score),
            })
        };
        found.into_iter().flatten().map(read).collect()
    }
}

fn to_cp(score: ScoreValue) -> i32 {
    match score {
        ScoreValue::Cp(cp) => cp,
        ScoreValue::Mate(moves) if moves > 0 => MATE_CP - (2 * moves - 1),
        ScoreValue::Mate(moves) => -MATE_CP - 2 * moves,
    }
}

/// Whether a score is a mate in at most `moves`.
pub(crate) fn is_mate_within(score_cp: i32, moves: i32) -> bool {
    score_cp >= MATE_CP - (2 * moves - 1)
}
