//! Conducts a test whose units are pairs of games: counts results until it is decided.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use queue::Recorded;
use selfplay::fleet::protocol::{JobBody, Message as _};
use selfplay::lab::conduct::{Finding, PairConductor};
use selfplay::lab::plan::PairPlan;
use selfplay::lab::summary::{EngineSummary, TestSummary};
use selfplay::model::Quarantine;

use super::claim::{Claimed, Conductor, News};
use super::error::ConductError;
use super::prepare::blocking;
use super::{Settling, Step};
use crate::model::Stage;
use crate::store::work::{Work, WorkError};

type Result<T> = std::result::Result<T, ConductError>;

/// Number of results that are read at once.
const PAGE: u32 = 64;
/// After so many looks without results, all is compared with the queue.
const QUIET_LOOKS: u32 = 10;

/// A test in progress on this server. All of it can be computed again from the results.
pub(super) struct PairRun {
    claimed: Claimed,
    count: Arc<Mutex<Count>>,
    /// Number of pairs at the last point of the graph.
    drawn: u64,
    /// Number of looks without results.
    quiet: u32,
    settling: Settling,
}

/// What is counted, on a thread of its own.
struct Count {
    plan: PairPlan,
    conductor: PairConductor,
    engines: Vec<EngineSummary>,
    /// The number of the last result read.
    cursor: u64,
}

/// Every change under the lock is complete.
fn lock(count: &Mutex<Count>) -> MutexGuard<'_, Count> {
    count.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PairRun {
    fn count(&self) -> MutexGuard<'_, Count> {
        lock(&self.count)
    }

    pub(super) async fn open(claimed: Claimed) -> Result<Self> {
        let body = claimed.body.clone().unwrap_or_default();
        let spec = claimed.spec.0.clone();
        let known = claimed.summary.clone().unwrap_or_default().0;
        let count = blocking(move || {
            let config = JobBody::from_text(&body)
                .map_err(ConductError::prepare)?
                .config;
            let plan = PairPlan::new(&spec, &config).map_err(ConductError::prepare)?;
            let conductor =
                PairConductor::new(spec.kind, config, spec.max_faults, known.quarantined);
            Ok::<_, ConductError>(Count {
                plan,
                conductor: conductor.map_err(ConductError::prepare)?,
                engines: known.engines,
                cursor: 0,
            })
        });
        Ok(Self {
            claimed,
            count: Arc::new(Mutex::new(count.await??)),
            drawn: 0,
            quiet: 0,
            settling: Settling::default(),
        })
    }

    /// Reads a page of results; returns what comes next.
    pub(super) async fn step(&mut self, conductor: &Conductor, work: &Work) -> Result<Step> {
        let (stage, _) = conductor.renew(self.claimed.number).await?;
        if stage == Stage::Stopped {
            return self.conclude(conductor).await;
        }
        if !matches!(stage, Stage::Running | Stage::Done) {
            return Ok(Step::Leave);
        }
        let cursor = self.count().cursor;
        let page = work.results(&self.claimed.id, cursor, PAGE).await?;
        let (is_empty, is_full) = (page.is_empty(), page.len() == PAGE as usize);
        match self.take(page).await? {
            Some(Finding::Quarantine { worker, reason }) => {
                self.quarantine(conductor, work, worker, reason).await?;
                return Ok(Step::Continue);
            }
            Some(Finding::Broken(_)) | None => {}
        }
        if self.count().conductor.is_over() {
            if !self.is_settled(work).await? {
                return Ok(Step::Pause);
            }
            return self.conclude(conductor).await;
        }
        if is_empty {
            self.look_around(conductor, work).await?;
            return Ok(Step::Pause);
        }
        self.quiet = 0;
        self.store(conductor).await?;
        Ok(if is_full { Step::Continue } else { Step::Pause })
    }

    /// Counts results, and compares workers before a decision.
    async fn take(&mut self, page: Vec<Recorded>) -> Result<Option<Finding>> {
        let count = Arc::clone(&self.count);
        blocking(move || lock(&count).take(&page)).await?
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
        self.restart(quarantined)?;
        // Known before it is done, so that a server that takes over does not count them either.
        self.store(conductor).await?;
        match work.quarantine(&worker, &format!("{id}: {reason}")).await {
            Ok(()) | Err(WorkError::NoWorker(_)) => {}
            Err(error) => return Err(error.into()),
        }
        work.discard(&id, &worker).await?;
        Ok(())
    }

    fn restart(&mut self, quarantined: Vec<Quarantine>) -> Result<()> {
        let (kind, most) = (self.claimed.spec.kind, self.claimed.spec.max_faults);
        let mut count = self.count();
        let config = count.conductor.config().clone();
        let again = PairConductor::new(kind, config, most, quarantined);
        count.conductor = again.map_err(ConductError::prepare)?;
        count.cursor = 0;
        drop(count);
        self.drawn = 0;
        Ok(())
    }

    /// While no results come: were workers quarantined elsewhere, or results missed?
    async fn look_around(&mut self, conductor: &Conductor, work: &Work) -> Result<()> {
        self.quiet += 1;
        if !self.quiet.is_multiple_of(QUIET_LOOKS) {
            return Ok(());
        }
        let workers = self
            .count()
            .conductor
            .workers()
            .map(str::to_owned)
            .collect::<Vec<_>>();
        let sql = "select name, coalesce(quarantine_reason, '') from lab.workers
            where quarantined_at is not null and name = any($1) limit 1";
        let found: Option<(String, String)> = sqlx::query_as(sql)
            .bind(workers)
            .fetch_optional(&conductor.database.pool)
            .await?;
        if let Some((worker, reason)) = found {
            return self.quarantine(conductor, work, worker, reason).await;
        }
        let progress = work.progress(&self.claimed.id).await?;
        if progress.done != self.count().conductor.pairs() {
            let quarantined = self.count().conductor.quarantined().to_vec();
            self.restart(quarantined)?;
        }
        Ok(())
    }

    /// Whether the results that are compared are; not waited for forever, as there may be one worker
    /// only.
    async fn is_settled(&mut self, work: &Work) -> Result<bool> {
        let progress = work.progress(&self.claimed.id).await?;
        // A test that is decided early leaves checks behind.
        Ok(!progress.is_complete() || self.settling.is_over(&progress))
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
        let summary = self.count().summary();
        let news = self.news(&summary);
        conductor.store(self.claimed.number, &news).await
    }

    async fn conclude(&mut self, conductor: &Conductor) -> Result<Step> {
        let mut summary = self.count().summary();
        if let Some(warning) = self.settling.warning() {
            summary.warnings.push(warning);
        }
        let news = self.news(&summary);
        conductor.conclude(&self.claimed, &news).await?;
        tracing::info!("{}: {}", self.claimed.id, summary.headline);
        Ok(Step::Leave)
    }
}

impl Count {
    fn take(&mut self, page: &[Recorded]) -> Result<Option<Finding>> {
        for result in page {
            self.cursor = result.number;
            let asked = self.plan.unit(result.key).map_err(ConductError::prepare)?;
            let found = self.conductor.take(&asked, &result.worker, &result.value);
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(self.conductor.look())
    }

    fn summary(&self) -> TestSummary {
        self.conductor
            .summary(self.plan.pairs(), self.engines.clone())
    }
}
