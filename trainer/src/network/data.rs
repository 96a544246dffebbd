//! Training and held-out positions in memory.

use std::io::BufRead;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::sample::{Aim, Sample};
use crate::files;
use crate::files::TrainerError;
use crate::line::Line;

/// Number of lines read at once, to be parsed by all threads.
const BATCH: usize = 1 << 14;
/// The fraction of held-out games.
const HOLD_OUT: f64 = 0.03;

#[derive(Debug, Default)]
pub(super) struct Data {
    pub(super) training: Vec<Sample>,
    /// Held-out positions: all positions of some games.
    pub(super) hold_out: Vec<Sample>,
}

impl Data {
    /// Reads the lines of a text and adds their positions.
    pub(super) fn read(
        &mut self,
        path: &str,
        text: impl BufRead,
        aim: Aim,
    ) -> Result<(), TrainerError> {
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let (mut last_game, mut is_held_out) = (None, false);
        let mut lines = text.lines();
        for first in (1..).step_by(BATCH) {
            let batch: Result<Vec<String>, _> = lines.by_ref().take(BATCH).collect();
            let batch = batch.map_err(files::at(path))?;
            if batch.is_empty() {
                break;
            }
            let parsed: Vec<_> = batch
                .par_iter()
                .map(|text| {
                    let line: Line = text.parse()?;
                    Ok((line.game, Sample::of(&line, aim)))
                })
                .collect();
            for (line, number) in parsed.into_iter().zip(first..) {
                let (game, sample) = line.map_err(|source| TrainerError::Line {
                    path: path.to_owned(),
                    number,
                    source,
                })?;
                if last_game.replace(game) != Some(game) {
                    is_held_out = rng.random_bool(HOLD_OUT);
                }
                if is_held_out {
                    self.hold_out.extend(sample);
                } else {
                    self.training.extend(sample);
                }
            }
        }
        Ok(())
    }

    /// Checks that there are both training and held-out positions.
    pub(super) fn check(&self) -> Result<(), TrainerError> {
        let (training, hold_out) = (self.training.len(), self.hold_out.len());
        if training == 0 || hold_out == 0 {
            return Err(TrainerError::TooFew { training, hold_out });
        }
        Ok(())
    }
}
