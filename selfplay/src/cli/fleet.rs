//! Tests played by a fleet: starting with `selfplay sprt --fleet URL`, and resuming.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ::fleet::Broker;
use kit::{Exit, Interrupt, output};
use uci::Cancel;

use super::play_args::ShowArgs;
use super::session;
use crate::fleet::coordinate::{CoordinateError, Coordinator, MOST_PAIRS, coordinate};
use crate::fleet::program::{Places, sha256};
use crate::fleet::protocol::JobBody;
use crate::fleet::speed::{depends_on_time, measure};
use crate::fleet::worker::{Helper, help};
use crate::model::{GameRecord, RunConfig};
use crate::openings::Openings;
use crate::play::ledger::{FleetJob, Ledger, Stored, UtcTime, default_name};
use crate::play::player::{Patience, PlayerError};
use crate::play::run::{EnginePool, State, not_started};
use crate::report::live::Live;

/// Fleet options.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Fleet")]
pub(super) struct FleetArgs {
    /// Have the pairs played by other machines: those that run `selfplay worker URL` with the same
    /// broker. `postgres://USER@HOST/DATABASE`
    #[arg(long, value_name = "URL")]
    pub(super) fleet: Option<String>,

    /// Number of pairs that a worker takes at a time
    #[arg(long, value_name = "N", default_value = "4", requires = "fleet")]
    pub(super) lease_pairs: NonZeroU64,

    /// Speed of the machine that the time control is meant for, in perft nodes per second [default:
    /// measured here, with as many threads as --concurrency]
    #[arg(long, value_name = "NPS", requires = "fleet")]
    pub(super) speed: Option<NonZeroU64>,
}

/// The error of a build without the feature `fleet`.
#[cfg(not(feature = "fleet"))]
pub(super) fn connect(_: &str) -> anyhow::Result<Box<dyn Broker>> {
    Err(crate::cli::bad(
        "this program was built without the fleet: build it with `cargo build --release -p touchstone-selfplay --features fleet`",
    ))
}

/// Connects to the broker at a URL.
#[cfg(feature = "fleet")]
pub(super) fn connect(url: &str) -> anyhow::Result<Box<dyn Broker>> {
    let connected = ::fleet::connect(url);
    connected.map_err(|error| {
        let text = crate::fleet::retry::chain(&error);
        if error.is_passing() {
            anyhow::Error::msg(text)
        } else {
            crate::cli::bad(text)
        }
    })
}

/// Describes a new run to a fleet: starts each engine once, hashes the programs, measures the
/// machine. `None` if the user cancelled.
pub(super) fn job(
    args: &FleetArgs,
    url: &str,
    stored: &Stored,
    directory: &Path,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<FleetJob>> {
    if !verify(&stored.config, interrupt)? {
        return Ok(None);
    }
    let mut sums = BTreeMap::new();
    for engine in &stored.config.engines {
        if stored.revisions.contains_key(&engine.name) {
            continue;
        }
        let path = &engine.command.program;
        let sum = sha256(path).map_err(|error| {
            let (name, path) = (&engine.name, path.display());
            crate::cli::bad(format!(
                "engine '{name}': cannot read {path} to compute its SHA-256: {error}"
            ))
        })?;
        sums.insert(engine.name.clone(), sum);
    }
    let speed = depends_on_time(&stored.config).then(|| {
        args.speed.unwrap_or_else(|| {
            let speed = measure(stored.config.concurrency);
            crate::cli::say(&format!(
                "time controls refer to this machine: {speed} perft nodes a second in each of {} concurrent games",
                stored.config.concurrency
            ));
            speed
        })
    });
    Ok(Some(FleetJob {
        url: without_password(url),
        job: job_name(directory, crate::cli::time_now()),
        lease_pairs: args.lease_pairs,
        speed,
        sums,
    }))
}

/// Bounds the number of rounds, since the broker receives all pairs of a test at its start.
pub(super) fn limit_rounds(config: &mut RunConfig) {
    if config.is_unlimited() {
        config.rounds = MOST_PAIRS;
        crate::cli::say(&format!(
            "note: a test on a fleet has at most {MOST_PAIRS} pairs, unless --rounds is given"
        ));
    }
}

/// Starts every engine and sets its options; `false` if the user cancelled.
fn verify(config: &RunConfig, interrupt: &Interrupt) -> anyhow::Result<bool> {
    let cancel = Cancel::from(interrupt.shared());
    let mut pool = EnginePool::new(&config.engines, Patience::default(), &cancel);
    match pool.verify(config.openings.is_chess960(), |_, _| {}) {
        Ok(()) => {
            pool.quit();
            Ok(true)
        }
        Err((_, PlayerError::Cancelled)) => Ok(false),
        Err((name, error @ PlayerError::Setup(_))) => {
            Err(crate::cli::bad(not_started(&name, &error)))
        }
        Err((name, error)) => Err(anyhow::Error::msg(not_started(&name, &error))),
    }
}

/// Name of a job, made of the time, the directory and this process, so that it is unique on a
/// shared broker.
fn job_name(directory: &Path, began: UtcTime) -> String {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    let process = std::process::id().to_string();
    default_name(began, [&*name, &*process])
}

/// A URL without its password, safe to store and show.
pub(super) fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (place, path) = rest.split_at(end);
    // A password may contain an @; the host follows the last one.
    match place.rsplit_once('@') {
        Some((user, host)) => {
            let user = user.split(':').next().unwrap_or_default();
            format!("{scheme}://{user}@{host}{path}")
        }
        None => url.to_owned(),
    }
}

