//! The dialogue with engines, for people: on standard error for `--verbose`, and in a file.
//!
//! The crate `uci` logs every line with the target `uci`.

use std::fs::File;
use std::io::{self, Write as _};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// Receives log records. There can be only one in a process.
struct Logger;

/// Since when lines are printed on standard error, if they are.
static VERBOSE: OnceLock<Instant> = OnceLock::new();
static FILE: Mutex<Option<LogFile>> = Mutex::new(None);

struct LogFile {
    file: File,
    start: Instant,
    failed: Box<dyn FnOnce(io::Error) + Send>,
}

/// Prints every line from and to engines on standard error from now on, after the seconds since this
/// call.
pub(crate) fn to_standard_error() {
    VERBOSE.get_or_init(now);
    start();
}

/// Writes every line from and to engines to a file from now on, after the seconds since this call.
/// `failed` is called with the first error; nothing more is written then.
pub fn log_to(file: File, failed: impl FnOnce(io::Error) + Send + 'static) {
    let log = LogFile {
        file,
        start: now(),
        failed: Box::new(failed),
    };
    *FILE.lock().unwrap_or_else(PoisonError::into_inner) = Some(log);
    start();
}

fn start() {
    // It fails if it was started before.
    let _ = log::set_logger(&Logger);
    log::set_max_level(log::LevelFilter::Debug);
}

#[expect(clippy::disallowed_methods, reason = "a log has times")]
fn now() -> Instant {
    Instant::now()
}

impl log::Log for Logger {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.target() == "uci"
    }

    fn log(&self, record: &log::Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let line = |start: Instant| {
            let seconds = start.elapsed().as_secs_f64();
            format!("{seconds:12.6} {}\n", record.args())
        };
        if let Some(start) = VERBOSE.get() {
            // If standard error is closed, nobody reads along.
            let _ = io::stderr().write_all(line(*start).as_bytes());
        }
        let mut file = FILE.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(log) = &mut *file else {
            return;
        };
        // One write for a line: another program may append to the file.
        if let Err(error) = log.file.write_all(line(log.start).as_bytes())
            && let Some(log) = file.take()
        {
            (log.failed)(error);
        }
    }

    fn flush(&self) {}
}
