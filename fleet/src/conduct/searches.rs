//! Test positions and labelling: judges what engines answered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use epd::lab::{LabEngine, LabProgram, LabResultFault, LabRun, LabTotals, limits};
use queue::Recorded;
use selfplay::fleet::protocol::{JobBody, ProgramId};
use selfplay::lab::spec::{SpecFault, TestKind, TestSpec};
use selfplay::lab::summary::{
    self, EngineSummary, EpdSummary, Outcome, TestSummary, WorkerSummary,
};

use super::blocking::blocking;
use super::claim::Claimed;
use super::error::ConductError;
use super::run::{Bench, DecisionState, JobKind, Taken};
use crate::store::work::Work;

type Result<T> = std::result::Result<T, ConductError>;

/// Number of results that are read at once.
const PAGE: u32 = SearchRun::PAGE;
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
            // A result that was replaced meanwhile counts as it was first read, and an impossible one has no score.
            let _ = totals.take(&run, recorded);
        }
        if page.len() < PAGE as usize {
            return Ok(totals.labels(&run));
        }
    }
}

/// A test in progress on this server.
pub(super) struct SearchRun {
    run: Arc<LabRun>,
    totals: Arc<Mutex<LabTotals>>,
    engines: Vec<EngineSummary>,
}

/// Every change under the lock is complete, so that a poisoned one can be ignored.
fn lock(totals: &Mutex<LabTotals>) -> MutexGuard<'_, LabTotals> {
    totals.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SearchRun {
    pub(super) async fn open(claimed: &Claimed) -> Result<Self> {
        let spec = claimed.spec.0.clone();
        let run = blocking(move || run_of(&spec)).await?;
        let run = run.map_err(ConductError::prepare)?;
        Ok(Self {
            totals: Arc::new(Mutex::new(run.totals())),
            run: Arc::new(run),
            engines: claimed.summary.clone().unwrap_or_default().0.engines,
        })
    }
}

impl JobKind for SearchRun {
    /// Each result may hold a transcript.
    const PAGE: u32 = 500;

    fn cursor(&self) -> u64 {
        lock(&self.totals).last()
    }

    fn read(&self) -> u64 {
        lock(&self.totals).done()
    }

    async fn take(&mut self, page: Vec<Recorded>) -> Result<Taken> {
        let (run, totals) = (Arc::clone(&self.run), Arc::clone(&self.totals));
        blocking(move || {
            let mut totals = lock(&totals);
            for recorded in page {
                match totals.take(&run, &recorded) {
                    Ok(()) => {}
                    Err(LabResultFault::Twice) => return Taken::Replaced,
                    Err(LabResultFault::Invalid(why)) => {
                        // Keys begin with 0; people count positions from 1.
                        let unit = recorded.key + 1;
                        let reason = format!("its result of position {unit} is impossible: {why}");
                        return Taken::Liar(recorded.worker, reason);
                    }
                }
            }
            Taken::Counted
        })
        .await
    }

    fn restart(&mut self, _: Option<(&str, &str)>) -> Result<()> {
        *lock(&self.totals) = self.run.totals();
        Ok(())
    }

    async fn summary(&mut self, bench: Bench<'_>, state: &DecisionState) -> Result<TestSummary> {
        let (run, totals) = (Arc::clone(&self.run), Arc::clone(&self.totals));
        let is_label = matches!(bench.claimed.spec.kind, TestKind::Label { .. });
        let outcome = matches!(state, DecisionState::Final(_)).then_some(Outcome::Complete);
        let summary = blocking(move || summary_of(is_label, &run, &lock(&totals), outcome));
        Ok(TestSummary {
            engines: self.engines.clone(),
            ..summary.await?
        })
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
    // The summary is stored at each change and sent with every list of tests.
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
        workers: WorkerSummary::of_units(totals.workers().clone()),
        ..TestSummary::default()
    }
}
