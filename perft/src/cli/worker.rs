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

/// How often a worker without work asks for some.
const POLL: Duration = Duration::from_secs(1);

/// Count for others: chunks of the counts that `perft count --fleet URL` has put
///
/// Works until Ctrl-C or the signal to terminate, on which its chunk is given back. Exit codes: 0 ended
/// after --idle-exit, 4 the same without having counted anything, 130 interrupted.
///
/// Example: `perft worker postgres://perft@db.example.org/fleet --idle-exit 600`.
#[derive(Debug, clap::Args)]
pub(super) struct WorkerArgs {
    /// The broker
    #[arg(value_name = "URL", env = "FLEET_URL", hide_env_values = true)]
    url: String,

    /// Its name, which no other worker may have [default: machine, process and a random number]
    #[arg(long)]
    name: Option<String>,

    /// End after so many seconds without anything to do [default: never]
    #[arg(long, value_name = "SECONDS",
          value_parser = clap::value_parser!(u32).range(0..=100_000_000))]
    idle_exit: Option<u32>,

    /// Seconds after which others may have its chunk, once it has fallen silent
    #[arg(long, value_name = "SECONDS", default_value_t = 60,
          value_parser = clap::value_parser!(u32).range(1..=86_400))]
    lease: u32,

    #[command(flatten)]
    patience: PatienceArgs,

    #[command(flatten)]
    effort: Effort,
}

/// What is good to know of a worker.
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
