//! Writing the run directory.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use kit::journal::{Journal, JournalPlace, JournalReader, SyncPolicy};
use kit::output;

use super::error::{LedgerError, RecordFault};
use super::exports::{self, Exports, GameText};
use super::files::{
    CONFIG, FAILURES, LEDGER, LOCK, Lock, PGN, RunFiles, failure_name, not_written, write_error,
};
use super::pgn;
use super::replay::{check_fault, replay, replay_checked};
use super::stored::Stored;
use crate::model::{EngineId, EngineIndex, GameRecord, Opening, PgnField, PgnForm, RunConfig};
use crate::play::schedule::{Schedule, ScheduleError};
use crate::stats::duplicates::{Identities, Identity};

/// A run directory opened for writing; no other process can write it meanwhile.
#[derive(Debug)]
pub struct Ledger {
    pub(super) files: RunFiles,
    config: RunConfig,
    journal: Journal<(), GameRecord>,
    pgn: File,
    exports: Exports,
    _lock: Lock,
}

/// A run directory to be resumed, of which only the configuration has been read. No other process
/// can write it meanwhile.
#[derive(Debug)]
pub struct Paused {
    files: RunFiles,
    stored: Stored,
    lock: Lock,
}

#[derive(Debug)]
pub struct Resumed {
    pub ledger: Ledger,
    pub stored: Stored,
    /// The recorded games, in the order in which they ended, without openings and moves.
    pub records: Vec<GameRecord>,
    /// What each engine has said of itself in its last game, if anything.
    pub ids: BTreeMap<EngineIndex, EngineId>,
    pub identities: Identities,
    /// Number of bytes of a torn last line that were cut off.
    pub torn: u64,
}

impl Paused {
    /// Opens a run directory in order to resume the run.
    pub fn open(directory: &Path) -> Result<Self, LedgerError> {
        let files = RunFiles::new(directory);
        // Before the lock, whose file a directory that is no run must not get.
        let stored = files.read_config()?;
        let lock = Lock::take(&files)?;
        Ok(Self {
            files,
            stored,
            lock,
        })
    }

    pub fn stored(&self) -> &Stored {
        &self.stored
    }

    /// Reads the games: a torn last line is cut off, every record is checked against the schedule,
    /// the openings and the rules of chess, and `games.pgn` is regenerated. `opening_of` returns
    /// the opening with a given number.
    ///
    /// # Errors
    ///
    /// If it is damaged or cannot be written. It is then unchanged, except that a torn last line is
    /// gone.
    pub fn resume(
        self,
        opening_of: impl Fn(u64) -> Result<Opening, String>,
    ) -> Result<Resumed, LedgerError> {
        let Self {
            files,
            stored,
            lock,
        } = self;
        let mut records = Vec::new();
        let mut identities = Identities::new();
        let mut ids = BTreeMap::new();
        let mut games = files.rewrite_pgn()?;
        let mut openings = ExpectedOpenings {
            opening_of,
            last: None,
        };
        let path = files.path(LEDGER);
        let journal = Journal::open(
            &path,
            &(),
            SyncPolicy::EverySecond,
            |mut record: GameRecord, place| {
                let bad = |fault: RecordFault| place.error(fault);
                check_fault(&record).map_err(bad)?;
                check_engines(&stored.config, &record).map_err(bad)?;
                if !openings.is_of(&record)? {
                    let number = record.plan.pairing.opening;
                    let fault = format!("it does not begin with opening {number} of the run");
                    return Err(place.error(fault).into());
                }
                let game = replay_checked(&record).map_err(bad)?;
                games.add(&pgn::write(&stored.config, &record, &game).map_err(bad)?)?;
                identities.insert(record.plan.game, Identity::from_record(&record));
                let players = [record.plan.white, record.plan.black];
                let known = players.into_iter().zip(std::mem::take(&mut record.ids));
                ids.extend(known.filter(|(_, id)| *id != EngineId::default()));
                light(&mut record);
                records.push(record);
                Ok::<_, LedgerError>(())
            },
        )?;
        check(&files, &stored.config, &records)?;
        games.finish()?;
        // Files of the user are written once the ledger is known to be whole.
        let mut exports = Exports::open(&stored.config.output)?;
        let mut again = JournalReader::<GameRecord>::new(&path);
        while exports.are_any()
            && let Some((record, place)) = again.next_line()?
        {
            let bad = |fault: RecordFault| place.error(fault);
            let game = replay(&record).map_err(bad)?;
            exports.pass(GameText {
                pgn: &pgn::write(&stored.config, &record, &game).map_err(bad)?,
                epd: &pgn::last_position(&record, &game),
            })?;
        }
        let torn = journal.torn();
        let ledger = Ledger {
            pgn: files.open_pgn()?,
            config: stored.config.clone(),
            journal,
            exports,
            files,
            _lock: lock,
        };
        Ok(Resumed {
            ledger,
            stored,
            records,
            ids,
            identities,
            torn,
        })
    }
}

