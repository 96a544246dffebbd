//! A test whose units are pairs of games: adds the next ones, and counts results until it is decided.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use queue::{Progress, Recorded};
use selfplay::fleet::protocol::{JobBody, Message as _};
use selfplay::fleet::speed::depends_on_time;
use selfplay::lab::conduct::{LabFinding, PairConductor};
use selfplay::lab::plan::is_deterministic;
use selfplay::lab::rounds::PairPlan;
use selfplay::lab::spec::TestSpec;
use selfplay::lab::summary::{EngineSummary, Outcome, Point, TestSummary};
use selfplay::model::{Quarantine, RunConfig};

use super::blocking::blocking;
use super::claim::{Claimed, Conductor};
use super::confirm::{Confirming, PlayedPairs};
use super::error::ConductError;
use super::rounds;
use super::run::{Bench, DecisionState, JobKind, Taken};
use crate::model::JobStage;
use crate::policy::confirm::Finality;

type Result<T> = std::result::Result<T, ConductError>;

/// Number of pairs that are made at once.
pub(super) const PORTION: usize = 2_000;
/// Pairs that a worker takes at a time, of games in time and of those limited by nodes or depth.
// Commits bound the throughput of the queue, so chunks should take seconds (ADR 9).
const TIMED_PAIRS: usize = 2;
const QUICK_PAIRS: usize = 8;
/// Number of looks after which the database is asked whether other tests have found a worker to be wrong.
const LIARS: u32 = 10;

/// A test in progress on this server.
pub(super) struct PairRun {
    count: Arc<Mutex<PairCount>>,
    spec: TestSpec,
    /// Number of looks.
    looks: u32,
    /// Whether a decision may have been noted that does not hold any more.
    was_decided: bool,
    /// The number of units that the queue knows of.
    total: u64,
}

/// The counts of a test, which threads beside those of requests update.
struct PairCount {
    plan: PairPlan,
    conductor: PairConductor,
    engines: Vec<EngineSummary>,
    /// The number of the last result read.
    cursor: u64,
    /// The units whose results were read.
    read: BTreeSet<u64>,
}

/// Every change under the lock is complete, so that a poisoned one can be ignored.
fn lock(count: &Mutex<PairCount>) -> MutexGuard<'_, PairCount> {
    count.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PairRun {
    fn count(&self) -> MutexGuard<'_, PairCount> {
        lock(&self.count)
    }

    pub(super) async fn open(conductor: &Conductor, claimed: &Claimed) -> Result<Self> {
        let body = claimed.body.clone().unwrap_or_default();
        let spec = claimed.spec.0.clone();
        let for_count = spec.clone();
        let known = claimed.summary.clone().unwrap_or_default().0;
        let count = blocking(move || {
            let config = JobBody::from_text(&body)
                .map_err(ConductError::prepare)?
                .config;
            let plan = PairPlan::new(&for_count, &config).map_err(ConductError::prepare)?;
            let conductor = PairConductor::from_spec(&for_count, config, known.quarantined);
            Ok::<_, ConductError>(PairCount {
                plan,
                conductor: conductor.map_err(ConductError::prepare)?,
                engines: known.engines,
                cursor: 0,
                read: BTreeSet::new(),
            })
        });
        let mut count = count.await??;
        if count.plan.needs_units() {
            for unit in rounds::read(conductor, claimed.number).await? {
                count.plan.note(&unit);
            }
        } else {
            let made = rounds::count(conductor, claimed.number).await?;
            count.plan.note_pairs(made);
        }
        Ok(Self {
            count: Arc::new(Mutex::new(count)),
            spec,
            looks: 0,
            // The server that conducted it before may have noted one.
            was_decided: true,
            total: 0,
        })
    }

    /// Adds the units that can be done now.
    async fn extend(&mut self, bench: Bench<'_>) -> Result<()> {
        let count = Arc::clone(&self.count);
        let (units, first, per_chunk, total) = blocking(move || {
            let count = lock(&count);
            let (plan, conductor) = (&count.plan, &count.conductor);
            let units = plan.next(conductor, PORTION);
            let per_chunk = pairs_per_chunk(conductor.config());
            let units = units.map_err(ConductError::prepare)?;
            let total = plan.total(conductor).max(plan.made());
            Ok::<_, ConductError>((units, plan.made(), per_chunk, total))
        })
        .await??;
        // A test that was closed and is no longer over must run again, even without new units.
        if units.is_empty() && total == self.total && bench.stage == JobStage::Running {
            return Ok(());
        }
        let chunks = rounds::chunks(&units, first, per_chunk);
        rounds::extend(bench.conductor, bench.claimed.number, &chunks, total).await?;
        // Units count as made only now that they are committed.
        let mut count = self.count();
        for unit in &units {
            count.plan.note(unit);
        }
        drop(count);
        self.total = total;
        bench.work.jobs_changed();
        Ok(())
    }

    /// A worker that was quarantined because of another test, and why.
    async fn liar(&self, conductor: &Conductor) -> Result<Option<(String, String)>> {
        let workers = self
            .count()
            .conductor
            .workers()
            .map(str::to_owned)
            .collect();
        let workers: Vec<String> = workers;
        let sql = "select name, coalesce(quarantine_reason, '') from lab.workers
            where quarantined_at is not null and name = any($1) limit 1";
        let found = sqlx::query_as(sql).bind(workers);
        Ok(found.fetch_optional(&conductor.database.pool).await?)
    }

    /// Whether what is decided is final.
    async fn is_final(
        &mut self,
        bench: Bench<'_>,
        confirming: &mut Confirming,
        progress: &Progress,
    ) -> Result<DecisionState> {
        let Bench {
            conductor,
            work,
            claimed,
            stage,
        } = bench;
        let (outcome, compares, pairs, read) = {
            let count = self.count();
            let compares = is_deterministic(count.conductor.config());
            let pairs = count.conductor.pairs_by_worker();
            let pairs = pairs
                .map(|(name, pairs)| (name.to_owned(), pairs))
                .collect();
            let read = count.read.len() as u64;
            (count.conductor.outcome(), compares, pairs, read)
        };
        let is_verdict = matches!(outcome, Some(Outcome::Passed | Outcome::Failed));
        // Games in time go on until two workers agree, others until what is to be checked is whole.
        let may_close = !is_verdict || compares && !work.is_partly_done(&claimed.id).await?;
        if stage == JobStage::Running && may_close {
            rounds::close(conductor, claimed.number).await?;
            work.jobs_changed();
        }
        // Results were taken back that are counted here: the decision may not hold without them.
        if progress.done < read {
            return Ok(DecisionState::Open(None));
        }
        if !is_verdict {
            let is_final = confirming
                .sum(conductor, work, &claimed.id, progress)
                .await?;
            return Ok(if is_final {
                DecisionState::Final(None)
            } else {
                DecisionState::Open(None)
            });
        }
        self.was_decided = true;
        let played = PlayedPairs {
            id: &claimed.id,
            compares,
            pairs,
        };
        Ok(match confirming.decision(conductor, work, &played).await? {
            Finality::Final(by_one) => DecisionState::Final(by_one),
            Finality::Doubtful(why) => DecisionState::Doubtful(why),
            Finality::Waits(what) => DecisionState::Open(Some(what)),
        })
    }
}

