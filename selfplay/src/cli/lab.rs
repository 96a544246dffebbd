//! Tests on a lab: `selfplay sprt --lab URL`, and waiting for them. An edge: it speaks to a server.

#[cfg(feature = "fleet")]
pub(super) mod tune;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kit::cli::Common;
use kit::{Exit, Interrupt, output};
use queue::program::sha256;

use super::play_args::ShowArgs;
use super::session;
use crate::config::revision;
use crate::config::{BuildDraft, Contest, Draft, REVISION, program, resolve};
use crate::lab::of_run::{EngineSource, MOST_OPENINGS};
use crate::lab::spec::TestSpec;
use crate::model::{OpeningSource, RunConfig};

/// Lab options.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Lab")]
pub(super) struct LabArgs {
    /// Submit the test to this lab, whose workers play it, and wait for its result. The token of your
    /// account is read from `FLEET_TOKEN`. Engines are revisions, `rev:REF`, or programs that workers
    /// have. `https://lab.example`
    #[arg(long, value_name = "URL")]
    pub(super) lab: Option<String>,

    /// Name of the repository at the lab that revisions are of
    #[arg(long, value_name = "NAME", requires = "lab")]
    lab_repo: Option<String>,

    /// Print the name and the address of the test, and do not wait for its result
    #[arg(long, requires = "lab")]
    no_wait: bool,

    /// Priority of the test: those of higher priority come first, from -100 to 100 [default: 0]
    #[arg(
        long,
        value_name = "N",
        requires = "lab",
        allow_negative_numbers = true
    )]
    priority: Option<i32>,
}

/// Wait for a test of a lab, and print its result
///
/// Progress, result and exit code are those of `selfplay sprt` on one machine; the games are
/// recorded in a run directory, for `selfplay report`.
///
/// Example: `selfplay wait https://lab.example test-12`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 H1 is accepted, or all games were played; 1 H1 is not accepted; 2 invalid usage or input; 3 the test was stopped, or the lab cannot be reached; 4 nothing was played; 130 interrupted."
)]
pub(super) struct WaitArgs {
    /// Address of the lab; the token of your account is read from `FLEET_TOKEN`
    #[arg(value_name = "URL")]
    url: String,

    /// Name of the test
    #[arg(value_name = "TEST")]
    test: String,

    /// Run directory, which must not exist [default: made from the name of the test]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    #[command(flatten)]
    show: ShowArgs,
}

/// Submits a test, and waits for it unless that is not wanted.
pub(super) fn submit(
    draft: Draft,
    contest: Contest,
    args: &super::play_args::PlayArgs,
    lab: &LabArgs,
    url: &str,
    interrupt: &Interrupt,
) -> anyhow::Result<Exit> {
    let Some(mut spec) = spec(draft, contest, args, interrupt)? else {
        return Ok(Exit::Interrupted);
    };
    spec.repository.clone_from(&lab.lab_repo);
    spec.priority = lab.priority.unwrap_or(0);
    spec.max_faults = args.show.max_faults;
    let faults = spec.check();
    if !faults.is_empty() {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        return Err(super::bad(faults.join("\n")));
    }
    let client = Client::connect(url)?;
    let submitted = client.submit(&spec)?;
    if lab.no_wait {
        output::to_stdout(format!("{} {}\n", submitted.id, submitted.url))?;
        return Ok(Exit::Agreed);
    }
    let quiet = args.show.quiet;
    super::remark(quiet, &format!("{}: {}", submitted.id, submitted.url));
    let waiting = Waiting {
        client: &client,
        url,
        test: &submitted.id,
        output: args.output.as_deref(),
        show: args.show,
    };
    waiting.run(interrupt)
}

pub(super) fn run_wait(
    args: &WaitArgs,
    common: Common,
    interrupt: &Interrupt,
) -> anyhow::Result<Exit> {
    let client = Client::connect(&args.url)?;
    let waiting = Waiting {
        client: &client,
        url: &args.url,
        test: &args.test,
        output: args.output.as_deref(),
        show: ShowArgs {
            quiet: common.quiet,
            ..args.show
        },
    };
    waiting.run(interrupt)
}

