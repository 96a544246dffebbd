//! Puzzles by rating and theme, and the puzzle rating, for people.

use super::SuiteRunReport;
use super::words::percent;
use crate::run::ledger::Trial;
use crate::run::puzzle::rating::PuzzleRating;
use crate::run::puzzle::tally::{PuzzleGroup, PuzzleTally};

/// Maximum number of themes listed; JSON has all.
// Lichess has about 60 themes, too many for a table that people read.
const THEMES: usize = 20;

/// A table for each engine that searched puzzles.
pub(super) fn write(report: &SuiteRunReport<'_>) -> String {
    let table = |trial: &Trial| {
        let tally = PuzzleTally::new(trial, &report.plan.cases)?;
        let rarer = match tally.themes.len().saturating_sub(THEMES) {
            0 => String::new(),
            more => format!("and {more} rarer themes\n"),
        };
        let (command, summary, table) = (&trial.command, summary(&tally), text(rows(&tally)));
        Some(format!("{command}: {summary}\n{table}{rarer}"))
    };
    report.trials.iter().filter_map(table).collect()
}

/// Rows of equal length, the first of which is the head.
fn text(mut rows: Vec<Vec<String>>) -> String {
    let head = rows.remove(0);
    kit::table::text(&head, 1.., rows)
}

fn summary(tally: &PuzzleTally) -> String {
    let count = tally.count;
    let rating = tally.rating.map_or_else(String::new, describe);
    format!(
        "{} of {} puzzles solved, {} of {} moves found{rating}",
        count.solved, count.puzzles, count.moves_found, count.moves
    )
}

/// `; puzzle rating 1834, 95% interval 1790 to 1879`.
fn describe(rating: PuzzleRating) -> String {
    let PuzzleRating {
        rating,
        lower,
        upper,
    } = rating;
    match (rating, lower, upper) {
        (Some(rating), Some(lower), Some(upper)) => {
            format!("; puzzle rating {rating:.0}, 95% interval {lower:.0} to {upper:.0}")
        }
        (_, Some(lower), _) => format!("; puzzle rating above {lower:.0} (95%): all were solved"),
        (_, _, Some(upper)) => format!("; puzzle rating below {upper:.0} (95%): none was solved"),
        _ => String::new(),
    }
}

fn rows(tally: &PuzzleTally) -> Vec<Vec<String>> {
    let head = [
        "puzzles by rating and theme",
        "puzzles",
        "solved",
        "part",
        "moves",
        "found",
    ];
    let row = |group: &PuzzleGroup| {
        let count = group.count;
        vec![
            group.name.clone(),
            count.puzzles.to_string(),
            count.solved.to_string(),
            percent(count.solved, count.puzzles),
            count.moves.to_string(),
            percent(count.moves_found, count.moves),
        ]
    };
    let groups = tally.ratings.iter().chain(tally.themes.iter().take(THEMES));
    let head = head.map(str::to_owned).to_vec();
    std::iter::once(head).chain(groups.map(row)).collect()
}
