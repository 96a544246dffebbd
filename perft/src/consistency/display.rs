//! Reads what is printed on `position` and `d`: the lines `Fen:`, `Key:` and `Checkers:`, in any order, among others.

use chess::rules::{Bitboard, Square};

/// What an engine prints of its position. Every line is optional.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Display {
    pub(crate) fen: Option<String>,
    /// In lower case, without `0x` and `ULL`. Its digits are never interpreted: keys are only compared.
    pub(crate) key: Option<String>,
    pub(crate) checkers: Option<Bitboard>,
}

/// The names of the key's line, without blanks. Stockfish writes `Key`, its relatives and others one of
/// these.
const KEY: [&str; 7] = [
    "key",
    "hashkey",
    "zobrist",
    "zobristkey",
    "zobristhash",
    "positionkey",
    "poskey",
];

/// Digits of a key in a line `Hash`.
const SHORTEST_HASH: usize = 8;

impl Display {
    /// The last line of each name counts: an engine that prints after every move ends with the position
    /// that was asked for. A FEN alone on a line, as Ethereal and Glaurung print it, is read if there is
    /// no line `Fen:`. What cannot be read is treated as missing.
    pub(crate) fn read(lines: &[String]) -> Self {
        let mut display = Self::default();
        let mut bare_fen = None;
        for line in lines {
            let Some((name, value)) = line.split_once(':') else {
                if looks_like_fen(line) {
                    bare_fen = Some(line.trim().to_owned());
                }
                continue;
            };
            let name = name.to_ascii_lowercase().replace([' ', '\t'], "");
            let value = value.trim().trim_matches('"');
            if name == "fen" && !value.is_empty() {
                display.fen = Some(value.to_owned());
            } else if name == "checkers" {
                display.checkers = squares(value).or(display.checkers);
            } else if KEY.contains(&name.as_str()) {
                display.key = key(value).or(display.key);
            } else if name == "hash" {
                // A short number is the size of the hash table.
                let key = key(value).filter(|key| key.len() >= SHORTEST_HASH);
                display.key = key.or(display.key);
            }
        }
        display.fen = display.fen.or(bare_fen);
        display
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether all that both have is the same; `None` if they have nothing in common.
    pub(super) fn agrees_with(&self, other: &Self) -> Option<bool> {
        fn same<T: PartialEq>(one: Option<&T>, other: Option<&T>) -> Option<bool> {
            Some(one? == other?)
        }
        let compared = [
            same(self.fen.as_ref(), other.fen.as_ref()),
            same(self.key.as_ref(), other.key.as_ref()),
            same(self.checkers.as_ref(), other.checkers.as_ref()),
        ];
        compared
            .into_iter()
            .flatten()
            .reduce(|one, other| one && other)
    }
}

fn looks_like_fen(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words
        .next()
        // FEN: eight ranks are separated by seven slashes.
        .is_some_and(|word| word.matches('/').count() == 7)
        && words.next().is_some_and(|word| matches!(word, "w" | "b"))
}

/// A number as programs write it: `8F8F01D4562F59FB`, `0x8f8f…`, `8919559085509747145ULL`, or signed.
fn key(value: &str) -> Option<String> {
    let word = value.split_whitespace().next()?.to_ascii_lowercase();
    let (sign, digits) = match word.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", word.as_str()),
    };
    let digits = digits.strip_prefix("0x").unwrap_or(digits);
    // C writes unsigned long numbers with these suffixes.
    let digits = digits.trim_end_matches(['u', 'l']);
    let is_key = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_key.then(|| format!("{sign}{digits}"))
}

/// Squares separated by blanks or commas; `-` and `(none)` mean that there is none.
fn squares(value: &str) -> Option<Bitboard> {
    let words = value
        .split([' ', ',', '\t'])
        .filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_ascii_lowercase).collect();
    match words.as_slice() {
        [word] if ["-", "none", "(none)"].contains(&word.as_str()) => Some(Bitboard::EMPTY),
        words => words
            .iter()
            .map(|word| word.parse::<Square>().ok())
            .collect(),
    }
}

