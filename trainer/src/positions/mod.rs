//! `trainer positions`: samples quiet positions from games.
//!
//! Games are read sequentially and processed in parallel batches. Duplicate positions are omitted,
//! and so are games identical to an earlier one, of which deterministic engines play many. The
//! positions sampled from a game depend only on the seed and its number.

mod filter;
pub(crate) mod quiet;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, Write};

use chess::notation::pgn::{PgnGame, PgnReader};
use rayon::prelude::*;

use crate::files::TrainerError;
use crate::line::TrainingLine;
use crate::{Say, files};
use filter::PositionFilter;

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct PositionsOptions {
    /// PGN files to read
    #[arg(required = true, value_name = "GAMES")]
    files: Vec<String>,

    /// File to write; replaced when it is complete
    #[arg(short, long, alias = "out", value_name = "FILE")]
    pub(crate) output: String,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    filter: PositionFilter,
}

/// Number of games in memory at once.
const BATCH: usize = 512;

/// Reads the games and writes their sampled positions.
pub(crate) fn run(options: &PositionsOptions, say: Say<'_>) -> Result<(), TrainerError> {
    let mut sampler = Sampler::new(options.filter, options.seed);
    files::write(&options.output, |file| {
        for path in &options.files {
            sampler.take(path, files::open(path)?, file)?;
        }
        Ok(())
    })?;
    let (games, used, lines) = (sampler.games, sampler.used, sampler.lines);
    say(&format!(
        "{lines} positions of {used} games, of {games} read"
    ));
    Ok(())
}

/// Samples positions of games, each position once.
struct Sampler {
    filter: PositionFilter,
    seed: u64,
    /// Fingerprints of the games read.
    played: HashSet<u64>,
    /// Keys of the positions sampled.
    seen: HashSet<u64>,
    /// Number of games read, of games with sampled positions, and of positions.
    games: u64,
    used: u64,
    lines: u64,
}

impl Sampler {
    fn new(filter: PositionFilter, seed: u64) -> Self {
        Self {
            filter,
            seed,
            played: HashSet::new(),
            seen: HashSet::new(),
            games: 0,
            used: 0,
            lines: 0,
        }
    }

    /// Samples positions from the games of one text.
    fn take(
        &mut self,
        path: &str,
        text: impl BufRead,
        out: &mut impl Write,
    ) -> Result<(), TrainerError> {
        let mut games = PgnReader::new(text);
        loop {
            let batch: Result<Vec<PgnGame>, _> = games.by_ref().take(BATCH).collect();
            let batch = batch.map_err(|why| TrainerError::Games {
                path: path.to_owned(),
                why,
            })?;
            if batch.is_empty() {
                return Ok(());
            }
            for line in self.sample(&batch) {
                writeln!(out, "{line}").map_err(files::at("the output"))?;
            }
        }
    }

    /// The sampled positions of the next games, in order.
    fn sample(&mut self, batch: &[PgnGame]) -> Vec<TrainingLine> {
        let mut fresh = Vec::new();
        for (game, number) in batch.iter().zip(self.games + 1..) {
            if self.played.insert(fingerprint(game)) {
                fresh.push((game, number));
            }
        }
        self.games += batch.len() as u64;
        let sampled: Vec<Vec<TrainingLine>> = fresh
            .par_iter()
            .map(|&(game, number)| self.filter.sample(game, number, self.seed))
            .collect();
        let mut lines = Vec::new();
        for mut game in sampled {
            game.retain(|line| self.seen.insert(line.position.key()));
            self.used += u64::from(!game.is_empty());
            lines.extend(game);
        }
        self.lines += lines.len() as u64;
        lines
    }
}

/// A hash of the start position and the moves of a game.
fn fingerprint(game: &PgnGame) -> u64 {
    let mut hasher = DefaultHasher::new();
    game.start.key().hash(&mut hasher);
    for m in game.moves() {
        m.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests;