/// The test that the options describe. `None` if the user cancelled.
fn spec(
    draft: Draft,
    contest: Contest,
    args: &super::play_args::PlayArgs,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<TestSpec>> {
    let mut draft = match &args.config {
        Some(path) => draft.over(session::read_config(path)?),
        None => draft,
    };
    let commits = find_commits(&mut draft);
    let mut config = resolve(draft, contest).map_err(super::bad)?;
    let sources = sources(&mut config, &commits)?;
    let mut openings = Vec::new();
    let is_own = match &config.openings {
        OpeningSource::Book { .. } => true,
        // The lab's have no place to begin at.
        OpeningSource::BuiltIn { start, .. } => *start > 0,
        _ => false,
    };
    if is_own {
        let Some(book) = session::open_book(&config, interrupt)? else {
            return Ok(None);
        };
        for number in 0..book.len().min(MOST_OPENINGS) {
            openings.push(book.get(number).map_err(super::bad)?);
        }
    }
    let spec = TestSpec::of_run(&config, &sources, &openings);
    spec.map(Some).map_err(super::bad)
}

/// The commits of revisions in the repository here, by revision. What is not here is left to the
/// lab.
fn find_commits(draft: &mut Draft) -> BTreeMap<String, String> {
    let mut commits = BTreeMap::new();
    let here = BuildDraft {
        // The lab builds; only the commit is of interest.
        command: Some(String::new()),
        artifact: Some(PathBuf::from("engine")),
        ..draft.build.clone()
    };
    for engine in &mut draft.engines {
        let cmd = engine.cmd.as_deref().or(draft.each.cmd.as_deref());
        let Some(reference) = cmd.and_then(|cmd| cmd.strip_prefix(REVISION)) else {
            continue;
        };
        if let Ok(found) = revision::resolve(reference, &here) {
            engine.commit = Some(found.commit.clone());
            commits.insert(reference.to_owned(), found.commit);
        }
    }
    commits
}

fn sources(
    config: &mut RunConfig,
    commits: &BTreeMap<String, String>,
) -> anyhow::Result<BTreeMap<String, EngineSource>> {
    let mut sources = BTreeMap::new();
    for index in 0..config.engines.len() {
        let engine = config.engines[index].clone();
        if let Some(reference) = program::revision(engine.command.program.as_os_str()) {
            let commit = commits.get(reference).map_or(reference, |commit| commit);
            sources.insert(engine.name, EngineSource::Revision(commit.to_owned()));
            continue;
        }
        let mut alone = config.clone();
        alone.engines = vec![engine];
        program::locate(&mut alone).map_err(session::program_error)?;
        let path = &alone.engines[0].command.program;
        let name = alone.engines[0].name.clone();
        let sum = sha256(path).map_err(|error| {
            let path = path.display();
            super::bad(format!("engine '{name}': cannot read {path}: {error}"))
        })?;
        sources.insert(name, EngineSource::Sha256(sum));
    }
    // Books are read from here.
    let mut places = config.clone();
    places.engines.clear();
    program::locate(&mut places).map_err(session::program_error)?;
    config.openings = places.openings;
    Ok(sources)
}

/// How often a test is looked at.
const LOOK: Duration = Duration::from_secs(2);

#[cfg(not(feature = "fleet"))]
use without::{Client, Waiting};

/// A build that speaks to no lab.
#[cfg(not(feature = "fleet"))]
mod without {
    use super::{Exit, Interrupt, Path, ShowArgs, TestSpec};

    pub(super) struct Submitted {
        pub(super) id: String,
        pub(super) url: String,
    }

    /// There is none.
    pub(super) enum Client {}

    impl Client {
        pub(super) fn connect(_: &str) -> anyhow::Result<Self> {
            Err(super::super::bad(
                "this program was built without the lab: build it with `cargo build --release -p touchstone-selfplay --features fleet`",
            ))
        }

        pub(super) fn submit(&self, _: &TestSpec) -> anyhow::Result<Submitted> {
            match *self {}
        }
    }

    pub(super) struct Waiting<'a> {
        pub(super) client: &'a Client,
        pub(super) url: &'a str,
        pub(super) test: &'a str,
        pub(super) output: Option<&'a Path>,
        pub(super) show: ShowArgs,
    }

    impl Waiting<'_> {
        pub(super) fn run(self, _: &Interrupt) -> anyhow::Result<Exit> {
            let _ = (self.url, self.test, self.output, self.show, super::LOOK);
            match *self.client {}
        }
    }
}

