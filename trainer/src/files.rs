//! File access and errors. Output is written to a temporary neighbour and renamed when complete.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};

use chess::notation::pgn::ReadPgnError;
use engine::eval::network::ReadNetworkError;
use rayon::prelude::*;

use crate::line::ParseLineError;
use crate::packed::{PackError, UnpackError};

/// Each text holds that of its cause, which is therefore no `source`: the program prints those too.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TrainerError {
    #[error("{path}: {why}")]
    File { path: String, why: io::Error },
    #[error("{path}: {why}")]
    Games {
        path: String,
        /// The error, with its location in the file.
        why: ReadPgnError,
    },
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
    #[error("{path} is not a checkpoint of this training: the positions or options differ")]
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
    let draft = format!("{path}.new");
    let write = || {
        let mut file = BufWriter::new(File::create(&draft).map_err(at(&draft))?);
        let filled = fill(&mut file)?;
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
    use std::io::Read;
    use std::path::Path;

    #[test]
    fn a_file_is_there_in_full_or_not_at_all() {
        let name = format!("texel-files-{}", std::process::id());
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
}
