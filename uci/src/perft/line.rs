//! Parses lines printed in answer to perft, independent of any position.
//!
//! Seen in existing engines: `e2e4: 600`, `e2e4 600`, `e2e4 - 600`, `Pe2-e4 = 600`, `e7e8Q: 1`,
//! `a7b8=N 20`, `1. Nf3 20`, `[ 3/20] e2e4: 600 (0.01 s)`, `info string O-O: 30`,
//! `{"move":"e2e4","nodes":600}`; `Nodes searched: 1,234`, `Total: 400`, `400`, `8902 nodes, 5ms`,
//! `perft(3) = 8902`, `info depth 3 nodes 8902`.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex_lite::Regex;

use super::spelling::{COORDINATES, move_in_uci};

/// One line of output, or a part of one that holds several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AnswerLine {
    /// A move and the numbers beside it: at least one, or none if the first is abbreviated.
    Row(RawRow),
    /// Any other line with numbers.
    Numbers(NumberLine),
    /// Output that only a search prints, so perft was not understood.
    Search,
    /// A line without numbers.
    Other,
}

/// A row of a divide, as printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RawRow {
    pub(super) text: String,
    pub(super) numbers: Vec<u64>,
}

/// A line with numbers that is not a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NumberLine {
    /// Each number with its label: the words between it and the number before it; if there are
    /// none, `#` and the word after it.
    pub(super) places: Vec<(String, u64)>,
}

impl NumberLine {
    /// The first number with this label.
    pub(super) fn labelled(&self, label: &str) -> Option<u64> {
        let place = self.places.iter().find(|place| place.0 == label);
        place.map(|place| place.1)
    }
}

/// Separators of digit groups, in addition to those that are always accepted: `,`, `_`, an
/// apostrophe, the blanks that never separate two numbers (U+00A0, U+2009, U+202F), and U+FFFD,
/// which stands for such a blank in another encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grouping {
    /// No others: `8.902` is a decimal.
    Usual,
    /// `8.902` is a count.
    Dot,
    /// `8 902` is a count.
    Blank,
}

/// Where the move of a row is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MovePlace {
    /// At the beginning, optionally after a number or a word.
    Beginning,
    /// Anywhere, in coordinates, as the only move of its line.
    Anywhere,
    /// Several rows in one line, each a move and its number.
    Columns,
}

/// A way of parsing lines. Calibration finds the one that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineReading {
    pub(super) grouping: Grouping,
    pub(super) place: MovePlace,
}

impl LineReading {
    /// Every way of parsing, the most usual first.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let places = [
            MovePlace::Beginning,
            MovePlace::Anywhere,
            MovePlace::Columns,
        ];
        let groupings = [Grouping::Usual, Grouping::Dot, Grouping::Blank];
        let with = move |place| groupings.map(|grouping| Self { grouping, place });
        places.into_iter().flat_map(with)
    }
}

// Flag `x`: blanks and comments in the pattern are ignored.
static MOVE: LazyLock<String> = LazyLock::new(|| {
    format!(
        r"
        {COORDINATES}
        | [NBRQKP]?[a-h]?[1-8]?x?[a-h][1-8](?:=?[NBRQ])?[+\#]?  # SAN
        | [O0o]-[O0o](?:-[O0o])?[+\#]?                          # castling
        "
    )
});

/// A move at the beginning, optionally after a table border, a number, or a word such as `move`.
static ROW: LazyLock<Regex> = LazyLock::new(|| {
    let number_of_the_move = r"(?:\[?\s*\d+(?:\s*/\s*\d+)?[\].):]+\s*)?";
    let word = r"(?:(?i:move|perft|divide|root)\s*[:=]?\s+)?";
    let pattern = format!(
        r"(?x)^[\s|\u{{2502}}\u{{2503}}\u{{2551}}]*(?:info\s+string\s+)?{number_of_the_move}{word}(?<move>{}
        )(?:\s*(?:[:=|,>\u{{2502}}\u{{2503}}\u{{2551}}]|->|=>|-\s)|\s|$)(?<rest>.*)$",
        *MOVE
    );
    Regex::new(&pattern).expect("the pattern is well formed")
});

/// A move in coordinates with nothing attached to it.
static ANYWHERE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = format!(r"(?x)(?:^|[^A-Za-z0-9])(?<move>{COORDINATES})(?:[^A-Za-z0-9]|$)");
    Regex::new(&pattern).expect("the pattern is well formed")
});

