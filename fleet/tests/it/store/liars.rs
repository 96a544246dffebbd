//! Workers that lie: every sum is exact, or the job says how much of it nobody confirmed.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chacha20::ChaCha8Rng;
use fleet::policy::verify::{FIRST_CHUNKS, THIRD_SHARE};
use fleet::store::work::{Verification, WorkTuning};
use queue::{Broker, BrokerError, Chunk, Job, Jobs, Lease, Second, Unit, UnitResult};
use rand::{RngExt as _, SeedableRng as _};

use super::bench::{Lab, immediate};
use crate::common::pause;

const KIND: &str = "sum/1";
const LONG: Duration = Duration::from_hours(1);

/// What a worker returns for a unit. The number is how many leases it had before.
type Lie = fn(key: u64, leases: u64, random: &mut ChaCha8Rng) -> u64;

fn right(key: u64) -> u64 {
    key * key + 1
}

fn honest(key: u64, _: u64, _: &mut ChaCha8Rng) -> u64 {
    right(key)
}

fn always(key: u64, _: u64, _: &mut ChaCha8Rng) -> u64 {
    right(key) + 1
}

/// Lies on one unit of a hundred.
fn seldom(key: u64, _: u64, random: &mut ChaCha8Rng) -> u64 {
    right(key) + u64::from(random.random_range(0..100) == 0)
}

/// Lies on the same units as the other one, in the same way.
fn colludes(key: u64, _: u64, _: &mut ChaCha8Rng) -> u64 {
    right(key) + u64::from(key % 10 == 3)
}

/// Works well as long as it takes itself to be on probation, and then lies always.
fn later(key: u64, leases: u64, _: &mut ChaCha8Rng) -> u64 {
    right(key) + u64::from(leases > 2 * FIRST_CHUNKS)
}

struct Crew<'a> {
    lab: &'a Lab,
    workers: Vec<(&'static str, Lie)>,
    random: ChaCha8Rng,
    leases: BTreeMap<&'static str, AtomicU64>,
}

impl<'a> Crew<'a> {
    fn new(lab: &'a Lab, workers: Vec<(&'static str, Lie)>) -> Self {
        for (owner, (name, _)) in (0..).zip(&workers) {
            lab.enlist(name, 1 + owner % 2);
            lab.sql(&format!(
                "update lab.workers set seen_at = now() where name = '{name}'"
            ));
        }
        let leases = workers
            .iter()
            .map(|(name, _)| (*name, AtomicU64::new(0)))
            .collect();
        Self {
            lab,
            workers,
            random: ChaCha8Rng::seed_from_u64(28),
            leases,
        }
    }

    /// One turn of a worker; whether it had something to do.
    fn turn(&mut self, at: usize) -> bool {
        let (name, lie) = self.workers[at];
        let lease = match self.lab.lease(name, &[KIND], LONG) {
            Ok(Some(lease)) => lease,
            Ok(None) | Err(BrokerError::Quarantined { .. }) => return false,
            Err(error) => panic!("{name}: {error}"),
        };
        let before = self.leases[name].fetch_add(1, Ordering::Relaxed);
        let result = |unit: &Unit| UnitResult {
            key: unit.key,
            value: lie(unit.key, before, &mut self.random).to_string(),
        };
        let results: Vec<UnitResult> = lease.units.iter().map(result).collect();
        // Now and then in parts.
        let cut = if before % 5 == 4 {
            results.len() / 2
        } else {
            0
        };
        for part in [&results[..cut], &results[cut..]] {
            if !part.is_empty() && !self.deliver(&lease, part) {
                break;
            }
        }
        true
    }

    /// Returns false if the worker is quarantined.
    fn deliver(&self, lease: &Lease, results: &[UnitResult]) -> bool {
        match self.lab.complete(lease, results) {
            Ok(()) => true,
            Err(BrokerError::Quarantined { .. }) => false,
            Err(error) => panic!("{}: {error}", lease.worker),
        }
    }

    /// Works until nobody finds anything more to do.
    fn work(&mut self) {
        let mut idle = 0;
        while idle < 3 {
            let mut worked = false;
            for at in 0..self.workers.len() {
                worked |= self.turn(at);
            }
            // What liars did is discarded by a task of its own.
            let purged =
                "select count(*) from lab.workers w left join lab.records r on r.worker = w.id
                where w.quarantined_at is not null and r.purged_at is null";
            while self.lab.count(purged) != 0 {
                pause(5);
            }
            idle = if worked { 0 } else { idle + 1 };
        }
    }

    fn quarantined(&self) -> Vec<String> {
        let states = self.lab.workers().expect("all workers");
        let bad = states
            .into_iter()
            .filter(|state| state.quarantined.is_some());
        bad.map(|state| state.worker.name).collect()
    }
}

