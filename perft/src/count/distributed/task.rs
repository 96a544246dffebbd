//! Counts as work for a worker: kinds `perft-count/1` and `perft-breakdown/1`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use chess::perft::{CountTable, Counter, Kernel};
use queue::work::{CannotRun, Submit, Task};
use queue::{Lease, UnitResult};

use super::chunk::LeasedChunk;
use super::job::{CountKind, UnitCount};

/// Counts the units of a lease on one core; all cores share a table.
#[derive(Debug)]
pub struct CountTask {
    kernel: Kernel,
    table: Option<CountTable>,
}

/// Why the machine cannot count.
#[derive(Debug, thiserror::Error)]
pub enum CountTaskError {
    /// The CPU lacks instructions of the kernel.
    #[error("this CPU cannot run the {0} kernel")]
    Kernel(Kernel),
    /// The table does not fit.
    #[error("no memory for a table of {mebibytes} MiB: {source}")]
    Table {
        /// The size asked for.
        mebibytes: usize,
        /// Why not.
        source: std::io::Error,
    },
}

impl CountTask {
    /// Counts with this kernel, or the fastest, and a table of subtree counts of this size; none if
    /// it is 0.
    ///
    /// # Errors
    /// The CPU cannot run the kernel, or there is too little memory.
    pub fn new(kernel: Option<Kernel>, mebibytes: usize) -> Result<Self, CountTaskError> {
        let kernel = kernel.unwrap_or_else(Kernel::fastest);
        if !kernel.is_available() {
            return Err(CountTaskError::Kernel(kernel));
        }
        let table = (mebibytes > 0)
            .then(|| CountTable::new(mebibytes))
            .transpose();
        let table = table.map_err(|source| CountTaskError::Table { mebibytes, source })?;
        Ok(Self { kernel, table })
    }
}

impl Task for CountTask {
    fn kinds(&self) -> Vec<&'static str> {
        CountKind::NAMES.to_vec()
    }

    fn work(
        &self,
        _lane: usize,
        lease: &Lease,
        stop: &Arc<AtomicBool>,
        submit: Submit<'_>,
    ) -> Result<(), CannotRun> {
        let chunk = LeasedChunk::read(lease).map_err(|error| CannotRun(error.to_string()))?;
        let counter = Counter::new().kernel(self.kernel);
        let counter = match &self.table {
            Some(table) => counter.table(table),
            None => counter,
        };
        let Ok(counts) = chunk.count(counter, stop) else {
            return Ok(());
        };
        let result = |(key, count): &(u64, UnitCount)| UnitResult {
            key: *key,
            value: count.to_string(),
        };
        let results: Vec<_> = counts.iter().map(result).collect();
        submit(&results);
        Ok(())
    }
}
