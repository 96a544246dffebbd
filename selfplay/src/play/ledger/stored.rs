//! The content of `config.json`.

use std::collections::BTreeMap;
use std::path::Path;

use kit::journal::reason;
use serde::{Deserialize, Serialize};

use super::error::LedgerError;
use crate::model::{BuiltRevision, RunConfig};

/// Everything that determines a run, as stored with its results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stored {
    pub config: RunConfig,
    /// Length and checksum of the opening book, to verify on resume that it is unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<String>,
    /// Length and checksum of each engine's executable, by engine name.
    #[serde(default)]
    pub programs: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub revisions: BTreeMap<String, BuiltRevision>,
    /// The test of a lab whose games these are. Such a run can be read, not resumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fleet: Option<FleetJob>,
    /// The machine on which the run was started, unless others play it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<Host>,
    /// The version of the program that started the run.
    pub version: String,
}

/// Where the games of a run come from that other machines play. Earlier versions stored more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FleetJob {
    /// The URL of the lab, without a password.
    pub url: String,
    /// The name of the test.
    pub job: String,
}

/// What a report says about a machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// The name of the processor, if the system has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<String>,
    /// Number of logical CPUs that the program may use.
    pub cpus: usize,
    /// The operating system, with its version if known, and the architecture.
    pub system: String,
}

impl std::fmt::Display for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(processor) = &self.processor {
            write!(f, "{processor}, ")?;
        }
        let cpus = if self.cpus == 1 { "CPU" } else { "CPUs" };
        write!(f, "{} {cpus}, {}", self.cpus, self.system)
    }
}

/// Only the schema of a `config.json`, which identifies the kind of directory.
#[derive(Deserialize)]
struct DirectoryKind {
    schema: Option<String>,
    config: Option<Box<Self>>,
}

/// The schema of a `config.json`, at its top level or in the configuration of a run.
pub fn schema_of(text: &str) -> Option<String> {
    let kind: DirectoryKind = serde_json::from_str(text).ok()?;
    kind.schema.or_else(|| kind.config?.schema)
}

impl Stored {
    pub fn to_json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    pub fn from_json(text: &str, path: &Path) -> Result<Self, LedgerError> {
        let bad = |line, column, reason| LedgerError::Config {
            path: path.to_owned(),
            line,
            column,
            reason,
        };
        let stored: Self = serde_json::from_str(text).map_err(|error| {
            // A tuning has other fields: the error says what the directory is, not that the first
            // of them is unknown.
            if schema_of(text).is_some_and(|schema| schema.starts_with("touchstone/tune/")) {
                let path = path.parent().unwrap_or(path).to_owned();
                return LedgerError::Tuning { path };
            }
            let reason = format!("invalid configuration of a run: {}", reason(&error));
            bad(error.line(), error.column(), reason)
        })?;
        if stored.config.schema != RunConfig::SCHEMA {
            let found = &stored.config.schema;
            let reason = format!("the schema is '{found}', expected '{}'", RunConfig::SCHEMA);
            return Err(bad(1, 1, reason));
        }
        // Without a worker, the run would wait for ever.
        if stored.config.concurrency == 0 {
            let reason = "'concurrency' is 0, expected at least 1".to_owned();
            return Err(bad(1, 1, reason));
        }
        Ok(stored)
    }
}