fn put(lab: &Lab, id: &str, units: u64, size: u64) {
    let job = Job {
        id: id.into(),
        kind: KIND.into(),
        body: String::new(),
        units,
        second: Second::Compare,
        again_every: None,
    };
    let unit = |key| Unit {
        key,
        body: key.to_string(),
    };
    let chunk = |first: u64| Chunk {
        units: (first..units.min(first + size)).map(unit).collect(),
    };
    let firsts = (0..units).step_by(usize::try_from(size).expect("small"));
    lab.put(&job, &mut firsts.map(chunk)).expect("a new job");
}

/// Number of units whose kept result is wrong. Checks that each unit has one result, and that the
/// counters are what the tables say.
fn wrong(lab: &Lab, job: &str) -> u64 {
    let results = lab.results(job, 0, u32::MAX).expect("a job");
    let progress = lab.progress(job).expect("a job");
    assert_eq!(
        results.len() as u64,
        progress.units,
        "every unit has a result"
    );
    assert_eq!(progress.done, progress.units);
    let by_key: BTreeMap<u64, &str> = results
        .iter()
        .map(|result| (result.key, &*result.value))
        .collect();
    assert_eq!(by_key.len() as u64, progress.units, "and one only");
    check_counters(lab, job);
    let is_wrong = |(key, value): &(&u64, &&str)| **value != right(**key).to_string();
    by_key.iter().filter(is_wrong).count() as u64
}

pub(crate) fn check_counters(lab: &Lab, job: &str) {
    let number = lab.sql(&format!("select number from lab.jobs where id = '{job}'"));
    let counted = lab.sql(&format!(
        "select sum(done), sum(checking), sum(verified), sum(alarms), sum(open_chunks) from lab.counters
            where job = {number}"
    ));
    let found = lab.sql(&format!(
        "select (select count(*) from lab.results where job = {number}),
            (select coalesce(sum(units), 0) from lab.chunks where job = {number} and state = 2),
            (select coalesce(sum(units), 0) from lab.chunks where job = {number} and state = 3),
            (select count(*) from lab.alarms where job = {number}),
            (select count(*) from lab.chunks where job = {number} and state = 0)"
    ));
    assert_eq!(
        counted, found,
        "job {job}: done, checking, verified, alarms, open chunks"
    );
    let shares = lab.sql(&format!(
        "select string_agg(worker || ' ' || units || ' ' || verified, ',' order by worker)
            from lab.shares where job = {number} and units > 0"
    ));
    let found = lab.sql(&format!(
        "select string_agg(worker || ' ' || units || ' ' || verified, ',' order by worker) from
            (select r.worker, count(*) as units, count(*) filter (where k.state = 3) as verified
            from lab.results r join lab.chunks k on k.job = r.job
                and r.key >= k.first and r.key < k.first + k.units
            where r.job = {number} group by r.worker) s"
    ));
    assert_eq!(
        shares, found,
        "job {job}: units and verified units by worker"
    );
    let twice = "select count(*) from (select from lab.answers where kept and digest is not null
        group by job, chunk having count(*) > 1) a";
    assert_eq!(lab.sql(twice), "0", "a chunk has one author");
}

fn verification(lab: &Lab, job: &str) -> Verification {
    let asked = lab.work.verification(job);
    lab.runtime.block_on(asked).expect("a job")
}

