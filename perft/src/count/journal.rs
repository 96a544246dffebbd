//! The journal of a resumable count: a header, then one line per counted unit.
//!
//! At some ply, the tree has thousands of unique positions: the units. Each count is written as soon
//! as it is known; after a kill, the next run counts the missing units.

use std::path::Path;

use anyhow::bail;
use chess::notation::fen;
use kit::journal::{JournalPlace, SyncPolicy};
use serde::{Deserialize, Serialize};

use super::units::Units;

/// The schema name of journals.
pub const SCHEMA: &str = "touchstone/perft-resume/1";

/// The first line: the count, and its division into units.
#[derive(Clone, Debug, Serialize)]
pub struct CountHeader {
    /// [`SCHEMA`].
    pub schema: String,
    /// The root position as a FEN.
    pub fen: String,
    /// Depth of the whole count in plies.
    pub depth: u32,
    /// The ply at which the tree is cut into units.
    pub ply: u32,
    /// Number of units.
    pub units: usize,
}

/// A line after the first.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitCount {
    /// Number of the unit, from 0.
    pub unit: usize,
    /// Its leaf nodes.
    pub nodes: u64,
}

/// A journal that this run alone writes.
#[derive(Debug)]
pub struct CountJournal {
    /// The journal as a file.
    pub(crate) file: kit::Journal<CountHeader, UnitCount>,
    /// The count of each unit, if known.
    pub(crate) counts: Vec<Option<u64>>,
}

impl CountHeader {
    /// The header of a count's journal.
    pub(crate) fn new(units: &Units) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            fen: fen::write(&units.position),
            depth: units.depth,
            ply: units.ply,
            units: units.list.len(),
        }
    }
}

impl UnitCount {
    /// Enters the count into those of all units. The same count twice is one.
    ///
    /// # Errors
    ///
    /// When there is no such unit, or it has another count: then one of the two runs counted wrongly.
    pub fn enter(self, counts: &mut [Option<u64>], place: &JournalPlace) -> anyhow::Result<()> {
        let Self { unit, nodes } = self;
        let units = counts.len();
        let Some(count) = counts.get_mut(unit) else {
            let reason = format!("unit {unit} does not exist, expected one below {units}");
            return Err(place.error(reason).into());
        };
        match count.replace(nodes) {
            Some(earlier) if earlier != nodes => {
                bail!("{place}: {nodes} nodes below unit {unit}, but an earlier line has {earlier}")
            }
            _ => Ok(()),
        }
    }
}

impl CountJournal {
    /// Opens or creates the journal of a count.
    pub(crate) fn open(path: &Path, header: &CountHeader) -> anyhow::Result<Self> {
        let mut counts = vec![None; header.units];
        let enter = |line: UnitCount, place: &JournalPlace| line.enter(&mut counts, place);
        // A crash of the machine may cost the counts of a second; a kill of the program costs none.
        let file = kit::Journal::open(path, header, SyncPolicy::EverySecond, enter)?;
        Ok(Self { file, counts })
    }

    /// Appends the count of a unit. Once this returns, the count survives a kill of the program.
    pub(crate) fn append(&mut self, unit: usize, nodes: u64) -> anyhow::Result<()> {
        self.counts[unit] = Some(nodes);
        Ok(self.file.append(&UnitCount { unit, nodes })?)
    }
}
