//! `perft worker URL`, and connecting to a broker.

use std::time::Duration;

use chess::perft::Kernel;
use kit::values::{time, time_or_zero};
use kit::{BadInput, Exit};
use queue::{AskError, Broker, BrokerError, RetryPolicy, Worker};
use serde::Serialize;

use super::effort::Effort;
use super::{Session, machine, print_line};
use crate::count::distributed::worker::{Pace, Workplace};

/// How often an idle worker asks for work.
const POLL: Duration = Duration::from_secs(1);

/// Count for others: chunks of the counts that `perft count --fleet URL` has put
///
/// Runs until Ctrl-C or SIGTERM, then gives its chunk back.
///
/// Example: `perft worker postgres://perft@db.example.org/fleet --idle-exit 10m`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 ended after --idle-exit, 2 invalid usage or input, 3 the \
                        environment failed, 4 nothing was counted before --idle-exit, 130 \
                        interrupted."
)]
pub(super) struct WorkerArgs {
    /// URL of the broker
    #[arg(value_name = "URL", env = "FLEET_URL", hide_env_values = true)]
    url: String,

    /// Unique name of this worker [default: machine, process and a random number]
    #[arg(long)]
    name: Option<String>,

    /// Exit after this much idle time, such as 10m [default: never]
    #[arg(long, value_name = "TIME", value_parser = time_or_zero)]
    idle_exit: Option<Duration>,

    /// Time of silence after which other workers may take over its chunk
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time)]
    lease: Duration,

    #[command(flatten)]
    retry: RetryArgs,

    #[command(flatten)]
    effort: Effort,
}

/// Retry options for an unreachable broker.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct RetryArgs {
    /// Time to keep retrying when the broker becomes unreachable, for example while it restarts
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = time_or_zero)]
    patience: Duration,
}

impl RetryArgs {
    pub(super) fn policy(self, session: &Session) -> RetryPolicy<'_> {
        RetryPolicy {
            most: self.patience,
            interrupt: &session.interrupt,
            report: if session.quiet { &|_| {} } else { &print_line },
        }
    }
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

pub(super) fn worker(args: &WorkerArgs, session: &Session) -> anyhow::Result<Exit> {
    let name = args.name.clone().unwrap_or_else(queue::worker_name);
    if name.trim().is_empty() {
        let message = "the name is empty, expected one that no other worker has";
        return Err(BadInput(message.to_owned()).into());
    }
    let broker = connect(&args.url)?;
    let table = args.effort.table(true)?;
    let pool = args.effort.pool()?;
    let kernel = args.effort.kernel.unwrap_or_else(Kernel::fastest);
    let about = About {
        program: "perft",
        version: env!("CARGO_PKG_VERSION"),
        threads: pool.current_num_threads(),
        kernel: kernel.to_string(),
        cpu: machine::processor(),
    };
    let worker = Worker {
        name,
        about: serde_json::to_string(&about)?,
    };
    session.remark(&format!("worker {}: {}", worker.name, worker.about));
    let workplace = Workplace {
        broker: &*broker,
        worker: &worker,
        counter: args.effort.counter(table.as_ref())?,
        pool: &pool,
        pace: Pace {
            visibility: args.lease,
            poll: POLL,
            idle_exit: args.idle_exit,
        },
        retry: args.retry.policy(session),
    };
    let shift = workplace.work()?;
    Ok(match shift.chunks {
        _ if shift.interrupted => Exit::Interrupted,
        0 => Exit::Nothing,
        _ => Exit::Agreed,
    })
}

/// Connects to the broker at a URL.
#[cfg(feature = "fleet")]
pub(super) fn connect(url: &str) -> anyhow::Result<Box<dyn Broker>> {
    let client = queue::connect_with_environment(url).map_err(|error| explain(error.into()))?;
    Ok(Box::new(client))
}

/// Fails, and names the build that has brokers.
#[cfg(not(feature = "fleet"))]
pub(super) fn connect(_: &str) -> anyhow::Result<Box<dyn Broker>> {
    let message = "this perft was built without it: cargo install --path perft --features fleet";
    Err(BadInput(message.to_owned()).into())
}

/// Chooses the exit code: invalid requests and failures differ.
pub(super) fn explain(error: AskError) -> anyhow::Error {
    match error {
        AskError::Broker(error @ (BrokerError::BadUrl(_) | BrokerError::OtherJob { .. })) => {
            BadInput(error.to_string()).into()
        }
        error => error.into(),
    }
}
