//! Tests played by a fleet: starting with `selfplay sprt --fleet URL`, and resuming.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kit::cli::Common;
use kit::{Exit, Interrupt, output};
use queue::Broker;

use super::session::{Failure, Session, conclude};
use crate::fleet::coordinate::{CoordinateError, Coordinator, coordinate};
use crate::fleet::program::{Places, sha256};
use crate::fleet::protocol::JobBody;
use crate::fleet::speed::{depends_on_time, measure};
use crate::fleet::worker::{Helper, help, verify};
use crate::model::GameRecord;
use crate::play::ledger::{FleetJob, Stored, UtcTime, default_name};
use crate::play::player::Patience;
use crate::report::count;
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
    Err(super::bad(
        "this program was built without the fleet: build it with `cargo build --release -p touchstone-selfplay --features fleet`",
    ))
}

/// Connects to the broker at a URL.
#[cfg(feature = "fleet")]
pub(super) fn connect(url: &str) -> anyhow::Result<Box<dyn Broker>> {
    let client = queue::connect_with_environment(url);
    let client = client
        .map_err(|error| super::failed(!error.is_passing(), crate::fleet::retry::chain(&error)))?;
    Ok(Box::new(client))
}

/// Describes a new run to a fleet: starts each engine once, hashes the programs, measures the
/// machine. `None` if the user cancelled.
pub(super) fn job(
    args: &FleetArgs,
    url: &str,
    stored: &Stored,
    directory: &Path,
    is_quiet: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<FleetJob>> {
    let patience = Patience::default().with(stored.config.timeouts);
    let verified = verify(&stored.config, patience, interrupt);
    if !verified.map_err(anyhow::Error::msg)? {
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
            super::bad(format!(
                "engine '{name}': cannot read {path} to compute its SHA-256: {error}"
            ))
        })?;
        sums.insert(engine.name.clone(), sum);
    }
    let speed = depends_on_time(&stored.config).then(|| {
        args.speed.unwrap_or_else(|| {
            let speed = measure(stored.config.concurrency);
            let games = stored.config.concurrency;
            super::remark(
                is_quiet,
                &format!("time controls refer to this machine: {speed} perft nodes a second in each of {games} concurrent games"),
            );
            speed
        })
    });
    Ok(Some(FleetJob {
        url: without_password(url),
        job: job_name(directory, super::time_now()),
        lease_pairs: args.lease_pairs,
        speed,
        sums,
    }))
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

/// A test that other machines play, new or resumed.
pub(super) struct RemoteJob<'a> {
    pub(super) broker: &'a dyn Broker,
    pub(super) stored: &'a Stored,
    pub(super) fleet: FleetJob,
    pub(super) recorded: Vec<GameRecord>,
}

impl Session {
    /// Collects the results of the fleet and prints the summary.
    pub(super) fn play_remotely(
        self,
        remote: RemoteJob<'_>,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Exit> {
        let remark = |line: &str| super::remark(self.show.quiet, line);
        let (url, job) = (
            super::shell_word(&remote.fleet.url),
            remote.fleet.job.clone(),
        );
        remark(&format!(
            "job {job}: pairs are played by those who run `selfplay worker {url}`"
        ));
        let mut all = Coordinator {
            broker: remote.broker,
            body: JobBody::new(remote.stored, &remote.fleet),
            fleet: remote.fleet,
            state: self.state,
            recorded: remote.recorded,
            ledger: self.ledger,
            openings: &self.openings,
            max_faults: self.show.max_faults,
            interrupt,
            say: &remark,
        };
        let mut live = Live::new(!self.show.quiet);
        let ended = coordinate(&mut all, &mut |event| live.take(event));
        live.finish();
        if interrupt.has_come() && ended.is_ok() {
            remark(&format!("job {job} stays: workers continue it"));
        }
        let ended = ended.map_err(|error| match error {
            CoordinateError::Run(error) => Failure::from(error),
            error => Failure {
                is_input: false,
                error: error.to_string(),
            },
        });
        let Coordinator { state, ledger, .. } = all;
        conclude(ended, &state, ledger, self.show, self.is_new)
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

pub(super) fn run_worker(
    args: WorkerArgs,
    common: Common,
    interrupt: &Interrupt,
) -> anyhow::Result<Exit> {
    let remark = |line: &str| super::remark(common.quiet, line);
    let broker = connect(&args.url)?;
    let lanes = usize::from(args.concurrency);
    let speed = args.speed.unwrap_or_else(|| measure(lanes));
    // The machine's name and the id of this process, so that two workers of one machine differ.
    let name = args
        .name
        .unwrap_or_else(|| format!("{}-{}", machine_name(), std::process::id()));
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err(super::bad(
            "--name: expected a name without control characters",
        ));
    }
    remark(&format!(
        "worker '{name}': {lanes} at once, {speed} perft nodes a second in each"
    ));
    let helper = Helper {
        broker: &*broker,
        name,
        lanes,
        speed,
        places: Places {
            engines: args.engines,
            repo: args.repo,
            cache: args.cache,
        },
        pin: args.pin,
        force: args.force,
        idle_exit: args.idle_exit,
        visibility: args.lease,
        patience: Patience::default(),
        interrupt,
        say: &remark,
    };
    let pairs = help(&helper).map_err(|error| super::failed(error.is_input(), error))?;
    output::to_stdout(format!("{} played\n", count(pairs, "pair")))?;
    Ok(match pairs {
        _ if interrupt.has_come() => Exit::Interrupted,
        0 => Exit::Nothing,
        _ => Exit::Agreed,
    })
}

#[cfg(unix)]
fn machine_name() -> String {
    let machine = rustix::system::uname();
    machine.nodename().to_string_lossy().into_owned()
}

#[cfg(windows)]
#[expect(clippy::disallowed_methods, reason = "there Windows has the name")]
fn machine_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "windows".to_owned())
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
