//! A child process and everything it starts, killed together.

use std::io;
use std::process::Command;
use std::time::{Duration, Instant};

use super::exit::ProcessExit;
use super::{now, os};

/// Time for a killed child to end.
const DEATH: Duration = Duration::from_secs(3);

/// A child process with its descendants. They are killed when this is dropped, and when our own
/// process ends in any way, even by `kill -9`.
///
/// On Unix, it is a process group: processes that leave it (`setsid`) are not killed, except the
/// child itself. On Windows, it is a job, which nothing can leave.
pub struct ProcessTree {
    tree: os::Tree,
    exit: Option<ProcessExit>,
}

impl ProcessTree {
    /// Starts a child. Its standard streams are as the command says.
    ///
    /// # Errors
    ///
    /// When the program cannot be found or run.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        os::Tree::spawn(command).map(Self::new)
    }

    pub(super) fn new(tree: os::Tree) -> Self {
        Self { tree, exit: None }
    }

    /// The process id of the child.
    pub fn id(&self) -> u32 {
        self.tree.id()
    }

    /// Whether the child runs.
    pub fn is_running(&self) -> bool {
        self.exit.is_none() && self.tree.is_running()
    }

    /// Waits until the child has ended, then kills its descendants and returns how it ended; `None`
    /// if it still runs at `deadline` or waiting is given up.
    pub fn wait(
        &mut self,
        deadline: Instant,
        is_given_up: impl Fn() -> bool,
    ) -> Option<ProcessExit> {
        let is_over = self.wait_for_end(deadline, is_given_up);
        is_over.then(|| self.kill())
    }

    /// Kills everything, reaps the child, and returns how it ended.
    ///
    /// A child that cannot be killed, because it belongs to another user or waits for a device, is
    /// left alone and reaped when it ends.
    pub fn kill(&mut self) -> ProcessExit {
        self.kill_and(|| {})
    }

    /// Kills everything, and helps the child to end by `help`.
    pub(super) fn kill_and(&mut self, help: impl FnOnce()) -> ProcessExit {
        if let Some(exit) = self.exit {
            return exit;
        }
        self.tree.kill();
        help();
        let exit = if self.wait_for_end(now() + DEATH, || false) {
            ProcessExit(self.tree.reap())
        } else {
            self.tree.leave();
            // A process that does not die must not hang us.
            ProcessExit(None)
        };
        *self.exit.insert(exit)
    }

    fn wait_for_end(&self, deadline: Instant, is_given_up: impl Fn() -> bool) -> bool {
        // Most children end at once, so the first pauses are short.
        let mut pause = Duration::from_micros(100);
        while self.is_running() {
            let left = deadline.saturating_duration_since(now());
            if left.is_zero() || is_given_up() {
                return false;
            }
            std::thread::sleep(pause.min(left));
            pause = (pause * 2).min(Duration::from_millis(10));
        }
        true
    }
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        self.kill();
    }
}
