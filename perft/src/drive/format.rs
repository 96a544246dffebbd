//! The form in which an engine prints its counts: learnt from answers to questions whose answers
//! are known, so that no list of words is needed.

use std::collections::BTreeMap;

use engine::rules::{CastlingMode, Position};

use super::line::{Line, Numbers};
use super::meaning::meaning;
use crate::subject::{Answer, Row};

/// How an engine's answers are to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    total: Option<TotalForm>,
    /// Which of the numbers behind a move is the count; `None` for an engine that prints no rows.
    row: Option<usize>,
}

/// What the total is labelled with. The rest of its line may change from answer to answer: times in
/// other units, rates that are infinite.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TotalForm {
    label: String,
    /// What the depth in the same line is labelled with, where there is one: some engines print a
    /// line for each depth.
    depth: Option<String>,
}

/// What an engine said to one question.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// The depth asked for.
    pub(crate) depth: u32,
    /// The right count.
    pub(crate) count: u64,
    /// What came.
    pub(crate) lines: Vec<Line>,
}

impl Sample {
    fn rows(&self) -> impl Iterator<Item = &[u64]> {
        self.lines.iter().filter_map(|line| match line {
            Line::Row(row) => Some(row.numbers.as_slice()),
            _ => None,
        })
    }

    fn numbers(&self) -> impl Iterator<Item = &Numbers> {
        self.lines.iter().filter_map(|line| match line {
            Line::Numbers(numbers) => Some(numbers),
            _ => None,
        })
    }

    /// The sum of the rows' numbers at an index; `None` when a row has no such number.
    fn sum(&self, index: usize) -> Option<u64> {
        self.rows()
            .try_fold(0_u64, |sum, row| sum.checked_add(*row.get(index)?))
    }
}

impl Format {
    /// Learns the form from samples; `None` when neither rows nor a total can be made out.
    ///
    /// An engine under test may count wrongly even here. One right count is enough, or rows for the
    /// most part of the moves; then, where no number is the right one, a line that agrees with the
    /// sum of the rows, or that has the usual words, is taken for the total.
    pub(crate) fn learn(samples: &[Sample]) -> Option<Self> {
        let row = row_index(samples);
        let total = total_form(samples, row);
        let mut format = Self { total, row };
        if format.is_misread(samples) {
            format.row = None;
        }
        let is_right = |sample: &Sample| {
            let total = sample
                .lines
                .iter()
                .rev()
                .find_map(|line| format.total_in(line, sample.depth));
            let sum = format.row.and_then(|row| sample.sum(row));
            total == Some(sample.count) || sum == Some(sample.count)
        };
        let has_moves = |sample: &Sample| sample.rows().count() >= MOST_OF_THE_MOVES;
        samples
            .iter()
            .any(|sample| is_right(sample) || has_moves(sample))
            .then_some(format)
    }

    /// Whether every total is right, but some rows are lacking: then it is we who do not read them.
    fn is_misread(&self, samples: &[Sample]) -> bool {
        let total = |sample: &Sample| {
            let mut lines = sample.lines.iter().rev();
            lines.find_map(|line| self.total_in(line, sample.depth))
        };
        let lacking = MOST_OF_THE_MOVES..MOVES;
        samples.iter().all(|sample| {
            total(sample) == Some(sample.count) && lacking.contains(&sample.rows().count())
        })
    }

    /// Whether it prints the counts below each move.
    pub(crate) fn has_rows(&self) -> bool {
        self.row.is_some()
    }

    /// Whether it prints a total.
    pub(crate) fn has_total(&self) -> bool {
        self.total.is_some()
    }

    /// The total, if this line holds it.
    pub(crate) fn total_in(&self, line: &Line, depth: u32) -> Option<u64> {
        let Line::Numbers(numbers) = line else {
            return None;
        };
        let total = self.total.as_ref()?;
        let is_for = |label: &String| numbers.labelled(label) == Some(u64::from(depth));
        numbers
            .labelled(&total.label)
            .filter(|_| total.depth.as_ref().is_none_or(is_for))
    }

    /// All that was said to a question about this position.
    pub(crate) fn read(
        &self,
        lines: &[Line],
        depth: u32,
        position: &Position,
        mode: CastlingMode,
    ) -> Answer {
        let row_of = |index: usize| {
            move |line: &Line| match line {
                Line::Row(row) => Some(Row {
                    text: row.text.clone(),
                    meaning: meaning(&row.text, position, mode),
                    nodes: *row.numbers.get(index).or(row.numbers.last())?,
                }),
                _ => None,
            }
        };
        let mut totals = lines.iter().rev();
        Answer {
            total: totals.find_map(|line| self.total_in(line, depth)),
            rows: self
                .row
                .map(|index| lines.iter().filter_map(row_of(index)).collect()),
        }
    }
}

