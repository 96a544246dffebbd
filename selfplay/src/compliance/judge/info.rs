//! Validates `info` lines strictly, token by token.

use chess::notation::uci_move::UciMove;

/// The kind of value after a key.
#[derive(Clone, Copy)]
enum Value {
    /// A non-negative integer.
    Count,
    /// An integer.
    Number,
    /// Three counts, in permille.
    Chances,
    /// One move.
    Move,
    /// Any number of moves.
    Moves,
    /// An optional number, followed by moves.
    NumberedMoves,
    /// No value of its own: keys follow.
    Nothing,
    /// The rest of the line.
    Text,
}

/// The keys of `info`. `wdl` is not part of UCI, but widely supported.
const KEYS: [(&str, Value); 23] = [
    ("depth", Value::Count),
    ("seldepth", Value::Count),
    ("time", Value::Count),
    ("nodes", Value::Count),
    ("pv", Value::Moves),
    ("multipv", Value::Count),
    ("score", Value::Nothing),
    ("cp", Value::Number),
    ("mate", Value::Number),
    ("lowerbound", Value::Nothing),
    ("upperbound", Value::Nothing),
    ("wdl", Value::Chances),
    ("currmove", Value::Move),
    ("currmovenumber", Value::Count),
    ("hashfull", Value::Count),
    ("nps", Value::Count),
    ("tbhits", Value::Count),
    ("sbhits", Value::Count),
    ("cpuload", Value::Count),
    ("refutation", Value::Moves),
    ("currline", Value::NumberedMoves),
    ("string", Value::Text),
    ("info", Value::Nothing),
];

/// The faults of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::compliance) struct Faults {
    /// Invalid values, one sentence each.
    pub(in crate::compliance) values: Vec<String>,
    /// Tokens that are not part of UCI.
    pub(in crate::compliance) unknown: Vec<String>,
}

/// Validates a line that begins with `info`.
pub(in crate::compliance) fn judge(line: &str) -> Faults {
    let words: Vec<&str> = line.split_ascii_whitespace().skip(1).collect();
    let mut faults = Faults::default();
    let mut rest = &words[..];
    while let Some((key, after)) = rest.split_first() {
        rest = match find(key) {
            Some(Value::Text) => &[],
            Some(value) => take(key, value, after, &mut faults.values),
            None => {
                faults.unknown.push((*key).to_owned());
                after
            }
        };
    }
    if words.contains(&"score") && !words.iter().any(|word| matches!(*word, "cp" | "mate")) {
        faults.values.push("score without cp or mate".to_owned());
    }
    faults
}

fn find(word: &str) -> Option<Value> {
    KEYS.iter()
        .find(|(key, _)| *key == word)
        .map(|&(_, value)| value)
}

/// Consumes the value of `key` and returns the remaining words.
fn take<'a>(
    key: &str,
    value: Value,
    words: &'a [&'a str],
    faults: &mut Vec<String>,
) -> &'a [&'a str] {
    match value {
        Value::Nothing | Value::Text => words,
        Value::Count => take_one(key, words, "a whole number, 0 or more", is_count, faults),
        Value::Number => take_one(key, words, "a whole number", is_number, faults),
        Value::Move => take_one(key, words, "a move", is_move, faults),
        Value::Chances => (0..3).fold(words, |words, _| {
            take_one(key, words, "three whole numbers", is_count, faults)
        }),
        Value::Moves => take_moves(key, words, faults),
        Value::NumberedMoves => match words.split_first() {
            Some((number, moves)) if is_count(number) => take_moves(key, moves, faults),
            _ => take_moves(key, words, faults),
        },
    }
}

fn take_one<'a>(
    key: &str,
    words: &'a [&'a str],
    expected: &str,
    is_right: fn(&str) -> bool,
    faults: &mut Vec<String>,
) -> &'a [&'a str] {
    match words.split_first() {
        Some((word, rest)) if is_right(word) => rest,
        Some((word, rest)) if find(word).is_none() => {
            faults.push(format!("{key} is '{word}', expected {expected}"));
            rest
        }
        // Followed by a key of its own, or by nothing.
        _ => {
            faults.push(format!("{key} has no value, expected {expected}"));
            words
        }
    }
}