#[test]
fn one_that_always_lies_is_found_at_once() {
    let lab = Lab::new(immediate());
    put(&lab, "job", testkit::scale(200, 600), 4);
    let workers: Vec<(&str, Lie)> = vec![
        ("liar", always),
        ("a", honest),
        ("b", honest),
        ("c", honest),
    ];
    let mut crew = Crew::new(&lab, workers);
    crew.work();
    assert_eq!(crew.quarantined(), ["liar"]);
    assert_eq!(wrong(&lab, "job"), 0);
    assert_eq!(
        lab.sql("select count(*) from lab.results where worker = 1"),
        "0"
    );
    let verification = verification(&lab, "job");
    assert!(verification.verified_share() > 0.3, "{verification:?}");
    assert!(verification.unseen(0.1) < 0.01, "{verification:?}");
    assert_eq!(verification.checking, 0);
    assert_eq!(
        lab.sql("select state from lab.jobs where id = 'job'"),
        "done"
    );
}

#[test]
fn one_that_seldom_lies_is_found_or_the_job_says_how_likely_it_was() {
    let lab = Lab::new(immediate());
    put(&lab, "job", testkit::scale(600, 4_000), 8);
    let workers: Vec<(&str, Lie)> = vec![("liar", seldom), ("a", honest), ("b", honest)];
    let mut crew = Crew::new(&lab, workers);
    crew.work();
    let wrong = wrong(&lab, "job");
    let verification = verification(&lab, "job");
    if crew.quarantined().is_empty() {
        assert!(verification.unseen(0.01) > 0.001, "{verification:?}");
        assert!(wrong <= verification.unverified());
    } else {
        assert_eq!(crew.quarantined(), ["liar"]);
        assert_eq!(wrong, 0);
    }
}

#[test]
fn one_that_works_well_on_probation_is_found_later() {
    let lab = Lab::new(immediate());
    put(&lab, "job", testkit::scale(1_600, 2_400), 4);
    let workers: Vec<(&str, Lie)> = vec![("liar", later), ("a", honest), ("b", honest)];
    let mut crew = Crew::new(&lab, workers);
    crew.work();
    // It lies on some 130 chunks, of which a tenth is checked at least: 0.9^130 is one in a million.
    assert_eq!(crew.quarantined(), ["liar"]);
    assert_eq!(wrong(&lab, "job"), 0);
}

#[test]
fn two_that_collude_are_found_and_nobody_honest_is_blamed() {
    let tuning = WorkTuning {
        third_share: 10.0 * THIRD_SHARE,
        ..immediate()
    };
    let lab = Lab::new(tuning);
    put(&lab, "job", testkit::scale(600, 2_000), 5);
    let workers: Vec<(&str, Lie)> = vec![
        ("liar one", colludes),
        ("a", honest),
        ("liar two", colludes),
        ("b", honest),
        ("c", honest),
        ("d", honest),
    ];
    let mut crew = Crew::new(&lab, workers);
    crew.work();
    assert_eq!(crew.quarantined(), ["liar one", "liar two"]);
    assert_eq!(wrong(&lab, "job"), 0);
}

/// A lab of two machines has nobody for it, and waited for one until a person came.
#[test]
fn two_that_agree_need_a_third_only_where_there_is_one() {
    let tuning = WorkTuning {
        third_share: 1.0,
        ..immediate()
    };
    let lab = Lab::new(tuning);
    put(&lab, "job", 80, 4);
    let mut crew = Crew::new(&lab, vec![("a", honest), ("b", honest)]);
    // A third one is there, but cannot do it.
    lab.enlist("unable", 1);
    lab.sql("update lab.workers set seen_at = now() where name = 'unable'");
    let sql = "insert into lab.inabilities (job, worker, reason)
        select number, lab.workers.id, 'no compiler' from lab.jobs, lab.workers where name = 'unable'";
    lab.sql(sql);
    crew.work();
    let progress = lab.progress("job").expect("it is there");
    assert!(progress.compared > 0, "{progress:?}");
    assert_eq!(progress.compared, progress.to_compare);
}

