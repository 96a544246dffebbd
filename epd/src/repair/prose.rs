//! Distinguishes sentences from operations.

use chess::notation::san::{self, ParseSanError};
use chess::rules::Position;

use crate::count;
use crate::scan::{Token, TokenKind};
use crate::value::is_known;

/// Whether a word belongs to a sentence: two letters or more, punctuation and brackets aside.
pub(super) fn is_sentence_word(word: &str) -> bool {
    let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
    let letters = inner.chars().take_while(|c| c.is_alphabetic()).count();
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
pub(super) fn is_sentence(tokens: &[Token<'_>]) -> bool {
    let is_word = |token: &&Token<'_>| token.kind == TokenKind::Word;
    let words = tokens.iter().filter(is_word);
    words.filter(|token| is_sentence_word(token.text)).count() >= 2
}

/// Whether these words are certainly not an operation, whatever they mean: the first cannot be an
/// opcode, as in `00:09 @ C4/R1` or `Duals(2)`, and none is an opcode or looks like a move. Numbers
/// alone may be a perft count that lost its depth.
pub(super) fn is_remark(words: &[Token<'_>], position: &Position) -> bool {
    let is_digits = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let may_be_opcode = |word: &str| {
        let is_inner = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        word.starts_with(char::is_alphabetic) && word.chars().all(is_inner)
    };
    let may_mean_something = |token: &Token<'_>| {
        is_known(token.text)
            || count::is_count(token.text)
            || is_move_like(token.text, position)
            || token.text.ends_with('\\')
    };
    !may_be_opcode(words[0].text)
        && !words.iter().all(|token| is_digits(token.text))
        && !words.iter().any(may_mean_something)
}

/// Whether every operand is a typical one: a number, a move, a string.
pub(super) fn are_operands(tokens: &[Token<'_>], position: &Position) -> bool {
    tokens.iter().all(|token| {
        token.kind == TokenKind::Text
            || !is_sentence_word(token.text)
            || is_move_like(token.text, position)
    })
}
