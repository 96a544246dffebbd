//! What an engine prints in answer to `go perft 1`.

use crate::model::MoveText;

/// A move and its count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The move, as it was printed.
    pub text: String,
    /// Its squares, where it is a move.
    pub squares: Option<MoveText>,
    /// The number behind it.
    pub count: u64,
}

/// A line of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Divide {
    /// A move and its count.
    Row(Row),
    /// A total, with which most answers end: the line without its digits.
    Total(String),
    /// What only a search prints.
    Search,
    /// `readyok`.
    Ready,
    /// Anything else.
    Other,
}

impl Row {
    /// Reads `e2e4: 1`, also without the colon, with `-` or `=` in its place, or behind `info string`. The first
    /// word has four or five letters and digits, among them a digit.
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        let line = line.strip_prefix("info string").unwrap_or(line).trim();
        let end = line
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(line.len());
        let (text, rest) = line.split_at(end);
        let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
        if !(4..=5).contains(&text.len()) || !has_digit {
            return None;
        }
        let count = rest
            .trim_start_matches([':', '-', '=', ' ', '\t'])
            .split_whitespace()
            .next()?;
        Some(Self {
            text: text.to_owned(),
            squares: text.parse().ok(),
            count: count.parse().ok()?,
        })
    }
}

impl Divide {
    /// Reads a line.
    pub fn parse(line: &str) -> Self {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("readyok") => return Self::Ready,
            Some("bestmove") => return Self::Search,
            Some("info") if words.any(|word| matches!(word, "pv" | "score")) => {
                return Self::Search;
            }
            _ => {}
        }
        if let Some(row) = Row::parse(line) {
            return Self::Row(row);
        }
        let line = line.to_ascii_lowercase();
        let is_total = ["nodes", "total"].iter().any(|word| line.contains(word));
        if is_total && line.bytes().any(|byte| byte.is_ascii_digit()) {
            let is_word = |c: &char| !c.is_ascii_digit();
            Self::Total(line.trim().chars().filter(is_word).collect())
        } else {
            Self::Other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_as_engines_print_them() {
        for line in [
            "e2e4: 1",
            " e2e4 1",
            "e2e4 - 1",
            "info string e2e4 = 1 (0 ms)",
        ] {
            let Divide::Row(row) = Divide::parse(line) else {
                panic!("{line}")
            };
            assert_eq!((&*row.text, row.count), ("e2e4", 1));
            assert!(row.squares.is_some());
        }
        let Divide::Row(row) = Divide::parse("0000: 1") else {
            panic!("a row that is no move")
        };
        assert_eq!(row.squares, None);
        for (line, words) in [
            ("Nodes searched: 20", "nodes searched: "),
            ("Total: 20", "total: "),
            ("info depth 1 nodes 20", "info depth  nodes "),
        ] {
            assert_eq!(Divide::parse(line), Divide::Total(words.to_owned()));
        }
        for line in ["bestmove e2e4", "info depth 1 score cp 3 nodes 20 pv e2e4"] {
            assert_eq!(Divide::parse(line), Divide::Search);
        }
        for line in [
            "",
            "id name X",
            "Unknown command: 'go perft 1'.",
            "info string hello",
            "éé",
        ] {
            assert_eq!(Divide::parse(line), Divide::Other, "{line}");
        }
        assert_eq!(Divide::parse(" readyok "), Divide::Ready);
    }
}
