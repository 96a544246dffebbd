//! Command-line arguments.

use std::path::PathBuf;
use std::time::Duration;

use chess::perft::MAX_DEPTH;
use chess::rules::Position;
use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};
use kit::values::{name_and_value, time};
use uci::perft::Ask;

use super::BadInput;
use super::broker::PatienceArgs;
use super::cut::CutArgs;
use super::effort::Effort;
use super::explain::ExplainArgs;
use super::generate::GenerateArgs;
use super::mutants::MutantsArgs;
use super::worker::WorkerArgs;
use crate::check::Filter;
use crate::count::What;
use crate::shared::MOST_UNITS_PER_CHUNK;
use crate::{count, report};

/// Is my move generator right? Perft of one position, over EPD suites, and as a benchmark.
///
/// Exit codes: 0 ran and agreed, 1 a count differs, 2 bad usage or input (a broken suite too),
/// 3 the environment failed, 4 nothing was selected, 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "perft", version, max_term_width = 100)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Count(CountArgs),
    Check(CheckArgs),
    Bench(BenchArgs),
    Explain(ExplainArgs),
    Generate(GenerateArgs),
    Mutants(MutantsArgs),
    Worker(WorkerArgs),
    #[command(flatten)]
    SelfDescription(kit::SelfDescription),
}

/// Count the leaf nodes below one position
///
/// Examples: `perft count 6`, `perft count kiwipete 5 --divide`,
/// `perft count 4k3/8/8/8/8/8/8/4K2R w K - 0 1 7`, `perft count 6 --unique`,
/// `perft count 9 --hash 1024 --resume nine.jsonl`, `perft count 10 --fleet postgres://perft@db/fleet`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(super) struct CountArgs {
    /// Position, then depth in plies. The position is a FEN of four or six fields, with or without
    /// quotes, or a name: startpos (the default), kiwipete, position-3 to position-6, or an id of
    /// the built-in suites
    #[arg(value_name = "[FEN|NAME] DEPTH", required = true, num_args = 1..)]
    words: Vec<String>,

    /// Show the count below each legal move
    #[arg(long, conflicts_with = "breakdown")]
    divide: bool,

    /// Show how many of the last moves are captures, castles, checks and so on
    #[arg(long, conflicts_with_all = ["no_bulk", "hash"])]
    breakdown: bool,

    /// Disable bulk counting: make every move of the last ply
    #[arg(long, conflicts_with = "hash")]
    pub(super) no_bulk: bool,

    /// Count the unique positions at each ply, and the move sequences that lead to them
    #[arg(long, conflicts_with_all = ["divide", "breakdown", "no_bulk", "hash"])]
    pub(super) unique: bool,

    /// Memory in MiB for the positions of --unique
    #[arg(long, value_name = "MIB", default_value_t = 1024, requires = "unique",
          value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    memory: u32,

    /// Record counts in a journal; the same command resumes from it, even after a crash
    #[arg(long, value_name = "FILE", group = "cuts",
          conflicts_with_all = ["divide", "breakdown", "no_bulk", "unique"])]
    pub(super) resume: Option<PathBuf>,

    #[command(flatten)]
    pub(super) cut: CutArgs,

    /// How to print the result
    #[arg(long, value_enum, default_value_t = count::Format::Human)]
    pub(super) format: count::Format,

    #[command(flatten)]
    pub(super) effort: Effort,

    #[command(flatten)]
    pub(super) fleet: FleetArgs,
}

impl CountArgs {
    pub(super) fn what(&self) -> What {
        if self.divide {
            What::Divide
        } else if self.breakdown {
            What::Breakdown
        } else {
            What::Nodes
        }
    }

    pub(super) fn memory_mebibytes(&self) -> usize {
        self.memory as usize
    }

    pub(super) fn position_and_depth(&self) -> anyhow::Result<(Position, u32)> {
        if self.words.iter().any(|word| word.trim().is_empty()) {
            let message = "one of the words is empty, expected a position and a depth";
            return Err(BadInput(message.to_owned()).into());
        }
        let all = self.words.join(" ");
        let (position, depth) = all
            .trim()
            .rsplit_once(|c: char| c.is_ascii_whitespace())
            .unwrap_or(("startpos", all.trim()));
        let depth = match depth.parse() {
            Ok(depth) if depth <= MAX_DEPTH => depth,
            _ => {
                let message = format!(
                    "'{depth}' is not a depth, expected a number of plies from 0 to {MAX_DEPTH} \
                     after the position"
                );
                return Err(BadInput(message).into());
            }
        };
        let position = super::position(position)?;
        Ok((position, depth))
    }
}

/// A count on many machines.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "On many machines")]
pub(super) struct FleetArgs {
    /// Let the workers of this broker count (see `perft worker`); the same command resumes the same
    /// job, even if all processes were killed. Example: `--fleet
    /// postgres://perft@db.example.org/fleet`
    #[arg(long, value_name = "URL", group = "cuts",
          conflicts_with_all = ["divide", "breakdown", "no_bulk", "unique", "hash"])]
    pub(super) fleet: Option<String>,

    /// Units per chunk, the work one worker leases at a time [default: seconds to a minute of
    /// counting]
    #[arg(long, value_name = "N", requires = "fleet",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_UNITS_PER_CHUNK)))]
    pub(super) chunk: Option<u32>,

    /// Have one in this many chunks, starting with the first, counted by a second worker and
    /// compared; 0 to disable
    #[arg(long, value_name = "N", requires = "fleet", default_value_t = 50)]
    pub(super) again_every: u64,

    /// Post the job, print its name, and exit
    #[arg(long, requires = "fleet")]
    pub(super) no_wait: bool,

    #[command(flatten)]
    pub(super) patience: PatienceArgs,
}

