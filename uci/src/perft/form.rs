//! The format of an engine's counts: learnt from answers to questions with known results, so that
//! no list of keywords is needed.

use std::collections::{BTreeMap, BTreeSet};

use chess::perft::Counter;
use chess::rules::{CastlingMode, Move, Position};

use super::answer::{Answer, DivideRow, MoveMeaning};
use super::line::{AnswerLine, LineReading, NumberLine, parse};
use super::spelling::meaning;

/// The format of an engine's answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerForm {
    reading: LineReading,
    total: Total,
    /// Which number of a row is its count; `None` for an engine without rows.
    row: Option<usize>,
    /// Whether rows are used as a list of moves, and not only for their sum.
    lists_moves: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Total {
    /// After a label. The rest of the line may change from answer to answer: times in other units,
    /// infinite rates.
    Labelled {
        label: String,
        /// The label of the depth in the same line, if there is one: some engines print a line for
        /// each depth.
        depth: Option<String>,
    },
    /// The total is the sum of the rows.
    Sum,
}

/// An engine's output for a question, with the correct result.
#[derive(Clone, Debug)]
pub(super) struct FormSample {
    pub(super) position: Position,
    /// Depth of the question, in plies.
    pub(super) depth: u32,
    pub(super) divide: Vec<(Move, u64)>,
    pub(super) lines: Vec<String>,
}

/// What a sample proves about the rows of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowsProof {
    /// There are no rows.
    Absent,
    /// The rows are the legal moves, each once, with correct counts.
    Exact,
    /// As `Exact`, except that one row is a duplicate or has a wrong count.
    Near,
    /// The rows are something else.
    Other,
}

/// A format and the extent to which it is proved.
#[derive(Clone, Debug)]
pub(super) struct Learnt {
    pub(super) form: AnswerForm,
    /// The first unusable row in an answer with a correct count, and its sample.
    pub(super) misread: Option<(usize, String)>,
}

/// Leaf nodes from which a total proves correct parsing: it has four digits.
const WHOLE: u64 = 1000;
/// Leaf nodes from which a near miss of the correct count cannot be chance.
const FAR: u64 = 100;
/// Number of samples with exact rows required to use rows.
const ROWS_PROVED: usize = 3;

impl FormSample {
    /// The output for a question about a position, with the correct result.
    pub(super) fn new(position: Position, depth: u32, lines: Vec<String>) -> Self {
        let divide = Counter::new().divide(&position, depth);
        Self {
            position,
            depth,
            divide: divide.expect("the known positions are small"),
            lines,
        }
    }

    pub(super) fn count(&self) -> u64 {
        self.divide.iter().map(|&(_, nodes)| nodes).sum()
    }

    /// Maximum number of lines that any parse takes as rows.
    pub(super) fn rows_at_most(&self) -> usize {
        let readings = LineReading::all().map(|reading| self.parse(reading).rows().count());
        readings.max().unwrap_or(0)
    }

    /// Whether its lines are the legal moves, each once, with the correct counts.
    pub(super) fn is_exact(&self, form: &AnswerForm) -> bool {
        let parsed = self.parse(form.reading);
        let is_empty = self.divide.is_empty() && parsed.rows().next().is_none();
        is_empty || parsed.rows_proof(form.row.unwrap_or(0)).0 == RowsProof::Exact
    }

    fn parse(&self, reading: LineReading) -> Parsed<'_> {
        let lines = self.lines.iter();
        Parsed {
            sample: self,
            lines: lines.flat_map(|text| parse(text, reading)).collect(),
        }
    }
}

/// A sample under one way of parsing.
struct Parsed<'a> {
    sample: &'a FormSample,
    lines: Vec<AnswerLine>,
}

