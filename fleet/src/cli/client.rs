//! Commands that ask a server: `status`, `stop`, `quarantine`, `discard`.

use clap::ValueEnum;
use kit::{Exit, output, table};
use queue::{Broker as _, BrokerError, JobState, LabClient, WorkerState};
use serde::Serialize;

/// The server of a command.
#[derive(Debug, clap::Args)]
pub(super) struct Lab {
    /// Address of the lab
    ///
    /// Such as `https://lab.example`. The token of your account is read from the environment variable
    /// `FLEET_TOKEN`
    #[arg(value_name = "URL", env = "FLEET_URL")]
    url: String,
}

impl Lab {
    fn connect(&self) -> Result<LabClient, BrokerError> {
        queue::connect_with_environment(&self.url)
    }
}

/// Stop a job before it is complete: no more leases are given out, and its workers are informed
#[derive(Debug, clap::Args)]
pub(super) struct StopArgs {
    #[command(flatten)]
    lab: Lab,
    /// Name of the job
    job: String,
    /// Reason, shown to its workers and on its page
    reason: String,
}

/// Quarantine a worker: it gets no more leases, and its unverified results are done again by others
#[derive(Debug, clap::Args)]
pub(super) struct QuarantineArgs {
    #[command(flatten)]
    lab: Lab,
    /// Name of the worker
    worker: String,
    /// Reason for the quarantine
    reason: String,
}

/// Discard the results of a worker for a job; their units are leased again
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 success, 2 invalid usage or input, 3 the server failed or cannot \
                        be reached, 4 the worker had no results, 130 interrupted."
)]
pub(super) struct DiscardArgs {
    #[command(flatten)]
    lab: Lab,
    /// Name of the job
    job: String,
    /// Name of the worker
    worker: String,
}

/// List jobs and workers: progress, verified units, differences, and workers' silence
///
/// Example: `fleet status https://lab.example`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 success, 1 workers disagree about a job, 2 invalid usage or input, 3 \
                        the server failed or cannot be reached, 130 interrupted."
)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    lab: Lab,
    /// Output format
    #[arg(long, value_enum, default_value_t = StatusFormat::Human)]
    format: StatusFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StatusFormat {
    /// Text for people
    Human,
    /// JSON
    Json,
}

pub(super) fn stop(args: &StopArgs) -> anyhow::Result<Exit> {
    let client = args.lab.connect()?;
    client.stop(&args.job, &args.reason)?;
    let stopped = client.progress(&args.job)?.stopped.unwrap_or_default();
    output::to_stdout(format!("job {} is stopped: {stopped}\n", args.job))?;
    Ok(Exit::Agreed)
}

pub(super) fn quarantine(args: &QuarantineArgs) -> anyhow::Result<Exit> {
    args.lab.connect()?.quarantine(&args.worker, &args.reason)?;
    output::to_stdout(format!("worker {} is quarantined\n", args.worker))?;
    Ok(Exit::Agreed)
}

pub(super) fn discard(args: &DiscardArgs) -> anyhow::Result<Exit> {
    let DiscardArgs { lab, job, worker } = args;
    let discarded = lab.connect()?.discard(job, worker)?;
    let results = output::grouped(discarded);
    output::to_stdout(format!(
        "discarded {results} results of {worker} for job {job}\n"
    ))?;
    Ok(if discarded == 0 {
        Exit::Nothing
    } else {
        Exit::Agreed
    })
}

/// The data shown; also the structure of the JSON output.
#[derive(Debug, Serialize)]
struct LabStatus {
    schema: &'static str,
    server: String,
    jobs: Vec<JobLine>,
    workers: Vec<WorkerLine>,
}

#[derive(Debug, Serialize)]
struct JobLine {
    id: String,
    kind: String,
    units: u64,
    done: u64,
    /// Number of units with two results that were compared.
    compared: u64,
    to_compare: u64,
    alarms: u64,
    /// Number of chunks.
    leased: u64,
    flagged: Option<String>,
    stopped: Option<String>,
}

#[derive(Debug, Serialize)]
struct WorkerLine {
    name: String,
    about: String,
    units: u64,
    silent_ms: u64,
    quarantined: Option<String>,
}

pub(super) fn status(args: &StatusArgs) -> anyhow::Result<Exit> {
    let client = args.lab.connect()?;
    let status = LabStatus {
        schema: "touchstone/fleet-status/2",
        server: args.lab.url.clone(),
        jobs: client.jobs()?.into_iter().map(JobLine::from).collect(),
        workers: client
            .workers()?
            .into_iter()
            .map(WorkerLine::from)
            .collect(),
    };
    output::to_stdout(match args.format {
        StatusFormat::Human => status.human(),
        StatusFormat::Json => serde_json::to_string(&status)? + "\n",
    })?;
    let differs = status.jobs.iter().any(|job| job.alarms > 0);
    Ok(if differs { Exit::Differs } else { Exit::Agreed })
}

impl From<JobState> for JobLine {
    fn from(state: JobState) -> Self {
        let JobState {
            job,
            progress,
            leased,
        } = state;
        Self {
            id: job.id,
            kind: job.kind,
            units: progress.units,
            done: progress.done,
            compared: progress.compared,
            to_compare: progress.to_compare,
            alarms: progress.alarms,
            leased,
            flagged: progress.flagged,
            stopped: progress.stopped,
        }
    }
}

impl From<WorkerState> for WorkerLine {
    fn from(state: WorkerState) -> Self {
        Self {
            name: state.worker.name,
            about: state.worker.about,
            units: state.units,
            silent_ms: state.silent_ms,
            quarantined: state.quarantined,
        }
    }
}

impl JobLine {
    fn standing(&self) -> String {
        match (&self.flagged, &self.stopped) {
            (Some(reason), _) => format!("flagged: {reason}"),
            (None, Some(reason)) => format!("stopped: {reason}"),
            (None, None) if self.done == self.units => "complete".into(),
            (None, None) => "running".into(),
        }
    }
}

impl LabStatus {
    fn human(&self) -> String {
        let mut text = format!("{}\n\n", self.server);
        if self.jobs.is_empty() {
            text += "no jobs\n";
        } else {
            let head = [
                "job", "kind", "done", "of", "compared", "of", "leased", "alarms", "",
            ];
            let rows = self.jobs.iter().map(|job| {
                let numbers = [
                    job.done,
                    job.units,
                    job.compared,
                    job.to_compare,
                    job.leased,
                    job.alarms,
                ];
                let mut row = vec![job.id.clone(), job.kind.clone()];
                row.extend(numbers.map(output::grouped));
                row.push(job.standing());
                row
            });
            text += &table::text(&head, 2..8, rows);
        }
        if self.workers.is_empty() {
            return text + "\nno workers\n";
        }
        let rows = self.workers.iter().map(|worker| {
            let quarantined = worker.quarantined.as_ref();
            vec![
                worker.name.clone(),
                output::grouped(worker.units),
                format!("{} s", output::grouped(worker.silent_ms / 1000)),
                quarantined.map_or_else(String::new, |reason| format!("quarantined: {reason}")),
                worker.about.clone(),
            ]
        });
        let head = ["worker", "units", "silent", "", "about"];
        text + "\n" + &table::text(&head, 1..3, rows)
    }
}
