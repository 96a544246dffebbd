//! Measures the time in which games were played.

use crate::digits::to_f64;
use crate::report::run::summary::Pace;

/// A longer time without any game is a pause: the run was interrupted and resumed.
const PAUSE_MS: u64 = 60_000;

/// Time intervals with a pause between any two, the earliest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Busy(Vec<[u64; 2]>);

impl Busy {
    /// Adds the time of a game.
    pub(super) fn record(&mut self, started_ms: u64, duration_ms: u64) {
        let mut joined = [started_ms, started_ms.saturating_add(duration_ms)];
        let is_before = |one: &[u64; 2]| one[1].saturating_add(PAUSE_MS) < joined[0];
        let from = self.0.partition_point(is_before);
        let is_near = |one: &&[u64; 2]| one[0] <= joined[1].saturating_add(PAUSE_MS);
        let to = from + self.0[from..].iter().take_while(is_near).count();
        for one in &self.0[from..to] {
            joined = [joined[0].min(one[0]), joined[1].max(one[1])];
        }
        self.0.splice(from..to, [joined]);
    }

    pub(super) fn pace(&self, games: u64) -> Pace {
        let busy_ms = self.0.iter().map(|[from, to]| to - from).sum();
        let minutes = to_f64(busy_ms) / 60_000.0;
        Pace {
            busy_ms,
            games_per_minute: (busy_ms > 0).then(|| to_f64(games) / minutes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_taken_off() {
        let mut busy = Busy::default();
        assert_eq!(busy.pace(0).games_per_minute, None);
        busy.record(1_000_000, 30_000);
        busy.record(1_010_000, 30_000);
        busy.record(9_000_000, 20_000);
        assert_eq!(busy.pace(3).busy_ms, 60_000);
        assert_eq!(busy.pace(3).games_per_minute, Some(3.0));
        // Out of order, joining two separate intervals.
        busy.record(1_095_000, 5_000);
        assert_eq!(busy.0.len(), 2);
        busy.record(1_000_000, 9_000_000);
        assert_eq!(busy.0, [[1_000_000, 10_000_000]]);
    }
}
