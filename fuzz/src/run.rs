//! Reads inputs one after the other, measures each, keeps those that fail. An edge: it reads the clock.

use std::cell::RefCell;
use std::panic;
use std::panic::{AssertUnwindSafe, PanicHookInfo};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender};
use std::sync::{Arc, Once, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::mutator::Mutator;
use crate::target::{Checked, Target};

/// How long one input may take. An input that takes longer ends the program, since nothing else can end
/// a loop.
pub const DEADLINE: Duration = Duration::from_mins(2);

/// How much memory reading one input may take at once, in bytes.
pub const MOST_MEMORY: usize = 256 << 20;

/// The most failures of one target that are kept; the rest is counted.
const MOST_FAILURES: usize = 20;

/// The number of inputs that are entries of the corpus.
const OF_THE_CORPUS: u64 = u64::MAX;

/// The inputs to read.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The random seed.
    pub seed: u64,
    /// The number of the first input.
    pub first: u64,
    /// Number of inputs.
    pub inputs: u64,
    /// Folder for inputs that fail.
    pub failures: PathBuf,
}

/// Measures the memory in use; provided by the program that owns the allocator.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    /// Restarts the measurement, and returns the memory in use now, in bytes.
    pub reset: fn() -> usize,
    /// The most that was in use since then, in bytes.
    pub peak: fn() -> usize,
}

/// The input that took most of something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Most<T> {
    /// In bytes, or as a duration.
    pub amount: T,
    /// The number of the input.
    pub number: u64,
    /// Its length, in bytes.
    pub length: usize,
}

impl<T: PartialOrd> Most<T> {
    fn see(&mut self, amount: T, number: u64, length: usize) {
        if amount > self.amount {
            *self = Self {
                amount,
                number,
                length,
            };
        }
    }
}

/// An input for which a check does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its number.
    pub number: u64,
    /// The input.
    pub input: Vec<u8>,
    /// What does not hold.
    pub what: String,
}

/// The results of a run over one target.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Inputs read or rejected.
    pub inputs: u64,
    /// Inputs read.
    pub read: u64,
    /// Their length in all, in bytes.
    pub bytes: u64,
    /// Wall-clock time.
    pub elapsed: Duration,
    /// The slowest input.
    pub slowest: Most<Duration>,
    /// The input that took most memory, in bytes.
    pub greatest: Most<usize>,
    /// Inputs that failed.
    pub failed: u64,
    /// The first failure with each message.
    pub failures: Vec<Failure>,
}

/// Reads the entries of the corpus as they are, then the inputs of a plan.
///
/// # Errors
///
/// When the thread that watches the time cannot be started.
pub fn run(target: &Target, plan: &Plan, meter: Option<Meter>) -> std::io::Result<Tally> {
    catch_panics_of_checks();
    let mutator = Mutator::new(target, plan.seed);
    let begin = now();
    let mut watch = Watch::start(target, &mutator, plan)?;
    let mut tally = Tally::default();
    // Tables and patterns are made by whoever comes first; no input has to answer for them.
    for entry in mutator.corpus() {
        let checked = panic_as_error(|| (target.check)(entry));
        tally.judge(OF_THE_CORPUS, entry, checked);
    }
    for number in plan.first..plan.first.saturating_add(plan.inputs) {
        let input = mutator.input(number);
        watch.begin(number);
        let before = meter.map_or(0, |meter| (meter.reset)());
        let start = now();
        let checked = panic_as_error(|| (target.check)(&input));
        let took = start.elapsed();
        watch.end();
        let held = meter.map_or(0, |meter| (meter.peak)().saturating_sub(before));
        tally.slowest.see(took, number, input.len());
        tally.greatest.see(held, number, input.len());
        tally.judge(number, &input, bounded(checked, held));
        tally.inputs += 1;
        tally.bytes += input.len() as u64;
    }
    tally.elapsed = begin.elapsed();
    Ok(tally)
}

fn bounded(checked: Result<Checked, String>, held: usize) -> Result<Checked, String> {
    if held > MOST_MEMORY {
        return Err(format!("{held} bytes were held at once"));
    }
    checked
}

impl Tally {
    fn judge(&mut self, number: u64, input: &[u8], checked: Result<Checked, String>) {
        match checked {
            Ok(Checked::Read) => self.read += u64::from(number != OF_THE_CORPUS),
            Ok(Checked::Rejected) => {}
            Err(what) => self.fail(number, input, what),
        }
    }

