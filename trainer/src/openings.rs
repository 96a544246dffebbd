//! `trainer openings`: starting positions for games, after random moves of standard chess.

use std::io::Write;

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::rules::{Game, Position};
use engine::search::{Profile, SearchLimits, SearchRequest, Searcher};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rayon::prelude::*;

use crate::files::TrainerError;
use crate::{Say, files, within};

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

/// The maximal imbalance of an opening in centipawns.
const EQUAL: i32 = 120;
/// Depth in plies of the searches for the imbalance, and their hash size in MiB.
const LOOK: u32 = 2;
const HASH_MIB: usize = 1;
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
                writeln!(file, "{}", fen::write(&position?)).map_err(files::at(out))?;
            }
        }
        Ok(())
    })?;
    say(&format!("{count} openings"));
    Ok(())
}

/// The opening of this number.
fn opening(seed: u64, number: u64, plies: usize) -> Result<Position, TrainerError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    let mut searcher = Searcher::new(HASH_MIB)?;
    let mut attempts =
        (0..ATTEMPTS).filter_map(|_| random_position(&mut searcher, &mut rng, plies, EQUAL));
    Ok(attempts.next().unwrap_or_else(Position::startpos))
}

/// The position after `plies` random moves; `None` if the game ended before, or one side is better by more than `most`
/// centipawns. The evaluation is that of `ChessBin`, so that the same positions are taken whatever network plays.
pub(crate) fn random_position(
    searcher: &mut Searcher,
    rng: &mut ChaCha8Rng,
    plies: usize,
    most: i32,
) -> Option<Position> {
    let mut position = Position::startpos();
    for _ in 0..plies {
        let m = *position.legal_moves().choose(rng)?;
        position = position.play_unchecked(m);
    }
    let game = Game::new(position);
    let limits = SearchLimits::to_depth(LOOK);
    let request = SearchRequest::new(&game, &limits);
    let found = searcher.search(Profile::ChessBin, request, &mut |_| {});
    let is_open = game.outcome().is_none() && found.value.abs() <= most;
    is_open.then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_of_the_seed_and_playable() {
        let opening = |seed, number, plies| opening(seed, number, plies).expect("memory");
        let made = |seed| -> Vec<Position> { (0..4).map(|n| opening(seed, n, 8)).collect() };
        assert_eq!(made(1), made(1));
        assert_ne!(made(1), made(2));
        for position in made(1) {
            assert_eq!(position.fullmove_number(), 5);
            assert!(position.outcome().is_none());
        }
        assert_eq!(opening(1, 0, 0), Position::startpos());
        // After some sixty random moves, hardly any position is level.
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut searcher = Searcher::new(HASH_MIB).expect("memory");
        let mut is_level = || random_position(&mut searcher, &mut rng, 60, EQUAL).is_some();
        let level = (0..100).filter(|_| is_level()).count();
        assert!((1..50).contains(&level), "{level} of 100 are level");
    }
}
