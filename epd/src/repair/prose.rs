//! Telling sentences from operations.

use engine::notation::san::{self, ParseSanError};
use engine::rules::Position;

use crate::scan::{Token, TokenKind};

/// Whether a word is one of a sentence: two letters or more, marks and brackets aside.
pub(super) fn is_sentence_word(word: &str) -> bool {
    let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
    let letters = inner.chars().take_while(|c| c.is_alphabetic()).count();
    letters >= 2 && inner.chars().all(|c| c.is_alphabetic() || "'-".contains(c))
}

/// Whether a word has the form of a move.
pub(super) fn is_move_like(word: &str, position: &Position) -> bool {
    !matches!(
        san::parse_lenient(word, position),
        Err(ParseSanError::Syntax { .. })
    )
}

/// Whether these tokens are surely a sentence: two words of one at least.
pub(super) fn is_sentence(tokens: &[Token<'_>]) -> bool {
    let is_word = |token: &&Token<'_>| token.kind == TokenKind::Word;
    let words = tokens.iter().filter(is_word);
    words.filter(|token| is_sentence_word(token.text)).count() >= 2
}

/// Whether every operand is such as operations have: a number, a move, a string.
pub(super) fn are_operands(tokens: &[Token<'_>], position: &Position) -> bool {
    tokens.iter().all(|token| {
        token.kind == TokenKind::Text
            || !is_sentence_word(token.text)
            || is_move_like(token.text, position)
    })
}
