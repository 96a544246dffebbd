//! Time scaling: slower machines get longer times, by measured speeds. Pure.

use std::num::NonZeroU64;

use crate::digits::to_f64;
use crate::model::{EngineConfig, Limits, RunConfig, Stage};

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
    ///
    /// # Errors
    ///
    /// If the speeds differ too much.
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

    /// The factor.
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
    fn machines_that_are_too_different_are_refused() {
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
