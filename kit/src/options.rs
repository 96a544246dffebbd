//! Options that several programs share, each defined once: name, form of value and help.

#[cfg(feature = "report")]
mod output;

use std::time::Duration;

use clap::Args;

use crate::BadInput;
use crate::values::{move_time, option, time};

#[cfg(feature = "report")]
pub use self::output::OutputArgs;

/// Engines, and how they are run: of every command that takes any number of them.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Engines")]
pub struct EngineArgs {
    /// Engine: a command line, or KEY=VALUE words
    ///
    /// A command line, split into words as in a shell, or words such as `cmd=./my-engine name=New
    /// args=... dir=... env.X=... option.Hash=16`; may be given several times, where engines are
    /// compared.
    #[arg(id = "engine", long, value_name = "ENGINE", required = true)]
    pub engines: Vec<String>,

    /// UCI options of all of them.
    #[command(flatten)]
    pub options: EngineOptionArgs,

    #[command(flatten)]
    concurrency: ConcurrencyArgs,
}

impl EngineArgs {
    /// Processes of an engine at once: the given number, or as many as there are cores for the
    /// threads of each, by the option `Threads`.
    pub fn processes(&self) -> usize {
        self.concurrency
            .or_cores(threads(&self.options.options).unwrap_or(1))
    }

    /// The only engine.
    ///
    /// # Errors
    ///
    /// When there are several.
    pub fn only(&self) -> Result<&str, BadInput> {
        match &*self.engines {
            [engine] => Ok(engine),
            engines => Err(BadInput(format!(
                "--engine: expected one engine, found {}",
                engines.len()
            ))),
        }
    }
}

/// The UCI option `Threads`, if it is set to a number; the last one counts.
pub fn threads(options: &[(String, Option<String>)]) -> Option<usize> {
    let is_threads = |(name, _): &&(String, _)| name.eq_ignore_ascii_case("Threads");
    let (_, value) = options.iter().rfind(is_threads)?;
    value.as_ref()?.trim().parse().ok()
}

/// UCI options of engines that are asked.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Engines")]
pub struct EngineOptionArgs {
    /// Set a UCI option; may be given several times
    ///
    /// For a button, the name alone. Example: `--option Hash=64 --option 'Clear Hash'`.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, Option<String>)>,
}

impl EngineOptionArgs {
    /// The options with their values; that of a button is empty.
    pub fn pairs(&self) -> impl Iterator<Item = (String, String)> {
        let options = self.options.iter().cloned();
        options.map(|(name, value)| (name, value.unwrap_or_default()))
    }
}

/// Limits of a search, which ends at the first one reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Limits (several may be given; the engine ends at the first)")]
pub struct LimitArgs {
    /// Nodes per search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Depth per search, in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=255))]
    pub depth: Option<u32>,

    /// Time per search, such as 500ms, 2s or 1m
    #[arg(long, alias = "time", alias = "st", value_name = "TIME", value_parser = move_time)]
    pub movetime: Option<Duration>,
}

/// How many engines, threads or processes work at once.
#[derive(Clone, Copy, Debug, Args)]
pub struct ConcurrencyArgs {
    /// Engine processes at once [default: by cores]
    ///
    /// As many as there are cores, if each has one thread.
    #[arg(short = 'j', long, alias = "jobs", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,
}

impl ConcurrencyArgs {
    /// The given number, or one process for each core, if each has so many threads.
    pub fn or_cores(self, threads: usize) -> usize {
        // Those that this process may use: affinity and quotas of its container count.
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.concurrency
            .map_or_else(|| (cores() / threads.max(1)).max(1), usize::from)
    }
}

/// How long an engine may take for an answer.
#[derive(Clone, Copy, Debug, Args)]
pub struct TimeoutArgs {
    /// Time limit for one position, such as 500ms
    ///
    /// For all that is asked about it.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time, hide_short_help = true)]
    pub timeout: Duration,
}