/// A move and its number, one of several in a line.
static COLUMN: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = format!(
        r#"(?x)(?:^|[^A-Za-z0-9])(?<move>{})["']?\s*(?:[:=|,>]|->|=>|-\s)?\s*(?<rest>[0-9][0-9,_'\u{{a0}}\u{{2009}}\u{{202f}}\u{{fffd}}]*)"#,
        *MOVE
    );
    Regex::new(&pattern).expect("the pattern is well formed")
});

/// A decimal, which is a time or a share and never a count; or a number, optionally with digit
/// groups.
struct NumberPattern {
    usual: Regex,
    dot: Regex,
    blank: Regex,
}

/// Separators that never occur between two numbers.
const ALWAYS: &str = r",_'\u{2019}\u{a0}\u{2009}\u{202f}\u{fffd}";

/// All that may stand between the digits of one number, decimals among them.
const SEPARATORS: &str = ".,_' \u{2019}\u{a0}\u{2009}\u{202f}\u{fffd}";

static NUMBER: LazyLock<NumberPattern> = LazyLock::new(|| {
    let pattern = |separators: &str, decimal: &str| {
        let groups = format!(r"\d{{1,3}}(?:[{separators}]\d{{3}})+\b");
        let pattern = format!(r"(?<groups>{groups})|(?<decimal>{decimal})|(?<digits>\d+)");
        Regex::new(&pattern).expect("the pattern is well formed")
    };
    NumberPattern {
        usual: pattern(ALWAYS, r"\d+\.\d+"),
        dot: pattern(r"._'\u{2019}\u{a0}\u{2009}\u{202f}\u{fffd}", r"\d+[.,]\d+"),
        blank: pattern(&format!("{ALWAYS} "), r"\d+\.\d+"),
    }
});

/// What a colour begins with.
const ESCAPE: &str = "\x1b";

static COLOUR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\x1b\[[0-9;?]*[A-Za-z]").expect("the pattern is well formed"));

/// What a console prompt ends with.
const PROMPT_ENDS: &str = ">$";

/// Console prompts: `> `, `perft> `.
static PROMPT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:[A-Za-z_]*[>$]\s*)+").expect("the pattern is well formed")
});

/// Limits on the bytes parsed and the numbers taken per line: with the limit on lines, they bound
/// the memory for an engine that prints numbers forever.
pub(super) const MOST_BYTES: usize = 64 << 10;
const MOST_NUMBERS: usize = 32;

/// Parses a line; anything after its first 64 KiB is ignored. Text after a carriage return, as
/// after progress dots, is a separate line. Lines without numbers are left out.
pub(super) fn parse(text: &str, reading: LineReading) -> Vec<AnswerLine> {
    match usual_row(text) {
        Some(row) => vec![AnswerLine::Row(row)],
        None => parse_by_patterns(text, reading),
    }
}

/// A row as Stockfish prints it, `e2e4: 600`, which every reading takes alike. Most lines of most engines are such rows, and
/// the patterns take long.
fn usual_row(text: &str) -> Option<RawRow> {
    let (text, number) = text.split_once(':')?;
    let digits = number.strip_prefix(' ')?;
    // `parse` takes a sign, too.
    let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
    let number = is_number.then(|| digits.parse().ok())??;
    move_in_uci(text).map(|_| RawRow {
        text: text.to_owned(),
        numbers: vec![number],
    })
}

fn parse_by_patterns(text: &str, reading: LineReading) -> Vec<AnswerLine> {
    let text = &text[..text.floor_char_boundary(MOST_BYTES)];
    let text = replaced(text, ESCAPE, &COLOUR);
    let mut lines = Vec::new();
    for part in text.split(['\r', '\u{8}']) {
        let part = replaced(part, PROMPT_ENDS, &PROMPT);
        if is_search(&part) {
            lines.push(AnswerLine::Search);
        } else if next_digit(&part, 0).is_none() {
            // Some engines log thousands of lines; matching the patterns against each takes long.
        } else if reading.place == MovePlace::Columns {
            columns(&part, reading, &mut lines);
        } else {
            lines.push(AnswerLine::new(&part, reading));
        }
    }
    lines.retain(|line| *line != AnswerLine::Other);
    lines
}

