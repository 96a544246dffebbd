//! Standard input and output of a child, without ever blocking.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;

use super::cancel::{Cancel, LOOK_EVERY};
use super::{Received, SendError, now, now_plus};
use crate::lines::{Line, LineSplitter, MAX_LINE};

/// Bytes read at once.
const CHUNK: usize = 16 << 10;
/// How often an engine that has begun to answer is given the CPU before we sleep: being woken for
/// each of its lines would cost both of us more than all else.
const TURNS: u32 = 4;
/// The most that is read ahead while we write to an engine that writes to us.
const READ_AHEAD: usize = 4 << 20;

/// So much later than asked for nobody wakes but who was stopped, with all of the process.
const OVERSLEPT: Duration = Duration::from_millis(500);
/// The most that is read before a search without waiting.
const READY: u64 = 1 << 20;

/// Both pipes, with the lines read.
pub(super) struct Pipes {
    /// None once it is closed.
    stdin: Option<ChildStdin>,
    /// None at its end.
    stdout: Option<ChildStdout>,
    lines: LineSplitter,
    chunk: Box<[u8; CHUNK]>,
    outgoing: Vec<u8>,
    /// Bytes read so far.
    received: u64,
    /// Whether we give an engine that is talking the CPU before we sleep.
    takes_turns: bool,
    /// Whether something has come since it was last sent something or last waited for in vain.
    is_talking: bool,
    /// The time of what came while we were stopped, until it has been read.
    asleep_since: Option<Instant>,
}

impl Pipes {
    pub(super) fn new(stdin: ChildStdin, stdout: ChildStdout) -> io::Result<Self> {
        rustix::io::ioctl_fionbio(&stdin, true)?;
        rustix::io::ioctl_fionbio(&stdout, true)?;
        Ok(Self {
            stdin: Some(stdin),
            stdout: Some(stdout),
            lines: LineSplitter::new(MAX_LINE),
            chunk: Box::new([0; CHUNK]),
            outgoing: Vec::new(),
            received: 0,
            takes_turns: false,
            is_talking: false,
            asleep_since: None,
        })
    }

    pub(super) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    pub(super) fn take_turns(&mut self, on: bool) {
        self.takes_turns = on;
    }

    /// How many bytes have been read.
    pub(super) fn received(&self) -> u64 {
        self.received
    }

    /// Waits for a line. `has_ended` tells whether the engine has: then what is in the pipe is all,
    /// even if a child of the engine's holds the pipe open.
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
            if self.read_in_turns()? {
                continue;
            }
            let Some(stdout) = &self.stdout else {
                return Ok(Received::Eof);
            };
            let before = now();
            let left = deadline.saturating_duration_since(before);
            if wait(Some(stdout.as_fd()), None, left)? {
                self.note_oversleeping(before + left.min(LOOK_EVERY));
                self.read_chunk()?;
            } else if ended {
                self.end_of_output();
            } else {
                // It may have written since: only if nothing is there the next time, nothing is.
                ended = has_ended();
            }
            // Looked at after a read as well: an endless line must not keep us for ever.
            if self.lines.is_empty() && self.stdout.is_some() && now() >= deadline {
                return Ok(Received::TimedOut);
            }
        }
    }

    /// Reads what is there to be read, and waits for nothing.
    pub(super) fn read_ready(&mut self) -> io::Result<()> {
        let before = self.received;
        loop {
            let chunk = self.received;
            self.read_chunk()?;
            // A pipe that gives less than was asked for is empty.
            let is_empty = self.received - chunk < CHUNK as u64;
            if is_empty || self.received - before >= READY {
                return Ok(());
            }
        }
    }

    /// Takes a line that has been read.
    pub(super) fn pop_line(&mut self) -> Option<Line> {
        self.lines.pop(now())
    }

    /// Looks whether we have woken far too late.
    fn note_oversleeping(&mut self, due: Instant) {
        if now().saturating_duration_since(due) > OVERSLEPT {
            self.asleep_since = Some(due);
        }
    }

    /// Sends lines, if possible in one write.
    pub(super) fn send(
        &mut self,
        lines: &[&str],
        timeout: Duration,
        cancel: &Cancel,
    ) -> Result<Instant, SendError> {
        self.outgoing.clear();
        for line in lines {
            self.outgoing.extend_from_slice(line.as_bytes());
            self.outgoing.push(b'\n');
        }
        self.send_outgoing(timeout, cancel)
    }

    /// Sends a text as it is.
    pub(super) fn send_text(
        &mut self,
        text: &str,
        timeout: Duration,
        cancel: &Cancel,
    ) -> Result<Instant, SendError> {
        self.outgoing.clear();
        self.outgoing.extend_from_slice(text.as_bytes());
        self.send_outgoing(timeout, cancel)
    }

    fn send_outgoing(&mut self, timeout: Duration, cancel: &Cancel) -> Result<Instant, SendError> {
        self.is_talking = false;
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
            // Before the write: the engine may well have thought already when it returns.
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

    /// Waits until the engine may have read something. Reads meanwhile, as far as there is room:
    /// an engine that is writing to us may not read before it has written.
    fn wait_for_room(&mut self, deadline: Instant) -> io::Result<()> {
        let left = deadline.saturating_duration_since(now());
        let stdin = self.stdin.as_ref().map(AsFd::as_fd);
        let has_room = self.lines.held() < READ_AHEAD;
        let stdout = self.stdout.as_ref().filter(|_| has_room).map(AsFd::as_fd);
        if wait(stdout, stdin, left)? {
            self.read_chunk()?;
        }
        Ok(())
    }

    fn end_of_output(&mut self) {
        self.stdout = None;
        self.lines.finish(now());
    }

    /// Reads what an engine says that is talking, and lets it go on where it has not. Says whether
    /// there was a line.
    fn read_in_turns(&mut self) -> io::Result<bool> {
        let before = self.received;
        for _ in 0..TURNS {
            if !self.is_talking {
                return Ok(false);
            }
            self.read_chunk()?;
            if !self.lines.is_empty() {
                return Ok(true);
            }
            if self.received == before {
                std::thread::yield_now();
            }
        }
        self.is_talking = false;
        Ok(false)
    }

    /// Reads once what there is to read.
    fn read_chunk(&mut self) -> io::Result<()> {
        let Some(stdout) = &mut self.stdout else {
            return Ok(());
        };
        match stdout.read(&mut self.chunk[..]) {
            Ok(0) => {
                self.end_of_output();
                Ok(())
            }
            Ok(count) => {
                self.received += count as u64;
                self.is_talking = self.takes_turns;
                let at = self.asleep_since.unwrap_or_else(now);
                self.lines.feed(&self.chunk[..count], at);
                if count < CHUNK {
                    self.asleep_since = None;
                }
                Ok(())
            }
            Err(error)
                if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) =>
            {
                Ok(())
            }
            Err(error) => Err(error),
        }
    }
}

/// Waits until there is something to read or room to write, or the time is up, or it is time to
/// see whether the work is cancelled. Says whether there is something to read, or its end.
fn wait(
    read: Option<BorrowedFd<'_>>,
    write: Option<BorrowedFd<'_>>,
    left: Duration,
) -> io::Result<bool> {
    let mut fds = ArrayVec::<_, 2>::new();
    fds.extend(read.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
    fds.extend(write.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::OUT)));
    let timeout = Timespec::try_from(left.min(LOOK_EVERY)).map_err(io::Error::other)?;
    match rustix::event::poll(&mut fds, Some(&timeout)) {
        Ok(_) | Err(Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(read.is_some() && !fds[0].revents().is_empty())
}
