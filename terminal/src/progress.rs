//! A progress bar on standard error, on a terminal only.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const TEMPLATE: &str = "{spinner} [{elapsed}] {wide_bar} {percent}%  {human_pos} of {human_len} {msg} ({per_sec}, {eta} left)";

/// How far a run has come.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar of `length` units of what `unit` names; hidden when it is not wanted or standard
    /// error is no terminal.
    pub fn new(length: u64, unit: &'static str, wanted: bool) -> Self {
        if !wanted || !std::io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let bar =
            ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template(TEMPLATE).expect("the template is well formed");
        bar.set_style(style);
        bar.set_message(unit);
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    /// From now on `length` units of what `unit` names.
    pub fn begin(&self, length: u64, unit: &'static str) {
        self.0.set_length(length);
        self.0.set_position(0);
        self.0.set_message(unit);
    }

    /// Says something else behind the numbers than what the units are.
    pub fn say(&self, message: String) {
        self.0.set_message(message);
    }

    /// So much more has been done.
    pub fn advance(&self, by: u64) {
        self.0.inc(by);
    }

    /// So much has been done, of so much in all.
    pub fn reach(&self, done: usize, total: usize) {
        self.0.set_length(total as u64);
        self.0.set_position(done as u64);
    }

    /// How much there is in all, once it is known.
    pub fn set_length(&self, length: u64) {
        self.0.set_length(length);
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
