//! Games of `touchstone` against itself, which are the same on every machine.

use queue::{Chunk, Job, Recorded};
use selfplay::lab::spec::TrainingSpec;
use selfplay::lab::summary::{self, Outcome, TestSummary, WorkerSummary};
use trainer::distributed::JobBody;

use super::Result;
use super::run::{Bench, DecisionState, JobKind, Taken};

/// The job of a test of this name, with its chunks.
///
/// # Errors
/// A value is out of its range: why.
pub(super) fn job(id: &str, asked: TrainingSpec) -> std::result::Result<(Job, Vec<Chunk>), String> {
    trainer::distributed::job(
        id,
        &asked.seeds,
        asked.games,
        &JobBody {
            nodes: asked.nodes,
            network: asked.network,
            engine: asked.engine,
        },
    )
}

/// A test in progress on this server: its results are checked as they come, and not read.
pub(super) struct TrainingRun;

impl JobKind for TrainingRun {
    // The queue checks each result when it comes (`kinds::check`), and a result may have 8 MiB.
    const PAGE: u32 = 0;

    fn cursor(&self) -> u64 {
        0
    }

    fn read(&self) -> u64 {
        0
    }

    async fn take(&mut self, _: Vec<Recorded>) -> Result<Taken> {
        Ok(Taken::Counted)
    }

    fn restart(&mut self, _: Option<(&str, &str)>) -> Result<()> {
        Ok(())
    }

    async fn summary(&mut self, bench: Bench<'_>, state: &DecisionState) -> Result<TestSummary> {
        let (work, id) = (bench.work, &bench.claimed.id);
        let progress = work.progress(id).await?;
        let (done, units) = (progress.done, progress.units);
        let is_final = matches!(state, DecisionState::Final(_));
        let outcome = if !is_final {
            None
        } else if bench.doubts().await? == 0 {
            Some(Outcome::Complete)
        } else {
            Some(Outcome::Inexact)
        };
        let known = work.verification(id).await?.workers.into_iter();
        Ok(TestSummary {
            schema: summary::SCHEMA.to_owned(),
            done,
            units,
            outcome,
            headline: match outcome {
                None => format!("{done} of {units} units are played"),
                Some(Outcome::Complete) => format!("complete: all {units} units are played"),
                Some(_) => "workers played different games, and nobody has decided".to_owned(),
            },
            workers: WorkerSummary::of_units(known.map(|(name, units, _)| (name, units))),
            ..TestSummary::default()
        })
    }
}
