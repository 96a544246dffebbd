//! An operand of an operation, as text.

use std::fmt;

/// An operand, as text. [`crate::Operation::value`] interprets it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A move, a number, or any other text without blanks.
    Word(String),
    /// A string, without its quotes.
    Text(String),
}

impl Operand {
    /// The text, without quotes.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Word(text) | Self::Text(text) => text,
        }
    }

    /// Whether the written operand reads back as the same one.
    pub(crate) fn is_writable(&self) -> bool {
        let breaks_word = |c: char| c.is_control() || matches!(c, ' ' | '"' | ';');
        match self {
            Self::Word(word) => !word.is_empty() && !word.contains(breaks_word),
            // A trailing backslash would escape the closing quote.
            Self::Text(text) => !text.contains(char::is_control) && !text.ends_with('\\'),
        }
    }
}

/// Formats the operand as in a record: a string in quotes, with quotes inside it as `\"`, as in
/// python-chess.
impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => f.write_str(word),
            Self::Text(text) => write!(f, "\"{}\"", text.replace('"', "\\\"")),
        }
    }
}
