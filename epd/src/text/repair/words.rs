//! Recognises words: moves, numbers, mates, and sentences as opposed to operations.

use chess::notation::san::{self, ParseSanError};
use chess::rules::Position;

use crate::text::operation::is_count;
use crate::text::scan::{EpdToken, EpdTokenKind};
use crate::text::value::is_known;

/// Whether a word belongs to a sentence: two letters or more, punctuation and brackets aside.
pub(super) fn is_sentence_word(word: &str) -> bool {
    let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
    let letters = inner.chars().take_while(|c| c.is_alphabetic()).count();
    // A single letter may be a field, a piece or a file.
    letters >= 2 && inner.chars().all(|c| c.is_alphabetic() || "'-".contains(c))
}

/// Whether a word looks like a move.
pub(super) fn is_move_like(word: &str, position: &Position) -> bool {
    !matches!(
        san::parse_lenient(word, position),
        Err(ParseSanError::Syntax { .. })
    )
}

/// Whether these tokens are certainly a sentence: they have at least two words of one.
pub(super) fn is_sentence(tokens: &[EpdToken<'_>]) -> bool {
    let is_word = |token: &&EpdToken<'_>| token.kind == EpdTokenKind::Word;
    let words = tokens.iter().filter(is_word);
    words.filter(|token| is_sentence_word(token.text)).count() >= 2
}

/// Whether these words are certainly not an operation, whatever they mean: the first cannot be an
/// opcode, as in `00:09 @ C4/R1` or `Duals(2)`, and none is an opcode or looks like a move. Numbers
/// alone may be a perft count that lost its depth.
pub(super) fn is_remark(words: &[EpdToken<'_>], position: &Position) -> bool {
    let is_digits = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let may_be_opcode = |word: &str| {
        let is_inner = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        word.starts_with(char::is_alphabetic) && word.chars().all(is_inner)
    };
    let may_mean_something = |token: &EpdToken<'_>| {
        is_known(token.text)
            || is_count(token.text)
            || is_move_like(token.text, position)
            || token.text.ends_with('\\')
    };
    !may_be_opcode(words[0].text)
        && !words.iter().all(|token| is_digits(token.text))
        && !words.iter().any(may_mean_something)
}

/// Whether every operand is a typical one: a number, a move, a string.
pub(super) fn are_operands(tokens: &[EpdToken<'_>], position: &Position) -> bool {
    tokens.iter().all(|token| {
        token.kind == EpdTokenKind::Text
            || !is_sentence_word(token.text)
            || is_move_like(token.text, position)
    })
}

/// Parses an announced mate, in moves: `#3`, `M3`, `+M3`, `-M3`, `#-3`, `mate3`; negative if the
/// side to move is mated.
pub(super) fn mate(word: &str) -> Option<i64> {
    let (sign, rest) = signed(word);
    let rest = rest
        .strip_prefix(['#', 'M'])
        .or_else(|| rest.strip_prefix("mate"))?;
    // Both `-M3` and `#-3` are in use.
    let (inner, digits) = signed(rest);
    let moves: i64 = digits.parse().ok().filter(|_| is_digits(digits))?;
    let is_in_range = (1..=10_000).contains(&moves);
    is_in_range.then_some(sign * inner * moves)
}

fn signed(text: &str) -> (i64, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    }
}

pub(super) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The canonical form of a number: no `+`, no leading zeros, no digit grouping as in `1,234`: a
/// first group of one to three, then groups of three.
pub(super) fn canonical(text: &str) -> Option<String> {
    let (sign, digits) = signed(text);
    let mut groups = digits.split(',');
    let first = groups.next()?;
    let is_grouped = digits.len() > first.len();
    let is_first = is_digits(first) && (!is_grouped || first.len() <= 3);
    if !is_first || !groups.all(|group| group.len() == 3 && is_digits(group)) {
        return None;
    }
    let digits = digits.replace(',', "");
    Some(match (digits.trim_start_matches('0'), sign) {
        ("", _) => "0".to_owned(),
        (digits, -1) => format!("-{digits}"),
        (digits, _) => digits.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::value::mate_evaluation;

    #[test]
    fn mates_are_read_and_valued() {
        let rows = [
            ("#3", Some(3), 32762),
            ("M1", Some(1), 32766),
            ("+M2", Some(2), 32764),
            ("-M2", Some(-2), -32763),
            ("#-1", Some(-1), -32765),
            ("mate15", Some(15), 32738),
            // 32,000 and less would be centipawns.
            ("#383", Some(383), 32002),
            ("#384", Some(384), 32001),
            ("mate10000", Some(10_000), 32001),
            ("-M383", Some(-383), -32001),
            ("-M384", Some(-384), -32001),
            ("#0", None, 0),
            ("#", None, 0),
            ("M2x", None, 0),
            ("#99999", None, 0),
        ];
        for (word, expected, value) in rows {
            assert_eq!(mate(word), expected, "{word}");
            if let Some(mate) = expected {
                assert_eq!(mate_evaluation(mate), value, "{word}");
            }
        }
    }

    #[test]
    fn numbers_have_one_form() {
        let rows = [
            ("+15", Some("15")),
            ("-007", Some("-7")),
            ("-0", Some("0")),
            ("1,234,567", Some("1234567")),
            ("12,34", None),
            ("1234,567", None),
            ("1.5", None),
            ("", None),
            ("+", None),
        ];
        for (text, expected) in rows {
            assert_eq!(canonical(text).as_deref(), expected, "{text}");
        }
    }
}
