//! Texts of `key=value` words, as options of the command line have them. Pure.

use super::value::ValueError;

/// A text that is no list of `key=value` words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordsError {
    /// A quotation mark without its fellow.
    #[error("a quotation mark is not closed, or a backslash ends the text")]
    Unclosed,
    /// A word without `=`.
    #[error("'{word}' is no key=value")]
    NoValue {
        /// The word.
        word: String,
    },
    /// A value that means nothing, or a key that nobody knows.
    #[error("{key}: {source}")]
    Value {
        /// The key.
        key: String,
        /// What is wrong.
        source: ValueError,
    },
}

/// Cuts a text as a shell does, and gives each key with its value to `set`.
pub(super) fn for_each(
    text: &str,
    mut set: impl FnMut(&str, &str) -> Result<(), ValueError>,
) -> Result<(), WordsError> {
    for word in shlex::split(text).ok_or(WordsError::Unclosed)? {
        let Some((key, value)) = word.split_once('=') else {
            return Err(WordsError::NoValue { word });
        };
        set(key, value).map_err(|source| WordsError::Value {
            key: key.to_owned(),
            source,
        })?;
    }
    Ok(())
}

/// A key that nobody knows.
pub(super) fn unknown(expected: &str) -> ValueError {
    ValueError(format!("there is no such key, expected {expected}"))
}

/// A whole number.
pub(super) fn number<T: std::str::FromStr>(text: &str) -> Result<T, ValueError> {
    let bad = |_| ValueError(format!("'{text}' is no number, or too large"));
    text.parse().map_err(bad)
}
