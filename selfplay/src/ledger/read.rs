//! Reading a run directory, whether it is being written or not.

use std::path::Path;

use super::error::LedgerError;
use super::files::Files;
use super::journal;
use super::stored::{BuiltRevision, Stored};
use crate::model::{GameRecord, RunConfig};

/// What is known of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The whole effective configuration.
    pub config: RunConfig,
    /// Length and sum of the opening book.
    pub book: Option<String>,
    /// The engines that were built of a revision, by name.
    pub revisions: std::collections::BTreeMap<String, BuiltRevision>,
    /// The games, in the order in which they ended.
    pub records: Vec<GameRecord>,
    /// How many bytes a torn last line has: one that was not written to its end, or is being
    /// written now. It is no record.
    pub torn: Option<u64>,
}

/// Reads a run directory. It need not be at rest: nothing is locked, nothing written.
///
/// # Errors
///
/// When it is no run directory, a file cannot be read, or a line of the ledger is no record. Whether
/// the records fit the schedule is not looked at: [`crate::schedule::Schedule::resume`] does that.
pub fn read(directory: &Path) -> Result<Run, LedgerError> {
    let files = Files::new(directory);
    let Stored {
        config,
        book,
        revisions,
        ..
    } = files.read_config()?;
    let mut records = Vec::new();
    let extent = journal::read(&files.ledger(), |_, record| {
        records.push(record);
        Ok(())
    })?;
    Ok(Run {
        config,
        book,
        revisions,
        records,
        torn: (extent.torn > 0).then_some(extent.torn),
    })
}

/// What an error of the JSON reader says, without the place, which is told in front.
pub(super) fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}
