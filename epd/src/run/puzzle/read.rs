//! Selects puzzles from a file of any size. Memory holds only the selected ones.

use std::io::{self, BufRead};

use chacha20::ChaCha8Rng;
use csv::StringRecord;
use rand::{RngExt as _, SeedableRng as _};

use crate::files::filter::FilterRange;
use crate::run::goal::{GoalError, GoalReason};
use crate::run::plan::{GoalFault, Puzzle};

/// The columns that a file of puzzles must have.
const REQUIRED: [&str; 4] = ["PuzzleId", "FEN", "Moves", "Rating"];

/// Number of faults after which no more is read: a file of another kind has one in every line.
const MOST_FAULTS: usize = 1000;

/// A row of the file, its position and moves not checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PuzzleRow {
    /// The line, from 1.
    pub(crate) line: usize,
    pub(crate) id: String,
    pub(crate) fen: String,
    pub(crate) moves: String,
    pub(crate) puzzle: Puzzle,
}

/// Which puzzles of a file are run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    pub(crate) rating: Option<FilterRange>,
    /// Any of these themes; all puzzles if there is none.
    pub(crate) themes: Vec<String>,
    /// A random sample of so many.
    pub(crate) sample: Option<usize>,
    pub(crate) seed: u64,
}

impl Selection {
    fn contains(&self, rating: u32, themes: &str) -> bool {
        let is_wanted = |theme: &str| self.themes.iter().any(|wanted| wanted == theme);
        self.rating
            .is_none_or(|range| range.contains(i64::from(rating)))
            && (self.themes.is_empty() || themes.split_whitespace().any(is_wanted))
    }
}

/// The selected rows of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selected {
    /// In the order of the file.
    pub(crate) rows: Vec<PuzzleRow>,
    /// Rows that cannot be read.
    pub(crate) faults: Vec<GoalFault>,
}

/// The highest number that is taken for a rating or its deviation.
const HIGHEST: u32 = 10_000;

/// Whether this is the first line of a file of puzzles.
pub(crate) fn is_header(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line);
    let line = line.trim_start_matches('\u{feff}').trim();
    let columns: Vec<&str> = line.split(',').map(|name| name.trim_matches('"')).collect();
    REQUIRED.iter().all(|name| columns.contains(name))
}

/// Reads a file of puzzles and keeps the selected ones; a sample is drawn in one pass.
///
/// # Errors
///
/// When the input cannot be read. Rows that are malformed are [`Selected::faults`].
pub(crate) fn select(input: impl BufRead, selection: &Selection) -> io::Result<Selected> {
    let mut reader = csv::ReaderBuilder::new().from_reader(input);
    let columns = PuzzleColumns::find(reader.headers()?);
    let mut random = ChaCha8Rng::seed_from_u64(selection.seed);
    let (mut selected, mut seen) = (Selected::default(), 0_u64);
    let mut record = StringRecord::new();
    loop {
        let line = reader.position().line();
        let read = match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => columns.numbers(&record),
            Err(error) if error.is_io_error() => return Err(error.into()),
            Err(error) => Err(fault("CSV", describe(&error))),
        };
        let line = record
            .position()
            .map_or(line, csv::Position::line)
            .max(line);
        let line = usize::try_from(line).unwrap_or(usize::MAX);
        let numbers = match read {
            Err(error) => {
                selected.faults.push(GoalFault { line, error });
                if selected.faults.len() < MOST_FAULTS {
                    continue;
                }
                let what = format!("{MOST_FAULTS} faults: the rest of the file is not read");
                let error = fault("CSV", what);
                selected.faults.push(GoalFault { line, error });
                break;
            }
            Ok(numbers) if !selection.contains(numbers.0, columns.themes(&record)) => continue,
            Ok(numbers) => numbers,
        };
        seen += 1;
        let rows = &mut selected.rows;
        match selection.sample {
            // Each row so far is kept with the same probability (reservoir sampling).
            Some(sample) if rows.len() == sample => {
                let place = usize::try_from(random.random_range(0..seen));
                if let Some(kept) = place.ok().and_then(|place| rows.get_mut(place)) {
                    *kept = columns.row(&record, numbers, line);
                }
            }
            _ => rows.push(columns.row(&record, numbers, line)),
        }
    }
    selected.rows.sort_by_key(|row| row.line);
    Ok(selected)
}

/// A row that cannot be read, in words that are ours.
fn describe(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} fields, expected {expected_len} as in the header"),
        csv::ErrorKind::Utf8 { err, .. } => format!("field {}: not UTF-8", err.field() + 1),
        _ => error.to_string(),
    }
}

/// A fault of a column.
pub(super) fn fault(column: &'static str, what: String) -> GoalError {
    GoalError::new(column, GoalReason::Puzzle { what })
}

/// The places of the columns; optional ones may be missing.
struct PuzzleColumns {
    id: usize,
    fen: usize,
    moves: usize,
    rating: usize,
    deviation: Option<usize>,
    themes: Option<usize>,
}

impl PuzzleColumns {
    fn find(header: &StringRecord) -> Self {
        let place = |name: &str| {
            let mut names = header.iter();
            names.position(|one| one.trim_start_matches('\u{feff}') == name)
        };
        let required = |name| place(name).unwrap_or(usize::MAX);
        let [id, fen, moves, rating] = REQUIRED.map(required);
        Self {
            id,
            fen,
            moves,
            rating,
            deviation: place("RatingDeviation"),
            themes: place("Themes"),
        }
    }

