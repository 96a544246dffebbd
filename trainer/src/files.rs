//! File access and errors. Output is written to a temporary neighbour and renamed when complete.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use engine::eval::network::ReadNetworkError;
use rayon::prelude::*;

use crate::line::{ParseLineError, TrainingLine};
use crate::packed::{self, BYTES, PackError, UnpackError};

/// Each text holds that of its cause, which is therefore no `source`: the program prints those too.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TrainerError {
    #[error("{path}: {why}")]
    File { path: String, why: io::Error },
    #[error("{path}, line {number}: {why}")]
    Line {
        path: String,
        /// The line number, from 1.
        number: usize,
        why: ParseLineError,
    },
    #[error("{path}, line {number}: {why}")]
    Pack {
        path: String,
        /// The line number, from 1.
        number: usize,
        why: PackError,
    },
    #[error("{path}, byte {offset}: {why}")]
    Record {
        path: String,
        offset: u64,
        why: UnpackError,
    },
    #[error("{path} is not a valid network: {why}")]
    Network { path: String, why: ReadNetworkError },
    #[error("{training} positions to train on and {hold_out} held out, expected some of both")]
    TooFew { training: usize, hold_out: usize },
    #[error("there are more positions than fit 32 bits")]
    TooMany,
    #[error(
        "{path} is not a checkpoint of this training, expected the same positions, options and version of trainer; remove it to begin another one"
    )]
    Checkpoint { path: String },
    #[error(
        "a training cannot start from {path}: expected a network of no more neurons and with one king bucket or the same"
    )]
    Start { path: String },
    #[error("{program} failed: {status}")]
    Program {
        program: String,
        status: std::process::ExitStatus,
    },
    #[error("there is no position to measure")]
    Nothing,
    #[error(transparent)]
    Hash(#[from] engine::search::HashError),
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Opens a file for reading.
#[expect(clippy::disallowed_methods, reason = "the user names the file")]
pub(crate) fn open(path: &str) -> Result<BufReader<File>, TrainerError> {
    File::open(path).map(BufReader::new).map_err(at(path))
}

/// The length of a file in bytes.
pub(crate) fn length(path: &str) -> Result<u64, TrainerError> {
    fs::metadata(path).map(|data| data.len()).map_err(at(path))
}

/// Removes a file.
pub(crate) fn remove(path: &str) -> Result<(), TrainerError> {
    fs::remove_file(path).map_err(at(path))
}

/// Number of lines read at once, to be parsed by all threads.
const BATCH: usize = 1 << 14;

/// Reads the positions of a text: parses its lines in parallel and passes the results on in order.
pub(crate) fn read_positions<T: Send>(
    path: &str,
    text: impl BufRead,
    parse: impl Fn(&str) -> Result<T, ParseLineError> + Sync,
    mut take: impl FnMut(T) -> Result<(), TrainerError>,
) -> Result<(), TrainerError> {
    let mut lines = text.lines();
    for first in (1..).step_by(BATCH) {
        let batch: Result<Vec<String>, _> = lines.by_ref().take(BATCH).collect();
        let batch = batch.map_err(at(path))?;
        if batch.is_empty() {
            break;
        }
        let parsed: Vec<_> = batch.par_iter().map(|text| parse(text)).collect();
        for (one, number) in parsed.into_iter().zip(first..) {
            take(one.map_err(|why| TrainerError::Line {
                path: path.to_owned(),
                number,
                why,
            })?)?;
        }
    }
    Ok(())
}

/// Number of records read at once.
const RECORDS: usize = 1 << 16;

/// Reads a file: parses its records in parallel and passes the results on in order. `parse` gets a
/// position with the number of its game, from 1.
pub(crate) fn read_records<T: Send>(
    path: &str,
    mut file: impl Read,
    parse: impl Fn(TrainingLine) -> T + Sync,
    mut take: impl FnMut(u64, T) -> Result<(), TrainerError>,
) -> Result<(), TrainerError> {
    let (mut game, mut number) = (0, 0);
    loop {
        let mut bytes = Vec::new();
        let mut batch = file.by_ref().take((RECORDS * BYTES) as u64);
        batch.read_to_end(&mut bytes).map_err(at(path))?;
        let (records, rest) = bytes.as_chunks::<BYTES>();
        let fault = |index: u64| {
            let (path, offset) = (path.to_owned(), index * BYTES as u64);
            move |why| TrainerError::Record { path, offset, why }
        };
        let parsed: Vec<Result<(T, bool), UnpackError>> = records
            .par_iter()
            .map(|record| packed::unpack(record).map(|(line, first)| (parse(line), first)))
            .collect();
        for one in parsed {
            let (one, first) = one.map_err(fault(number))?;
            game += u64::from(first);
            // Records before the first mark would belong to no game.
            if game == 0 {
                return Err(fault(0)(UnpackError::NoGame));
            }
            take(game, one)?;
            number += 1;
        }
        if !rest.is_empty() {
            return Err(fault(number)(UnpackError::Truncated));
        }
        // `read_to_end` stops before the limit only at the end of the file.
        if records.len() < RECORDS {
            return Ok(());
        }
    }
}

/// Reads the positions of several files as if they were one: games are numbered on from file to file. Returns the number of
/// games.
pub(crate) fn read_games(
    paths: &[String],
    mut take: impl FnMut(TrainingLine) -> Result<(), TrainerError>,
) -> Result<u64, TrainerError> {
    let mut games = 0;
    for path in paths {
        let before = games;
        let number = |game, line: TrainingLine| {
            games = before + game;
            take(TrainingLine {
                game: games,
                ..line
            })
        };
        read_records(path, open(path)?, |line| line, number)?;
    }
    Ok(games)
}

/// Checks that there are both training and held-out positions.
pub(crate) fn check_split<T>(training: &[T], hold_out: &[T]) -> Result<(), TrainerError> {
    let (training, hold_out) = (training.len(), hold_out.len());
    if training == 0 || hold_out == 0 {
        return Err(TrainerError::TooFew { training, hold_out });
    }
    Ok(())
}

/// Writes a file by a function, atomically: it is written completely or not at all.
#[expect(clippy::disallowed_methods, reason = "the user names the file")]
pub(crate) fn write<T>(
    path: &str,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<T, TrainerError>,
) -> Result<T, TrainerError> {
    // In the same folder, since a rename is atomic within one file system only.
    let draft = format!("{path}.new");
    let write = || {
        let mut file = BufWriter::new(File::create(&draft).map_err(at(&draft))?);
        let filled = fill(&mut file)?;
        // A `BufWriter` that is dropped loses its errors.
        file.flush().map_err(at(&draft))?;
        Ok(filled)
    };
    let written: Result<T, TrainerError> = write();
    if written.is_err() {
        // The error is already known; a leftover draft is overwritten by the next run.
        fs::remove_file(&draft).unwrap_or_default();
    }
    let filled = written?;
    fs::rename(&draft, path).map_err(at(path))?;
    Ok(filled)
}

/// Converts an I/O error of this file.
pub(crate) fn at(path: &str) -> impl FnOnce(io::Error) -> TrainerError {
    let path = path.to_owned();
    move |why| TrainerError::File { path, why }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_file_is_there_in_full_or_not_at_all() {
        let name = format!("trainer-files-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let path = path.to_str().unwrap();
        let failed: Result<(), _> = write(path, |file| {
            file.write_all(b"half").map_err(at(path))?;
            Err(TrainerError::TooFew {
                training: 1,
                hold_out: 0,
            })
        });
        assert!(failed.unwrap_err().to_string().starts_with("1 positions"));
        assert!(!Path::new(path).exists() && !Path::new(&format!("{path}.new")).exists());
        write(path, |file| file.write_all(b"whole").map_err(at(path))).unwrap();
        let mut text = String::new();
        open(path).unwrap().read_to_string(&mut text).unwrap();
        fs::remove_file(path).unwrap();
        assert_eq!(text, "whole");
        let missing = open(path).unwrap_err().to_string();
        assert!(missing.starts_with(path), "{missing}");
    }

    fn line(text: &str) -> TrainingLine {
        text.parse().unwrap()
    }

    #[test]
    fn records_are_read_as_they_were_written() {
        let lines = [
            "1;rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1;1-0;35",
            "1;rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1;*;-35",
            "2;8/5k2/8/8/8/1r6/5K2/8 b - - 77 130;1/2-1/2;-2500",
            "3;1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 3 20;0-1;0",
        ];
        let mut bytes = Vec::new();
        for (index, text) in lines.iter().enumerate() {
            bytes.extend(packed::pack(&line(text), index != 1).unwrap());
        }
        let mut found = Vec::new();
        read_records(
            "x",
            bytes.as_slice(),
            |line| line,
            |game, line| {
                found.push(TrainingLine { game, ..line }.to_string());
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(found, lines);
    }

    type Change = fn(&mut Vec<u8>);

    #[test]
    fn a_fault_is_named_with_its_place() {
        let fault = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = {
                let text = "1;r3k2r/8/8/8/3Pp3/8/8/R3K1R1 b Qkq d3 0 9;0-1;-513";
                [packed::pack(&line(text), true).unwrap(); 2].concat()
            };
            change(&mut bytes);
            let read = read_records("x", bytes.as_slice(), |_| (), |_, ()| Ok(()));
            read.unwrap_err().to_string()
        };
        #[rustfmt::skip]
        let rows: [(Change, &str); 8] = [
            (|b| b.truncate(63), "x, byte 32: the file ends within a record"),
            (|b| b[40] = 0x57, "x, byte 32: piece number 0 has the code 7, expected 0 to 6 and 8 to 14"),
            (|b| b[24] = 65, "x, byte 0: the en passant square is 65, expected 0 to 64"),
            (|b| b[30] = 3, "x, byte 0: the result is 3, expected 0 to 2"),
            (|b| b[63] = 4, "x, byte 32: the last byte is 4, expected 0 to 3"),
            (|b| b[31] = 0, "x, byte 0: no game begins at the first record"),
            (|b| b[..8].fill(0xff), "x, byte 0: 64 pieces, expected at most 32"),
            (|b| b[0] = 0x40, "x, byte 0: "),
        ];
        for (change, expected) in rows {
            let found = fault(&change);
            assert!(found.starts_with(expected), "{found}, expected {expected}");
        }
    }
}