/// The text without what a pattern matches, which occurs only where one of the `signs` does: matching takes
/// far longer than a look for them.
fn replaced<'a>(text: &'a str, signs: &str, pattern: &Regex) -> Cow<'a, str> {
    if text.contains(|letter| signs.contains(letter)) {
        pattern.replace_all(text, "")
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether a move may stand in the text: each has the name of a square, or castles.
fn may_have_move(text: &str) -> bool {
    let is_part = |pair: &[u8]| match *pair {
        [file, rank] => {
            matches!(file, b'a'..=b'h' | b'A'..=b'H') && matches!(rank, b'1'..=b'8')
                || matches!(file, b'O' | b'o' | b'0') && rank == b'-'
        }
        _ => false,
    };
    text.as_bytes().windows(2).any(is_part)
}

/// The place of the first digit from a place on.
fn next_digit(text: &str, from: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[from..];
    let offset = bytes.iter().position(u8::is_ascii_digit)?;
    Some(from + offset)
}

/// Whether only a search prints this.
fn is_search(text: &str) -> bool {
    let mut words = text.split_whitespace();
    match words.next() {
        Some("bestmove") => true,
        Some("info") => {
            let words: Vec<&str> = words.collect();
            words.first() != Some(&"string")
                && words.iter().any(|&word| matches!(word, "pv" | "score"))
        }
        _ => false,
    }
}

impl AnswerLine {
    fn new(text: &str, reading: LineReading) -> Self {
        let row = match reading.place {
            _ if !may_have_move(text) => None,
            MovePlace::Beginning => ROW
                .captures(text)
                .and_then(|row| RawRow::new(&row["move"], &row["rest"], reading)),
            _ => only_move(text, reading),
        };
        if let Some(row) = row {
            return Self::Row(row);
        }
        match take_numbers(text, reading.grouping) {
            places if places.is_empty() => Self::Other,
            places => Self::Numbers(NumberLine { places }),
        }
    }
}

/// The move of a line with a single move, and the numbers on both sides of it.
fn only_move(text: &str, reading: LineReading) -> Option<RawRow> {
    let found = ANYWHERE.captures(text)?;
    let m = found.name("move").expect("the move of the row");
    if ANYWHERE.is_match(&text[m.end()..]) {
        return None;
    }
    let sides = [&text[..m.start()], " ", &text[m.end()..]].concat();
    RawRow::new(m.as_str(), &sides, reading)
}

impl RawRow {
    /// `None` without numbers. If the first is abbreviated, the row has none: another one is not its
    /// count.
    fn new(text: &str, rest: &str, reading: LineReading) -> Option<Self> {
        let pattern = number_pattern(reading.grouping);
        let first = next_number(rest, 0, pattern)?;
        let numbers = if is_abbreviated(rest, &first) {
            Vec::new()
        } else {
            let places = take_numbers(rest, reading.grouping);
            let numbers: Vec<u64> = places.into_iter().map(|(_, number)| number).collect();
            if numbers.is_empty() {
                return None;
            }
            numbers
        };
        Some(Self {
            text: text.to_owned(),
            numbers,
        })
    }
}

/// Rows side by side, and the numbers after the last of them.
fn columns(text: &str, reading: LineReading, lines: &mut Vec<AnswerLine>) {
    let mut end = 0;
    let rows = may_have_move(text).then(|| COLUMN.captures_iter(text));
    for row in rows.into_iter().flatten() {
        end = row.get(0).expect("the whole match").end();
        // A decimal goes on behind what the pattern takes.
        let rest = row.name("rest").expect("the number of the row").start();
        let may_go_on =
            |letter: char| letter.is_ascii_digit() || letter == '.' || UNITS.contains(letter);
        let more = text[end..].find(|letter| !may_go_on(letter));
        let rest = &text[rest..more.map_or(text.len(), |more| end + more)];
        lines.extend(RawRow::new(&row["move"], rest, reading).map(AnswerLine::Row));
    }
    let places = take_numbers(&text[end..], reading.grouping);
    if !places.is_empty() {
        lines.push(AnswerLine::Numbers(NumberLine { places }));
    }
}

fn number_pattern(grouping: Grouping) -> &'static Regex {
    match grouping {
        Grouping::Usual => &NUMBER.usual,
        Grouping::Dot => &NUMBER.dot,
        Grouping::Blank => &NUMBER.blank,
    }
}

/// Where a number stands in a text.
struct Found {
    start: usize,
    end: usize,
    is_decimal: bool,
}

