//! The clock of one player: a pure counter that receives the time of each move.
//!
//! The clock starts with the time of the first stage; an increment is added after each move, the
//! time of the next stage after the last move of a stage. A move may overstep the clock by the
//! margin; only the increment and the time of a new stage are left then.

use std::time::Duration;

use crate::model::{Stage, TimeControl};

/// The clock of one player in one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    margin: Duration,
    /// The current stage, from 0.
    stage: usize,
    /// Number of moves made in the stage.
    moves: u32,
    left: Duration,
}

/// The parameters of `go` for one clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remaining {
    /// `wtime` or `btime`, in milliseconds: rounded down, but at least 1, since some engines
    /// misbehave at 0.
    pub time_ms: u64,
    /// `winc` or `binc`, in milliseconds.
    pub increment_ms: u64,
    /// `movestogo`; `None` if the stage lasts for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The flag has fallen: a move took longer than clock and margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the clock was overstepped by {} ms", overstepped.as_millis())]
pub struct Flag {
    /// Time by which clock plus margin were overstepped.
    pub overstepped: Duration,
}

impl Clock {
    /// The clock at the start of a game.
    ///
    /// # Panics
    ///
    /// If the time control has no stages, which violates the invariant of [`TimeControl`].
    pub fn new(control: &TimeControl, margin: Duration) -> Self {
        let first = control.stages.first().expect("a time control has a stage");
        Self {
            control: control.clone(),
            margin,
            stage: 0,
            moves: 0,
            left: Duration::from_millis(first.time_ms),
        }
    }

    /// The time left.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// Maximum time for the next move: the time left plus the margin.
    pub fn until_flag(&self) -> Duration {
        self.left.saturating_add(self.margin)
    }

    /// The parameters of `go`.
    pub fn remaining(&self) -> Remaining {
        let stage = self.current();
        let time_ms = u64::try_from(self.left.as_millis()).unwrap_or(u64::MAX);
        Remaining {
            time_ms: time_ms.max(1),
            increment_ms: stage.increment_ms,
            moves_to_go: stage.moves.map(|moves| moves - self.moves),
        }
    }

    /// Deducts a move that took `elapsed`, and returns the time left after it, including the
    /// increment and the time of a new stage.
    ///
    /// # Errors
    ///
    /// If it took longer than [`Self::until_flag`]; the clock is unchanged.
    pub fn spend(&mut self, elapsed: Duration) -> Result<Duration, Flag> {
        if elapsed > self.until_flag() {
            let overstepped = elapsed.saturating_sub(self.left);
            return Err(Flag { overstepped });
        }
        let stage = self.current();
        self.left = self.left.saturating_sub(elapsed);
        self.add(stage.increment_ms);
        self.moves += 1;
        if stage.moves == Some(self.moves) {
            self.begin_next_stage();
        }
        Ok(self.left)
    }

    fn current(&self) -> Stage {
        self.control.stages[self.stage]
    }

    /// The last stage repeats.
    fn begin_next_stage(&mut self) {
        self.stage = (self.stage + 1).min(self.control.stages.len() - 1);
        self.moves = 0;
        self.add(self.current().time_ms);
    }

    fn add(&mut self, time_ms: u64) {
        self.left = self.left.saturating_add(Duration::from_millis(time_ms));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    fn clock(text: &str, margin: u64) -> Clock {
        Clock::new(&text.parse().expect("a time control"), ms(margin))
    }

    fn remaining(clock: &Clock) -> (u64, u64, Option<u32>) {
        let told = clock.remaining();
        (told.time_ms, told.increment_ms, told.moves_to_go)
    }

    #[test]
    fn an_increment_follows_the_move() {
        let mut clock = clock("10+0.1", 0);
        assert_eq!(remaining(&clock), (10_000, 100, None));
        assert_eq!(clock.spend(ms(300)), Ok(ms(9800)));
        assert_eq!(remaining(&clock), (9800, 100, None));
    }

    #[test]
    fn stages_follow_one_another_and_the_last_is_repeated() {
        let mut clock = clock("2/10:3/5+1", 0);
        assert_eq!(remaining(&clock), (10_000, 0, Some(2)));
        assert_eq!(clock.spend(ms(4000)), Ok(ms(6000)));
        assert_eq!(remaining(&clock), (6000, 0, Some(1)));
        assert_eq!(clock.spend(ms(4000)), Ok(ms(7000)));
        assert_eq!(remaining(&clock), (7000, 1000, Some(3)));
        for _ in 0..2 {
            clock.spend(ms(1000)).expect("in time");
        }
        assert_eq!(remaining(&clock), (7000, 1000, Some(1)));
        assert_eq!(clock.spend(ms(1000)), Ok(ms(12_000)));
        assert_eq!(remaining(&clock), (12_000, 1000, Some(3)));
    }

    #[test]
    fn the_flag_falls_past_the_margin_only() {
        let mut clock = clock("1+0.5", 20);
        assert_eq!(clock.until_flag(), ms(1020));
        let before = clock.clone();
        let late = clock.spend(Duration::from_micros(1_020_001));
        let overstepped = Duration::from_micros(20_001);
        assert_eq!(late, Err(Flag { overstepped }));
        assert_eq!(
            late.unwrap_err().to_string(),
            "the clock was overstepped by 20 ms"
        );
        assert_eq!(clock, before);
        // Time covered by the margin is not deducted later.
        assert_eq!(clock.spend(ms(1020)), Ok(ms(500)));
    }

    #[test]
    fn an_engine_is_never_told_zero() {
        let mut clock = clock("1", 0);
        assert_eq!(
            clock.spend(Duration::from_micros(999_900)),
            Ok(Duration::from_micros(100))
        );
        assert_eq!(remaining(&clock), (1, 0, None));
    }

    /// The reference: the time left after `moves`, added up from the start.
    fn added_up(control: &TimeControl, moves: &[u64]) -> i128 {
        let mut left = i128::from(control.stages[0].time_ms) * 1000;
        let (mut stage, mut in_stage) = (0, 0);
        for &elapsed in moves {
            left += i128::from(control.stages[stage].increment_ms) * 1000 - i128::from(elapsed);
            in_stage += 1;
            if control.stages[stage].moves == Some(in_stage) {
                in_stage = 0;
                stage = if stage + 1 < control.stages.len() {
                    stage + 1
                } else {
                    stage
                };
                left += i128::from(control.stages[stage].time_ms) * 1000;
            }
        }
        left
    }

    proptest! {
        #[test]
        fn the_clock_is_what_was_given_less_what_was_spent(
            stages in prop::collection::vec((1..9_u32, 1..9000_u64, 0..900_u64), 1..4),
            moves in prop::collection::vec(0..1_500_000_u64, 0..60),
        ) {
            let stages = stages.into_iter().map(|(moves, time_ms, increment_ms)| Stage {
                moves: Some(moves),
                time_ms,
                increment_ms,
            });
            let control = TimeControl { stages: stages.collect() };
            let mut clock = Clock::new(&control, Duration::ZERO);
            for (index, &elapsed) in moves.iter().enumerate() {
                let before = added_up(&control, &moves[..index]);
                let spent = clock.spend(Duration::from_micros(elapsed));
                prop_assert_eq!(spent.is_ok(), i128::from(elapsed) <= before);
                let Ok(left) = spent else { break };
                let expected = added_up(&control, &moves[..=index]);
                prop_assert_eq!(i128::try_from(left.as_micros()).unwrap(), expected);
            }
        }
    }
}
