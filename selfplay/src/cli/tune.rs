//! `selfplay tune`.

use std::path::{Path, PathBuf};

use clap::Args;
use kit::cli::Common;
use kit::{Exit, Interrupt, Progress, output};
use uci::Cancel;

use super::play_args::{LimitArgs, PinningArgs};
use super::{bad, failed, session};
use crate::config::{
    AdjudicationDraft, Contest, Draft, EngineDraft, OpeningsDraft, number, program, resolve,
};
use crate::model::RunConfig;
use crate::play::ledger::Ledger;
use crate::report::tune::TuneReport;
use crate::tune::config::TuneConfig;
use crate::tune::parameter::{Parameter, ParameterError, read};
use crate::tune::spsa::Gains;
use crate::tune::{self, Changes, TuneEnd, Tuning};

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
/// Examples: `selfplay tune --engine 'cmd=./engine option.Hash=16' --tc 5+0.05
/// --param 'name=NullMargin,start=80,min=0,max=300,c=12' --pairs 20000 -j 4 -o margins`,
/// `selfplay tune --engine ./engine --nodes 5000 --params list.txt`,
/// `selfplay tune --resume margins`, `selfplay tune --show margins --format html > margins.html`.
#[derive(Debug, clap::Args)]
pub(super) struct TuneArgs {
    /// Resume the tuning of a run directory
    #[arg(long, value_name = "DIR", conflicts_with_all = GROUPS)]
    resume: Option<PathBuf>,

    /// Show the progress of a run directory, whether its tuning is running or not, and exit
    #[arg(long, value_name = "DIR", conflicts_with_all = ["resume", "concurrency", "pin", "no_pin", "cpus", "max_faults"], conflicts_with_all = GROUPS)]
    show: Option<PathBuf>,

    #[command(flatten)]
    new: NewArgs,

    /// Number of games played at once [default: 1, or as before]
    #[arg(short = 'j', long, value_name = "N", help_heading = "Run")]
    concurrency: Option<usize>,

    #[command(flatten)]
    pinning: PinningArgs,

    /// Stop with exit code 3 once more than N games of the run were lost by faults: 0 allows none;
    /// the run can be resumed [default: no limit on the total; in any case, stop after 10 such games
    /// in a row]
    #[arg(long, value_name = "N", value_parser = number::<u64>, help_heading = "Run")]
    max_faults: Option<u64>,

    /// Start even if memory or CPUs are too few, resume even if the engine's program has changed
    #[arg(long, conflicts_with = "show", help_heading = "Run")]
    force: bool,

