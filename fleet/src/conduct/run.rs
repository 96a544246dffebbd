//! Conducts a test of any kind: reads its results until all is in and confirmed, and stores what is known.

use std::time::Duration;

use queue::{Progress, Recorded, undecided};
use selfplay::lab::summary::{ByOne, Point, TestSummary};
use tokio::sync::watch;

use super::Result;
use super::claim::{Claimed, Conductor, News};
use super::confirm::Confirming;
use crate::model::JobStage;
use crate::store::work::{Work, WorkError};

/// Polling interval.
const LOOK: Duration = Duration::from_millis(500);
/// Number of faults of the database in a row after which a test is left to others.
const MOST_FAULTS: u32 = 20;
/// Number of looks without results after which the number of results is compared with the queue's.
// A result that was discarded leaves no trace in later pages: only the number of all results shows it.
const QUIET_LOOKS: u32 = 10;

/// What comes after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NextStep {
    /// The next step at once.
    Continue,
    /// The next step after a pause.
    Pause,
    /// There is nothing left to do.
    Leave,
}

/// What a kind of test works with.
#[derive(Clone, Copy)]
pub(super) struct Bench<'a> {
    pub(super) conductor: &'a Conductor,
    pub(super) work: &'a Work,
    pub(super) claimed: &'a Claimed,
    pub(super) stage: JobStage,
}

impl Bench<'_> {
    /// Number of differences between workers that nobody has decided.
    pub(super) async fn doubts(&self) -> Result<usize> {
        let alarms = self.work.alarms(&self.claimed.id).await?;
        if alarms.is_empty() {
            return Ok(0);
        }
        Ok(undecided(&alarms, &self.work.workers().await?).len())
    }
}

/// What came of results that were read.
pub(super) enum Taken {
    /// They are counted.
    Counted,
    /// One of them replaces a result that was read before: all must be read again.
    Replaced,
    /// A worker is wrong, and why.
    Liar(String, String),
    /// The test cannot go on.
    Broken,
}

/// How far what is known is final.
pub(super) enum DecisionState {
    /// It is not final: what it waits for, if it is decided.
    Open(Option<String>),
    /// It is final; and whether one machine or one owner answers for it alone.
    Final(Option<ByOne>),
    /// The test cannot go on.
    Broken,
    /// It cannot be final: why.
    Doubtful(String),
    /// A worker is wrong, and why.
    Liar(String, String),
}

/// A kind of test, in progress on this server: what is known from its results. All of it can be computed again from them.
pub(super) trait JobKind {
    /// Number of results that are read at once; none if they need not be known.
    const PAGE: u32;

    /// The number of the last result read.
    fn cursor(&self) -> u64;

    /// Number of units whose results were read.
    fn read(&self) -> u64;

    /// Counts results.
    async fn take(&mut self, page: Vec<Recorded>) -> Result<Taken>;

    /// Forgets all results, and will not count those of a worker that is named.
    fn restart(&mut self, liar: Option<(&str, &str)>) -> Result<()>;

    /// Makes a test go on, and says whether it is over.
    async fn decision(
        &mut self,
        bench: Bench<'_>,
        confirming: &mut Confirming,
        progress: &Progress,
    ) -> Result<DecisionState> {
        let id = &bench.claimed.id;
        let is_whole = Self::PAGE == 0 || self.read() == progress.units;
        let is_over = progress.is_complete()
            && is_whole
            && confirming
                .sum(bench.conductor, bench.work, id, progress)
                .await?;
        Ok(if is_over {
            DecisionState::Final(None)
        } else {
            DecisionState::Open(None)
        })
    }

    /// All that is known.
    async fn summary(&mut self, bench: Bench<'_>, state: &DecisionState) -> Result<TestSummary>;

    /// The point of the graph.
    fn point(&self, summary: &TestSummary) -> Point {
        Point {
            done: summary.done,
            ..Point::default()
        }
    }
}

/// A test of a kind.
pub(super) struct JobRun<K> {
    claimed: Claimed,
    kind: K,
    confirming: Confirming,
    /// Number of units at the last point of the graph.
    drawn: u64,
    /// Number of looks without results.
    quiet: u32,
    /// What a decision waits for, as it was stored.
    waits_for: Option<String>,
    /// Number of units done, of a kind that reads none.
    done: Option<u64>,
    /// The stage at the last look.
    stage: JobStage,
}

impl<K: JobKind> JobRun<K> {
    pub(super) fn new(claimed: Claimed, kind: K) -> Self {
        Self {
            kind,
            confirming: Confirming::default(),
            drawn: 0,
            quiet: 0,
            waits_for: None,
            done: None,
            stage: claimed.state,
            claimed,
        }
    }

    /// Conducts it until it is concluded, or `stop` is set.
    pub(super) async fn conduct(
        mut self,
        conductor: &Conductor,
        work: &Work,
        stop: watch::Receiver<bool>,
    ) -> Result<()> {
        let mut faults = 0;
        while !*stop.borrow() {
            let step = match self.step(conductor, work).await {
                Ok(step) => {
                    faults = 0;
                    step
                }
                Err(error) if error.is_passing() && faults < MOST_FAULTS => {
                    faults += 1;
                    tracing::warn!("{}: {error}", self.claimed.id);
                    NextStep::Pause
                }
                Err(error) => return Err(error),
            };
            match step {
                NextStep::Continue => {}
                NextStep::Pause => tokio::time::sleep(LOOK).await,
                NextStep::Leave => return Ok(()),
            }
        }
        Ok(())
    }

