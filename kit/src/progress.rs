//! A progress bar on standard error, on a terminal only; elsewhere a line now and then, if wanted.

use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::output::{grouped, three_figures};

/// Used while the length is 0 and there is no bar to draw; `indicatif` would show 100 %.
const WITHOUT_LENGTH: &str = "{spinner} [{elapsed}] {msg}";
const WITH_LENGTH: &str =
    "{spinner} [{elapsed}] {wide_bar} {done}  {human_pos} of {human_len} {msg}{pace}";

/// Steps before a rate and a remaining time are shown: the first steps of a run are the smallest or
/// the largest of all, and predict nothing.
const LEAST_STEPS: u64 = 5;
/// Minimum time before a rate is shown.
const LEAST_TIME: Duration = Duration::from_secs(2);

/// The progress of a run.
pub struct Progress {
    bar: ProgressBar,
    /// Number of steps of any size since the start, for [`pace`].
    steps: Arc<AtomicU64>,
    /// Whether [`Progress::reach`] has been called.
    has_base: AtomicBool,
    /// The seconds after which the next line is due, if lines take the place of a bar.
    next_line: Option<AtomicU64>,
}

/// The time between two lines, in seconds.
const LINE_EVERY: u64 = 30;

impl Progress {
    /// A bar of `length` units, named by `unit`; hidden unless `wanted` and standard error is a
    /// terminal.
    pub fn new(length: u64, unit: &'static str, wanted: bool) -> Self {
        let bar = if wanted && std::io::stderr().is_terminal() {
            let target = ProgressDrawTarget::stderr_with_hz(10);
            let bar = ProgressBar::with_draw_target(Some(length), target);
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        } else {
            ProgressBar::hidden()
        };
        let progress = Self {
            bar,
            steps: Arc::new(AtomicU64::new(0)),
            has_base: AtomicBool::new(false),
            next_line: None,
        };
        progress.set_length(length);
        progress.bar.set_message(unit);
        progress
    }

    /// The same with a line every 30 s in place of a bar, where there is no terminal, if `wanted`.
    #[must_use]
    pub fn with_lines(mut self, wanted: bool) -> Self {
        let is_hidden = self.bar.is_hidden();
        self.next_line = (wanted && is_hidden).then(|| AtomicU64::new(LINE_EVERY));
        self
    }

    /// Starts a new phase of `length` units, named by `unit`.
    pub fn begin(&self, length: u64, unit: &'static str) {
        self.steps.store(0, Ordering::Relaxed);
        self.has_base.store(false, Ordering::Relaxed);
        self.set_length(length);
        self.bar.set_position(0);
        // The rate of the phase before predicts nothing.
        self.bar.reset_eta();
        self.bar.reset_elapsed();
        self.bar.set_message(unit);
    }

    /// Shows a message after the numbers, in place of the name of the units.
    pub fn say(&self, message: String) {
        self.bar.set_message(message);
    }

