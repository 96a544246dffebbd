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
    /// The line with `#` for each number, so that lines of one form are equal.
    pub(crate) form: String,
    /// The numbers.
    pub(crate) numbers: Vec<u64>,
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

impl Line {
    /// Takes a line apart.
    pub(crate) fn parse(text: &str) -> Self {
        if SEARCH.is_match(text) {
            return Self::Search;
        }
        if let Some(row) = ROW.captures(text) {
            let (_, numbers) = take_numbers(&row["rest"]);
            if !numbers.is_empty() {
                let text = row["move"].to_owned();
                return Self::Row(RawRow { text, numbers });
            }
        }
        let (form, numbers) = take_numbers(text);
        if numbers.is_empty() {
            Self::Other
        } else {
            Self::Numbers(Numbers { form, numbers })
        }
    }
}

impl Line {
    /// Nothing for a line that says nothing.
    pub(crate) fn with_numbers(self) -> Option<Self> {
        (self != Self::Other).then_some(self)
    }
}

/// The text with `#` for numbers and `~` for decimals, blanks made alike, and the numbers. One that
/// does not fit is left as it is.
fn take_numbers(text: &str) -> (String, Vec<u64>) {
    let mut numbers = Vec::new();
    let form = NUMBER.replace_all(text, |found: &regex::Captures<'_>| {
        let whole = found.get(0).expect("the whole match");
        let before = text[..whole.start()].chars().next_back();
        if found.name("decimal").is_some() {
            return "~".to_owned();
        }
        let digits: String = whole
            .as_str()
            .chars()
            .filter(char::is_ascii_digit)
            .collect();
        match digits.parse() {
            // The digit of e4 is no number.
            Ok(number) if !before.is_some_and(char::is_alphanumeric) => {
                numbers.push(number);
                "#".to_owned()
            }
            _ => whole.as_str().to_owned(),
        }
    });
    let form = form.split_whitespace().collect::<Vec<_>>().join(" ");
    (form, numbers)
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

    fn numbers(form: &str, numbers: &[u64]) -> Line {
        Line::Numbers(Numbers {
            form: form.to_owned(),
            numbers: numbers.to_vec(),
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
                numbers("Nodes searched: #", &[1234]),
            ),
            ("Total: 400", numbers("Total: #", &[400])),
            ("400", numbers("#", &[400])),
            ("8902 nodes, 5ms", numbers("# nodes, #ms", &[8902, 5])),
            ("perft(3)  =  8902", numbers("perft(#) = #", &[3, 8902])),
            (
                "info depth 3 nodes 8902 time 0.5",
                numbers("info depth # nodes # time ~", &[3, 8902]),
            ),
            ("Total 1_000'000", numbers("Total #", &[1_000_000])),
            ("99999999999999999999", Line::Other),
            ("bestmove e2e4 ponder e7e5", Line::Search),
            ("info depth 1 score cp 5 nodes 20 pv e2e4", Line::Search),
            ("readyok", Line::Other),
            ("", Line::Other),
            ("e2e4", Line::Other),
            (
                "Unknown command: 'perft 2'",
                numbers("Unknown command: 'perft #'", &[2]),
            ),
            ("e2e4e5 4", numbers("e2e4e5 #", &[4])),
        ] {
            assert_eq!(Line::parse(text), expected, "{text}");
        }
    }
}
