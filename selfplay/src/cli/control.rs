//! `selfplay control`, and keys: what a user asks of a run while it is played.
//!
//! A command appends a line to a file of the run directory, which only those can write who can write the
//! ledger; the run reads it. Keys are lines of the terminal, whose mode is not changed: nothing has to be
//! restored, however the run ends.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, ErrorKind, IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use kit::cli::Common;
use kit::output::remark;
use kit::report::Format;
use kit::{Exit, Interrupt, output};

use super::report;
use crate::config::AtOnce;
use crate::play::event::Control;
use crate::play::ledger::Follower;

/// Control a run: games at once, standing, finish
///
/// `concurrency N` changes the number of games at once (-1: as many as there are CPUs, but one); `standing` prints the results so far; `finish`
/// lets the games that are being played end, and stops the run, which `selfplay resume` resumes. In the
/// terminal of the run, a number, `s` or `f` and Enter do the same.
///
/// Examples: `selfplay control run concurrency 4`, `selfplay control run finish`.
#[derive(Debug, clap::Args)]
pub(super) struct ControlArgs {
    /// Run directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// concurrency N, standing, or finish
    #[arg(value_name = "WHAT", required = true, num_args = 1..=2, allow_negative_numbers = true)]
    what: Vec<String>,
}

/// Name of the file in the run directory.
const FILE: &str = "control";

pub(super) fn run(
    args: &ControlArgs,
    common: Common,
    interrupt: &Interrupt,
) -> anyhow::Result<Exit> {
    let mut what = args.what.clone();
    if let Some(number) = what.last_mut().filter(|word| word.starts_with('-')) {
        let games: AtOnce = { number.parse() }
            .map_err(|error| super::bad(format!("concurrency {number}: {error}")))?;
        *number = games.0.to_string();
    }
    let control: Control = what.join(" ").parse().map_err(super::bad)?;
    if control == Control::Standing {
        let standing = report::standing(&args.directory, Some(interrupt), Format::Human)?;
        output::to_stdout(standing)?;
        return Ok(Exit::Agreed);
    }
    let (_, follower) = Follower::open(&args.directory).map_err(super::bad)?;
    let directory = super::shell_word(&args.directory.to_string_lossy());
    let is_running = follower.is_running().map_err(super::bad)?;
    let path = args.directory.join(FILE);
    let mut file = match OpenOptions::new().append(true).open(&path) {
        Ok(file) if is_running => file,
        Err(error) if is_running && error.kind() != ErrorKind::NotFound => {
            return Err(super::bad(format!(
                "cannot write {}: {error}",
                path.display()
            )));
        }
        _ => {
            return Err(super::bad(format!(
                "the run is not running: expected one that is; `selfplay resume {directory}` resumes it"
            )));
        }
    };
    let line = match control {
        Control::Concurrency(games) => format!("concurrency {games}\n"),
        _ => "finish\n".to_owned(),
    };
    let written = file.write_all(line.as_bytes());
    written.map_err(|error| super::bad(format!("cannot write {}: {error}", path.display())))?;
    remark(
        common.quiet,
        "the run was asked; it answers on its standard error",
    );
    Ok(Exit::Agreed)
}

/// Time between two looks at the file.
const EVERY: Duration = Duration::from_millis(250);

/// What is asked of a run that this process plays.
pub(super) struct Controls {
    file: Option<(PathBuf, File)>,
    looked: Instant,
    /// What was read of a line that is not complete.
    begun: String,
    keys: Receiver<Control>,
    /// Set when nobody listens to keys any more.
    is_over: Arc<AtomicBool>,
    asked: std::collections::VecDeque<Control>,
}