impl JobKind for PairRun {
    const PAGE: u32 = 64;

    fn cursor(&self) -> u64 {
        self.count().cursor
    }

    fn read(&self) -> u64 {
        self.count().read.len() as u64
    }

    /// Counts results, and compares workers before a decision.
    async fn take(&mut self, page: Vec<Recorded>) -> Result<Taken> {
        let count = Arc::clone(&self.count);
        blocking(move || lock(&count).take(&page)).await?
    }

    fn restart(&mut self, liar: Option<(&str, &str)>) -> Result<()> {
        let mut count = self.count();
        let mut quarantined = count.conductor.quarantined().to_vec();
        if let Some((worker, reason)) = liar {
            let known = count.summary().workers;
            quarantined.push(Quarantine {
                worker: worker.to_owned(),
                reason: reason.to_owned(),
                games: known.get(worker).map_or(0, |one| one.games),
                kept: String::new(),
            });
        }
        let config = count.conductor.config().clone();
        let again = PairConductor::from_spec(&self.spec, config, quarantined);
        count.conductor = again.map_err(ConductError::prepare)?;
        count.cursor = 0;
        count.read.clear();
        Ok(())
    }

    async fn decision(
        &mut self,
        bench: Bench<'_>,
        confirming: &mut Confirming,
        progress: &Progress,
    ) -> Result<DecisionState> {
        self.looks += 1;
        let is_over = self.count().conductor.is_over();
        if (is_over || self.looks.is_multiple_of(LIARS))
            && let Some((worker, reason)) = self.liar(bench.conductor).await?
        {
            return Ok(DecisionState::Liar(worker, reason));
        }
        if is_over {
            return self.is_final(bench, confirming, progress).await;
        }
        if self.was_decided {
            bench.work.undecided(&bench.claimed.id).await?;
            self.was_decided = false;
        }
        self.extend(bench).await?;
        Ok(DecisionState::Open(None))
    }

    async fn summary(&mut self, bench: Bench<'_>, state: &DecisionState) -> Result<TestSummary> {
        let (mut summary, is_known) = {
            let count = self.count();
            (count.summary(), !count.plan.needs_units())
        };
        match state {
            DecisionState::Final(by_one) => {
                if !is_known {
                    // The number of units was an estimate until the last round was paired.
                    let number = bench.claimed.number;
                    rounds::extend(bench.conductor, number, &[], summary.units).await?;
                }
                summary.answered_by(*by_one);
            }
            DecisionState::Open(waits_for) if summary.outcome.is_some() => {
                summary.wait_for(waits_for.as_deref().unwrap_or("others are to confirm it"));
            }
            _ => {}
        }
        Ok(summary)
    }

    fn point(&self, _: &TestSummary) -> Point {
        self.count().conductor.point()
    }
}

/// Number of pairs that a worker takes at a time: few of games in time.
pub(super) fn pairs_per_chunk(config: &RunConfig) -> usize {
    if depends_on_time(config) {
        TIMED_PAIRS
    } else {
        QUICK_PAIRS
    }
}

impl PairCount {
    fn take(&mut self, page: &[Recorded]) -> Result<Taken> {
        for result in page {
            self.cursor = result.number;
            if !self.read.insert(result.key) {
                return Ok(Taken::Replaced);
            }
            if result.key >= self.plan.made() {
                // Another server has added the unit of this result.
                return Err(ConductError::TakenOver);
            }
            let asked = self.plan.unit(result.key, &self.conductor);
            let asked = asked.map_err(ConductError::prepare)?;
            let found = self.conductor.take(&asked, &result.worker, &result.value);
            if found.is_some() {
                return Ok(taken(found));
            }
        }
        Ok(taken(self.conductor.look()))
    }

    fn summary(&self) -> TestSummary {
        self.conductor
            .summary(self.plan.total(&self.conductor), self.engines.clone())
    }
}

/// What a finding means for the test. A broken test counts as over, which its conductor reports.
fn taken(found: Option<LabFinding>) -> Taken {
    match found {
        Some(LabFinding::Quarantine { worker, reason }) => Taken::Liar(worker, reason),
        Some(LabFinding::Broken(_)) | None => Taken::Counted,
    }
}
