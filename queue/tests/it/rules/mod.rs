//! What every broker keeps. Each rule has jobs, kinds and workers of its own, so that one broker can
//! be asked about all.

mod again;
mod leasing;
mod looking;
mod results;
mod together;

use std::num::NonZeroU64;
use std::time::Duration;

use queue::{Chunk, Job, Jobs, Lease, Progress, Put, Second, Standing, Unit, UnitResult, Worker};

pub(crate) type Rule = fn(&Bed<'_>);

/// What all brokers keep.
#[rustfmt::skip]
pub(crate) const RULES: [(&str, Rule); 23] = [
    ("put_twice", leasing::put_twice),
    ("chunks_are_checked", leasing::chunks_are_checked),
    ("kinds_are_kept_apart", leasing::kinds_are_kept_apart),
    ("texts_come_back_as_they_are", leasing::texts_come_back_as_they_are),
    ("who_is_late_is_replaced", leasing::who_is_late_is_replaced),
    ("heartbeats", leasing::heartbeats),
    ("give_back", leasing::give_back),
    ("inability", leasing::inability),
    ("three_that_fall_silent", leasing::three_that_fall_silent),
    ("silent_when_it_is_done_again", leasing::silent_when_it_is_done_again),
    ("one_that_falls_silent_often", leasing::one_that_falls_silent_often),
    ("who_is_heard_is_not_silent", leasing::who_is_heard_is_not_silent),
    ("stop", leasing::stop),
    ("quarantine", leasing::quarantine),
    ("complete_at_once", results::complete_at_once),
    ("complete_in_parts", results::complete_in_parts),
    ("complete_late", results::complete_late),
    ("complete_for_another", results::complete_for_another),
    ("results_of_other_chunks_are_refused", results::results_of_other_chunks_are_refused),
    ("seconds_can_be_ignored", results::seconds_can_be_ignored),
    ("a_job_without_units", results::a_job_without_units),
    ("results_are_read_on", looking::results_are_read_on),
    ("threads_together", together::threads_together),
];

/// What only a broker keeps that leases jobs in order, checks what the job says, and trusts its
/// workers.
#[rustfmt::skip]
pub(crate) const RULES_OF_ONE_PROCESS: [(&str, Rule); 8] = [
    ("leases_come_in_order", leasing::leases_come_in_order),
    ("strangers", leasing::strangers),
    ("differences_raise_one_alarm", results::differences_raise_one_alarm),
    ("again_by_another", again::by_another),
    ("again_every_second_chunk", again::every_second_chunk),
    ("again_after_a_late_first", again::after_a_late_first),
    ("discard", again::discard),
    ("discard_what_is_leased", again::discard_what_is_leased),
];

pub(crate) const LONG: Duration = Duration::from_hours(1);

/// A broker, and the name of a rule, from which all its names are made.
pub(crate) struct Bed<'a> {
    pub(crate) broker: &'a dyn Jobs,
    pub(crate) name: &'a str,
}

impl Bed<'_> {
    pub(crate) fn kind(&self) -> String {
        format!("{}/1", self.name)
    }

    pub(crate) fn job(&self, number: u32) -> String {
        format!("{}-{number}", self.name)
    }

    /// A job of so many units.
    pub(crate) fn new_job(&self, units: u64) -> Job {
        Job {
            id: self.job(1),
            kind: self.kind(),
            body: "body".into(),
            units,
            second: Second::Compare,
            again_every: None,
        }
    }

    /// Adds a job in chunks of this size.
    pub(crate) fn put(&self, job: &Job, size: u64) {
        let put = self.broker.put(job, &mut chunks(job, size).into_iter());
        assert_eq!(put.expect("a good job"), Put::New);
    }

    /// Adds a job of so many units.
    pub(crate) fn put_job(&self, units: u64, size: u64) -> Job {
        let job = self.new_job(units);
        self.put(&job, size);
        job
    }

    /// Registers a worker and returns its name.
    pub(crate) fn worker(&self, name: &str) -> String {
        let name = format!("{}-{name}", self.name);
        let about = "a test".into();
        let worker = Worker { name, about };
        let registered = self.broker.register(&worker);
        registered.expect("nobody has quarantined it");
        worker.name
    }

    pub(crate) fn workers<const N: usize>(&self, names: [&str; N]) -> [String; N] {
        names.map(|name| self.worker(name))
    }

    pub(crate) fn lease(&self, worker: &str) -> Option<Lease> {
        let lease = self.broker.lease(worker, &[&self.kind()], LONG);
        lease.expect("the worker is known")
    }

    /// A lease, of which there must be one.
    pub(crate) fn held(&self, worker: &str) -> Lease {
        self.lease(worker).expect("there is work")
    }

    /// A lease whose time is over at once.
    pub(crate) fn late(&self, worker: &str) -> Lease {
        let kind = self.kind();
        let lease = self.broker.lease(worker, &[&kind], Duration::ZERO);
        lease.expect("known").expect("there is work")
    }

    pub(crate) fn standing(&self, lease: &Lease) -> Standing {
        let standing = self.broker.heartbeat(lease, LONG);
        standing.expect("a heartbeat is always answered")
    }

    pub(crate) fn complete(&self, lease: &Lease, results: &[UnitResult]) {
        let completed = self.broker.complete(lease, results);
        completed.expect("the worker may deliver them");
    }

    /// Delivers the right results of all units.
    pub(crate) fn done(&self, lease: &Lease) {
        self.complete(lease, &right(lease));
    }

    pub(crate) fn progress(&self, job: &Job) -> Progress {
        self.broker.progress(&job.id).expect("a job")
    }
}

pub(crate) fn twice(job: Job, every: u64) -> Job {
    Job {
        again_every: NonZeroU64::new(every),
        ..job
    }
}

/// The units of a job in chunks of this size, each with its key as its body.
pub(crate) fn chunks(job: &Job, size: u64) -> Vec<Chunk> {
    let keys: Vec<u64> = (0..job.units).collect();
    let unit = |key: &u64| Unit {
        key: *key,
        body: format!("unit {key}"),
    };
    let size = usize::try_from(size).expect("small");
    let chunk = |keys: &[u64]| Chunk {
        units: keys.iter().map(unit).collect(),
    };
    keys.chunks(size).map(chunk).collect()
}

pub(crate) fn values(keys: impl IntoIterator<Item = u64>, value: &str) -> Vec<UnitResult> {
    let result = |key| UnitResult {
        key,
        value: format!("{value} {key}"),
    };
    keys.into_iter().map(result).collect()
}

/// What is the right result for all units of a lease.
pub(crate) fn right(lease: &Lease) -> Vec<UnitResult> {
    values(lease.units.iter().map(|unit| unit.key), "right")
}