impl Controls {
    /// Listens for what is asked of the run in a directory: by its file and, unless `is_quiet`, by keys
    /// of the terminal. Without its file, a run is played all the same.
    pub(super) fn open(directory: &Path, is_quiet: bool) -> Self {
        let path = directory.join(FILE);
        let mut options = OpenOptions::new();
        options.create(true).truncate(true).read(true).write(true);
        let file = options.open(&path).ok().map(|file| (path, file));
        let (sender, keys) = channel();
        let is_over = Arc::new(AtomicBool::new(false));
        if !is_quiet && io::stdin().is_terminal() && io::stderr().is_terminal() {
            let over = Arc::clone(&is_over);
            let thread = std::thread::Builder::new().name("keys".to_owned());
            // A run without keys is still controlled by its file.
            let _ = thread.spawn(move || read_keys(&sender, &over));
        }
        Self {
            file,
            looked: now(),
            begun: String::new(),
            keys,
            is_over,
            asked: std::collections::VecDeque::new(),
        }
    }

    /// The next thing that is asked for, if there is one.
    pub(super) fn next(&mut self) -> Option<Control> {
        self.asked.extend(self.keys.try_iter());
        let now = now();
        if now - self.looked >= EVERY {
            self.looked = now;
            self.look();
        }
        self.asked.pop_front()
    }

    /// Reads what was added to the file. Lines that mean nothing are skipped.
    fn look(&mut self) {
        let Some((_, file)) = &mut self.file else {
            return;
        };
        let mut added = Vec::new();
        // A file that cannot be read asks for nothing.
        let _ = file.take(MOST_BYTES).read_to_end(&mut added);
        self.begun += &String::from_utf8_lossy(&added);
        while let Some((line, rest)) = self.begun.split_once('\n') {
            self.asked.extend(line.trim().parse::<Control>());
            self.begun = rest.to_owned();
        }
        if self.begun.len() as u64 > MOST_BYTES {
            self.begun.clear();
        }
    }
}

/// Of a look at the file.
const MOST_BYTES: u64 = 4096;

impl Drop for Controls {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some((path, _)) = &self.file {
            // A file that stays is emptied by the next run.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Sends what is typed, a line each, until the run is over or the input ends.
fn read_keys(sender: &Sender<Control>, is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        if !may_read() {
            continue;
        }
        let mut input = io::stdin().lock();
        let Ok(bytes) = input.fill_buf() else { return };
        let (text, length) = (String::from_utf8_lossy(bytes).into_owned(), bytes.len());
        input.consume(length);
        if length == 0 {
            return;
        }
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let control = line.trim().parse().unwrap_or(Control::Unknown);
            if sender.send(control).is_err() {
                return;
            }
        }
    }
}

/// Waits for a moment; returns true if a line was typed. A process in the background must not read: the
/// system would stop it.
#[cfg(unix)]
fn may_read() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let stdin = io::stdin();
    let mut inputs = [PollFd::new(&stdin, PollFlags::IN)];
    let time = Timespec {
        tv_sec: 0,
        tv_nsec: 200_000_000,
    };
    let is_typed = poll(&mut inputs, Some(&time)).is_ok_and(|ready| ready > 0);
    let front = rustix::termios::tcgetpgrp(&stdin);
    if is_typed && front != Ok(rustix::process::getpgrp()) {
        // What is typed is for another process.
        std::thread::sleep(EVERY);
        return false;
    }
    is_typed
}

#[cfg(not(unix))]
fn may_read() -> bool {
    true
}

#[expect(
    clippy::disallowed_methods,
    reason = "the file is read from time to time"
)]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_file_are_obeyed_once_complete() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut controls = Controls::open(folder.path(), true);
        let path = folder.path().join(FILE);
        let mut add = |text: &str| {
            let file = OpenOptions::new().append(true).open(&path);
            file.and_then(|mut file| file.write_all(text.as_bytes()))
                .expect("it is there");
            controls.look();
            std::iter::from_fn(|| controls.asked.pop_front()).collect::<Vec<_>>()
        };
        let expected = [Control::Concurrency(3)];
        assert_eq!(add("concurrency 3\nnonsense\nfini"), expected);
        assert_eq!(add(""), []);
        let expected = [Control::Finish, Control::Concurrency(7), Control::Standing];
        assert_eq!(add("sh\n7\ns\n"), expected);
        assert_eq!(add("concurrency 0\nconcurrency 1025\n"), []);
        drop(controls);
        assert!(!folder.path().join(FILE).exists());
    }
}
