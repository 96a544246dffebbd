//! Results kept for later, and what has changed since.
//!
//! A [`Baseline`] is what `--save` writes and `--baseline` reads: JSON with the schema
//! `touchstone/epd-baseline/1`. [`compare`] sets an engine's results against kept ones; whether the
//! difference is more than chance is for [`statistics`] to say.

mod compare;
mod make;
pub mod statistics;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use compare::{Change, Comparison, compare};
pub use make::baseline;

/// The schema of the files.
pub const SCHEMA: &str = "touchstone/epd-baseline/1";

/// Results of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// [`SCHEMA`].
    pub schema: String,
    /// The limits of the command line, in words.
    pub limits: String,
    /// How often each position was searched.
    pub repeat: usize,
    /// Each engine, in the order of the command line.
    pub engines: Vec<EngineResults>,
}

/// Results of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineResults {
    /// The command by which it was started.
    pub command: String,
    /// What it called itself.
    pub name: Option<String>,
    /// Its positions.
    pub positions: Vec<PositionResult>,
}

/// The result of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionResult {
    /// The suite it was in; for people only.
    pub suite: String,
    /// Its name in the suite; for people only.
    pub name: String,
    /// The four fields of the position. With `asked` they say which question it was.
    pub position: String,
    /// What was asked, in words that are the same for the same question.
    pub asked: String,
    /// Whether it was solved in more than half of its searches.
    pub solved: bool,
    /// In how many searches it was solved.
    pub solved_searches: usize,
    /// How many searches there were.
    pub searches: usize,
    /// The best move, in SAN; none where the engine failed.
    pub best_move: Option<String>,
    /// Points of all searches.
    pub points: Option<u64>,
    /// Depth of the stable solution, in the middle of those found.
    pub depth: Option<u32>,
    /// Nodes to it.
    pub nodes: Option<u64>,
    /// Milliseconds to it.
    pub ms: Option<u64>,
    /// How the engine failed, in words.
    pub fault: Option<String>,
}

/// Why a file is no baseline.
#[derive(Debug, thiserror::Error)]
pub enum ParseBaselineError {
    /// Not JSON, or not of this form.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// Another schema.
    #[error("its schema is '{found}', expected '{SCHEMA}'")]
    Schema {
        /// What it says.
        found: String,
    },
}

impl Baseline {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// When the text is not JSON, is of another schema, or lacks something.
    pub fn parse(text: &str) -> Result<Self, ParseBaselineError> {
        #[derive(Deserialize)]
        struct Head {
            schema: String,
        }
        let Head { schema: found } = serde_json::from_str(text)?;
        if found != SCHEMA {
            return Err(ParseBaselineError::Schema { found });
        }
        Ok(serde_json::from_str(text)?)
    }

    /// The text of a file.
    ///
    /// # Errors
    ///
    /// When the library cannot write it.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// The results that those of the engine of this index are set against: where there is only one
    /// engine it stands for all, else the one at the same place.
    pub fn for_engine(&self, index: usize) -> Option<&EngineResults> {
        match self.engines.as_slice() {
            [only] => Some(only),
            several => several.get(index),
        }
    }
}
