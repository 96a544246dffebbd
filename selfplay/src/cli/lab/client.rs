//! The client of a lab: submits a test, waits for its result, downloads its games. An edge.

use std::io::{BufRead as _, BufReader, Read, Seek as _, Write as _};
use std::path::Path;
use std::time::Duration;

use kit::output::remark;
use kit::{Exit, Interrupt};
use queue::{AskError, BrokerError, RetryPolicy};

use super::super::play::{conclude, ledger_error, recorded};
use super::super::play_args::ShowArgs;
use super::super::{bad, failed, shell_word, time_now};
use super::tuned::print_tuned;
use super::{LabTest, SubmittedTest};
use crate::lab::spec::TestSpec;
use crate::lab::summary::{Outcome, TestSummary};
use crate::model::RunConfig;
use crate::play::event::{RunEnd, RunEvent, RunProgress, TestProgress};
use crate::play::ledger::{FleetJob, Ledger, Stored, default_name, read_record};
use crate::play::run::RunState;
use crate::report::live::LiveStatus;
use crate::stats::{Counts, Pentanomial, Wdl};

/// How often a test is looked at.
const LOOK: Duration = Duration::from_secs(2);
/// The longest wait for a lab that cannot be reached.
const PATIENCE: Duration = Duration::from_mins(5);

pub(super) struct TestClient {
    queue: queue::LabClient,
    url: String,
}

/// An error for people: they know a lab, not its queue.
fn explain(url: &str, error: BrokerError) -> anyhow::Error {
    match error {
        BrokerError::BadUrl(detail) => bad(detail),
        // The lab names what there is not: a test, a repository.
        BrokerError::NoJob(detail) => bad(format!("the lab {url}: {detail}")),
        BrokerError::Unreachable(source) => {
            let source = anyhow::Error::from_boxed(source);
            failed(false, format!("cannot reach the lab {url}: {source:#}"))
        }
        BrokerError::Failed(detail) => failed(false, format!("the lab {url}: {detail}")),
        error @ BrokerError::Denied(_) => bad(error),
        error => failed(false, format!("{:#}", anyhow::Error::from(error))),
    }
}

impl TestClient {
    pub(super) fn connect(url: &str) -> anyhow::Result<Self> {
        let queue = queue::connect_with_environment(url).map_err(|error| explain(url, error))?;
        let url = url.to_owned();
        Ok(Self { queue, url })
    }

    pub(super) fn submit(&self, spec: &TestSpec) -> anyhow::Result<SubmittedTest> {
        // A call that failed may have taken effect, and is not repeated: one test is enough.
        let submitted = self.queue.post("/api/1/tests", spec);
        submitted.map_err(|error| match error {
            // What the lab finds wrong with a test is the user's fault.
            BrokerError::Failed(detail) => bad(format!("the lab {}: {detail}", self.url)),
            error => explain(&self.url, error),
        })
    }

    /// Waits until the result of a test is final, and shows what is known meanwhile. `None` if the user
    /// interrupts.
    pub(super) fn wait(
        &self,
        test: &str,
        is_quiet: bool,
        interrupt: &Interrupt,
        show: &mut dyn FnMut(&TestSummary),
    ) -> anyhow::Result<Option<LabTest>> {
        let path = format!("/api/1/tests/{test}");
        let mut last = String::new();
        loop {
            let answer = self.call(is_quiet, interrupt, || self.queue.get::<LabTest>(&path));
            let Some(test) = answer? else {
                return Ok(None);
            };
            let is_over = matches!(test.state.as_str(), "rejected" | "flagged");
            if test.is_final || is_over {
                return Ok(Some(test));
            }
            let state = match (test.state.as_str(), &test.reason) {
                ("running", _) => String::new(),
                ("pending", _) => "waiting for a maintainer to approve the test".to_owned(),
                (_, Some(reason)) => reason.clone(),
                ("waiting", None) => "waiting for the lab to prepare the test".to_owned(),
                ("done", None) => "waiting for other workers to confirm the results".to_owned(),
                (state, None) => state.to_owned(),
            };
            if state != last && !state.is_empty() {
                remark(is_quiet, &state);
                last = state;
            }
            show(&test.summary);
            let rested = with_retries(is_quiet, interrupt, |retry| retry.rest(LOOK));
            if rested.is_err() {
                return Ok(None);
            }
        }
    }

