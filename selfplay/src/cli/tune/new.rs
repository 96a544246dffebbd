//! Options of a new tuning.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::play_args::{AdjudicationArgs, OpeningsArgs};
use crate::cli::{bad, session};
use crate::config::{Clock, Contest, Draft, EngineDraft, Seconds, number, program, resolve};
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
    rule: RuleArgs,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    openings: OpeningsArgs,

    #[command(flatten)]
    adjudication: AdjudicationArgs,
}

/// The groups of these options.
pub(super) const GROUPS: [&str; 5] = [
    "SubjectArgs",
    "RuleArgs",
    "LimitArgs",
    "OpeningsArgs",
    "AdjudicationArgs",
];

/// What is tuned, and where the run is stored.
#[derive(Clone, Debug, Args)]
pub(super) struct SubjectArgs {
    /// Read a configuration in TOML, of one engine, openings and adjudication, as for a match; the
    /// command line overrides it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// The engine: 'cmd=… name=… args=… dir=… env.X=… option.Hash=16 tc=10+0.1 st=… nodes=… depth=…
    /// timemargin=… move-timeout=… send-stop=on restart=on startup=…', quoted as for a shell; or a command with its arguments
    #[arg(long, value_name = "WORDS", value_parser = EngineDraft::from_command,
          required_unless_present_any = ["config", "resume", "show"])]
    engine: Option<EngineDraft>,

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
    #[arg(long, value_name = "DIR", default_value = "tune")]
    pub(super) out: PathBuf,
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

/// Limits of the engine.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Time")]
struct LimitArgs {
    /// Time control: 10+0.1, 40/60+0.6, 40/60:20/30, inf
    #[arg(long, value_name = "TC")]
    tc: Option<Clock>,

    /// Seconds for each move
    #[arg(long, value_name = "SECONDS")]
    st: Option<Seconds>,

    /// Nodes for each move
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    nodes: Option<u64>,

    /// Plies for each move
    #[arg(long, value_name = "N", value_parser = number::<u32>)]
    depth: Option<u32>,

    /// Time margin: milliseconds by which the clock may be exceeded [default: 0]
    #[arg(long, value_name = "MS", value_parser = number::<u64>)]
    timemargin: Option<u64>,
}

impl NewArgs {
    /// The configuration of the tuning. `force` accepts a machine that is too small.
    pub(super) fn config(
        &self,
        concurrency: Option<usize>,
        force: bool,
    ) -> anyhow::Result<TuneConfig> {
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
            let message = format!("{pairs} pairs are no whole number of {per_iteration} games");
            return Err(bad(message));
        }
        let parameters = self.subject.parameters()?;
        let (name, mut run) = self.run(concurrency)?;
        program::locate(&mut run).map_err(session::program_error)?;
        session::check_budget(&run, force)?;
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
            seed: run.seed,
        })
    }

    /// A match of the engine against itself, and the engine's name.
    fn run(&self, concurrency: Option<usize>) -> anyhow::Result<(String, RunConfig)> {
        let mut draft = self.draft(concurrency);
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
    fn draft(&self, concurrency: Option<usize>) -> Draft {
        let limits = &self.limits;
        Draft {
            concurrency,
            seed: self.subject.seed,
            each: EngineDraft {
                tc: limits.tc.clone(),
                st: limits.st,
                nodes: limits.nodes,
                depth: limits.depth,
                timemargin: limits.timemargin,
                ..EngineDraft::default()
            },
            engines: self.subject.engine.iter().cloned().collect(),
            openings: self.openings.draft(),
            adjudication: self.adjudication.draft(),
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
                read(&read_file(path)?).map_err(fail)?
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

fn read_file(path: &Path) -> anyhow::Result<String> {
    let fail = |error| bad(format!("{}: {error}", path.display()));
    kit::read::text(path, kit::read::SETTINGS).map_err(fail)
}
