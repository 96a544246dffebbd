//! Waiting for a test of games, whose games are downloaded. An edge.

use std::io::{BufRead as _, BufReader, Read, Seek as _, Write as _};
use std::path::Path;

use kit::Exit;
use kit::output::remark;
use queue::BrokerError;
use queue::lab::TestClient;

use super::super::play::{conclude, ledger_error, recorded};
use super::super::play_args::ShowArgs;
use super::super::{bad, failed, shell_word, time_now};
use super::GamesTest;
use super::tuned::print_tuned;
use crate::lab::summary::{Outcome, TestSummary};
use crate::model::RunConfig;
use crate::play::event::{RunEnd, RunEvent, RunProgress, TestProgress};
use crate::play::ledger::{FleetJob, Ledger, Stored, default_name, read_record};
use crate::play::run::RunState;
use crate::report::live::LiveStatus;
use crate::stats::{Counts, Pentanomial, Wdl};

/// Prints how to wait for a test again.
pub(super) fn interrupted(url: &str, test: &str, is_quiet: bool) -> Exit {
    let (url, test) = (shell_word(url), shell_word(test));
    remark(
        is_quiet,
        &format!(
            "interrupted: the test continues; wait for it again with: selfplay wait {url} {test}"
        ),
    );
    Exit::Interrupted
}

/// A test that is waited for.
pub(super) struct AwaitedTest<'a> {
    pub(super) client: &'a TestClient<'a>,
    pub(super) test: &'a str,
    pub(super) output: Option<&'a Path>,
    pub(super) show: ShowArgs,
}

impl AwaitedTest<'_> {
    pub(super) fn run(self) -> anyhow::Result<Exit> {
        let name = default_name(time_now(), [self.test]);
        let directory = self.output.unwrap_or_else(|| Path::new(&name));
        Ledger::check(directory).map_err(bad)?;
        let mut live = LiveStatus::new(!self.show.quiet, false, directory, None);
        let mut show = |summary: &TestSummary| live.take(RunEvent::Progress(progress(summary)));
        let test: anyhow::Result<Option<GamesTest>> = self.client.wait(self.test, &mut show);
        live.finish();
        let Some(test) = test? else {
            return Ok(self.interrupted());
        };
        if test.summary.tune.is_some() {
            return print_tuned(&test, self.show.format.into(), self.show.quiet);
        }
        let state = test.state();
        let GamesTest {
            summary, passed, ..
        } = test;
        let ended = match summary.outcome {
            None => Err(state),
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
            ended => self.fetch(directory, ended, summary),
        }
    }

    fn interrupted(&self) -> Exit {
        interrupted(self.client.url(), self.test, self.show.quiet)
    }

    /// Downloads the games into a run directory, and prints the same summary as of a run on this
    /// machine.
    fn fetch(
        &self,
        directory: &Path,
        ended: Result<RunEnd, String>,
        summary: TestSummary,
    ) -> anyhow::Result<Exit> {
        let path = |what: &str| format!("/api/1/tests/{}/{what}", self.test);
        let config = self
            .client
            .call(|lab| lab.get::<RunConfig>(&path("config")))?;
        let mut games = tempfile::tempfile()?;
        let downloaded = self.client.call(|lab| {
            let rewound = games.rewind().and_then(|()| games.set_len(0));
            rewound.map_err(|error| BrokerError::Failed(error.to_string()))?;
            lab.download(&path("ledger"), &mut games)
        })?;
        let Some((config, _)) = config.zip(downloaded) else {
            return Ok(self.interrupted());
        };
        games.flush()?;
        games.rewind()?;
        let stored = Stored {
            book: None,
            programs: std::collections::BTreeMap::new(),
            revisions: std::collections::BTreeMap::new(),
            fleet: Some(FleetJob {
                url: self.client.url().to_owned(),
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
