//! The options of a tuning that begins.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::model::{
    Adjudication, BookFormat, BookOrder, Command, DrawRule, EngineConfig, Limits, OpeningSource,
    ResignRule, Restart, TimeControl,
};
use crate::time_control::ParseTimeControlError;
use crate::tune::config::TuneConfig;
use crate::tune::parameter::{Parameter, ParameterError, read};
use crate::tune::spsa::Gains;

/// Everything that is stored in the run directory.
#[derive(Clone, Debug, Args)]
pub(super) struct NewArgs {
    /// The engine
    #[arg(long, value_name = "PROGRAM", required_unless_present_any = ["resume", "show"])]
    cmd: Option<PathBuf>,

    /// An argument of the engine; can be given several times
    #[arg(long = "arg", value_name = "TEXT", allow_hyphen_values = true)]
    arguments: Vec<String>,

    /// What to call the engine [default: the name of its file]
    #[arg(long)]
    name: Option<String>,

    /// An option that stays as it is; can be given several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,

    /// An option to tune: name=, start=, min=, max=, and if need be type=int|float, c=, r=; can be
    /// given several times
    #[arg(long = "param", value_name = "name=…,start=…,min=…,max=…")]
    parameters: Vec<String>,

    /// A list of options to tune, a line each: name, int|float, start, min, max, c, r
    #[arg(long = "params", value_name = "FILE")]
    list: Option<PathBuf>,

    /// How many pairs of games to play in all
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pairs: u64,

    /// Games of an iteration: an even number
    #[arg(long, value_name = "N", default_value_t = 2)]
    games_per_iteration: u64,

    /// How many iterations can be under way at once: each begins from the values as they were so
    /// many iterations ago. The result depends on it, but not on --concurrency
    #[arg(long, value_name = "N", default_value_t = 8)]
    lag: u64,

    /// The constant A that keeps the first steps small, as a part of the iterations
    #[arg(long, value_name = "PART", default_value_t = 0.1)]
    a_ratio: f64,

    /// How quickly steps become smaller
    #[arg(long, default_value_t = 0.602)]
    alpha: f64,

    /// How quickly measurements become finer
    #[arg(long, default_value_t = 0.101)]
    gamma: f64,

    #[command(flatten)]
    time: TimeArgs,

    #[command(flatten)]
    openings: OpeningArgs,

    #[command(flatten)]
    adjudication: AdjudicationArgs,

    /// What all chance begins with
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// The run directory
    #[arg(long, value_name = "DIR", default_value = "tune")]
    pub(super) dir: PathBuf,
}

/// How long an engine may think.
#[derive(Clone, Debug, Args)]
struct TimeArgs {
    /// A clock, such as 10+0.1 or 40/60
    #[arg(long, value_name = "CONTROL")]
    tc: Option<String>,

    /// Seconds for each move
    #[arg(long, value_name = "SECONDS", conflicts_with = "tc")]
    st: Option<f64>,

    /// Positions for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Plies for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// What the clock may be overstepped by, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0)]
    margin: u64,
}

/// Where games begin.
#[derive(Clone, Debug, Args)]
struct OpeningArgs {
    /// A book: PGN if its name ends in .pgn or .pgn.gz, else EPD [default: the start position]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Go through the book as it stands, in place of an order by chance
    #[arg(long, requires = "openings")]
    sequential: bool,

    /// How many plies of a game of the book are played [default: all]
    #[arg(long, value_name = "N", requires = "openings")]
    plies: Option<u32>,

    /// Games of Chess960: from its first positions, or those of the book
    #[arg(long)]
    chess960: bool,
}

/// When games are ended before the rules end them.
#[derive(Clone, Debug, Args)]
struct AdjudicationArgs {
    /// A side is lost once its score was no better than so many centipawns below zero for so many
    /// of its moves
    #[arg(long, value_name = "MOVES,CP")]
    resign: Option<String>,

    /// A game is drawn once both scores were that near zero for so many moves, from a move on
    #[arg(long, value_name = "FROM,MOVES,CP")]
    draw: Option<String>,

    /// A game is drawn after so many moves of both sides
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: Option<u32>,
}

impl NewArgs {
    /// The configuration that was asked for.
    pub(super) fn config(&self, concurrency: usize) -> anyhow::Result<TuneConfig> {
        let games = 2 * self.pairs;
        let per_iteration = self.games_per_iteration;
        if per_iteration == 0 || !games.is_multiple_of(per_iteration) {
            let pairs = self.pairs;
            let message = format!("{pairs} pairs are no whole number of {per_iteration} games");
            return Err(crate::cli::bad(message));
        }
        let config = TuneConfig {
            engine: self.engine()?,
            parameters: self.parameters()?,
            gains: Gains {
                iterations: games / per_iteration,
                a_ratio: self.a_ratio,
                alpha: self.alpha,
                gamma: self.gamma,
            },
            games_per_iteration: per_iteration,
            lag: self.lag,
            openings: self.openings.source()?,
            adjudication: self.adjudication.rules()?,
            concurrency,
            seed: self.seed,
        };
        Ok(config)
    }

