//! Time management.
//!
//! The clock is never used up. A reserve is kept for delays when the machine is busy and the
//! process is not scheduled; only the time above it is distributed over the moves to come. The
//! increment counts only after deducting the move overhead: with an increment of 10 ms and an
//! overhead of 10 ms, the increment pays for the delays and the reserve stays intact.

use std::time::Duration;

use super::{PlayerClock, SearchLimits};

/// The time budget of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeBudget {
    /// No iteration begins after this time.
    pub(super) soft: Duration,
    /// The search is aborted at this time.
    pub(super) hard: Duration,
    /// Whether unused time is available for later moves.
    pub(super) saves: bool,
}

/// The reserve kept on the clock if possible: several delays of a busy machine.
// Spending the clock sooner, with 200 ms left, was rejected (docs/log/strength.md).
const RESERVE: Duration = Duration::from_millis(300);

/// Assumed number of remaining moves without a time control, at any point of the game: the share
/// shrinks with the clock and always suffices.
// Dividing by 20 gained 19 and 56 Elo over dividing by 40 (docs/log/strength.md).
const HORIZON: u32 = 20;
/// Time controls are distributed over at most this many moves.
const MOST_MOVES: u32 = 40;

/// Minimal time of a search even on an empty clock: enough for a move.
const MINIMUM: Duration = Duration::from_millis(1);

impl TimeBudget {
    /// The budget of a search; `None` without time limits.
    pub(super) fn new(limits: &SearchLimits) -> Option<Self> {
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

    /// The soft limit if the move deserves `percent` of the usual time. If unused time would be
    /// lost, it is the whole time.
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
        // On a nearly empty clock, a tenth is still spent.
        let spendable = left.saturating_sub(RESERVE.min(left / 10 * 9));
        let moves = clock.moves_to_go.unwrap_or(HORIZON).clamp(1, MOST_MOVES);
        let gain = Duration::from_millis(clock.increment_ms).saturating_sub(overhead);
        let share = (spendable / moves + gain).min(spendable);
        // An iteration takes several times as long as the previous one: begun at half of the share,
        // it often ends beyond it, and may take more if necessary. The increment is refunded.
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

    fn budget(clock: PlayerClock, overhead: Duration) -> TimeBudget {
        let limits = SearchLimits {
            clock: Some(clock),
            overhead,
            ..SearchLimits::default()
        };
        TimeBudget::new(&limits).expect("there is a clock")
    }

    #[test]
    fn budgets_of_some_clocks() {
        // Time, increment, moves to go; soft and hard limit, in milliseconds.
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
            // The increment alone exceeds the clock.
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
        let limits = |time, clock| SearchLimits {
            movetime: Some(Duration::from_millis(time)),
            overhead: OVERHEAD,
            clock,
            ..SearchLimits::default()
        };
        for (time, end) in [(1_000, 990), (10, 1), (0, 1)] {
            let budget = TimeBudget::new(&limits(time, None)).expect("there is a limit");
            let end = Duration::from_millis(end);
            assert_eq!((budget.soft, budget.hard, budget.saves), (end, end, false));
        }
        // Of two limits the earlier counts.
        let both = limits(100, Some(clock(60_000, 0, None)));
        let hard = TimeBudget::new(&both).map(|budget| budget.hard);
        assert_eq!(hard, Some(Duration::from_millis(90)));
        assert_eq!(TimeBudget::new(&SearchLimits::default()), None);
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

        /// A busy machine delays most moves by 2 ms and some by 30 to 50 ms; every move uses its
        /// whole hard budget. The increments of eight moves make up for their delays and one long
        /// one; long delays in quicker succession can empty any clock.
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
