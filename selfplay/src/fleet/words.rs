//! What coordinator and workers say to each other through the broker: `selfplay-pairs/1`. Pure.
//!
//! A job is a match; a unit is a pair of games, its key the number of the pair. The opening travels in the
//! unit: no worker needs the book. A result is both games, each as the ledger keeps it.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::ledger::{BuiltRevision, FleetJob, Stored};
use crate::model::{GameRecord, Opening, Pairing, RunConfig};

/// The kind of the jobs.
pub const KIND: &str = "selfplay-pairs/1";

/// What every worker must know of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobBody {
    /// The run; paths are those of the coordinator's machine.
    pub config: RunConfig,
    /// Which programs play, by name of engine.
    pub programs: BTreeMap<String, ProgramId>,
    /// The speed of the machine that times are meant for, in nodes of perft a second; `None` where nothing
    /// depends on time.
    pub speed: Option<NonZeroU64>,
}

/// By what a program is known everywhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProgramId {
    /// The SHA-256 of its file, in hexadecimal digits.
    Sha256(String),
    /// A revision of its source, that each worker builds.
    Revision(BuiltRevision),
}

/// What every worker must know of a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitBody {
    /// Who meets whom.
    pub pairing: Pairing,
    /// Where both games begin.
    pub opening: Opening,
}

/// A game, with what was said if it ended by a fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedGame {
    /// What is kept of it.
    pub record: GameRecord,
    /// The talk with both engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript: Option<String>,
}

/// Both games of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairBody {
    /// In their order.
    pub games: [PlayedGame; 2],
}

/// Words that are not ours.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column} of {what} of {KIND}: {reason}")]
pub struct WordsError {
    /// What was read.
    pub what: &'static str,
    /// Where, from 1.
    pub column: usize,
    /// Why it cannot be understood.
    pub reason: String,
}

/// Something that is said.
pub trait Words: Serialize + DeserializeOwned {
    /// What it is.
    const WHAT: &'static str;

    /// Its text.
    ///
    /// # Panics
    ///
    /// If a path in it is no text; the run directory could not be written then, either.
    fn to_text(&self) -> String {
        serde_json::to_string(self).expect("the run directory has the same paths")
    }

    /// Reads its text.
    ///
    /// # Errors
    ///
    /// When it is none.
    fn from_text(text: &str) -> Result<Self, WordsError> {
        serde_json::from_str(text).map_err(|error| WordsError {
            what: Self::WHAT,
            column: error.column(),
            reason: error.to_string(),
        })
    }
}

impl Words for JobBody {
    const WHAT: &'static str = "the body of a job";
}

impl Words for UnitBody {
    const WHAT: &'static str = "a unit";
}

impl Words for PairBody {
    const WHAT: &'static str = "a result";
}

impl JobBody {
    /// Of a run: the same each time it goes on.
    pub fn new(stored: &Stored, fleet: &FleetJob) -> Self {
        let sums = fleet.sums.iter();
        let sums = sums.map(|(name, sum)| (name.clone(), ProgramId::Sha256(sum.clone())));
        let revisions = stored.revisions.iter();
        let revisions =
            revisions.map(|(name, built)| (name.clone(), ProgramId::Revision(built.clone())));
        Self {
            config: stored.config.clone(),
            programs: sums.chain(revisions).collect(),
            speed: fleet.speed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::samples::{config, record};

    #[test]
    fn what_is_said_is_understood() {
        let games = [0, 1].map(|game| PlayedGame {
            record: record(game, 4),
            transcript: (game == 1).then(|| "talk".to_owned()),
        });
        let pair = PairBody { games };
        assert_eq!(PairBody::from_text(&pair.to_text()), Ok(pair));
        let sum = ProgramId::Sha256("0a".to_owned());
        let body = JobBody {
            config: config(),
            programs: BTreeMap::from([("a".to_owned(), sum)]),
            speed: NonZeroU64::new(7),
        };
        assert!(
            body.to_text()
                .contains(r#""programs":{"a":{"sha256":"0a"}},"speed":7"#)
        );
        assert_eq!(JobBody::from_text(&body.to_text()), Ok(body));
    }

    #[test]
    fn what_is_not_understood_is_told_with_its_place() {
        let error = UnitBody::from_text(r#"{"pairing": 7}"#).expect_err("no pairing");
        let text = error.to_string();
        assert!(
            text.starts_with("column 13 of a unit of selfplay-pairs/1: invalid type"),
            "{text}"
        );
    }
}
