//! Standard error of a child: read at once, so that it never blocks, and kept in bounded memory.

use std::collections::VecDeque;
use std::io::{self, PipeReader, PipeWriter, Read as _};
use std::os::fd::AsFd as _;
use std::process::ChildStderr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;

use super::now;
use crate::lines::LineSplitter;
use crate::transcript::log_line;
use crate::{Direction, Line};

/// Number of bytes of text that are kept.
const KEPT: usize = 64 << 10;
/// Maximum length of a line in bytes.
const MAX_STDERR_LINE: usize = 4 << 10;
/// Maximum number of bytes read after the child has ended: its pipe holds no more, but an escaped
/// grandchild may keep writing.
const LAST_WORDS: usize = 1 << 20;

/// A reading thread and its results.
pub(super) struct StderrReader {
    tail: Arc<Mutex<Tail>>,
    /// Closed to make the thread finish.
    open: Option<PipeWriter>,
    thread: Option<JoinHandle<()>>,
}

/// The most recent lines.
#[derive(Default)]
struct Tail {
    lines: VecDeque<Line>,
    bytes: usize,
}

impl Tail {
    fn push(&mut self, line: Line) {
        // A line counts with its end, so that empty lines are bounded too.
        let cost = |line: &Line| line.text.len() + 1;
        self.bytes += cost(&line);
        self.lines.push_back(line);
        while self.bytes > KEPT
            && let Some(oldest) = self.lines.pop_front()
        {
            self.bytes -= cost(&oldest);
        }
    }
}

impl StderrReader {
    /// `process` is the id of the child, for the log.
    pub(super) fn start(stderr: ChildStderr, process: u32) -> io::Result<Self> {
        rustix::io::ioctl_fionbio(&stderr, true)?;
        let (closed, open) = io::pipe()?;
        let tail = Arc::new(Mutex::new(Tail::default()));
        let kept = Arc::clone(&tail);
        let thread = std::thread::Builder::new()
            .name("engine stderr".to_owned())
            .spawn(move || read_all(stderr, process, &closed, &kept))?;
        Ok(Self {
            tail,
            open: Some(open),
            thread: Some(thread),
        })
    }

    pub(super) fn lines(&self) -> Vec<Line> {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.lines.iter().cloned().collect()
    }

    /// Reads the rest, and ends the thread.
    pub(super) fn stop(&mut self) {
        self.open = None;
        if let Some(thread) = self.thread.take() {
            // The thread cannot panic; even if it did, only the lines would be lost.
            let _ = thread.join();
        }
    }
}

impl Drop for StderrReader {
    fn drop(&mut self) {
        self.stop();
    }
}

fn read_all(mut stderr: ChildStderr, process: u32, closed: &PipeReader, tail: &Mutex<Tail>) {
    let mut lines = LineSplitter::new(MAX_STDERR_LINE);
    let mut chunk = [0; 4096];
    let mut last_words = None;
    while last_words != Some(0) {
        if last_words.is_none() && wait_until_closed(&stderr, closed) {
            last_words = Some(LAST_WORDS);
        }
        let count = match stderr.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && last_words.is_none() => {
                continue;
            }
            Err(_) => break,
        };
        last_words = last_words.map(|left: usize| left.saturating_sub(count));
        lines.feed(&chunk[..count], now());
        keep(&mut lines, process, tail);
    }
    lines.finish(now());
    keep(&mut lines, process, tail);
}

fn keep(lines: &mut LineSplitter, process: u32, tail: &Mutex<Tail>) {
    let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
    while let Some(line) = lines.pop(now()) {
        log_line(process, Direction::Stderr, &line.text);
        tail.push(line);
    }
}

/// Waits for something to read, and returns whether the other pipe has been closed.
fn wait_until_closed(stderr: &ChildStderr, closed: &PipeReader) -> bool {
    let mut fds = [
        PollFd::from_borrowed_fd(stderr.as_fd(), PollFlags::IN),
        PollFd::from_borrowed_fd(closed.as_fd(), PollFlags::IN),
    ];
    match rustix::event::poll(&mut fds, None) {
        Ok(_) => !fds[1].revents().is_empty(),
        Err(Errno::INTR) => false,
        // Without poll, waiting is impossible: read what is available and finish.
        Err(_) => true,
    }
}