    /// Prints something on standard error above the bar.
    pub fn above(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Adds to the finished units.
    pub fn advance(&self, by: u64) {
        self.steps.fetch_add(1, Ordering::Relaxed);
        self.bar.inc(by);
        if let Some(line) = self.due_line(self.bar.elapsed()) {
            // Failing to report progress is not worth an error.
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }

    /// The line that is due after this time, at most once.
    fn due_line(&self, elapsed: Duration) -> Option<String> {
        let (next, seconds) = (self.next_line.as_ref()?, elapsed.as_secs());
        let due = next.load(Ordering::Relaxed);
        let after = seconds + LINE_EVERY;
        if seconds < due {
            return None;
        }
        // Of several threads that find the line due, one prints it.
        let change = next.compare_exchange(due, after, Ordering::Relaxed, Ordering::Relaxed);
        change.ok()?;
        let (done, unit) = (grouped(self.bar.position()), self.bar.message());
        Some(match self.bar.length().filter(|&length| length > 0) {
            Some(length) => format!("{done} of {} {unit} after {seconds} s", grouped(length)),
            None => format!("{done} {unit} after {seconds} s"),
        })
    }

    /// Sets the finished and the total units. Units finished at the first call were done by an
    /// earlier, resumed run, and do not count for the rate.
    pub fn reach(&self, done: usize, total: usize) {
        self.set_length(total as u64);
        self.bar.set_position(done as u64);
        if self.has_base.swap(true, Ordering::Relaxed) {
            self.steps.fetch_add(1, Ordering::Relaxed);
        } else {
            self.bar.reset_eta();
        }
    }

    /// Sets the total, once it is known.
    pub fn set_length(&self, length: u64) {
        let is_first = self.bar.length().is_none_or(|old| old == 0) || length == 0;
        self.bar.set_length(length);
        if is_first {
            self.bar.set_style(style(length, &self.steps));
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn style(length: u64, steps: &Arc<AtomicU64>) -> ProgressStyle {
    let template = if length == 0 {
        WITHOUT_LENGTH
    } else {
        WITH_LENGTH
    };
    let steps = Arc::clone(steps);
    ProgressStyle::with_template(template)
        .expect("the templates are well formed")
        .with_key(
            "done",
            |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                // Failing to draw a bar is not worth an error.
                let _ = out.write_str(&percent(state.pos(), state.len().unwrap_or(0)));
            },
        )
        .with_key(
            "pace",
            move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                let seen = steps.load(Ordering::Relaxed);
                let text = pace(seen, state.elapsed(), state.per_sec(), state.eta());
                let _ = out.write_str(&text);
            },
        )
}

/// The finished part, rounded down: 100 % is shown only at the end.
fn percent(done: u64, length: u64) -> String {
    if length == 0 {
        return "0%".to_owned();
    }
    let percent = u128::from(done.min(length)) * 100 / u128::from(length);
    format!("{percent}%")
}

/// The rate and the remaining time once they can be predicted; empty before that.
fn pace(steps: u64, elapsed: Duration, per_second: f64, left: Duration) -> String {
    let mut text = String::new();
    if steps >= LEAST_STEPS && elapsed >= LEAST_TIME && per_second > 0.0 {
        let (rate, left) = (three_figures(per_second), HumanDuration(left));
        write!(text, " ({rate}/s, {left:#} left)").expect("a string can be written to");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_never_all_and_the_end_is_not_reached_early() {
        let rows = [
            (0, 0, "0%"),
            (0, 7, "0%"),
            (999, 1000, "99%"),
            (1000, 1000, "100%"),
            (u64::MAX, u64::MAX, "100%"),
            (9, 7, "100%"),
        ];
        for (done, length, expected) in rows {
            assert_eq!(percent(done, length), expected, "{done} of {length}");
        }
    }

    #[test]
    fn one_step_predicts_nothing() {
        let (second, day) = (Duration::from_secs(1), Duration::from_hours(26));
        assert_eq!(pace(1, 60 * second, 0.001, day), "");
        assert_eq!(pace(1000, second, 1000.0, day), "");
        assert_eq!(pace(1000, 60 * second, 0.0, Duration::ZERO), "");
        let rows = [
            (16.667, " (16.7/s, 26h left)"),
            (123_456.7, " (123,000/s, 26h left)"),
            (0.012_34, " (0.0123/s, 26h left)"),
        ];
        for (rate, expected) in rows {
            assert_eq!(pace(LEAST_STEPS, LEAST_TIME, rate, day), expected);
        }
    }

    #[test]
    fn without_a_bar_there_is_a_line_now_and_then() {
        let mut progress = Progress::new(0, "units", true);
        progress.bar = ProgressBar::hidden().with_message("units");
        let line = |progress: &Progress, seconds| progress.due_line(Duration::from_secs(seconds));
        assert_eq!(line(&progress, 1000), None);
        let progress = progress.with_lines(true);
        progress.advance(1200);
        assert_eq!(line(&progress, 29), None);
        assert_eq!(
            line(&progress, 31).as_deref(),
            Some("1,200 units after 31 s")
        );
        assert_eq!(line(&progress, 60), None);
        progress.set_length(5000);
        let expected = "1,200 of 5,000 units after 61 s";
        assert_eq!(line(&progress, 61).as_deref(), Some(expected));
        let unwanted = Progress::new(0, "units", false).with_lines(false);
        assert_eq!(line(&unwanted, 1000), None);
    }

    #[test]
    fn a_bar_without_length_gets_its_numbers_when_the_length_is_known() {
        let progress = Progress::new(0, "units", false);
        assert_eq!(progress.bar.length(), Some(0));
        progress.reach(40, 100);
        assert_eq!(progress.bar.position(), 40);
        // Units finished by an earlier run are not steps of this one.
        assert_eq!(progress.steps.load(Ordering::Relaxed), 0);
        progress.reach(41, 100);
        progress.advance(1);
        assert_eq!(progress.steps.load(Ordering::Relaxed), 2);
        progress.begin(3, "hunts");
        assert_eq!(
            (progress.bar.position(), progress.bar.length()),
            (0, Some(3))
        );
        assert_eq!(progress.steps.load(Ordering::Relaxed), 0);
    }
}