    /// Calls the lab, again while it cannot be reached. `None` if the user interrupts.
    fn call<T>(
        &self,
        is_quiet: bool,
        interrupt: &Interrupt,
        call: impl FnMut() -> Result<T, BrokerError>,
    ) -> anyhow::Result<Option<T>> {
        match with_retries(is_quiet, interrupt, |retry| retry.ask(call)) {
            Ok(answer) => Ok(Some(answer)),
            Err(AskError::Interrupted) => Ok(None),
            Err(AskError::Broker(error) | AskError::GaveUp { source: error, .. }) => {
                Err(explain(&self.url, error))
            }
        }
    }

    /// Prints how to wait for a test again.
    pub(super) fn interrupted(&self, test: &str, is_quiet: bool) -> Exit {
        let (url, test) = (shell_word(&self.url), shell_word(test));
        remark(
            is_quiet,
            &format!(
                "interrupted: the test continues; wait for it again with: selfplay wait {url} {test}"
            ),
        );
        Exit::Interrupted
    }
}

fn with_retries<T>(
    is_quiet: bool,
    interrupt: &Interrupt,
    act: impl FnOnce(&RetryPolicy<'_>) -> T,
) -> T {
    act(&RetryPolicy {
        most: PATIENCE,
        interrupt,
        report: &|line| remark(is_quiet, line),
    })
}

/// A test that is waited for.
pub(super) struct AwaitedTest<'a> {
    pub(super) client: &'a TestClient,
    pub(super) test: &'a str,
    pub(super) output: Option<&'a Path>,
    pub(super) show: ShowArgs,
}