    /// Failures whose texts begin alike are most often one fault.
    fn fail(&mut self, number: u64, input: &[u8], what: String) {
        const ALIKE: usize = 40;
        self.failed += 1;
        let begin = |text: &str| text.chars().take(ALIKE).collect::<String>();
        let is_known = self
            .failures
            .iter()
            .any(|known| begin(&known.what) == begin(&what));
        if !is_known && self.failures.len() < MOST_FAILURES {
            self.failures.push(Failure {
                number,
                input: input.to_vec(),
                what,
            });
        }
    }

    /// Writes the failures into a folder, each a file, and says where each is.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    pub fn keep(&self, target: &str, plan: &Plan) -> std::io::Result<Vec<(&Failure, PathBuf)>> {
        let kept = self.failures.iter().map(|failure| {
            let name = file_name(target, plan.seed, failure.number);
            let path = plan.failures.join(name);
            keep(&path, &failure.input)?;
            Ok((failure, path))
        });
        kept.collect()
    }

    /// Inputs read in a second.
    pub fn rate(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let inputs = self.inputs as f64;
        inputs / self.elapsed.as_secs_f64().max(1e-9)
    }
}

fn file_name(target: &str, seed: u64, number: u64) -> String {
    match number {
        OF_THE_CORPUS => format!("{target}-corpus"),
        _ => format!("{target}-{seed}-{number}"),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "what is measured here is the time to read an input"
)]
fn now() -> Instant {
    Instant::now()
}

thread_local! {
    /// What the last panic of this thread said; `None` outside of [`panic_as_error`].
    static HEARD: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Records panics within [`panic_as_error`] silently; all others are reported as usual.
fn catch_panics_of_checks() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !note(panic) {
                before(panic);
            }
        }));
    });
}

/// Records the panic if it is within [`panic_as_error`]; returns whether it is.
fn note(panic: &PanicHookInfo<'_>) -> bool {
    HEARD.with_borrow_mut(|heard| match heard {
        Some(text) => {
            let place = panic.location().map(ToString::to_string);
            let said = panic.payload_as_str().unwrap_or_default();
            *text = format!("panicked at {}: {said}", place.unwrap_or_default());
            true
        }
        None => false,
    })
}

/// Runs a check and turns a panic into an error.
fn panic_as_error(check: impl FnOnce() -> Result<Checked, String>) -> Result<Checked, String> {
    HEARD.set(Some(String::new()));
    let checked = panic::catch_unwind(AssertUnwindSafe(check));
    let heard = HEARD.take().unwrap_or_default();
    checked.unwrap_or(Err(heard))
}

const LOOK_EVERY: Duration = Duration::from_millis(500);
/// No input is being read.
const NONE: u64 = u64::MAX;

/// The thread; it ends when this is dropped.
struct Watch {
    reading: Arc<AtomicU64>,
    open: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    fn start(target: &Target, mutator: &Mutator, plan: &Plan) -> std::io::Result<Self> {
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

    fn begin(&mut self, number: u64) {
        self.reading.store(number, Ordering::Relaxed);
    }

    fn end(&mut self) {
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
    let path = plan.failures.join(file_name(target, plan.seed, number));
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
fn keep(path: &Path, input: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &[u8]) -> Result<Checked, String> {
        match input {
            [b'a', ..] => Ok(Checked::Read),
            [b'b', ..] => Err("b is not liked".to_owned()),
            [b'c', ..] => panic!("c is worse"),
            _ => Ok(Checked::Rejected),
        }
    }

    #[test]
    fn failures_and_panics_are_reported_once_and_counted() {
        let target = Target {
            name: "toy",
            corpus: "abcabc\nbcabca\ncabcab\n",
            words: &["a"],
            check,
        };
        let plan = Plan {
            seed: 1,
            first: 0,
            inputs: 3_000,
            failures: PathBuf::new(),
        };
        let tally = run(&target, &plan, None).expect("a thread");
        assert_eq!(tally.inputs, 3_000);
        assert!(tally.read > 300 && tally.failed > 600, "{tally:?}");
        let texts: Vec<&str> = tally
            .failures
            .iter()
            .map(|failure| failure.what.as_str())
            .collect();
        assert_eq!(texts.len(), 2, "{texts:?}");
        assert_eq!(texts[0], "b is not liked");
        let panic = "panicked at ";
        assert!(texts[1].starts_with(panic) && texts[1].ends_with("c is worse"));
    }

    #[test]
    fn what_takes_too_much_memory_fails() {
        assert!(bounded(Ok(Checked::Read), MOST_MEMORY).is_ok());
        assert!(bounded(Ok(Checked::Read), MOST_MEMORY + 1).is_err());
    }
}
