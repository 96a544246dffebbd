//! The options of `perft count --fleet`.

use std::time::Duration;

use kit::values::time_or_zero;
use queue::cli::RetryArgs;

use crate::count::distributed::job;
use crate::count::units::Cut;

/// A count on many machines.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "On many machines")]
pub(super) struct FleetArgs {
    /// Let the workers of this lab count
    ///
    /// See `fleet worker`. The same command resumes the same job, even if all processes were
    /// killed. The token is read from `FLEET_TOKEN`; --units is 10000 by default. Example: `--fleet
    /// https://lab.example`
    #[arg(hide_short_help = true, long, value_name = "URL", group = "cuts",
          conflicts_with_all = ["no_bulk", "unique", "hash"])]
    pub(super) fleet: Option<String>,

    /// Units that a worker leases at a time
    ///
    /// Units per chunk, the work one worker leases at a time [default: seconds to a minute of
    /// counting].
    #[arg(hide_short_help = true, long, value_name = "N", requires = "fleet",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(job::MOST_UNITS_PER_CHUNK)))]
    pub(super) chunk: Option<u32>,

    /// Count one in this many chunks twice; 0: none
    ///
    /// Have one in this many chunks, starting with the first, counted by a second worker and
    /// compared; 0 to disable.
    #[arg(
        hide_short_help = true,
        long,
        value_name = "N",
        requires = "fleet",
        default_value_t = 50
    )]
    pub(super) again_every: u64,

    /// Time to count random units again here
    ///
    /// If no second worker does; 0s to disable.
    #[arg(hide_short_help = true, long, value_name = "TIME", requires = "fleet", default_value = "1m",
          value_parser = time_or_zero)]
    pub(super) recount: Duration,

    /// Exit with code 0 though nobody verified the sum
    ///
    /// Exit with code 0 even if neither a second worker nor this program verified the sum.
    #[arg(hide_short_help = true, long, requires = "fleet")]
    pub(super) unverified_ok: bool,

    /// Post the job, print its name, and exit
    #[arg(hide_short_help = true, long, requires = "fleet")]
    pub(super) no_wait: bool,

    #[command(flatten)]
    pub(super) retry: RetryArgs,
}

impl FleetArgs {
    /// Where the tree is cut if a lab counts.
    pub(super) fn default_cut(&self) -> Option<Cut> {
        self.fleet.as_ref().map(|_| job::CUT)
    }
}
