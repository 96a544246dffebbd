//! `selfplay match`, which is `selfplay sprt` too: from the options to the exit code.
//!
//! In the order of a run: [`MatchArgs::draft`] decides what is played, [`run_match`] prepares it,
//! [`PreparedRun::play`] plays, [`conclude`] prints the summary and chooses the exit code. A resumed run begins
//! at the third. The rest are steps that both have in common with tunings and labs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kit::cli::Common;
use kit::output::{self, remark, to_stderr};
use kit::report::Format;
use kit::{Exit, Interrupt};

use super::control::Controls;
#[cfg(feature = "fleet")]
use super::play_args::LabArgs;
use super::play_args::{LogState, PlayArgs, ShowArgs};
use super::report::standing;
use crate::config::program::{self, ProgramError};
use crate::config::revision::{self, RevisionError};
use crate::config::{Contest, Draft, REVISION, SprtDraft, fill_in, resolve};
use crate::model::{
    BuiltRevision, EngineId, EngineIndex, Limits, OpeningSource, RunConfig, TournamentFormat,
};
use crate::openings::{OpeningError, Openings};
use crate::play::event::RunEnd;
use crate::play::ledger::{
    Host, Ledger, LedgerError, Stored, check_outputs, default_name, measure,
};
use crate::play::player::{EngineTimeouts, RunPrograms};
use crate::play::referee::Endgames;
use crate::play::run::{Run, RunError, RunState, pinning, run};
use crate::play::schedule::MAX_EXTRA_PAIRS;
use crate::play::tablebase::Syzygy;
use crate::report::live::LiveStatus;
use crate::report::summary::{EndSummary, failure};
use crate::stats::{SprtState, duplicates};

/// Example of a file for `--config`, and the exit codes.
const EXAMPLE: &str = r#"A file for --config; every option has its place in one:

rounds = 100

[each]
tc = "10+0.1"
option.Hash = 64

[[engine]]
cmd = "./new"

[[engine]]
cmd = "./base"
args = ["--uci"]
name = "Base 1.0"

[openings]
file = "book.epd"

[adjudication]
resign = { moves = 3, score = 400 }

Exit codes: 0 all games were played, or a test has accepted H1; 1 a test has not: H0 is accepted, or all rounds were played without a decision; 2 invalid usage or input, 3 an engine or the environment failed, 4 nothing was played, 130 interrupted."#;

/// Play games: a match, a sequential test (SPRT), a tournament
///
/// Games come in pairs: two games from one opening with colours swapped. By default, two engines play
/// ten pairs; without limits, at 2+0.02, with a margin of 1 s, and a test at 8+0.08. Everything is
/// recorded in a run directory; `selfplay resume DIR` resumes an interrupted match.
///
/// `selfplay sprt` is `selfplay match --sprt`: pairs are played until a sequential test is decided. Is
/// the first engine stronger than the second? The test is evaluated after each pair, in the order of the
/// schedule, so that short games cannot bias it. By default, the bounds are `--elo0 0 --elo1 5`.
///
/// More than two engines, or --system, make a tournament. All pairings of a round play the same opening.
/// To rate the engines, run `selfplay rate DIR/games.pgn`.
///
/// Examples: `selfplay match ./new ./base --tc 10+0.1 --rounds 100`,
/// `selfplay sprt ./new ./base --tc 10+0.1 --elo0 0 --elo1 5`,
/// `selfplay sprt rev:HEAD rev:v0.1.0 --build 'cargo build --release' --artifact
/// target/release/engine --tc 10+0.1`,
/// `selfplay match 'cmd=./engine option.Hash=64' ./engine --nodes 10000 --rounds 50 -j 4`,
/// `selfplay match ./a ./b ./c --tc 10+0.1`,
/// `selfplay match --system swiss --config engines.toml`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes: 0 all games were played, 2 invalid usage or input, 3 an engine or the environment failed, 4 nothing was played, 130 interrupted.", after_long_help = EXAMPLE)]
pub(super) struct MatchArgs {
    /// Play until a sequential test is decided
    ///
    /// Also by any of the options of the test.
    #[arg(long, help_heading = "Test (of two engines)")]
    sprt: bool,
    #[command(flatten)]
    test: SprtDraft,
    #[command(flatten)]
    pub(super) play: PlayArgs,
    /// Pairing system of a tournament
    ///
    /// By default, more than two engines play a round robin.
    #[arg(long, value_enum, help_heading = "Run", hide_short_help = true)]
    system: Option<TournamentFormat>,
    #[cfg(feature = "fleet")]
    #[command(flatten)]
    pub(super) lab: LabArgs,
}

