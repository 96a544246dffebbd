//! Every target for a while: nothing panics, takes long or much memory, or is read otherwise than it was written.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};

use fuzz::{FuzzTarget, InputVerdict, entries, inputs, targets};
use peak_alloc::PeakAlloc;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// How much memory reading one input may take at once, in bytes.
const MOST_MEMORY: usize = 256 << 20;

/// As many inputs of each target as the environment asks for (`PROPTEST_CASES`, `PROPTEST_RNG_SEED`), by default
/// the same ones each time.
#[expect(clippy::disallowed_methods, reason = "what proptest reads")]
fn config() -> Config {
    let mut config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = u32::try_from(testkit::scale(1_000, 3_000)).expect("few");
    }
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(20_261_122);
    }
    config
}

/// The number of the input that is being read, and the input.
type Current = Mutex<(u64, Vec<u8>)>;

/// Reads the corpus of a target, then inputs made of it; says what does not hold, with the smallest input found.
fn read(target: &FuzzTarget, current: &Current) -> Result<(), String> {
    let is_read = Cell::new(0);
    let check = |input: &[u8]| {
        let mut reading = current.lock().unwrap_or_else(PoisonError::into_inner);
        *reading = (reading.0 + 1, input.to_vec());
        drop(reading);
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        let checked = (target.check)(input)?;
        let memory = MEMORY.peak_usage().saturating_sub(before);
        is_read.set(is_read.get() + u32::from(checked == InputVerdict::Read));
        if memory > MOST_MEMORY {
            return Err(format!("it took {} MiB of memory", memory >> 20));
        }
        Ok(())
    };
    for entry in entries(target.corpus) {
        check(&entry).map_err(|what| shown(&what, &entry))?;
    }
    let test = |input: Vec<u8>| check(&input).map_err(TestCaseError::fail);
    let config = config();
    let cases = config.cases;
    match TestRunner::new(config).run(&inputs(target), test) {
        Ok(()) => {}
        Err(TestError::Fail(what, input)) => return Err(shown(what.message(), &input)),
        Err(TestError::Abort(why)) => return Err(why.message().to_owned()),
    }
    let is_read = is_read.get();
    if is_read <= cases / 100 {
        return Err(format!("of {cases} inputs, {is_read} were read"));
    }
    Ok(())
}

fn shown(what: &str, input: &[u8]) -> String {
    format!("{what}\n{:?}", String::from_utf8_lossy(input))
}

/// One target after the other, since each input's memory is measured.
#[test]
fn every_target_holds_for_a_while() {
    for target in targets::all() {
        let current = Arc::new(Current::default());
        let (done, end) = channel::<()>();
        let reading = Arc::clone(&current);
        let thread = std::thread::spawn(move || {
            let _done = done;
            read(target, &reading)
        });
        let now = || {
            current
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone()
        };
        let mut last = 0;
        while end.recv_timeout(testkit::HANG) == Err(RecvTimeoutError::Timeout) {
            let (number, input) = now();
            // Nothing ends the thread, so that the test must not wait for it.
            assert!(
                number > last,
                "{}",
                shown(&format!("{} hangs", target.name), &input)
            );
            last = number;
        }
        let result = thread.join();
        let result = result.unwrap_or_else(|_| Err(shown("panicked", &now().1)));
        result.unwrap_or_else(|fault| panic!("{}: {fault}", target.name));
    }
}

#[test]
fn targets_have_names_of_their_own() {
    let names: Vec<&str> = targets::all().map(|target| target.name).collect();
    let unique: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(unique.len(), names.len());
    assert!(names.len() >= 20, "{names:?}");
}

/// What fails is found, and made small.
#[test]
fn a_fault_is_found_and_made_small() {
    fn check(input: &[u8]) -> Result<InputVerdict, String> {
        match input.iter().position(|&byte| byte == b'X') {
            Some(_) => panic!("X is worse"),
            None if input.starts_with(b"bad") => Err("bad is not liked".to_owned()),
            None => Ok(InputVerdict::Read),
        }
    }
    let current = Current::default();
    let target = |words| FuzzTarget {
        name: "toy",
        corpus: "a b c\nd e f\n",
        words,
        check,
    };
    let fault = read(&target(&["bad"]), &current).expect_err("a fault");
    assert!(fault.starts_with("bad is not liked\n\"bad"), "{fault}");
    let fault = read(&target(&["aX"]), &current).expect_err("a panic");
    assert!(fault.contains("X is worse"), "{fault}");
}
