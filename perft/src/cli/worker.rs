//! `perft worker URL`.

use std::time::Duration;

use chess::perft::Kernel;
use fleet::Worker;
use kit::{BadInput, Exit, Interrupt};
use serde::Serialize;

use super::broker::{self, PatienceArgs, say};
use super::counter;
use super::effort::Effort;
use crate::shared::{Pace, Workplace};
use crate::{machine, run};

/// How often an idle worker asks for work.
const POLL: Duration = Duration::from_secs(1);

/// Count for others: chunks of the counts that `perft count --fleet URL` has put
///
/// Runs until Ctrl-C or SIGTERM, then gives its chunk back. Exit codes: 0 ended after --idle-exit,
/// 4 the same without having counted anything, 130 interrupted.
///
/// Example: `perft worker postgres://perft@db.example.org/fleet --idle-exit 600`.
#[derive(Debug, clap::Args)]
pub(super) struct WorkerArgs {
    /// URL of the broker
    #[arg(value_name = "URL", env = "FLEET_URL", hide_env_values = true)]
    url: String,

    /// Unique name of this worker [default: machine, process and a random number]
    #[arg(long)]
    name: Option<String>,

    /// Exit after this many idle seconds [default: never]
    #[arg(long, value_name = "SECONDS",
          value_parser = clap::value_parser!(u32).range(0..=100_000_000))]
    idle_exit: Option<u32>,

    /// Seconds of silence after which other workers may take over its chunk
    #[arg(long, value_name = "SECONDS", default_value_t = 60,
          value_parser = clap::value_parser!(u32).range(1..=86_400))]
    lease: u32,

    #[command(flatten)]
    patience: PatienceArgs,

    #[command(flatten)]
    effort: Effort,
}

/// Information about a worker, for diagnostics.
#[derive(Serialize)]
struct About {
    program: &'static str,
    version: &'static str,
    threads: usize,
    kernel: String,
    cpu: Option<String>,
}

pub(super) fn worker(args: &WorkerArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let name = args.name.clone().unwrap_or_else(machine::worker_name);
    if name.trim().is_empty() {
        let message = "the name is empty, expected one that no other worker has";
        return Err(BadInput(message.to_owned()).into());
    }
    let broker = broker::connect(&args.url)?;
    let table = args.effort.table(true)?;
    let pool = run::pool(args.effort.threads())?;
    let about = About {
        program: "perft",
        version: env!("CARGO_PKG_VERSION"),
        threads: pool.current_num_threads(),
        kernel: args
            .effort
            .kernel
            .unwrap_or_else(Kernel::fastest)
            .to_string(),
        cpu: machine::processor(),
    };
    let worker = Worker {
        name,
        about: serde_json::to_string(&about)?,
    };
    say(&format!("worker {}: {}", worker.name, worker.about));
    let workplace = Workplace {
        broker: &*broker,
        worker: &worker,
        counter: counter(&args.effort, table.as_ref())?,
        pool: &pool,
        pace: args.pace(),
        patience: args.patience.patience(interrupt),
    };
    let shift = workplace.work()?;
    Ok(match shift {
        shift if shift.interrupted => Exit::Interrupted,
        shift if shift.chunks == 0 => Exit::Nothing,
        _ => Exit::Agreed,
    })
}

impl WorkerArgs {
    fn pace(&self) -> Pace {
        let seconds = |seconds: u32| Duration::from_secs(seconds.into());
        Pace {
            visibility: seconds(self.lease),
            poll: POLL,
            idle_exit: self.idle_exit.map(seconds),
        }
    }
}
