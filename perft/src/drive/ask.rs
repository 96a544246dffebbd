//! One question and its answer, over a line that may say anything or nothing.

use std::time::Duration;

use super::format::Format;
use super::line::Line;
use super::port::{Heard, Port};

/// How it is known that an engine has said all it will say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sync {
    /// It answers `readyok` to `isready` when it has finished counting.
    WhenReady,
    /// It answers `readyok` while it counts.
    ReadyAtOnce,
    /// It does not know `isready`: it has fallen silent.
    Silence,
}

/// How long an engine is silent at least when it has said all of a short answer.
const SILENCE: Duration = Duration::from_millis(100);
/// The same for an answer that has its total, or a row for every legal move.
const SILENCE_AFTER_ROWS: Duration = Duration::from_millis(300);
/// The same for any other answer.
const LONG_SILENCE: Duration = Duration::from_secs(1);
/// An engine may be silent so many times as long as it has been before, and go on.
const LONGER: u32 = 4;
/// More lines with counts than any answer has.
pub(super) const MOST_LINES: usize = 100_000;
/// How long it may take to come to rest.
const REST: Duration = Duration::from_secs(3);

/// Why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoAnswer {
    /// The engine has ended.
    Ended,
    /// Not in time.
    TimedOut,
    /// It says more than an answer can be.
    Endless,
    /// The user ended the run.
    Cancelled,
}

/// A question to an engine whose form is known.
pub(crate) struct Question<'a> {
    /// The lines to send.
    pub(crate) lines: &'a [String],
    /// The depth they ask for.
    pub(crate) depth: u32,
    /// The form of the answer.
    pub(crate) format: &'a Format,
    /// How it is known that the answer is whole.
    pub(crate) sync: Sync,
    /// How many legal moves there are: so many rows has a right divide.
    pub(crate) moves: usize,
}

impl Question<'_> {
    /// Asks, and waits until the engine has said all.
    ///
    /// # Errors
    ///
    /// When it does not answer.
    pub(crate) fn ask(
        &self,
        port: &mut dyn Port,
        timeout: Duration,
    ) -> Result<Vec<Line>, NoAnswer> {
        let deadline = port.now() + timeout;
        if self.sync == Sync::ReadyAtOnce {
            come_to_rest(port, deadline)?;
        }
        send(port, self.lines, self.sync);
        let mut heard = Answering {
            lines: Vec::new(),
            rows: 0,
            has_total: false,
            is_ready: self.sync == Sync::Silence,
            pauses: Pauses::from(port.now()),
        };
        loop {
            let left = deadline.saturating_sub(port.now());
            let silence = match self.end_of(&heard) {
                End::Now => return Ok(heard.lines),
                End::AfterSilence => Some(self.silence_after(&heard)),
                End::Later => None,
            };
            // That we wait for more is no fault of an engine that has said enough.
            let is_enough = |silence| silence <= left || heard.rows >= self.moves;
            match port.hear(silence.map_or(left, |silence| silence.min(left))) {
                Heard::Line(text) => self.take(&text, port.now(), &mut heard)?,
                // Some end with their answer.
                Heard::End if heard.has_total => return Ok(heard.lines),
                Heard::Nothing if silence.is_some_and(is_enough) => return Ok(heard.lines),
                other => return Err(no_answer(&other)),
            }
        }
    }

    /// Keeps a line that may belong to the answer.
    fn take(&self, text: &str, now: Duration, heard: &mut Answering) -> Result<(), NoAnswer> {
        if is_ready_ok(text) {
            heard.is_ready = true;
            return Ok(());
        }
        heard.pauses.end_at(now);
        let line = Line::parse(text);
        let is_row = matches!(line, Line::Row(_));
        let is_total = self.format.total_in(&line, self.depth).is_some();
        heard.rows += usize::from(is_row);
        heard.has_total |= is_total;
        if is_row || is_total {
            heard.lines.push(line);
        }
        if heard.lines.len() > MOST_LINES {
            return Err(NoAnswer::Endless);
        }
        Ok(())
    }

    fn silence_after(&self, heard: &Answering) -> Duration {
        let has_every_row = self.moves > 0 && heard.rows >= self.moves;
        let least = if has_every_row || heard.has_total {
            SILENCE_AFTER_ROWS
        } else {
            LONG_SILENCE
        };
        heard.pauses.silence(least)
    }

    /// Whether that was all.
    fn end_of(&self, heard: &Answering) -> End {
        let waits_for_total = self.format.has_total();
        match self.sync {
            _ if !heard.is_ready => End::Later,
            Sync::WhenReady if heard.has_total => End::Now,
            // Some print the total first.
            _ if heard.has_total && self.format.has_rows() && heard.rows < self.moves => {
                End::AfterSilence
            }
            _ if heard.has_total => End::Now,
            Sync::WhenReady if !waits_for_total => End::Now,
            // Of a position without moves some engines have nothing to say; and a total may be missed
            // whose line has another form than ever before.
            _ if heard.rows >= self.moves => End::AfterSilence,
            _ if waits_for_total || heard.lines.is_empty() => End::Later,
            _ => End::AfterSilence,
        }
    }
}

