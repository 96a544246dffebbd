//! How much of the clock one move may take.
//!
//! The clock is never spent to its end. A reserve is kept for the times when the machine is busy
//! and we are not given the processor; only what lies above it is shared out over the moves to
//! come. Of the increment only what is left after the overhead of a move is counted: with 10 ms a
//! move and an overhead of 10 ms, the increment pays for delays and the reserve stays whole.

use std::time::Duration;

use super::{Limits, PlayerClock};

/// What a search may take of our time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// No iteration begins after this.
    pub(super) soft: Duration,
    /// The search ends here, whatever it is doing.
    pub(super) hard: Duration,
    /// Whether time not used is still ours on later moves.
    pub(super) saves: bool,
}

/// Kept on the clock, where there is as much: several delays of a busy machine.
const RESERVE: Duration = Duration::from_millis(300);

/// Moves the rest of a game is taken for, at any time: what is left later is less, and enough.
const HORIZON: u32 = 20;
/// A time control is shared out over no more moves than this.
const MOST_MOVES: u32 = 40;

/// A search has this much even where there is no time: enough for a move.
const MINIMUM: Duration = Duration::from_millis(1);

impl Budget {
    /// The budget of a search, if its limits speak of time at all.
    pub(super) fn new(limits: &Limits) -> Option<Self> {
        let of_clock = limits
            .clock
            .map(|clock| Self::of_clock(clock, limits.overhead));
        let of_move = limits.movetime.map(|time| {
            let all = time.saturating_sub(limits.overhead).max(MINIMUM);
            Self {
                soft: all,
                hard: all,
                saves: false,
            }
        });
        match (of_clock, of_move) {
            (Some(clock), Some(one)) => Some(Self {
                soft: clock.soft.min(one.soft),
                hard: clock.hard.min(one.hard),
                saves: true,
            }),
            (clock, one) => clock.or(one),
        }
    }

    /// When no other iteration begins, if the move deserves so many hundredths of the usual time. It
    /// has all of the time that cannot be saved.
    pub(super) fn soft_at(&self, percent: u32) -> Duration {
        if self.saves {
            (self.soft * percent / 100).min(self.hard)
        } else {
            self.soft
        }
    }

