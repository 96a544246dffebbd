//! Standard input and output of a child, without ever blocking.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;

use super::cancel::{Cancel, LOOK_EVERY};
use super::{Received, SendError, now, now_plus};
use crate::client::lines::{LineSplitter, MAX_LINE};

/// Bytes read at once.
const CHUNK: usize = 16 << 10;
/// The most that is read ahead while we write to an engine that writes to us.
const READ_AHEAD: usize = 4 << 20;

/// Both pipes, with the lines read.
pub(super) struct Pipes {
    /// None once it is closed.
    stdin: Option<ChildStdin>,
    /// None at its end.
    stdout: Option<ChildStdout>,
    lines: LineSplitter,
    chunk: Box<[u8; CHUNK]>,
    outgoing: Vec<u8>,
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
        })
    }

    pub(super) fn close_stdin(&mut self) {
        self.stdin = None;
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
            let Some(stdout) = &self.stdout else {
                return Ok(Received::Eof);
            };
            let left = deadline.saturating_duration_since(now());
            if wait(Some(stdout.as_fd()), None, left)? {
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

    pub(super) fn send(
        &mut self,
        line: &str,
        timeout: Duration,
        cancel: &Cancel,
    ) -> Result<Instant, SendError> {
        self.outgoing.clear();
        self.outgoing.extend_from_slice(line.as_bytes());
        self.outgoing.push(b'\n');
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
            let at = now();
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
                self.lines.feed(&self.chunk[..count], now());
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
/// see whether the work is called off. Says whether there is something to read, or its end.
fn wait(
    read: Option<BorrowedFd<'_>>,
    write: Option<BorrowedFd<'_>>,
    left: Duration,
) -> io::Result<bool> {
    let mut fds = Vec::with_capacity(2);
    fds.extend(read.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
    fds.extend(write.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::OUT)));
    let timeout = Timespec::try_from(left.min(LOOK_EVERY)).map_err(io::Error::other)?;
    match rustix::event::poll(&mut fds, Some(&timeout)) {
        Ok(_) | Err(Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(read.is_some() && !fds[0].revents().is_empty())
}