impl Parsed<'_> {
    fn rows(&self) -> impl Iterator<Item = (&str, &[u64])> {
        self.lines.iter().filter_map(|line| match line {
            AnswerLine::Row(row) => Some((row.text.as_str(), row.numbers.as_slice())),
            _ => None,
        })
    }

    fn numbers(&self) -> impl Iterator<Item = &NumberLine> {
        self.lines.iter().filter_map(|line| match line {
            AnswerLine::Numbers(numbers) => Some(numbers),
            _ => None,
        })
    }

    /// The sum of the rows' numbers at an index; `None` without rows, or if it overflows.
    fn sum(&self, index: usize) -> Option<u64> {
        self.rows().next()?;
        self.rows().try_fold(0_u64, |sum, (_, numbers)| {
            sum.checked_add(*numbers.get(index).or(numbers.last())?)
        })
    }

    /// The kind of the rows, and the first that is wrong.
    fn rows_proof(&self, index: usize) -> (RowsProof, Option<&str>) {
        let right: BTreeMap<Move, u64> = self.sample.divide.iter().copied().collect();
        let mode = self.sample.position.castling_mode();
        let mut seen = BTreeSet::new();
        let mut faults = 0;
        let mut first = None;
        for (text, numbers) in self.rows() {
            let nodes = numbers.get(index).or(numbers.last());
            let is_right = match meaning(text, &self.sample.position, mode) {
                MoveMeaning::Legal(m) => {
                    let is_new = seen.insert(m);
                    faults += usize::from(!is_new || right.get(&m) != nodes);
                    is_new && right.get(&m) == nodes
                }
                MoveMeaning::Illegal(_) | MoveMeaning::Unreadable => {
                    faults = usize::MAX / 2;
                    false
                }
            };
            if !is_right {
                first = first.or(Some(text));
            }
        }
        let missing = right.len() - seen.len();
        let proof = match (self.rows().next(), missing, faults) {
            (None, ..) => RowsProof::Absent,
            (_, 0, 0) => RowsProof::Exact,
            (_, 0, 1) => RowsProof::Near,
            // A few moves that are listed twice, each in place of another: promotions, say.
            (_, 1.., _) if faults == missing && missing * 4 <= right.len() => RowsProof::Near,
            _ => RowsProof::Other,
        };
        (proof, first)
    }

    /// The number after each label; the last one if several lines have the label.
    fn last_values(&self) -> BTreeMap<&str, u64> {
        // Of several in one line, the first wins because it is inserted last.
        let places = self.numbers().flat_map(|line| line.places.iter().rev());
        places
            .map(|(label, number)| (label.as_str(), *number))
            .collect()
    }
}

impl AnswerForm {
    /// The format in which lists of moves are written: rows `e2e4: 1`, and no total.
    pub(super) fn of_lists() -> Self {
        Self {
            reading: LineReading::all().next().expect("the usual one"),
            total: Total::Sum,
            row: Some(0),
            lists_moves: true,
        }
    }

    /// Learns the format from an engine's output for the first position at depths 1, 2 and 3.
    /// `None` if nothing resembles those counts.
    pub fn learn(known: [&str; 3]) -> Option<Self> {
        let samples: Vec<FormSample> = (1..)
            .zip(known)
            .map(|(depth, text)| {
                let lines = text.lines().map(str::to_owned).collect();
                FormSample::new(Position::startpos(), depth, lines)
            })
            .collect();
        learn(&samples).map(|learnt| learnt.form)
    }

    /// Parses an engine's output for a position at a depth.
    pub fn read(&self, text: &str, depth: u32, position: &Position, mode: CastlingMode) -> Answer {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        self.read_lines(&lines, depth, position, mode)
    }

    /// Parses the whole output for a question about this position. If rows are not moves, they are
    /// left out.
    pub(super) fn read_lines(
        &self,
        lines: &[String],
        depth: u32,
        position: &Position,
        mode: CastlingMode,
    ) -> Answer {
        let mut total = None;
        let mut rows = Vec::new();
        let mut are_whole = true;
        for line in lines.iter().flat_map(|text| parse(text, self.reading)) {
            match &line {
                AnswerLine::Row(row) => {
                    are_whole &= !row.numbers.is_empty();
                    if let Some(index) = self.row
                        && let Some(&nodes) = row.numbers.get(index).or(row.numbers.last())
                    {
                        rows.push(DivideRow {
                            text: row.text.clone(),
                            meaning: meaning(&row.text, position, mode),
                            nodes,
                        });
                    }
                }
                line => total = self.total_of(line, depth).or(total),
            }
        }
        let is_readable = are_whole
            && rows
                .iter()
                .all(|row| row.meaning != MoveMeaning::Unreadable);
        let mut answer = Answer {
            total,
            rows: self.row.map(|_| rows),
        };
        if self.total == Total::Sum
            && are_whole
            && answer.rows.as_ref().is_some_and(|rows| !rows.is_empty())
        {
            answer.total = answer.sum();
        }
        // Some print a divide only from depth 2 on: a count without rows is not an empty list.
        let is_empty = answer.rows.as_ref().is_some_and(Vec::is_empty);
        let has_none = is_empty && answer.total.is_some_and(|total| total > 0);
        if !self.lists_moves || !is_readable || has_none {
            answer.rows = None;
        }
        answer
    }

