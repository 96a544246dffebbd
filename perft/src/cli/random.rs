//! `perft check --random`: positions that are made on the way, without end.

use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use kit::BadInput;
use kit::values::time;

use crate::engine_check::random::{RandomLimits, StreamStart};

/// A stream of random positions, and where it ends.
#[derive(Debug, clap::Args)]
pub(super) struct RandomArgs {
    /// Check N random positions, or without end
    ///
    /// Check the engine on N random positions, or on more and more of them until --for is over, it
    /// has shown five kinds of fault, 200 positions fail or 5 hang, or Ctrl-C is pressed. They take turns:
    /// games, examples of faults, constructions around a rule, Chess960. Each is counted by two
    /// generators first, as deep as the engine answers in some 10 ms; --depth and --max-nodes set
    /// other limits.
    #[arg(help_heading = "Engines", long, value_name = "N", num_args = 0..=1, requires = "tested",
          conflicts_with_all = ["files", "fen", "tag", "watch"])]
    #[expect(clippy::option_option, reason = "an option with an optional value")]
    random: Option<Option<NonZeroU32>>,

    /// Time limit for all random positions, such as 10m
    ///
    /// The last position may take longer.
    #[arg(help_heading = "Engines", hide_short_help = true, long, value_name = "TIME", value_parser = time)]
    r#for: Option<Duration>,

    /// Random seed [default: 1]
    ///
    /// The same seed gives the same positions on every machine; with `:K`, the first K of them are skipped.
    /// How deep they are counted depends on the engine's speed, unless --max-nodes is given.
    #[arg(
        help_heading = "Engines",
        hide_short_help = true,
        long,
        value_name = "N[:K]"
    )]
    seed: Option<StreamStart>,
}

/// `5`, or `5:1000` after the first 1000 positions.
impl FromStr for StreamStart {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (seed, skipped) = text.split_once(':').unwrap_or((text, "0"));
        match (seed.parse(), skipped.parse()) {
            (Ok(seed), Ok(skipped)) => Ok(Self { seed, skipped }),
            _ => Err("expected a number, such as 5, or 5:1000 to skip 1000 positions".to_owned()),
        }
    }
}

impl RandomArgs {
    /// When a run ends; its questions have at most this depth, and so many leaf nodes.
    pub(super) fn limits(&self, depth: Option<u32>, nodes: Option<u64>) -> RandomLimits {
        RandomLimits {
            positions: self.random.flatten().map(NonZeroU32::get),
            time: self.r#for,
            depth,
            nodes,
        }
    }

    pub(super) fn start(&self) -> StreamStart {
        self.seed.unwrap_or(StreamStart {
            seed: 1,
            skipped: 0,
        })
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.random.is_some()
    }

    /// Clap's `requires` is not enough: it asks for nothing that conflicts with what is given.
    pub(super) fn check(&self) -> Result<(), BadInput> {
        if !self.is_wanted() && (self.r#for.is_some() || self.seed.is_some()) {
            return Err(BadInput("--for and --seed need --random".to_owned()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds() {
        let start = |seed, skipped| Ok(StreamStart { seed, skipped });
        assert_eq!("5".parse(), start(5, 0));
        assert_eq!(
            "18446744073709551615:4294967295".parse(),
            start(u64::MAX, u32::MAX)
        );
        for text in ["", ":", "5:", ":5", "-1", "5:4294967296", "5:1:1", "a"] {
            let error = text.parse::<StreamStart>().expect_err(text);
            assert!(error.starts_with("expected a number, such as 5"), "{text}");
        }
    }
}
