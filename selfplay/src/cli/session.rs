//! What new and resumed runs have in common: checks, playing, the summary.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;

use kit::output::{remark, to_stderr};
use kit::report::Format;
use kit::{Exit, Interrupt, output};

use super::control::Controls;
use super::play_args::{LogState, ShowArgs};
use super::report::standing;
use crate::config::program::{self, ProgramError};
use crate::config::revision::{self, RevisionError};
use crate::model::{EngineId, EngineIndex, RunConfig};
use crate::openings::{OpeningError, Openings};
use crate::play::event::RunEnd;
use crate::play::ledger::{Host, Ledger, LedgerError, Stored};
use crate::play::player::{EngineTimeouts, RunPrograms};
use crate::play::referee::Endgames;
use crate::play::run::{Run, RunError, RunState, pinning, run};
use crate::play::tablebase::Syzygy;
use crate::report::live::LiveStatus;
use crate::report::summary::{EndSummary, failure};
use crate::stats::{SprtState, duplicates};

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
        let mut live = LiveStatus::new(!self.show.quiet, self.show.each_game, &directory);
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
        if ended.is_err() && self.is_new && state.tally.games() == 0 {
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
    let resume = format!(
        "{}; resume with: selfplay resume {}",
        recorded(games),
        super::shell_word(&directory.to_string_lossy())
    );
    let end = match ended {
        Ok(end) => end,
        Err(RunFailure { is_input, error }) if games == 0 && is_new => {
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

/// Length and hash of each engine's program, by engine name.
pub(super) fn fingerprints(config: &RunConfig) -> anyhow::Result<BTreeMap<String, String>> {
    // Engines often share a program, which may be large.
    let mut known: BTreeMap<&Path, String> = BTreeMap::new();
    let engines = config.engines.iter();
    let sums = engines.map(|engine| {
        let sum = match known.entry(&engine.command.program) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(new) => {
                let sum = program::fingerprint(engine).map_err(program_error)?;
                new.insert(sum).clone()
            }
        };
        Ok((engine.name.clone(), sum))
    });
    sums.collect()
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
