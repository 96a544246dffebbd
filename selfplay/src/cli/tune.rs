//! `selfplay tune`.

mod new;

use std::path::{Path, PathBuf};

use kit::cli::Common;
use kit::{Exit, Interrupt, Progress, output};
use uci::Cancel;

#[cfg(feature = "fleet")]
use super::lab::{tune::LabTuning, tuned::print_tuned};
#[cfg(feature = "fleet")]
use super::play_args::LabArgs;
use super::play_args::PinningArgs;
use super::{TuneFormat, bad, failed};
use crate::config::{AtOnce, number};
#[cfg(feature = "fleet")]
use crate::lab::spec::TuneSpec;
use crate::play::ledger::Ledger;
use crate::report::tune::TuneReport;
use crate::tune::config::TuneConfig;
use crate::tune::{self, Changes, TuneEnd, Tuning};
use new::NewArgs;

/// The groups of these options.
const GROUPS: &[&str] = &[
    #[cfg(feature = "fleet")]
    "LabArgs",
    "SubjectArgs",
    "RuleArgs",
    "ClockArgs",
    "LimitArgs",
    "OpeningsDraft",
];

/// Tune options of an engine by games against itself (SPSA)
///
/// In each iteration all options are perturbed at once, each randomly up or down, and the engine
/// with these values plays the engine with all perturbations reversed: one pair of games or
/// several, each pair from one opening with both colours. The values then move a step towards the
/// winner. Steps and perturbations shrink over the iterations; c and r of a parameter are those of
/// the last one.
///
/// The run directory stores the configuration, a line for each iteration, and the transcripts of
/// games that ended by a fault. `selfplay resume` resumes an interrupted run. If the engine is
/// deterministic, as with --nodes, the result is the same as without the interruption, with any
/// number of games at once.
///
/// Integers are rounded randomly up or down, so that the mean of the values sent to the engine is
/// the exact value.
///
/// Examples: `selfplay tune ./engine --option Hash=16 --tc 5+0.05
/// --param 'name=NullMargin,start=80,min=0,max=300,c=12' --pairs 20000 -j 4 -o margins`,
/// `selfplay tune ./engine --nodes 5000 --param list.txt`, `selfplay tune --show margins --format html > margins.html`.
#[derive(Debug, clap::Args)]
pub(super) struct TuneArgs {
    /// Show the values of a run directory, and exit
    ///
    /// Whether its tuning is running or not.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["concurrency", "pin", "max_faults"], conflicts_with_all = GROUPS)]
    show: Option<PathBuf>,

    #[command(flatten)]
    new: NewArgs,

    #[cfg(feature = "fleet")]
    #[command(flatten)]
    lab: LabArgs,

    /// Games played at once [default: 1, or as before]
    #[arg(
        short = 'j',
        long,
        value_name = "N",
        allow_negative_numbers = true,
        help_heading = "Run"
    )]
    concurrency: Option<AtOnce>,

    #[command(flatten)]
    pinning: PinningArgs,

    /// Stop after more than N games lost by faults
    ///
    /// With exit code 3; 0 allows none, and the run can be resumed [default: no limit on the total; in
    /// any case, stop after 10 such games in a row].
    #[arg(long, value_name = "N", value_parser = number::<u64>, help_heading = "Run", hide_short_help = true)]
    max_faults: Option<u64>,

    /// Start although memory or CPUs are too few
    #[arg(
        long,
        conflicts_with = "show",
        help_heading = "Run",
        hide_short_help = true
    )]
    force: bool,

    /// Output format of the values
    #[arg(long, value_enum, default_value_t = TuneFormat::Human, help_heading = "Run")]
    format: TuneFormat,
}

pub(super) fn run(args: &TuneArgs, common: Common, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    if let Some(path) = &args.show {
        return show(path, args.format);
    }
    let watch = TuneWatch {
        cancel: Cancel::from(interrupt.shared()),
        max_faults: args.max_faults,
        format: args.format,
        quiet: common.quiet,
    };
    #[cfg(feature = "fleet")]
    if let Some(url) = &args.lab.lab {
        return args.at_lab(url, common.quiet, interrupt);
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

#[cfg(feature = "fleet")]
impl TuneArgs {
    /// Lets the workers of a lab play.
    fn at_lab(&self, url: &str, is_quiet: bool, interrupt: &Interrupt) -> anyhow::Result<Exit> {
        let here = [
            (self.concurrency.is_some(), "--concurrency"),
            (self.pinning.change().is_some(), "--pin"),
            (self.force, "--force"),
        ];
        if let Some((_, option)) = here.into_iter().find(|(is_given, _)| *is_given) {
            return Err(bad(format!(
                "{option}: of games on this machine, not of a lab"
            )));
        }
        let (rule, gains) = (&self.new.rule, self.new.gains()?);
        let (given, _, draft) = self.new.both(self)?;
        if matches!(
            self.format,
            TuneFormat::Csv | TuneFormat::Html | TuneFormat::Svg
        ) {
            return Err(bad(
                "--format: a lab has the last values only, expected human, json, uci or list",
            ));
        }
        let parameters = self.new.subject.parameters()?;
        let tuning = LabTuning {
            url,
            lab: &self.lab,
            repository: self.new.subject.repo.clone(),
            draft,
            name: given,
            parameters,
            tune: TuneSpec {
                pairs: rule.games_per_iteration / 2,
                lag: rule.lag,
                a_ratio: gains.a_ratio,
                alpha: gains.alpha,
                gamma: gains.gamma,
                ..TuneSpec::usual(gains.iterations)
            },
            max_faults: self.max_faults,
            is_quiet,
        };
        let test = match tuning.run(interrupt)? {
            Ok(test) => test,
            Err(exit) => return Ok(exit),
        };
        print_tuned(&test, self.format, is_quiet)
    }
}

/// How a tuning is watched, and which faults it tolerates.
pub(super) struct TuneWatch {
    pub(super) cancel: Cancel,
    pub(super) max_faults: Option<u64>,
    pub(super) format: TuneFormat,
    pub(super) quiet: bool,
}

/// Resumes the tuning of a run directory.
pub(super) fn resume(path: &Path, changes: Changes, watch: &TuneWatch) -> anyhow::Result<Exit> {
    play(Tuning::resume(path, changes, &watch.cancel), path, watch)
}

fn play(
    tuning: Result<Tuning, tune::TuningError>,
    path: &Path,
    watch: &TuneWatch,
) -> anyhow::Result<Exit> {
    let mut tuning = match tuning {
        Ok(tuning) => tuning,
        Err(error) if error.is_cancelled() => return Ok(Exit::Interrupted),
        Err(error) => return Err(failed(error.is_bad_input(), error)),
    };
    let remark = |line: &str| kit::output::remark(watch.quiet, line);
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
    let way_on = format!("resume with: selfplay resume {directory}");
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