impl AwaitedTest<'_> {
    pub(super) fn run(self, interrupt: &Interrupt) -> anyhow::Result<Exit> {
        let name = default_name(time_now(), [self.test]);
        let directory = self.output.unwrap_or_else(|| Path::new(&name));
        Ledger::check(directory).map_err(bad)?;
        let mut live = LiveStatus::new(!self.show.quiet, false, directory, None);
        let mut show = |summary: &TestSummary| live.take(RunEvent::Progress(progress(summary)));
        let test = self
            .client
            .wait(self.test, self.show.quiet, interrupt, &mut show);
        live.finish();
        let Some(test) = test? else {
            return Ok(self.client.interrupted(self.test, self.show.quiet));
        };
        if test.summary.tune.is_some() {
            return print_tuned(&test, self.show.format.into(), self.show.quiet);
        }
        let LabTest {
            state,
            reason,
            summary,
            passed,
            ..
        } = test;
        let ended = match summary.outcome {
            None => Err(match reason {
                Some(reason) => format!("the test is {state}: {reason}"),
                None => format!("the test is {state}"),
            }),
            Some(Outcome::Broken) => Err(summary.headline.clone()),
            Some(Outcome::Complete | Outcome::Undecided) => Ok(RunEnd::Done),
            Some(_) => Ok(RunEnd::Decided),
        };
        match ended {
            Err(error) if summary.done == 0 => {
                // A test that cannot be prepared is wrong, such as its revisions; nobody stopped it.
                let is_input = summary.units == 0 && passed == Some(false);
                Err(failed(is_input, error))
            }
            ended => self.fetch(directory, ended, summary, interrupt),
        }
    }

    /// Downloads the games into a run directory, and prints the same summary as of a run on this
    /// machine.
    fn fetch(
        &self,
        directory: &Path,
        ended: Result<RunEnd, String>,
        summary: TestSummary,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Exit> {
        let path = |what: &str| format!("/api/1/tests/{}/{what}", self.test);
        let queue = &self.client.queue;
        let config = self.client.call(self.show.quiet, interrupt, || {
            queue.get::<RunConfig>(&path("config"))
        })?;
        let mut games = tempfile::tempfile()?;
        let downloaded = self.client.call(self.show.quiet, interrupt, || {
            let rewound = games.rewind().and_then(|()| games.set_len(0));
            rewound.map_err(|error| BrokerError::Failed(error.to_string()))?;
            queue.download(&path("ledger"), &mut games)
        })?;
        let Some((config, _)) = config.zip(downloaded) else {
            return Ok(self.client.interrupted(self.test, self.show.quiet));
        };
        games.flush()?;
        games.rewind()?;
        let stored = Stored {
            book: None,
            programs: std::collections::BTreeMap::new(),
            revisions: std::collections::BTreeMap::new(),
            fleet: Some(FleetJob {
                url: self.client.url.clone(),
                job: self.test.to_owned(),
            }),
            host: None,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            config: config.clone(),
        };
        let mut state = RunState::new(config, &[]).map_err(bad)?;
        state.quarantined = summary.quarantined;
        let mut ledger = Ledger::create(directory, &stored).map_err(ledger_error)?;
        if let Err(error) = record(games, &mut state, &mut ledger) {
            // What is half there must not be in the way of another attempt.
            ledger.discard();
            return Err(error);
        }
        match ended {
            Ok(end) => conclude(Ok(end), &state, ledger, self.show, true),
            Err(error) => {
                let games = recorded(state.tally.games());
                let directory = shell_word(&directory.to_string_lossy());
                Err(failed(false, format!("{error}\n{games} in {directory}")))
            }
        }
    }
}

/// Records and counts the games of a lab, one a line, without those of quarantined workers.
fn record(games: impl Read, state: &mut RunState, ledger: &mut Ledger) -> anyhow::Result<()> {
    for line in BufReader::new(games).split(b'\n') {
        let mut record = read_record(&line?)
            .map_err(|fault| failed(false, format!("the lab sent an invalid game: {fault}")))?;
        let machine = record.machine.as_ref();
        let mut quarantined = state.quarantined.iter();
        if machine.is_some_and(|machine| quarantined.any(|one| one.worker == machine.worker)) {
            continue;
        }
        state.add(&record).map_err(|error| failed(false, error))?;
        let recorded = ledger.record(&mut record, None);
        recorded.map_err(ledger_error)?;
    }
    let listed = ledger.list_quarantined(&state.quarantined);
    listed.and_then(|()| ledger.finish()).map_err(ledger_error)
}

/// What a line of progress shows.
fn progress(summary: &TestSummary) -> RunProgress {
    let score = summary.score.clone().unwrap_or_default();
    let wdl = Wdl {
        wins: score.wins,
        draws: score.draws,
        losses: score.losses,
    };
    let test = summary.sprt.as_ref().map(|test| TestProgress {
        llr: test.llr,
        bounds: [test.lower, test.upper],
        progress: if test.llr < 0.0 {
            -test.llr / test.lower
        } else {
            test.llr / test.upper
        },
    });
    RunProgress {
        games: 2 * summary.done,
        distinct: score.distinct,
        total: (test.is_none() && summary.units > 0).then_some(2 * summary.units),
        faults: summary
            .faults
            .iter()
            .filter(|one| one.lost)
            .map(|one| one.count)
            .sum(),
        incidents: summary
            .faults
            .iter()
            .filter(|one| !one.lost)
            .map(|one| one.count)
            .sum(),
        counts: summary.score.is_some().then_some(Counts::Pairs {
            pairs: Pentanomial(score.pentanomial),
            games: Some(wdl),
        }),
        test,
    }
}