    /// Rating and rating deviation.
    fn numbers(&self, record: &StringRecord) -> Result<(u32, u32), GoalError> {
        let number = |column, text: &str| {
            let read = text.parse::<u32>().ok().filter(|&rating| rating <= HIGHEST);
            read.ok_or_else(|| {
                let what = format!("'{text}' is not a rating, expected a number such as 1500");
                fault(column, what)
            })
        };
        let deviation = match self.deviation.map(|place| cell(record, place)) {
            None | Some("") => 0,
            Some(text) => number("RatingDeviation", text)?,
        };
        Ok((number("Rating", cell(record, self.rating))?, deviation))
    }

    fn themes<'a>(&self, record: &'a StringRecord) -> &'a str {
        self.themes.map_or("", |place| cell(record, place))
    }

    fn row(
        &self,
        record: &StringRecord,
        (rating, deviation): (u32, u32),
        line: usize,
    ) -> PuzzleRow {
        let text = |place| cell(record, place).to_owned();
        let themes = self.themes(record).split_whitespace();
        PuzzleRow {
            line,
            id: text(self.id),
            fen: text(self.fen),
            moves: text(self.moves),
            puzzle: Puzzle {
                rating,
                deviation,
                themes: themes.map(str::to_owned).collect(),
            },
        }
    }
}

fn cell(record: &StringRecord, place: usize) -> &str {
    record.get(place).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Themes\n";

    /// Puzzles of ratings 1000, 1001, ..., each second one a fork.
    fn file(count: usize) -> String {
        let rows = (0..count).map(|index| {
            let theme = if index % 2 == 0 { "fork short" } else { "pin" };
            let rating = 1000 + index;
            format!("p{index},fen {index},a1a2 b1b2,{rating},80,{theme}\n")
        });
        HEADER.to_owned() + &rows.collect::<String>()
    }

    fn ids(text: &str, selection: &Selection) -> String {
        let selected = select(text.as_bytes(), selection).expect("readable");
        assert!(selected.faults.is_empty());
        let ids = selected.rows.into_iter().map(|row| row.id);
        ids.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn rows_are_selected_by_rating_and_theme() {
        let text = file(8);
        let all = Selection::default();
        assert_eq!(ids(&text, &all), "p0 p1 p2 p3 p4 p5 p6 p7");
        let rating = Some("1002..1005".parse().expect("a range"));
        let rated = Selection { rating, ..all };
        assert_eq!(ids(&text, &rated), "p2 p3 p4 p5");
        let themes = vec!["fork".to_owned(), "mate".to_owned()];
        let forks = Selection { themes, ..rated };
        assert_eq!(ids(&text, &forks), "p2 p4");
    }

    #[test]
    fn samples_depend_on_the_seed_alone_and_are_fair() {
        let text = file(10);
        let sample = |seed| {
            let selection = Selection {
                sample: Some(3),
                seed,
                ..Selection::default()
            };
            ids(&text, &selection)
        };
        assert_eq!(sample(1), sample(1));
        assert_ne!(sample(1), sample(2));
        let mut counts = [0; 10];
        for seed in 0..1000 {
            for id in sample(seed).split(' ') {
                counts[id[1..].parse::<usize>().expect("a number")] += 1;
            }
        }
        // Each is in 300 of 1000 samples, give or take four standard deviations.
        let is_fair = |count| (242..358).contains(count);
        assert!(counts.iter().all(is_fair), "{counts:?}");
        let everything = Selection {
            sample: Some(99),
            ..Selection::default()
        };
        assert_eq!(ids(&text, &everything).split(' ').count(), 10);
    }

    #[test]
    fn columns_are_found_by_name() {
        let text = "\u{feff}Rating,Moves,FEN,PuzzleId\n1500,a1a2 b1b2,fen,x\n";
        assert!(is_header(text.lines().next().expect("a line").as_bytes()));
        let selected = select(text.as_bytes(), &Selection::default()).expect("readable");
        let row = &selected.rows[0];
        let read = (row.line, row.id.as_str(), row.fen.as_str());
        assert_eq!(read, (2, "x", "fen"));
        assert_eq!((row.puzzle.rating, row.puzzle.deviation), (1500, 0));
        for other in ["", "PuzzleId,FEN,Moves", "8/8/8/8/8/8/8/8 w - - bm Nf3;"] {
            assert!(!is_header(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn malformed_rows_are_named() {
        let text =
            format!("{HEADER}a,fen,a1a2,15x0,80,\nb,fen\nc,fen,a1a2,1500,-1,\nd,fen,a1a2,1500,,\n");
        let selected = select(text.as_bytes(), &Selection::default()).expect("readable");
        let faults = selected.faults.iter();
        let faults = faults.map(|one| format!("{}: {}", one.line, one.error));
        let faults: Vec<String> = faults.collect();
        let expected = [
            "2: Rating: '15x0' is not a rating, expected a number such as 1500",
            "3: CSV: 2 fields, expected 6 as in the header",
            "4: RatingDeviation: '-1' is not a rating, expected a number such as 1500",
        ];
        assert_eq!(faults, expected);
        assert_eq!(selected.rows.len(), 1);
    }

    #[test]
    fn a_file_of_another_kind_is_not_read_to_its_end() {
        let text = HEADER.to_owned() + &"a,fen,a1a2,x,80,\n".repeat(2 * MOST_FAULTS);
        let selected = select(text.as_bytes(), &Selection::default()).expect("readable");
        assert_eq!(selected.faults.len(), MOST_FAULTS + 1);
        let last = selected.faults.last().expect("there are many");
        let expected = "CSV: 1000 faults: the rest of the file is not read";
        assert_eq!((last.line, &*last.error.to_string()), (1001, expected));
    }
}
