//! Saved results, and comparison with them.
//!
//! A [`Baseline`] is what `--save` writes and `--baseline` reads: JSON with the schema
//! `touchstone/epd-baseline/1`. [`compare`] compares an engine's results with saved ones;
//! [`statistics`] tests whether the difference is significant.

mod compare;
mod make;
pub mod statistics;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use compare::{Change, Comparison, compare};
pub use make::baseline;

/// The schema name in every baseline file.
pub const SCHEMA: &str = "touchstone/epd-baseline/1";

/// Results of a run, as saved to a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// [`SCHEMA`].
    pub schema: String,
    /// The limits of the command line, as text.
    pub limits: String,
    /// Number of searches of each position.
    pub repeat: usize,
    /// Each engine, in the order of the command line.
    pub engines: Vec<EngineResults>,
}

/// Results of one engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineResults {
    /// The command line that started it.
    pub command: String,
    /// The name it reported in `id name`.
    pub name: Option<String>,
    /// Results of its positions, in the order of the run.
    pub positions: Vec<PositionResult>,
}

/// The result of one position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionResult {
    /// The suite it came from; informational only.
    pub suite: String,
    /// Its name in the suite; informational only.
    pub name: String,
    /// The four fields of the position. Together with `asked` they identify the question.
    pub position: String,
    /// The goal, in a canonical wording: the same goal always gives the same text.
    pub asked: String,
    /// Whether it was solved in more than half of its searches.
    pub solved: bool,
    /// Number of searches that solved it.
    pub solved_searches: usize,
    /// Number of searches.
    pub searches: usize,
    /// The best move, in SAN; `None` if the engine failed.
    pub best_move: Option<String>,
    /// Points summed over all searches.
    pub points: Option<u64>,
    /// Depth of the stable solution; the median search.
    pub depth: Option<u32>,
    /// Nodes to the solution.
    pub nodes: Option<u64>,
    /// Milliseconds to the solution.
    pub ms: Option<u64>,
    /// How the engine failed.
    pub fault: Option<String>,
}

/// Why a file is not a valid baseline.
#[derive(Debug, thiserror::Error)]
pub enum ParseBaselineError {
    /// Not JSON, or not of the expected structure.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// The file has another schema.
    #[error("its schema is '{found}', expected '{SCHEMA}'")]
    Schema {
        /// The schema in the file.
        found: String,
    },
}

impl Baseline {
    /// Parses the text of a baseline file.
    ///
    /// # Errors
    ///
    /// When the text is not JSON, has another schema, or lacks a field.
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

    /// Writes the baseline as JSON.
    ///
    /// # Errors
    ///
    /// When serialisation fails.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// The saved results to compare the engine at `index` with: the only engine if there is just
    /// one, else the one at the same index.
    pub fn for_engine(&self, index: usize) -> Option<&EngineResults> {
        match self.engines.as_slice() {
            [only] => Some(only),
            several => several.get(index),
        }
    }
}