/// The first number from a place on. It begins with the first digit; only where a separator follows, the pattern says where
/// it ends.
fn next_number(text: &str, from: usize, pattern: &Regex) -> Option<Found> {
    let start = next_digit(text, from)?;
    let digits = text[start..].bytes().take_while(u8::is_ascii_digit).count();
    let after = text[start + digits..].chars().next();
    let (end, is_decimal) = if after.is_some_and(|letter| SEPARATORS.contains(letter)) {
        let found = pattern.captures_at(text, start);
        let found = found.expect("a digit is a number");
        let whole = found.get(0).expect("the whole match");
        (whole.end(), found.name("decimal").is_some())
    } else {
        (start + digits, false)
    };
    Some(Found {
        start,
        end,
        is_decimal,
    })
}

/// What stands behind a number that is rounded.
const UNITS: &str = "kKMGB";

/// Whether a number is rounded, as in `13.2k` and `5M`.
fn is_abbreviated(text: &str, number: &Found) -> bool {
    let mut behind = text[number.end..].chars();
    behind.next().is_some_and(|unit| UNITS.contains(unit))
        && !behind.next().is_some_and(char::is_alphanumeric)
}

/// The numbers with their labels. Decimals and abbreviated numbers are excluded, overflowing numbers
/// skipped.
fn take_numbers(text: &str, grouping: Grouping) -> Vec<(String, u64)> {
    let pattern = number_pattern(grouping);
    let mut places = Vec::new();
    let (mut behind, mut end) = (0, 0);
    while let Some(found) = next_number(text, end, pattern) {
        end = found.end;
        let before = text[..found.start].chars().next_back();
        let digits = text[found.start..end].chars();
        let number = digits
            .filter(char::is_ascii_digit)
            .collect::<String>()
            .parse();
        // The digit of e4 is not a number.
        let stands_alone = !before.is_some_and(char::is_alphanumeric);
        if places.len() == MOST_NUMBERS {
            break;
        }
        let is_whole = !found.is_decimal && !is_abbreviated(text, &found);
        if let (true, true, Ok(number)) = (is_whole, stands_alone, number) {
            let mut label = label(&text[behind..found.start], &text[end..]);
            // In a table without words, columns are distinguished by their number.
            if places.iter().any(|(before, _)| *before == label) {
                label = format!("{label}@{}", places.len());
            }
            places.push((label, number));
        }
        if stands_alone {
            behind = end;
        }
    }
    places
}