    /// Whether rows are used as lists of moves.
    pub(super) fn lists_moves(&self) -> bool {
        self.lists_moves
    }

    pub(super) fn has_rows(&self) -> bool {
        self.row.is_some()
    }

    /// Whether the engine prints a total.
    pub(super) fn has_total(&self) -> bool {
        self.total != Total::Sum
    }

    /// Whether a sample supports the format: its count is correct or nearly so, or most of its rows
    /// are moves of this position.
    pub(super) fn bears_out(&self, sample: &FormSample) -> bool {
        let parsed = sample.parse(self.reading);
        let printed = self.count_in(&parsed);
        let is_near = printed.is_some_and(|printed| {
            printed == sample.count()
                || sample.count() >= FAR && printed.abs_diff(sample.count()) <= 2
        });
        let is_answer = printed.is_some_and(|printed| !is_far(printed, sample.count()));
        is_near || self.lists_moves && is_answer && mostly_legal(&parsed)
    }

    /// Number of rows in a line of output, and whether it contains the total.
    pub(super) fn finds_in(&self, text: &str, depth: u32) -> (usize, bool) {
        let lines = parse(text, self.reading);
        let is_row = |line: &&AnswerLine| matches!(line, AnswerLine::Row(_));
        let has_total = |line: &AnswerLine| self.total_of(line, depth).is_some();
        (
            lines.iter().filter(is_row).count(),
            lines.iter().any(has_total),
        )
    }

    fn total_of(&self, line: &AnswerLine, depth: u32) -> Option<u64> {
        let (AnswerLine::Numbers(numbers), Total::Labelled { label, depth: of }) =
            (line, &self.total)
        else {
            return None;
        };
        let is_for = |label: &String| numbers.labelled(label) == Some(u64::from(depth));
        numbers
            .labelled(label)
            .filter(|_| of.as_ref().is_none_or(is_for))
    }

    /// The count of a sample in this format.
    fn count_in(&self, parsed: &Parsed<'_>) -> Option<u64> {
        let depth = parsed.sample.depth;
        match &self.total {
            Total::Sum => parsed.sum(self.row?),
            Total::Labelled { .. } => {
                let mut lines = parsed.lines.iter().rev();
                lines.find_map(|line| self.total_of(line, depth))
            }
        }
    }
}

/// Learns the format from samples; `None` if none is proved.
///
/// A format is proved by correct counts: in two samples with different counts, one of them large
/// enough. An engine under test may always count wrongly; then a total that always equals the sum
/// of rows with moves is proof too, and so is a number that is always close to the correct count.
pub(super) fn learn(samples: &[FormSample]) -> Option<Learnt> {
    let mut best: Option<(FormSupport, Learnt)> = None;
    for reading in LineReading::all() {
        let parsed: Vec<Parsed<'_>> = samples.iter().map(|sample| sample.parse(reading)).collect();
        let Some((score, learnt)) = learn_in(reading, &parsed) else {
            continue;
        };
        // Of equals, the first, which is the most usual.
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, learnt));
        }
    }
    best.map(|(_, learnt)| learnt)
}

/// The support for a format: whether a total is printed, then the number of samples that support
/// it, with correct counts, with exact rows, with nearly correct counts.
type FormSupport = (bool, usize, usize, usize);

