//! Counts some units of a job again in this process, when no second worker did. An edge: it starts
//! threads and reads the clock.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use chacha20::ChaCha8Rng;
use chess::perft::Counter;
use crossbeam_channel::RecvTimeoutError;
use queue::Alarm;
use queue::wire::unseen;
use rand::rngs::SysRng;
use rand::seq::SliceRandom as _;
use rand::{Rng, SeedableRng as _};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::chunk::count_unit;
use super::job::{JobKind, UnitCount};
use super::now;
use super::results::JobResults;
use crate::count::result::Unseen;
use crate::count::run::{CountContext, TICK};
use crate::count::units::Units;

/// So many units of each worker are counted again. Of a worker that lies about 1 % of its units,
/// all these are right with a probability of 5 %.
const OF_EACH_WORKER: usize = 300;

/// A job whose units all have a result.
#[derive(Clone, Copy)]
pub(crate) struct Recount<'a> {
    pub(crate) job: &'a str,
    pub(crate) kind: JobKind,
    pub(crate) units: &'a Units,
    pub(crate) results: &'a JobResults,
    /// The longest that it may take.
    pub(crate) most: Duration,
}

/// What counting again showed.
#[derive(Clone, Debug)]
pub(crate) struct Recounted {
    /// Number of units counted.
    pub(crate) units: usize,
    /// Whether all were counted that had been chosen.
    pub(crate) is_enough: bool,
    pub(crate) unseen: Unseen,
    /// Units whose result is another.
    pub(crate) differences: Vec<Alarm>,
}

/// A unit, and the worker whose result is kept, by its place among the names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sample {
    unit: usize,
    worker: usize,
}

impl Recount<'_> {
    /// Counts units that nobody can foresee, in the time given, unless an interrupt comes.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub(crate) fn run(
        &self,
        counter: Counter<'_>,
        context: CountContext<'_>,
    ) -> anyhow::Result<Recounted> {
        let mut random =
            ChaCha8Rng::try_from_rng(&mut SysRng).context("the system has no random numbers")?;
        let samples = choose(self.results, &mut random);
        let CountContext {
            pool,
            interrupt,
            progress,
        } = context;
        progress.begin(samples.len() as u64, "units counted again");
        let stop = AtomicBool::new(false);
        let (alive, is_over) = crossbeam_channel::bounded::<()>(0);
        let below = self.units.depth_below();
        let counted = std::thread::scope(|scope| {
            let (stop, samples) = (&stop, &samples);
            let counting = scope.spawn(move || {
                let count = |sample: &Sample| {
                    let position = &self.units.list[sample.unit].position;
                    let count = count_unit(self.kind, position, below, counter, stop).ok()?;
                    progress.advance(1);
                    Some((*sample, count))
                };
                let counted: Vec<_> =
                    pool.install(|| samples.par_iter().filter_map(count).collect());
                drop(alive);
                counted
            });
            let start = now();
            while is_over.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if interrupt.has_come() || start.elapsed() >= self.most {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            counting.join().unwrap_or_else(|panic| resume_unwind(panic))
        });
        progress.finish();
        Ok(self.judge(&samples, &counted))
    }

    fn judge(&self, samples: &[Sample], counted: &[(Sample, UnitCount)]) -> Recounted {
        let names: Vec<&String> = self.results.workers.keys().collect();
        let difference = |&(sample, count): &(Sample, UnitCount)| {
            let kept = self.results.count_of(sample.unit)?;
            (kept != count).then(|| Alarm {
                job: self.job.to_owned(),
                unit: sample.unit as u64,
                first_worker: names[sample.worker].clone(),
                first_value: kept.to_string(),
                second_worker: "this program".to_owned(),
                second_value: count.to_string(),
            })
        };
        let unseen = |lie: f64| {
            let of_worker = |(worker, units): (usize, &Vec<usize>)| {
                let counted = counted.iter().filter(|(sample, _)| sample.worker == worker);
                unseen(counted.count() as u64, units.len() as u64, lie)
            };
            let workers = self.results.workers.values().enumerate();
            workers.map(of_worker).fold(0.0, f64::max)
        };
        Recounted {
            units: counted.len(),
            is_enough: counted.len() == samples.len(),
            unseen: Unseen {
                of_1_percent: unseen(0.01),
                of_10_percent: unseen(0.1),
            },
            differences: counted.iter().filter_map(difference).collect(),
        }
    }
}

