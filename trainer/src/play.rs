//! `trainer play`: a file of positions from self-play, here or on the workers of a lab.

use std::io::Write;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use crate::evaluator::Evaluator;
use crate::files::TrainerError;
use crate::game::{Games, play};
use crate::packed::BYTES;
use crate::{Say, files};

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct PlayOptions {
    /// File to write; replaced when it is complete
    #[arg(short, long, alias = "out", value_name = "FILE")]
    pub(crate) output: String,

    #[command(flatten)]
    pub(crate) games: Games,

    #[cfg(feature = "fleet")]
    #[command(flatten)]
    lab: queue::lab::LabArgs,
}

/// Number of games in memory at once.
const BATCH: usize = 256;

/// Plays the games, or has them played, and writes their positions in the binary format.
pub(crate) fn run(options: &PlayOptions, say: Say<'_>) -> anyhow::Result<()> {
    let (games, out) = (&options.games, &options.output);
    #[cfg(feature = "fleet")]
    if let Some(url) = &options.lab.lab {
        use crate::lab::{LabGames, TrainingLab};

        // Ctrl-C ends the program at once: nothing is lost, for the test is with the lab.
        let interrupt = kit::Interrupt::default();
        let lab = TrainingLab::connect(url, &interrupt, say)?;
        let seed = games.plan.seed;
        let asked = LabGames::new(games, &[seed])?;
        return match lab.submit(&asked, options.lab.no_wait)? {
            Some(test) => lab.write(&test, &asked, &[(seed, out.clone())]),
            None => Ok(()),
        };
    }
    Ok(play_here(games, out, say)?)
}

/// Plays the games on this machine.
pub(crate) fn play_here(games: &Games, out: &str, say: Say<'_>) -> Result<(), TrainerError> {
    let evaluator = Evaluator::new(games.network.as_deref())?;
    let numbers: Vec<u64> = (1..=games.count).collect();
    let mut positions = 0;
    files::write(out, |file| {
        for batch in numbers.chunks(BATCH) {
            let played: Result<Vec<Vec<u8>>, TrainerError> = batch
                .par_iter()
                .map(|&number| play(games.plan, &evaluator, number, &NEVER))
                .map(|records| Ok(records?.expect("nothing stops it")))
                .collect();
            // In the order of their numbers, so that the number of threads makes no difference to
            // the file.
            for records in played? {
                file.write_all(&records).map_err(files::at(out))?;
                positions += records.len() / BYTES;
            }
        }
        Ok(())
    })?;
    say(&format!("{positions} positions of {} games", games.count));
    Ok(())
}

static NEVER: AtomicBool = AtomicBool::new(false);
