//! Standard input and output of a child, without blocking.

use std::io::{self, ErrorKind};
use std::time::{Duration, Instant};

use super::os::{Input, Output, wait};
use super::{Cancel, LOOK_EVERY, Received, SendError, now, now_plus};
use crate::lines::{Line, LineSplitter, MAX_LINE};

/// Bytes per read.
const CHUNK: usize = 16 << 10;
/// Maximum read-ahead while we write to an engine that writes to us.
const READ_AHEAD: usize = 4 << 20;

/// Waking up this much too late means that our whole process was stopped.
const OVERSLEPT: Duration = Duration::from_millis(500);
/// Maximum number of bytes to read without waiting before a search.
const READY: u64 = 1 << 20;

/// Both pipes, with the lines that have been read.
pub(super) struct Pipes {
    /// `None` once it is closed.
    stdin: Option<Input>,
    /// `None` once it has ended.
    stdout: Option<Output>,
    lines: LineSplitter,
    chunk: Box<[u8; CHUNK]>,
    outgoing: Vec<u8>,
    /// Number of bytes read so far.
    pub(super) received: u64,
    /// Whether to yield the CPU to an engine that has begun to print before we read: it may have
    /// more to say, and a wake-up for each line would cost both sides more than all the rest.
    pub(super) takes_turns: bool,
    /// When we last looked: found nothing, read what there was, or sent. What is there later came after it.
    looked: Option<Instant>,
    /// The time stamp for output that arrived while we were stopped, until it has been read.
    asleep_since: Option<Instant>,
}

impl Pipes {
    pub(super) fn new(stdin: Input, stdout: Output) -> Self {
        Self {
            stdin: Some(stdin),
            stdout: Some(stdout),
            lines: LineSplitter::new(MAX_LINE),
            chunk: Box::new([0; CHUNK]),
            outgoing: Vec::new(),
            received: 0,
            takes_turns: false,
            looked: None,
            asleep_since: None,
        }
    }

    pub(super) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for a line. If `has_ended` returns true, the engine has ended: then the pipe's content
    /// is complete, even if a child of the engine holds the pipe open.
    pub(super) fn next_line(
        &mut self,
        deadline: Instant,
        cancel: &Cancel,
        has_ended: impl Fn() -> bool,
    ) -> io::Result<Received> {
        let mut ended = false;
        loop {
            if cancel.is_set() {
                return Ok(Received::Cancelled);
            }
            if let Some(line) = self.lines.pop(deadline) {
                return Ok(Received::Line(line));
            }
            if !self.lines.is_empty() {
                return Ok(Received::TimedOut);
            }
            let Some(stdout) = &mut self.stdout else {
                return Ok(Received::Eof);
            };
            let before = now();
            // Kept from looking for so long, we cannot tell when what is there by now came: the engine is not
            // to blame.
            if let Some(looked) = self.looked
                && before.saturating_duration_since(looked) > OVERSLEPT
                && wait(Some(&mut *stdout), None, Duration::ZERO)?
            {
                self.asleep_since = Some(looked);
            }
            let left = deadline.saturating_duration_since(before);
            if wait(Some(stdout), None, left.min(LOOK_EVERY))? {
                let due = before + left.min(LOOK_EVERY);
                if now().saturating_duration_since(due) > OVERSLEPT {
                    self.asleep_since = Some(due);
                }
                if self.takes_turns {
                    std::thread::yield_now();
                }
                self.read_chunk()?;
            } else if ended {
                self.end_of_output();
            } else {
                self.looked = Some(now());
                // It may have written in between: the pipe is empty only if the next read finds
                // nothing.
                ended = has_ended();
            }
            // Checked after a read as well: an endless line must not hold us forever.
            if self.lines.is_empty() && self.stdout.is_some() && now() >= deadline {
                return Ok(Received::TimedOut);
            }
        }
    }

    pub(super) fn read_ready(&mut self) -> io::Result<()> {
        let before = self.received;
        loop {
            let chunk = self.received;
            self.read_chunk()?;
            // A pipe that returns less than requested is empty.
            let is_empty = self.received - chunk < CHUNK as u64;
            if is_empty || self.received - before >= READY {
                return Ok(());
            }
        }
    }

    /// Takes back the memory of a line that was read.
    pub(super) fn recycle(&mut self, line: Line) {
        self.lines.recycle(line.text);
    }

    /// Returns a line that has been read.
    pub(super) fn pop_line(&mut self) -> Option<Line> {
        self.lines.pop(now())
    }