    /// Output format of the values
    #[arg(long, value_enum, default_value_t = TuneFormat::Human, help_heading = "Run")]
    format: TuneFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum TuneFormat {
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
    /// A page with a chart of each value, for a browser
    Html,
    /// The charts as one picture
    Svg,
}

pub(super) fn run(args: &TuneArgs, common: Common, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    if let Some(path) = &args.show {
        return show(path, args.format);
    }
    let watch = Watch {
        cancel: Cancel::from(interrupt.shared()),
        max_faults: args.max_faults,
        format: args.format,
        quiet: common.quiet,
    };
    if let Some(path) = &args.resume {
        let changes = Changes {
            concurrency: args.concurrency,
            pinning: args.pinning.change(),
            force: args.force,
        };
        return resume(path, changes, &watch);
    }
    let path = &args.new.subject.output;
    // Checked before anything is started.
    if path.is_dir() {
        output::check_writable(&[Some(&path.join("config.json"))])?;
    } else {
        Ledger::check(path).map_err(bad)?;
    }
    let config = args.new.config(args, common.quiet)?;
    play(Tuning::begin(path, config, &watch.cancel), path, &watch)
}

/// How a tuning is watched, and which faults it tolerates.
pub(super) struct Watch {
    pub(super) cancel: Cancel,
    pub(super) max_faults: Option<u64>,
    pub(super) format: TuneFormat,
    pub(super) quiet: bool,
}

/// Resumes the tuning of a run directory.
pub(super) fn resume(path: &Path, changes: Changes, watch: &Watch) -> anyhow::Result<Exit> {
    play(Tuning::resume(path, changes, &watch.cancel), path, watch)
}

fn play(
    tuning: Result<Tuning, tune::RunError>,
    path: &Path,
    watch: &Watch,
) -> anyhow::Result<Exit> {
    let mut tuning = match tuning {
        Ok(tuning) => tuning,
        Err(error) if error.is_cancelled() => return Ok(Exit::Interrupted),
        Err(error) => return Err(failed(error.is_bad_input(), error)),
    };
    let remark = |line: &str| super::remark(watch.quiet, line);
    let config = tuning.config().clone();
    if config.most_at_once() < config.concurrency as u64 {
        remark(&format!(
            "note: only {} games can be played at once: --lag {} times {} games of an iteration",
            config.most_at_once(),
            config.lag,
            config.games_per_iteration
        ));
    }
    let progress = Progress::new(config.gains.iterations, "iterations", !watch.quiet);
    let total = usize::try_from(config.gains.iterations).unwrap_or(usize::MAX);
    let mut last = (0, 0);
    let end = tuning.play(&watch.cancel, watch.max_faults, &mut |now| {
        progress.reach(usize::try_from(now.done).unwrap_or(usize::MAX), total);
        progress.say(live(&config, &now));
        last = (now.faults, now.incidents);
    });
    progress.finish();
    let (faults, incidents) = last;
    if faults > 0 {
        let folder = path.join("failures");
        let folder = folder.display();
        remark(&format!(
            "note: {faults} games were lost by a fault, see {folder}"
        ));
    }
    if incidents > 0 {
        remark(&format!(
            "note: {incidents} faults of engines between games"
        ));
    }
    let directory = super::shell_word(&path.to_string_lossy());
    let way_on = format!("resume with: selfplay tune --resume {directory}");
    let end = end.map_err(|error| failed(error.is_bad_input(), format!("{error}\n{way_on}")))?;
    let report = TuneReport {
        config: tuning.config(),
        records: tuning.records(),
        values: tuning.values(),
    };
    print(&report, watch.format)?;
    if end == TuneEnd::Interrupted {
        remark(&format!("interrupted; {way_on}"));
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Agreed)
}

/// Text behind the progress bar: as many values as fit.
fn live(config: &TuneConfig, now: &tune::TuneProgress<'_>) -> String {
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

fn show(path: &Path, format: TuneFormat) -> anyhow::Result<Exit> {
    let stored = tune::read(path).map_err(|error| failed(error.is_bad_input(), error))?;
    let report = TuneReport {
        config: &stored.config.config,
        records: &stored.replay.records,
        values: stored.replay.spsa.values(),
    };
    print(&report, format)?;
    Ok(Exit::Agreed)
}

fn print(report: &TuneReport<'_>, format: TuneFormat) -> anyhow::Result<()> {
    output::to_stdout(match format {
        TuneFormat::Human => report.human(),
        TuneFormat::Csv => report.csv()?,
        TuneFormat::Json => report.json(),
        TuneFormat::Uci => report.uci(),
        TuneFormat::List => report.list(),
        TuneFormat::Html => report.html(),
        TuneFormat::Svg => report.svg(),
    })
}

// Options of a new tuning.

/// Everything that is stored in the run directory: fixed when a tuning starts.
#[derive(Clone, Debug, Args)]
struct NewArgs {
    #[command(flatten)]
    subject: SubjectArgs,

    #[command(flatten)]
    rule: RuleArgs,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    openings: OpeningsDraft,

    #[command(flatten)]
    adjudication: AdjudicationDraft,
}

/// The groups of these options.
const GROUPS: [&str; 5] = [
    "SubjectArgs",
    "RuleArgs",
    "LimitArgs",
    "OpeningsDraft",
    "AdjudicationDraft",
];

/// What is tuned, and where the run is stored.
#[derive(Clone, Debug, Args)]
struct SubjectArgs {
    /// Read a configuration in TOML, of one engine, openings and adjudication, as for a match; the
    /// command line overrides it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// The engine: 'cmd=… name=… args=… dir=… env.X=… option.Hash=16 tc=10+0.1 movetime=… nodes=…
    /// depth=… margin=… move-timeout=… send-stop=on restart=on startup=…', quoted as for a shell; or a command with its arguments
    #[arg(long, value_name = "WORDS", value_parser = EngineDraft::from_argument,
          required_unless_present_any = ["config", "resume", "show"])]
    engine: Option<EngineDraft>,

    /// A UCI option of the engine, as option.NAME=VALUE of --engine; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = kit::values::name_and_value)]
    options: Vec<(String, String)>,

    /// An option to tune: name=, start=, min=, max=, and optionally type=int|float, c=, r=; may be
    /// given several times
    #[arg(long = "param", value_name = "name=…,start=…,min=…,max=…")]
    parameters: Vec<String>,

    /// File with options to tune, one per line: name, int|float, start, min, max, c, r
    #[arg(long = "params", value_name = "FILE")]
    list: Option<PathBuf>,

    /// Random seed [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    seed: Option<u64>,

    /// Run directory
    #[arg(short, long, alias = "out", value_name = "DIR", default_value = "tune")]
    output: PathBuf,
}

/// Options of SPSA.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "SPSA")]
struct RuleArgs {
    /// Total number of pairs of games to play
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pairs: u64,

