//! Conducts a test whose units are pairs of games: adds the next ones, and counts results until it is
//! decided and what is compared is confirmed.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use queue::Recorded;
use selfplay::fleet::protocol::{JobBody, Message as _};
use selfplay::fleet::speed::depends_on_time;
use selfplay::lab::conduct::{LabFinding, PairConductor};
use selfplay::lab::plan::is_deterministic;
use selfplay::lab::rounds::PairPlan;
use selfplay::lab::summary::{ByOne, EngineSummary, Outcome, TestSummary};
use selfplay::model::{Quarantine, RunConfig};

use super::blocking::blocking;
use super::claim::{Claimed, Conductor, News};
use super::confirm::{Confirming, PlayedPairs};
use super::error::ConductError;
use super::{NextStep, rounds};
use crate::model::JobStage;
use crate::policy::confirm::Finality;
use crate::store::work::{Work, WorkError};

type Result<T> = std::result::Result<T, ConductError>;

/// Number of results that are read at once.
const PAGE: u32 = 64;
/// Number of pairs that are made at once.
pub(super) const PORTION: usize = 2_000;
/// Pairs that a worker takes at a time, of games in time and of those limited by nodes or depth.
const TIMED_PAIRS: usize = 2;
const QUICK_PAIRS: usize = 8;
/// After so many looks without results, all is compared with the queue.
const QUIET_LOOKS: u32 = 10;

/// A test in progress on this server. All of it can be computed again from the results.
pub(super) struct PairRun {
    claimed: Claimed,
    count: Arc<Mutex<PairCount>>,
    /// Number of pairs at the last point of the graph.
    drawn: u64,
    /// Number of looks without results.
    quiet: u32,
    confirming: Confirming,
    /// What a decision waits for, as it was stored.
    waits_for: Option<String>,
    /// Whether a decision may have been noted that does not hold any more.
    was_decided: bool,
    /// The number of units that the queue knows of.
    total: u64,
}

/// What is counted, on a thread of its own.
struct PairCount {
    plan: PairPlan,
    conductor: PairConductor,
    engines: Vec<EngineSummary>,
    /// The number of the last result read.
    cursor: u64,
    /// The units whose results were read.
    read: BTreeSet<u64>,
}

/// How far what is decided is confirmed.
enum DecisionState {
    /// Not yet.
    Open,
    /// It is; and whether one machine or one owner answers for it alone.
    Final(Option<ByOne>),
    /// It cannot be: why.
    Doubtful(String),
}

/// What comes of results that were read.
enum Taken {
    Found(LabFinding),
    /// A result was replaced: all are to be read again.
    Replaced,
}