    /// Reads a page of results; returns what comes next.
    async fn step(&mut self, conductor: &Conductor, work: &Work) -> Result<NextStep> {
        let (stage, _) = conductor.renew(self.claimed.number).await?;
        self.stage = stage;
        let is_stopped = stage == JobStage::Stopped;
        if !is_stopped && !matches!(stage, JobStage::Running | JobStage::Done) {
            return Ok(NextStep::Leave);
        }
        let id = self.claimed.id.clone();
        // The progress is read first: the results that it counts are then among those read below.
        let progress = work.progress(&id).await?;
        let page = match K::PAGE {
            0 => Vec::new(),
            most => work.results(&id, self.kind.cursor(), most).await?,
        };
        let (count, is_full) = (page.len(), page.len() == K::PAGE as usize && K::PAGE > 0);
        match self.kind.take(page).await? {
            Taken::Counted => {}
            Taken::Replaced => {
                self.restart(None)?;
                return Ok(NextStep::Continue);
            }
            Taken::Liar(worker, reason) => {
                return self.leave_out(conductor, work, worker, reason).await;
            }
            Taken::Broken => return self.conclude(conductor, work, DecisionState::Broken).await,
        }
        let has_news = count > 0 || K::PAGE == 0 && self.done != Some(progress.done);
        self.done = Some(progress.done);
        // People see how far a long test has been read while a server that took over reads it all again.
        if is_full {
            self.store(conductor, work).await?;
            return Ok(NextStep::Continue);
        }
        if is_stopped {
            return self
                .conclude(conductor, work, DecisionState::Open(None))
                .await;
        }
        if count == 0 && self.was_changed(&progress) {
            self.restart(None)?;
            return Ok(NextStep::Pause);
        }
        let bench = Bench {
            conductor,
            work,
            claimed: &self.claimed,
            stage,
        };
        let waits_for = match self
            .kind
            .decision(bench, &mut self.confirming, &progress)
            .await?
        {
            DecisionState::Open(waits_for) => waits_for,
            DecisionState::Liar(worker, reason) => {
                return self.leave_out(conductor, work, worker, reason).await;
            }
            DecisionState::Doubtful(why) => return self.flag(conductor, work, why).await,
            state => return self.conclude(conductor, work, state).await,
        };
        if has_news || waits_for != self.waits_for {
            self.waits_for = waits_for;
            self.store(conductor, work).await?;
        }
        Ok(NextStep::Pause)
    }

    /// While no results come: whether results were taken back, or missed.
    fn was_changed(&mut self, progress: &Progress) -> bool {
        self.quiet += 1;
        K::PAGE > 0 && self.quiet.is_multiple_of(QUIET_LOOKS) && progress.done != self.kind.read()
    }

    fn restart(&mut self, liar: Option<(&str, &str)>) -> Result<()> {
        self.kind.restart(liar)?;
        self.confirming = Confirming::default();
        self.drawn = 0;
        self.waits_for = None;
        Ok(())
    }

    /// Quarantines a worker and counts all again without its results, which others do again.
    async fn leave_out(
        &mut self,
        conductor: &Conductor,
        work: &Work,
        worker: String,
        reason: String,
    ) -> Result<NextStep> {
        let id = self.claimed.id.clone();
        tracing::warn!("{id}: worker {worker} is quarantined: {reason}");
        self.restart(Some((&worker, &reason)))?;
        // The quarantine is stored before it is carried out, so that a server that takes over does not count
        // the results either.
        self.store(conductor, work).await?;
        match work.quarantine(&worker, &format!("{id}: {reason}")).await {
            Ok(()) | Err(WorkError::NoWorker(_)) => {}
            Err(error) => return Err(error.into()),
        }
        work.discard(&id, &worker).await?;
        Ok(NextStep::Continue)
    }

    async fn summary(
        &mut self,
        conductor: &Conductor,
        work: &Work,
        state: &DecisionState,
    ) -> Result<TestSummary> {
        let bench = Bench {
            conductor,
            work,
            claimed: &self.claimed,
            stage: self.stage,
        };
        self.kind.summary(bench, state).await
    }

    fn news<'a>(&mut self, summary: &'a TestSummary) -> News<'a> {
        let point = self.kind.point(summary);
        // A point for each half per cent more: 139 to 200 points while the number of units doubles.
        let is_due = point.done >= self.drawn + (self.drawn / 200).max(1);
        if is_due {
            self.drawn = point.done;
        }
        News {
            summary,
            cursor: self.kind.cursor(),
            point: is_due.then_some(point),
        }
    }

    async fn store(&mut self, conductor: &Conductor, work: &Work) -> Result<()> {
        let state = DecisionState::Open(self.waits_for.clone());
        let summary = self.summary(conductor, work, &state).await?;
        let news = self.news(&summary);
        conductor.store(self.claimed.number, &news).await
    }

    async fn flag(&mut self, conductor: &Conductor, work: &Work, why: String) -> Result<NextStep> {
        let state = DecisionState::Open(Some(why.clone()));
        let summary = self.summary(conductor, work, &state).await?;
        let news = self.news(&summary);
        conductor.flag(self.claimed.number, &news, &why).await?;
        tracing::warn!("{}: {why}", self.claimed.id);
        Ok(NextStep::Leave)
    }

    async fn conclude(
        &mut self,
        conductor: &Conductor,
        work: &Work,
        state: DecisionState,
    ) -> Result<NextStep> {
        let mut summary = self.summary(conductor, work, &state).await?;
        summary.warnings.extend(self.confirming.warning());
        let news = self.news(&summary);
        conductor.conclude(&self.claimed, &news).await?;
        tracing::info!("{}: {}", self.claimed.id, summary.headline);
        Ok(NextStep::Leave)
    }
}