impl Ledger {
    /// Checks that a run directory can be created, so that a run does not spend time on builds and
    /// books only to fail here.
    pub fn check(directory: &Path) -> Result<(), LedgerError> {
        RunFiles::new(directory).check_directory()
    }

    /// Creates a run directory. The path must be absent or an empty directory.
    ///
    /// # Errors
    ///
    /// If the path is already in use or cannot be written, or a path in the configuration is not
    /// valid Unicode.
    pub fn create(directory: &Path, stored: &Stored) -> Result<Self, LedgerError> {
        let files = RunFiles::new(directory);
        let path = files.path(CONFIG);
        let text = stored.to_json().map_err(|source| LedgerError::NotText {
            path: path.clone(),
            source,
        })?;
        files.create_directory()?;
        let lock = Lock::take(&files).inspect_err(|error| {
            // A run that another process has just started is left alone.
            if !matches!(error, LedgerError::InUse { .. }) {
                take_away(&files);
            }
        })?;
        let written = Self::write(files.clone(), lock, stored, &text);
        if written.is_err() {
            take_away(&files);
        }
        written
    }

    /// Writes the files that exist before the first game.
    fn write(
        files: RunFiles,
        lock: Lock,
        stored: &Stored,
        text: &str,
    ) -> Result<Self, LedgerError> {
        let failures = files.path(FAILURES);
        std::fs::create_dir(&failures).map_err(write_error(&failures))?;
        let path = files.path(CONFIG);
        output::to_file(&path, text).map_err(|error| not_written(&path, &error))?;
        let exports = Exports::open(&stored.config.output)?;
        Ok(Self {
            pgn: files.open_pgn()?,
            // The last file, since it forces the names of all to the disk.
            journal: Journal::create(&files.path(LEDGER), &(), SyncPolicy::EverySecond)?,
            config: stored.config.clone(),
            exports,
            files,
            _lock: lock,
        })
    }

    pub fn directory(&self) -> &Path {
        &self.files.directory
    }

    /// Records a game. The transcript of a game that ended by a fault goes to a file of its own,
    /// which the record then names.
    ///
    /// # Errors
    ///
    /// If it cannot be written: the run must end. Earlier games stay recorded; this one may be.
    #[expect(
        clippy::disallowed_methods,
        reason = "the edge writes the run directory"
    )]
    pub fn record(
        &mut self,
        record: &mut GameRecord,
        transcript: Option<&str>,
    ) -> Result<(), LedgerError> {
        // Before the record, which must not name a file that does not exist.
        if let (Some(fault), Some(text)) = (&mut record.fault, transcript) {
            let name = failure_name(record.plan.game);
            let path = self.files.path(&name);
            std::fs::write(&path, text).map_err(write_error(&path))?;
            fault.transcript = Some(name);
        }
        keep_only(&self.config.output.pgn, record);
        self.journal.append(record)?;
        let path = self.files.path(PGN);
        let written = write_error(&path);
        let game = replay(record).map_err(|fault| written(std::io::Error::other(fault)))?;
        let text = pgn::write(&self.config, record, &game);
        let text = text.map_err(|fault| written(std::io::Error::other(fault)))?;
        self.pgn.write_all(text.as_bytes()).map_err(written)?;
        self.exports.add(GameText {
            pgn: &text,
            epd: &pgn::last_position(record, &game),
        })
    }

    /// Appends the incidents of a game to `incidents.txt`, for people; the record has them too.
    pub fn note_incidents(&mut self, record: &GameRecord) -> Result<(), LedgerError> {
        let GameRecord {
            plan, incidents, ..
        } = record;
        if incidents.is_empty() {
            return Ok(());
        }
        let lines = incidents.iter().map(|one| {
            let name = &self.config.engines[one.engine.0].name;
            let (kind, detail) = (one.kind.as_str(), &one.detail);
            format!("game {}: {name}: {kind}: {detail}\n", plan.game + 1)
        });
        let path = self.files.path("failures/incidents.txt");
        let text: String = lines.collect();
        output::append(&path, &text).map_err(|error| not_written(&path, &error))
    }

    /// Whether anything of a game is in the ledger, also if it could not be written in full.
    pub fn has_games(&self) -> bool {
        let written = self.files.path(LEDGER).metadata();
        written.map_or(true, |file| file.len() > 0)
    }

    /// Deletes a run directory without recorded games. Files that are not ours stay, and the
    /// directory with them.
    pub fn discard(self) {
        let (files, output) = (self.files.clone(), self.config.output.clone());
        // Closed first: Windows does not delete open files.
        drop(self);
        take_away(&files);
        exports::take_away(&output);
    }

    /// Syncs the ledger if a line was written a second ago or earlier.
    pub fn sync_if_due(&mut self) -> Result<(), LedgerError> {
        Ok(self.journal.sync_if_due()?)
    }

    pub fn finish(&mut self) -> Result<(), LedgerError> {
        // The PGN needs no sync during the run: a resumed run makes it anew from the ledger.
        self.journal.sync()?;
        let path = self.files.path(PGN);
        self.pgn.sync_data().map_err(write_error(&path))?;
        self.exports.sync()
    }
}