impl MatchArgs {
    /// Adds settings, which count less than the options.
    pub(super) fn set(&mut self, settings: Draft) {
        self.play.settings = settings;
    }

    /// What is to be played, and as what: a test, a match or a tournament.
    pub(super) fn draft(&mut self, common: Common) -> anyhow::Result<(Draft, Contest)> {
        let is_test = self.sprt || self.test != SprtDraft::default();
        self.play.show.quiet = common.quiet;
        self.play.settings.system = self.system.or(self.play.settings.system);
        if self.test != SprtDraft::default() {
            self.play.settings.sprt = std::mem::take(&mut self.test);
        }
        let draft = self.play.draft()?;
        let contest = match draft.system {
            _ if is_test => Contest::Sprt,
            Some(TournamentFormat::Match) => Contest::Match,
            None if draft.engines.len() <= 2 => Contest::Match,
            _ => Contest::Tournament,
        };
        Ok((draft, contest))
    }
}

/// Plays on this machine; what a first try leaves out is filled in, and printed. A test for the machines
/// of others is spelled out.
pub(super) fn run_match(
    mut args: MatchArgs,
    common: Common,
    interrupt: &Interrupt,
) -> anyhow::Result<Exit> {
    let (mut draft, contest) = args.draft(common)?;
    let args = &args.play;
    let is_quiet = args.show.quiet;
    let defaults = fill_in(&mut draft, contest);
    if !defaults.is_empty() {
        remark(is_quiet, &format!("defaults: {}", defaults.join(" ")));
    }
    // A build may take minutes: a directory that cannot be used is found before it.
    if let Some(out) = &args.output {
        Ledger::check(out).map_err(super::bad)?;
    }
    let log = draft.log.take();
    let Some((stored, openings)) = resolve_all(draft, contest, args, interrupt)? else {
        return Ok(Exit::Interrupted);
    };
    let tables = open_tables(&stored.config)?;
    let state = RunState::new(stored.config.clone(), &[]).map_err(super::bad)?;
    // The log is a file of its own, which a directory that cannot be used must not leave behind.
    let directory = directory(args.output.as_deref(), &stored.config);
    Ledger::check(&directory).map_err(super::bad)?;
    check_outputs(&stored.config.output, &directory).map_err(super::bad)?;
    let log = LogState::start(log.as_deref(), interrupt)?;
    let ledger = Ledger::create(&directory, &stored).map_err(ledger_error)?;
    if let Some((_, start)) = stored.config.openings.order()
        && start >= openings.len()
    {
        let (count, first) = (openings.len(), start % openings.len());
        let note =
            format!("note: start {start} is beyond the {count} openings: it is {first} there");
        remark(is_quiet, &note);
    }
    let mut show = args.show;
    if let Some(note) = repeats(&stored.config, openings.len()) {
        remark(is_quiet, &note);
        show.is_warned = note.contains("WARNING");
    }
    let programs = programs(&stored, BTreeMap::new(), false);
    let (copies, all) = (openings.duplicates(), openings.len());
    if copies > 0 {
        let lead = if copies == 1 { "leads" } else { "lead" };
        let note = format!(
            "note: {copies} of the {all} openings {lead} to the position of an earlier one: games from them may be \
             copies, and prove nothing; `epd dedupe` removes such lines from an EPD book"
        );
        remark(is_quiet, &note);
    }
    let prepared = PreparedRun {
        state,
        ledger,
        openings,
        programs,
        show,
        log,
        is_new: true,
    };
    prepared.play(tables.as_ref(), interrupt)
}

