//! Suites by file or by name, dirty as they may be.

use std::path::PathBuf;

use super::input;
use crate::Suite;

/// The suites of these names, as [`input::read_one`] reads them; lines are repaired where they can
/// mean one thing only.
pub(super) fn read(names: &[PathBuf]) -> anyhow::Result<Vec<Suite>> {
    let read = |name: &PathBuf| {
        let input = input::read_one(name)?;
        Ok(Suite::parse_repaired(&input.name, &input.bytes))
    };
    names.iter().map(read).collect()
}
