//! `selfplay worker`.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::Duration;

use kit::{Exit, Interrupt, output};

use super::fleet::connect;
use crate::config::Seconds;
use crate::fleet::program::Places;
use crate::fleet::speed::measure;
use crate::fleet::worker::{HelpError, Helper, help};
use crate::player::Patience;

/// Play pairs of games for tests that others have begun with `selfplay sprt --fleet URL`
///
/// Programs are identified by the SHA-256 of their file or, for tests of revisions, by commit,
/// which is built here. Anyone who can add jobs to the broker can run any command on this machine:
/// use your own broker, and an unprivileged user.
///
/// Exit codes: 0 pairs were played, 2 a program is missing or does not match, 3 the broker or the
/// environment failed, or the worker was quarantined, 4 nothing was played, 130 interrupted.
///
/// Example: `selfplay worker postgres://me@host/fleet --engines engines --concurrency 8 --pin`.
#[derive(Debug, clap::Args)]
pub(super) struct WorkerArgs {
    /// Broker: `postgres://USER@HOST/DATABASE`
    #[arg(value_name = "URL")]
    url: String,

    /// Number of games played at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,

    /// Folder with engine programs, found by their SHA-256, whatever their names
    #[arg(long, value_name = "DIR")]
    engines: Option<PathBuf>,

    /// Repository with the revisions under test
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,

    /// Directory that keeps the builds of revisions [default: touchstone in the user's cache]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,

    /// Name of this worker, unique on the broker [default: the machine's name and a number]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Exit after this many seconds without anything to play [default: never]
    #[arg(long, value_name = "SECONDS")]
    idle_exit: Option<Seconds>,

    /// Seconds without a sign of life after which the broker gives this worker's leases to another
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u16).range(2..=3600))]
    lease_seconds: u16,

    /// Speed of this machine, in perft nodes per second [default: measured at the start, on as many
    /// threads as --concurrency]
    #[arg(long, value_name = "NPS")]
    speed: Option<NonZeroU64>,

    /// Pin each game to its own CPUs, one per core first, then hyperthread siblings (Linux)
    #[arg(long)]
    pin: bool,

    /// Play even if memory or CPUs are too few
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &WorkerArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let broker = connect(&args.url)?;
    let lanes = usize::from(args.concurrency);
    let speed = args.speed.unwrap_or_else(|| measure(lanes));
    let name = args.name.clone().unwrap_or_else(default_name);
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err(super::bad(
            "--name: expected a name without control characters",
        ));
    }
    super::say(&format!(
        "worker '{name}': {lanes} at once, {speed} nodes of perft a second in each"
    ));
    let helper = Helper {
        broker: &*broker,
        name,
        lanes,
        speed,
        places: Places {
            engines: args.engines.clone(),
            repo: args.repo.clone(),
            cache: args.cache.clone(),
        },
        pin: args.pin,
        force: args.force,
        idle_exit: args.idle_exit.map(|time| Duration::from_millis(time.ms)),
        visibility: Duration::from_secs(args.lease_seconds.into()),
        patience: Patience::default(),
        interrupt,
        say: &super::say,
    };
    let pairs = help(&helper).map_err(|error| told(&error))?;
    let word = if pairs == 1 { "pair" } else { "pairs" };
    output::to_stdout(format!("{pairs} {word} played\n"))?;
    Ok(match pairs {
        _ if interrupt.has_come() => Exit::Interrupted,
        0 => Exit::Nothing,
        _ => Exit::Agreed,
    })
}

fn told(error: &HelpError) -> anyhow::Error {
    if error.is_input() {
        super::bad(error)
    } else {
        anyhow::Error::msg(error.to_string())
    }
}

/// Name of the machine and id of this process, so that two workers of one machine differ.
fn default_name() -> String {
    let machine = rustix::system::uname();
    let machine = machine.nodename().to_string_lossy();
    format!("{machine}-{}", std::process::id())
}
