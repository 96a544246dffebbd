//! A worker for tests of the broker: the result of a unit is the square of its key.
//!
//! `squarer work URL NAME VISIBILITY_MS` works until it is killed: a lost connection is waited out.
//! `squarer put URL JOB CHUNKS SIZE AGAIN_EVERY` puts a job.

#![expect(clippy::print_stdout, reason = "the parent waits for a line")]

use std::num::NonZeroU64;
use std::time::Duration;

use fleet::{BrokerError, Chunk, Job, Lease, Second, Unit, UnitResult, Worker};

const KIND: &str = "square/1";
const MOMENT: Duration = Duration::from_millis(20);
/// What a chunk takes, so that there is something to interrupt.
const WORK: Duration = Duration::from_millis(30);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["work", url, name, visibility] => {
            let visibility = number(visibility);
            work(url, name, Duration::from_millis(visibility));
        }
        ["put", url, job, chunks, size, again] => {
            let job = Job {
                id: job.to_owned(),
                kind: KIND.into(),
                body: String::new(),
                units: number(chunks) * number(size),
                second: Second::Compare,
                again_every: NonZeroU64::new(number(again)),
            };
            put(url, &job, number(size));
        }
        _ => panic!("expected work URL NAME VISIBILITY_MS or put URL JOB CHUNKS SIZE AGAIN_EVERY"),
    }
}

fn number(word: &str) -> u64 {
    word.parse().expect("a number")
}

fn put(url: &str, job: &Job, size: u64) {
    let broker = fleet::connect(url).expect("a broker");
    println!("ready");
    let unit = |key| Unit {
        key,
        body: format!("square {key}"),
    };
    let chunk = |index| Chunk {
        units: (index * size..(index + 1) * size).map(unit).collect(),
    };
    let put = broker.put(job, &mut (0..job.units / size).map(chunk));
    println!("{:?}", put.expect("put"));
}

/// Makes a call until it is answered.
fn patiently<T>(call: impl Fn() -> Result<T, BrokerError>) -> T {
    loop {
        match call() {
            Ok(answer) => return answer,
            Err(error) if error.is_passing() => std::thread::sleep(MOMENT),
            Err(error) => panic!("{error}"),
        }
    }
}

fn work(url: &str, name: &str, visibility: Duration) {
    let broker = patiently(|| fleet::connect(url));
    let worker = Worker {
        name: name.to_owned(),
        about: "squares".into(),
    };
    patiently(|| broker.register(&worker));
    println!("ready");
    loop {
        let Some(lease) = patiently(|| broker.lease(name, &[KIND], visibility)) else {
            std::thread::sleep(MOMENT);
            continue;
        };
        let results = squares(&lease);
        // A part first, as those do whose units take long.
        patiently(|| broker.complete(&lease, &results[..results.len() / 2]));
        std::thread::sleep(WORK);
        patiently(|| broker.heartbeat(&lease, visibility));
        patiently(|| broker.complete(&lease, &results));
    }
}

fn squares(lease: &Lease) -> Vec<UnitResult> {
    let square = |unit: &Unit| UnitResult {
        key: unit.key,
        value: (unit.key * unit.key).to_string(),
    };
    lease.units.iter().map(square).collect()
}
