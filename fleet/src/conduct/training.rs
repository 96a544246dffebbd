//! Conducts games of `touchstone` against itself: waits until all units are in and confirmed. Each result was checked as
//! it came, and is the same on every machine.

use queue::{Chunk, Job, undecided};
use selfplay::lab::spec::TrainingSpec;
use selfplay::lab::summary::{self, Outcome, Point, TestSummary, WorkerSummary};
use trainer::distributed::TrainingGames;

use super::claim::{Claimed, Conductor, News};
use super::confirm::Confirming;
use super::{NextStep, Result};
use crate::model::JobStage;
use crate::store::work::Work;

/// The job of a test of this name, with its chunks.
///
/// # Errors
/// A value is out of its range: why.
pub(super) fn job(id: &str, asked: TrainingSpec) -> std::result::Result<(Job, Vec<Chunk>), String> {
    let TrainingSpec {
        seeds,
        games,
        nodes,
        sidelines,
        network,
        engine,
    } = asked;
    trainer::distributed::job(
        id,
        TrainingGames {
            seeds,
            games,
            nodes,
            sidelines,
            network,
            engine,
        },
    )
}

/// A test in progress on this server.
pub(super) struct TrainingRun {
    claimed: Claimed,
    /// Number of units at the last look.
    done: Option<u64>,
    confirming: Confirming,
}

impl TrainingRun {
    pub(super) fn new(claimed: Claimed) -> Self {
        Self {
            claimed,
            done: None,
            confirming: Confirming::default(),
        }
    }

    /// Looks at what is done; returns what comes next.
    pub(super) async fn step(&mut self, conductor: &Conductor, work: &Work) -> Result<NextStep> {
        let (stage, _) = conductor.renew(self.claimed.number).await?;
        let is_stopped = stage == JobStage::Stopped;
        if !is_stopped && !matches!(stage, JobStage::Running | JobStage::Done) {
            return Ok(NextStep::Leave);
        }
        let id = &self.claimed.id;
        let progress = work.progress(id).await?;
        let is_settled =
            progress.is_complete() && self.confirming.sum(conductor, work, id, &progress).await?;
        let outcome = if !is_settled || is_stopped {
            None
        } else if undecided(&work.alarms(id).await?, &work.workers().await?).is_empty() {
            Some(Outcome::Complete)
        } else {
            Some(Outcome::Inexact)
        };
        if outcome.is_none() && !is_stopped && self.done == Some(progress.done) {
            return Ok(NextStep::Pause);
        }
        let known = work.verification(id).await?;
        let workers = known.workers.into_iter().map(|(name, units, _)| {
            let summary = WorkerSummary {
                units,
                ..WorkerSummary::default()
            };
            (name, summary)
        });
        let (done, units) = (progress.done, progress.units);
        let mut summary = TestSummary {
            schema: summary::SCHEMA.to_owned(),
            done,
            units,
            outcome,
            headline: match outcome {
                None => format!("{done} of {units} units are played"),
                Some(Outcome::Complete) => format!("complete: all {units} units are played"),
                Some(_) => "workers played different games, and nobody has decided".to_owned(),
            },
            workers: workers.collect(),
            ..TestSummary::default()
        };
        let is_due = self.done != Some(done);
        self.done = Some(done);
        if outcome.is_some() {
            summary.warnings.extend(self.confirming.warning());
        }
        let news = News {
            summary: &summary,
            cursor: 0,
            point: is_due.then_some(Point {
                done,
                ..Point::default()
            }),
        };
        if outcome.is_none() && !is_stopped {
            conductor.store(self.claimed.number, &news).await?;
            return Ok(NextStep::Pause);
        }
        conductor.conclude(&self.claimed, &news).await?;
        tracing::info!("{id}: {}", summary.headline);
        Ok(NextStep::Leave)
    }
}
