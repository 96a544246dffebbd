//! The speed of a machine: one benchmark for all engines, with as many threads as concurrent games.
//!
//! The benchmark is our own perft: `ROUNDS` times the 4,085,603 leaf nodes of Kiwipete at depth 4,
//! with the plain kernel, which runs the same code on every CPU. An engine's `bench` would be
//! closer to the engine, but many engines have none, no two are comparable, and a changed engine
//! may count differently.

use std::num::NonZeroU64;
use std::time::Duration;

use chess::notation::fen;
use chess::perft::{Counter, Kernel};
use chess::rules::Position;

use super::patient::now;

/// Position 2 of <https://www.chessprogramming.org/Perft_Results>.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const DEPTH: u32 = 4;
const LEAVES: u64 = 4_085_603;
/// Number of perft runs in one measurement.
const ROUNDS: u64 = 8;
/// Number of measurements, of which the median is used.
const MEASUREMENTS: usize = 5;

/// Nodes per second of one thread while `threads` threads run at once.
///
/// # Panics
///
/// If the kernel returns a wrong count.
pub fn measure(threads: usize) -> NonZeroU64 {
    let position = fen::parse(KIWIPETE).expect("a position");
    let threads = threads.max(1);
    // The first measurement warms up caches and CPU clocks.
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
        // From far slower to far faster than any machine in use.
        assert!((100_000..100_000_000_000).contains(&measure(2).get()));
    }
}
