//! The report on an engine that ignores a search limit.

use std::fmt;
use std::time::Duration;

/// An engine that ignores a search limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disobedience {
    /// The name of the engine in the configuration.
    pub engine: String,
    /// The command it ignored, such as `go nodes 1000`.
    pub asked: String,
    /// The last node count that it printed, if any.
    pub nodes: Option<u64>,
    /// The last depth that it printed, if any.
    pub depth: Option<u32>,
    /// Time waited for its move.
    pub waited: Duration,
    /// Whether it answered `stop`.
    pub stops: bool,
    /// Whether the setting `send-stop` would help.
    pub(super) can_be_stopped: bool,
}

impl fmt::Display for Disobedience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            engine,
            asked,
            waited,
            ..
        } = self;
        write!(
            f,
            "engine '{engine}' does not obey `{asked}`: no bestmove in {:.1} s",
            waited.as_secs_f64()
        )?;
        match (self.depth, self.nodes) {
            (Some(depth), Some(nodes)) => write!(f, ", at depth {depth} and {nodes} nodes")?,
            (Some(depth), None) => write!(f, ", at depth {depth}")?,
            (None, Some(nodes)) => write!(f, ", at {nodes} nodes")?,
            (None, None) => f.write_str(", and no info with depth or nodes")?,
        }
        f.write_str(if self.stops {
            "; it moves when `stop` is sent"
        } else {
            "; nor does it obey `stop`"
        })?;
        f.write_str(if self.can_be_stopped {
            ": give it send-stop=on, or choose a limit that it keeps (--st, --tc)"
        } else {
            ": choose a limit that it keeps (--st, --tc)"
        })
    }
}