    fn engine(&self) -> anyhow::Result<EngineConfig> {
        let program = self.cmd.as_deref().expect("the command line requires it");
        let file = program.file_name().map(|name| name.to_string_lossy());
        let name = self.name.clone();
        let options = self.options.iter().map(|text| {
            let Some((name, value)) = text.split_once('=') else {
                let message = format!("option '{text}', expected NAME=VALUE");
                return Err(crate::cli::bad(message));
            };
            Ok((name.to_owned(), value.to_owned()))
        });
        Ok(EngineConfig {
            name: name.unwrap_or_else(|| file.unwrap_or_default().into_owned()),
            options: options.collect::<anyhow::Result<_>>()?,
            command: Command {
                program: if is_searched_for(program) {
                    program.to_owned()
                } else {
                    absolute(program)?
                },
                arguments: self.arguments.clone(),
                ..Command::default()
            },
            startup: Vec::new(),
            limits: self.time.limits()?,
            ponder: false,
            restart: Restart::Auto,
        })
    }

    /// Those of the list before those of the command line.
    fn parameters(&self) -> anyhow::Result<Vec<Parameter>> {
        let mut parameters = match &self.list {
            Some(path) => read_list(path)?,
            None => Vec::new(),
        };
        for text in &self.parameters {
            let parameter: Result<Parameter, ParameterError> = text.parse();
            let bad = |error| crate::cli::bad(format!("--param '{text}': {error}"));
            parameters.push(parameter.map_err(bad)?);
        }
        Ok(parameters)
    }
}

/// A name without a folder is looked for where programs are.
fn is_searched_for(program: &Path) -> bool {
    program.components().count() == 1 && !program.starts_with(".")
}

/// A run is resumed from any folder.
fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    std::path::absolute(path)
        .map_err(|error| crate::cli::bad(format!("'{}': {error}", path.display())))
}

#[expect(clippy::disallowed_methods, reason = "the edge reads files")]
fn read_list(path: &Path) -> anyhow::Result<Vec<Parameter>> {
    let fail =
        |error: &dyn std::fmt::Display| crate::cli::bad(format!("{}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| fail(&error))?;
    read(&text).map_err(|error| fail(&error))
}

impl TimeArgs {
    fn limits(&self) -> anyhow::Result<Limits> {
        let clock: Option<Result<TimeControl, ParseTimeControlError>> =
            self.tc.as_ref().map(|text| text.parse());
        let limits = Limits {
            clock: clock.transpose().map_err(crate::cli::bad)?,
            movetime_ms: self.st.map(milliseconds).transpose()?,
            nodes: self.nodes,
            depth: self.depth,
            margin_ms: self.margin,
        };
        let is_bounded = limits.clock.is_some()
            || limits.movetime_ms.is_some()
            || limits.nodes.is_some()
            || limits.depth.is_some();
        if !is_bounded {
            let message = "how long may the engine think? expected --tc, --st, --nodes or --depth";
            return Err(crate::cli::bad(message));
        }
        Ok(limits)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is between 1 and 10^9"
)]
fn milliseconds(seconds: f64) -> anyhow::Result<u64> {
    let ms = (seconds * 1000.0).round();
    if (1.0..=1e9).contains(&ms) {
        return Ok(ms as u64);
    }
    let message = format!("--st {seconds}, expected 0.001 to 1000000 seconds");
    Err(crate::cli::bad(message))
}

impl OpeningArgs {
    fn source(&self) -> anyhow::Result<OpeningSource> {
        Ok(match &self.openings {
            None if self.chess960 => OpeningSource::Chess960,
            None => OpeningSource::Startpos,
            Some(path) => {
                let packed = path
                    .extension()
                    .is_some_and(|end| end.eq_ignore_ascii_case("gz"));
                let name = if packed {
                    path.with_extension("")
                } else {
                    path.clone()
                };
                let is_pgn = name
                    .extension()
                    .is_some_and(|end| end.eq_ignore_ascii_case("pgn"));
                OpeningSource::Book {
                    path: absolute(path)?,
                    format: if is_pgn {
                        BookFormat::Pgn
                    } else {
                        BookFormat::Epd
                    },
                    order: if self.sequential {
                        BookOrder::Sequential
                    } else {
                        BookOrder::Random
                    },
                    start: 0,
                    plies: self.plies,
                    chess960: self.chess960,
                }
            }
        })
    }
}

impl AdjudicationArgs {
    fn rules(&self) -> anyhow::Result<Adjudication> {
        let resign = self.resign.as_ref().map(|text| {
            let [moves, score_cp] = numbers("--resign", text, "MOVES,CP, such as 4,600")?;
            anyhow::Ok(ResignRule {
                moves,
                score_cp,
                two_sided: false,
            })
        });
        let draw = self.draw.as_ref().map(|text| {
            let expected = "FROM,MOVES,CP, such as 40,8,10";
            let [from_move, moves, score_cp] = numbers("--draw", text, expected)?;
            anyhow::Ok(DrawRule {
                from_move,
                moves,
                score_cp,
            })
        });
        Ok(Adjudication {
            resign: resign.transpose()?,
            draw: draw.transpose()?,
            max_moves: self.max_moves,
            tablebase: None,
        })
    }
}

fn numbers<const N: usize>(flag: &str, text: &str, expected: &str) -> anyhow::Result<[u32; N]> {
    let numbers: Option<Vec<u32>> = text
        .split(',')
        .map(|part| part.trim().parse().ok())
        .collect();
    let array = numbers.and_then(|numbers| numbers.try_into().ok());
    array.ok_or_else(|| crate::cli::bad(format!("{flag} '{text}', expected {expected}")))
}
