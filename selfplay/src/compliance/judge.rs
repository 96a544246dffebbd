//! Judges the answers of an engine: pure functions of text.

use chess::notation::fen;
use chess::notation::uci_move::UciMove;
use chess::rules::{Move, Position};
use uci::grammar::{EngineOption, Message, OptionKind};

use super::question::PositionQuestion;

// Validates `bestmove` and sequences of moves.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JudgedOutput {
    pub(crate) best: Move,
    pub(crate) text: String,
    pub(crate) ponder: Option<String>,
}

/// Parses `bestmove` strictly: the move must be legal in the question's position, in its castling
/// mode. The ponder move is not validated here.
pub(crate) fn read(question: &PositionQuestion, line: &str) -> Result<JudgedOutput, String> {
    let mut words = line.split_ascii_whitespace().skip(1);
    let Some(text) = words.next() else {
        return Err("bestmove without a move".to_owned());
    };
    let position = question.position();
    if is_no_move(line) {
        let count = position.legal_move_count();
        return Err(format!(
            "bestmove {text}, but {} has {count} legal moves",
            fen::write(position)
        ));
    }
    let best = legal(question, position, text)?;
    let ponder = words.next().filter(|&word| word == "ponder");
    Ok(JudgedOutput {
        best,
        text: text.to_owned(),
        ponder: ponder.and_then(|_| words.next()).map(str::to_owned),
    })
}

/// Parses a legal move of a position that is reached from the question's position.
fn legal(question: &PositionQuestion, position: &Position, text: &str) -> Result<Move, String> {
    let parsed: UciMove = text.parse().map_err(|error| format!("{error}"))?;
    parsed
        .to_move(position, question.mode)
        .ok_or_else(|| format!("{text} is not a legal move in {}", fen::write(position)))
}

/// Validates a sequence of moves from the question's position.
pub(crate) fn legal_line(question: &PositionQuestion, moves: &[&str]) -> Result<(), String> {
    let mut position = *question.position();
    for (index, text) in moves.iter().enumerate() {
        let m = legal(question, &position, text)
            .map_err(|error| format!("move {} of '{}': {error}", index + 1, moves.join(" ")))?;
        position = position.play_unchecked(m);
    }
    Ok(())
}

/// Whether the line reports that there is no move: `(none)`, `0000`, or common variants of them.
pub(crate) fn is_no_move(line: &str) -> bool {
    let word = line.split_ascii_whitespace().nth(1).unwrap_or("");
    matches!(word, "(none)" | "0000" | "NULL" | "none")
}

// Validates `info` lines strictly, token by token.

