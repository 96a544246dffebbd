//! What is fuzzed.

use std::fmt::{Debug, Display};
use std::str::FromStr;

/// The text of a file under `corpus/`, for a module in `targets`.
macro_rules! corpus {
    ($name:literal) => {
        include_str!(concat!("../../corpus/", $name))
    };
}

/// The words of a grammar, without commas, so that rustfmt leaves many of them on a line.
macro_rules! words {
    ($($word:literal)+) => { &[$($word),+] };
}

/// Words of a grammar written in JSON: strings in quotes, then, after a semicolon, others verbatim,
/// then the punctuation of JSON.
macro_rules! json_words {
    ($($quoted:literal)+ $(; $($plain:literal)+)?) => {
        &[
            $(concat!("\"", $quoted, "\""),)+ $($($plain,)+)?
            "null", "true", "[", "]", "{", "}", ",", ":",
        ]
    };
}

/// What came of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputVerdict {
    /// It was read, or some of it.
    Read,
    /// It was refused with an error.
    Rejected,
}

impl InputVerdict {
    /// Of an input that was read, or was not.
    pub(crate) const fn from_read(is_read: bool) -> Self {
        if is_read { Self::Read } else { Self::Rejected }
    }
}

/// One grammar and what reads it.
#[derive(Clone, Copy, Debug)]
pub struct FuzzTarget {
    /// Its name on the command line.
    pub name: &'static str,
    /// Texts of the grammar, sound and not; see `corpus.rs` for the form of the file.
    pub corpus: &'static str,
    /// The words of the grammar.
    pub words: &'static [&'static str],
    /// Reads an input. An `Err` says which property does not hold, a panic is a failure too.
    pub check: fn(&[u8]) -> Result<InputVerdict, String>,
}

/// Fails unless something holds, with what was found.
pub(crate) fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

/// Fails unless two values are the same.
pub(crate) fn same<T: PartialEq + Debug>(
    what: &str,
    found: &T,
    expected: &T,
) -> Result<(), String> {
    ensure(found == expected, || {
        format!("{what}: found {found:?}, expected {expected:?}")
    })
}

/// What a refusal must have: a text.
pub(crate) fn rejected(error: &dyn Display) -> Result<InputVerdict, String> {
    ensure(!error.to_string().trim().is_empty(), || {
        "an error without a text".to_owned()
    })?;
    Ok(InputVerdict::Rejected)
}

/// Checks what was read; what was not must be refused with a text.
pub(crate) fn judge<T>(
    read: Result<T, impl Display>,
    check: impl FnOnce(T) -> Result<(), String>,
) -> Result<InputVerdict, String> {
    match read {
        Ok(value) => check(value).map(|()| InputVerdict::Read),
        Err(error) => rejected(&error),
    }
}

/// What must not fail; if it does, that is what is reported.
pub(crate) fn sound<T>(result: Result<T, impl Display>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

/// Reads an input: what is read is written and read again as the same, what is not read is refused with a
/// text. Gives what was read.
pub(crate) fn read_again<T, E, W>(
    bytes: &[u8],
    read: impl Fn(&[u8]) -> Result<T, E>,
    write: impl FnOnce(&T) -> W,
) -> Result<Option<T>, String>
where
    T: PartialEq + Debug,
    E: Display,
    W: AsRef<[u8]>,
{
    match read(bytes) {
        Ok(value) => {
            let again = read(write(&value).as_ref());
            let again = again.map_err(|error| format!("what was written is refused: {error}"))?;
            same("read again", &again, &value)?;
            Ok(Some(value))
        }
        Err(error) => rejected(&error).map(|_| None),
    }
}

/// [`read_again`] of what a text is read as, and written as, without more.
pub(crate) fn text_again<T>(input: &str) -> Result<Option<T>, String>
where
    T: FromStr<Err: Display> + Display + PartialEq + Debug,
{
    read_again(
        input.as_bytes(),
        |bytes| text(bytes).parse::<T>(),
        T::to_string,
    )
}

/// A line and a column, from 1, that lie within a text; behind its end counts as within.
pub(crate) fn within(bytes: &[u8], line: usize, column: usize) -> Result<(), String> {
    // The empty line behind the last line feed counts, too.
    let found = line
        .checked_sub(1)
        .and_then(|index| bytes.split(|&byte| byte == b'\n').nth(index));
    ensure(
        column > 0 && found.is_some_and(|text| column <= text.len() + 1),
        || format!("line {line}, column {column} does not lie within the input"),
    )
}

/// The text of an input; what is not UTF-8 becomes U+FFFD.
pub(crate) fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_otherwise_than_it_was_written_fails() {
        let read = |bytes: &[u8]| text(bytes).parse::<u8>();
        let write = |number: &u8| number.to_string();
        assert_eq!(read_again(b"007", read, write), Ok(Some(7)));
        assert_eq!(read_again(b"256", read, write), Ok(None));
        let another = read_again(b"7", read, |number| (number + 1).to_string());
        assert_eq!(another, Err("read again: found 8, expected 7".to_owned()));
        let nothing = read_again(b"7", read, |_| "").expect_err("it cannot be read");
        assert!(
            nothing.starts_with("what was written is refused: "),
            "{nothing}"
        );
        assert!(read_again(b"x", |_| Err::<u8, _>(" "), write).is_err());
    }
}
