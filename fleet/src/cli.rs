//! The command line and the exit codes.

use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use kit::{BadInput, Exit, output, table};
use serde::Serialize;

use crate::connect::target;
use crate::postgres::Postgres;
use crate::{Broker as _, BrokerError, Installed, install};

const EXIT_CODES: &str = "Exit codes: 0 success, 1 a job has alarms, 2 invalid usage or input, 3 the server failed or \
                          cannot be reached, 130 interrupted.";

/// The server of a command.
#[derive(Debug, clap::Args)]
struct Server {
    /// URL of the server
    #[arg(value_name = "URL", env = "FLEET_URL", hide_env_values = true)]
    url: String,
}

impl Server {
    fn connect(&self) -> anyhow::Result<Postgres> {
        Ok(Postgres::connect(target(&self.url)?)?)
    }
}

/// Manage the database server that distributes work to `perft worker` and `selfplay worker`
///
/// URL is postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=MODE&sslrootcert=FILE. A password
/// that is not in it is taken from PGPASSWORD. MODE is disable, prefer (the default), require or
/// verify-full; the last needs FILE, or `system`.
#[derive(Debug, Subcommand)]
#[command(version)]
enum Command {
    /// Install or update the queue and the schema. Can be repeated at any time
    ///
    /// The user in URL needs the right to create schemas, and with --worker-role roles.
    Up {
        #[command(flatten)]
        server: Server,
        /// Create a role that has only the rights of a worker, or grant them to an existing role. It
        /// gets no password: set one with `\password NAME` in psql. Example: --worker-role worker
        #[arg(long, value_name = "NAME")]
        worker_role: Option<String>,
    },
    Status(StatusArgs),
    /// Stop a job before it is complete: no more leases are given out, and its workers are informed
    Stop {
        #[command(flatten)]
        server: Server,
        /// Name of the job
        job: String,
        /// Reason, shown to the workers of the job
        reason: String,
    },
    /// Quarantine a worker: it gets no more leases and its new results are rejected. Earlier results
    /// stay
    #[command(alias = "set-aside")]
    Quarantine {
        #[command(flatten)]
        server: Server,
        /// Name of the worker
        worker: String,
        /// Reason for the quarantine
        reason: String,
    },
    /// Discard the results of a worker for a job; their units are leased again
    #[command(
        alias = "forget",
        after_help = "Exit codes: 0 success, 2 invalid usage or input, 3 the server failed or \
                                              cannot be reached, 4 the worker had no results, 130 interrupted."
    )]
    Discard {
        #[command(flatten)]
        server: Server,
        /// Name of the job
        job: String,
        /// Name of the worker
        worker: String,
    },
    /// Remove a job that is complete or stopped, with all its results
    Remove {
        #[command(flatten)]
        server: Server,
        /// Name of the job
        job: String,
    },
}

/// Runs the command line program.
pub fn main() -> ExitCode {
    let program = |command, _: kit::cli::Common| run(command);
    kit::cli::main("fleet", EXIT_CODES, program, |error| {
        match error.downcast_ref()? {
            BrokerError::BadUrl(_) | BrokerError::NoJob(_) | BrokerError::NoWorker(_) => {
                Some(Exit::BadInput)
            }
            _ => Some(Exit::Failed),
        }
    })
}

fn run(command: Command) -> anyhow::Result<Exit> {
    let text = match command {
        Command::Status(args) => return status(&args),
        Command::Up {
            server,
            worker_role,
        } => {
            let installed = install(&server.url, worker_role.as_deref())?;
            text(&installed, worker_role.as_deref())
        }
        Command::Stop {
            server,
            job,
            reason,
        } => {
            let server = server.connect()?;
            server.stop(&job, &reason)?;
            let stopped = server.progress(&job)?.stopped.unwrap_or_default();
            format!("job {job} is stopped: {stopped}\n")
        }
        Command::Quarantine {
            server,
            worker,
            reason,
        } => {
            server.connect()?.quarantine(&worker, &reason)?;
            format!("worker {worker} is in quarantine\n")
        }
        Command::Discard {
            server,
            job,
            worker,
        } => {
            let discarded = server.connect()?.discard(&job, &worker)?;
            output::to_stdout(format!(
                "discarded {discarded} results of {worker} for job {job}\n"
            ))?;
            return Ok(if discarded == 0 {
                Exit::Nothing
            } else {
                Exit::Agreed
            });
        }
        Command::Remove { server, job } => {
            let server = server.connect()?;
            let progress = server.progress(&job)?;
            if !progress.is_complete() && progress.stopped.is_none() {
                let text = format!("job {job} is running; stop it first");
                return Err(BadInput(text).into());
            }
            server.remove(&job)?;
            format!("job {job} is removed\n")
        }
    };
    output::to_stdout(text)?;
    Ok(Exit::Agreed)
}

