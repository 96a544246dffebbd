//! Lines that engines print in answer to perft, taken apart without regard to any position.
//!
//! Met in the wild: `e2e4: 600`, `e2e4 600`, `e2e4 - 600`, `Pe2-e4 = 600`, `e7e8Q: 1`, `a7b8=N 20`,
//! `1. Nf3 20`, `[ 3/20] e2e4: 600 (0.01 s)`, `info string O-O: 30`; `Nodes searched: 1,234`,
//! `Total: 400`, `400`, `8902 nodes, 5ms`, `perft(3) = 8902`, `info depth 3 nodes 8902`.

use std::sync::LazyLock;

use regex::Regex;

/// One line of output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A move and the numbers behind it, at least one.
    Row(RawRow),
    /// Any other line with numbers.
    Numbers(Numbers),
    /// What only a search prints: it was no perft.
    Search,
    /// No numbers.
    Other,
}

/// A row of a divide, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RawRow {
    /// The move.
    pub(crate) text: String,
    /// The numbers behind it.
    pub(crate) numbers: Vec<u64>,
}

/// A line with numbers that is no row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// Each number with its label: the words before it, from the number before it on; where there are
    /// none, `#` and the word behind it.
    pub(crate) places: Vec<(String, u64)>,
}

impl Numbers {
    /// The first number with this label.
    pub(crate) fn labelled(&self, label: &str) -> Option<u64> {
        let place = self.places.iter().find(|place| place.0 == label);
        place.map(|&(_, number)| number)
    }
}

const MOVE: &str = r"(?x)
    [NBRQKP]?[a-h][1-8][-x:]?[a-h][1-8](?:=?[A-Za-z]|=?\([A-Za-z]\))?(?:ep)?[+\#]?  # coordinates
    | [NBRQKP]?[a-h]?[1-8]?x?[a-h][1-8](?:=?[NBRQ])?[+\#]?                          # SAN
    | [O0o]-[O0o](?:-[O0o])?[+\#]?                                                  # castling
";

static ROW: LazyLock<Regex> = LazyLock::new(|| {
    let number_of_the_move = r"(?:\[?\s*\d+(?:\s*/\s*\d+)?[\].):]+\s*)?";
    let word = r"(?:(?i:move|perft|divide|root)\s*[:=]?\s+)?";
    let pattern = format!(
        r"^\s*(?:info\s+string\s+)?{number_of_the_move}{word}(?<move>{MOVE}
        )(?:\s*(?:[:=|,>]|->|=>|-\s)|\s|$)(?<rest>.*)$"
    );
    Regex::new(&pattern).expect("the pattern is well formed")
});

/// A decimal, which is a time or a share and never a count; or a number, maybe in groups of three.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?<decimal>\d+\.\d+)|(?<number>\d{1,3}(?:[,_'’]\d{3})+\b|\d+)")
        .expect("the pattern is well formed")
});

static SEARCH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:bestmove\b|info\b.*\b(?:pv|score)\s)").expect("the pattern is well formed")
});

