//! Files of puzzles for `epd run`.

use std::io::{BufRead, Cursor, Read as _};
use std::path::{Path, PathBuf};

use kit::BadInput;

use super::input::{InputFile, StreamedFile, cannot_read};
use crate::files::filter::FilterRange;
use crate::run::plan::{PositionLimits, RunPlan};
use crate::run::puzzle::case::add_puzzles;
use crate::run::puzzle::read::{Selection, is_header, select};
use crate::text::Suite;

/// Maximum length of the line that tells puzzles from records.
const HEADER: u64 = 4096;

/// Random seed of samples.
const SEED: u64 = 1;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Puzzles: CSV as Lichess publishes it")]
pub(super) struct PuzzleArgs {
    /// Only puzzles with a rating such as 1500..1999
    ///
    /// Only puzzles with a rating in this range. Example: `--puzzle-rating 1500..1999`
    #[arg(hide_short_help = true, long, value_name = "RANGE")]
    puzzle_rating: Option<FilterRange>,

    /// Only puzzles with one of these themes
    ///
    /// Separated by commas. Example: `--theme fork,pin`
    #[arg(
        hide_short_help = true,
        long,
        value_name = "THEME",
        value_delimiter = ','
    )]
    theme: Vec<String>,

    /// Only a random sample of N puzzles of each file
    ///
    /// Only a random sample of N of these puzzles of each file, the same on every machine. Example:
    /// `--sample 1000`
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
}

impl PuzzleArgs {
    fn selection(&self) -> Selection {
        Selection {
            rating: self.puzzle_rating,
            themes: self.theme.clone(),
            sample: self.sample.map(|count| count as usize),
            seed: SEED,
        }
    }

    /// Whether only some puzzles are selected.
    pub(super) fn is_selective(&self) -> bool {
        self.puzzle_rating.is_some() || !self.theme.is_empty()
    }

    /// What is printed of a sample.
    ///
    /// # Errors
    ///
    /// When puzzles are selected, and no file has any.
    pub(super) fn remark(&self, plan: &RunPlan) -> Result<Option<String>, BadInput> {
        let selects = self.is_selective() || self.sample.is_some();
        let has_puzzles = plan.cases.iter().any(|case| case.puzzle.is_some());
        let has_records = plan.cases.iter().any(|case| case.puzzle.is_none());
        if selects && has_records && !has_puzzles {
            let message = "--puzzle-rating, --theme and --sample are for CSV files of puzzles, and \
                           none was given";
            return Err(BadInput(message.to_owned()));
        }
        Ok(self
            .sample
            .map(|sample| format!("a random sample of {sample} puzzles")))
    }

    /// Reads the files of a run: suites of records, then puzzles.
    ///
    /// # Errors
    ///
    /// When a file cannot be read.
    pub(super) fn plan(
        &self,
        names: &[PathBuf],
        limits: PositionLimits,
    ) -> anyhow::Result<RunPlan> {
        let selection = self.selection();
        let (mut suites, mut puzzles) = (Vec::new(), Vec::new());
        for path in names {
            match open(path)? {
                PuzzleFile::Suite(InputFile { name, bytes }) => {
                    suites.push(Suite::parse_repaired(&name, &bytes));
                }
                PuzzleFile::Puzzles(name, reader) => {
                    let selected =
                        select(reader, &selection).map_err(|error| cannot_read(&name, &error))?;
                    puzzles.push((name, selected));
                }
            }
        }
        let mut plan = RunPlan::new(suites, limits);
        for (name, selected) in puzzles {
            add_puzzles(&mut plan, name, selected, limits);
        }
        Ok(plan)
    }
}

/// A file by its first line.
enum PuzzleFile {
    Suite(InputFile),
    /// Its name, and all of it.
    Puzzles(String, Box<dyn BufRead>),
}

fn open(path: &Path) -> anyhow::Result<PuzzleFile> {
    let StreamedFile { name, mut text, .. } = StreamedFile::open(path)?;
    let mut first = Vec::new();
    let line = text.by_ref().take(HEADER).read_until(b'\n', &mut first);
    line.map_err(|error| cannot_read(&name, &error))?;
    let is_header = is_header(&first);
    let whole = Cursor::new(first).chain(text);
    if is_header {
        return Ok(PuzzleFile::Puzzles(name, Box::new(whole)));
    }
    InputFile::read(name, whole).map(PuzzleFile::Suite)
}