/// Every change under the lock is complete.
fn lock(count: &Mutex<PairCount>) -> MutexGuard<'_, PairCount> {
    count.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PairRun {
    fn count(&self) -> MutexGuard<'_, PairCount> {
        lock(&self.count)
    }

    pub(super) async fn open(conductor: &Conductor, claimed: Claimed) -> Result<Self> {
        let body = claimed.body.clone().unwrap_or_default();
        let spec = claimed.spec.0.clone();
        let known = claimed.summary.clone().unwrap_or_default().0;
        let count = blocking(move || {
            let config = JobBody::from_text(&body)
                .map_err(ConductError::prepare)?
                .config;
            let plan = PairPlan::new(&spec, &config).map_err(ConductError::prepare)?;
            let conductor = PairConductor::from_spec(&spec, config, known.quarantined);
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
            claimed,
            count: Arc::new(Mutex::new(count)),
            drawn: 0,
            quiet: 0,
            confirming: Confirming::default(),
            waits_for: None,
            was_decided: true,
            total: 0,
        })
    }

    /// Reads a page of results; returns what comes next.
    pub(super) async fn step(&mut self, conductor: &Conductor, work: &Work) -> Result<NextStep> {
        let (stage, _) = conductor.renew(self.claimed.number).await?;
        if !matches!(
            stage,
            JobStage::Running | JobStage::Done | JobStage::Stopped
        ) {
            return Ok(NextStep::Leave);
        }
        let cursor = self.count().cursor;
        let page = work.results(&self.claimed.id, cursor, PAGE).await?;
        let (is_empty, is_full) = (page.is_empty(), page.len() == PAGE as usize);
        match self.take(page).await? {
            Some(Taken::Found(LabFinding::Quarantine { worker, reason })) => {
                self.quarantine(conductor, work, worker, reason).await?;
                return Ok(NextStep::Continue);
            }
            Some(Taken::Replaced) => {
                self.restart(None)?;
                return Ok(NextStep::Continue);
            }
            Some(Taken::Found(LabFinding::Broken(_))) | None => {}
        }
        if is_full {
            self.store(conductor).await?;
            return Ok(NextStep::Continue);
        }
        if stage == JobStage::Stopped {
            return self.conclude(conductor, DecisionState::Open).await;
        }
        let is_over = self.count().conductor.is_over();
        if is_over {
            match self.decision(conductor, work, stage).await? {
                DecisionState::Doubtful(why) => return self.flag(conductor, why).await,
                DecisionState::Open => {}
                state @ DecisionState::Final(_) => return self.conclude(conductor, state).await,
            }
        } else if self.was_decided {
            work.undecided(&self.claimed.id).await?;
            self.was_decided = false;
        }
        if !is_over && self.extend(conductor, stage).await? {
            work.jobs_changed();
        }
        if is_empty {
            self.look_around(conductor, work).await?;
        } else {
            self.quiet = 0;
            self.store(conductor).await?;
        }
        Ok(NextStep::Pause)
    }

    /// Counts results, and compares workers before a decision.
    async fn take(&mut self, page: Vec<Recorded>) -> Result<Option<Taken>> {
        let count = Arc::clone(&self.count);
        blocking(move || lock(&count).take(&page)).await?
    }

    /// Adds the units that can be done now; returns whether there are some.
    async fn extend(&mut self, conductor: &Conductor, stage: JobStage) -> Result<bool> {
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
        if units.is_empty() && total == self.total && stage == JobStage::Running {
            return Ok(false);
        }
        let chunks = rounds::chunks(&units, first, per_chunk);
        rounds::extend(conductor, self.claimed.number, &chunks, total).await?;
        let mut count = self.count();
        for unit in &units {
            count.plan.note(unit);
        }
        drop(count);
        self.total = total;
        Ok(true)
    }

    /// Quarantines a worker and counts all again without its results, which others play again.
    async fn quarantine(
        &mut self,
        conductor: &Conductor,
        work: &Work,
        worker: String,
        reason: String,
    ) -> Result<()> {
        let id = self.claimed.id.clone();
        tracing::warn!("{id}: worker {worker} is quarantined: {reason}");
        let summary = self.count().summary();
        let games = summary.workers.get(&worker).map_or(0, |one| one.games);
        let mut quarantined = summary.quarantined;
        quarantined.push(Quarantine {
            worker: worker.clone(),
            reason: reason.clone(),
            games,
            kept: String::new(),
        });
        self.restart(Some(quarantined))?;
        // Known before it is done, so that a server that takes over does not count them either.
        self.store(conductor).await?;
        match work.quarantine(&worker, &format!("{id}: {reason}")).await {
            Ok(()) | Err(WorkError::NoWorker(_)) => {}
            Err(error) => return Err(error.into()),
        }
        work.discard(&id, &worker).await?;
        Ok(())
    }

    /// Counts all results again, with other workers quarantined if given.
    fn restart(&mut self, quarantined: Option<Vec<Quarantine>>) -> Result<()> {
        let mut count = self.count();
        let quarantined = quarantined.unwrap_or_else(|| count.conductor.quarantined().to_vec());
        let config = count.conductor.config().clone();
        let again = PairConductor::from_spec(&self.claimed.spec, config, quarantined);
        count.conductor = again.map_err(ConductError::prepare)?;
        count.cursor = 0;
        count.read.clear();
        drop(count);
        self.drawn = 0;
        self.confirming = Confirming::default();
        self.waits_for = None;
        Ok(())
    }

    /// While no results come: were workers quarantined elsewhere, or results missed?
    async fn look_around(&mut self, conductor: &Conductor, work: &Work) -> Result<()> {
        self.quiet += 1;
        if !self.quiet.is_multiple_of(QUIET_LOOKS) || self.has_liar(conductor, work).await? {
            return Ok(());
        }
        let progress = work.progress(&self.claimed.id).await?;
        if progress.done != self.count().read.len() as u64 {
            self.restart(None)?;
        }
        Ok(())
    }

    /// Counts without a worker that was quarantined because of another test, if there is one.
    async fn has_liar(&mut self, conductor: &Conductor, work: &Work) -> Result<bool> {
        let workers = self
            .count()
            .conductor
            .workers()
            .map(str::to_owned)
            .collect();
        let workers: Vec<String> = workers;
        let sql = "select name, coalesce(quarantine_reason, '') from lab.workers
            where quarantined_at is not null and name = any($1) limit 1";
        let found: Option<(String, String)> = sqlx::query_as(sql)
            .bind(workers)
            .fetch_optional(&conductor.database.pool)
            .await?;
        let Some((worker, reason)) = found else {
            return Ok(false);
        };
        self.quarantine(conductor, work, worker, reason).await?;
        Ok(true)
    }

    /// Whether what is decided is final. It is only if all results are those it was made from.
    async fn decision(
        &mut self,
        conductor: &Conductor,
        work: &Work,
        stage: JobStage,
    ) -> Result<DecisionState> {
        let (outcome, compares, pairs) = {
            let count = self.count();
            let compares = is_deterministic(count.conductor.config());
            let pairs = count.conductor.pairs_by_worker();
            let pairs = pairs
                .map(|(name, pairs)| (name.to_owned(), pairs))
                .collect();
            (count.conductor.outcome(), compares, pairs)
        };
        let is_verdict = matches!(outcome, Some(Outcome::Passed | Outcome::Failed));
        // Games in time go on until two workers agree.
        if stage == JobStage::Running && (compares || !is_verdict) {
            rounds::close(conductor, self.claimed.number).await?;
            work.jobs_changed();
        }
        if self.has_liar(conductor, work).await? {
            return Ok(DecisionState::Open);
        }
        let id = self.claimed.id.clone();
        let progress = work.progress(&id).await?;
        if progress.done < self.count().read.len() as u64 {
            return Ok(DecisionState::Open);
        }
        if !is_verdict {
            let is_final = self.confirming.sum(conductor, work, &id, &progress).await?;
            return Ok(if is_final {
                DecisionState::Final(None)
            } else {
                DecisionState::Open
            });
        }
        let played = PlayedPairs {
            id: &id,
            compares,
            pairs,
        };
        self.was_decided = true;
        match self.confirming.decision(conductor, work, &played).await? {
            Finality::Final(by_one) => Ok(DecisionState::Final(by_one)),
            Finality::Doubtful(why) => Ok(DecisionState::Doubtful(why)),
            Finality::Waits(what) => {
                if self.waits_for.as_ref() != Some(&what) {
                    self.waits_for = Some(what);
                    self.store(conductor).await?;
                }
                Ok(DecisionState::Open)
            }
        }
    }

    async fn flag(&mut self, conductor: &Conductor, why: String) -> Result<NextStep> {
        self.waits_for = Some(why.clone());
        let summary = self.summary();
        let number = self.claimed.number;
        let news = self.news(&summary);
        conductor.flag(number, &news, &why).await?;
        tracing::warn!("{}: {why}", self.claimed.id);
        Ok(NextStep::Leave)
    }

    /// All that is known, of which nothing is final.
    fn summary(&self) -> TestSummary {
        let mut summary = self.count().summary();
        if summary.outcome.is_some() {
            let what = self.waits_for.as_deref();
            summary.wait_for(what.unwrap_or("others are to confirm it"));
        }
        summary
    }

    fn news<'a>(&mut self, summary: &'a TestSummary) -> News<'a> {
        let (point, cursor) = {
            let count = self.count();
            (count.conductor.point(), count.cursor)
        };
        // Some two hundred points for each doubling of the number of games.
        let is_due = point.done >= self.drawn + (self.drawn / 200).max(1);
        if is_due {
            self.drawn = point.done;
        }
        News {
            summary,
            cursor,
            point: is_due.then_some(point),
        }
    }

    async fn store(&mut self, conductor: &Conductor) -> Result<()> {
        let summary = self.summary();
        let news = self.news(&summary);
        conductor.store(self.claimed.number, &news).await
    }

    async fn conclude(&mut self, conductor: &Conductor, state: DecisionState) -> Result<NextStep> {
        let is_known = !self.count().plan.needs_units();
        let mut summary = match state {
            DecisionState::Final(by_one) => {
                let mut summary = self.count().summary();
                summary.answered_by(by_one);
                summary
            }
            _ => self.summary(),
        };
        if !is_known {
            // Nobody knew how many rounds there would be.
            rounds::extend(conductor, self.claimed.number, &[], summary.units).await?;
        }
        if let Some(warning) = self.confirming.warning() {
            summary.warnings.push(warning);
        }
        let news = self.news(&summary);
        conductor.conclude(&self.claimed, &news).await?;
        tracing::info!("{}: {}", self.claimed.id, summary.headline);
        Ok(NextStep::Leave)
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
    fn take(&mut self, page: &[Recorded]) -> Result<Option<Taken>> {
        for result in page {
            self.cursor = result.number;
            if !self.read.insert(result.key) {
                return Ok(Some(Taken::Replaced));
            }
            if result.key >= self.plan.made() {
                // Another server has added units.
                return Err(ConductError::TakenOver);
            }
            let asked = self.plan.unit(result.key, &self.conductor);
            let asked = asked.map_err(ConductError::prepare)?;
            let found = self.conductor.take(&asked, &result.worker, &result.value);
            if found.is_some() {
                return Ok(found.map(Taken::Found));
            }
        }
        Ok(self.conductor.look().map(Taken::Found))
    }

    fn summary(&self) -> TestSummary {
        self.conductor
            .summary(self.plan.total(&self.conductor), self.engines.clone())
    }
}
