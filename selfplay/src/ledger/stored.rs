//! What `config.json` says.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::LedgerError;
use crate::model::RunConfig;

/// The schema of the configuration.
pub const SCHEMA: &str = "touchstone/run/1";

/// All that decides a run, as it is stored with the results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stored {
    /// The configuration.
    pub config: RunConfig,
    /// Length and sum of the opening book, by which it is known to be the same on resume.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<String>,
    /// Length and sum of the program of each engine, by the engine's name.
    #[serde(default)]
    pub programs: BTreeMap<String, String>,
    /// The engines that were built of a revision, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub revisions: BTreeMap<String, BuiltRevision>,
    /// Where other machines find its games, if they play it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fleet: Option<FleetJob>,
    /// The version of the program that began the run.
    pub version: String,
}

/// A run that is a job of a fleet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FleetJob {
    /// The broker, without a password.
    pub url: String,
    /// What the job is called there.
    pub job: String,
    /// How many pairs a worker takes at a time.
    pub lease_pairs: NonZeroU64,
    /// The speed of the machine that times are meant for, in nodes of perft a second; `None` where nothing
    /// depends on time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<NonZeroU64>,
    /// The SHA-256 of the programs that are no revisions, by name of engine.
    #[serde(default)]
    pub sums: BTreeMap<String, String>,
}

/// An engine that was built of a revision of its source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuiltRevision {
    /// What was asked for: a branch, a tag, `HEAD`.
    pub reference: String,
    /// The full hash it stood for.
    pub commit: String,
    /// The repository.
    pub repository: PathBuf,
    /// How it was built.
    pub build: String,
    /// What was built, from the root of the repository.
    pub artifact: PathBuf,
    /// Whether the repository had changes that were not committed, and so are not in it.
    pub dirty: bool,
}

/// Which kind of directory a `config.json` is of, whatever else it says.
#[derive(Deserialize)]
struct Kind {
    schema: Option<String>,
    config: Option<Box<Self>>,
}

/// The schema that a `config.json` names, at its top or in the configuration of a run.
pub fn schema_of(text: &str) -> Option<String> {
    let kind: Kind = serde_json::from_str(text).ok()?;
    kind.schema.or_else(|| kind.config?.schema)
}

impl Stored {
    /// The text of `config.json`.
    ///
    /// # Errors
    ///
    /// When a path in it is no text.
    pub fn to_json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Reads the text of the file at `path`.
    ///
    /// # Errors
    ///
    /// When it is not as it should be, or of another version.
    pub fn from_json(text: &str, path: &Path) -> Result<Self, LedgerError> {
        let bad = |line, column, reason| LedgerError::Config {
            path: path.to_owned(),
            line,
            column,
            reason,
        };
        let stored: Self = serde_json::from_str(text).map_err(|error| {
            if schema_of(text).is_some_and(|schema| schema.starts_with("touchstone/tune/")) {
                let path = path.parent().unwrap_or(path).to_owned();
                return LedgerError::Tuning { path };
            }
            let (line, column) = (error.line(), error.column());
            let reason = super::error::reason(&error);
            bad(
                line,
                column,
                format!("this is no configuration of a run: {reason}"),
            )
        })?;
        if stored.config.schema != SCHEMA {
            let found = &stored.config.schema;
            let reason = format!("the schema is '{found}', expected '{SCHEMA}'");
            return Err(bad(1, 1, reason));
        }
        if stored.config.concurrency == 0 {
            let reason = "'concurrency' is 0, expected at least 1".to_owned();
            return Err(bad(1, 1, reason));
        }
        Ok(stored)
    }
}
