//! Connecting to a broker, and how long to retry.

use std::io::Write as _;
use std::time::Duration;

use fleet::{Broker, BrokerError};
use kit::{BadInput, Interrupt};

use crate::shared::{AskError, Patience};

/// Retry options for an unreachable broker.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct PatienceArgs {
    /// Seconds to keep retrying when the broker becomes unreachable, for example while it restarts
    #[arg(long, value_name = "SECONDS", default_value_t = 600,
          value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    patience: u32,
}

impl PatienceArgs {
    pub(super) fn patience(self, interrupt: &Interrupt) -> Patience<'_> {
        Patience {
            most: Duration::from_secs(self.patience.into()),
            interrupt,
            say: &say,
        }
    }
}

/// Prints a line on standard error.
pub(super) fn say(text: &str) {
    // Standard error may be closed; the exit code reports what matters all the same.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Connects to the broker at a URL.
#[cfg(feature = "fleet")]
pub(super) fn connect(url: &str) -> anyhow::Result<Box<dyn Broker>> {
    fleet::connect(url).map_err(|error| explain(error.into()))
}

/// Fails, and names the build that has brokers.
#[cfg(not(feature = "fleet"))]
pub(super) fn connect(_: &str) -> anyhow::Result<Box<dyn Broker>> {
    let message = "this perft was built without it: cargo install --path perft --features fleet";
    Err(BadInput(message.to_owned()).into())
}

/// Chooses the exit code: invalid requests and failures differ.
pub(super) fn explain(error: AskError) -> anyhow::Error {
    match error {
        AskError::Broker(error @ (BrokerError::BadUrl(_) | BrokerError::OtherJob { .. })) => {
            BadInput(error.to_string()).into()
        }
        error => error.into(),
    }
}