/// Check every count of EPD suites, by our own generator or by any engine
///
/// A suite is an EPD file whose records carry counts: `<position> D1 20; D2 400;` or
/// `<position> ;D1 20 ;D2 400`. With --engine, the engine counts every position, and each wrong
/// answer is traced down to the smallest position, the wrong move and the rule it breaks.
///
/// Examples: `perft check`, `perft check my.epd --depth 4 --format junit -o perft.xml`,
/// `perft check --engine ./my-engine`, `perft check quick --engine ./new --engine ./old --jobs 4`.
#[derive(Debug, clap::Args)]
pub(super) struct CheckArgs {
    /// EPD files, or names of built-in suites: quick, standard, chess960, edge, thesis [default: all
    /// built-in suites]
    pub(super) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) trial: TrialArgs,

    /// Skip counts deeper than this many plies; with --engine, records without counts are tested to
    /// this depth
    #[arg(long, value_name = "PLIES")]
    pub(super) depth: Option<u32>,

    /// Skip counts of more than this many leaf nodes
    #[arg(long, value_name = "NODES")]
    max_nodes: Option<u64>,

    /// Check only records with this tag; may be given several times
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,

    /// Stop at the first count that differs
    #[arg(long, conflicts_with = "tested")]
    pub(super) fail_fast: bool,

    /// How to print the report
    #[arg(long, value_enum, default_value_t = report::Format::Human)]
    pub(super) format: report::Format,

    /// Write the report to a file, and a human-readable one to standard output
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Append a Markdown summary to this file (with --format github)
    #[arg(long, value_name = "FILE", env = "GITHUB_STEP_SUMMARY")]
    pub(super) summary: Option<PathBuf>,

    #[command(flatten)]
    pub(super) effort: Effort,
}

/// The default of `--timeout`.
pub(super) const DEFAULT_TIMEOUT: Duration = Duration::from_mins(1);

/// Engines to test.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Engines")]
pub(super) struct TrialArgs {
    /// Test this engine; may be given several times. A command line, split into words as a shell
    /// does: `./my-engine --some-flag`
    #[arg(long, value_name = "COMMAND", group = "tested")]
    pub(super) engine: Vec<String>,

    /// Test a program that is started once per question, with `{fen}`, `{depth}` and optionally
    /// `{moves}` filled in; may be given several times. Example: `--run './perft -d {depth} -f
    /// "{fen}"'`
    #[arg(long, value_name = "TEMPLATE", group = "tested")]
    pub(super) run: Vec<String>,

    /// Perft dialect of the engine, by name [default: detected]
    #[arg(long, value_name = "NAME", requires = "engine", conflicts_with = "ask",
          value_parser = PossibleValuesParser::new(Ask::known().iter().map(Ask::name)))]
    pub(super) dialect: Option<String>,

    /// Line to send for each question, with `{fen}`, `{depth}` and optionally `{moves}` filled in;
    /// a line with `{move}` is sent once per move. Repeat the option for several lines. Example:
    /// `--ask 'position fen {fen} moves {moves}' --ask 'divide {depth}'`
    #[arg(long, value_name = "LINE", requires = "engine")]
    pub(super) ask: Vec<String>,

    /// Set a UCI option; may be given several times. Example: `--option Hash=16`
    #[arg(long, value_name = "NAME=VALUE", requires = "engine", value_parser = name_and_value)]
    pub(super) option: Vec<(String, String)>,

    /// Processes of an engine to run in parallel [default: one for each core]
    #[arg(long, value_name = "N", requires = "tested",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) jobs: Option<u16>,

    /// Time limit for one position, all depths together, such as 10s or 500ms
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time)]
    pub(super) timeout: Duration,

    /// Also test this position, or only this one where no suite is named: a FEN, optionally
    /// followed by `moves e2e4 ...`, counted to --depth [default there: 4]
    #[arg(long, value_name = "FEN", requires = "tested")]
    pub(super) fen: Vec<String>,

    /// Only report which counts are wrong; do not trace the faults
    #[arg(long, requires = "tested")]
    pub(super) no_hunt: bool,
}

impl TrialArgs {
    /// Whether there are engines to test.
    pub(super) fn has_subjects(&self) -> bool {
        !self.engine.is_empty() || !self.run.is_empty()
    }
}

impl CheckArgs {
    pub(super) fn filter(&self) -> Filter {
        Filter {
            depth: self.depth,
            max_nodes: self.max_nodes,
            tags: self.tag.clone(),
        }
    }
}

/// Measure nodes per second on the classic positions
///
/// With and without bulk counting, on one thread and on all; every count is compared with the
/// published one.
#[derive(Debug, clap::Args)]
pub(super) struct BenchArgs {
    #[command(flatten)]
    pub(super) effort: Effort,
}
