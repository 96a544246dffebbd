//! How long the rest of a check will take: a slow engine is not left alone with a suite for hours.

use std::time::Duration;

use super::case::CheckCase;

/// What a question costs besides its leaf nodes, in leaf nodes.
const COST_OF_QUESTION: u64 = 100;
/// A rest that takes longer than this is announced, and what would take less.
pub(super) const LONG: Duration = Duration::from_secs(90);
/// When the rest is estimated first; the next times after twice as long. Before, the fast start of an
/// engine cannot be distinguished from a slow generator.
const FIRST_LOOK: Duration = Duration::from_secs(10);

/// The cost of a position in leaf nodes, of its counts of at most so many.
pub(super) fn cost(case: CheckCase<'_>, most: u64) -> u64 {
    let counts = case.counts().into_iter().map(|(_, nodes)| nodes);
    let counts = counts.filter(|&nodes| nodes <= most);
    counts
        .map(|nodes| nodes.saturating_add(COST_OF_QUESTION))
        .sum()
}

/// The time that positions have taken, in the order in which they were asked: cheap ones first.
pub(super) struct TimeLeft {
    took: Vec<(u64, Duration)>,
    elapsed: Duration,
    next_look: Duration,
}

impl TimeLeft {
    pub(super) fn new() -> Self {
        Self {
            took: Vec::new(),
            elapsed: Duration::ZERO,
            next_look: FIRST_LOOK,
        }
    }

    /// Notes the time of a position of this cost, and whether to estimate the rest now.
    pub(super) fn note(&mut self, cost: u64, time: Duration, at_once: usize) -> bool {
        self.took.push((cost, time));
        self.elapsed += time.div_f64(ratio(at_once as u64, 1));
        let looks = self.elapsed >= self.next_look;
        if looks {
            self.next_look = self.elapsed * 2;
        }
        looks
    }

    /// The time of positions of this cost, by the later half of those asked, which are more like them.
    pub(super) fn estimate(&self, cost: u64, at_once: usize) -> Duration {
        let recent = &self.took[self.took.len() / 2..];
        let time: Duration = recent.iter().map(|&(_, time)| time).sum();
        let costs: u64 = recent.iter().map(|&(cost, _)| cost).sum();
        time.mul_f64(ratio(cost, costs) / ratio(at_once as u64, 1))
    }
}

/// The time of questions to a program that is started for each.
pub(super) fn of_starts(start: Duration, questions: usize, at_once: usize) -> Duration {
    start.mul_f64(ratio(questions as u64, at_once as u64))
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn ratio(one: u64, other: u64) -> f64 {
    one as f64 / other.max(1) as f64
}

/// Seconds up to two minutes, then minutes.
pub(super) fn time_text(time: Duration) -> String {
    match time.as_secs() {
        seconds @ ..120 => format!("{seconds} s"),
        seconds => format!("{} min", seconds / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// Starts do not pass for counting: what is asked later is more like the rest.
    #[test]
    fn a_fast_generator_behind_a_slow_start() {
        let mut left = TimeLeft::new();
        for cost in 0..400 {
            // 25 ms for the question, a microsecond for a node.
            let time = 25 * MS + Duration::from_micros(cost * cost);
            let looks = left.note(100 + cost * cost, time, 1);
            assert_eq!(looks, left.elapsed == left.next_look / 2, "{cost}");
        }
        assert!(left.estimate(1_000_000, 1) < Duration::from_secs(4));
        let in_ms = [1, 2].map(|at_once| left.estimate(1_000_000, at_once).as_millis());
        assert_eq!(in_ms[0] / 2, in_ms[1]);
    }

    #[test]
    fn it_is_looked_at_now_and_then() {
        let mut left = TimeLeft::new();
        let looks = (1..=100).filter(|_| left.note(100, 1_000 * MS, 1));
        assert_eq!(looks.collect::<Vec<_>>(), [10, 20, 40, 80]);
        assert_eq!(left.estimate(500, 1), Duration::from_secs(5));
        assert_eq!(of_starts(100 * MS, 3_000, 2), Duration::from_secs(150));
        let texts = [7, 119, 150].map(|seconds| time_text(Duration::from_secs(seconds)));
        assert_eq!(texts, ["7 s", "119 s", "2 min"]);
    }
}
