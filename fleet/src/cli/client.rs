//! Commands that ask a server: `status`, `stop`, `quarantine`, `discard`.

use clap::ValueEnum;
use kit::{Exit, output, table};
use queue::wire::{Discard, Discarded, Reason};
use queue::{BrokerError, LabClient, WorkerState};
use selfplay::lab::summary::{Outcome, TestSummary};
use serde::{Deserialize, Serialize};

/// The server of a command.
#[derive(Debug, clap::Args)]
pub(super) struct Lab {
    /// Address of the lab
    ///
    /// Such as `https://lab.example`. The token of your account is read from the environment variable
    /// `FLEET_TOKEN`
    #[arg(value_name = "URL", env = "FLEET_URL")]
    url: String,
}

impl Lab {
    fn connect(&self) -> Result<LabClient, BrokerError> {
        queue::connect_with_environment(&self.url)
    }
}

/// Stop a test before it is decided: no more leases are given out, and its workers are informed
#[derive(Debug, clap::Args)]
pub(super) struct StopArgs {
    #[command(flatten)]
    lab: Lab,
    /// Name of the test
    test: String,
    /// Reason, shown to its workers and on its page
    reason: String,
}

/// Quarantine a worker: it gets no more leases, and its unverified results are done again by others
#[derive(Debug, clap::Args)]
pub(super) struct QuarantineArgs {
    #[command(flatten)]
    lab: Lab,
    /// Name of the worker
    worker: String,
    /// Reason for the quarantine
    reason: String,
}

/// Discard the results of a worker for a test; their units are leased again
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 success, 2 invalid usage or input, 3 the server failed or cannot \
                        be reached, 4 the worker had no results, 130 interrupted."
)]
pub(super) struct DiscardArgs {
    #[command(flatten)]
    lab: Lab,
    /// Name of the test
    test: String,
    /// Name of the worker
    worker: String,
}

/// List tests and workers: states, progress, differences, and workers' silence
///
/// Lists the newest 100 tests; the exit code is about those.
///
/// Example: `fleet status https://lab.example`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 success, 1 workers disagree about a test, 2 invalid usage or input, 3 \
                        the server failed or cannot be reached, 130 interrupted."
)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    lab: Lab,
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

pub(super) fn stop(args: &StopArgs) -> anyhow::Result<Exit> {
    let StopArgs { lab, test, reason } = args;
    let reason = reason.clone();
    lab.connect()?.post::<()>(
        &format!("/api/1/tests/{}/stop", escaped(test)),
        &Reason { reason },
    )?;
    output::to_stdout(format!("{test} is stopped\n"))?;
    Ok(Exit::Agreed)
}

pub(super) fn quarantine(args: &QuarantineArgs) -> anyhow::Result<Exit> {
    let QuarantineArgs {
        lab,
        worker,
        reason,
    } = args;
    let path = format!("/api/1/workers/{}/quarantine", escaped(worker));
    let reason = reason.clone();
    lab.connect()?.post::<()>(&path, &Reason { reason })?;
    output::to_stdout(format!("worker {worker} is quarantined\n"))?;
    Ok(Exit::Agreed)
}

pub(super) fn discard(args: &DiscardArgs) -> anyhow::Result<Exit> {
    let DiscardArgs { lab, test, worker } = args;
    let path = format!("/api/1/tests/{}/discard", escaped(test));
    let discard = Discard {
        worker: worker.clone(),
    };
    let Discarded { results } = lab.connect()?.post(&path, &discard)?;
    let shown = output::grouped(results);
    output::to_stdout(format!(
        "discarded {shown} results of {worker} for {test}\n"
    ))?;
    Ok(if results == 0 {
        Exit::Nothing
    } else {
        Exit::Agreed
    })
}

/// A segment of a path.
fn escaped(text: &str) -> impl std::fmt::Display {
    // A slash in what was typed would name another call.
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC)
}

/// A test as the lab lists it, as far as it is shown.
#[derive(Debug, Deserialize)]
struct ListedTest {
    id: String,
    title: String,
    state: String,
    reason: Option<String>,
    spec: ListedSpec,
    summary: TestSummary,
}

#[derive(Debug, Deserialize)]
struct ListedSpec {
    kind: String,
}

/// The data shown; also the structure of the JSON output.
#[derive(Debug, Serialize)]
struct LabStatus {
    schema: &'static str,
    server: String,
    tests: Vec<TestLine>,
    workers: Vec<WorkerLine>,
}

#[derive(Debug, Serialize)]
struct TestLine {
    id: String,
    kind: String,
    title: String,
    state: String,
    /// Why it is in this state, or what it waits for.
    reason: Option<String>,
    units: u64,
    done: u64,
    headline: String,
    /// Whether workers disagree about it.
    differs: bool,
}

#[derive(Debug, Serialize)]
struct WorkerLine {
    name: String,
    about: String,
    units: u64,
    silent_ms: u64,
    quarantined: Option<String>,
}

pub(super) fn status(args: &StatusArgs) -> anyhow::Result<Exit> {
    let client = args.lab.connect()?;
    // The lab lists its newest 100 tests.
    let tests: Vec<ListedTest> = client.get("/api/1/tests")?;
    let workers: Vec<WorkerState> = client.get("/api/1/workers")?;
    let status = LabStatus {
        schema: "touchstone/fleet-status/3",
        server: args.lab.url.clone(),
        tests: tests.into_iter().map(TestLine::from).collect(),
        workers: workers.into_iter().map(WorkerLine::from).collect(),
    };
    output::to_stdout(match args.format {
        StatusFormat::Human => status.human(),
        StatusFormat::Json => serde_json::to_string(&status)? + "\n",
    })?;
    let differs = status.tests.iter().any(|test| test.differs);
    Ok(if differs { Exit::Differs } else { Exit::Agreed })
}

impl From<ListedTest> for TestLine {
    fn from(test: ListedTest) -> Self {
        let summary = test.summary;
        let alarms = summary.perft.map_or(0, |perft| perft.alarms);
        Self {
            id: test.id,
            kind: test.spec.kind,
            title: test.title,
            state: test.state,
            reason: test.reason,
            units: summary.units,
            done: summary.done,
            headline: summary.headline,
            // Training games have no alarms in their summary; their outcome reports it.
            differs: alarms > 0 || summary.outcome == Some(Outcome::Inexact),
        }
    }
}

impl From<WorkerState> for WorkerLine {
    fn from(state: WorkerState) -> Self {
        Self {
            name: state.worker.name,
            about: state.worker.about,
            units: state.units,
            silent_ms: state.silent_ms,
            quarantined: state.quarantined,
        }
    }
}

impl LabStatus {
    fn human(&self) -> String {
        let mut text = format!("{}\n\n", self.server);
        if self.tests.is_empty() {
            text += "no tests\n";
        } else {
            let head = ["test", "kind", "done", "of", "state", "", "title"];
            let rows = self.tests.iter().map(|test| {
                let known = test.reason.as_ref().unwrap_or(&test.headline);
                vec![
                    test.id.clone(),
                    test.kind.clone(),
                    output::grouped(test.done),
                    output::grouped(test.units),
                    test.state.clone(),
                    known.clone(),
                    test.title.clone(),
                ]
            });
            text += &table::text(&head, 2..4, rows);
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
                quarantined.map_or_else(String::new, |reason| format!("quarantined: {reason}")),
                worker.about.clone(),
            ]
        });
        let head = ["worker", "units", "silent", "", "about"];
        text + "\n" + &table::text(&head, 1..3, rows)
    }
}
