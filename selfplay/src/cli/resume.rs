//! `selfplay resume`.

use std::path::PathBuf;

use kit::cli::Common;
use kit::output::remark;
use kit::report::Format;
use kit::{Exit, Interrupt};
use uci::Cancel;

use super::TuneFormat;
use super::play::{self, PreparedRun};
use super::play_args::{LogState, PinningArgs, ShowArgs};
use super::tune::TuneWatch;
use crate::config::AtOnce;
use crate::config::program;
use crate::config::revision::{self, RevisionError};
use crate::play::ledger::{FleetJob, LedgerError, Paused, Resumed, Stored};
use crate::play::run::RunState;
use crate::tune::{self, Changes};

/// Resume an interrupted run
///
/// Recorded games are kept; all others are played with the openings and colours that the schedule
/// gives them. The configuration is that of the run directory, without `log`. Book and programs must be unchanged
/// (programs only without `--allow-changed-engines`); a revision whose build is missing is rebuilt.
///
/// Of a complete run, the summary is printed again. The directory of a tuning is resumed, too.
///
/// Example: `selfplay resume selfplay-20250101-120000-new-base`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes: those of the run.")]
pub(super) struct ResumeArgs {
    /// Run directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Games played at once [default: as before]
    #[arg(short = 'j', long, value_name = "N", allow_negative_numbers = true)]
    concurrency: Option<AtOnce>,

    #[command(flatten)]
    pinning: PinningArgs,

    /// Play on though the program of an engine changes
    ///
    /// Without it, a run stops when a program is replaced while it plays, and is not resumed with
    /// another one. Each change is recorded in the ledger, as the incident `changed-engine` of the first
    /// game with the new program.
    #[arg(long, hide_short_help = true)]
    allow_changed_engines: bool,

    #[command(flatten)]
    show: ShowArgs,
}

pub(super) fn run(
    mut args: ResumeArgs,
    common: Common,
    interrupt: &Interrupt,
) -> anyhow::Result<Exit> {
    if tune::is_tuning(&args.directory) {
        return resume_tuning(&args, common, interrupt);
    }
    args.show.quiet = common.quiet;
    let remark = |line: &str| kit::output::remark(common.quiet, line);
    let paused = Paused::open(&args.directory).map_err(|error| {
        // A directory that cannot be written is known before any game.
        let is_input = !matches!(error, LedgerError::InUse { .. });
        super::failed(is_input, error)
    })?;
    if let Some(FleetJob { url, job }) = &paused.stored().fleet {
        let directory = super::shell_word(&args.directory.to_string_lossy());
        return Err(super::bad(format!(
            "these are games of {job} at the lab {url}, which cannot be resumed here: expected a run of this machine; \
             submit the test again with `selfplay sprt --lab`, or see its games with `selfplay report {directory}`"
        )));
    }
    if !rebuild(paused.stored(), &remark, interrupt)? {
        return Ok(Exit::Interrupted);
    }
    let Some(openings) = play::open_book(&paused.stored().config, interrupt)? else {
        return Ok(Exit::Interrupted);
    };
    check_unchanged(paused.stored(), openings.fingerprint().as_deref(), &args)?;
    let opening_of = |number| openings.get(number).map_err(|error| error.to_string());
    let Resumed {
        ledger,
        mut stored,
        records,
        ids,
        identities,
        torn,
    } = paused.resume(opening_of).map_err(play::ledger_error)?;
    if torn > 0 {
        remark(&format!(
            "note: the last line of the ledger was incomplete; its {torn} bytes were removed, and the game is replayed"
        ));
    }
    if let Some(games) = args.concurrency {
        stored.config.concurrency = games.0;
    }
    if let Some(pinning) = args.pinning.change() {
        stored.config.pinning = pinning;
    }
    let state =
        RunState::resumed(stored.config.clone(), &records, &identities).map_err(super::bad)?;
    let way_on = if state.is_over() {
        "the run is complete".to_owned()
    } else {
        format!("resuming, {} at once", stored.config.concurrency)
    };
    remark(&format!(
        "{} in {}; {way_on}",
        play::recorded(state.tally.games()),
        args.directory.display(),
    ));
    let programs = play::programs(&stored, ids, args.allow_changed_engines);
    let prepared = PreparedRun {
        state,
        ledger,
        openings,
        programs,
        show: args.show,
        log: LogState::default(),
        is_new: false,
    };
    drop(records);
    play::check_budget(&stored.config, args.show.force, common.quiet)?;
    let tables = play::open_tables(&stored.config)?;
    prepared.play(tables.as_ref(), interrupt)
}

/// A run directory of `selfplay tune`.
fn resume_tuning(args: &ResumeArgs, common: Common, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let changes = Changes {
        concurrency: args.concurrency.map(|games| games.0),
        pinning: args.pinning.change(),
        allow_changed_engines: args.allow_changed_engines,
    };
    let watch = TuneWatch {
        cancel: Cancel::from(interrupt.shared()),
        max_faults: args.show.max_faults,
        format: match args.show.format {
            Format::Json => TuneFormat::Json,
            _ => TuneFormat::Human,
        },
        quiet: common.quiet,
    };
    super::tune::resume(&args.directory, changes, &watch)
}

/// Rebuilds revisions whose build is missing. `false` if the user cancelled.
fn rebuild(stored: &Stored, remark: &dyn Fn(&str), interrupt: &Interrupt) -> anyhow::Result<bool> {
    for engine in &stored.config.engines {
        let program = &engine.command.program;
        let Some(built) = stored.revisions.get(&engine.name) else {
            continue;
        };
        if program.exists() {
            continue;
        }
        let cache = revision::cache_of(program, built);
        match revision::program(built, cache, interrupt, remark) {
            Ok(_) => {}
            Err(RevisionError::Interrupted) => return Ok(false),
            Err(error) => return Err(play::revision_error(error)),
        }
    }
    Ok(true)
}

/// Checks that book and programs are those that the run started with.
fn check_unchanged(stored: &Stored, book: Option<&str>, args: &ResumeArgs) -> anyhow::Result<()> {
    if book != stored.book.as_deref() {
        let message = "the opening book has changed since the run started";
        return Err(super::bad(message));
    }
    for (name, found) in program::fingerprints(&stored.config).map_err(play::program_error)? {
        if stored.programs.get(&name) == Some(&found) {
            continue;
        }
        let message = format!("the program of engine '{name}' has changed since the run started");
        if args.allow_changed_engines {
            remark(args.show.quiet, &format!("note: {message}"));
        } else {
            let way_on = "start a new run, or resume with --allow-changed-engines";
            return Err(super::bad(format!("{message}: {way_on}")));
        }
    }
    Ok(())
}