    fn of_clock(clock: PlayerClock, overhead: Duration) -> Self {
        let remaining = Duration::from_millis(clock.remaining_ms.max(0).unsigned_abs());
        let left = remaining.saturating_sub(overhead);
        let spendable = left.saturating_sub(RESERVE.min(left / 10 * 9));
        let moves = clock.moves_to_go.unwrap_or(HORIZON).clamp(1, MOST_MOVES);
        let gain = Duration::from_millis(clock.increment_ms).saturating_sub(overhead);
        let share = (spendable / moves + gain).min(spendable);
        // An iteration takes several times as long as the one before: begun at half of the share,
        // it often ends beyond it, and may take more where it must. The increment comes back.
        let hard = (share * 5 / 2).min(spendable * 4 / 5).max(MINIMUM);
        Self {
            soft: (spendable / moves / 2 + gain).min(hard),
            hard,
            saves: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn clock(remaining_ms: i64, increment_ms: u64, moves_to_go: Option<u32>) -> PlayerClock {
        PlayerClock {
            remaining_ms,
            increment_ms,
            moves_to_go,
        }
    }

    fn budget(clock: PlayerClock, overhead: Duration) -> Budget {
        let limits = Limits {
            clock: Some(clock),
            overhead,
            ..Limits::default()
        };
        Budget::new(&limits).expect("there is a clock")
    }

    #[test]
    fn budgets_of_some_clocks() {
        // Time, increment, moves to go; soft and hard end, in milliseconds.
        let rows = [
            (0, 0, None, 0, 1),
            (-5_000, 0, None, 0, 1),
            (10, 0, None, 0, 1),
            (20, 0, None, 0, 1),
            (110, 0, None, 0, 1),
            (1_000, 10, None, 17, 86),
            (300_000, 0, None, 7_492, 37_461),
            (60_000, 1_000, None, 2_482, 9_936),
            (60_000, 0, Some(1), 29_845, 47_752),
            (60_000, 0, Some(2), 14_922, 47_752),
            (60_000, 0, Some(1_000), 746, 3_730),
            // The increment alone is more than the clock has.
            (300, 60_000, None, 23, 23),
            (7_200_000, 30_000, None, 209_982, 974_936),
        ];
        for (time, increment, moves, soft, hard) in rows {
            let found = budget(clock(time, increment, moves), OVERHEAD);
            let found = (found.soft.as_millis(), found.hard.as_millis());
            assert_eq!(found, (soft, hard), "{time}+{increment}/{moves:?}");
        }
    }

    #[test]
    fn time_for_a_move_is_used_but_for_the_overhead() {
        for (time, end) in [(1_000, 990), (10, 1), (0, 1)] {
            let limits = Limits {
                movetime: Some(Duration::from_millis(time)),
                overhead: OVERHEAD,
                ..Limits::default()
            };
            let budget = Budget::new(&limits).expect("there is a limit");
            let end = Duration::from_millis(end);
            assert_eq!((budget.soft, budget.hard, budget.saves), (end, end, false));
        }
        assert_eq!(Budget::new(&Limits::default()), None);
    }

    #[test]
    fn of_two_limits_the_earlier_counts() {
        let limits = Limits {
            movetime: Some(Duration::from_millis(100)),
            clock: Some(clock(60_000, 0, None)),
            ..Limits::default()
        };
        let budget = Budget::new(&limits).expect("there are limits");
        assert_eq!(budget.hard, Duration::from_millis(100));
    }

    proptest! {
        #[test]
        fn no_clock_is_overstepped(
            remaining_ms in prop_oneof![any::<i64>(), -100..100_000_i64],
            increment_ms in prop_oneof![any::<u64>(), 0..100_000_u64],
            moves_to_go in proptest::option::of(prop_oneof![any::<u32>(), 0..100_u32]),
            overhead_ms in 0..5_000_u64,
        ) {
            let overhead = Duration::from_millis(overhead_ms);
            let budget = budget(clock(remaining_ms, increment_ms, moves_to_go), overhead);
            let remaining = Duration::from_millis(remaining_ms.max(0).unsigned_abs());
            let left = remaining.saturating_sub(overhead);
            prop_assert!(budget.soft <= budget.hard);
            prop_assert!(budget.hard <= left.max(MINIMUM));
        }

        /// A busy machine takes 2 ms of most moves and now and then 30 to 50 ms; all of the hard
        /// budget is used, each time. Eight moves bring back by their increments what they and one
        /// long delay cost; delays that come closer together can empty any clock.
        #[test]
        fn a_game_of_bullet_is_not_lost_on_time(
            delays in proptest::collection::vec(
                (30_000..=50_000_i64, proptest::collection::vec(0..=2_000_i64, 7..=15)), 30),
        ) {
            let delays = delays.into_iter().flat_map(|(long, short)| {
                std::iter::once(long).chain(short)
            });
            let mut left_us = 1_000_000;
            for delay_us in delays {
                let budget = budget(clock(left_us / 1_000, 10, None), OVERHEAD);
                let used = i64::try_from(budget.hard.as_micros()).expect("short");
                left_us -= used + delay_us;
                prop_assert!(left_us > 0);
                left_us += 10_000;
            }
        }
    }

    #[test]
    fn forty_moves_are_made_in_time() {
        for increment in [0, 100] {
            let mut left = 10_000;
            for moves_to_go in (1..=40).rev() {
                let budget = budget(clock(left, increment, Some(moves_to_go)), OVERHEAD);
                left -= i64::try_from(budget.hard.as_millis()).expect("short") + 12;
                assert!(left > 0, "{moves_to_go} to go");
                left += i64::try_from(increment).expect("small");
            }
        }
    }
}
