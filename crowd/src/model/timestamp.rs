use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A time in milliseconds since 1970-01-01 UTC. Edges read the clock and pass it in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    const DAY_MS: i64 = 86_400_000;

    /// The time `duration` later; saturates at the maximum.
    pub fn after(self, duration: Duration) -> Self {
        Self(
            self.0
                .saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)),
        )
    }

    /// The time elapsed since `earlier`; zero if that is later.
    pub fn since(self, earlier: Self) -> Duration {
        let ms = self.0.saturating_sub(earlier.0);
        Duration::from_millis(u64::try_from(ms).unwrap_or(0))
    }

    /// The UTC day, counted from 1970-01-01.
    pub fn day(self) -> i64 {
        self.0.div_euclid(Self::DAY_MS)
    }

    /// The start of that UTC day.
    pub fn start_of_day(self) -> Self {
        Self(self.day() * Self::DAY_MS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_begin_at_midnight() {
        let noon = Timestamp(3 * 86_400_000 + 43_200_000);
        assert_eq!(noon.day(), 3);
        assert_eq!(noon.start_of_day(), Timestamp(3 * 86_400_000));
        assert_eq!(Timestamp(-1).day(), -1);
        assert_eq!(noon.since(noon.start_of_day()), Duration::from_hours(12));
        assert_eq!(noon.start_of_day().since(noon), Duration::ZERO);
        assert_eq!(
            Timestamp(i64::MAX).after(Duration::MAX),
            Timestamp(i64::MAX)
        );
    }
}
