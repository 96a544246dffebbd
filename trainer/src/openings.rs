//! `trainer openings`: starting positions for games, after random moves of standard chess.

use std::io::Write;

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::rules::Position;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rayon::prelude::*;

use crate::files::TrainerError;
use crate::{Say, files, shallow, within};

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct OpeningsOptions {
    /// File to write; replaced when it is complete
    #[arg(short, long, alias = "out", value_name = "FILE")]
    pub(crate) output: String,

    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = within(1..=100_000_000_u64))]
    pub(crate) count: u64,

    /// Random plies per opening
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = within(0..=40_usize))]
    pub(crate) plies: usize,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// The maximal imbalance of an opening in centipawns, searched [`LOOK`] plies deep.
const EQUAL: i32 = 120;
/// Search depth in plies.
const LOOK: u32 = 2;
/// Number of attempts at random moves; after that the game starts from the start position.
// With many random plies, equal positions are rare, and the search for one must end.
const ATTEMPTS: usize = 1000;

/// Writes one position per line.
pub(crate) fn run(options: &OpeningsOptions, say: Say<'_>) -> Result<(), TrainerError> {
    let &OpeningsOptions {
        count, plies, seed, ..
    } = options;
    let out = &options.output;
    let numbers: Vec<u64> = (0..count).collect();
    files::write(out, |file| {
        // In batches, so that millions of positions need not be in memory.
        for batch in numbers.chunks(4096) {
            let made = batch.par_iter().map(|&number| opening(seed, number, plies));
            for position in made.collect::<Vec<_>>() {
                writeln!(file, "{}", fen::write(&position)).map_err(files::at(out))?;
            }
        }
        Ok(())
    })?;
    say(&format!("{count} openings"));
    Ok(())
}

/// The opening of this number.
fn opening(seed: u64, number: u64, plies: usize) -> Position {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    let mut attempts = (0..ATTEMPTS).filter_map(|_| random_moves(&mut rng, plies));
    let equal = attempts.find(|position| shallow::value(position, LOOK).abs() <= EQUAL);
    equal.unwrap_or_else(Position::startpos)
}

/// The position after `plies` random moves; `None` if the game ended before.
pub(crate) fn random_moves(rng: &mut ChaCha8Rng, plies: usize) -> Option<Position> {
    let mut position = Position::startpos();
    for _ in 0..plies {
        let m = *position.legal_moves().choose(rng)?;
        position = position.play_unchecked(m);
    }
    position.outcome().is_none().then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_of_the_seed_and_playable() {
        let made = |seed| -> Vec<Position> { (0..4).map(|n| opening(seed, n, 8)).collect() };
        assert_eq!(made(1), made(1));
        assert_ne!(made(1), made(2));
        for position in made(1) {
            assert_eq!(position.fullmove_number(), 5);
            assert!(position.outcome().is_none());
            assert!(shallow::value(&position, LOOK).abs() <= EQUAL);
        }
        assert_eq!(opening(1, 0, 0), Position::startpos());
    }
}
