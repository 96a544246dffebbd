//! The connection to an engine: a process in production, a script in tests.

use std::time::Duration;

/// The next input from an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// A line, without its line end.
    Line(String),
    /// The output has been closed; nothing more will come.
    End,
    /// Nothing arrived in time.
    Nothing,
    /// The user ended the run.
    Cancelled,
}

/// A connection that carries lines to and from an engine.
pub(super) trait Port {
    /// Sends a line. If the engine has ended, the next call of `hear` reports it.
    fn send(&mut self, line: &str);

    /// Waits for the next line, at most this long.
    fn hear(&mut self, wait: Duration) -> Heard;

    /// Time since a fixed moment, used for deadlines.
    fn now(&self) -> Duration;
}

/// A scripted engine: its lines in answer to each line sent, in order.
#[cfg(test)]
pub(crate) mod scripted {
    use std::collections::VecDeque;

    use super::{Duration, Heard, Port};

    /// An engine whose answers are a function of the line sent.
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

        /// Time passes only while nothing is printed.
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

    /// Splits a text into lines.
    pub(crate) fn lines(text: &str) -> Vec<Heard> {
        text.lines()
            .map(|line| Heard::Line(line.to_owned()))
            .collect()
    }
}
