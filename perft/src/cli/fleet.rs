//! Connecting to a lab's server.

use std::time::Duration;

use kit::BadInput;
use kit::values::time_or_zero;
use queue::{AskError, Broker, BrokerError, RetryPolicy};

use super::{Session, print_line};

/// Retry options for an unreachable broker.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct RetryArgs {
    /// Time to keep retrying when the broker becomes unreachable, for example while it restarts
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = time_or_zero)]
    patience: Duration,
}

impl RetryArgs {
    pub(super) fn policy(self, session: &Session) -> RetryPolicy<'_> {
        RetryPolicy {
            most: self.patience,
            interrupt: &session.interrupt,
            report: if session.quiet { &|_| {} } else { &print_line },
        }
    }
}

/// Connects to the broker at a URL.
#[cfg(feature = "fleet")]
pub(super) fn connect(url: &str) -> anyhow::Result<Box<dyn Broker>> {
    let client = queue::connect_with_environment(url).map_err(|error| explain(error.into()))?;
    Ok(Box::new(client))
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
        AskError::Broker(
            error
            @ (BrokerError::BadUrl(_) | BrokerError::Denied(_) | BrokerError::OtherJob { .. }),
        ) => BadInput(error.to_string()).into(),
        error => error.into(),
    }
}
