//! Reads the games of PGN files.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use chess::notation::pgn::{PgnReader, ReadPgnError};
use kit::Interrupt;

use crate::games::Record;

/// The contents of PGN files.
#[derive(Debug, Default)]
pub(super) struct Games {
    /// The finished games, in order.
    pub(super) records: Vec<Record>,
    /// Number of games without a result.
    pub(super) unfinished: u64,
    /// Number of games that cannot be read.
    bad: u64,
    /// Whether the user cancelled.
    pub(super) interrupted: bool,
}

impl Games {
    /// Reads files by name; `-` is standard input. Faults are reported on standard error; unless
    /// `skip_bad`, an unreadable game is an error.
    pub(super) fn read(
        files: &[PathBuf],
        skip_bad: bool,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Self> {
        let mut games = Self::default();
        for file in files {
            let name = file.display().to_string();
            games.add(open(file)?, &name, interrupt)?;
        }
        if games.bad > 0 && !skip_bad {
            let bad = games.bad;
            let message = format!("games that cannot be read: {bad}; --skip-bad leaves them out");
            return Err(super::bad(message));
        }
        Ok(games)
    }

    fn add(
        &mut self,
        input: Box<dyn BufRead>,
        name: &str,
        interrupt: &Interrupt,
    ) -> anyhow::Result<()> {
        for game in PgnReader::new(input) {
            if interrupt.has_come() {
                self.interrupted = true;
                break;
            }
            match game {
                Ok(game) => match Record::of(&game) {
                    Some(record) => self.records.push(record),
                    None => self.unfinished += 1,
                },
                Err(ReadPgnError::Game(error)) => {
                    self.bad += 1;
                    let (place, reason) = (error.place, error.reason);
                    let (line, column) = (place.line, place.column);
                    super::say(&format!("{name}:{line}:{column}: error: {reason}"));
                }
                Err(ReadPgnError::Io(error)) => {
                    return Err(super::bad(format!("cannot read {name}: {error}")));
                }
            }
        }
        Ok(())
    }
}

#[expect(clippy::disallowed_methods, reason = "the edge reads files")]
fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    match std::fs::File::open(path) {
        Ok(file) => Ok(Box::new(BufReader::new(file))),
        Err(error) => Err(super::bad(format!(
            "cannot read {}: {error}",
            path.display()
        ))),
    }
}
