//! CPU and memory options of a command.

use std::str::FromStr;

use anyhow::Context as _;
use chess::perft::{CountTable, Counter, Kernel};
use kit::BadInput;
use kit::values::mebibytes;

use super::LEAST_DEPTH_FOR_TABLE;
use crate::count::result::CountMode;
use crate::count::run;

/// CPU and memory to use.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "CPU and memory")]
pub(super) struct Effort {
    /// Size of the hash table, such as 64MB or 1GB
    ///
    /// Of subtree counts; a number alone is MiB, 0 is none. `auto` is, for trees large enough to repay
    /// it, a quarter of the free memory, at most 1GB. With `count --unique`, the memory for positions: by
    /// default 1GB.
    #[arg(long, value_name = "SIZE", default_value = "auto")]
    hash: HashSize,
}

#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(super) struct Threads {
    /// Threads to count on [default: one for each core]
    ///
    /// Of all commands that count by themselves.
    #[arg(long, global = true, hide_short_help = true, help_heading = "Global options", value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    pub(super) fn pool(self) -> anyhow::Result<rayon::ThreadPool> {
        run::pool(self.threads.map(usize::from))
    }
}

impl Effort {
    /// A counter by the kernel that `TOUCHSTONE_KERNEL` names, else by the fastest.
    pub(super) fn counter(table: Option<&CountTable>) -> anyhow::Result<Counter<'_>> {
        let mut counter = Counter::new();
        if let Some(kernel) = kernel()? {
            if !kernel.is_available() {
                let message = if kernel == Kernel::Portable {
                    "this build has no portable kernel: it is for tests (feature `portable` of touchstone-chess)".to_owned()
                } else {
                    format!("this CPU cannot run the {kernel} kernel")
                };
                return Err(BadInput(message).into());
            }
            counter = counter.kernel(kernel);
        }
        Ok(match table {
            Some(table) => counter.table(table),
            None => counter,
        })
    }

    /// Allocates the requested table for one count; an automatic one if the count repays it.
    pub(super) fn table_of_count(
        &self,
        depth: u32,
        mode: CountMode,
    ) -> anyhow::Result<Option<CountTable>> {
        let has_use = matches!(mode, CountMode::Nodes | CountMode::Divide);
        self.table(depth >= LEAST_DEPTH_FOR_TABLE && has_use)
    }

    /// Whether a table was asked for.
    #[cfg(feature = "fleet")]
    pub(super) fn has_table(&self) -> bool {
        matches!(self.hash, HashSize::Mebibytes(_))
    }

    /// Memory for the unique positions of a tree, in MiB.
    pub(super) fn mebibytes_of_positions(&self) -> Result<usize, BadInput> {
        match self.hash {
            HashSize::Auto => Ok(1024),
            HashSize::Mebibytes(0) => {
                let message = "--hash is 0, expected memory for the positions of --unique";
                Err(BadInput(message.to_owned()))
            }
            HashSize::Mebibytes(mebibytes) => Ok(mebibytes),
        }
    }

    /// Allocates the requested table; `large` is whether an automatic one would repay.
    pub(super) fn table(&self, large: bool) -> anyhow::Result<Option<CountTable>> {
        let mebibytes = match self.hash {
            HashSize::Mebibytes(mebibytes) => mebibytes,
            HashSize::Auto if large => free_mebibytes().map_or(256, |free| free / 4).min(1024),
            HashSize::Auto => 0,
        };
        let table = (mebibytes > 0).then(|| CountTable::new(mebibytes));
        table
            .transpose()
            .with_context(|| format!("no memory for a table of {mebibytes} MiB"))
    }
}

/// The kernel that the environment asks for: to compare kernels, and to avoid one.
#[expect(clippy::disallowed_methods, reason = "the edge reads the environment")]
fn kernel() -> Result<Option<Kernel>, BadInput> {
    const NAME: &str = "TOUCHSTONE_KERNEL";
    let Some(text) = std::env::var_os(NAME) else {
        return Ok(None);
    };
    let kernel = text.to_string_lossy().parse();
    kernel
        .map(Some)
        .map_err(|error| BadInput(format!("{NAME}: {error}")))
}

/// The size of the table of subtree counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HashSize {
    Auto,
    Mebibytes(usize),
}

impl FromStr for HashSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let size = mebibytes(text).map_err(|error| format!("{error}, or auto"))?;
        let size = usize::try_from(size).ok().filter(|&size| size <= 1 << 20);
        size.map(Self::Mebibytes)
            .ok_or_else(|| "expected at most 1024GB".to_owned())
    }
}

/// Memory that can be used without swapping, in MiB, if the system reports it.
fn free_mebibytes() -> Option<usize> {
    free_in(&read("/proc/meminfo")?)
}

/// Parses `MemAvailable:   24118396 kB`.
fn free_in(meminfo: &str) -> Option<usize> {
    let kibibytes = value_of("MemAvailable:", meminfo)?;
    let kibibytes: usize = kibibytes.strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024)
}

/// The rest of the line that begins with `key`.
fn value_of(key: &str, text: &str) -> Option<String> {
    let rest = text.lines().find_map(|line| line.strip_prefix(key));
    rest.map(|rest| rest.trim().to_owned())
}

/// `None` on systems without these files.
#[expect(clippy::disallowed_methods, reason = "the edge asks the system")]
fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_linux_are_parsed() {
        let text = "MemTotal:       24654612 kB\nMemAvailable:   24118396 kB\n";
        assert_eq!(free_in(text), Some(23_553));
        assert_eq!(free_in("MemTotal: 5 kB"), None);
        assert_eq!(free_in("MemAvailable: many"), None);
    }
}
