//! Standard error of a child: read at once, so that it never blocks, and kept in bounded memory.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::now;
use super::os::{Output, Stop, Stopped};
use crate::lines::LineSplitter;
use crate::transcript::log_line;
use crate::{Line, LineDirection};

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
    /// Dropped to make the thread finish.
    running: Option<Stop>,
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
    pub(super) fn start(stderr: Output, process: u32) -> io::Result<Self> {
        let (running, stopped) = Stopped::new()?;
        let tail = Arc::new(Mutex::new(Tail::default()));
        let kept = Arc::clone(&tail);
        let thread = std::thread::Builder::new()
            .name("engine stderr".to_owned())
            .spawn(move || read_all(stderr, process, &stopped, &kept))?;
        Ok(Self {
            tail,
            running: Some(running),
            thread: Some(thread),
        })
    }

    pub(super) fn lines(&self) -> Vec<Line> {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.lines.iter().cloned().collect()
    }

    /// Reads the rest, and ends the thread.
    pub(super) fn stop(&mut self) {
        self.running = None;
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

fn read_all(mut stderr: Output, process: u32, stopped: &Stopped, tail: &Mutex<Tail>) {
    let mut lines = LineSplitter::new(MAX_STDERR_LINE);
    let mut chunk = [0; 4096];
    let mut last_words = None;
    while last_words != Some(0) {
        if last_words.is_none() && stopped.wait(&mut stderr) {
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
        log_line(process, LineDirection::Stderr, &line.text);
        tail.push(line);
    }
}