/// Which of the numbers behind a move is the count: the one whose sum is right most often.
fn row_index(samples: &[Sample]) -> Option<usize> {
    let numbers = samples.iter().flat_map(Sample::rows).map(<[u64]>::len);
    let most = numbers.max()?;
    let hits = |index: usize| {
        let hit = |sample: &&Sample| sample.sum(index) == Some(sample.count);
        samples.iter().filter(hit).count()
    };
    // Of equals, the first.
    (0..most).rev().max_by_key(|&index| hits(index))
}

/// How many moves the start position has.
const MOVES: usize = 20;
/// So many of them are enough to know rows by.
const MOST_OF_THE_MOVES: usize = 12;

fn total_form(samples: &[Sample], row: Option<usize>) -> Option<TotalForm> {
    let mut labels: BTreeMap<&str, usize> = BTreeMap::new();
    for sample in samples {
        for (label, value) in last_values(sample) {
            *labels.entry(label).or_default() += usize::from(value == sample.count);
        }
    }
    let best = labels
        .iter()
        .max_by_key(|&(label, hits)| (*hits, likeness(label)));
    let label = match best {
        Some((label, hits)) if *hits > 0 => label,
        _ => labels
            .keys()
            .find(|label| looks_like_a_total(label, samples, row))?,
    };
    Some(TotalForm {
        label: (*label).to_owned(),
        depth: depth_label(samples, label),
    })
}

/// The number behind each label, where there are several lines with it that of the last.
fn last_values(sample: &Sample) -> BTreeMap<&str, u64> {
    // Of several in one line, the first: it is put in last.
    let places = sample.numbers().flat_map(|line| line.places.iter().rev());
    places
        .map(|(label, number)| (label.as_str(), *number))
        .collect()
}

/// How much a label is worded as those of totals are.
fn likeness(label: &str) -> usize {
    const WORDS: [&str; 5] = ["leaf", "perft", "total", "nodes", "nodes searched"];
    let rank = WORDS.iter().rposition(|word| label.contains(word));
    rank.map_or(usize::from(label == "#"), |rank| rank + 2)
}

fn looks_like_a_total(label: &str, samples: &[Sample], row: Option<usize>) -> bool {
    let value = |sample: &Sample| last_values(sample).get(label).copied();
    let is_sum = |sample: &Sample| {
        let sum = row.and_then(|row| sample.sum(row));
        sum.is_some() && value(sample) == sum
    };
    // An echo of the command.
    let is_depth = |sample: &Sample| value(sample) == Some(u64::from(sample.depth));
    samples.iter().all(is_sum) || (likeness(label) > 1 && !samples.iter().all(is_depth))
}

