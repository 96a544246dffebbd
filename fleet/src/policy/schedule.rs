//! Which job the next chunk is of: proportional shares by stride scheduling (Waldspurger and Weihl,
//! 1995), over the jobs that a worker can do.
//!
//! Each job has a *pass*, the work that it has got divided by its weight, and the job with the least
//! pass is next. Work is counted in seconds of a worker, as measured, so that a job with long chunks
//! gets no more than one with short ones. A step of priority counts [`PRIORITY_FACTOR`] times: a
//! job of low priority gets little, but never nothing, so that no job starves.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use queue::wire::Abilities;

use crate::model::{AccountId, JobNumber, Needs, WorkerId};

/// Factor by which a step of priority multiplies a job's share.
pub const PRIORITY_FACTOR: f64 = 16.0;
/// Priorities beyond count as these.
// People may give -100 to 100 (`conduct::api::Turn`).
const PRIORITIES: std::ops::RangeInclusive<i32> = -4..=4;
/// Seconds that a chunk is taken to last before one was measured.
const UNKNOWN_COST: f64 = 1.0;
/// The part of a new measurement in the mean.
const NEWEST: f64 = 0.1;
/// Work in seconds, divided by the weight, that a job can lag behind before the rest is forgiven: one that nobody
/// could do for a day does not get all workers for a day.
const LONGEST_LAG: f64 = 60.0;
/// Most doublings of the time for which a job is passed over.
const MOST_DOUBLED: u32 = 7;
/// Time after which it is forgotten that a worker found nothing.
const FORGOTTEN_AFTER: Duration = Duration::from_mins(2);

/// A job that has work.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenJob {
    /// Its number.
    pub number: JobNumber,
    /// Its kind.
    pub kind: String,
    /// To whom it belongs.
    pub owner: AccountId,
    /// Each step counts [`PRIORITY_FACTOR`] times.
    pub priority: i32,
    /// Its share among jobs of the same priority.
    pub weight: f64,
    /// What a worker must have.
    pub needs: Needs,
    /// The workers that could not do it.
    pub unable: BTreeSet<WorkerId>,
    /// Whether units without results are leased, rather than checks alone.
    pub running: bool,
    /// Number of leases.
    pub leased: u64,
    /// Whether any of its chunks waits to be leased.
    pub ready: bool,
    /// Whether its decision waits to be confirmed: it comes before those of which none does.
    pub urgent: bool,
}

/// A worker that wants work.
#[derive(Clone, Copy, Debug)]
pub struct Seeker<'a> {
    /// The worker.
    pub worker: WorkerId,
    /// The kinds that it knows.
    pub kinds: &'a [String],
    /// What it is able to do.
    pub abilities: &'a Abilities,
}

/// Returns true if a worker has all that a job needs.
pub fn can(abilities: &Abilities, needs: &Needs) -> bool {
    abilities.cores >= needs.cores
        && abilities.memory_mib >= needs.memory_mib
        && needs.has.iter().all(|thing| abilities.has.contains(thing))
}

#[derive(Debug)]
struct ScheduleEntry {
    job: OpenJob,
    pass: f64,
    /// Mean seconds of a chunk.
    cost: Option<f64>,
}

impl ScheduleEntry {
    fn stride(&self, seconds: f64) -> f64 {
        let priority = self
            .job
            .priority
            .clamp(*PRIORITIES.start(), *PRIORITIES.end());
        // The schema demands a weight above 0, which may still be too small to divide by.
        seconds / (self.job.weight.max(1e-6) * PRIORITY_FACTOR.powi(priority))
    }

    fn charge(&mut self, sign: f64) {
        self.pass += sign * self.stride(self.cost.unwrap_or(UNKNOWN_COST));
    }
}

/// A worker has found nothing in a job.
#[derive(Clone, Copy, Debug)]
struct Dry {
    /// The job is passed over until then, in time since the server started.
    until: Duration,
    /// Number of times in a row.
    times: u32,
}

/// The jobs that have work, and what each has got.
#[derive(Debug, Default)]
pub struct Schedule {
    jobs: BTreeMap<JobNumber, ScheduleEntry>,
    /// The largest pass of a chosen job: where new ones begin.
    now: f64,
    /// Workers that found nothing.
    dry: BTreeMap<(JobNumber, WorkerId), Dry>,
    leases_per_owner: Option<u64>,
}

impl Schedule {
    /// An empty schedule, with a limit of leases at a time for all jobs of an owner.
    pub fn new(leases_per_owner: Option<u64>) -> Self {
        Self {
            leases_per_owner,
            ..Self::default()
        }
    }

