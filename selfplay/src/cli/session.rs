//! What new and resumed runs have in common: checks, playing, the summary.

use std::collections::BTreeMap;
use std::path::Path;

use kit::{Exit, Interrupt, output};

use super::TextFormat;
use super::play_args::ShowArgs;
use crate::config::Draft;
use crate::config::program::{self, ProgramError};
use crate::config::revision::RevisionError;
use crate::model::RunConfig;
use crate::openings::{OpeningError, Openings};
use crate::play::ledger::{Ledger, LedgerError};
use crate::play::player::Patience;
use crate::play::referee::Endgames;
use crate::play::run::{End, Run, RunError, State, pinning, run};
use crate::play::tablebase::Syzygy;
use crate::report::live::Live;
use crate::report::summary::{EndSummary, failure};
use crate::stats::SprtState;

/// A run that is ready to be played.
pub(super) struct Session {
    pub(super) state: State,
    pub(super) ledger: Ledger,
    pub(super) openings: Openings,
    pub(super) tables: Option<Syzygy>,
    pub(super) show: ShowArgs,
    /// Whether its directory was just created.
    pub(super) is_new: bool,
}

impl Session {
    /// Plays the run and prints its summary.
    pub(super) fn play(self, interrupt: &Interrupt) -> anyhow::Result<Exit> {
        let tables = self.tables.as_ref();
        let mut all = Run {
            state: self.state,
            ledger: self.ledger,
            openings: &self.openings,
            endgames: tables.map(|tables| tables as &dyn Endgames),
            patience: Patience::default(),
            max_faults: self.show.max_faults,
            interrupt,
        };
        let mut live = Live::new(!self.show.quiet);
        let ended = run(&mut all, &mut |state| live.show(state)).map_err(Ended::Run);
        live.finish();
        conclude(ended, &all.state, all.ledger, self.show, self.is_new)
    }
}

/// Why a run ended early.
pub(super) enum Ended {
    Run(RunError),
    /// A failure of this machine or of other machines.
    Other(anyhow::Error),
}

/// Prints the summary of a run. One that could not start leaves nothing behind.
pub(super) fn conclude(
    ended: Result<End, Ended>,
    state: &State,
    ledger: Ledger,
    show: ShowArgs,
    is_new: bool,
) -> anyhow::Result<Exit> {
    let directory = ledger.directory().to_owned();
    let games = state.tally.games();
    let resume = format!(
        "{}; resume with: selfplay resume {}",
        recorded(games),
        crate::cli::shell_word(&directory.to_string_lossy())
    );
    let end = match ended {
        Ok(end) => end,
        Err(error) if games == 0 && is_new => {
            // A run that could not start must not block the next one.
            ledger.discard();
            return Err(ended_error(error, None));
        }
        Err(error) => return Err(ended_error(error, Some(&resume))),
    };
    if games > 0 {
        let summary = EndSummary::new(state, end, &directory);
        output::to_stdout(match show.format {
            TextFormat::Human => summary.human(),
            TextFormat::Json => summary.json(),
        })?;
    }
    if end == End::Interrupted {
        crate::cli::say(&format!("interrupted: {resume}"));
    }
    if end == End::Interrupted {
        return Ok(Exit::Interrupted);
    }
    if let Some(failure) = failure(state) {
        crate::cli::say(&format!("error: {failure}"));
        return Ok(Exit::Failed);
    }
    Ok(exit(games, state.verdict()))
}

fn ended_error(error: Ended, resume: Option<&str>) -> anyhow::Error {
    match (error, resume) {
        (Ended::Run(error), resume) => run_error(&error, resume),
        (Ended::Other(error), None) => error,
        (Ended::Other(error), Some(resume)) => anyhow::anyhow!("{error:#}\n{resume}"),
    }
}

fn exit(games: u64, verdict: Option<SprtState>) -> Exit {
    match verdict {
        _ if games == 0 => Exit::Nothing,
        None | Some(SprtState::AcceptedH1) => Exit::Agreed,
        Some(SprtState::AcceptedH0 | SprtState::Running) => Exit::Differs,
        Some(SprtState::Invalid) => {
            crate::cli::say("error: the test is invalid: it proves nothing");
            Exit::Nothing
        }
    }
}

/// Number of games recorded in the run directory.
pub(super) fn recorded(games: u64) -> String {
    match games {
        1 => "1 game is recorded".to_owned(),
        games => format!("{games} games are recorded"),
    }
}

/// An error of a run, with the command that resumes it.
fn run_error(error: &RunError, resume: Option<&str>) -> anyhow::Error {
    let is_input = match error {
        RunError::Worker {
            is_configuration, ..
        } => *is_configuration,
        RunError::Pinning { .. } => true,
        RunError::Ledger(error) => !error.is_environment(),
        _ => false,
    };
    let error = match resume {
        Some(resume) => format!("{error}\n{resume}"),
        None => error.to_string(),
    };
    if is_input {
        crate::cli::bad(error)
    } else {
        anyhow::Error::msg(error)
    }
}

/// An error of a run directory, caused by the environment or by bad input.
pub(super) fn ledger_error(error: LedgerError) -> anyhow::Error {
    if error.is_environment() {
        // Its text already includes the cause.
        anyhow::Error::msg(error)
    } else {
        crate::cli::bad(error)
    }
}

/// An error of an engine's program; a missing program counts as a failed engine.
pub(super) fn program_error(error: ProgramError) -> anyhow::Error {
    if error.is_input {
        crate::cli::bad(error)
    } else {
        anyhow::Error::msg(error)
    }
}

pub(super) fn revision_error(error: RevisionError) -> anyhow::Error {
    if error.is_input() {
        crate::cli::bad(error)
    } else {
        anyhow::Error::msg(error)
    }
}

/// Checks that the machine is large enough for a run; `force` skips the check.
pub(super) fn check_budget(config: &RunConfig, force: bool) -> anyhow::Result<()> {
    match pinning::check(config, pinning::machine()) {
        Ok(()) => Ok(()),
        Err(error) if force => {
            crate::cli::say(&format!("note: {error}"));
            Ok(())
        }
        Err(error) => Err(crate::cli::bad(format!("{error}; --force starts anyway"))),
    }
}

pub(super) fn read_config(path: &Path) -> anyhow::Result<Draft> {
    let name = path.display();
    let text = kit::read::text(path, kit::read::SETTINGS)
        .map_err(|error| crate::cli::bad(format!("cannot read {name}: {error}")))?;
    crate::config::parse(&text, &name.to_string()).map_err(crate::cli::bad)
}

/// Opens the opening book. `None` if the user cancelled.
pub(super) fn open_book(
    config: &RunConfig,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<Openings>> {
    match Openings::open_unless(&config.openings, config.seed, interrupt.flag()) {
        Ok(openings) => Ok(Some(openings)),
        Err(OpeningError::Interrupted) => Ok(None),
        Err(error) => Err(crate::cli::bad(error)),
    }
}

/// Opens the tablebases, if any are configured.
pub(super) fn open_tables(config: &RunConfig) -> anyhow::Result<Option<Syzygy>> {
    let rule = config.adjudication.tablebase.as_ref();
    rule.map(Syzygy::open).transpose().map_err(crate::cli::bad)
}

/// Length and hash of each engine's program, by engine name.
pub(super) fn fingerprints(config: &RunConfig) -> anyhow::Result<BTreeMap<String, String>> {
    let engines = config.engines.iter();
    let sums = engines.map(|engine| {
        let sum = program::fingerprint(engine).map_err(program_error)?;
        Ok((engine.name.clone(), sum))
    });
    sums.collect()
}
