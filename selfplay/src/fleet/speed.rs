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

use super::retry::now;
use crate::model::{EngineConfig, Limits, RunConfig, Stage};
use crate::stats::number::to_f64;

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
    let measure_once = |_| {
        let seconds: f64 = std::thread::scope(|scope| {
            let counting: Vec<_> = (0..threads)
                .map(|_| scope.spawn(|| count(&position)))
                .collect();
            let counted = counting
                .into_iter()
                .map(|thread| thread.join().expect("it counts"));
            counted.map(|time| time.as_secs_f64()).sum()
        });
        let leaves = u32::try_from(ROUNDS * LEAVES).expect("below 2^32");
        let threads = u32::try_from(threads).expect("few");
        f64::from(leaves) * f64::from(threads) / seconds.max(1e-9)
    };
    let mut speeds: Vec<f64> = (0..=MEASUREMENTS).map(measure_once).skip(1).collect();
    speeds.sort_unstable_by(f64::total_cmp);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the conversion saturates"
    )]
    let middle = speeds[MEASUREMENTS / 2].round() as u64;
    NonZeroU64::new(middle).unwrap_or(NonZeroU64::MIN)
}

fn count(position: &Position) -> Duration {
    let began = now();
    let counter = Counter::new().kernel(Kernel::Plain);
    for _ in 0..ROUNDS {
        assert_eq!(counter.count(position, DEPTH), Ok(LEAVES));
    }
    now() - began
}

// Time scaling: slower machines get longer times, by measured speeds. Pure.

/// Maximum factor by which a machine may be faster or slower than the reference. Beyond it, perft
/// no longer predicts the speed of an engine well enough.
pub const MOST: f64 = 4.0;

/// The factor applied to all configured times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeScale(f64);

/// A machine that is too slow or too fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this machine counts {own} nodes a second in each game, the one that times are meant for {reference}: times \
     would be multiplied by {:.3}, expected {} to {MOST}", ratio(*reference, *own), 1.0 / MOST
)]
pub struct ScaleError {
    /// The speed of the reference machine, in perft nodes per second.
    pub reference: NonZeroU64,
    /// The measured speed, in the same unit.
    pub own: NonZeroU64,
}

fn ratio(reference: NonZeroU64, own: NonZeroU64) -> f64 {
    to_f64(reference.get()) / to_f64(own.get())
}

impl TimeScale {
    /// Computes the scale from two speeds in the same unit. It is rounded to four digits, so that
    /// the recorded scale is exactly the one used.
    pub fn new(reference: NonZeroU64, own: NonZeroU64) -> Result<Self, ScaleError> {
        let scale = (ratio(reference, own) * 1e4).round() / 1e4;
        if Self::is_bearable(scale) {
            Ok(Self(scale))
        } else {
            Err(ScaleError { reference, own })
        }
    }

    /// Returns true if the scale is within the allowed range.
    pub fn is_bearable(scale: f64) -> bool {
        (1.0 / MOST..=MOST).contains(&scale)
    }

    pub const fn factor(self) -> f64 {
        self.0
    }

    /// The limits of an engine on this machine. Nodes and depth are unchanged; so is the time
    /// margin, which covers delays of the system, not thinking time.
    pub fn of(self, limits: &Limits) -> Limits {
        let mut scaled = limits.clone();
        scaled.movetime_ms = limits.movetime_ms.map(|ms| self.milliseconds(ms));
        if let Some(clock) = &mut scaled.clock {
            for stage in &mut clock.stages {
                *stage = Stage {
                    time_ms: self.milliseconds(stage.time_ms),
                    increment_ms: self.milliseconds(stage.increment_ms),
                    ..*stage
                };
            }
        }
        scaled
    }

    /// Scales a time; a non-zero time never becomes zero.
    fn milliseconds(self, ms: u64) -> u64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the conversion saturates"
        )]
        let scaled = (to_f64(ms) * self.0).round() as u64;
        scaled.max(ms.min(1))
    }
}

/// Returns true if a run depends on the speed of machines.
pub fn depends_on_time(config: &RunConfig) -> bool {
    let has_time = |engine: &EngineConfig| {
        engine.limits.clock.is_some() || engine.limits.movetime_ms.is_some()
    };
    config.engines.iter().any(has_time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_is_a_number_of_nodes_a_second() {
        // From far slower to far faster than any machine in use.
        assert!((100_000..100_000_000_000).contains(&measure(2).get()));
    }

    fn speed(number: u64) -> NonZeroU64 {
        NonZeroU64::new(number).expect("a speed")
    }

    #[test]
    fn slower_machines_have_more_time() {
        let limits = Limits {
            clock: Some("40/60+0.6:20/10".parse().expect("a time control")),
            movetime_ms: Some(100),
            nodes: Some(5000),
            depth: Some(9),
            margin_ms: 20,
            ..Limits::default()
        };
        let rows = [
            (300, 200, "40/90+0.9:20/15", 150),
            (200, 200, "40/60+0.6:20/10", 100),
            (100, 400, "40/15+0.15:20/2.5", 25),
        ];
        for (reference, own, clock, movetime) in rows {
            let scale = TimeScale::new(speed(reference), speed(own)).expect("near enough");
            let expected = Limits {
                clock: Some(clock.parse().expect("a time control")),
                movetime_ms: Some(movetime),
                ..limits.clone()
            };
            assert_eq!(scale.of(&limits), expected);
        }
        let quarter = TimeScale::new(speed(1), speed(4)).expect("near enough");
        assert_eq!((quarter.milliseconds(1), quarter.milliseconds(0)), (1, 0));
    }

    #[test]
    fn machines_that_are_too_different_are_rejected() {
        assert!(TimeScale::new(speed(400), speed(100)).is_ok());
        let error = TimeScale::new(speed(401), speed(100)).expect_err("too slow");
        assert_eq!(
            error.to_string(),
            "this machine counts 100 nodes a second in each game, the one that times are meant for 401: times \
             would be multiplied by 4.010, expected 0.25 to 4"
        );
        assert!(TimeScale::new(speed(100), speed(401)).is_err());
        assert!(!TimeScale::is_bearable(f64::NAN));
    }
}
