//! Tests, from a submission to a verdict.
//!
//! [`submit`] and [`repositories`] are what people do, [`api`] how programs do it. Each server runs
//! [`run`] in the background: it claims tests that nobody conducts, prepares them (revisions become
//! commits, pairs become units of a job), reads their results, and stores what is known and the
//! final result. All of that can be computed again from the results: when a server dies, its claims
//! expire, and another one takes over.
//!
//! Games are judged by `selfplay`, counts by `perft`; here are only the steps and the database.

pub mod api;
pub(crate) mod blocking;
mod claim;
mod confirm;
mod count;
mod error;
pub mod git;
pub mod openbench;
mod pairs;
mod prepare;
pub mod repositories;
mod rounds;
mod run;
mod searches;
pub mod submit;
mod training;

use std::time::Duration;

use rand::TryRng as _;
use rand::rngs::SysRng;
use selfplay::lab::spec::TestKind;
use selfplay::lab::summary as lab_summary;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::model::JobStage;
use crate::policy::confirm::DecisionPatience;
use crate::store::work::Work;
use crate::store::{Database, bounded};
use claim::{Claimed, Conductor, News};
pub use error::{ConductError, Retry};
use run::JobRun;
pub use selfplay::lab::{spec, summary};

type Result<T> = std::result::Result<T, ConductError>;

/// The pause between claims.
const CLAIM: Duration = Duration::from_secs(1);
/// Number of tests that are claimed at once, so that other servers get some, too.
const AT_ONCE: usize = 4;
/// Number of tests that a server conducts.
const MOST: usize = 64;

/// Conducts tests until `stop` is set, and gives its claims up then.
///
/// # Errors
/// The system has no random numbers.
pub async fn run(
    database: Database,
    work: Work,
    patience: DecisionPatience,
    mut stop: watch::Receiver<bool>,
) -> std::result::Result<(), rand::rngs::SysError> {
    let mut bytes = [0; 8];
    SysRng.try_fill_bytes(&mut bytes)?;
    // A server that is started again has another name: the claims of the one before are not its own.
    let name = format!("{:016x}", u64::from_le_bytes(bytes));
    let conductor = Conductor {
        database,
        name,
        patience,
    };
    let mut tests = JoinSet::new();
    while !*stop.borrow() {
        while tests.try_join_next().is_some() {}
        let most = AT_ONCE.min(MOST - tests.len().min(MOST));
        match bounded(conductor.claim(most)).await {
            Ok(claimed) => {
                for claimed in claimed {
                    let (conductor, work) = (conductor.clone(), work.clone());
                    tests.spawn(conduct(conductor, work, claimed, stop.clone()));
                }
            }
            Err(error) => tracing::warn!("tests cannot be claimed: {error}"),
        }
        // The sender is gone only when the server ends.
        if matches!(
            tokio::time::timeout(CLAIM, stop.changed()).await,
            Ok(Err(_))
        ) {
            break;
        }
    }
    while tests.join_next().await.is_some() {}
    Ok(())
}

/// Conducts one test until it is concluded, somebody else has it, or `stop` is set.
async fn conduct(conductor: Conductor, work: Work, claimed: Claimed, stop: watch::Receiver<bool>) {
    let number = claimed.number;
    match conduct_claimed(&conductor, &work, &claimed, stop).await {
        Ok(()) => {}
        Err(ConductError::TakenOver) => {
            tracing::info!("{}: another server conducts it", claimed.id);
            return;
        }
        Err(error) => {
            // A preparation may be given up; a test that has units is tried again until it ends.
            let retry = if claimed.state == JobStage::Waiting {
                error.retry()
            } else {
                Retry::Always
            };
            tracing::warn!("{}: {error}", claimed.id);
            let reason = error.to_string();
            let noted = conductor.failed(&claimed, &reason, retry);
            if let Err(error) = noted.await {
                tracing::warn!("{}: {error}", claimed.id);
            }
            return;
        }
    }
    // If it is not released, the claim expires by itself.
    if let Err(error) = conductor.release(number).await {
        tracing::warn!("{}: {error}", claimed.id);
    }
}

async fn conduct_claimed(
    conductor: &Conductor,
    work: &Work,
    claimed: &Claimed,
    stop: watch::Receiver<bool>,
) -> Result<()> {
    if claimed.state == JobStage::Waiting {
        // The test is conducted by the next claim, of any server.
        return prepare::prepare(conductor, work, claimed).await;
    }
    if claimed.body.is_none() {
        return conclude_unprepared(conductor, claimed).await;
    }
    match &claimed.spec.kind {
        TestKind::Perft { .. } => {
            let kind = count::CountRun::open(claimed).await?;
            JobRun::new(claimed.clone(), kind)
                .conduct(conductor, work, stop)
                .await
        }
        TestKind::TrainingGames { .. } => {
            let kind = training::TrainingRun;
            JobRun::new(claimed.clone(), kind)
                .conduct(conductor, work, stop)
                .await
        }
        kind if kind.is_of_pairs() => {
            let kind = pairs::PairRun::open(conductor, claimed).await?;
            JobRun::new(claimed.clone(), kind)
                .conduct(conductor, work, stop)
                .await
        }
        _ => {
            let kind = searches::SearchRun::open(claimed).await?;
            JobRun::new(claimed.clone(), kind)
                .conduct(conductor, work, stop)
                .await
        }
    }
}

/// A test that was stopped before it had units.
async fn conclude_unprepared(conductor: &Conductor, claimed: &Claimed) -> Result<()> {
    let mut summary = claimed.summary.clone().unwrap_or_default().0;
    lab_summary::SCHEMA.clone_into(&mut summary.schema);
    summary.headline = claimed.reason.clone().unwrap_or_default();
    let news = News {
        summary: &summary,
        cursor: 0,
        point: None,
    };
    conductor.conclude(claimed, &news).await
}
