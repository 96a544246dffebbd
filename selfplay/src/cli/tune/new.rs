//! The options of a new tuning.

use std::path::{Path, PathBuf};

use clap::Args;

use super::TuneArgs;
use crate::cli::play_args::{self, ClockArgs};
use crate::cli::{bad, play};
use crate::config::{
    BuildDraft, Contest, Draft, EngineDraft, OpeningsDraft, SprtDraft, number, program, resolve,
};
use crate::model::RunConfig;
use crate::tune::config::TuneConfig;
use crate::tune::parameter::{Parameter, ParameterError, read};
use crate::tune::spsa::Gains;

/// Everything that is stored in the run directory: fixed when a tuning starts.
#[derive(Clone, Debug, Args)]
pub(super) struct NewArgs {
    #[command(flatten)]
    pub(super) subject: SubjectArgs,

    #[command(flatten)]
    pub(super) rule: RuleArgs,

    #[command(flatten)]
    limits: ClockArgs,

    #[command(flatten)]
    openings: OpeningsDraft,
}

/// What is tuned, and where the run is stored.
#[derive(Clone, Debug, Args)]
pub(super) struct SubjectArgs {
    /// The engine: a command, or 'cmd=... KEY=...'
    ///
    /// A command with its arguments, quoted as one word; or words as of `selfplay match`: 'cmd=... name=...
    /// args=... dir=... env.X=... option.Hash=16 tc=10+0.1 ...'.
    #[arg(value_name = "ENGINE", value_parser = EngineDraft::from_argument,
          required_unless_present_any = ["config", "show"])]
    engine: Option<EngineDraft>,

    /// Read a configuration in TOML
    ///
    /// Of one engine, openings, adjudication and timeouts, as for a match; the command line
    /// overrides it. Keys that a tuning has no use for are errors.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    config: Option<PathBuf>,

    /// Set a UCI option of the engine
    ///
    /// May be given several times.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = kit::values::name_and_value)]
    options: Vec<(String, String)>,

    /// Option to tune, or a file of them; repeatable
    ///
    /// `name=...,start=...,min=...,max=...`, and optionally `type=int|float`, `c=`, `r=`. Of a file, a
    /// line has name, `int` or `float`, start, min, max, c and r, separated by commas.
    #[arg(long = "param", value_name = "WORDS|FILE")]
    parameters: Vec<String>,

    /// Name of the repository at the lab
    ///
    /// With --lab, revisions (`rev:REF`) are those of this repository.
    #[cfg(feature = "fleet")]
    #[arg(long, value_name = "NAME", requires = "lab", hide_short_help = true)]
    pub(super) repo: Option<String>,

    /// Random seed [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<u64>, hide_short_help = true)]
    seed: Option<u64>,

    /// Run directory
    #[arg(short, long, alias = "out", value_name = "DIR", default_value = "tune")]
    pub(super) output: PathBuf,
}

/// Options of SPSA.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "SPSA")]
pub(super) struct RuleArgs {
    /// Pairs of games to play in all
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pairs: u64,

    /// Games in each iteration, an even number
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<u64>, hide_short_help = true)]
    pub(super) games_per_iteration: u64,

    /// Maximum number of iterations under way at once
    ///
    /// Each starts from the values of this many iterations ago. The result depends on it, but not on
    /// --concurrency.
    #[arg(long, value_name = "N", default_value_t = 8, hide_short_help = true)]
    pub(super) lag: u64,
}

impl NewArgs {
    /// The configuration of the tuning.
    pub(super) fn config(&self, args: &TuneArgs, is_quiet: bool) -> anyhow::Result<TuneConfig> {
        let gains = self.gains()?;
        let parameters = self.subject.parameters()?;
        let (name, mut run) = self.run(args)?;
        program::locate(&mut run).map_err(play::program_error)?;
        play::check_budget(&run, args.force, is_quiet)?;
        let mut engine = run.engines.swap_remove(0);
        engine.name = name;
        Ok(TuneConfig {
            engine,
            parameters,
            gains,
            games_per_iteration: self.rule.games_per_iteration,
            lag: self.rule.lag,
            openings: run.openings,
            adjudication: run.adjudication,
            timeouts: run.timeouts,
            concurrency: run.concurrency,
            pinning: run.pinning,
            seed: run.seed,
        })
    }

    /// How far values move, and in how many iterations.
    pub(super) fn gains(&self) -> anyhow::Result<Gains> {
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
        Ok(Gains::usual(games / per_iteration))
    }

