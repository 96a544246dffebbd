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
    /// A key of an engine behind a plain command, which would be given to the engine as an argument.
    #[error("'{key}' stands behind a plain command: write {expected}, or put it into args=")]
    KeyBehindCommand {
        /// The key with its value.
        key: String,
        /// The engine in full.
        expected: String,
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

/// Reads a whole number.
///
/// # Errors
///
/// When it is none, or too large.
pub fn number<T: std::str::FromStr>(text: &str) -> Result<T, ValueError> {
    text.parse().map_err(|_| {
        let is_whole = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        ValueError(if is_whole {
            format!("'{text}' is too large")
        } else {
            format!("'{text}' is no whole number, expected digits only, such as 1000")
        })
    })
}