/// Colours of a terminal.
static COLOUR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\x1b\[[0-9;]*[A-Za-z]").expect("the pattern is well formed"));

/// What consoles print before they read: `> `, `perft> `.
static PROMPT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*(?:\w*[>$]\s*)+").expect("the pattern is well formed"));

/// How much of a line is read, and how many numbers are taken from it: with the bound on lines they
/// bound the memory that an engine can take which says numbers for ever.
const MOST_BYTES: usize = 1_000;
const MOST_NUMBERS: usize = 32;

impl Line {
    /// Takes a line apart; what is behind its first 1,000 bytes says nothing.
    pub(crate) fn parse(text: &str) -> Self {
        let text = &text[..text.floor_char_boundary(MOST_BYTES)];
        let text = COLOUR.replace_all(text, "");
        let text = PROMPT.replace(&text, "");
        if SEARCH.is_match(&text) {
            return Self::Search;
        }
        if let Some(row) = ROW.captures(&text) {
            let places = take_numbers(&row["rest"]);
            if !places.is_empty() {
                return Self::Row(RawRow {
                    text: row["move"].to_owned(),
                    numbers: places.into_iter().map(|(_, number)| number).collect(),
                });
            }
        }
        match take_numbers(&text) {
            places if places.is_empty() => Self::Other,
            places => Self::Numbers(Numbers { places }),
        }
    }
}

impl Line {
    /// Nothing for a line that says nothing.
    pub(crate) fn with_numbers(self) -> Option<Self> {
        (self != Self::Other).then_some(self)
    }
}

/// The numbers with their labels. A decimal is none; one that does not fit is passed over.
fn take_numbers(text: &str) -> Vec<(String, u64)> {
    let mut places = Vec::new();
    let mut behind = 0;
    for found in NUMBER.captures_iter(text) {
        let whole = found.get(0).expect("the whole match");
        let before = text[..whole.start()].chars().next_back();
        let digits = whole.as_str().chars().filter(char::is_ascii_digit);
        let number = digits.collect::<String>().parse();
        // The digit of e4 is no number.
        let stands_alone = !before.is_some_and(char::is_alphanumeric);
        if places.len() == MOST_NUMBERS {
            break;
        }
        if let (None, true, Ok(number)) = (found.name("decimal"), stands_alone, number) {
            let label = label(&text[behind..whole.start()], &text[whole.end()..]);
            places.push((label, number));
        }
        if stands_alone {
            behind = whole.end();
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

    fn row(text: &str, numbers: &[u64]) -> Line {
        Line::Row(RawRow {
            text: text.to_owned(),
            numbers: numbers.to_vec(),
        })
    }

    fn numbers(places: &[(&str, u64)]) -> Line {
        let place = |&(label, number): &(&str, u64)| (label.to_owned(), number);
        Line::Numbers(Numbers {
            places: places.iter().map(place).collect(),
        })
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
        ] {
            assert_eq!(Line::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn other_lines() {
        for (text, expected) in [
            (
                "Nodes searched: 1,234",
                numbers(&[("nodes searched:", 1234)]),
            ),
            ("Total: 400", numbers(&[("total:", 400)])),
            ("400", numbers(&[("#", 400)])),
            ("> \x1b[1m400\x1b[0m", numbers(&[("#", 400)])),
            (
                "8902 nodes, 5ms",
                numbers(&[("#nodes", 8902), ("nodes,", 5)]),
            ),
            (
                "perft(3)  =  8902",
                numbers(&[("perft(", 3), (") =", 8902)]),
            ),
            (
                "info depth 3 nodes 8902 time 0.5",
                numbers(&[("info depth", 3), ("nodes", 8902)]),
            ),
            ("time 0.5 nodes 7", numbers(&[("nodes", 7)])),
            ("Total 1_000'000", numbers(&[("total", 1_000_000)])),
            ("99999999999999999999", Line::Other),
            ("bestmove e2e4 ponder e7e5", Line::Search),
            ("info depth 1 score cp 5 nodes 20 pv e2e4", Line::Search),
            ("readyok", Line::Other),
            ("", Line::Other),
            ("e2e4", Line::Other),
            (
                "Unknown command: 'perft 2'",
                numbers(&[("unknown command: 'perft", 2)]),
            ),
            ("e2e4e5 4", numbers(&[("e2e4e5", 4)])),
        ] {
            assert_eq!(Line::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn of_a_line_a_bounded_part_is_kept() {
        let Line::Numbers(many) = Line::parse(&"7 ".repeat(1 << 19)) else {
            panic!("they are numbers");
        };
        assert_eq!(many.places.len(), MOST_NUMBERS);
        let long = format!("{} 400", "x".repeat(2 * MOST_BYTES));
        assert_eq!(Line::parse(&long), Line::Other);
        let search = format!("info depth 1 score cp 5 pv {}", "e2e4 ".repeat(1000));
        assert_eq!(Line::parse(&search), Line::Search);
    }
}