    /// A match of the engine against itself, and the engine's name.
    fn run(&self, args: &TuneArgs) -> anyhow::Result<(String, RunConfig)> {
        let (_, name, draft) = self.both(args)?;
        if draft.event.is_some() {
            return Err(bad(
                "event: of a tuning at a lab only (--lab): one here writes no PGN",
            ));
        }
        let cmd = draft.engines[0].cmd.as_deref().unwrap_or_default();
        if cmd.starts_with(crate::config::REVISION) {
            return Err(bad(format!(
                "engine '{cmd}': revisions are tuned at a lab only (--lab), expected a program"
            )));
        }
        let run = resolve(draft, Contest::Match).map_err(bad)?;
        Ok((name, run))
    }

    /// The engine twice, with the name that it was given and the one that it has.
    pub(super) fn both(&self, args: &TuneArgs) -> anyhow::Result<(Option<String>, String, Draft)> {
        let mut draft = self.draft(args);
        if let Some(path) = &self.subject.config {
            let file = play_args::read_config(path)?;
            if let Some((key, why)) = useless_key(&file) {
                let file = path.display();
                return Err(bad(format!("{file}: {key}: not for a tuning: {why}")));
            }
            draft = draft.over(file);
        }
        let [engine] = &draft.engines[..] else {
            let count = draft.engines.len();
            return Err(bad(format!(
                "{count} engines, expected one: the same name in the file and on the command line"
            )));
        };
        let cmd = engine.cmd.as_deref().unwrap_or_default();
        let file = Path::new(cmd)
            .file_stem()
            .map(|name| name.to_string_lossy());
        let file = file.unwrap_or_default().into_owned();
        let given = engine.name.clone();
        let name = given.clone().unwrap_or(file);
        let named = |name: String| EngineDraft {
            name: Some(name),
            ..engine.clone()
        };
        // Errors name the first, which users know by its own name.
        draft.engines = vec![named(name.clone()), named(format!("{name} (minus)"))];
        draft.rounds = Some(self.rule.pairs);
        Ok((given, name, draft))
    }

    /// The options as a draft of the configuration.
    fn draft(&self, args: &TuneArgs) -> Draft {
        Draft {
            concurrency: args.concurrency,
            pin: args.pinning.pin.clone(),
            seed: self.subject.seed,
            each: EngineDraft {
                option: self.subject.options.clone(),
                ..self.limits.draft()
            },
            engines: self.subject.engine.iter().cloned().collect(),
            openings: self.openings.clone(),
            ..Draft::default()
        }
    }
}

/// The first key of a file that would change nothing, and why.
fn useless_key(file: &Draft) -> Option<(&'static str, &'static str)> {
    let pairs = "the games are pairs with colours swapped";
    let alone = "an engine plays against itself";
    let files = "games are stored by iteration, without their moves";
    let rows = [
        (file.system.is_some(), "system", alone),
        (file.seeds.is_some(), "seeds", alone),
        (file.rounds.is_some(), "rounds", "--pairs is their number"),
        (file.games.is_some(), "games", pairs),
        (file.no_swap.is_some(), "no-swap", pairs),
        (file.reverse.is_some(), "reverse", pairs),
        (file.wait.is_some(), "wait", "games follow without a pause"),
        (file.site.is_some(), "site", files),
        (file.check_mate_pvs.is_some(), "check-mate-pvs", files),
        (file.pgn.is_some(), "pgn", files),
        (file.epd_output.is_some(), "epd-output", files),
        (file.epd_append.is_some(), "epd-append", files),
        (file.epd_overwrite.is_some(), "epd-overwrite", files),
        (file.log.is_some(), "log", "there is no log"),
        (
            file.openings.repeat.is_some(),
            "openings.repeat",
            "each pair has an opening of its own",
        ),
        (
            file.sprt != SprtDraft::default(),
            "sprt",
            "--pairs is when it ends",
        ),
        (
            file.build != BuildDraft::default(),
            "build",
            "revisions are tuned at a lab, which builds them itself",
        ),
    ];
    let found = rows.into_iter().find(|(is_given, ..)| *is_given);
    found.map(|(_, key, why)| (key, why))
}

impl SubjectArgs {
    /// Parameters of the command line, and of the files that it names.
    pub(super) fn parameters(&self) -> anyhow::Result<Vec<Parameter>> {
        let mut parameters = Vec::new();
        for text in &self.parameters {
            if text.contains('=') {
                let parameter: Result<Parameter, ParameterError> = text.parse();
                let fail = |error| bad(format!("--param '{text}': {error}"));
                parameters.push(parameter.map_err(fail)?);
            } else {
                let lines = kit::read::text(Path::new(text), kit::read::SETTINGS)
                    .map_err(|error| bad(format!("{text}: {error}")))?;
                let listed = read(&lines).map_err(|error| bad(format!("{text}: {error}")))?;
                parameters.extend(listed);
            }
        }
        Ok(parameters)
    }
}
