//! A thread that ends the program when one input takes too long.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use super::{DEADLINE, Plan, now};
use crate::mutator::Mutator;
use crate::target::Target;

/// How often it looks.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// No input is being read.
const NONE: u64 = u64::MAX;

/// The thread; it ends when this is dropped.
pub(super) struct Watch {
    reading: Arc<AtomicU64>,
    open: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    pub(super) fn start(target: &Target, mutator: &Mutator, plan: &Plan) -> std::io::Result<Self> {
        let reading = Arc::new(AtomicU64::new(NONE));
        let (open, closed) = mpsc::channel::<()>();
        let (seen, mutator, plan) = (Arc::clone(&reading), mutator.clone(), plan.clone());
        let name = target.name;
        let thread = std::thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || {
                let (mut last, mut since) = (NONE, now());
                while closed.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
                    let number = seen.load(Ordering::Relaxed);
                    if number != last || number == NONE {
                        (last, since) = (number, now());
                    } else if since.elapsed() > DEADLINE {
                        give_up(name, number, &mutator.input(number), &plan);
                    }
                }
            })?;
        Ok(Self {
            reading,
            open: Some(open),
            thread: Some(thread),
        })
    }

    pub(super) fn begin(&mut self, number: u64) {
        self.reading.store(number, Ordering::Relaxed);
    }

    pub(super) fn end(&mut self) {
        self.reading.store(NONE, Ordering::Relaxed);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.open = None;
        if let Some(thread) = self.thread.take() {
            // It only watches: how it ended changes nothing.
            let _ = thread.join();
        }
    }
}

/// Keeps the input and ends the program at once: a loop in another thread ends no other way.
#[expect(clippy::print_stderr, reason = "the last words of the program")]
fn give_up(target: &str, number: u64, input: &[u8], plan: &Plan) -> ! {
    let path = plan
        .failures
        .join(super::file_name(target, plan.seed, number));
    let kept = keep(&path, input);
    eprintln!(
        "{target}: input {number} of seed {} takes more than {} s; {}",
        plan.seed,
        DEADLINE.as_secs(),
        match kept {
            Ok(()) => format!("it is kept in {}", path.display()),
            Err(error) => format!("it cannot be kept in {}: {error}", path.display()),
        }
    );
    std::process::abort();
}

#[expect(clippy::disallowed_methods, reason = "an input that failed is kept")]
pub(super) fn keep(path: &Path, input: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, input)
}