    /// The jobs that have work now. What is known of those that were there before stays.
    pub fn refresh(&mut self, jobs: Vec<OpenJob>, now: Duration) {
        let mut before = std::mem::take(&mut self.jobs);
        // A new job begins at the least pass of the others: from 0, it would get all workers until it had caught up.
        let begin = before.values().map(|entry| entry.pass);
        let begin = begin.fold(self.now, f64::min).max(self.now - LONGEST_LAG);
        let mut newly_ready = BTreeSet::new();
        self.jobs = (jobs.into_iter())
            .map(|job| {
                let known = before.remove(&job.number);
                if job.ready && known.as_ref().is_some_and(|known| !known.job.ready) {
                    newly_ready.insert(job.number);
                }
                let (pass, cost) = known.map_or((begin, None), |known| (known.pass, known.cost));
                (job.number, ScheduleEntry { job, pass, cost })
            })
            .collect();
        let (jobs, ready) = (&self.jobs, &newly_ready);
        self.dry.retain(|(job, _), dry| {
            jobs.contains_key(job) && !ready.contains(job) && dry.until + FORGOTTEN_AFTER > now
        });
    }

    /// The job of the next chunk for a worker, which is charged to it; `None` if there is none that
    /// the worker can do.
    pub fn next(&mut self, seeker: &Seeker<'_>, now: Duration) -> Option<JobNumber> {
        let by_owner = self
            .leases_per_owner
            .map(|most| (most, self.leased_by_owner()));
        let is_free = |owner: &AccountId| {
            (by_owner.as_ref())
                .is_none_or(|(most, leased)| leased.get(owner).is_none_or(|count| count < most))
        };
        let is_for = |entry: &&mut ScheduleEntry| {
            let job = &entry.job;
            seeker.kinds.contains(&job.kind)
                && can(seeker.abilities, &job.needs)
                && !job.unable.contains(&seeker.worker)
                && is_free(&job.owner)
                && job.ready
                && (self.dry.get(&(job.number, seeker.worker))).is_none_or(|dry| dry.until <= now)
        };
        let found = (self.jobs.values_mut().filter(is_for)).min_by(|one, other| {
            let by_urgency = other.job.urgent.cmp(&one.job.urgent);
            by_urgency.then(one.pass.total_cmp(&other.pass))
        })?;
        found.pass = found.pass.max(self.now - LONGEST_LAG);
        // An urgent job comes before its turn, which does not change where new jobs begin.
        if !found.job.urgent {
            self.now = self.now.max(found.pass);
        }
        found.charge(1.0);
        // The list of jobs is read only from time to time: until then, this counts for the owner's limit.
        found.job.leased += 1;
        Some(found.job.number)
    }

    /// A job had nothing for a worker: what was charged is given back, and the job is passed over for
    /// it for the time `rest`, and twice as long each time after that. A worker may be alone with many
    /// jobs of which nothing but checks of its own results is left.
    pub fn found_nothing(
        &mut self,
        job: JobNumber,
        worker: WorkerId,
        now: Duration,
        rest: Duration,
    ) {
        if let Some(entry) = self.jobs.get_mut(&job) {
            entry.charge(-1.0);
            entry.job.leased = entry.job.leased.saturating_sub(1);
            let times = self.dry.get(&(job, worker)).map_or(0, |dry| dry.times);
            let until = now + rest * (1 << times.min(MOST_DOUBLED));
            let times = times + 1;
            self.dry.insert((job, worker), Dry { until, times });
        }
    }

    /// A job had something for a worker.
    pub fn found(&mut self, job: JobNumber, worker: WorkerId) {
        self.dry.remove(&(job, worker));
    }

    /// A chunk is not leased any more; it took so many seconds, if it was finished.
    pub fn ended(&mut self, job: JobNumber, seconds: Option<f64>) {
        let Some(entry) = self.jobs.get_mut(&job) else {
            return;
        };
        entry.job.leased = entry.job.leased.saturating_sub(1);
        let Some(seconds) = seconds else { return };
        let expected = entry.cost.unwrap_or(UNKNOWN_COST);
        // The lease was charged with the mean; its difference to the measured time is charged now.
        entry.pass += entry.stride(seconds - expected);
        entry.cost = Some((entry.cost).map_or(seconds, |cost| cost + NEWEST * (seconds - cost)));
    }

