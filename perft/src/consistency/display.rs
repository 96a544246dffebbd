//! Reads the answer to `d`: the lines `Fen:`, `Key:` and `Checkers:`, in any order, among others.

use chess::rules::{Bitboard, Square};

/// What an engine prints of its position. Every line is optional.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Display {
    pub(crate) fen: Option<String>,
    /// In lower case, without `0x`. Its digits are never interpreted: keys are only compared.
    pub(crate) key: Option<String>,
    pub(crate) checkers: Option<Bitboard>,
}

/// The names of the key's line. Stockfish writes `Key`, its relatives and others one of these.
const KEY: [&str; 6] = [
    "key",
    "hash key",
    "zobrist",
    "zobrist key",
    "zobrist hash",
    "position key",
];

/// Digits of a key in a line `Hash`.
const SHORTEST_HASH: usize = 8;

impl Display {
    /// The first line of each name counts. A FEN alone on a line, as Ethereal and Glaurung print it, is
    /// read if there is no line `Fen:`. What cannot be read is treated as missing.
    pub(crate) fn read(lines: &[String]) -> Self {
        let mut display = Self::default();
        let mut bare_fen = None;
        for line in lines {
            let Some((name, value)) = line.split_once(':') else {
                if bare_fen.is_none() && looks_like_fen(line) {
                    bare_fen = Some(line.trim().to_owned());
                }
                continue;
            };
            let name = name.trim().to_ascii_lowercase();
            let value = value.trim().trim_matches('"');
            if name == "fen" {
                display.fen.get_or_insert_with(|| value.to_owned());
            } else if name == "checkers" {
                display.checkers = display.checkers.or_else(|| squares(value));
            } else if KEY.contains(&name.as_str()) {
                display.key = display.key.or_else(|| key(value));
            } else if name == "hash" {
                // A short number is the size of the hash table.
                let key = key(value).filter(|key| key.len() >= SHORTEST_HASH);
                display.key = display.key.or(key);
            }
        }
        display.fen = display.fen.filter(|fen| !fen.is_empty()).or(bare_fen);
        display
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn looks_like_fen(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words
        .next()
        .is_some_and(|word| word.matches('/').count() == 7)
        && words.next().is_some_and(|word| matches!(word, "w" | "b"))
}

fn key(value: &str) -> Option<String> {
    let word = value.split_whitespace().next()?.to_ascii_lowercase();
    let digits = word.strip_prefix("0x").unwrap_or(&word);
    let is_key = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_key.then(|| digits.to_owned())
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
            ("Unknown command: 'd'".to_owned(), ["", "", ""]),
        ] {
            assert_eq!(read(&text), expected, "{text}");
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
