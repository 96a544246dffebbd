//! `epd run --fleet URL`: posts the searches of every engine, and waits for their results.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kit::output::{self, grouped, remark, to_stderr};
use kit::{BadInput, Interrupt, Progress};
use queue::cli::{RetryArgs, connect, explain, explain_follow};
use queue::{AskError, Broker, Following, RetryPolicy};
use uci::CommandLine;

use super::journal::{digest, find_program};
use crate::distributed::post::{PAGE, PostedJob};
use crate::distributed::protocol::{JobBody, Searches};
use crate::run::driver::{SearchRules, TestedEngine, shake_hands};
use crate::run::ledger::{Handshake, Trial};
use crate::run::plan::RunPlan;

/// How often to query the broker for progress.
const POLL: Duration = Duration::from_millis(500);

/// A run on many machines.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "On many machines")]
pub(super) struct FleetArgs {
    /// Let the workers of this lab search
    ///
    /// See `fleet worker`. The same command resumes the same jobs, even if all processes were
    /// killed. The token is read from `FLEET_TOKEN`. Example: `--fleet https://lab.example`
    #[arg(
        hide_short_help = true,
        long = "fleet",
        value_name = "URL",
        requires = "engine"
    )]
    pub(super) url: Option<String>,

    /// Searches that a process leases at a time
    ///
    /// Searches per chunk, the work one process of a worker leases at a time [default: 1 to 16].
    #[arg(hide_short_help = true, long, value_name = "N", requires = "url",
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    chunk: Option<u32>,

    /// Post the jobs, print their names, and exit
    #[arg(hide_short_help = true, long, requires = "url")]
    no_wait: bool,

    #[command(flatten)]
    retry: RetryArgs,
}

/// A run whose searches are made by workers.
pub(super) struct FleetRun<'a> {
    pub(super) args: &'a FleetArgs,
    pub(super) url: &'a str,
    pub(super) plan: &'a RunPlan,
    pub(super) rules: SearchRules,
    pub(super) interrupt: &'a Interrupt,
    pub(super) is_quiet: bool,
}

/// An engine, and its job if it has one.
struct Posted {
    handshake: Handshake,
    job: Option<(String, Searches)>,
}

impl FleetRun<'_> {
    /// Posts the jobs of all engines and waits for them, one after the other; `None` if nobody is to
    /// wait.
    #[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
    pub(super) fn run(&self, engines: &[TestedEngine]) -> anyhow::Result<Option<Vec<Trial>>> {
        let broker = connect(self.url, "epd")?;
        let reported: &(dyn Fn(&str) + Sync) = if self.is_quiet { &|_| {} } else { &to_stderr };
        let retry = self.args.retry.policy(self.interrupt, reported);
        let mut posted = Vec::new();
        for engine in engines {
            if self.plan.cases.is_empty() || self.interrupt.has_come() {
                break;
            }
            posted.push(self.post(&*broker, engine, retry)?);
        }
        if self.args.no_wait && !posted.is_empty() {
            for (job, _) in posted.iter().filter_map(|one| one.job.as_ref()) {
                output::to_stdout(format!("{job}\n"))?;
            }
            for (engine, one) in engines.iter().zip(&posted) {
                if let Handshake::Refused { reason, .. } | Handshake::Failed { reason, .. } =
                    &one.handshake
                {
                    anyhow::bail!("engine '{}' is not posted: {reason}", engine.name);
                }
            }
            return Ok(None);
        }
        let progress = Progress::new(0, "searches", !self.is_quiet);
        let mut trials = Vec::new();
        for (engine, posted) in engines.iter().zip(posted) {
            let began = Instant::now();
            let chess960 = matches!(posted.handshake, Handshake::Ready { chess960: true, .. });
            let (cases, repeat) = (&self.plan.cases, self.rules.repeat);
            let mut trial = Trial::new(engine.name.clone(), posted.handshake, cases.len(), repeat);
            if let Some((job, searches)) = &posted.job {
                let followed = PostedJob {
                    following: Following {
                        broker: &*broker,
                        job,
                        poll: POLL,
                        page: PAGE,
                        retry,
                    },
                    searches,
                    cases,
                    progress: &progress,
                };
                let results = followed.wait().map_err(explain_follow)?;
                if results.outcomes.len() == searches.list.len() {
                    self.remark_workers(job, &results.workers);
                } else {
                    let text =
                        format!("job {job} stays at the broker; the same command resumes it");
                    remark(self.is_quiet, &text);
                }
                results.record(searches, &mut trial);
                if !chess960 {
                    Searches::record_skipped(cases, &mut trial);
                }
            }
            trial.interrupted = self.interrupt.has_come();
            trial.time = began.elapsed();
            trials.push(trial);
        }
        progress.finish();
        Ok(Some(trials))
    }

    /// Starts the engine once, as a run on this machine does, and posts its searches.
    fn post(
        &self,
        broker: &dyn Broker,
        engine: &TestedEngine,
        retry: RetryPolicy<'_>,
    ) -> anyhow::Result<Posted> {
        let handshake = shake_hands(engine, self.rules, &self.plan.cases);
        let Handshake::Ready { name, chess960 } = &handshake else {
            let job = None;
            return Ok(Posted { handshake, job });
        };
        let searches = Searches::new(&self.plan.cases, self.rules.repeat, *chess960);
        let (program, sum) = identify(&engine.start.command)?;
        let mut start = engine.start.clone();
        start.command.program = program.into_os_string();
        let body = JobBody::new(&start, self.rules, sum, name.clone());
        let body = body.map_err(|error| BadInput(error.to_string()))?;
        let per_chunk = self.args.chunk.map(|chunk| chunk as usize);
        let (job, chunks) = searches.job(&self.plan.cases, &body, per_chunk);
        match retry.ask(|| broker.put(&job, &mut chunks.iter().cloned())) {
            Err(AskError::Interrupted) => {
                let job = None;
                return Ok(Posted { handshake, job });
            }
            put => put.map_err(explain)?,
        };
        let job = Some((job.id, searches));
        Ok(Posted { handshake, job })
    }

    fn remark_workers(&self, job: &str, workers: &std::collections::BTreeMap<String, u64>) {
        let searches = workers.iter();
        let searches = searches.map(|(name, count)| format!("{name} {}", grouped(*count)));
        let searches: Vec<_> = searches.collect();
        remark(
            self.is_quiet,
            &format!("job {job}: searches by worker: {}", searches.join(", ")),
        );
    }
}

/// The absolute path of a command's program, and its SHA-256.
fn identify(command: &CommandLine) -> anyhow::Result<(PathBuf, String)> {
    let found = find_program(command).and_then(|path| {
        let path = std::path::absolute(&path).unwrap_or(path);
        let sum = digest(&path).ok()?;
        Some((path, sum))
    });
    let name = Path::new(&command.program).display();
    found.ok_or_else(|| {
        let message = format!("cannot read the program '{name}': workers know engines by SHA-256");
        BadInput(message).into()
    })
}