fn take_moves<'a>(key: &str, words: &'a [&'a str], faults: &mut Vec<String>) -> &'a [&'a str] {
    let count = words.iter().take_while(|word| find(word).is_none()).count();
    let (moves, rest) = words.split_at(count);
    if let Some(word) = moves.iter().find(|word| !is_move(word)) {
        faults.push(format!("{key} has '{word}', which is no move"));
    }
    rest
}

fn is_count(word: &str) -> bool {
    word.parse::<u64>().is_ok()
}

fn is_number(word: &str) -> bool {
    word.parse::<i32>().is_ok()
}

fn is_move(word: &str) -> bool {
    word.parse::<UciMove>().is_ok()
}

/// The words after `key` in a line, up to the next key.
pub(in crate::compliance) fn values<'a>(line: &'a str, key: &str) -> Vec<&'a str> {
    let words: Vec<&str> = line
        .split_ascii_whitespace()
        .take_while(|word| *word != "string")
        .collect();
    let after = words.iter().position(|word| *word == key);
    let Some(index) = after else {
        return Vec::new();
    };
    words[index + 1..]
        .iter()
        .copied()
        .take_while(|word| find(word).is_none())
        .collect()
}

/// The number after `key`.
pub(in crate::compliance) fn number(line: &str, key: &str) -> Option<u64> {
    values(line, key).first()?.parse().ok()
}

/// Whether the line has an exact score (neither lowerbound nor upperbound).
pub(in crate::compliance) fn has_exact_score(line: &str) -> bool {
    let has = |key| !values(line, key).is_empty();
    let mut words = line.split_ascii_whitespace();
    (has("cp") || has("mate")) && !words.any(|word| matches!(word, "lowerbound" | "upperbound"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sound_lines() {
        let rows = [
            "info depth 20 seldepth 30 multipv 1 score cp -13 wdl 100 800 100 nodes 5 nps 5 \
             hashfull 0 tbhits 0 time 1 pv e2e4 e7e5",
            "info score mate -3 upperbound depth 1",
            "info score lowerbound cp 3",
            "info string depth is what it is",
            "info depth 3 currmove e2e4 currmovenumber 1",
            "info currline 1 e2e4 e7e5",
            "info refutation d1h5 g6h5",
            "info nodes 1 pv",
            "info",
        ];
        for line in rows {
            assert_eq!(judge(line), Faults::default(), "{line}");
        }
    }

    #[test]
    fn unsound_lines() {
        let rows = [
            (
                "info depth x",
                "depth is 'x', expected a whole number, 0 or more",
            ),
            (
                "info time 1.5",
                "time is '1.5', expected a whole number, 0 or more",
            ),
            (
                "info nodes -5",
                "nodes is '-5', expected a whole number, 0 or more",
            ),
            (
                "info nodes pv e2e4",
                "nodes has no value, expected a whole number, 0 or more",
            ),
            ("info score cp 0.3", "cp is '0.3', expected a whole number"),
            ("info score 13 pv e2e4", "score without cp or mate"),
            ("info pv e2e4 Nf6", "pv has 'Nf6', which is no move"),
            ("info currmove e9e4", "currmove is 'e9e4', expected a move"),
            (
                "info wdl 1 2",
                "wdl has no value, expected three whole numbers",
            ),
        ];
        for (line, expected) in rows {
            assert_eq!(judge(line).values, [expected], "{line}");
        }
    }

    #[test]
    fn unknown_words_are_named() {
        let faults = judge("info depth 1 temperature 40 score cp 1");
        assert_eq!(faults.unknown, ["temperature", "40"]);
        assert!(faults.values.is_empty());
    }

    #[test]
    fn values_of_keys() {
        let line = "info depth 3 score cp 5 pv e2e4 e7e5 nodes 12 string nodes 13";
        assert_eq!(values(line, "pv"), ["e2e4", "e7e5"]);
        assert_eq!(number(line, "nodes"), Some(12));
        assert_eq!(number(line, "time"), None);
        assert!(has_exact_score(line));
        assert!(!has_exact_score("info score cp 5 lowerbound"));
        assert!(!has_exact_score("info depth 5"));
    }
}
