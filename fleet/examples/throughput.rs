//! How many units a second go through a broker when the work itself takes no time.
//!
//! `throughput` asks the broker within one program, `throughput URL` that on a server, where it puts
//! jobs and leaves them; it needs the rights of an owner. `throughput URL WORKERS SIZE CHUNKS` is one
//! row of its table.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "it measures and prints"
)]

use std::time::{Duration, Instant, SystemTime};

use fleet::{Broker, BrokerError, Chunk, InProcess, Job, Second, Unit, UnitResult, Worker};

const VISIBILITY: Duration = Duration::from_mins(5);

/// Workers at once.
const WORKERS: [usize; 5] = [1, 2, 4, 8, 16];
/// Units in a chunk, and chunks in a job: enough to take about a second or more.
const SIZES: [(u64, u64); 4] = [(1, 3_000), (100, 1_500), (1_000, 300), (10_000, 40)];

fn main() -> Result<(), BrokerError> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| words[index].parse().expect("a number");
    println!("workers  units a chunk    leases/s      units/s   put, chunks/s");
    if words.len() == 4 {
        let workers = words[1].parse().expect("a number");
        return measure(&*fleet::connect(&words[0])?, workers, number(2), number(3));
    }
    for workers in WORKERS {
        for (size, chunks) in SIZES {
            let broker: Box<dyn Broker> = match words.first() {
                Some(url) => fleet::connect(url)?,
                None => Box::new(InProcess::new()),
            };
            measure(&*broker, workers, size, chunks)?;
        }
    }
    Ok(())
}

fn measure(broker: &dyn Broker, workers: usize, size: u64, chunks: u64) -> Result<(), BrokerError> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let id = format!("throughput-{}", now.unwrap_or_default().as_nanos());
    let job = Job {
        kind: id.clone(),
        id,
        body: String::new(),
        units: chunks * size,
        second: Second::Compare,
        again_every: None,
    };
    let unit = |key| Unit {
        key,
        body: String::new(),
    };
    let chunk = |index| Chunk {
        units: (index * size..(index + 1) * size).map(unit).collect(),
    };
    let start = Instant::now();
    broker.put(&job, &mut (0..chunks).map(chunk))?;
    let put = start.elapsed();
    let start = Instant::now();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers)
            .map(|number| {
                scope.spawn({
                    let job = &job;
                    move || work(broker, job, number)
                })
            })
            .collect();
        let ended = threads
            .into_iter()
            .map(|thread| thread.join().expect("it does not panic"));
        ended.collect::<Result<Vec<()>, _>>()
    })?;
    let worked = start.elapsed();
    let progress = broker.progress(&job.id)?;
    assert!(progress.is_complete(), "{progress:?}");
    #[expect(clippy::cast_precision_loss, reason = "rates are rounded anyway")]
    let rate = |count: u64, time: Duration| count as f64 / time.as_secs_f64();
    println!(
        "{workers:7}  {size:13}  {:10.0}  {:11.0}  {:14.0}",
        rate(chunks, worked),
        rate(job.units, worked),
        rate(chunks, put),
    );
    Ok(())
}

fn work(broker: &dyn Broker, job: &Job, number: usize) -> Result<(), BrokerError> {
    let worker = Worker {
        name: format!("{}-{number}", job.id),
        about: String::new(),
    };
    broker.register(&worker)?;
    while let Some(lease) = broker.lease(&worker.name, &[&job.kind], VISIBILITY)? {
        let result = |unit: &Unit| UnitResult {
            key: unit.key,
            value: (unit.key * unit.key).to_string(),
        };
        let results: Vec<UnitResult> = lease.units.iter().map(result).collect();
        broker.complete(&lease, &results)?;
    }
    Ok(())
}