    /// Number of games in each iteration, which must be even
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<u64>)]
    games_per_iteration: u64,

    /// Maximum number of iterations under way at once: each starts from the values of this many
    /// iterations ago. The result depends on it, but not on --concurrency
    #[arg(long, value_name = "N", default_value_t = 8)]
    lag: u64,

    /// The constant A that keeps the first steps small, as a fraction of the iterations
    #[arg(long, value_name = "PART", default_value_t = 0.1)]
    a_ratio: f64,

    /// Exponent alpha of the step size: how fast steps shrink
    #[arg(long, default_value_t = 0.602)]
    alpha: f64,

    /// Exponent gamma of the perturbation: how fast perturbations shrink
    #[arg(long, default_value_t = 0.101)]
    gamma: f64,
}

impl NewArgs {
    /// The configuration of the tuning.
    fn config(&self, args: &TuneArgs, is_quiet: bool) -> anyhow::Result<TuneConfig> {
        let rule = &self.rule;
        let (games, per_iteration) = (rule.pairs.saturating_mul(2), rule.games_per_iteration);
        if per_iteration == 0 || !per_iteration.is_multiple_of(2) {
            return Err(bad(format!(
                "--games-per-iteration is {per_iteration}, expected an even number from 2: games come in \
                 pairs"
            )));
        }
        if !games.is_multiple_of(per_iteration) {
            let pairs = rule.pairs;
            let message = format!("{pairs} pairs are not a multiple of {per_iteration} games");
            return Err(bad(message));
        }
        let parameters = self.subject.parameters()?;
        let (name, mut run) = self.run(args)?;
        program::locate(&mut run).map_err(session::program_error)?;
        session::check_budget(&run, args.force, is_quiet)?;
        let mut engine = run.engines.swap_remove(0);
        engine.name = name;
        Ok(TuneConfig {
            engine,
            parameters,
            gains: Gains {
                iterations: games / per_iteration,
                a_ratio: rule.a_ratio,
                alpha: rule.alpha,
                gamma: rule.gamma,
            },
            games_per_iteration: per_iteration,
            lag: rule.lag,
            openings: run.openings,
            adjudication: run.adjudication,
            concurrency: run.concurrency,
            pinning: run.pinning,
            seed: run.seed,
        })
    }

    /// A match of the engine against itself, and the engine's name.
    fn run(&self, args: &TuneArgs) -> anyhow::Result<(String, RunConfig)> {
        let mut draft = self.draft(args);
        if let Some(path) = &self.subject.config {
            draft = draft.over(session::read_config(path)?);
        }
        let [engine] = &draft.engines[..] else {
            let count = draft.engines.len();
            return Err(bad(format!(
                "{count} engines, expected one: the same name in file and --engine"
            )));
        };
        let cmd = engine.cmd.as_deref().unwrap_or_default();
        if cmd.starts_with(crate::config::REVISION) {
            return Err(bad(format!(
                "engine '{cmd}': revisions are not tuned, expected a program"
            )));
        }
        let file = Path::new(cmd)
            .file_stem()
            .map(|name| name.to_string_lossy());
        let file = file.unwrap_or_default().into_owned();
        let name = engine.name.clone().unwrap_or(file);
        let side = |side: &str| EngineDraft {
            name: Some(format!("{name} ({side})")),
            ..engine.clone()
        };
        draft.engines = vec![side("plus"), side("minus")];
        draft.rounds = Some(self.rule.pairs);
        let run = resolve(draft, Contest::Match).map_err(bad)?;
        Ok((name, run))
    }

    /// The options as a draft of the configuration.
    fn draft(&self, args: &TuneArgs) -> Draft {
        Draft {
            concurrency: args.concurrency,
            pin: args.pinning.pin(),
            cpus: args.pinning.cpus.clone(),
            seed: self.subject.seed,
            each: EngineDraft {
                option: self.subject.options.clone(),
                ..self.limits.draft()
            },
            engines: self.subject.engine.iter().cloned().collect(),
            openings: self.openings.clone(),
            adjudication: self.adjudication.clone(),
            ..Draft::default()
        }
    }
}

impl SubjectArgs {
    /// Parameters of the list, followed by those of the command line.
    fn parameters(&self) -> anyhow::Result<Vec<Parameter>> {
        let mut parameters = match &self.list {
            Some(path) => {
                let fail = |error| bad(format!("{}: {error}", path.display()));
                let text = kit::read::text(path, kit::read::SETTINGS)
                    .map_err(|error| bad(format!("{}: {error}", path.display())))?;
                read(&text).map_err(fail)?
            }
            None => Vec::new(),
        };
        for text in &self.parameters {
            let parameter: Result<Parameter, ParameterError> = text.parse();
            let fail = |error| bad(format!("--param '{text}': {error}"));
            parameters.push(parameter.map_err(fail)?);
        }
        Ok(parameters)
    }
}
