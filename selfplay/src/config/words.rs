//! Texts of `key=value` words, as used by command-line options. Pure.

use super::value::ValueError;

/// A text that is not a list of `key=value` words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordsError {
    /// An unclosed quotation mark, or a backslash at the end.
    #[error("a quotation mark is not closed, or a backslash ends the text")]
    Unclosed,
    /// A word without `=`.
    #[error("'{word}' is no key=value")]
    NoValue {
        /// The offending word.
        word: String,
    },
    /// A known key after a plain command, which would be passed to the engine as an argument.
    #[error("'{key}' stands behind a plain command: write {expected}, or put it into args=")]
    KeyBehindCommand {
        /// The key with its value.
        key: String,
        /// The full description to write instead.
        expected: String,
    },
    /// An invalid value or an unknown key.
    #[error("{key}: {source}")]
    Value {
        /// The offending key.
        key: String,
        /// The fault.
        source: ValueError,
    },
}

/// Splits a text as a shell does, and passes each key with its value to `set`.
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

/// The error of an unknown key.
pub(super) fn unknown(expected: &str) -> ValueError {
    ValueError(format!("there is no such key, expected {expected}"))
}

/// Parses a whole number.
///
/// # Errors
///
/// When it is not a whole number, or too large.
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
