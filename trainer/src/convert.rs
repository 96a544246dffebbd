//! `trainer pack` and `trainer unpack`: between the text and the binary format of positions.

use std::io::Write;

use crate::files::{self, TrainerError};
use crate::line::TrainingLine;
use crate::{Say, packed};

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ConvertOptions {
    /// Files to read
    #[arg(required = true, value_name = "POSITIONS")]
    files: Vec<String>,

    /// File to write; replaced when it is complete
    #[arg(short, long, alias = "out", value_name = "FILE")]
    pub(crate) output: String,
}

/// Writes the positions of texts in the binary format.
pub(crate) fn pack(options: &ConvertOptions, say: Say<'_>) -> Result<(), TrainerError> {
    let (mut games, mut positions) = (0, 0_u64);
    files::write(&options.output, |file| {
        for path in &options.files {
            // A new file begins a new game, even if its first number is that of the last game of
            // the file before.
            let mut last = None;
            let parse = |text: &str| -> Result<TrainingLine, _> { text.parse() };
            let mut number = 0;
            files::read_positions(path, files::open(path)?, parse, |line| {
                number += 1;
                let first = last.replace(line.game) != Some(line.game);
                let record = packed::pack(&line, first);
                let record = record.map_err(|why| TrainerError::Pack {
                    path: path.clone(),
                    number,
                    why,
                })?;
                games += u64::from(first);
                positions += 1;
                file.write_all(&record).map_err(files::at(&options.output))
            })?;
        }
        Ok(())
    })?;
    say(&format!("{positions} positions of {games} games"));
    Ok(())
}

/// Writes the positions of binary files as text.
pub(crate) fn unpack(options: &ConvertOptions, say: Say<'_>) -> Result<(), TrainerError> {
    let mut positions = 0_u64;
    let games = files::write(&options.output, |file| {
        files::read_games(&options.files, |line| {
            positions += 1;
            writeln!(file, "{line}").map_err(files::at(&options.output))
        })
    })?;
    say(&format!("{positions} positions of {games} games"));
    Ok(())
}