fn text(installed: &Installed, role: Option<&str>) -> String {
    let Installed {
        server,
        queue,
        schema,
        new_role,
    } = installed;
    let there =
        format!("{server}: queue PGMQ {queue} and schema touchstone {schema} are installed\n");
    let Some((role, is_new)) = role.zip(*new_role) else {
        return there;
    };
    if is_new {
        format!("{there}role {role} is created; set its password with \\password {role} in psql\n")
    } else {
        format!("{there}role {role} has the rights of a worker\n")
    }
}

/// Show jobs and workers: progress, leased and waiting chunks, alarms, and workers' silence
#[derive(Debug, clap::Args)]
struct StatusArgs {
    #[command(flatten)]
    server: Server,
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

/// The data shown; also the structure of the JSON output.
#[derive(Debug, Serialize)]
struct Status {
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
    compared: u64,
    to_compare: u64,
    alarms: u64,
    /// A number of chunks, like `waiting`.
    leased: u64,
    waiting: u64,
    stopped: Option<String>,
}

#[derive(Debug, Serialize)]
struct WorkerLine {
    name: String,
    about: String,
    units: u64,
    silent_ms: u64,
    #[serde(rename = "set_aside")]
    quarantined: Option<String>,
}

fn status(args: &StatusArgs) -> anyhow::Result<Exit> {
    let target = target(&args.server.url)?;
    let shown = target.shown();
    let server = Postgres::connect(target)?;
    let waiting = server.waiting()?;
    let waits = |id: &str| {
        waiting
            .iter()
            .find(|(job, _)| job == id)
            .map_or(0, |found| found.1)
    };
    let jobs = server.jobs()?.into_iter();
    let workers = server.workers()?.into_iter();
    let status = Status {
        schema: "touchstone/fleet-status/1",
        server: shown,
        jobs: jobs
            .map(|state| JobLine {
                waiting: waits(&state.job.id),
                id: state.job.id,
                kind: state.job.kind,
                units: state.progress.units,
                done: state.progress.done,
                compared: state.progress.compared,
                to_compare: state.progress.to_compare,
                alarms: state.progress.alarms,
                leased: state.leased,
                stopped: state.progress.stopped,
            })
            .collect(),
        workers: workers
            .map(|state| WorkerLine {
                name: state.worker.name,
                about: state.worker.about,
                units: state.units,
                silent_ms: state.silent_ms,
                quarantined: state.quarantined,
            })
            .collect(),
    };
    output::to_stdout(match args.format {
        StatusFormat::Human => status.human(),
        StatusFormat::Json => serde_json::to_string(&status)? + "\n",
    })?;
    let has_alarms = status.jobs.iter().any(|job| job.alarms > 0);
    Ok(if has_alarms {
        Exit::Differs
    } else {
        Exit::Agreed
    })
}

impl JobLine {
    fn standing(&self) -> String {
        match &self.stopped {
            Some(reason) => format!("stopped: {reason}"),
            None if self.done == self.units => "complete".into(),
            None => "running".into(),
        }
    }
}

impl Status {
    fn human(&self) -> String {
        let mut text = format!("{}\n\n", self.server);
        if self.jobs.is_empty() {
            text += "no jobs\n";
        } else {
            let head = [
                "job", "kind", "done", "of", "compared", "of", "leased", "waiting", "alarms", "",
            ];
            let rows = self.jobs.iter().map(|job| {
                let numbers = [
                    job.done,
                    job.units,
                    job.compared,
                    job.to_compare,
                    job.leased,
                    job.waiting,
                    job.alarms,
                ];
                let mut row = vec![job.id.clone(), job.kind.clone()];
                row.extend(numbers.map(output::grouped));
                row.push(job.standing());
                row
            });
            text += &table::text(&head, 2..9, rows);
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
                quarantined.map_or_else(String::new, |reason| format!("in quarantine: {reason}")),
                worker.about.clone(),
            ]
        });
        let head = ["worker", "units", "silent", "", "about"];
        text + "\n" + &table::text(&head, 1..3, rows)
    }
}
