//! `epd worker URL`.

use std::path::PathBuf;
use std::time::Duration;

use kit::values::{time, time_or_zero};
use kit::{BadInput, Exit, Interrupt};
use queue::{Worker, worker_name};
use serde::Serialize;

use super::fleet::{RetryArgs, connect, find_here};
use super::input::{concurrency, remark};
use crate::distributed::worker::{Pace, WorkError, Workplace};

/// How often an idle worker asks for work.
const POLL: Duration = Duration::from_secs(1);

/// Search for others: chunks of the suites that `epd run --fleet URL` has posted
///
/// Runs until Ctrl-C or SIGTERM, then submits what is finished and returns its chunks. An engine is
/// known by the SHA-256 of its program, and looked for at the path it has on the machine that posted
/// the job, then in --engines.
///
/// Example: `epd worker postgres://epd@db.example.org/fleet --engines ~/engines -j 8`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 ended after --idle-exit, 2 invalid usage or input, or an engine is not here, 3 an \
                  engine or the environment failed, 4 nothing was searched before --idle-exit, 130 interrupted."
)]
pub(super) struct WorkerArgs {
    /// URL of the broker
    #[arg(value_name = "URL", env = "FLEET_URL", hide_env_values = true)]
    url: String,

    /// Unique name of this worker [default: machine, process and a random number]
    #[arg(long)]
    name: Option<String>,

    /// Directory of programs in which to look for engines by their SHA-256
    #[arg(long, value_name = "DIR")]
    engines: Option<PathBuf>,

    /// Number of engines that search at the same time [default: cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,

    /// Exit after this much idle time, such as 10m [default: never]
    #[arg(long, value_name = "TIME", value_parser = time_or_zero)]
    idle_exit: Option<Duration>,

    /// Time of silence after which other workers may take over its chunks
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time)]
    lease: Duration,

    #[command(flatten)]
    retry: RetryArgs,
}

/// Information about a worker, for diagnostics.
#[derive(Serialize)]
struct About {
    program: &'static str,
    version: &'static str,
    engines: usize,
}

pub(super) fn run(
    args: &WorkerArgs,
    interrupt: &Interrupt,
    is_quiet: bool,
) -> anyhow::Result<Exit> {
    let name = args.name.clone().unwrap_or_else(worker_name);
    if name.trim().is_empty() {
        let message = "the name is empty, expected one that no other worker has";
        return Err(BadInput(message.to_owned()).into());
    }
    if let Some(folder) = args.engines.as_ref().filter(|folder| !folder.is_dir()) {
        let message = format!("--engines: {} is not a directory", folder.display());
        return Err(BadInput(message).into());
    }
    let broker = connect(&args.url)?;
    let lanes = concurrency(args.concurrency, None);
    let about = About {
        program: "epd",
        version: env!("CARGO_PKG_VERSION"),
        engines: lanes,
    };
    let worker = Worker {
        name,
        about: serde_json::to_string(&about)?,
    };
    let text = format!("worker {}: {}", worker.name, worker.about);
    remark(is_quiet, &text);
    let workplace = Workplace {
        broker: &*broker,
        worker: &worker,
        lanes,
        find: &|command, sum| find_here(command, sum, args.engines.as_deref()),
        pace: Pace {
            visibility: args.lease,
            poll: POLL,
            idle_exit: args.idle_exit,
        },
        retry: args.retry.policy(interrupt, is_quiet),
    };
    let shift = workplace.work().map_err(|error| match error {
        WorkError::Program { .. } | WorkError::Read { .. } => BadInput(error.to_string()).into(),
        error => anyhow::Error::from(error),
    })?;
    Ok(match shift.searches {
        _ if shift.interrupted => Exit::Interrupted,
        0 => Exit::Nothing,
        _ => Exit::Agreed,
    })
}
