//! What can be asked of `epd run`.

use std::path::PathBuf;
use std::time::Duration;

use crate::report::Format;
use crate::trial::limits::{Limits, parse_time};
use crate::verdict::{FailOn, MinSolved};

/// How long a search is unless something is said.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Run test positions on engines: best moves, moves to avoid, mates, points
///
/// A position is solved when the engine's move is one of `bm`, none of `am`, and, for `dm N` or
/// `bm #N`, a mate in at most N moves is announced and its variation ends in mate. Points are those
/// of `c0 "f5=10, Be5+=2"`, or of `c8` and `c9`.
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

    /// Records that cannot be read, or whose goal cannot, are only reported
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

/// The engines, and how they run.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Engines")]
pub(super) struct EngineArgs {
    /// An engine; may be given several times. A command line, cut into words as a shell does:
    /// `--engine './my-engine --some-flag'`
    #[arg(long, value_name = "COMMAND", required = true)]
    pub(super) engine: Vec<String>,

    /// Set a UCI option; may be given several times. Example: `--option Contempt=0`; a button is a
    /// name alone
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub(super) option: Vec<(String, Option<String>)>,

    /// Threads of each engine: the option Threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,

    /// Hash table of each engine in MiB: the option Hash
    #[arg(long, value_name = "MIB")]
    pub(super) hash: Option<u32>,

    /// Processes of an engine that run side by side [default: cores / --threads]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) jobs: Option<u16>,

    /// Search each position so often; it is solved when more than half of its searches solve it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) repeat: u16,
}

/// How long a search may be.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Limits (several may be given; the engine ends at the first)")]
pub(super) struct LimitArgs {
    /// Nodes of a search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Depth of a search in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=255))]
    depth: Option<u32>,

    /// Time of a search, such as 500ms, 2s or 1m [default: 1s where no other limit is given]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,

    /// Look for a mate in so many moves (`go mate`)
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..=255))]
    mate: Option<u32>,

    /// Limits of a record come first, where it has any: acd plies, acn nodes, acs seconds
    #[arg(long)]
    pub(super) limits_from_record: bool,

    /// An engine that has not answered by then is told to stop, and has failed, where a search has
    /// no time limit
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    pub(super) timeout: Duration,

    /// So much later than its time limit an engine may answer; also how long it may take to stop
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_time)]
    pub(super) margin: Duration,
}

/// Where results go.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// How to print the report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(super) format: Format,

    /// Write the report to a file, and the human one to standard output
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// With --format github, add a summary in Markdown to this file
    #[arg(long, value_name = "FILE", env = "GITHUB_STEP_SUMMARY")]
    pub(super) summary: Option<PathBuf>,

    /// Write the records with what the engine found: acd, acn, acs, ce, pm, pv; of one engine only
    #[arg(long, value_name = "FILE")]
    pub(super) write_epd: Option<PathBuf>,

    /// Save the results, to compare later ones with
    #[arg(long, value_name = "FILE")]
    pub(super) save: Option<PathBuf>,
}

/// What is demanded of the results.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Demands")]
pub(super) struct DemandArgs {
    /// Compare with results that were saved
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<PathBuf>,

    /// For what to end with exit code 1; several, with commas
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    pub(super) fail_on: Vec<FailOn>,

    /// With so many times the nodes to a solution a position is slower
    #[arg(long, value_name = "FACTOR", default_value_t = 2.0, value_parser = factor)]
    pub(super) factor: f64,

    /// End with exit code 1 where an engine solves fewer: a number of positions, or a part of those
    /// asked, such as 95%
    #[arg(long, value_name = "N|P%")]
    pub(super) min_solved: Option<MinSolved>,
}

impl LimitArgs {
    /// The limits, or the default where none is given.
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
    /// The options, those with a flag of their own first.
    pub(super) fn options(&self) -> Vec<(String, Option<String>)> {
        let threads = self
            .threads
            .map(|n| ("Threads".to_owned(), Some(n.to_string())));
        let hash = self.hash.map(|n| ("Hash".to_owned(), Some(n.to_string())));
        let own = threads.into_iter().chain(hash);
        own.chain(self.option.iter().cloned()).collect()
    }

    /// Processes side by side, on so many cores.
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
