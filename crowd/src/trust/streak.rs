use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// Consecutive days with at least one finished list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Streak {
    /// Up to today, or up to yesterday, as today is not over.
    pub current: u32,
    /// The longest streak ever.
    pub longest: u32,
}

/// Computes streaks. Days are numbered as by `Timestamp::day`; days after today are ignored.
pub fn streak(days: &BTreeSet<i64>, today: i64) -> Streak {
    let mut streak = Streak::default();
    let mut run = 0;
    let mut last = None;
    for &day in days.range(..=today) {
        run = if last.is_some_and(|last: i64| last + 1 == day) {
            run + 1
        } else {
            1
        };
        streak.longest = streak.longest.max(run);
        last = Some(day);
    }
    if last.is_some_and(|day| day >= today.saturating_sub(1)) {
        streak.current = run;
    }
    streak
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_in_a_row() {
        for (days, today, current, longest) in [
            (vec![], 10, 0, 0),
            (vec![10], 10, 1, 1),
            (vec![9], 10, 1, 1),
            (vec![8], 10, 0, 1),
            (vec![1, 2, 3, 4, 8, 9, 10], 10, 3, 4),
            (vec![1, 2, 3, 4, 8, 9, 10], 11, 3, 4),
            (vec![1, 2, 3, 4, 8, 9, 10], 12, 0, 4),
            (vec![-1, 0, 1], 1, 3, 3),
            (vec![9, 10, 11], 10, 2, 2),
            (vec![i64::MIN], i64::MIN, 1, 1),
        ] {
            let found = streak(&days.iter().copied().collect(), today);
            assert_eq!(found, Streak { current, longest }, "{days:?} on {today}");
        }
    }
}
