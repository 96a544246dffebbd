//! The options of programs that submit jobs to a lab, and how they connect to it.

use std::time::Duration;

use kit::values::time_or_zero;
use kit::{BadInput, Interrupt};

use crate::{AskError, Broker, BrokerError, FollowError, RetryPolicy};

/// Retry options for an unreachable broker.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct RetryArgs {
    /// Time to keep retrying an unreachable broker
    ///
    /// Time to keep retrying when the broker becomes unreachable, for example while it restarts.
    #[arg(hide_short_help = true, long, value_name = "TIME", default_value = "10m", value_parser = time_or_zero)]
    patience: Duration,
}

impl RetryArgs {
    /// The policy that these options describe.
    pub fn policy<'a>(
        self,
        interrupt: &'a Interrupt,
        report: &'a (dyn Fn(&str) + Sync),
    ) -> RetryPolicy<'a> {
        RetryPolicy {
            most: self.patience,
            interrupt,
            report,
        }
    }
}

/// Connects to the lab at a URL, with the token in the environment variable `FLEET_TOKEN`. A
/// `program` that was built without the feature `http` names the build that has it.
///
/// # Errors
/// The URL or the token is invalid; the program was built without it.
pub fn connect(url: &str, program: &str) -> anyhow::Result<Box<dyn Broker>> {
    #[cfg(feature = "http")]
    {
        let _ = program;
        let client = crate::connect_with_environment(url).map_err(|error| explain(error.into()))?;
        Ok(Box::new(client))
    }
    #[cfg(not(feature = "http"))]
    {
        let _ = url;
        let message = format!(
            "this {program} was built without it: cargo install --path {program} --features fleet"
        );
        Err(BadInput(message).into())
    }
}

/// Chooses the exit code: invalid requests and failures differ.
pub fn explain(error: AskError) -> anyhow::Error {
    match error {
        AskError::Broker(
            error
            @ (BrokerError::BadUrl(_) | BrokerError::Denied(_) | BrokerError::OtherJob { .. }),
        ) => BadInput(error.to_string()).into(),
        error => error.into(),
    }
}

/// The same for a job that was waited for.
pub fn explain_follow(error: FollowError) -> anyhow::Error {
    match error {
        FollowError::Ask(error) => explain(error),
        error => error.into(),
    }
}
