//! What is fuzzed, and what checks have in common.

use std::borrow::Cow;
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// Targets, each with the name of its check, which is also that of its file under `corpus/`.
macro_rules! targets {
    ($($name:ident)+) => {
        pub(super) const TARGETS: &[FuzzTarget] = &[$(FuzzTarget {
            name: stringify!($name),
            corpus: corpus!($name),
            check: $name,
        }),+];
    };
}

/// The text of a file under `corpus/`, for a module in `targets`.
macro_rules! corpus {
    ($name:ident) => {
        include_str!(concat!("../../corpus/", stringify!($name), ".txt"))
    };
}

/// One grammar and what reads it.
#[derive(Clone, Copy, Debug)]
pub struct FuzzTarget {
    /// Its name.
    pub name: &'static str,
    /// Texts of the grammar, sound and not, with all its words; see `corpus.rs` for the form of the file.
    pub corpus: &'static str,
    /// Reads an input, and says whether any of it was read; panics if a property does not hold.
    pub check: fn(&[u8]) -> bool,
}

/// What a refusal must have: a text. Nothing was read.
#[track_caller]
pub(crate) fn rejected(error: &dyn Display) -> bool {
    let text = error.to_string();
    assert!(!text.trim().is_empty(), "an error without a text");
    false
}

/// Checks what was read; what was not must be refused with a text.
#[track_caller]
pub(crate) fn judge<T>(read: Result<T, impl Display>, check: impl FnOnce(T)) -> bool {
    match read {
        Ok(value) => {
            check(value);
            true
        }
        Err(error) => rejected(&error),
    }
}

/// What must not fail.
#[track_caller]
pub(crate) fn sound<T>(result: Result<T, impl Display>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}

/// Reads an input: what is read is written and read again as the same, what is not read is refused with a
/// text. Gives what was read.
#[track_caller]
pub(crate) fn read_again<T, E, W>(
    bytes: &[u8],
    read: impl Fn(&[u8]) -> Result<T, E>,
    write: impl FnOnce(&T) -> W,
) -> Option<T>
where
    T: PartialEq + Debug,
    E: Display,
    W: AsRef<[u8]>,
{
    match read(bytes) {
        Ok(value) => {
            assert_eq!(sound(read(write(&value).as_ref())), value, "read again");
            Some(value)
        }
        Err(error) => {
            rejected(&error);
            None
        }
    }
}

/// [`read_again`] of what a text is read as, and written as, without more.
#[track_caller]
pub(crate) fn text_again<T>(input: &str) -> Option<T>
where
    T: FromStr<Err: Display> + Display + PartialEq + Debug,
{
    let read = |bytes: &[u8]| text(bytes).parse::<T>();
    read_again(input.as_bytes(), read, T::to_string)
}

/// A line and a column, from 1, lie within a text; behind its end counts as within.
#[track_caller]
pub(crate) fn within(bytes: &[u8], line: usize, column: usize) {
    // The empty line behind the last line feed counts, too.
    let mut lines = bytes.split(|&byte| byte == b'\n');
    let found = line.checked_sub(1).and_then(|index| lines.nth(index));
    let is_within = found.is_some_and(|text| (1..=text.len() + 1).contains(&column));
    assert!(is_within, "line {line}, column {column}: not in the input");
}

/// The text of an input; what is not UTF-8 becomes U+FFFD.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn what_is_read_otherwise_than_it_was_written_fails() {
        fn read(bytes: &[u8]) -> Result<u8, String> {
            text(bytes).parse().map_err(|_| String::new())
        }
        let write = |number: &u8| number.to_string();
        assert_eq!(read_again(b"007", read, write), Some(7));
        let fails: [fn() -> Option<u8>; 3] = [
            || read_again(b"7", read, |number| (number + 1).to_string()),
            || read_again(b"7", read, |_| ""),
            // This error has no text.
            || read_again(b"256", read, |_| ""),
        ];
        for fails in fails {
            assert!(catch_unwind(fails).is_err());
        }
    }
}