#[cfg(feature = "fleet")]
use with::{Client, Waiting};

/// The client of a lab.
#[cfg(feature = "fleet")]
mod with {
    use std::io::{BufRead as _, BufReader, Seek as _, Write as _};

    use queue::BrokerError;
    use serde::Deserialize;

    use super::{Exit, Interrupt, LOOK, Path, ShowArgs, TestSpec, session};
    use crate::cli::session::{Failure, conclude};
    use crate::cli::{bad, failed, remark, shell_word, time_now};
    use crate::fleet::retry::{ask, chain, pause};
    use crate::lab::summary::{Outcome, TestSummary};
    use crate::model::RunConfig;
    use crate::play::event::{RunEnd, RunEvent, RunProgress, TestProgress};
    use crate::play::ledger::{Ledger, Stored, default_name, read_record};
    use crate::play::run::RunState;
    use crate::report::live::Live;
    use crate::stats::{Counts, Pentanomial, Wdl};

    #[derive(Deserialize)]
    pub(super) struct Submitted {
        pub(super) id: String,
        pub(super) url: String,
    }

    /// A test, as far as waiting for it needs it.
    #[derive(Deserialize)]
    struct Test {
        state: String,
        reason: Option<String>,
        summary: TestSummary,
        is_final: bool,
    }

    pub(super) struct Client(queue::Client);

    fn broker_error(error: &BrokerError) -> anyhow::Error {
        let is_input = matches!(
            error,
            BrokerError::BadUrl(_) | BrokerError::Denied(_) | BrokerError::NoJob(_)
        );
        failed(is_input, chain(error))
    }

    impl Client {
        pub(super) fn connect(url: &str) -> anyhow::Result<Self> {
            let client = queue::connect_with_environment(url);
            client.map(Self).map_err(|error| broker_error(&error))
        }

        pub(super) fn submit(&self, spec: &TestSpec) -> anyhow::Result<Submitted> {
            // A call that failed may have taken effect, and is not repeated: one test is enough.
            let submitted = self.0.post("/api/1/tests", spec);
            submitted.map_err(|error| match error {
                // What the lab finds wrong with a test is the user's fault.
                BrokerError::Failed(detail) => bad(detail),
                error => broker_error(&error),
            })
        }
    }