    /// A worker cannot do a job.
    pub fn unable(&mut self, job: JobNumber, worker: WorkerId) {
        if let Some(entry) = self.jobs.get_mut(&job) {
            entry.job.unable.insert(worker);
        }
    }

    /// Whether units without results of a job are leased.
    pub fn is_running(&self, job: JobNumber) -> bool {
        self.jobs.get(&job).is_some_and(|entry| entry.job.running)
    }

    fn leased_by_owner(&self) -> BTreeMap<AccountId, u64> {
        let mut leased = BTreeMap::new();
        for entry in self.jobs.values() {
            *leased.entry(entry.job.owner).or_default() += entry.job.leased;
        }
        leased
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(number: i32, weight: f64) -> OpenJob {
        OpenJob {
            number: JobNumber(number),
            kind: "kind/1".into(),
            owner: AccountId(number),
            priority: 0,
            weight,
            needs: Needs::default(),
            unable: BTreeSet::new(),
            running: true,
            leased: 0,
            ready: true,
            urgent: false,
        }
    }

    /// Simulates workers for a time in seconds; `seconds` is what a chunk of a job takes. Returns the
    /// seconds that each job got.
    fn simulate(
        schedule: &mut Schedule,
        workers: &[Abilities],
        time: f64,
        seconds: impl Fn(JobNumber) -> f64,
    ) -> BTreeMap<i32, f64> {
        let kinds = ["kind/1".to_owned()];
        let mut free_at: Vec<(f64, Option<JobNumber>)> = vec![(0.0, None); workers.len()];
        let mut got = BTreeMap::new();
        loop {
            let next = (0..workers.len()).min_by(|a, b| free_at[*a].0.total_cmp(&free_at[*b].0));
            let next = next.expect("there are workers");
            let (now, held) = free_at[next];
            if now >= time {
                return got;
            }
            if let Some(held) = held {
                schedule.ended(held, Some(seconds(held)));
            }
            let seeker = Seeker {
                worker: WorkerId(i32::try_from(next).expect("few")),
                kinds: &kinds,
                abilities: &workers[next],
            };
            let found = schedule.next(&seeker, Duration::from_secs_f64(now));
            let lasts = found.map_or(1.0, &seconds);
            if let Some(found) = found {
                *got.entry(found.0).or_default() += lasts;
            }
            free_at[next] = (now + lasts, found);
        }
    }

    fn share(got: &BTreeMap<i32, f64>, job: i32) -> f64 {
        got.get(&job).copied().unwrap_or(0.0) / got.values().sum::<f64>()
    }

    fn near(found: f64, expected: f64) {
        assert!(
            (found - expected).abs() < 0.03,
            "{found}, expected {expected}"
        );
    }

    #[test]
    fn shares_are_in_proportion_to_weights_whatever_chunks_cost() {
        let mut schedule = Schedule::default();
        schedule.refresh(vec![job(1, 1.0), job(2, 2.0), job(3, 1.0)], Duration::ZERO);
        let cost = |job: JobNumber| [0.0, 0.1, 10.0, 1.0][usize::try_from(job.0).expect("small")];
        let workers = vec![Abilities::default(); 20];
        let got = simulate(&mut schedule, &workers, 2_000.0, cost);
        near(share(&got, 1), 0.25);
        near(share(&got, 2), 0.5);
        near(share(&got, 3), 0.25);
    }

    #[test]
    fn priority_counts_but_starves_nobody() {
        let mut schedule = Schedule::default();
        let mut first = job(1, 1.0);
        first.priority = 1;
        schedule.refresh(vec![first, job(2, 1.0)], Duration::ZERO);
        let workers = vec![Abilities::default(); 4];
        let got = simulate(&mut schedule, &workers, 2_000.0, |_| 1.0);
        near(share(&got, 1), 16.0 / 17.0);
        assert!(share(&got, 2) > 0.04, "{got:?}");
    }

    #[test]
    fn what_nobody_can_do_blocks_nobody() {
        let mut schedule = Schedule::default();
        let mut never = job(1, 100.0);
        never.needs.cores = 64;
        let mut rare = job(2, 1.0);
        rare.needs.has = vec!["syzygy-6".into()];
        let mut unable = job(4, 1.0);
        unable.unable = (0..10).map(WorkerId).collect();
        let mut other_kind = job(5, 1.0);
        other_kind.kind = "kind/2".into();
        let jobs = vec![never, rare, job(3, 1.0), unable, other_kind];
        schedule.refresh(jobs, Duration::ZERO);
        let mut workers = vec![Abilities::default(); 10];
        workers[7].has = vec!["syzygy-6".into()];
        let got = simulate(&mut schedule, &workers, 1_000.0, |_| 1.0);
        assert_eq!(got.keys().copied().collect::<Vec<_>>(), [2, 3]);
        // The only worker that can do job 2 does hardly anything else.
        near(share(&got, 2), 0.1);
    }

    #[test]
    fn a_new_job_begins_where_the_others_are() {
        let mut schedule = Schedule::default();
        schedule.refresh(vec![job(1, 1.0)], Duration::ZERO);
        let workers = vec![Abilities::default(); 2];
        simulate(&mut schedule, &workers, 10_000.0, |_| 1.0);
        schedule.refresh(vec![job(1, 1.0), job(2, 1.0)], Duration::ZERO);
        let got = simulate(&mut schedule, &workers, 200.0, |_| 1.0);
        near(share(&got, 1), 0.5);
        // A job that nobody could do for long does not take all of the next hours.
        let mut rare = job(3, 1.0);
        rare.needs.cores = 1;
        let jobs = vec![job(1, 1.0), job(2, 1.0), rare];
        schedule.refresh(jobs, Duration::ZERO);
        simulate(&mut schedule, &workers, 10_000.0, |_| 1.0);
        let able = vec![
            Abilities {
                cores: 1,
                ..Abilities::default()
            };
            2
        ];
        let got = simulate(&mut schedule, &able, 1_000.0, |_| 1.0);
        assert!(share(&got, 3) < 0.4, "{got:?}");
        assert!(share(&got, 1) > 0.25, "{got:?}");
    }

    #[test]
    fn owners_have_limits() {
        let mut schedule = Schedule::new(Some(2));
        let (mut one, mut other) = (job(1, 1.0), job(2, 1.0));
        one.leased = 1;
        (one.owner, other.owner) = (AccountId(7), AccountId(7));
        schedule.refresh(vec![one, other], Duration::ZERO);
        let abilities = Abilities::default();
        let seeker = Seeker {
            worker: WorkerId(1),
            kinds: &["kind/1".to_owned()],
            abilities: &abilities,
        };
        let found = schedule.next(&seeker, Duration::ZERO);
        assert!(found.is_some());
        assert_eq!(schedule.next(&seeker, Duration::ZERO), None);
        schedule.ended(JobNumber(1), None);
        assert!(schedule.next(&seeker, Duration::ZERO).is_some());
    }

    #[test]
    fn an_empty_job_is_passed_over_for_a_while() {
        let mut schedule = Schedule::default();
        schedule.refresh(vec![job(1, 1.0)], Duration::ZERO);
        let abilities = Abilities::default();
        let kinds = ["kind/1".to_owned()];
        let seeker = |worker| Seeker {
            worker: WorkerId(worker),
            kinds: &kinds,
            abilities: &abilities,
        };
        let at = Duration::from_secs;
        assert_eq!(schedule.next(&seeker(1), at(0)), Some(JobNumber(1)));
        schedule.found_nothing(JobNumber(1), WorkerId(1), at(0), at(5));
        assert_eq!(schedule.next(&seeker(1), at(4)), None);
        assert_eq!(schedule.next(&seeker(2), at(4)), Some(JobNumber(1)));
        assert_eq!(schedule.next(&seeker(1), at(5)), Some(JobNumber(1)));
        // It is passed over for twice as long the next time, unless it had something meanwhile.
        schedule.found_nothing(JobNumber(1), WorkerId(1), at(5), at(5));
        assert_eq!(schedule.next(&seeker(1), at(14)), None);
        assert_eq!(schedule.next(&seeker(1), at(15)), Some(JobNumber(1)));
        schedule.found(JobNumber(1), WorkerId(1));
        schedule.found_nothing(JobNumber(1), WorkerId(1), at(15), at(5));
        assert_eq!(schedule.next(&seeker(1), at(20)), Some(JobNumber(1)));
        // A job that is ready again is not passed over by anybody.
        schedule.found_nothing(JobNumber(1), WorkerId(1), at(20), at(50));
        let mut empty = job(1, 1.0);
        empty.ready = false;
        schedule.refresh(vec![empty], at(21));
        assert_eq!(schedule.next(&seeker(2), at(21)), None);
        schedule.refresh(vec![job(1, 1.0)], at(22));
        assert_eq!(schedule.next(&seeker(1), at(22)), Some(JobNumber(1)));
    }
}