fn label(before: &str, behind: &str) -> String {
    let before: Vec<&str> = before.split_whitespace().collect();
    if !before.is_empty() {
        return before.join(" ").to_lowercase();
    }
    let word = behind.split_whitespace().next().unwrap_or_default();
    let word: String = word
        .chars()
        .take_while(|letter| letter.is_alphabetic())
        .collect();
    format!("#{}", word.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str, numbers: &[u64]) -> AnswerLine {
        AnswerLine::Row(RawRow {
            text: text.to_owned(),
            numbers: numbers.to_vec(),
        })
    }

    fn numbers(places: &[(&str, u64)]) -> AnswerLine {
        let place = |&(label, number): &(&str, u64)| (label.to_owned(), number);
        AnswerLine::Numbers(NumberLine {
            places: places.iter().map(place).collect(),
        })
    }

    const USUAL: LineReading = LineReading {
        grouping: Grouping::Usual,
        place: MovePlace::Beginning,
    };

    /// The parsed line, if it contains anything.
    fn parse_one(text: &str) -> AnswerLine {
        let mut lines = parse(text, USUAL);
        assert!(lines.len() < 2, "{text}");
        lines.pop().unwrap_or(AnswerLine::Other)
    }

    #[test]
    fn rows() {
        for (text, expected) in [
            ("e2e4: 600", row("e2e4", &[600])),
            ("e2e4 600", row("e2e4", &[600])),
            ("e2e4:600", row("e2e4", &[600])),
            ("e2e4 - 600", row("e2e4", &[600])),
            ("e2e4 -> 600", row("e2e4", &[600])),
            ("e2e4 => 600", row("e2e4", &[600])),
            ("e2e4=600", row("e2e4", &[600])),
            ("  e2e4\t1,234,567", row("e2e4", &[1_234_567])),
            ("e2-e4 | 600", row("e2-e4", &[600])),
            ("Ng1f3 600 20", row("Ng1f3", &[600, 20])),
            ("e7e8Q: 1", row("e7e8Q", &[1])),
            ("e7e8=Q 1", row("e7e8=Q", &[1])),
            ("e5d6ep 3", row("e5d6ep", &[3])),
            ("exd6 3", row("exd6", &[3])),
            ("1. e2e4 600", row("e2e4", &[600])),
            ("[ 3/20] e2e4: 600 (0.01 s)", row("e2e4", &[600])),
            ("3) e4 600", row("e4", &[600])),
            ("info string e2e4: 600", row("e2e4", &[600])),
            ("> e2e4: 600", row("e2e4", &[600])),
            ("perft> e2e4: 600", row("e2e4", &[600])),
            ("\x1b[32me2e4\x1b[0m: 600", row("e2e4", &[600])),
            ("Move: e2e4 Nodes: 600", row("e2e4", &[600])),
            ("e2e4: 600 5.9%", row("e2e4", &[600])),
            ("O-O: 30", row("O-O", &[30])),
            ("0-0-0 30", row("0-0-0", &[30])),
            ("Nbd7 30", row("Nbd7", &[30])),
            ("a4 20", row("a4", &[20])),
            ("e2->e4 600", row("e2->e4", &[600])),
            ("e2->e4 -> 600", row("e2->e4", &[600])),
            ("e2 e4: 600", row("e2 e4", &[600])),
            ("e2 to e4 = 600", row("e2 to e4", &[600])),
            ("e7e8/Q: 1", row("e7e8/Q", &[1])),
            ("e7e8 q: 1", row("e7e8 q", &[1])),
            ("e7e8 (Q) 1", row("e7e8 (Q)", &[1])),
            ("pe7e5: 30", row("pe7e5", &[30])),
            ("\u{2658}g1f3 20", row("\u{2658}g1f3", &[20])),
            ("| e2e4 | 600 |", row("e2e4", &[600])),
            ("e2e4: 13.2k", row("e2e4", &[])),
            ("e2e4: 13k 5ms", row("e2e4", &[])),
            ("e2e4: 13200 13.2k", row("e2e4", &[13_200])),
            ("....\r", AnswerLine::Other),
            ("....\re2e4: 600", row("e2e4", &[600])),
        ] {
            assert_eq!(parse_one(text), expected, "{text}");
        }
    }

    #[test]
    fn other_lines() {
        for (text, expected) in rows![
            "Nodes searched: 1,234" => numbers(&[("nodes searched:", 1234)]);
            "Total: 400" => numbers(&[("total:", 400)]);
            "400" => numbers(&[("#", 400)]);
            "> \x1b[1m400\x1b[0m" => numbers(&[("#", 400)]);
            "8902 nodes, 5ms" => numbers(&[("#nodes", 8902), ("nodes,", 5)]);
            "perft(3)  =  8902" => numbers(&[("perft(", 3), (") =", 8902)]);
            "info depth 3 nodes 8902 time 0.5" => numbers(&[("info depth", 3), ("nodes", 8902)]);
            "time 0.5 nodes 7" => numbers(&[("nodes", 7)]);
            "Total 1_000'000" => numbers(&[("total", 1_000_000)]);
            "Total 8\u{a0}902" => numbers(&[("total", 8902)]);
            "Total 1\u{202f}008\u{2009}902" => numbers(&[("total", 1_008_902)]);
            "Total 8.902" => AnswerLine::Other;
            "info string score 7" => numbers(&[("info string score", 7)]);
            "99999999999999999999" => AnswerLine::Other;
            "Total: 13k nodes, 13200 leaves" => numbers(&[("k nodes,", 13_200)]);
            "bestmove e2e4 ponder e7e5" => AnswerLine::Search;
            "info depth 1 score cp 5 nodes 20 pv e2e4" => AnswerLine::Search;
            "readyok" => AnswerLine::Other;
            "" => AnswerLine::Other;
            "e2e4" => AnswerLine::Other;
            "Unknown command: 'perft 2'" => numbers(&[("unknown command: 'perft", 2)]);
            "e2e4e5 4" => numbers(&[("e2e4e5", 4)]);
        ] {
            assert_eq!(parse_one(text), expected, "{text}");
        }
    }

    #[test]
    fn of_a_line_a_bounded_part_is_kept() {
        let AnswerLine::Numbers(many) = parse_one(&"7 ".repeat(1 << 19)) else {
            panic!("they are numbers");
        };
        assert_eq!(many.places.len(), MOST_NUMBERS);
        let long = format!("{} 400", "x".repeat(2 * MOST_BYTES));
        assert_eq!(parse_one(&long), AnswerLine::Other);
        let search = format!("info depth 1 score cp 5 pv {}", "e2e4 ".repeat(1000));
        assert_eq!(parse_one(&search), AnswerLine::Search);
    }

    #[test]
    fn other_readings() {
        let read = |text: &str, grouping, place| parse(text, LineReading { grouping, place });
        let beginning = MovePlace::Beginning;
        assert_eq!(
            read("Total: 1.008.902 in 0,5 s", Grouping::Dot, beginning),
            [numbers(&[("total:", 1_008_902)])]
        );
        assert_eq!(
            read("e2e4: 8 902", Grouping::Blank, beginning),
            [row("e2e4", &[8902])]
        );
        let anywhere = |text| read(text, Grouping::Usual, MovePlace::Anywhere);
        assert_eq!(
            anywhere("{\"move\": \"e2e4\", \"nodes\": 600}"),
            [row("e2e4", &[600])]
        );
        assert_eq!(anywhere("600 <- e2e4"), [row("e2e4", &[600])]);
        assert_eq!(
            anywhere("pv e2e4 e7e5 at 12"),
            [numbers(&[("pv e2e4 e7e5 at", 12)])]
        );
        assert_eq!(
            read(
                "{\"a2a3\":1, \"e2e4\":20, \"total\": 21}",
                Grouping::Usual,
                MovePlace::Columns
            ),
            [
                row("a2a3", &[1]),
                row("e2e4", &[20]),
                numbers(&[("\"total\":", 21)])
            ]
        );
        assert_eq!(
            read("a2a3 1.3k e2e4 20", Grouping::Usual, MovePlace::Columns),
            [row("a2a3", &[]), row("e2e4", &[20])]
        );
    }

    /// Numbers and their ends, by the pattern alone.
    fn by_pattern(text: &str, pattern: &Regex) -> Vec<(String, bool)> {
        let found = pattern.captures_iter(text);
        found
            .map(|found| (found[0].to_owned(), found.name("decimal").is_some()))
            .collect()
    }

    proptest::proptest! {
        #[test]
        fn usual_rows_are_those_of_the_patterns(text in "[a-i][0-9][a-h][1-8][nbrqk]?[:=] ?[+0-9]{0,21}[ ,.x]?") {
            for reading in LineReading::all() {
                assert_eq!(parse(&text, reading), parse_by_patterns(&text, reading), "{text:?} {reading:?}");
            }
        }

        /// What is looked at before a pattern is tried never hides a match.
        #[test]
        fn shortcuts_change_nothing(
            parts in proptest::collection::vec(
                proptest::sample::select(vec![
                    "e2", "e4", "E7", "E8", "O-O", "0-0", "o-o-o", "a7b8=N", "Nf3", "1", "20", "123", "1234", "678", ",",
                    ".", "_", "'", "\u{2019}", "\u{a0}", "\u{2009}", "\u{fffd}", " ", "  ", ": ", "-", "x", "k", "\u{e9}",
                    "perft> ", "$", ">", "\x1b[1m", "\x1b[", "move", "total", "info string ", "\t", "|", "\u{2654}", "#",
                ]),
                0..14,
            ),
        ) {
            let text = parts.concat();
            for (signs, pattern) in [(ESCAPE, &COLOUR), (PROMPT_ENDS, &PROMPT)] {
                assert_eq!(replaced(&text, signs, pattern), pattern.replace_all(&text, ""), "{text:?}");
            }
            for pattern in [&ROW, &ANYWHERE, &COLUMN] {
                assert!(may_have_move(&text) || !pattern.is_match(&text), "{text:?}");
            }
            for grouping in [Grouping::Usual, Grouping::Dot, Grouping::Blank] {
                let pattern = number_pattern(grouping);
                let mut numbers = Vec::new();
                let mut end = 0;
                while let Some(number) = next_number(&text, end, pattern) {
                    end = number.end;
                    numbers.push((text[number.start..end].to_owned(), number.is_decimal));
                }
                assert_eq!(numbers, by_pattern(&text, pattern), "{text:?}");
            }
        }
    }
}
