//! Suites by file or by name, repaired where needed.

use std::path::PathBuf;

use super::input;
use crate::Suite;

/// Reads the suites of these names, as [`input::read_one`] does; lines are repaired where they are
/// unambiguous.
pub(super) fn read(names: &[PathBuf]) -> anyhow::Result<Vec<Suite>> {
    let read = |name: &PathBuf| {
        let input = input::read_one(name)?;
        Ok(Suite::parse_repaired(&input.name, &input.bytes))
    };
    names.iter().map(read).collect()
}
