//! Tests on a lab: `selfplay sprt --lab URL`, and waiting for them.

mod client;
pub(super) mod tune;
pub(super) mod tuned;

use std::collections::BTreeMap;
use std::path::PathBuf;

use kit::cli::Common;
use kit::output::remark;
use kit::report::{Format, Formats as _, TextFormats};
use kit::{Exit, Interrupt};
use queue::lab::TestClient;
use queue::program::sha256;

use super::play::{self, MatchArgs};
use super::play_args::{PlayArgs, ShowArgs};
use crate::config::revision;
use crate::config::{BuildDraft, Contest, Draft, REVISION, program, resolve};
use crate::lab::of_run::{EngineSource, MOST_OPENINGS};
use crate::lab::spec::TestSpec;
use crate::lab::summary::TestSummary;
use crate::model::{BookOrder, OpeningSource, RunConfig};
use crate::play::ledger::Ledger;
use client::AwaitedTest;

/// Wait for a test of a lab, and print its result
///
/// Progress, result and exit code are those of `selfplay sprt` on one machine; the games are
/// recorded in a run directory, for `selfplay report`.
///
/// Example: `selfplay wait https://lab.example test-12`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 H1 is accepted, or all games were played; 1 H1 is not accepted; 2 invalid usage or input, or a test that cannot be prepared; 3 the test was stopped, or the lab cannot be reached; 4 nothing was played; 130 interrupted."
)]
pub(super) struct WaitArgs {
    /// Address of the lab
    ///
    /// The token of your account is read from `FLEET_TOKEN`
    #[arg(value_name = "URL")]
    url: String,

    /// Name of the test
    #[arg(value_name = "TEST")]
    test: String,

    /// Run directory, which must not exist
    ///
    /// Its name is made from that of the test by default.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    /// Output format of the summary
    #[arg(long, value_parser = Format::parser(TextFormats::ALL), default_value = "human")]
    format: Format,
}

/// A test of a lab, as far as waiting for it needs it.
pub(super) type GamesTest = queue::lab::LabTest<TestSummary, TestSpec>;

/// Submits a test, and waits for it unless that is not wanted.
pub(super) fn submit(
    mut args: MatchArgs,
    url: &str,
    common: Common,
    interrupt: &Interrupt,
) -> anyhow::Result<Exit> {
    let (mut draft, contest) = args.draft(common)?;
    let MatchArgs {
        play: args, lab, ..
    } = &args;
    let quiet = args.show.quiet;
    let client = TestClient::connect(url, interrupt, quiet)?;
    // Known before there is a test.
    if let Some(out) = &args.output {
        Ledger::check(out).map_err(super::bad)?;
    }
    let repository = repository(&mut draft);
    let Some(mut spec) = spec(draft, contest, args, interrupt)? else {
        return Ok(Exit::Interrupted);
    };
    spec.repository = repository;
    spec.max_faults = args.show.max_faults;
    check(&spec)?;
    let Some(submitted) = client.submit(&spec, lab.no_wait)? else {
        return Ok(Exit::Agreed);
    };
    let waiting = AwaitedTest {
        client: &client,
        test: &submitted.id,
        output: args.output.as_deref(),
        show: args.show,
    };
    waiting.run()
}

pub(super) fn run_wait(
    args: &WaitArgs,
    common: Common,
    interrupt: &Interrupt,
) -> anyhow::Result<Exit> {
    let client = TestClient::connect(&args.url, interrupt, common.quiet)?;
    let waiting = AwaitedTest {
        client: &client,
        test: &args.test,
        output: args.output.as_deref(),
        show: ShowArgs {
            force: false,
            max_faults: None,
            strict: false,
            each_game: false,
            is_warned: false,
            quiet: common.quiet,
            format: args.format,
        },
    };
    waiting.run()
}