/// Units of each worker, [`OF_EACH_WORKER`] if it has as many, in an order of their own, so that
/// those counted until time is up are a random part of each worker's too.
fn choose(results: &JobResults, random: &mut impl Rng) -> Vec<Sample> {
    let mut samples = Vec::new();
    for (worker, units) in results.workers.values().enumerate() {
        let mut units = units.clone();
        let (chosen, _) = units.partial_shuffle(random, OF_EACH_WORKER);
        samples.extend(chosen.iter().map(|&unit| Sample { unit, worker }));
    }
    samples.shuffle(random);
    samples
}

#[cfg(test)]
mod tests {
    use chess::rules::Position;
    use kit::{Interrupt, Progress};
    use queue::Recorded;

    use super::*;
    use crate::count::run;
    use crate::count::units::Cut;

    static NEVER: AtomicBool = AtomicBool::new(false);

    /// The counts of a job, three of four by worker `a`, the rest by `b`; `lie` changes those of `b`.
    fn results(kind: JobKind, units: &Units, lie: impl Fn(usize) -> u64) -> JobResults {
        let mut results = JobResults::new(kind, units.list.len());
        for (key, unit) in units.list.iter().enumerate() {
            let below = units.depth_below();
            let count = count_unit(kind, &unit.position, below, Counter::new(), &NEVER);
            let worker = if key % 4 == 3 { "b" } else { "a" };
            let count = match count.expect("nobody cancels") {
                UnitCount::Nodes(nodes) if worker == "b" => UnitCount::Nodes(nodes + lie(key)),
                UnitCount::Breakdown(mut columns) if worker == "b" => {
                    // The leaf nodes are right.
                    columns[5] += lie(key);
                    UnitCount::Breakdown(columns)
                }
                count => count,
            };
            let recorded = Recorded {
                number: key as u64 + 1,
                key: key as u64,
                worker: worker.to_owned(),
                value: count.to_string(),
            };
            results.take(&recorded).expect("sound");
        }
        results
    }

    fn recount(kind: JobKind, units: &Units, results: &JobResults, most: Duration) -> Recounted {
        let recount = Recount {
            job: "job",
            kind,
            units,
            results,
            most,
        };
        let context = CountContext {
            pool: &run::pool(Some(2)).expect("threads"),
            interrupt: &Interrupt::default(),
            progress: &Progress::new(0, "units", false),
        };
        recount
            .run(Counter::new(), context)
            .expect("random numbers")
    }

    #[test]
    fn a_lie_is_found_and_names_its_worker() {
        let start = Position::startpos();
        let units = Units::new(&start, 3, Cut::Ply(2), &NEVER).expect("it fits");
        for kind in [JobKind::Count, JobKind::Breakdown] {
            let honest = results(kind, &units, |_| 0);
            let found = recount(kind, &units, &honest, Duration::from_mins(1));
            // All of 300 and of 100.
            assert_eq!((found.units, found.is_enough), (400, true));
            assert!(found.differences.is_empty());
            assert!(found.unseen.of_1_percent.abs() < 1e-12);

            let lied = results(kind, &units, |key| u64::from(key == 7));
            let found = recount(kind, &units, &lied, Duration::from_mins(1));
            let [difference] = &found.differences[..] else {
                panic!("{:?}", found.differences);
            };
            assert_eq!((difference.unit, &*difference.first_worker), (7, "b"));
            assert_eq!(difference.second_worker, "this program");
            let honest = honest.count_of(7).expect("counted").to_string();
            assert_eq!(difference.second_value, honest);
        }
    }

    #[test]
    fn without_time_nothing_is_claimed() {
        let kings = "8/8/8/4k3/8/8/8/4K3 w - - 0 1";
        let kings = chess::notation::fen::parse(kings).expect("legal");
        let mut units = Units::new(&kings, 3, Cut::Ply(1), &NEVER).expect("it fits");
        let results = results(JobKind::Count, &units, |_| 0);
        units.depth = 60;
        let found = recount(JobKind::Count, &units, &results, Duration::ZERO);
        assert_eq!((found.units, found.is_enough), (0, false));
        assert_eq!(found.unseen, Unseen::CERTAIN);
    }

    #[test]
    fn the_probability_that_a_liar_goes_unseen() {
        let rows = [
            (0, 10, 0.1, 1.0),
            (1, 10, 0.1, 0.9),
            (10, 10, 0.1, 0.0),
            (300, 1000, 0.01, 0.049),
            (44, 1000, 0.1, 0.0097),
        ];
        for (counted, units, lie, expected) in rows {
            let found = unseen(counted, units, lie);
            assert!((found - expected).abs() < 1e-4, "{counted}, {lie}: {found}");
        }
    }
}
