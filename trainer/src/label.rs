//! `trainer rescore` gives positions the scores of longer searches, and `trainer measure` compares
//! the static scores of a network with those labels: an error that decides cheaply between networks.

use std::io::Write;

use chess::rules::{Color, Game, Position};
use engine::eval::{LIMIT, Network};
use engine::search::Searcher;
use rayon::prelude::*;

use crate::evaluator::Evaluator;
use crate::files::TrainerError;
use crate::line::TrainingLine;
use crate::network::SCALE;
use crate::{Say, files, packed, within};

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RescoreOptions {
    /// Binary files of positions
    #[arg(required = true, value_name = "POSITIONS")]
    files: Vec<String>,

    /// File to write; replaced when it is complete
    #[arg(short, long, alias = "out", value_name = "FILE")]
    pub(crate) output: String,

    /// Nodes per position
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = within(2..=1_000_000_000_u64))]
    nodes: u64,

    /// Network that evaluates [default: built in]
    ///
    /// By default the built-in one.
    #[arg(long, value_name = "FILE")]
    network: Option<String>,
}

/// Number of positions in memory at once.
const BATCH: usize = 1024;
/// Hash size of a search, in MiB.
const HASH_MIB: usize = 4;

/// Writes the positions with the scores of new searches. Positions where a mate is found are omitted.
pub(crate) fn rescore(options: &RescoreOptions, say: Say<'_>) -> Result<(), TrainerError> {
    let evaluator = Evaluator::new(options.network.as_deref())?;
    let lines = read(&options.files)?;
    let out = &options.output;
    let mut positions = 0;
    files::write(out, |file| {
        let mut last = None;
        for batch in lines.chunks(BATCH) {
            let search = |line: &TrainingLine| -> Result<TrainingLine, TrainerError> {
                // A table of its own, so that the score depends on nothing but the position.
                let mut searcher = Searcher::new(HASH_MIB)?;
                let game = Game::new(line.position);
                let value = evaluator.search(&mut searcher, &game, options.nodes).value;
                let score = Some(for_white(&line.position, value));
                Ok(TrainingLine { score, ..*line })
            };
            let searched: Vec<_> = batch.par_iter().map(search).collect();
            for line in searched {
                let line = line?;
                // The distance to mate is no evaluation that a network could learn.
                if line.score.is_none_or(|score| score.abs() >= LIMIT) {
                    continue;
                }
                let first = last.replace(line.game) != Some(line.game);
                let record = packed::pack(&line, first).expect("it was packed before");
                file.write_all(&record).map_err(files::at(out))?;
                positions += 1;
            }
        }
        Ok(())
    })?;
    say(&format!("{positions} of {} positions", lines.len()));
    Ok(())
}

/// The lines of some files, each game with a number of its own.
fn read(paths: &[String]) -> Result<Vec<TrainingLine>, TrainerError> {
    let mut lines = Vec::new();
    files::read_games(paths, |line| {
        lines.push(line);
        Ok(())
    })?;
    Ok(lines)
}

/// Converts the side to move's centipawns to White's, and back.
fn for_white(position: &Position, value: i32) -> i32 {
    match position.side_to_move() {
        Color::White => value,
        Color::Black => -value,
    }
}

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct MeasureOptions {
    /// Binary files of positions
    #[arg(required = true, value_name = "POSITIONS")]
    files: Vec<String>,

    /// Network that evaluates [default: built in]
    ///
    /// Network to measure; by default the built-in one.
    #[arg(long, value_name = "FILE")]
    network: Option<String>,
}

/// Prints the mean squared difference between the points that scores and labels predict.
pub(crate) fn measure(options: &MeasureOptions) -> Result<(), TrainerError> {
    let evaluator = Evaluator::new(options.network.as_deref())?;
    // As in training, so that the error is in the same points.
    let points = |score: i32| 1.0 / (1.0 + (-f64::from(score) / f64::from(SCALE)).exp());
    let lines = read(&options.files)?;
    let lines = lines
        .iter()
        // These are judged by rules and not by the network, and training leaves them out as well.
        .filter(|line| !Network::has_lone_king(&line.position));
    let (mut sum, mut count) = (0.0, 0_u32);
    for line in lines {
        let position = &line.position;
        let value = evaluator.evaluate(position);
        let score = line.score.expect("each packed position has one");
        sum += (points(for_white(position, value)) - points(score)).powi(2);
        count += 1;
    }
    if count == 0 {
        return Err(TrainerError::Nothing);
    }
    print(&format!(
        "{:.6} over {count} positions",
        sum / f64::from(count)
    ));
    Ok(())
}

#[expect(clippy::print_stdout, reason = "it is the result")]
fn print(text: &str) {
    println!("{text}");
}
