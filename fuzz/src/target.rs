//! What is fuzzed.

/// What came of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// It was read, or some of it.
    Read,
    /// It was refused with an error.
    Refused,
}

/// One grammar and what reads it.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name on the command line.
    pub name: &'static str,
    /// Texts of the grammar, sound and not; see `corpus.rs` for the form of the file.
    pub corpus: &'static str,
    /// The words of the grammar.
    pub words: &'static [&'static str],
    /// Reads an input. An `Err` says which property does not hold, a panic is a failure too.
    pub check: fn(&[u8]) -> Result<Checked, String>,
}

/// Fails unless something holds, with what was found.
pub(crate) fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

/// Fails unless two values are the same.
pub(crate) fn same<T: PartialEq + std::fmt::Debug>(
    what: &str,
    found: &T,
    expected: &T,
) -> Result<(), String> {
    ensure(found == expected, || {
        format!("{what}: found {found:?}, expected {expected:?}")
    })
}

/// What a refusal must have: a text.
pub(crate) fn refused(error: &dyn std::fmt::Display) -> Result<Checked, String> {
    ensure(!error.to_string().trim().is_empty(), || {
        "an error without a text".to_owned()
    })?;
    Ok(Checked::Refused)
}

/// A line and a column, from 1, that lie within a text; behind its end counts as within.
pub(crate) fn within(bytes: &[u8], line: usize, column: usize) -> Result<(), String> {
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
