//! How fast a machine is: one measure for all engines, on as many threads as games are played at once.
//!
//! The measure is our own perft: `ROUNDS` times the 4,085,603 leaves below Kiwipete at depth 4, by the plain
//! kernel, which runs the same code on every CPU. An engine's `bench` would be nearer to the engine, but
//! many have none, no two mean the same, and what a changed engine counts is what is to be tested.

use std::num::NonZeroU64;
use std::time::Duration;

use chess::notation::fen;
use chess::perft::{Counter, Kernel};
use chess::rules::Position;

use super::patient::now;

/// The position: <https://www.chessprogramming.org/Perft_Results>, position 2.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const DEPTH: u32 = 4;
const LEAVES: u64 = 4_085_603;
/// How often it is counted in one measurement.
const ROUNDS: u64 = 8;
/// Of so many measurements the one in the middle counts.
const MEASUREMENTS: usize = 5;

/// Nodes a second of one thread while so many count at once.
///
/// # Panics
///
/// If the kernel counts wrongly.
pub fn measure(threads: usize) -> NonZeroU64 {
    let position = fen::parse(KIWIPETE).expect("a position");
    let threads = threads.max(1);
    // The first is for caches, and for CPUs that take their time to be fast.
    let mut speeds: Vec<f64> = (0..=MEASUREMENTS)
        .map(|_| measure_once(&position, threads))
        .skip(1)
        .collect();
    speeds.sort_unstable_by(f64::total_cmp);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the conversion saturates"
    )]
    let middle = speeds[MEASUREMENTS / 2].round() as u64;
    NonZeroU64::new(middle).unwrap_or(NonZeroU64::MIN)
}

fn measure_once(position: &Position, threads: usize) -> f64 {
    let seconds: f64 = std::thread::scope(|scope| {
        let counting: Vec<_> = (0..threads)
            .map(|_| scope.spawn(|| count(position)))
            .collect();
        let counted = counting
            .into_iter()
            .map(|thread| thread.join().expect("it counts"));
        counted.map(|time| time.as_secs_f64()).sum()
    });
    let leaves = u32::try_from(ROUNDS * LEAVES).expect("below 2^32");
    let threads = u32::try_from(threads).expect("few");
    f64::from(leaves) * f64::from(threads) / seconds.max(1e-9)
}

fn count(position: &Position) -> Duration {
    let began = now();
    let counter = Counter::new().kernel(Kernel::Plain);
    for _ in 0..ROUNDS {
        assert_eq!(counter.count(position, DEPTH), Ok(LEAVES));
    }
    now() - began
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_is_a_number_of_nodes_a_second() {
        // Between a machine that nobody has any more and one that nobody has yet.
        assert!((100_000..100_000_000_000).contains(&measure(2).get()));
    }
}
