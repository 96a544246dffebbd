//! Every target for a while: nothing panics, takes long or much memory, or is read otherwise than it was written.

use std::cell::Cell;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};

use fuzz::{FuzzTarget, entries, inputs, targets};
use peak_alloc::PeakAlloc;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};

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
    let read = Cell::new(0);
    let check = |input: &[u8]| {
        let mut reading = current.lock().unwrap_or_else(PoisonError::into_inner);
        *reading = (reading.0 + 1, input.to_vec());
        drop(reading);
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        read.set(read.get() + u32::from((target.check)(input)));
        let memory = MEMORY.peak_usage().saturating_sub(before);
        assert!(memory <= MOST_MEMORY, "it took {} MiB", memory >> 20);
    };
    for entry in entries(target.corpus) {
        check(&entry);
    }
    let test = |input: Vec<u8>| {
        check(&input);
        Ok(())
    };
    let config = config();
    let cases = config.cases;
    match TestRunner::new(config).run(&inputs(target), test) {
        Ok(()) => {}
        Err(TestError::Fail(what, input)) => return Err(shown(what.message(), &input)),
        Err(TestError::Abort(why)) => return Err(why.message().to_owned()),
    }
    let read = read.get();
    if read <= cases / 100 {
        return Err(format!("of {cases} inputs, {read} were read"));
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

/// What fails is found, and made small.
#[test]
fn a_fault_is_found_and_made_small() {
    let target = FuzzTarget {
        name: "toy",
        corpus: "a b c\nd e f\n",
        check: |input| {
            assert!(!input.starts_with(b"bc"), "bc is not liked");
            true
        },
    };
    let fault = read(&target, &Current::default()).expect_err("a fault");
    assert!(fault.starts_with("bc is not liked"), "{fault}");
    assert!(fault.ends_with("\n\"bc\""), "{fault}");
}
