//! Games that do not count: removed from the ledger and kept beside it.

use std::io;

use kit::{output, read};

use super::error::{LedgerError, reason};
use super::files::{Files, LEDGER, PGN, QUARANTINED, not_written, read_error, write_error};
use super::journal::{self, Reader};
use super::pgn;
use super::writer::{Ledger, light};
use crate::model::{GameRecord, Quarantine};
use crate::stats::duplicates::{Identities, Identity};

/// What is left of a run after games were removed.
#[derive(Debug)]
pub struct Remaining {
    /// The games that count, in ledger order, without openings and moves.
    pub records: Vec<GameRecord>,
    pub identities: Identities,
}

/// Reads the quarantined workers, in the order of their quarantine.
pub(super) fn read(files: &Files) -> Result<Vec<Quarantine>, LedgerError> {
    let path = files.path(QUARANTINED);
    let failed = read_error(&path);
    let Some(file) = journal::open_if_there(&path).map_err(&failed)? else {
        return Ok(Vec::new());
    };
    let bytes = read::all(file, read::DATA).map_err(&failed)?;
    let text = String::from_utf8(bytes).map_err(|error| failed(io::Error::other(error)))?;
    // A last line without its end is torn and ignored: the worker will be detected again.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines = (1..).zip(whole.lines());
    lines
        .map(|(line, text)| {
            serde_json::from_str(text).map_err(|error| LedgerError::Config {
                path: path.clone(),
                line,
                column: error.column(),
                reason: reason(&error),
            })
        })
        .collect()
}

impl Ledger {
    /// The quarantined workers, in the order of their quarantine.
    pub fn quarantined(&self) -> Result<Vec<Quarantine>, LedgerError> {
        read(&self.files)
    }

    /// Records that a worker is quarantined. Its games are still in the ledger then:
    /// [`Ledger::take_out`] must follow, now or when the run resumes.
    pub fn note_quarantined(
        &mut self,
        worker: &str,
        reason: &str,
        games: u64,
    ) -> Result<Quarantine, LedgerError> {
        let all = self.quarantined()?;
        let entry = Quarantine {
            worker: worker.to_owned(),
            reason: reason.to_owned(),
            games,
            kept: format!("set-aside/{}.jsonl", all.len() + 1),
        };
        // The list is rewritten as a whole, so that no line ever follows a torn one.
        let lines = all
            .iter()
            .chain([&entry])
            .map(|one| serde_json::to_string(one).expect("it is text and numbers") + "\n");
        let path = self.files.path(QUARANTINED);
        let text: String = lines.collect();
        output::to_file(&path, text).map_err(|error| not_written(&path, &error))?;
        Ok(entry)
    }

    /// Removes the games of a quarantined worker from ledger and PGN. They are moved to
    /// [`Quarantine::kept`], unless there are none.
    ///
    /// # Errors
    ///
    /// If the ledger cannot be read or written; it is then either unchanged or without these games.
    pub fn take_out(&mut self, entry: &Quarantine) -> Result<Remaining, LedgerError> {
        self.finish()?;
        let files = &self.files;
        let mut ledger = files.rewrite_ledger()?;
        let mut games = files.rewrite_pgn()?;
        let mut out = String::new();
        let mut left = Remaining {
            records: Vec::new(),
            identities: Identities::new(),
        };
        let mut reader = Reader::new(files.path(LEDGER));
        while let Some(mut record) = reader.next_record()? {
            let line = journal::line(&record);
            let machine = record.machine.as_ref();
            if machine.is_some_and(|machine| machine.worker == entry.worker) {
                out += &line;
                continue;
            }
            ledger.add(&line)?;
            let text = pgn::game(&self.config, &record).map_err(std::io::Error::other);
            games.add(&text.map_err(write_error(&files.path(PGN)))?)?;
            let game = record.plan.game;
            left.identities.insert(game, Identity::of(&record));
            light(&mut record);
            left.records.push(record);
        }
        // Closed first: Windows does not replace open files.
        drop(reader);
        // If there are no games to keep, they may have been removed before.
        if !out.is_empty() {
            let path = files.path(&entry.kept);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).map_err(write_error(folder))?;
            }
            output::to_file(&path, out).map_err(|error| not_written(&path, &error))?;
        }
        self.journal.replace(ledger)?;
        games.replace(&mut self.pgn)?;
        files.sync_directory()?;
        Ok(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Machine;
    use crate::play::{
        ledger::Follower,
        ledger::samples::{record, stored},
    };

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the files are looked at")]
    fn games_of_one_worker_are_taken_out_and_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let directory = folder.path().join("run");
        let mut ledger = Ledger::create(&directory, &stored()).expect("new");
        for (game, worker) in [(0, "good"), (1, "bad"), (2, "bad"), (3, "good")] {
            let mut played = record(game, 4);
            played.machine = Some(Machine {
                worker: worker.to_owned(),
                time_scale: None,
            });
            ledger.record(&mut played, None).expect("written");
        }
        // Wine 8 lacks the call by which Windows replaces files that others read.
        #[cfg(unix)]
        let (_, mut follower) = Follower::open(&directory).expect("a run");
        #[cfg(unix)]
        assert!(follower.next_record().expect("there").is_some());
        let entry = ledger
            .note_quarantined("bad", "it cheats", 2)
            .expect("written");
        let left = ledger.take_out(&entry).expect("written");
        let games: Vec<u64> = left.records.iter().map(|one| one.plan.game).collect();
        assert_eq!(games, [0, 3]);
        // Games 0 and 3 are duplicates.
        assert_eq!(left.identities[&0], left.identities[&3]);
        #[cfg(unix)]
        assert!(follower.is_replaced().expect("there"));
        // New games are appended to what is left; removing the games again changes nothing.
        ledger.record(&mut record(1, 4), None).expect("written");
        let left = ledger.take_out(&entry).expect("written");
        assert_eq!(left.records.len(), 3);
        ledger.finish().expect("written");
        let (_, mut follower) = Follower::open(&directory).expect("a run");
        let mut games = Vec::new();
        while let Some(record) = follower.next_record().expect("there") {
            games.push(record.plan.game);
        }
        assert_eq!(games, [0, 3, 1]);
        assert_eq!(follower.quarantined().expect("a list"), [entry]);
        let read = |name: &str| std::fs::read_to_string(directory.join(name)).expect("there");
        assert_eq!(read("set-aside/1.jsonl").lines().count(), 2);
        assert_eq!(read("games.pgn").matches("[Event ").count(), 3);
    }
}
