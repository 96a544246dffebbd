//! The protocol `selfplay-pairs/1` between a lab and its workers, carried by the queue. Pure.
//!
//! A job is a match; a unit is a pair of games, with the pair's number as its key. The unit
//! contains the opening, so workers do not need the book. A result is both games, each as in the
//! ledger.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

pub use queue::program::{Recipe, Source};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::model::{GameRecord, Machine, Opening, PairOptions, Pairing, RunConfig};

pub const KIND: &str = "selfplay-pairs/1";
/// The kind of tunings: as [`KIND`], but units have options of their own.
pub const TUNE_KIND: &str = "selfplay-tune/1";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobBody {
    /// The configuration; the paths of programs are names.
    pub config: RunConfig,
    /// The programs, by engine name.
    pub programs: BTreeMap<String, ProgramId>,
    /// The speed of the reference machine in perft nodes per second; `None` if nothing depends on
    /// time.
    pub speed: Option<NonZeroU64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProgramId {
    /// The SHA-256 of the executable, in hexadecimal.
    Sha256(String),
    /// A commit of a repository that is registered and approved at a lab, which each worker fetches
    /// and builds.
    Repository(Source),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitBody {
    pub pairing: Pairing,
    pub opening: Opening,
    /// Of [`TUNE_KIND`]: options of the first and the second engine in place of the job's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<PairOptions>,
}

/// A game, with its transcript if it ended by a fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedGame {
    pub record: GameRecord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairBody {
    pub games: [PlayedGame; 2],
}

impl PairBody {
    /// The games, as played by a worker.
    pub fn into_records(self, worker: &str) -> [GameRecord; 2] {
        self.games.map(|game| {
            let mut record = game.record;
            set_worker(&mut record, worker);
            record
        })
    }
}

/// Sets the worker that played a game: the lab decides that, not the worker.
pub fn set_worker(record: &mut GameRecord, worker: &str) {
    let scale = record.machine.take().and_then(|machine| machine.time_scale);
    record.machine = Some(Machine {
        worker: worker.to_owned(),
        time_scale: scale,
    });
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column} of {what} of {KIND}: {reason}")]
pub struct MessageError {
    pub what: &'static str,
    /// The column, from 1.
    pub column: usize,
    pub reason: String,
}

pub trait Message: Serialize + DeserializeOwned {
    const WHAT: &'static str;

    /// Serialises the message.
    ///
    /// # Panics
    ///
    /// If it contains a path that is not valid Unicode; the run directory could not have been
    /// written either.
    fn to_text(&self) -> String {
        serde_json::to_string(self).expect("the run directory has the same paths")
    }

    fn from_text(text: &str) -> Result<Self, MessageError> {
        serde_json::from_str(text).map_err(|error| MessageError {
            what: Self::WHAT,
            column: error.column(),
            reason: error.to_string(),
        })
    }
}

impl Message for JobBody {
    const WHAT: &'static str = "the body of a job";
}

impl Message for UnitBody {
    const WHAT: &'static str = "a unit";
}

impl Message for PairBody {
    const WHAT: &'static str = "a result";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::ledger::samples::{config, record};

    #[test]
    fn messages_round_trip() {
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
    fn errors_name_their_place() {
        let error = UnitBody::from_text(r#"{"pairing": 7}"#).expect_err("no pairing");
        let text = error.to_string();
        let expected = "column 13 of a unit of selfplay-pairs/1: invalid type";
        assert!(text.starts_with(expected), "{text}");
    }
}