/// A run that is ready to be played.
pub(super) struct PreparedRun {
    pub(super) state: RunState,
    pub(super) ledger: Ledger,
    pub(super) openings: Openings,
    pub(super) programs: RunPrograms,
    pub(super) show: ShowArgs,
    pub(super) log: LogState,
    /// Whether its directory was just created.
    pub(super) is_new: bool,
}

/// Why a run ended early.
pub(super) struct RunFailure {
    /// Whether the user is to blame, and not an engine or the environment.
    pub(super) is_input: bool,
    pub(super) error: String,
}

impl From<RunError> for RunFailure {
    fn from(error: RunError) -> Self {
        Self {
            is_input: error.is_input(),
            error: error.to_string(),
        }
    }
}

impl PreparedRun {
    /// Plays the run on this machine and prints its summary.
    pub(super) fn play(
        mut self,
        tables: Option<&Syzygy>,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Exit> {
        let timeouts = self.state.config.timeouts;
        let directory = self.ledger.directory().to_owned();
        let config = &self.state.config;
        let begin = self.is_new.then(|| begin_line(config, &directory));
        let mut controls = Controls::open(&directory, self.show.quiet);
        let mut next = || controls.next();
        let mut all = Run {
            state: self.state,
            ledger: self.ledger,
            openings: &self.openings,
            endgames: tables.map(|tables| tables as &dyn Endgames),
            patience: EngineTimeouts::default().with(timeouts),
            programs: self.programs,
            max_faults: self.show.max_faults,
            interrupt,
            control: &mut next,
        };
        let mut live = LiveStatus::new(!self.show.quiet, self.show.each_game, &directory, begin);
        let mut ended = run(&mut all, &mut |event| live.take(event)).map_err(RunFailure::from);
        live.finish();
        if let Some(error) = self.log.failure() {
            ended = Err(RunFailure {
                is_input: false,
                error: error.to_owned(),
            });
        }
        let Run { state, ledger, .. } = all;
        // A run that could not start leaves nothing behind, its file neither.
        drop(controls);
        for error in tables.iter().flat_map(|tables| tables.errors()) {
            to_stderr(&format!("warning: {error}; it was treated as missing"));
            self.show.is_warned = true;
        }
        if ended.is_err() && self.is_new && !ledger.has_games() {
            self.log.discard();
        }
        conclude(ended, &state, ledger, self.show, self.is_new)
    }
}

/// Prints the summary of a run. One that could not start leaves nothing behind.
pub(super) fn conclude(
    ended: Result<RunEnd, RunFailure>,
    state: &RunState,
    ledger: Ledger,
    show: ShowArgs,
    is_new: bool,
) -> anyhow::Result<Exit> {
    let directory = ledger.directory().to_owned();
    let results = state.result();
    let games = results.games;
    // One that could not be written everywhere is not among the results.
    let known = if games == 0 && ledger.has_games() {
        "the first game may be recorded".to_owned()
    } else {
        recorded(games)
    };
    let resume = format!(
        "{known}; resume with: selfplay resume {}",
        super::shell_word(&directory.to_string_lossy())
    );
    let end = match ended {
        Ok(end) => end,
        Err(RunFailure { is_input, error }) if is_new && !ledger.has_games() => {
            // A run that could not start must not block the next one.
            ledger.discard();
            return Err(super::failed(is_input, error));
        }
        Err(RunFailure { is_input, error }) => {
            return Err(super::failed(is_input, format!("{error}\n{resume}")));
        }
    };
    if games > 0 {
        output::to_stdout(match show.format {
            Format::Json => standing(&directory, None, Format::Json)?,
            _ => EndSummary::new(&results, &directory).human(),
        })?;
    }
    if end == RunEnd::Interrupted {
        remark(show.quiet, &format!("interrupted: {resume}"));
        return Ok(Exit::Interrupted);
    }
    if let Some(failure) = failure(&results) {
        to_stderr(&format!("error: {failure}"));
        return Ok(Exit::Failed);
    }
    let is_copied = duplicates::warning(results.distinct, games).is_some();
    let has_faults = !results.faults.is_empty() || !results.incidents.is_empty();
    if show.strict && (show.is_warned || is_copied || has_faults) {
        to_stderr("error: there were warnings, and --strict allows none");
        return Ok(Exit::Failed);
    }
    Ok(match results.test.map(|test| test.state) {
        _ if games == 0 => Exit::Nothing,
        None | Some(SprtState::AcceptedH1) => Exit::Agreed,
        Some(SprtState::AcceptedH0 | SprtState::Running) => Exit::Differs,
        Some(SprtState::Invalid) => {
            to_stderr("error: the test is invalid: it proves nothing");
            Exit::Nothing
        }
    })
}

/// Resolves the options as typed: builds revisions, finds programs, opens the book. `None` if the
/// user cancelled.
fn resolve_all(
    mut draft: Draft,
    contest: Contest,
    args: &PlayArgs,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<(Stored, Openings)>> {
    let cache = draft.build.cache.clone();
    let found = find_revisions(&mut draft)?;
    let mut config = resolve(draft, contest).map_err(super::bad)?;
    let is_quiet = args.show.quiet;
    let built = build_revisions(&mut config, &found, cache.as_deref(), is_quiet, interrupt)?;
    let Some(revisions) = built else {
        return Ok(None);
    };
    program::locate(&mut config).map_err(program_error)?;
    let programs = program::fingerprints(&config).map_err(program_error)?;
    measure(&mut config.output).map_err(super::bad)?;
    check_budget(&config, args.show.force, is_quiet)?;
    let Some(openings) = open_book(&config, interrupt)? else {
        return Ok(None);
    };
    let stored = Stored {
        book: openings.fingerprint(),
        programs,
        revisions,
        fleet: None,
        host: Some(host()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        config,
    };
    Ok(Some((stored, openings)))
}

/// The requested directory, or a new one.
fn directory(asked: Option<&Path>, config: &RunConfig) -> PathBuf {
    if let Some(path) = asked {
        return path.to_owned();
    }
    let name = default_name(
        super::time_now(),
        config.engines.iter().map(|one| &*one.name),
    );
    let numbered = (2..).map(|number| PathBuf::from(format!("{name}-{number}")));
    let mut names = std::iter::once(PathBuf::from(&name)).chain(numbered);
    names
        .find(|path| !path.exists())
        .expect("there are more numbers than directories")
}

/// Resolves the engines that are revisions, keyed by the reference as typed. Stores each commit in
/// its engine, whose default name includes it.
fn find_revisions(draft: &mut Draft) -> anyhow::Result<BTreeMap<String, BuiltRevision>> {
    let mut found = BTreeMap::new();
    for engine in &mut draft.engines {
        let cmd = engine.cmd.as_deref().or(draft.each.cmd.as_deref());
        let reference = cmd.and_then(|cmd| cmd.strip_prefix(REVISION));
        let Some(reference) = reference.filter(|text| !text.is_empty()) else {
            continue;
        };
        let revision = match found.remove(reference) {
            Some(revision) => revision,
            None => revision::resolve(reference, &draft.build).map_err(revision_error)?,
        };
        engine.commit = Some(revision.commit.clone());
        found.insert(revision.reference.clone(), revision);
    }
    Ok(found)
}

/// Builds the engines that are revisions and sets their programs in the configuration. `None` if
/// the user cancelled.
fn build_revisions(
    config: &mut RunConfig,
    found: &BTreeMap<String, BuiltRevision>,
    cache: Option<&Path>,
    is_quiet: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<BTreeMap<String, BuiltRevision>>> {
    let remark = |line: &str| kit::output::remark(is_quiet, line);
    let mut revisions = BTreeMap::new();
    for engine in &mut config.engines {
        let reference = program::revision(engine.command.program.as_os_str());
        let Some(revision) = reference.and_then(|reference| found.get(reference)) else {
            continue;
        };
        if revision.dirty {
            remark(&format!(
                "note: {} has changes that are not committed; {} is built without them",
                revision.repository.display(),
                revision.reference
            ));
        }
        match revision::program(revision, cache, interrupt, &remark) {
            Ok(program) => engine.command.program = program,
            Err(RevisionError::Interrupted) => return Ok(None),
            Err(error) => return Err(revision_error(error)),
        }
        revisions.insert(engine.name.clone(), revision.clone());
    }
    Ok(Some(revisions))
}

/// The line that says what is played, and where it is recorded.
fn begin_line(config: &RunConfig, directory: &Path) -> String {
    let names: Vec<&str> = config.engines.iter().map(|one| &*one.name).collect();
    format!(
        "{} in {}, {} at once, seed {}",
        names.join(" - "),
        directory.display(),
        config.concurrency,
        config.seed
    )
}

/// Number of openings that suffices for most tests without a limit of rounds. A test that needs
/// more ends invalid as soon as pairs repeat.
const PLENTY: u64 = 1000;

/// Warns of a run with fewer openings than rounds: where only nodes or depth limit the engines,
/// games will be duplicates.
fn repeats(config: &RunConfig, openings: u64) -> Option<String> {
    let fixed = |limits: &Limits| limits.clock.is_none() && limits.movetime_ms.is_none();
    let are_fixed = config.engines.iter().all(|engine| fixed(&engine.limits));
    let is_unlimited = config.is_unlimited();
    let rounds = match config.format {
        // Ties may need more in each stage; only those of equals at fixed nodes would be copies.
        TournamentFormat::Knockout => {
            let stages = config.engines.len().next_power_of_two().trailing_zeros();
            let extra = if are_fixed { MAX_EXTRA_PAIRS } else { 0 };
            u64::from(stages) * (config.rounds + u64::from(extra))
        }
        _ => config.rounds,
    };
    let are_enough = if is_unlimited {
        openings >= PLENTY || (openings > 1 && !are_fixed)
    } else {
        let repeat = config.pairing.repeat;
        openings >= rounds.div_ceil(repeat) && (repeat == 1 || !are_fixed)
    };
    if are_enough {
        return None;
    }
    let mut text = match (&config.openings, is_unlimited) {
        (OpeningSource::Startpos, _) => {
            "note: no openings: every game starts from the start position".to_owned()
        }
        (_, true) => format!("note: {openings} openings; they repeat after as many rounds"),
        (_, false) => format!(
            "note: {openings} openings for {}{rounds} rounds: they repeat",
            if rounds > config.rounds { "up to " } else { "" }
        ),
    };
    if are_fixed {
        text += "\nWARNING: engines limited by nodes or depth alone may repeat games: copies \
                 prove nothing, and a test ends invalid once more than one pair in twenty is a copy";
    }
    Some(text)
}

/// Number of games recorded in the run directory.
pub(super) fn recorded(games: u64) -> String {
    match games {
        1 => "1 game is recorded".to_owned(),
        games => format!("{games} games are recorded"),
    }
}

pub(super) fn ledger_error(error: LedgerError) -> anyhow::Error {
    super::failed(!error.is_environment(), error)
}

/// An error of an engine's program; a missing program counts as a failed engine.
pub(super) fn program_error(error: ProgramError) -> anyhow::Error {
    super::failed(error.is_input, error)
}

pub(super) fn revision_error(error: RevisionError) -> anyhow::Error {
    super::failed(error.is_input(), error)
}

/// Checks that the machine is large enough for a run; with `force` that is a remark.
pub(super) fn check_budget(config: &RunConfig, force: bool, is_quiet: bool) -> anyhow::Result<()> {
    match pinning::check(config, pinning::machine()) {
        Ok(()) => Ok(()),
        Err(error) if force => {
            remark(is_quiet, &format!("note: {error}"));
            Ok(())
        }
        Err(error) => Err(super::bad(format!("{error}; --force starts anyway"))),
    }
}

/// Opens the opening book. `None` if the user cancelled.
pub(super) fn open_book(
    config: &RunConfig,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<Openings>> {
    match Openings::open_unless(&config.openings, config.seed, interrupt.flag()) {
        Ok(openings) => Ok(Some(openings)),
        Err(OpeningError::Interrupted) => Ok(None),
        Err(error) => Err(super::bad(error)),
    }
}

/// Opens the tablebases, if any are configured.
pub(super) fn open_tables(config: &RunConfig) -> anyhow::Result<Option<Syzygy>> {
    let rule = config.adjudication.tablebase.as_ref();
    rule.map(Syzygy::open).transpose().map_err(super::bad)
}

/// The programs of a run's engines; what is proved of them is kept in the user's cache.
pub(super) fn programs(
    stored: &Stored,
    ids: BTreeMap<EngineIndex, EngineId>,
    allow_changes: bool,
) -> RunPrograms {
    let cache = revision::default_cache().ok();
    let engines = &stored.config.engines;
    RunPrograms::new(
        engines,
        &stored.programs,
        ids,
        allow_changes,
        cache.as_deref(),
    )
}

/// This machine, as the system describes it.
pub(super) fn host() -> Host {
    let line = |path: &str, key: &str| {
        // Files of Linux; elsewhere the names are left out.
        let text = kit::read::text(Path::new(path), kit::read::SETTINGS).ok()?;
        let rest = text.lines().find_map(|line| line.strip_prefix(key))?;
        let name = rest.trim_start_matches([':', ' ', '\t']).trim();
        (!name.is_empty()).then(|| name.to_owned())
    };
    let version = line("/proc/sys/kernel/osrelease", "");
    let (os, architecture) = (std::env::consts::OS, std::env::consts::ARCH);
    let version = version.map_or_else(String::new, |version| format!(" {version}"));
    Host {
        processor: line("/proc/cpuinfo", "model name"),
        cpus: std::thread::available_parallelism().map_or(1, usize::from),
        system: format!("{os}{version}, {architecture}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{EloModel, SprtConfig, TimeControl};
    use crate::play::ledger::samples;

    #[test]
    fn repeated_openings_are_reported() {
        let mut config = samples::config();
        config.sprt = None;
        config.rounds = 100;
        config.openings = OpeningSource::Chess960;
        for engine in &mut config.engines {
            engine.limits = Limits {
                nodes: Some(500),
                ..Limits::default()
            };
        }
        let text = repeats(&config, 99).expect("a round has none of its own");
        assert!(text.contains("99 openings for 100 rounds"), "{text}");
        assert!(text.contains("WARNING"), "{text}");
        assert_eq!(repeats(&config, 100), None);
        // Two stages of a knockout, with tie-breaks.
        config.format = TournamentFormat::Knockout;
        config.engines.push(config.engines[0].clone());
        let text = repeats(&config, 215).expect("216 may be needed");
        assert!(text.contains("215 openings for up to 216 rounds"), "{text}");
        assert_eq!(repeats(&config, 216), None);
        config.format = TournamentFormat::Match;
        config.engines.pop();
        config.sprt = Some(SprtConfig::new([0.0, 5.0], EloModel::Logistic));
        config.rounds = RunConfig::UNTIL_DECIDED;
        assert!(repeats(&config, 100).is_some_and(|text| text.contains("WARNING")));
        assert_eq!(repeats(&config, 2000), None);
        config.sprt = None;
        config.rounds = 100;
        config.engines[0].limits.clock = Some(TimeControl { stages: Vec::new() });
        let text = repeats(&config, 99).expect("they come again");
        assert!(
            !text.contains("WARNING"),
            "a clock makes games differ: {text}"
        );
    }

    #[test]
    fn the_example_of_a_file_is_one() {
        let (_, file) = EXAMPLE.split_once("\n\n").expect("a head");
        let (file, _) = file.split_once("\nExit codes").expect("exit codes");
        let draft = crate::config::parse(file, "example").expect("a configuration");
        let config = resolve(draft, Contest::Match).expect("a match");
        let names: Vec<&str> = config.engines.iter().map(|one| &*one.name).collect();
        assert_eq!(names, ["new", "Base 1.0"]);
    }
}