#[derive(Clone, Copy)]
enum Value {
    Count,
    Number,
    Chances,
    Move,
    Moves,
    NumberedMoves,
    /// No value of its own: keys follow.
    Nothing,
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

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Faults {
    pub(crate) values: Vec<String>,
    /// Tokens that are not part of UCI.
    pub(crate) unknown: Vec<String>,
}

/// Validates a line that begins with `info`.
pub(crate) fn judge(line: &str) -> Faults {
    let words: Vec<&str> = words_of(line).skip(1).collect();
    let mut faults = Faults::default();
    let mut rest = &words[..];
    while let Some((key, after)) = rest.split_first() {
        rest = if let Some(value) = find(key) {
            take(key, value, after, &mut faults.values)
        } else {
            faults.unknown.push((*key).to_owned());
            after
        };
    }
    if words.contains(&"score") && !words.iter().any(|word| matches!(*word, "cp" | "mate")) {
        faults.values.push("score without cp or mate".to_owned());
    }
    faults
}

/// The words of a line without its text: after `string`, "the rest of the line will be interpreted as <str>" (UCI).
fn words_of(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split_ascii_whitespace();
    words.take_while(|word| *word != "string")
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
            // UCI: `currline <cpunr> <move1> ...`, where `<cpunr>` can be omitted by an engine on
            // one CPU.
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
        faults.push(format!("{key} has '{word}', which is not a move"));
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
pub(crate) fn values<'a>(line: &'a str, key: &str) -> Vec<&'a str> {
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

pub(crate) fn number(line: &str, key: &str) -> Option<u64> {
    values(line, key).first()?.parse().ok()
}

/// Whether the line has an exact score (neither lowerbound nor upperbound).
pub(crate) fn has_exact_score(line: &str) -> bool {
    let has = |key| !values(line, key).is_empty();
    let mut words = words_of(line);
    (has("cp") || has("mate")) && !words.any(|word| matches!(word, "lowerbound" | "upperbound"))
}

// Validates the options that an engine declares.

/// Malformed lines that begin with `option`, and duplicate names.
pub(crate) fn unreadable(lines: &[String]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for line in lines.iter().filter(|line| is_option(line)) {
        let Message::Option(option) = Message::parse(line) else {
            faults.push(format!("'{line}' has no name or no type that UCI knows"));
            continue;
        };
        // UCI: names and values of options are not case-sensitive.
        let name = option.name.to_lowercase();
        if names.contains(&name) {
            faults.push(format!("option '{}' is declared twice", option.name));
        }
        names.push(name);
    }
    faults
}

fn is_option(line: &str) -> bool {
    line.split_ascii_whitespace().next() == Some("option")
}

pub(crate) fn declared(lines: &[String]) -> Vec<EngineOption> {
    let read = |line: &String| match Message::parse(line) {
        Message::Option(option) => Some(option),
        _ => None,
    };
    lines.iter().filter_map(read).collect()
}

/// An inconsistency in the declaration of an option, if there is one.
pub(crate) fn inconsistent(option: &EngineOption) -> Option<String> {
    let what = match &option.kind {
        OptionKind::Check { default: None } => "has no default that is true or false".to_owned(),
        OptionKind::Spin { default, min, max } => spin(*default, *min, *max)?,
        OptionKind::Combo { default, vars } => combo(default.as_deref(), vars)?,
        // A button has no default, and any text may be the default of a string.
        OptionKind::Check { .. } | OptionKind::Button | OptionKind::String { .. } => return None,
    };
    Some(format!("option '{}' {what}", option.name))
}

fn spin(default: Option<i128>, min: Option<i128>, max: Option<i128>) -> Option<String> {
    let (Some(default), Some(min), Some(max)) = (default, min, max) else {
        let missing = [("default", default), ("min", min), ("max", max)];
        let missing = missing.iter().find(|(_, value)| value.is_none());
        let (key, _) = missing.expect("one of them is missing");
        return Some(format!("has no {key} that is a whole number"));
    };
    if min > max {
        return Some(format!("has min {min} above max {max}"));
    }
    let is_within = (min..=max).contains(&default);
    (!is_within).then(|| format!("has default {default}, which is not from {min} to {max}"))
}

fn combo(default: Option<&str>, vars: &[String]) -> Option<String> {
    let Some(default) = default else {
        return Some("has no default".to_owned());
    };
    let is_var = vars.iter().any(|var| var.eq_ignore_ascii_case(default));
    (!is_var).then(|| format!("has default '{default}', which is none of its values"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROMOTION: &str = "k7/6P1/8/8/8/1q6/8/K7 w - - 0 1";

    fn judged(question: &PositionQuestion, line: &str) -> String {
        match read(question, line) {
            Ok(JudgedOutput { text, ponder, .. }) => format!("{text} {ponder:?}"),
            Err(fault) => fault,
        }
    }

    #[test]
    fn answers() {
        let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let rows = rows![
            "startpos", "bestmove e2e4 ponder e7e5" => "e2e4 Some(\"e7e5\")";
            "startpos", "bestmove e2e4" => "e2e4 None";
            "startpos", "bestmove" => "bestmove without a move";
            "startpos", "bestmove e2e5" =>
                "e2e5 is not a legal move in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
            "startpos", "bestmove (none)" =>
                "bestmove (none), but rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 has 20 legal moves";
            "8/8/8/8/8/8/6Pk/K7 w - - 0 1", "bestmove Ka1" =>
                "'Ka1' has 3 characters, a UCI move has 4 or 5, such as e2e4 or e7e8q";
            castling, "bestmove e1g1" => "e1g1 None";
            castling, "bestmove e1h1" => "e1h1 is not a legal move in 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        ];
        for (start, line, expected) in rows {
            let question = if start == "startpos" {
                PositionQuestion::startpos()
            } else {
                PositionQuestion::fen(start)
            };
            assert_eq!(judged(&question, line), expected);
        }
        let question = PositionQuestion::fen(castling).chess960();
        assert_eq!(judged(&question, "bestmove e1h1"), "e1h1 None");
        assert!(judged(&question, "bestmove e1g1").contains("not a legal move"));
    }

    #[test]
    fn promotions_are_in_lower_case() {
        let question = PositionQuestion::fen(PROMOTION);
        assert_eq!(judged(&question, "bestmove g7g8q"), "g7g8q None");
        assert_eq!(
            judged(&question, "bestmove g7g8Q"),
            "'g7g8Q' promotes to 'Q', expected q, r, b or n in lower case"
        );
        assert!(judged(&question, "bestmove g7g8").contains("not a legal move"));
    }

    #[test]
    fn lines_are_legal_to_the_end() {
        let question = PositionQuestion::startpos();
        assert_eq!(legal_line(&question, &["e2e4", "e7e5", "g1f3"]), Ok(()));
        assert_eq!(
            legal_line(&question, &["e2e4", "e2e5"]).expect_err("illegal"),
            "move 2 of 'e2e4 e2e5': e2e5 is not a legal move in \
             rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
        );
    }

    #[test]
    fn no_move_has_many_names() {
        for line in ["bestmove (none)", "bestmove 0000", "bestmove NULL"] {
            assert!(is_no_move(line));
        }
        for line in ["bestmove e2e4", "bestmove"] {
            assert!(!is_no_move(line));
        }
    }

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
        let text = "info string the score has not changed";
        assert_eq!(judge(text), Faults::default());
    }

    #[test]
    fn unsound_lines() {
        let rows = rows![
            "info depth x" => "depth is 'x', expected a whole number, 0 or more";
            "info time 1.5" => "time is '1.5', expected a whole number, 0 or more";
            "info nodes -5" => "nodes is '-5', expected a whole number, 0 or more";
            "info nodes pv e2e4" => "nodes has no value, expected a whole number, 0 or more";
            "info score cp 0.3" => "cp is '0.3', expected a whole number";
            "info score 13 pv e2e4" => "score without cp or mate";
            "info score 13 string cp 13" => "score without cp or mate";
            "info pv e2e4 Nf6" => "pv has 'Nf6', which is not a move";
            "info currmove e9e4" => "currmove is 'e9e4', expected a move";
            "info wdl 1 2" => "wdl has no value, expected three whole numbers";
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
        assert!(has_exact_score("info score cp 5 string no lowerbound"));
        assert!(!has_exact_score("info score cp 5 lowerbound"));
        assert!(!has_exact_score("info depth 5"));
    }

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn sound_options() {
        let lines = lines(
            "option name Hash type spin default 16 min 1 max 1024\n\
             option name Clear Hash type button\n\
             option name Style type combo default Solid var Solid var Risky\n\
             option name Ponder type check default false\n\
             option name Book type string default <empty>\n\
             option name File type string\n\
             option name Seed type spin default 0 min 0 max 18446744073709551615",
        );
        assert!(unreadable(&lines).is_empty());
        let declared = declared(&lines);
        assert_eq!(declared.len(), 7);
        assert_eq!(declared.iter().find_map(inconsistent), None);
    }

    #[test]
    fn unreadable_options() {
        let lines = lines(
            "option name Hash type spin default 16 min 1 max 1024\n\
             option name Hash2 type slider default 1\n\
             option type check default false\n\
             optional\n\
             option name HASH type button",
        );
        assert_eq!(
            unreadable(&lines),
            [
                "'option name Hash2 type slider default 1' has no name or no type that UCI knows",
                "'option type check default false' has no name or no type that UCI knows",
                "option 'HASH' is declared twice",
            ]
        );
    }

    #[test]
    fn inconsistent_options() {
        let rows = rows![
            "spin default 0 min 1 max 9" => "has default 0, which is not from 1 to 9";
            "spin default 3 min 9 max 1" => "has min 9 above max 1";
            "spin default 3 min 1" => "has no max that is a whole number";
            "spin default x min 1 max 2" => "has no default that is a whole number";
            "check default yes" => "has no default that is true or false";
            "combo var a var b" => "has no default";
            "combo default c var a var b" => "has default 'c', which is none of its values";
        ];
        for (kind, expected) in rows {
            let line = format!("option name X type {kind}");
            let options = declared(&[line]);
            let fault = inconsistent(&options[0]);
            assert_eq!(fault, Some(format!("option 'X' {expected}")));
        }
    }
}
