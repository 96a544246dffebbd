//! Tests played by a fleet: starting with `selfplay sprt --fleet URL`, and resuming.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::path::Path;

use kit::{Exit, Interrupt};
use queue::Broker;
use queue::program::sha256;
use uci::Cancel;

use super::session::{Failure, Session, conclude};
use crate::fleet::coordinate::{CoordinateError, Coordinator, coordinate};
use crate::fleet::protocol::JobBody;
use crate::fleet::speed::{depends_on_time, measure};
use crate::fleet::task::verify;
use crate::model::GameRecord;
use crate::play::ledger::{FleetJob, Stored, UtcTime, default_name};
use crate::play::player::Patience;
use crate::report::live::Live;

/// Fleet options.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Fleet")]
pub(super) struct FleetArgs {
    /// Have the pairs played by the workers of this lab (see `fleet worker`). The token is read from
    /// `FLEET_TOKEN`. `https://lab.example`
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
    let cancel = Cancel::from(interrupt.shared());
    let verified = verify(&stored.config, patience, &cancel);
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
            let measured = measure(stored.config.concurrency);
            let speed = measured.unwrap_or_else(|busy| {
                let hint = "times may refer to another speed than this machine's; expected --speed, or a quiet machine";
                super::remark(is_quiet, &format!("warning: {busy}; {hint}"));
                busy.estimate
            });
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
            "job {job}: pairs are played by those who run `fleet worker {url}`"
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
