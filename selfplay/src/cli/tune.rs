//! `selfplay tune`.

mod new;

use std::path::{Path, PathBuf};

use kit::{BadInput, Exit, Interrupt, Progress, output};
use uci::Cancel;

use crate::report::tune::TuneReport;
use crate::tune::config::TuneConfig;
use crate::tune::{self, End, RunError, Tuning};
use new::{GROUPS, NewArgs};

/// Tune options of an engine by games against itself (SPSA)
///
/// In each iteration all options are perturbed at once, each randomly up or down, and the engine
/// with these values plays the engine with all perturbations reversed: one pair of games or
/// several, each pair from one opening with both colours. The values then move a step towards the
/// winner. Steps and perturbations shrink over the iterations; c and r of a parameter are those of
/// the last one.
///
/// The run directory stores the configuration, a line for each iteration, and the transcripts of
/// games that ended by a fault. --resume resumes an interrupted run. If the engine is
/// deterministic, as with --nodes, the result is the same as without the interruption, with any
/// number of games at once.
///
/// Integers are rounded randomly up or down, so that the mean of the values sent to the engine is
/// the exact value.
///
/// Examples: `selfplay tune --engine 'cmd=./engine option.Hash=16' --tc 5+0.05 --openings book.epd
/// --param 'name=NullMargin,start=80,min=0,max=300,c=12' --pairs 20000 --concurrency 4 --out margins`,
/// `selfplay tune --engine ./engine --nodes 5000 --params list.txt`,
/// `selfplay tune --resume margins`, `selfplay tune --show margins --format csv`.
#[derive(Debug, clap::Args)]
pub(super) struct TuneArgs {
    /// Resume the tuning of a run directory
    #[arg(long, value_name = "DIR", conflicts_with_all = GROUPS)]
    resume: Option<PathBuf>,

    /// Show the progress of a run directory, whether its tuning is running or not, and exit
    #[arg(long, value_name = "DIR", conflicts_with_all = ["resume", "concurrency"], conflicts_with_all = GROUPS)]
    show: Option<PathBuf>,

    #[command(flatten)]
    new: NewArgs,

    /// Number of games played at once [default: 1, or as before]
    #[arg(long, value_name = "N", help_heading = "Run")]
    concurrency: Option<usize>,

    /// Start even if memory or CPUs are too few, resume even if the engine's program has changed
    #[arg(long, conflicts_with = "show", help_heading = "Run")]
    force: bool,

    /// Output format of the values
    #[arg(long, value_enum, default_value_t = Format::Human, help_heading = "Run")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Text for people
    Human,
    /// The values after each iteration, one line each, with a header
    Csv,
    /// One JSON object
    Json,
    /// The setoption commands that set the values
    Uci,
    /// A list of parameters for --params that starts from the current values
    List,
}

pub(super) fn run(args: &TuneArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    if let Some(path) = &args.show {
        return show(path, args.format);
    }
    let cancel = Cancel::from(interrupt.shared());
    let path = args.resume.as_ref().unwrap_or(&args.new.subject.out);
    let tuning = if args.resume.is_some() {
        Tuning::resume(path, args.concurrency, args.force, &cancel)
    } else {
        let config = args.new.config(args.concurrency, args.force)?;
        Tuning::begin(path, config, &cancel)
    };
    match tuning {
        Ok(mut tuning) => play(&mut tuning, path, &cancel, args.format),
        Err(error) if error.is_cancelled() => Ok(Exit::Interrupted),
        Err(error) => Err(sort(error)),
    }
}

fn play(tuning: &mut Tuning, path: &Path, cancel: &Cancel, format: Format) -> anyhow::Result<Exit> {
    let config = tuning.config().clone();
    if config.most_at_once() < config.concurrency as u64 {
        super::say(&format!(
            "note: only {} games can be played at once: --lag {} times {} games of an iteration",
            config.most_at_once(),
            config.lag,
            config.games_per_iteration
        ));
    }
    let progress = Progress::new(config.gains.iterations, "iterations", true);
    let total = usize::try_from(config.gains.iterations).unwrap_or(usize::MAX);
    let mut last = (0, 0);
    let end = tuning.play(cancel, &mut |now| {
        progress.reach(usize::try_from(now.done).unwrap_or(usize::MAX), total);
        progress.say(live(&config, &now));
        last = (now.faults, now.incidents);
    });
    progress.finish();
    let (faults, incidents) = last;
    if faults > 0 {
        let folder = path.join("failures");
        let folder = folder.display();
        super::say(&format!(
            "note: {faults} games were lost by a fault, see {folder}"
        ));
    }
    if incidents > 0 {
        super::say(&format!(
            "note: {incidents} faults of engines between games"
        ));
    }
    let end = end.map_err(sort)?;
    let report = TuneReport {
        config: tuning.config(),
        records: tuning.records(),
        values: tuning.values(),
    };
    print(&report, format)?;
    if end == End::Interrupted {
        let path = path.display();
        super::say(&format!(
            "interrupted; to go on: selfplay tune --resume {path}"
        ));
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Agreed)
}

/// Text behind the progress bar: as many values as fit.
fn live(config: &TuneConfig, now: &tune::Progress<'_>) -> String {
    const MOST: usize = 4;
    let games = now.games;
    let mut parts = vec![format!(
        "iterations, +{} ={} -{}",
        games.wins, games.draws, games.losses
    )];
    if now.faults > 0 {
        parts.push(format!("{} faults", now.faults));
    }
    let values = config.parameters.iter().zip(now.values);
    let values = values.map(|(parameter, value)| format!("{} {value:.2}", parameter.name));
    parts.extend(values.take(MOST));
    if config.parameters.len() > MOST {
        parts.push("…".to_owned());
    }
    parts.join(", ")
}

fn show(path: &Path, format: Format) -> anyhow::Result<Exit> {
    let stored = tune::read(path).map_err(|error| sort(error.into()))?;
    let report = TuneReport {
        config: &stored.config.config,
        records: &stored.replay.records,
        values: stored.replay.spsa.values(),
    };
    print(&report, format)?;
    Ok(Exit::Agreed)
}

fn print(report: &TuneReport<'_>, format: Format) -> anyhow::Result<()> {
    output::to_stdout(match format {
        Format::Human => report.human(),
        Format::Csv => report.csv()?,
        Format::Json => report.json(),
        Format::Uci => report.uci(),
        Format::List => report.list(),
    })
}

/// An error with its exit code.
fn sort(error: RunError) -> anyhow::Error {
    if error.is_bad_input() {
        BadInput(error.to_string()).into()
    } else {
        // Its text already includes the cause.
        anyhow::Error::msg(error)
    }
}