    /// A test that is waited for.
    pub(super) struct Waiting<'a> {
        pub(super) client: &'a Client,
        pub(super) url: &'a str,
        pub(super) test: &'a str,
        pub(super) output: Option<&'a Path>,
        pub(super) show: ShowArgs,
    }

    impl Waiting<'_> {
        pub(super) fn run(self, interrupt: &Interrupt) -> anyhow::Result<Exit> {
            let name = default_name(time_now(), [self.test]);
            let directory = self.output.unwrap_or_else(|| Path::new(&name));
            Ledger::check(directory).map_err(bad)?;
            let Some(test) = self.wait(interrupt)? else {
                let (url, test) = (shell_word(self.url), shell_word(self.test));
                let again = format!("selfplay wait {url} {test}");
                remark(
                    self.show.quiet,
                    &format!("interrupted: the test continues; wait for it again with: {again}"),
                );
                return Ok(Exit::Interrupted);
            };
            let Test {
                state,
                reason,
                summary,
                ..
            } = test;
            let ended = match summary.outcome {
                None => Err(format!(
                    "the test is {state}: {}",
                    reason.unwrap_or_default()
                )),
                Some(Outcome::Broken) => Err(summary.headline.clone()),
                Some(Outcome::Complete | Outcome::Undecided) => Ok(RunEnd::Done),
                Some(_) => Ok(RunEnd::Decided),
            };
            if ended.is_err() && summary.done == 0 {
                return Err(failed(false, ended.err().unwrap_or_default()));
            }
            self.fetch(directory, ended, summary, interrupt)
        }

        fn call<T>(
            &self,
            interrupt: &Interrupt,
            call: impl FnMut() -> Result<T, BrokerError>,
        ) -> anyhow::Result<T> {
            let say = |line: &str| remark(self.show.quiet, line);
            ask(interrupt, &say, call).map_err(|error| broker_error(&error))
        }

        /// Waits until the result is final, and shows the progress. `None` if the user interrupts.
        fn wait(&self, interrupt: &Interrupt) -> anyhow::Result<Option<Test>> {
            let path = format!("/api/1/tests/{}", self.test);
            let mut live = Live::new(!self.show.quiet);
            let mut said = String::new();
            loop {
                let test: Test = match self.call(interrupt, || self.client.0.get(&path)) {
                    Err(_) if interrupt.has_come() => return Ok(None),
                    test => test?,
                };
                let is_over = matches!(test.state.as_str(), "rejected" | "flagged");
                if test.is_final || is_over {
                    live.finish();
                    return Ok(Some(test));
                }
                let state = match (test.state.as_str(), &test.reason) {
                    ("running", _) => String::new(),
                    ("pending", _) => "waiting for a maintainer to approve the test".to_owned(),
                    (_, Some(reason)) => reason.clone(),
                    (state, None) => state.to_owned(),
                };
                if state != said && !state.is_empty() {
                    remark(self.show.quiet, &state);
                    said = state;
                }
                live.take(RunEvent::Progress(progress(&test.summary)));
                if interrupt.has_come() {
                    live.finish();
                    return Ok(None);
                }
                pause(LOOK, interrupt);
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
            let config: RunConfig = self.call(interrupt, || self.client.0.get(&path("config")))?;
            let mut games = tempfile::tempfile()?;
            self.call(interrupt, || {
                let rewound = games.rewind().and_then(|()| games.set_len(0));
                rewound.map_err(|error| BrokerError::Failed(error.to_string()))?;
                self.client.0.download(&path("ledger"), &mut games)
            })?;
            games.flush()?;
            games.rewind()?;
            let stored = Stored {
                book: None,
                programs: std::collections::BTreeMap::new(),
                revisions: std::collections::BTreeMap::new(),
                fleet: None,
                host: None,
                version: env!("CARGO_PKG_VERSION").to_owned(),
                config: config.clone(),
            };
            let mut state = RunState::new(config, &[]).map_err(bad)?;
            let mut ledger = Ledger::create(directory, &stored).map_err(session::ledger_error)?;
            let quarantined: Vec<&str> = summary
                .quarantined
                .iter()
                .map(|one| one.worker.as_str())
                .collect();
            for line in BufReader::new(games).split(b'\n') {
                let mut record = read_record(&line?).map_err(|fault| {
                    failed(false, format!("a game of the lab is none: {fault}"))
                })?;
                let machine = record.machine.as_ref();
                if machine.is_some_and(|machine| quarantined.contains(&machine.worker.as_str())) {
                    continue;
                }
                state.add(&record).map_err(|error| failed(false, error))?;
                ledger
                    .record(&mut record, None)
                    .map_err(session::ledger_error)?;
            }
            ledger.finish().map_err(session::ledger_error)?;
            state.quarantined = summary.quarantined;
            let ended = ended.map_err(|error| Failure {
                is_input: false,
                error,
            });
            conclude(ended, &state, ledger, self.show, true)
        }
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
}