/// The best format under one way of parsing. A printed total ranks before the sum of the rows, so
/// that a discrepancy between them is noticed.
fn learn_in(reading: LineReading, samples: &[Parsed<'_>]) -> Option<(FormSupport, Learnt)> {
    let row = row_index(samples);
    let form = |total| AnswerForm {
        reading,
        total,
        row,
        lists_moves: row.is_some(),
    };
    let mut best: Option<(FormSupport, Learnt)> = None;
    for label in candidates(samples, row) {
        let depth = depth_label(samples, &label);
        let proved = prove(form(Total::Labelled { label, depth }), samples);
        // Of equals, the first, which is the likeliest.
        if let Some((score, learnt)) = proved
            && best.as_ref().is_none_or(|&(most, _)| score > most)
        {
            best = Some((score, learnt));
        }
    }
    best.or_else(|| row.and_then(|_| prove(form(Total::Sum), samples)))
}

/// What the samples prove about a format; `None` if not even its counts are proved.
fn prove(mut form: AnswerForm, samples: &[Parsed<'_>]) -> Option<(FormSupport, Learnt)> {
    let mut right = BTreeSet::new();
    let mut consistent = BTreeSet::new();
    let mut near = BTreeSet::new();
    let mut rows_proved = 0;
    let (mut far, mut counted) = (0, 0);
    let mut misread = None;
    let mut score = (form.has_total(), 0, 0, 0);
    for (index, parsed) in samples.iter().enumerate() {
        let count = parsed.sample.count();
        let Some(printed) = form.count_in(parsed) else {
            continue;
        };
        let (proof, row) = match form.row {
            Some(row) => parsed.rows_proof(row),
            None => (RowsProof::Absent, None),
        };
        counted += 1;
        far += usize::from(is_far(printed, count));
        rows_proved += usize::from(matches!(proof, RowsProof::Exact | RowsProof::Near));
        score.2 += usize::from(proof == RowsProof::Exact);
        if printed == count {
            right.insert(count);
            score.1 += 1;
            // If the count is correct but the list seems wrong, we have misread the list.
            if proof == RowsProof::Other && misread.is_none() {
                let text = row.map_or_else(
                    || "a legal move has no row".to_owned(),
                    |text| format!("'{text}' is not read as a legal move with its count"),
                );
                misread = Some((index, text));
            }
        } else if printed.abs_diff(count) <= 2
            && matches!(proof, RowsProof::Exact | RowsProof::Absent)
        {
            score.3 += 1;
            if count >= FAR {
                near.insert(count);
            }
        }
        let sum = form.row.and_then(|row| parsed.sum(row));
        if sum == Some(printed) && mostly_legal(parsed) {
            consistent.insert(printed);
        }
    }
    let is_whole = |counts: &BTreeSet<u64>| counts.iter().any(|&count| count >= WHOLE);
    // Moves with numbers but without a total may be a different list, such as scores.
    let may_be_something_else = !form.has_total() && right.is_empty();
    // Rows and totals of other questions, such as those of a fixed depth, are consistent as well.
    let may_be_something_else = may_be_something_else || far * 2 > counted;
    let is_proved = right.len() >= 2 && is_whole(&right)
        || consistent.len() >= 3 && is_whole(&consistent) && !may_be_something_else
        || near.len() >= 2 && is_whole(&near);
    // If an engine miscounts nearly everything, rows with moves are the only evidence.
    let are_moves = rows_proved >= ROWS_PROVED || right.len() < 2;
    form.lists_moves = form.row.is_some() && misread.is_none() && are_moves;
    is_proved.then_some((score, Learnt { form, misread }))
}

/// Whether a count is so far off that it answers a different question.
fn is_far(printed: u64, right: u64) -> bool {
    printed / 2 > right + 4 || right / 2 > printed + 4
}

/// Whether most rows are legal moves: enough to recognise rows of an engine with a wrong move list.
fn mostly_legal(parsed: &Parsed<'_>) -> bool {
    let mode = parsed.sample.position.castling_mode();
    let (mut legal, mut all) = (BTreeSet::new(), 0);
    for (text, _) in parsed.rows() {
        all += 1;
        if let MoveMeaning::Legal(m) = meaning(text, &parsed.sample.position, mode) {
            legal.insert(m);
        }
    }
    all > 0 && legal.len() * 5 >= all * 3 && legal.len() * 5 >= parsed.sample.divide.len() * 3
}

/// Which number of a row is the count: the one with the most correct sums.
fn row_index(samples: &[Parsed<'_>]) -> Option<usize> {
    let numbers = samples.iter().flat_map(Parsed::rows).map(|row| row.1.len());
    let most = numbers.max()?;
    let hits = |index: usize| {
        let hit = |parsed: &&Parsed<'_>| parsed.sum(index) == Some(parsed.sample.count());
        let exact = |parsed: &&Parsed<'_>| parsed.rows_proof(index).0 == RowsProof::Exact;
        samples.iter().filter(hit).count() + samples.iter().filter(exact).count()
    };
    // Of equals, the first.
    (0..most).rev().max_by_key(|&index| hits(index))
}

/// Possible labels of totals, likeliest first: those with correct numbers or, if there are none,
/// those close to the correct count, equal to the sum of the rows, or with the usual words.
fn candidates(samples: &[Parsed<'_>], row: Option<usize>) -> Vec<String> {
    let mut labels: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    for parsed in samples {
        let count = parsed.sample.count();
        let sum = row.and_then(|row| parsed.sum(row));
        for (label, value) in parsed.last_values() {
            let hits = labels.entry(label).or_default();
            hits.0 += usize::from(value == count);
            hits.1 += usize::from(Some(value) == sum && value != count);
            hits.2 += usize::from(count >= 100 && value.abs_diff(count) <= 2);
        }
    }
    let mut labels: Vec<(&str, (usize, usize, usize))> = labels.into_iter().collect();
    labels.retain(|(_, hits)| *hits != (0, 0, 0));
    labels.sort_by_key(|&(label, (right, sums, near))| {
        std::cmp::Reverse((right + sums, near, likeness(label)))
    });
    labels.truncate(MOST_CANDIDATES);
    let labels = labels.into_iter();
    labels.map(|(label, _)| label.to_owned()).collect()
}

/// Number of labels to examine more closely.
const MOST_CANDIDATES: usize = 4;

/// How closely a label resembles the usual labels of totals.
fn likeness(label: &str) -> usize {
    const WORDS: [&str; 5] = ["leaf", "perft", "total", "nodes", "nodes searched"];
    let rank = WORDS.iter().rposition(|word| label.contains(word));
    rank.map_or(usize::from(label == "#"), |rank| rank + 2)
}

/// The label of another number in that line that always equals the depth of the question.
fn depth_label(samples: &[Parsed<'_>], total: &str) -> Option<String> {
    let last = |parsed: &Parsed<'_>| -> Option<NumberLine> {
        let lines = parsed.numbers();
        lines
            .filter(|line| line.labelled(total).is_some())
            .last()
            .cloned()
    };
    let lines: Vec<(u32, NumberLine)> = samples
        .iter()
        .filter_map(|parsed| Some((parsed.sample.depth, last(parsed)?)))
        .collect();
    // With only one question, any 1 would match.
    if lines.len() < 2 {
        return None;
    }
    let is_depth = |label: &&String| {
        let is_it =
            |(depth, line): &(u32, NumberLine)| line.labelled(label) == Some((*depth).into());
        *label != total && lines.iter().all(is_it)
    };
    let labels = lines[0].1.places.iter().map(|(label, _)| label);
    labels.into_iter().find(is_depth).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples of the start position at depths 1 to 3.
    fn samples(print: impl Fn(u32, &[(Move, u64)]) -> String) -> Vec<FormSample> {
        let samples = (1..=3).map(|depth| FormSample::new(Position::startpos(), depth, Vec::new()));
        samples
            .map(|mut sample| {
                let text = print(sample.depth, &sample.divide);
                sample.lines = text.lines().map(str::to_owned).collect();
                sample
            })
            .collect()
    }

    fn total(divide: &[(Move, u64)]) -> u64 {
        divide.iter().map(|&(_, nodes)| nodes).sum()
    }

    /// The count parsed by a format that was learnt from totals alone.
    fn read(print: impl Fn(u32, u64) -> String, text: &str) -> Option<u64> {
        let learnt = learn(&samples(|depth, divide| print(depth, total(divide))));
        let form = learnt.expect("it is learnt").form;
        assert!(!form.has_rows());
        let start = Position::startpos();
        form.read(text, 4, &start, CastlingMode::Standard).total
    }

    fn grouped(number: u64, separator: &str) -> String {
        match number {
            1000.. => format!("{}{separator}{:03}", number / 1000, number % 1000),
            _ => number.to_string(),
        }
    }

    /// Large counts of an engine may be rounded, small ones never were.
    #[test]
    fn rounded_counts_are_no_list_of_moves() {
        let start = Position::startpos();
        for (total, expected) in [("\nTotal: 8902\n", Some(8902)), ("", None)] {
            let print = |_, divide: &[(Move, u64)]| {
                let rows = divide.iter().map(|(m, nodes)| format!("{m}: {nodes}\n"));
                let sum: u64 = divide.iter().map(|&(_, nodes)| nodes).sum();
                rows.collect::<String>() + &total.replace("8902", &sum.to_string())
            };
            let form = learn(&samples(print)).expect("it is learnt").form;
            assert!(form.lists_moves());
            let text = format!("a2a3: 380\ne2e4: 13.2k\n{total}");
            let answer = form.read(&text, 3, &start, CastlingMode::Standard);
            assert_eq!((answer.total, answer.rows), (expected, None));
        }
    }

    #[test]
    fn totals_in_any_words() {
        assert_eq!(read(|_, n| n.to_string(), "197281"), Some(197_281));
        let words = |_, n| format!("Moves: 20\nZugfolgen {n}\nTime: 5 ms");
        assert_eq!(read(words, "Moves: 20\nZugfolgen 7\nTime: 9 ms"), Some(7));
        let tail = |_, n| format!("{n} nodes, 5ms");
        assert_eq!(read(tail, "1,234 nodes, 7ms"), Some(1234));
        let rates = |depth, n| format!("{depth} {n} {} {}", depth * 3, n * 5);
        assert_eq!(read(rates, "4 197281 12 1000"), Some(197_281));
        let first = |_, n| match n {
            8902 => "8902 (8.9K)".to_owned(),
            _ => n.to_string(),
        };
        assert_eq!(read(first, "197281 (197.3K)"), Some(197_281));
        let each = |depth: u32, _| {
            let counts = [20, 400, 8902];
            let line = |ply: u32| format!("perft({ply}) = {}\n", counts[ply as usize - 1]);
            (1..=depth).map(line).collect()
        };
        assert_eq!(read(each, "perft(3) = 8902"), None);
        assert_eq!(read(each, "perft(3) = 8902\nperft(4) = 7"), Some(7));
    }

    #[test]
    fn totals_are_read_whole() {
        for separator in [".", " ", "\u{a0}", "\u{202f}", ","] {
            let print = |_, n| format!("Total: {}", grouped(n, separator));
            let text = format!("Total: 197{separator}281");
            assert_eq!(read(print, &text), Some(197_281), "{separator:?}");
        }
    }

    #[test]
    fn rows_with_several_numbers() {
        let print = |_, divide: &[(Move, u64)]| -> String {
            let row = |(m, nodes): &(Move, u64)| format!("{m} 20 {nodes}\n");
            divide.iter().map(row).collect()
        };
        let form = learn(&samples(print)).expect("it is learnt").form;
        assert!(form.lists_moves() && !form.has_total());
        let start = Position::startpos();
        let answer = form.read("e2e4 20 600", 3, &start, CastlingMode::Standard);
        assert_eq!(answer.count(), Some(600));
    }

    #[test]
    fn nothing_to_learn() {
        for print in [
            (|_, _| "Unknown command".to_owned()) as fn(u32, &[(Move, u64)]) -> String,
            |depth, _| format!("Unknown command: 'perft {depth}'"),
            |depth, _| format!("info nodes {} time 6", 40 * depth),
            // Moves with scores.
            |_, divide| {
                let scores = divide.iter().map(|(m, _)| format!("{m}: 35"));
                scores.collect::<Vec<_>>().join("\n")
            },
        ] {
            assert!(learn(&samples(print)).is_none());
        }
    }
}
