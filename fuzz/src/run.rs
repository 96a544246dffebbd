//! Reads inputs one after the other, measures each, keeps those that fail. An edge: it reads the clock.

mod panics;
mod watch;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::mutator::Mutator;
use crate::target::{Checked, Target};
use watch::Watch;

/// How long one input may take. An input that takes longer ends the program, since nothing else can end
/// a loop.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// How much memory reading one input may take at once, in bytes.
pub const MOST_MEMORY: usize = 256 << 20;

/// The most failures of one target that are kept; the rest is counted.
const MOST_FAILURES: usize = 20;

/// The number of inputs that are entries of the corpus.
const OF_THE_CORPUS: u64 = u64::MAX;

/// Which inputs are read.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What all chance depends on.
    pub seed: u64,
    /// The number of the first input.
    pub first: u64,
    /// How many are read.
    pub inputs: u64,
    /// Where an input is kept that does not end.
    pub failures: PathBuf,
}

/// How the memory in use is asked for; the program that owns the allocator knows.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    /// Begins anew from what is in use now, and says how much that is, in bytes.
    pub reset: fn() -> usize,
    /// The most that was in use since then, in bytes.
    pub peak: fn() -> usize,
}

/// The input that took most of something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Most<T> {
    /// How much.
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

/// An input of which something does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its number.
    pub number: u64,
    /// The input.
    pub input: Vec<u8>,
    /// What does not hold.
    pub what: String,
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// How many inputs were read or refused.
    pub inputs: u64,
    /// How many were read.
    pub read: u64,
    /// How many bytes they had.
    pub bytes: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// The slowest input.
    pub slowest: Most<Duration>,
    /// The input that took most memory, in bytes.
    pub greatest: Most<usize>,
    /// How many failed.
    pub failed: u64,
    /// The first of them with each text.
    pub failures: Vec<Failure>,
}

/// Reads the entries of the corpus as they are, then the inputs of a plan.
///
/// # Errors
///
/// When the thread that watches the time cannot be started.
pub fn run(target: &Target, plan: &Plan, meter: Option<Meter>) -> std::io::Result<Tally> {
    panics::listen();
    let mutator = Mutator::new(target, plan.seed);
    let begin = now();
    let mut watch = Watch::start(target, &mutator, plan)?;
    let mut tally = Tally::default();
    // Tables and patterns are made by whoever comes first; no input has to answer for them.
    for entry in mutator.corpus() {
        let checked = panics::catch(|| (target.check)(entry));
        tally.judge(OF_THE_CORPUS, entry, checked);
    }
    for number in plan.first..plan.first.saturating_add(plan.inputs) {
        let input = mutator.input(number);
        watch.begin(number);
        let before = meter.map_or(0, |meter| (meter.reset)());
        let start = now();
        let checked = panics::catch(|| (target.check)(&input));
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
            Ok(Checked::Refused) => {}
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
            watch::keep(&path, &failure.input)?;
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

/// The file of an input.
fn file_name(target: &str, seed: u64, number: u64) -> String {
    match number {
        OF_THE_CORPUS => format!("{target}-corpus"),
        _ => format!("{target}-{seed}-{number}"),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "what is measured here is how long reading takes"
)]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &[u8]) -> Result<Checked, String> {
        match input {
            [b'a', ..] => Ok(Checked::Read),
            [b'b', ..] => Err("b is not liked".to_owned()),
            [b'c', ..] => panic!("c is worse"),
            _ => Ok(Checked::Refused),
        }
    }

    #[test]
    fn failures_and_panics_are_told_once_and_counted() {
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
