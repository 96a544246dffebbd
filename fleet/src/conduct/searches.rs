//! Conducts test positions and labelling: judges what engines answered until all positions are
//! searched.

use std::sync::{Arc, Mutex, PoisonError};

use epd::lab::{LabEngine, LabProgram, LabResultFault, LabRun, LabTotals, limits};
use selfplay::fleet::protocol::{JobBody, ProgramId};
use selfplay::lab::spec::{SpecFault, TestKind, TestSpec};
use selfplay::lab::summary::{
    self, EngineSummary, EpdSummary, Outcome, Point, TestSummary, WorkerSummary,
};

use super::NextStep;
use super::blocking::blocking;
use super::claim::{Claimed, Conductor, News};
use super::error::ConductError;
use crate::model::JobStage;
use crate::store::work::{Work, WorkError};

type Result<T> = std::result::Result<T, ConductError>;

/// Number of results that are read at once: each may hold a transcript.
const PAGE: u32 = 500;
/// Number of positions that a summary lists.
const LISTED: usize = 1_000;

/// The positions of a test.
///
/// # Errors
/// A line cannot be read.
pub(super) fn run_of(spec: &TestSpec) -> std::result::Result<LabRun, SpecFault> {
    let own = &spec.limits;
    let limits = limits(own.nodes, own.depth, own.movetime_ms);
    let read = match &spec.kind {
        TestKind::Label { positions } => LabRun::positions(&positions.join("\n"), limits),
        TestKind::Epd { suite, positions } => match suite.as_deref().and_then(epd::suites::find) {
            Some(suite) => LabRun::suite(suite.text, limits),
            None => LabRun::suite(&positions.join("\n"), limits),
        },
        _ => LabRun::suite("", limits),
    };
    read.map_err(|error| SpecFault {
        field: "positions".to_owned(),
        message: error.to_string(),
    })
}

/// The engine of a test, from the body of a run of it.
pub(super) fn engine_of(body: &JobBody) -> Option<LabEngine> {
    let engine = body.config.engines.first()?;
    let program = match body.programs.get(&engine.name)? {
        ProgramId::Sha256(sum) => LabProgram::Sha256(sum.clone()),
        ProgramId::Repository(source) => LabProgram::Source(source.clone()),
    };
    Some(LabEngine {
        name: engine.name.clone(),
        program,
        arguments: engine.command.arguments.clone(),
        options: engine.options.clone(),
    })
}

/// Reads all results of a test: the positions with their scores.
///
/// # Errors
/// There is no such test, or a result cannot be right; the database failed.
pub(super) async fn labels(work: &Work, id: &str, spec: TestSpec) -> Result<String> {
    let run = blocking(move || run_of(&spec)).await?;
    let run = run.map_err(ConductError::prepare)?;
    let mut totals = run.totals();
    loop {
        let page = work.results(id, totals.last(), PAGE).await?;
        for recorded in &page {
            // One that was replaced meanwhile is read as it was, and one that is wrong has no score.
            let _ = totals.take(&run, recorded);
        }
        if page.len() < PAGE as usize {
            return Ok(totals.labels(&run));
        }
    }
}

/// A test in progress on this server. All of it can be computed again from the results.
pub(super) struct SearchRun {
    claimed: Claimed,
    run: Arc<LabRun>,
    totals: Arc<Mutex<LabTotals>>,
    engines: Vec<EngineSummary>,
    /// Number of units at the last point of the graph.
    drawn: u64,
}

impl SearchRun {
    pub(super) async fn open(claimed: Claimed) -> Result<Self> {
        let spec = claimed.spec.0.clone();
        let run = blocking(move || run_of(&spec)).await?;
        let run = run.map_err(ConductError::prepare)?;
        Ok(Self {
            totals: Arc::new(Mutex::new(run.totals())),
            run: Arc::new(run),
            engines: claimed.summary.clone().unwrap_or_default().0.engines,
            claimed,
            drawn: 0,
        })
    }

    fn restart(&mut self) {
        self.totals = Arc::new(Mutex::new(self.run.totals()));
    }