/// The label of another number in that line that is always the depth asked for.
fn depth_label(samples: &[Sample], total: &str) -> Option<String> {
    let last = |sample: &'_ Sample| -> Option<Numbers> {
        let lines = sample.numbers();
        lines
            .filter(|line| line.labelled(total).is_some())
            .last()
            .cloned()
    };
    let lines: Vec<(u32, Numbers)> = samples
        .iter()
        .filter_map(|sample| Some((sample.depth, last(sample)?)))
        .collect();
    // Of one question alone, any 1 would do.
    if lines.len() < 2 {
        return None;
    }
    let is_depth = |label: &&String| {
        let is_it = |(depth, line): &(u32, Numbers)| line.labelled(label) == Some((*depth).into());
        *label != total && lines.iter().all(is_it)
    };
    let labels = lines[0].1.places.iter().map(|(label, _)| label);
    labels.into_iter().find(is_depth).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(depth: u32, count: u64, text: &str) -> Sample {
        Sample {
            depth,
            count,
            lines: text.lines().map(Line::parse).collect(),
        }
    }

    /// What an engine would print for depths 1 to 3 of the start position.
    fn samples(print: impl Fn(u32, u64) -> String) -> Vec<Sample> {
        [(1, 20), (2, 400), (3, 8902)]
            .into_iter()
            .map(|(depth, count)| sample(depth, count, &print(depth, count)))
            .collect()
    }

    fn total_of(format: &Format, text: &str) -> Option<u64> {
        let lines: Vec<Line> = text.lines().map(Line::parse).collect();
        format
            .read(&lines, 4, &Position::startpos(), CastlingMode::Standard)
            .total
    }

    #[test]
    fn totals_in_any_words() {
        let learn = |print: fn(u32, u64) -> String| Format::learn(&samples(print)).expect("learnt");
        let bare = learn(|_, count| format!("{count}"));
        assert_eq!(total_of(&bare, "197281"), Some(197_281));
        let words = learn(|_, count| format!("Moves: 20\nZugfolgen {count}\nTime: 5 ms"));
        assert_eq!(
            total_of(&words, "Moves: 20\nZugfolgen 7\nTime: 9 ms"),
            Some(7)
        );
        let tail = learn(|_, count| format!("{count} nodes, 5ms"));
        assert_eq!(total_of(&tail, "1,234 nodes, 7ms"), Some(1234));
        assert!(!tail.has_rows());
    }

    #[test]
    fn the_rest_of_the_line_may_change() {
        let print = |depth: u32, count| {
            let time = ["144ns", "1.2\u{b5}s", "3ms"][depth as usize - 1];
            format!("time 1.2e-05 nodes {count} in {time}")
        };
        let format = Format::learn(&samples(print)).expect("learnt");
        assert_eq!(
            total_of(&format, "time 0.01 nodes 197281 in 1.5s"),
            Some(197_281)
        );
        let print = |_, count: u64| match count {
            8902 => "8902 (8.9K)".to_owned(),
            _ => count.to_string(),
        };
        let format = Format::learn(&samples(print)).expect("learnt");
        assert_eq!(total_of(&format, "197281 (197.3K)"), Some(197_281));
        assert_eq!(total_of(&format, "7"), Some(7));
    }

    #[test]
    fn rows_that_are_misread_are_left_alone() {
        let print = |_, count: u64| {
            let rows = format!("a2a3: {}\n", count / 20).repeat(19);
            format!("|a2a3| 1\n{rows}Nodes searched: {count}")
        };
        let format = Format::learn(&samples(print)).expect("learnt");
        assert!(format.has_total() && !format.has_rows());
    }

    #[test]
    fn a_line_for_each_depth() {
        let print = |depth: u32, _| {
            let counts = [20, 400, 8902];
            let lines =
                (1..=depth).map(|ply| format!("perft({ply}) = {}", counts[ply as usize - 1]));
            lines.collect::<Vec<_>>().join("\n")
        };
        let format = Format::learn(&samples(print)).expect("learnt");
        assert_eq!(total_of(&format, "perft(3) = 8902"), None);
        assert_eq!(total_of(&format, "perft(3) = 8902\nperft(4) = 7"), Some(7));
    }

    #[test]
    fn rows_with_two_numbers() {
        // The number of replies first, then the count.
        let print = |_, count: u64| format!("e2e4 20 {}\nd2d4 20 {}", count / 2, count - count / 2);
        let format = Format::learn(&samples(print)).expect("learnt");
        assert!(format.has_rows() && !format.has_total());
        let lines = [Line::parse("e2e4 20 600")];
        let answer = format.read(&lines, 3, &Position::startpos(), CastlingMode::Standard);
        assert_eq!(answer.count(), Some(600));
    }

    #[test]
    fn a_wrong_generator_is_understood_all_the_same() {
        let print = |_, count: u64| {
            let rows = format!("a2a3: {count}\n").repeat(19);
            format!("{rows}Nodes searched: {}", count + 1)
        };
        let format = Format::learn(&samples(print)).expect("learnt");
        assert!(format.has_rows());
        assert_eq!(total_of(&format, "Nodes searched: 77"), Some(77));
        let right_at_first = |depth, count: u64| (count + u64::from(depth > 1)).to_string();
        let format = Format::learn(&samples(right_at_first)).expect("learnt");
        assert_eq!(total_of(&format, "77"), Some(77));
    }

    #[test]
    fn nothing_to_learn() {
        assert_eq!(
            Format::learn(&samples(|_, _| "Unknown command".to_owned())),
            None
        );
        let print = |depth: u32, _| format!("Unknown command: 'perft {depth}'");
        let format = Format::learn(&samples(print));
        assert_eq!(format, None, "an echo is no total");
        let print = |depth: u32, _| format!("info nodes {} time 6", 40 * depth);
        assert_eq!(Format::learn(&samples(print)), None, "a search is no perft");
    }
}
