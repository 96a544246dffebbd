//! `fleet stop`, `set-aside`, `forget`, `remove`: administration of jobs and workers.

use clap::Args;
use kit::{BadInput, Exit, output};

use crate::Broker as _;
use crate::connect::target;
use crate::postgres::Postgres;

/// Stop a job before it is complete: no more leases are given out, and its workers are informed.
#[derive(Debug, Args)]
pub(super) struct StopArgs {
    /// URL of the server.
    #[arg(value_name = "URL")]
    url: String,
    /// Name of the job.
    #[arg(value_name = "JOB")]
    job: String,
    /// Reason, shown to the workers of the job.
    #[arg(value_name = "REASON")]
    reason: String,
}

/// Quarantine a worker: it gets no more leases and its new results are rejected. Earlier results
/// stay.
#[derive(Debug, Args)]
pub(super) struct SetAsideArgs {
    /// URL of the server.
    #[arg(value_name = "URL")]
    url: String,
    /// Name of the worker.
    #[arg(value_name = "WORKER")]
    worker: String,
    /// Reason for the quarantine.
    #[arg(value_name = "REASON")]
    reason: String,
}

/// Discard the results of a worker for a job; their units are leased again.
#[derive(Debug, Args)]
pub(super) struct ForgetArgs {
    /// URL of the server.
    #[arg(value_name = "URL")]
    url: String,
    /// Name of the job.
    #[arg(value_name = "JOB")]
    job: String,
    /// Name of the worker.
    #[arg(value_name = "WORKER")]
    worker: String,
}

/// Remove a job that is complete or stopped, with all its results.
#[derive(Debug, Args)]
pub(super) struct RemoveArgs {
    /// URL of the server.
    #[arg(value_name = "URL")]
    url: String,
    /// Name of the job.
    #[arg(value_name = "JOB")]
    job: String,
}

fn server(url: &str) -> anyhow::Result<Postgres> {
    Ok(Postgres::connect(target(url)?)?)
}

pub(super) fn stop(args: &StopArgs) -> anyhow::Result<Exit> {
    let server = server(&args.url)?;
    server.stop(&args.job, &args.reason)?;
    let stopped = server.progress(&args.job)?.stopped.unwrap_or_default();
    output::to_stdout(format!("job {} is stopped: {stopped}\n", args.job))?;
    Ok(Exit::Agreed)
}

pub(super) fn set_aside(args: &SetAsideArgs) -> anyhow::Result<Exit> {
    server(&args.url)?.set_aside(&args.worker, &args.reason)?;
    output::to_stdout(format!("worker {} is set aside\n", args.worker))?;
    Ok(Exit::Agreed)
}

pub(super) fn forget(args: &ForgetArgs) -> anyhow::Result<Exit> {
    let dropped = server(&args.url)?.forget(&args.job, &args.worker)?;
    let (job, worker) = (&args.job, &args.worker);
    output::to_stdout(format!(
        "{dropped} results of {worker} for job {job} are dropped\n"
    ))?;
    Ok(if dropped == 0 {
        Exit::Nothing
    } else {
        Exit::Agreed
    })
}

pub(super) fn remove(args: &RemoveArgs) -> anyhow::Result<Exit> {
    let server = server(&args.url)?;
    let progress = server.progress(&args.job)?;
    if !progress.is_complete() && progress.stopped.is_none() {
        let text = format!("job {} goes on; stop it first", args.job);
        return Err(BadInput(text).into());
    }
    server.remove(&args.job)?;
    output::to_stdout(format!("job {} is gone\n", args.job))?;
    Ok(Exit::Agreed)
}