#[test]
fn a_job_that_was_done_is_reopened() {
    let lab = Lab::new(immediate());
    let units = testkit::scale(80, 400);
    put(&lab, "old", units, 4);
    let workers: Vec<(&str, Lie)> = vec![("liar", always)];
    Crew::new(&lab, workers).work();
    assert_eq!(lab.sql("select state from lab.jobs"), "done");
    assert_eq!(wrong(&lab, "old"), units);
    // Nobody was there to confirm anything, and the job says so.
    let before = verification(&lab, "old");
    assert_eq!((before.verified, before.unverified()), (0, units));
    assert!((before.unseen(1.0) - 1.0).abs() < 1e-9);
    let workers: Vec<(&str, Lie)> = vec![("a", honest), ("b", honest), ("c", honest)];
    let mut crew = Crew::new(&lab, workers);
    // The first difference has to be decided, which takes a third; then all is done again.
    crew.work();
    assert_eq!(crew.quarantined(), ["liar"]);
    assert_eq!(wrong(&lab, "old"), 0);
    let reopened = lab.sql("select reopened from lab.jobs");
    assert!(reopened.contains("worker liar"), "{reopened}");
    assert_eq!(lab.sql("select state from lab.jobs"), "done");
}

#[test]
fn impossible_results_quarantine_at_once() {
    let check = |kind: &str, _: &str, unit: &str, value: &str| {
        assert_eq!(kind, KIND);
        let number: u64 = value
            .parse()
            .map_err(|_| format!("'{value}' is no number"))?;
        let _: u64 = unit.parse().expect("the body of a unit is its key");
        Ok(Some(number.to_string()))
    };
    let lab = Lab::new(WorkTuning {
        check,
        ..immediate()
    });
    put(&lab, "job", 8, 4);
    for name in ["bad", "good"] {
        lab.enlist(name, 1);
    }
    let lease = lab
        .lease("bad", &[KIND], LONG)
        .expect("known")
        .expect("work");
    let value = |lease: &Lease, value: &str| {
        let result = |unit: &Unit| UnitResult {
            key: unit.key,
            value: value.into(),
        };
        lease.units.iter().map(result).collect::<Vec<_>>()
    };
    let error = lab
        .complete(&lease, &value(&lease, "7x"))
        .expect_err("impossible");
    let expected = "worker 'bad' is quarantined: job job, unit 0: '7x' is no number";
    assert_eq!(error.to_string(), expected);
    let error = lab.lease("bad", &[KIND], LONG).expect_err("quarantined");
    assert_eq!(error.to_string(), expected);
    assert_eq!(lab.progress("job").expect("a job").done, 0);
    // Leading zeros are the same number: two who write it differently agree.
    let lease = lab
        .lease("good", &[KIND], LONG)
        .expect("known")
        .expect("work");
    lab.complete(&lease, &value(&lease, "007"))
        .expect("possible");
    assert_eq!(lab.alarms("job").expect("a job"), []);
}

#[test]
fn the_answer_never_depends_on_what_is_checked() {
    // A worker gets a chunk that another has done, and sees nothing of it.
    let lab = Lab::new(immediate());
    put(&lab, "job", 2, 1);
    for (name, owner) in [("a", 1), ("b", 2)] {
        lab.enlist(name, owner);
    }
    let first = lab.lease("a", &[KIND], LONG).expect("known").expect("work");
    let result = [UnitResult {
        key: 0,
        value: "1".into(),
    }];
    lab.complete(&first, &result).expect("accepted");
    assert_eq!(
        lab.progress("job").expect("a job").to_compare,
        1,
        "it is checked"
    );
    let check = lab.lease("b", &[KIND], LONG).expect("known").expect("work");
    assert_eq!((check.chunk, &check.units), (0, &first.units));
    assert_eq!(check.token.len(), first.token.len());
    // Not with the token of another.
    let stolen = Lease {
        worker: "a".into(),
        ..check.clone()
    };
    assert!(lab.complete(&stolen, &result).is_err());
    lab.complete(&check, &result).expect("the same answer");
    assert_eq!(lab.progress("job").expect("a job").compared, 1);
}