/// The moves of a line `moves: e2e4 …`, the answer to `list`; `None` if there is no such line.
pub(crate) fn listed_moves(lines: &[String]) -> Option<Vec<String>> {
    let mut lines = lines.iter().filter_map(|line| line.split_once(':'));
    let (_, moves) = lines.find(|(name, _)| name.trim().eq_ignore_ascii_case("moves"))?;
    Some(moves.split_whitespace().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> [String; 3] {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let display = Display::read(&lines);
        let checkers = display.checkers.map(|set| {
            let squares: Vec<String> = set.into_iter().map(|square| square.to_string()).collect();
            format!("[{}]", squares.join(" "))
        });
        [display.fen, display.key, checkers].map(Option::unwrap_or_default)
    }

    #[test]
    fn the_lines_are_read_in_every_form() {
        let fen = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
        for (text, expected) in [
            // Stockfish.
            (
                format!("\nFen: {fen}\nKey: 8F8F01D4562F59FB\nCheckers: e2 "),
                [fen, "8f8f01d4562f59fb", "[e2]"],
            ),
            (
                format!("checkers:\nFEN:\"{fen}\"\r\nhash : 0xABCDEF01"),
                [fen, "abcdef01", "[]"],
            ),
            // Cfish prints a tablebase result behind the checkers, others a word for none.
            (
                "Checkers: (none)\nZobrist key: 12 (pawns 7)".to_owned(),
                ["", "12", "[]"],
            ),
            ("Checkers: e2, f3".to_owned(), ["", "", "[e2 f3]"]),
            // Fairy-Stockfish: the side to move of an SFEN is the other one.
            (format!("Fen: {fen}\nSfen: 4k4/9 b - 1"), [fen, "", ""]),
            // Ethereal.
            (format!("  A B C\n\n{fen}\n"), [fen, "", ""]),
            (format!("{fen}\nFen: x"), ["x", "", ""]),
            ("Fen:\nKey: none\nCheckers: 0x10".to_owned(), ["", "", ""]),
            ("Hash: 16 MB".to_owned(), ["", "", ""]),
            // BBC and its descendants, VICE, engines with signed numbers.
            (
                "     Castling:  KQkq\n\n     Hash key:  78bb98ad1d11ba89".to_owned(),
                ["", "78bb98ad1d11ba89", ""],
            ),
            (
                "side:w\ncastle:KQkq\nPosKey:AE47EB57C0BD380E".to_owned(),
                ["", "ae47eb57c0bd380e", ""],
            ),
            (
                "Hash Key: 8919559085509747145ULL".to_owned(),
                ["", "8919559085509747145", ""],
            ),
            ("key: 0x7BC8ull,".to_owned(), ["", "", ""]),
            ("key: 0x7BC8ull".to_owned(), ["", "7bc8", ""]),
            ("  Key:\t-75680834".to_owned(), ["", "-75680834", ""]),
            (
                "hash: -4821000000000000123".to_owned(),
                ["", "-4821000000000000123", ""],
            ),
            (
                "Key: -\nKey: ULL\nKey: --1\nKey: 0x-1".to_owned(),
                ["", "", ""],
            ),
            // After every move, and a size behind it.
            (
                format!(
                    "{fen}\nKey: 1\nCheckers: a1\n4k3/8/8/8/8/8/8/4K3 b - -\nKey: 2\nCheckers:\nHash: 16"
                ),
                ["4k3/8/8/8/8/8/8/4K3 b - -", "2", "[]"],
            ),
            (format!("Fen: x\nFen: {fen}\nFen:"), [fen, "", ""]),
            ("Unknown command: 'd'".to_owned(), ["", "", ""]),
        ] {
            assert_eq!(read(&text), expected, "{text}");
        }
    }

    #[test]
    fn only_what_both_print_is_compared() {
        for (one, other, expected) in [
            ("Key: 1\nFen: x", "Key: 1", Some(true)),
            ("Key: 1\nFen: x", "Key: 1\nFen: y", Some(false)),
            ("Key: 1\nFen: x", "Key: 2\nFen: x", Some(false)),
            ("Checkers: e2", "Checkers:", Some(false)),
            ("Key: 1", "Fen: x", None),
            ("Key: 1", "", None),
            ("", "", None),
        ] {
            let [one, other] = [one, other].map(|text| {
                let lines: Vec<String> = text.lines().map(str::to_owned).collect();
                Display::read(&lines)
            });
            assert_eq!(one.agrees_with(&other), expected, "{one:?} {other:?}");
        }
    }

    #[test]
    fn lists_are_read() {
        let lines = ["Legal moves: 1 a2a3", "Moves: e2e4  d2d4"].map(str::to_owned);
        assert_eq!(
            listed_moves(&lines),
            Some(vec!["e2e4".to_owned(), "d2d4".to_owned()])
        );
        assert_eq!(listed_moves(&lines[..1]), None);
        assert_eq!(listed_moves(&["moves:".to_owned()]), Some(Vec::new()));
    }
}
