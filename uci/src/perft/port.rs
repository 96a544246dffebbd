//! The line to an engine, as the conversations need it: a process in earnest, a script in tests.

use std::time::Duration;

/// What comes from an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// A line, without its end.
    Line(String),
    /// It has closed its output; nothing more will come.
    End,
    /// Nothing came in time.
    Nothing,
    /// The user ended the run.
    Cancelled,
}

/// Lines to and from an engine.
pub(super) trait Port {
    /// Sends a line. That the engine has gone is seen when listening.
    fn send(&mut self, line: &str);

    /// Waits for the next line, at most so long.
    fn hear(&mut self, wait: Duration) -> Heard;

    /// Time since some fixed moment; deadlines are set by it.
    fn now(&self) -> Duration;
}

/// An engine as a script: what it says to each line, in order.
#[cfg(test)]
pub(crate) mod scripted {
    use std::collections::VecDeque;

    use super::{Duration, Heard, Port};

    /// Answers by a function from the line sent to the lines said.
    pub(crate) struct Scripted<F> {
        pub(crate) sent: Vec<String>,
        answer: F,
        said: VecDeque<Heard>,
        now: Duration,
    }

    impl<F: FnMut(&str) -> Vec<Heard>> Scripted<F> {
        pub(crate) fn new(answer: F) -> Self {
            Self {
                sent: Vec::new(),
                answer,
                said: VecDeque::new(),
                now: Duration::ZERO,
            }
        }
    }

    impl<F: FnMut(&str) -> Vec<Heard>> Port for Scripted<F> {
        fn send(&mut self, line: &str) {
            self.sent.push(line.to_owned());
            self.said.extend((self.answer)(line));
        }

        /// Time passes only while nothing is said.
        fn hear(&mut self, wait: Duration) -> Heard {
            let heard = self.said.pop_front().unwrap_or(Heard::Nothing);
            if heard == Heard::Nothing {
                self.now += wait;
            }
            heard
        }

        fn now(&self) -> Duration {
            self.now
        }
    }

    /// Lines of text.
    pub(crate) fn lines(text: &str) -> Vec<Heard> {
        text.lines()
            .map(|line| Heard::Line(line.to_owned()))
            .collect()
    }
}
