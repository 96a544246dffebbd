//! Formats the checks of an engine as text.

mod human;
mod json;
mod junit;

use std::fmt;

use uci::{Direction, Entry, Transcript};

use crate::compliance::{Check, Checked, Level, Outcome, Tally};

pub use human::{human, list};
pub use json::{SCHEMA, json};
pub use junit::junit;

/// The results of all checks.
#[derive(Clone, Copy, Debug)]
pub struct ComplianceReport<'a> {
    /// The command line of the engine.
    pub engine: &'a str,
    /// The outcome of each check, in order.
    pub results: &'a [Checked],
}

/// The one-word outcome of a check.
fn word(checked: &Checked) -> &'static str {
    match (&checked.outcome, checked.check.level) {
        (Outcome::Passed, _) => "pass",
        (Outcome::Failed { .. }, Level::Required) => "FAIL",
        (Outcome::Failed { .. }, Level::Recommended) => "note",
        (Outcome::Skipped { .. }, _) => "skip",
    }
}

/// A one-sentence summary.
fn summary(tally: &Tally) -> String {
    let Tally {
        passed,
        failed,
        notes,
        skipped,
    } = tally;
    format!("{passed} passed, {failed} failed, {notes} notes, {skipped} skipped")
}

/// Maximum length of a line of a dialogue for people, in characters.
const WIDTH: usize = 200;
/// Number of consecutive engine lines shown before a gap (and below, after it).
const BEFORE_GAP: usize = 2;
const AFTER_GAP: usize = 3;

/// A dialogue without the middle of long engine output.
fn shortened(dialogue: &Transcript) -> Vec<String> {
    let entries: Vec<&Entry> = dialogue.entries().collect();
    let same_side = |one: &&Entry, other: &&Entry| {
        (one.direction == Direction::Sent) == (other.direction == Direction::Sent)
    };
    let mut lines = Vec::new();
    for speech in entries.chunk_by(same_side) {
        let gap = speech.len().saturating_sub(BEFORE_GAP + AFTER_GAP);
        // The marker of a gap takes a line itself.
        if gap < 2 || speech[0].direction == Direction::Sent {
            lines.extend(speech.iter().map(shortened_line));
            continue;
        }
        lines.extend(speech[..BEFORE_GAP].iter().map(shortened_line));
        lines.push(format!("        … {gap} lines"));
        lines.extend(speech[BEFORE_GAP + gap..].iter().map(shortened_line));
    }
    lines
}

fn shortened_line(entry: impl fmt::Display) -> String {
    let line = entry.to_string();
    match line.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// The requirement and its reason, as sentences.
fn explanation(check: &Check) -> String {
    format!("A sound engine {}. {}.", check.asks, capitalised(check.why))
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn speeches_are_shortened() {
        #[expect(clippy::disallowed_methods, reason = "any time will do")]
        let start = Instant::now();
        let mut dialogue = Transcript::new(start);
        dialogue.push(Direction::Sent, start, "uci");
        for number in 1..=7 {
            let at = start + Duration::from_millis(number);
            dialogue.push(Direction::Received, at, &number.to_string());
        }
        dialogue.push(
            Direction::Sent,
            start + Duration::from_millis(9),
            &"m".repeat(300),
        );
        let lines = shortened(&dialogue);
        assert_eq!(
            lines[..7],
            [
                "  0.000 > uci",
                "  0.001 < 1",
                "  0.002 < 2",
                "        … 2 lines",
                "  0.005 < 5",
                "  0.006 < 6",
                "  0.007 < 7",
            ]
        );
        assert_eq!(lines[7].chars().count(), WIDTH + 1);
        assert_eq!(lines.len(), 8);
    }
}