/// Deletes the files that exist before the first game.
fn take_away(files: &RunFiles) {
    let failures = files.path(FAILURES);
    for name in [CONFIG, LEDGER, PGN, LOCK] {
        // A leftover file does no harm.
        let _ = std::fs::remove_file(files.path(name));
    }
    let _ = std::fs::remove_dir(failures);
    let _ = std::fs::remove_dir(&files.directory);
}

/// Drops what is recorded only if the form of the PGN asks for it.
fn keep_only(form: &PgnForm, record: &mut GameRecord) {
    for one in &mut record.moves {
        let has = |field| form.has(field);
        one.nps = one.nps.filter(|_| has(PgnField::Nps));
        one.hashfull = one.hashfull.filter(|_| has(PgnField::Hashfull));
        one.tbhits = one.tbhits.filter(|_| has(PgnField::Tbhits));
        one.latency_us = one.latency_us.filter(|_| has(PgnField::Latency));
        one.pv = one.pv.take().filter(|_| has(PgnField::Pv));
    }
}

/// Drops what is not needed for counting, to hold many games in memory.
fn light(record: &mut GameRecord) {
    record.moves = Vec::new();
    record.opening = Opening::default();
    record.ids = <[EngineId; 2]>::default();
}

/// The openings that the records should have.
struct ExpectedOpenings<F> {
    opening_of: F,
    /// The last opening requested, with its number, since both games of a pair have the same.
    last: Option<(u64, Opening)>,
}

impl<F: Fn(u64) -> Result<Opening, String>> ExpectedOpenings<F> {
    /// Returns true if a game begins with its scheduled opening.
    fn is_of(&mut self, record: &GameRecord) -> Result<bool, LedgerError> {
        let number = record.plan.pairing.opening;
        let opening = match self.last.take() {
            Some((last, opening)) if last == number => opening,
            _ => (self.opening_of)(number).map_err(|reason| LedgerError::Opening { reason })?,
        };
        let found = &record.opening;
        // Labels may differ.
        let is_same = (&opening.fen, &opening.moves, opening.chess960)
            == (&found.fen, &found.moves, found.chess960);
        self.last = Some((number, opening));
        Ok(is_same)
    }
}

pub(super) fn check_engines(config: &RunConfig, record: &GameRecord) -> Result<(), RecordFault> {
    let last = config.engines.len().saturating_sub(1);
    let players = [record.plan.white, record.plan.black];
    match players.iter().find(|player| player.0 > last) {
        Some(&EngineIndex(engine)) => Err(RecordFault(format!(
            "engine {engine} plays, expected 0 to {last}"
        ))),
        None => Ok(()),
    }
}

/// Checks that the records are games of this run, each recorded once.
fn check(files: &RunFiles, config: &RunConfig, records: &[GameRecord]) -> Result<(), LedgerError> {
    let Err(error) = Schedule::resume(config, records) else {
        return Ok(());
    };
    let (game, nth) = match &error {
        // The second record of a game is the wrong one.
        ScheduleError::Repeated { game } => (*game, 2),
        ScheduleError::Beyond { game, .. } | ScheduleError::TooEarly { game } => (*game, 1),
        ScheduleError::Different { found, .. } => (found.game, 1),
        ScheduleError::Number { .. } => {
            let path = files.path(CONFIG);
            return Err(LedgerError::Schedule {
                path,
                source: error,
            });
        }
    };
    let lines = (1..).zip(records);
    let mut lines = lines.filter(|(_, record)| record.plan.game == game);
    let line = lines.nth(nth - 1).map_or(0, |(line, _)| line);
    let path = files.path(LEDGER);
    Err(JournalPlace { path, line }.error(error).into())
}