/// A test to be played by a fleet, new or resumed.
pub(super) struct FleetSession<'a> {
    pub(super) broker: Box<dyn Broker>,
    pub(super) stored: &'a Stored,
    pub(super) fleet: FleetJob,
    pub(super) state: State,
    pub(super) recorded: Vec<GameRecord>,
    pub(super) ledger: Ledger,
    pub(super) openings: Openings,
    pub(super) show: ShowArgs,
    pub(super) is_new: bool,
}

impl FleetSession<'_> {
    /// Collects the results of the fleet and prints the summary.
    pub(super) fn play(self, interrupt: &Interrupt) -> anyhow::Result<kit::Exit> {
        let body = JobBody::new(self.stored, &self.fleet);
        let (url, job) = (self.fleet.url.clone(), self.fleet.job.clone());
        crate::cli::say(&format!(
            "job {job}: pairs are played by those who run `selfplay worker {}`",
            crate::cli::shell_word(&url)
        ));
        let mut all = Coordinator {
            broker: &*self.broker,
            fleet: self.fleet,
            body,
            state: self.state,
            recorded: self.recorded,
            ledger: self.ledger,
            openings: &self.openings,
            max_faults: self.show.max_faults,
            interrupt,
            say: &crate::cli::say,
        };
        let mut live = Live::new(!self.show.quiet);
        let ended = coordinate(&mut all, &mut |state| live.show(state));
        live.finish();
        if interrupt.has_come() && ended.is_ok() {
            crate::cli::say(&format!("job {job} stays: workers continue it"));
        }
        let ended = ended.map_err(|error| match error {
            CoordinateError::Run(error) => session::Ended::Run(error),
            error => session::Ended::Other(anyhow::Error::msg(error.to_string())),
        });
        let Coordinator { state, ledger, .. } = all;
        session::conclude(ended, &state, ledger, self.show, self.is_new)
    }
}

// `selfplay worker`.

/// Play pairs of games for tests that others have begun with `selfplay sprt --fleet URL`
///
/// Programs are identified by the SHA-256 of their file or, for tests of revisions, by commit,
/// which is built here. Anyone who can add jobs to the broker can run any command on this machine:
/// use your own broker, and an unprivileged user.
///
/// Example: `selfplay worker postgres://me@host/fleet --engines engines -j 8 --pin`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 pairs were played, 2 a program is missing or does not match, 3 the broker or the environment failed, or the worker was quarantined, 4 nothing was played, 130 interrupted."
)]
pub(super) struct WorkerArgs {
    /// Broker: `postgres://USER@HOST/DATABASE`
    #[arg(value_name = "URL")]
    url: String,

    /// Number of games played at once
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
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

    /// Exit after this time without anything to play [default: never]
    #[arg(long, value_name = "TIME", value_parser = kit::values::time_or_zero)]
    idle_exit: Option<Duration>,

    /// Time without a sign of life after which the broker gives this worker's leases to another,
    /// from 2s to 1h
    #[arg(long, alias = "lease-seconds", value_name = "TIME", default_value = "60s", value_parser = lease)]
    lease: Duration,

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

fn lease(text: &str) -> Result<Duration, String> {
    let time = kit::values::time(text)?;
    if (2..=3600).contains(&time.as_secs()) && time <= Duration::from_hours(1) {
        Ok(time)
    } else {
        Err("expected a time from 2s to 1h".to_owned())
    }
}

pub(super) fn run_worker(args: &WorkerArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let broker = connect(&args.url)?;
    let lanes = usize::from(args.concurrency);
    let speed = args.speed.unwrap_or_else(|| measure(lanes));
    let name = args.name.clone().unwrap_or_else(worker_name);
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err(crate::cli::bad(
            "--name: expected a name without control characters",
        ));
    }
    crate::cli::say(&format!(
        "worker '{name}': {lanes} at once, {speed} perft nodes a second in each"
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
        idle_exit: args.idle_exit,
        visibility: args.lease,
        patience: Patience::default(),
        interrupt,
        say: &crate::cli::say,
    };
    let pairs = help(&helper).map_err(|error| {
        if error.is_input() {
            crate::cli::bad(error)
        } else {
            anyhow::Error::msg(error.to_string())
        }
    })?;
    let word = if pairs == 1 { "pair" } else { "pairs" };
    output::to_stdout(format!("{pairs} {word} played\n"))?;
    Ok(match pairs {
        _ if interrupt.has_come() => Exit::Interrupted,
        0 => Exit::Nothing,
        _ => Exit::Agreed,
    })
}

/// Name of the machine and id of this process, so that two workers of one machine differ.
fn worker_name() -> String {
    let machine = rustix::system::uname();
    let machine = machine.nodename().to_string_lossy();
    format!("{machine}-{}", std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_taken_out_of_urls() {
        let rows = [
            (
                "postgres://me:secret@host:5432/db",
                "postgres://me@host:5432/db",
            ),
            (
                "postgres://me:a@b:c@host/db?x=y",
                "postgres://me@host/db?x=y",
            ),
            ("postgres://me@host/db", "postgres://me@host/db"),
            ("postgres://host/d@b", "postgres://host/d@b"),
            ("memory", "memory"),
        ];
        for (url, expected) in rows {
            assert_eq!(without_password(url), expected);
        }
    }

    #[test]
    fn jobs_are_named_by_their_directory() {
        let began = UtcTime::of_milliseconds(1_234_567_890_123);
        let name = job_name(Path::new("runs/a test"), began);
        let process = std::process::id();
        assert_eq!(name, format!("selfplay-20090213-233130-a_test-{process}"));
    }
}