    /// Sends texts, each followed by `end`, in one write if possible.
    pub(super) fn send(
        &mut self,
        texts: &[&str],
        end: &str,
        timeout: Duration,
        cancel: &Cancel,
    ) -> Result<Instant, SendError> {
        self.outgoing.clear();
        for text in texts {
            self.outgoing.extend_from_slice(text.as_bytes());
            self.outgoing.extend_from_slice(end.as_bytes());
        }
        let sent = self.write_outgoing(timeout, cancel);
        if sent.is_err() {
            self.stdin = None;
        }
        sent
    }

    fn write_outgoing(&mut self, timeout: Duration, cancel: &Cancel) -> Result<Instant, SendError> {
        let deadline = now_plus(timeout);
        let mut written = 0;
        loop {
            let Some(stdin) = &mut self.stdin else {
                return Err(SendError::Closed);
            };
            // Before the write: the engine may already have thought for a while when it returns.
            let at = now();
            match stdin.write(&self.outgoing[written..]) {
                Ok(count) => written += count,
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                    return Err(SendError::Closed);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait_for_room(deadline).map_err(SendError::Io)?;
                }
                Err(error) => return Err(SendError::Io(error)),
            }
            if written == self.outgoing.len() {
                self.looked = Some(at);
                return Ok(at);
            }
            if cancel.is_set() {
                return Err(SendError::Cancelled);
            }
            if at >= deadline {
                return Err(SendError::TimedOut { after: timeout });
            }
        }
    }

    /// Waits until the engine may have read something. Meanwhile reads as far as there is room: an
    /// engine blocked in a write to us does not read.
    fn wait_for_room(&mut self, deadline: Instant) -> io::Result<()> {
        let left = deadline.saturating_duration_since(now());
        let has_room = self.lines.held() < READ_AHEAD;
        let stdout = self.stdout.as_mut().filter(|_| has_room);
        if wait(stdout, self.stdin.as_mut(), left.min(LOOK_EVERY))? {
            self.read_chunk()?;
        }
        Ok(())
    }

    fn end_of_output(&mut self) {
        self.stdout = None;
        self.lines.finish(now());
    }

    fn read_chunk(&mut self) -> io::Result<()> {
        let Some(stdout) = &mut self.stdout else {
            return Ok(());
        };
        match stdout.read(&mut self.chunk[..]) {
            Ok(0) => self.end_of_output(),
            Ok(count) => {
                self.received += count as u64;
                let read = now();
                let at = self.asleep_since.unwrap_or(read);
                self.lines.feed(&self.chunk[..count], at);
                self.looked = Some(read);
                if count < CHUNK {
                    self.asleep_since = None;
                }
            }
            Err(error) => match error.kind() {
                ErrorKind::Interrupted | ErrorKind::WouldBlock => {}
                _ => return Err(error),
            },
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Both ends of a pipe that the engine would print to.
    fn pipes() -> (Pipes, io::PipeWriter) {
        let (reader, writer) = io::pipe().expect("a pipe");
        let input = Input::new(writer.try_clone().expect("a pipe")).expect("ours");
        (
            Pipes::new(input, Output::new(reader).expect("ours")),
            writer,
        )
    }

    /// The clock is turned back by hand.
    fn ago(seconds: u64) -> Instant {
        let time = now().checked_sub(Duration::from_secs(seconds));
        time.expect("the clock began earlier")
    }

    /// The next line, for a deadline of five seconds ago.
    fn next(pipes: &mut Pipes) -> Received {
        let next = pipes.next_line(ago(5), &Cancel::new(), || false);
        next.expect("it can be read")
    }

    #[test]
    fn what_came_while_we_were_kept_from_looking_is_in_time() {
        let (mut pipes, mut writer) = pipes();
        let looked = ago(10);
        pipes.looked = Some(looked);
        assert!(matches!(next(&mut pipes), Received::TimedOut));
        pipes.looked = Some(looked);
        io::Write::write_all(&mut writer, b"bestmove e2e4\n").expect("written");
        assert!(matches!(next(&mut pipes), Received::Line(line) if line.at == looked));
        pipes.looked = Some(now());
        io::Write::write_all(&mut writer, b"bestmove e2e4\n").expect("written");
        assert!(
            matches!(next(&mut pipes), Received::TimedOut),
            "we looked just now"
        );
    }

    /// An engine that never stops printing is never found silent: that it was read is a look as well, or
    /// all that it prints would count from the beginning of its search.
    #[test]
    fn an_engine_that_prints_all_the_time_is_late_all_the_same() {
        let (mut pipes, mut writer) = pipes();
        pipes.looked = Some(ago(10));
        io::Write::write_all(&mut writer, b"info depth 1\n").expect("written");
        assert!(matches!(next(&mut pipes), Received::Line(_)));
        io::Write::write_all(&mut writer, b"bestmove e2e4\n").expect("written");
        assert!(matches!(next(&mut pipes), Received::TimedOut));
    }
}