/// The test that the options describe. `None` if the user cancelled.
fn spec(
    mut draft: Draft,
    contest: Contest,
    args: &PlayArgs,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<TestSpec>> {
    check_options(&draft, args)?;
    let is_quiet = args.show.quiet;
    let commits = find_commits(&mut draft, is_quiet);
    let mut config = resolve(draft, contest).map_err(super::bad)?;
    let sources = sources(&mut config, &commits)?;
    let mut openings = Vec::new();
    let is_own = match &config.openings {
        OpeningSource::Book { .. } => true,
        // The lab's books are shuffled, and have no place to begin at.
        OpeningSource::BuiltIn { start, order, .. } => {
            *start > 0 || *order == BookOrder::Sequential
        }
        _ => false,
    };
    if is_own {
        let Some(book) = play::open_book(&config, interrupt)? else {
            return Ok(None);
        };
        if book.len() > MOST_OPENINGS {
            let note = format!(
                "note: the book has {} openings; the first {MOST_OPENINGS} are sent, and repeat",
                book.len()
            );
            remark(is_quiet, &note);
        }
        for number in 0..book.len().min(MOST_OPENINGS) {
            openings.push(book.get(number).map_err(super::bad)?);
        }
    }
    let spec = TestSpec::of_run(&config, &sources, &openings);
    spec.map(Some).map_err(super::bad)
}

/// Rejects options that only a run on this machine has. Others that a test has no field for are
/// rejected by [`TestSpec::of_run`].
fn check_options(draft: &Draft, args: &PlayArgs) -> anyhow::Result<()> {
    let build = &draft.build;
    let builds = "workers build engines as the repository at the lab says";
    let mut engines = draft.engines.iter().chain([&draft.each]);
    let rows = [
        (
            draft.concurrency.is_some(),
            "concurrency",
            "each worker decides how many games it plays at once",
        ),
        (
            draft.pin.is_some(),
            "pin",
            "each worker decides on its CPUs",
        ),
        (build.command.is_some(), "build", builds),
        (build.artifact.is_some(), "artifact", builds),
        (build.cache.is_some(), "cache", builds),
        (draft.site.is_some(), "site", "games have no Site"),
        (
            engines.any(|engine| engine.restart.is_some()),
            "engine restart=",
            "workers decide when engines are started",
        ),
        (draft.log.is_some(), "log", "engines run on other machines"),
        (
            args.show.force,
            "force",
            "workers decide whether their machines suffice",
        ),
    ];
    let found = rows.into_iter().find(|(is_given, ..)| *is_given);
    found.map_or(Ok(()), |(_, option, why)| {
        Err(super::bad(format!(
            "--{option}: not possible on a lab: {why}"
        )))
    })
}

/// Takes the name of the repository at the lab. Here, revisions are those of the current directory.
fn repository(draft: &mut Draft) -> Option<String> {
    let name = draft.build.repo.take()?;
    Some(name.to_string_lossy().into_owned())
}

/// Checks a test before it is sent: also that there is a repository if there are revisions, and only
/// then.
fn check(spec: &TestSpec) -> anyhow::Result<()> {
    let mut engines = spec.engines.iter();
    let revision = engines.find_map(|engine| engine.revision.as_deref());
    match (revision, &spec.repository) {
        (Some(revision), None) => {
            return Err(super::bad(format!(
                "revision '{revision}' without a repository: expected --repo, the name of one that is registered at the lab"
            )));
        }
        (None, Some(name)) => {
            return Err(super::bad(format!(
                "--repo {name}: no engine is a revision, expected rev:REF"
            )));
        }
        _ => {}
    }
    let faults = spec.check();
    if faults.is_empty() {
        return Ok(());
    }
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    Err(super::bad(faults.join("\n")))
}

/// The commits of revisions in the repository here, by revision. What is not here is left to the
/// lab.
fn find_commits(draft: &mut Draft, is_quiet: bool) -> BTreeMap<String, String> {
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
            if found.dirty {
                let repository = found.repository.display();
                let note = format!(
                    "note: {repository} has changes that are not committed; {reference} is tested without them"
                );
                remark(is_quiet, &note);
            }
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
        program::locate(&mut alone).map_err(play::program_error)?;
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
    program::locate(&mut places).map_err(play::program_error)?;
    config.openings = places.openings;
    Ok(sources)
}