    /// Every change under the lock is complete.
    fn totals(&self) -> std::sync::MutexGuard<'_, LabTotals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
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
        let id = self.claimed.id.clone();
        let before = self.totals().last();
        let page = work.results(&id, before, PAGE).await?;
        let (is_empty, is_full) = (page.is_empty(), page.len() == PAGE as usize);
        let (run, totals) = (Arc::clone(&self.run), Arc::clone(&self.totals));
        let taken = blocking(move || {
            let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
            page.into_iter().find_map(|recorded| {
                let fault = totals.take(&run, &recorded).err()?;
                Some((fault, recorded))
            })
        });
        match taken.await? {
            None => {}
            Some((LabResultFault::Twice, _)) => {
                self.restart();
                return Ok(NextStep::Continue);
            }
            Some((LabResultFault::Invalid(why), recorded)) => {
                let unit = recorded.key + 1;
                let reason = format!("{id}: its result of position {unit} is impossible: {why}");
                match work.quarantine(&recorded.worker, &reason).await {
                    Ok(()) | Err(WorkError::NoWorker(_)) => {}
                    Err(error) => return Err(error.into()),
                }
                work.discard(&id, &recorded.worker).await?;
                self.restart();
                return Ok(NextStep::Continue);
            }
        }
        if !is_full {
            let progress = work.progress(&id).await?;
            let (done, units) = (self.totals().done(), self.run.units());
            if done > progress.done {
                // Results were taken back.
                self.restart();
                return Ok(NextStep::Pause);
            }
            let is_complete = done == units && progress.done == units;
            if is_complete || stage == JobStage::Stopped {
                let news = self.news(is_complete.then_some(Outcome::Complete)).await?;
                conductor.conclude(&self.claimed, &news.borrowed()).await?;
                tracing::info!("{id}: {}", news.summary.headline);
                return Ok(NextStep::Leave);
            }
        }
        if !is_empty {
            let news = self.news(None).await?;
            conductor
                .store(self.claimed.number, &news.borrowed())
                .await?;
        }
        Ok(if is_full {
            NextStep::Continue
        } else {
            NextStep::Pause
        })
    }

    async fn news(&mut self, outcome: Option<Outcome>) -> Result<OwnNews> {
        let (run, totals) = (Arc::clone(&self.run), Arc::clone(&self.totals));
        let is_label = matches!(self.claimed.spec.kind, TestKind::Label { .. });
        let mut summary = blocking(move || {
            let totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
            summary_of(is_label, &run, &totals, outcome)
        })
        .await?;
        summary.engines.clone_from(&self.engines);
        let done = summary.done;
        let is_due = done >= self.drawn + (self.drawn / 200).max(1);
        if is_due {
            self.drawn = done;
        }
        Ok(OwnNews {
            cursor: self.totals().last(),
            summary,
            point: is_due.then_some(Point {
                done,
                ..Point::default()
            }),
        })
    }
}

/// What became known.
struct OwnNews {
    summary: TestSummary,
    cursor: u64,
    point: Option<Point>,
}

impl OwnNews {
    fn borrowed(&self) -> News<'_> {
        News {
            summary: &self.summary,
            cursor: self.cursor,
            point: self.point.clone(),
        }
    }
}

fn summary_of(
    is_label: bool,
    run: &LabRun,
    totals: &LabTotals,
    outcome: Option<Outcome>,
) -> TestSummary {
    let what = outcome.map_or("running", |_| "complete");
    let counts = totals.counts(run);
    let mut failed = counts.failed;
    failed.truncate(LISTED);
    let (done, units) = (totals.done(), run.units());
    let mut headline = if is_label {
        let scored = totals.scored(run);
        format!("{what}: {scored} of {units} positions have a score")
    } else {
        format!("{what}: {} of {done} positions are solved", counts.solved)
    };
    if counts.faults > 0 {
        headline = format!("{headline}, the engine failed in {}", counts.faults);
    }
    let workers = totals.workers().iter().map(|(name, units)| {
        let summary = WorkerSummary {
            units: *units,
            ..WorkerSummary::default()
        };
        (name.clone(), summary)
    });
    TestSummary {
        schema: summary::SCHEMA.to_owned(),
        done,
        units,
        outcome,
        headline,
        epd: (!is_label).then_some(EpdSummary {
            searched: counts.searched,
            solved: counts.solved,
            faults: counts.faults,
            nodes: counts.nodes,
            points: (counts.points.1 > 0).then_some(counts.points),
            failed,
        }),
        workers: workers.collect(),
        ..TestSummary::default()
    }
}
