//! The list of quarantined workers, whose games do not count.

use kit::journal::{JournalReader, to_line};
use kit::output;

use super::error::LedgerError;
use super::files::{QUARANTINED, RunFiles, not_written};
use super::writer::Ledger;
use crate::model::Quarantine;

/// Reads the quarantined workers, in the order of their quarantine.
pub(super) fn read(files: &RunFiles) -> Result<Vec<Quarantine>, LedgerError> {
    let mut reader = JournalReader::new(&files.path(QUARANTINED));
    let mut all = Vec::new();
    while let Some((one, _)) = reader.next_line()? {
        all.push(one);
    }
    Ok(all)
}

impl Ledger {
    /// Writes the list of quarantined workers, unless there are none. Their games must not be
    /// recorded.
    pub fn list_quarantined(&self, all: &[Quarantine]) -> Result<(), LedgerError> {
        if all.is_empty() {
            return Ok(());
        }
        let path = self.files.path(QUARANTINED);
        let text: String = all.iter().map(to_line).collect();
        output::to_file(&path, text).map_err(|error| not_written(&path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::ledger::{Follower, samples::stored};

    #[test]
    fn quarantined_workers_are_listed() {
        let folder = tempfile::tempdir().expect("a folder");
        let directory = folder.path().join("run");
        let ledger = Ledger::create(&directory, &stored()).expect("new");
        let list = || {
            let (_, follower) = Follower::open(&directory).expect("a run");
            follower.quarantined()
        };
        ledger.list_quarantined(&[]).expect("nothing to write");
        assert_eq!(list().expect("there is none"), []);
        let all = ["bad", "worse"].map(|worker| Quarantine {
            worker: worker.to_owned(),
            reason: "it cheats".to_owned(),
            games: 2,
            kept: String::new(),
        });
        ledger.list_quarantined(&all).expect("written");
        assert_eq!(list().expect("a list"), all);
        output::to_file(&directory.join(QUARANTINED), "{}\n").expect("written");
        let error = list().expect_err("no entry").to_string();
        assert!(error.contains("set-aside.jsonl:1: column 2: "), "{error}");
    }
}