/// What has come of an answer.
struct Answering {
    lines: Vec<Line>,
    rows: usize,
    has_total: bool,
    is_ready: bool,
    pauses: Pauses,
}

/// How long an engine has been silent between its lines: as long it may be again.
struct Pauses {
    last_line: Duration,
    longest: Duration,
}

impl Pauses {
    fn from(asked: Duration) -> Self {
        Self {
            last_line: asked,
            longest: Duration::ZERO,
        }
    }

    fn end_at(&mut self, line: Duration) {
        let pause = line.saturating_sub(self.last_line);
        self.longest = self.longest.max(pause);
        self.last_line = line;
    }

    /// After so much silence nothing more is to be expected.
    fn silence(&self, least: Duration) -> Duration {
        least.max(self.longest * LONGER)
    }
}

/// When an answer is over.
enum End {
    Now,
    AfterSilence,
    Later,
}

/// What an engine said to a question of a dialect that it may not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tried {
    /// What it said, up to the first sign of a search.
    pub(crate) lines: Vec<Line>,
    /// Whether it had said all before `readyok`.
    pub(crate) ready_came_last: bool,
    /// The last line that is not blank, as it was said.
    pub(crate) last: Option<String>,
}

/// Asks an engine of which nothing is known, and listens until it falls silent.
///
/// # Errors
///
/// When it ends. Saying nothing is no error here.
pub(crate) fn try_asking(
    port: &mut dyn Port,
    question: &[String],
    sync: Sync,
    patience: Duration,
) -> Result<Tried, NoAnswer> {
    let deadline = port.now() + patience;
    send(port, question, sync);
    let mut tried = Tried {
        lines: Vec::new(),
        ready_came_last: false,
        last: None,
    };
    let mut is_ready = sync == Sync::Silence;
    let mut pauses = Pauses::from(port.now());
    loop {
        let left = deadline.saturating_sub(port.now());
        let some_came = is_ready && tried.last.is_some();
        let silence = pauses.silence(SILENCE);
        let wait = if some_came { left.min(silence) } else { left };
        match port.hear(wait) {
            Heard::Line(text) if is_ready_ok(&text) => {
                is_ready = true;
                tried.ready_came_last = true;
            }
            Heard::Line(text) => {
                tried.ready_came_last = false;
                pauses.end_at(port.now());
                let line = Line::parse(&text);
                let is_over = line == Line::Search || tried.lines.len() >= MOST_LINES;
                tried.lines.extend(line.with_numbers());
                if !text.trim().is_empty() {
                    tried.last = Some(text);
                }
                if is_over {
                    return Ok(tried);
                }
            }
            Heard::End if tried.last.is_some() => return Ok(tried),
            Heard::Nothing => return Ok(tried),
            other => return Err(no_answer(&other)),
        }
    }
}

/// Ends what the engine may still be doing after a question that it has taken for another.
///
/// # Errors
///
/// When it does not come to rest.
pub(crate) fn stop(port: &mut dyn Port) -> Result<(), NoAnswer> {
    port.send("stop");
    let deadline = port.now() + REST;
    come_to_rest(port, deadline)?;
    while let Heard::Line(_) = port.hear(SILENCE.min(deadline.saturating_sub(port.now()))) {}
    Ok(())
}

/// Waits for `readyok`; what comes before it belongs to no question.
fn come_to_rest(port: &mut dyn Port, deadline: Duration) -> Result<(), NoAnswer> {
    port.send("isready");
    loop {
        match port.hear(deadline.saturating_sub(port.now())) {
            Heard::Line(text) if is_ready_ok(&text) => return Ok(()),
            Heard::Line(_) => {}
            other => return Err(no_answer(&other)),
        }
    }
}

fn send(port: &mut dyn Port, question: &[String], sync: Sync) {
    for line in question {
        port.send(line);
    }
    if sync != Sync::Silence {
        port.send("isready");
    }
}

fn is_ready_ok(text: &str) -> bool {
    text.trim() == "readyok"
}

fn no_answer(heard: &Heard) -> NoAnswer {
    match heard {
        Heard::Cancelled => NoAnswer::Cancelled,
        Heard::Nothing => NoAnswer::TimedOut,
        Heard::End | Heard::Line(_) => NoAnswer::Ended,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_silent_may_be_so_again() {
        let second = Duration::from_secs(1);
        let mut pauses = Pauses::from(5 * second);
        assert_eq!(pauses.silence(second), second);
        for line in [5, 8, 9] {
            pauses.end_at(line * second);
        }
        assert_eq!(pauses.silence(second), 12 * second);
        assert_eq!(pauses.silence(20 * second), 20 * second);
    }
}
