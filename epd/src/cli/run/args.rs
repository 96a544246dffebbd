//! Arguments of `epd run`.

use std::path::PathBuf;
use std::time::Duration;

use crate::report::Format;
use crate::trial::limits::Limits;
use crate::verdict::{FailOn, MinSolved};

/// Time per search if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Run test positions on engines: best moves, moves to avoid, mates, points
///
/// A position is solved if the engine's move is one of `bm`, none of `am`, and, for `dm N` or `bm
/// #N`, a mate in at most N moves is announced and its PV ends in mate. Points are those of `c0
/// "f5=10, Be5+=2"`, or of `c8` and `c9`.
///
/// Examples: `epd run wac.epd --engine ./my-engine --nodes 100000`,
/// `epd run wac.epd sts1.epd --engine ./new --engine ./old --time 500ms --jobs 4`,
/// `epd run wac.epd --engine ./my-engine --nodes 100000 --save base.json`,
/// `epd run wac.epd --engine ./my-engine --nodes 100000 --baseline base.json`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct RunArgs {
    /// EPD files, or names of built-in suites
    #[arg(value_name = "SUITE", required = true)]
    pub(super) suites: Vec<PathBuf>,

    /// Only report records that cannot be read, or whose goal cannot be read
    #[arg(long)]
    pub(super) allow_unreadable: bool,

    #[command(flatten)]
    pub(super) engines: EngineArgs,

    #[command(flatten)]
    pub(super) limits: LimitArgs,

    #[command(flatten)]
    pub(super) output: OutputArgs,

    #[command(flatten)]
    pub(super) demands: DemandArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Engines")]
pub(super) struct EngineArgs {
    /// Engine command line, split into words as in a shell; may be given several times:
    /// `--engine './my-engine --some-flag'`
    #[arg(long, value_name = "COMMAND", required = true)]
    pub(super) engine: Vec<String>,

    /// Set a UCI option; may be given several times. Example: `--option Contempt=0`; for a button,
    /// the name alone
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub(super) option: Vec<(String, Option<String>)>,

    /// Threads per engine: the option Threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,

    /// Hash table size per engine in MiB: the option Hash
    #[arg(long, value_name = "MIB")]
    pub(super) hash: Option<u32>,

    /// Number of concurrent processes per engine [default: cores / --threads]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) jobs: Option<u16>,

    /// Number of searches per position; solved if more than half of them solve it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) repeat: u16,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Limits (several may be given; the engine ends at the first)")]
pub(super) struct LimitArgs {
    /// Nodes per search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Depth per search, in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=255))]
    depth: Option<u32>,

    /// Time per search, such as 500ms, 2s or 1m [default: 1s if no other limit is given]
    #[arg(long, value_name = "TIME", value_parser = kit::values::time)]
    time: Option<Duration>,

    /// Search for a mate in this many moves (`go mate`)
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..=255))]
    mate: Option<u32>,

    /// Prefer the limits of a record, if it has any: acd plies, acn nodes, acs seconds
    #[arg(long)]
    pub(super) limits_from_record: bool,

    /// Timeout of searches without a time limit: the engine is then sent `stop`, and the search
    /// counts as failed
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = kit::values::time)]
    pub(super) timeout: Duration,

    /// Time margin: allowed overrun of the time limit, and time to react to `stop`
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = kit::values::time)]
    pub(super) margin: Duration,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(super) format: Format,

    /// Write the report to a file, and the human-readable one to standard output
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// With --format github, append a Markdown summary to this file
    #[arg(long, value_name = "FILE", env = "GITHUB_STEP_SUMMARY")]
    pub(super) summary: Option<PathBuf>,

    /// Write the records with the engine's results: acd, acn, acs, ce, pm, pv; one engine only
    #[arg(long, value_name = "FILE")]
    pub(super) write_epd: Option<PathBuf>,

    /// Save the results as a baseline for later runs
    #[arg(long, value_name = "FILE")]
    pub(super) save: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Demands")]
pub(super) struct DemandArgs {
    /// Compare with a saved baseline
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<PathBuf>,

    /// Conditions for exit code 1, separated by commas
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    pub(super) fail_on: Vec<FailOn>,

    /// Ratio of nodes from which a solution counts as slower
    #[arg(long, value_name = "FACTOR", default_value_t = 2.0, value_parser = factor)]
    pub(super) factor: f64,

    /// Exit with code 1 if an engine solves fewer: a number of positions, or a percentage of those
    /// run, such as 95%
    #[arg(long, value_name = "N|P%")]
    pub(super) min_solved: Option<MinSolved>,
}

impl LimitArgs {
    /// The limits, or the default if none is given.
    pub(super) fn limits(&self) -> Limits {
        let given = Limits {
            nodes: self.nodes,
            depth: self.depth,
            time: self.time,
            mate: self.mate,
        };
        if given.is_empty() {
            Limits {
                time: Some(DEFAULT_TIME),
                ..given
            }
        } else {
            given
        }
    }
}

impl EngineArgs {
    /// The options; those with their own flag come first.
    pub(super) fn options(&self) -> Vec<(String, Option<String>)> {
        let threads = self
            .threads
            .map(|n| ("Threads".to_owned(), Some(n.to_string())));
        let hash = self.hash.map(|n| ("Hash".to_owned(), Some(n.to_string())));
        let own = threads.into_iter().chain(hash);
        own.chain(self.option.iter().cloned()).collect()
    }

    /// Number of concurrent processes on this many cores.
    pub(super) fn jobs(&self, cores: usize) -> usize {
        let threads = self.threads.map_or(1, usize::from);
        self.jobs.map_or((cores / threads).max(1), usize::from)
    }
}

#[expect(clippy::unnecessary_wraps, reason = "so the command line demands it")]
fn name_and_value(text: &str) -> Result<(String, Option<String>), String> {
    Ok(match text.split_once('=') {
        Some((name, value)) => (name.trim().to_owned(), Some(value.trim().to_owned())),
        None => (text.trim().to_owned(), None),
    })
}

fn factor(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(factor) if (1.0..=1e6).contains(&factor) => Ok(factor),
        _ => Err("expected a number from 1 to 1000000".to_owned()),
    }
}
