//! One operation of a record as text: an opcode and its operands. Perft counts have the opcode `D`
//! with a depth, and one operand, the number of leaf nodes.

use std::fmt;

/// Why an operation cannot be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message describes its error")]
pub enum OperationError {
    #[error("opcode '{found}' is not a letter and up to 14 letters, digits and underscores")]
    Opcode { found: String },
    /// EPD can escape nothing but a quote.
    #[error("operand '{operand}' has a character that cannot be written, or is an empty word")]
    Operand { operand: Operand },
    #[error(transparent)]
    Count(#[from] PerftCountError),
}

/// An opcode and its operands.
///
/// If it is a perft count, it is valid: neither reading nor [`Operation::new`] creates a broken
/// one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    opcode: String,
    operands: Vec<Operand>,
}

impl Operation {
    /// Creates an operation that can be written and read back.
    ///
    /// # Errors
    ///
    /// When the opcode is not in the standard form, an operand cannot be written, or a perft count
    /// is invalid.
    ///
    /// # Examples
    ///
    /// ```
    /// use epd::{Operand, Operation};
    ///
    /// let operation = Operation::new("id", vec![Operand::Text("first light".to_owned())])?;
    /// assert_eq!(operation.to_string(), "id \"first light\";");
    /// # Ok::<(), epd::OperationError>(())
    /// ```
    pub fn new(opcode: &str, operands: Vec<Operand>) -> Result<Self, OperationError> {
        if !is_standard_opcode(opcode) {
            let found = opcode.to_owned();
            return Err(OperationError::Opcode { found });
        }
        if let Some(operand) = operands.iter().find(|operand| !operand.is_writable()) {
            let operand = operand.clone();
            return Err(OperationError::Operand { operand });
        }
        // A broken count would be written and then refused when it is read.
        read_count(opcode, &operands).transpose()?;
        Ok(Self::new_unchecked(opcode, operands))
    }

    /// Creates an operation from text that was validated when its line was read.
    pub(crate) fn new_unchecked(opcode: &str, operands: Vec<Operand>) -> Self {
        let opcode = opcode.to_owned();
        Self { opcode, operands }
    }

    /// The opcode, such as `bm`.
    pub fn opcode(&self) -> &str {
        &self.opcode
    }

    /// The operands, in the order written.
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }

    /// The depth and the count, if the operation is a perft count such as `D3 8902`.
    pub fn perft_count(&self) -> Option<(u32, u64)> {
        read_count(&self.opcode, &self.operands)?.ok()
    }
}

/// Formats in the standard form: single blanks, a semicolon at the end.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        for operand in &self.operands {
            write!(f, " {operand}")?;
        }
        f.write_str(";")
    }
}

/// Whether an opcode has the form of the PGN standard, 16.2: an identifier of up to 15 characters.
pub(crate) fn is_standard_opcode(opcode: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    opcode.starts_with(|c: char| c.is_ascii_alphabetic())
        && opcode.bytes().all(is_inner)
        // The length is in bytes, which are characters here: all of them are ASCII.
        && opcode.len() <= 15
}

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
        // Each of these ends a word when the line is read back.
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

/// Why a perft count cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message describes its error")]
pub enum PerftCountError {
    #[error("'{opcode}' has no depth, expected D and a number from 0 to 4294967295")]
    Depth { opcode: String },
    #[error("{opcode} has {found} operands, expected one count")]
    OperandCount { opcode: String, found: usize },
    #[error("{opcode} {found}: expected a count of digits only, up to 18446744073709551615")]
    NotACount { opcode: String, found: String },
    #[error("{opcode} {found}: expected 1, since depth 0 counts the position itself")]
    DepthZero { opcode: String, found: u64 },
}

impl PerftCountError {
    /// Whether the operand is at fault, rather than the operation as a whole.
    pub(super) fn is_in_operand(&self) -> bool {
        matches!(self, Self::NotACount { .. } | Self::DepthZero { .. })
    }
}

/// Whether an opcode looks like a perft count: `D` alone, or followed by anything but a letter or
/// underscore. `D=3` or `D3:` is thus an error instead of a count that is never compared.
pub(super) fn is_count(opcode: &str) -> bool {
    let is_name = |c: char| c.is_alphabetic() || c == '_';
    opcode
        .strip_prefix('D')
        .is_some_and(|rest| !rest.starts_with(is_name))
}

/// Reads depth and count; `None` for any other opcode.
pub(super) fn read_count(
    opcode: &str,
    operands: &[Operand],
) -> Option<Result<(u32, u64), PerftCountError>> {
    if !is_count(opcode) {
        return None;
    }
    let name = || opcode.to_owned();
    let Some(depth) = digits(&opcode[1..]) else {
        return Some(Err(PerftCountError::Depth { opcode: name() }));
    };
    let [operand] = operands else {
        let (opcode, found) = (name(), operands.len());
        return Some(Err(PerftCountError::OperandCount { opcode, found }));
    };
    let count = match operand {
        Operand::Word(word) => digits(word),
        // A number in quotes is a string, which is no count.
        Operand::Text(_) => None,
    };
    Some(match (depth, count) {
        (_, None) => {
            let (opcode, found) = (name(), operand.to_string());
            Err(PerftCountError::NotACount { opcode, found })
        }
        // The only leaf at depth 0 is the position itself.
        (0, Some(found)) if found != 1 => Err(PerftCountError::DepthZero {
            opcode: name(),
            found,
        }),
        (_, Some(count)) => Ok((depth, count)),
    })
}

/// Parses plain decimal digits: no sign, no separators.
pub(crate) fn digits<T: std::str::FromStr>(text: &str) -> Option<T> {
    // `parse` takes a plus sign as well.
    let only_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| only_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_checked_and_written() {
        let word = |text: &str| Operand::Word(text.to_owned());
        let text = |text: &str| Operand::Text(text.to_owned());
        let opcode = "is not a letter and up to 14 letters, digits and underscores";
        let operand = "has a character that cannot be written, or is an empty word";
        let count = "expected a count of digits only, up to 18446744073709551615";
        let fault = |what: &str, why: &str| Err(format!("{what}{why}"));
        let long = "abcdefghijklmnop";
        let (hi, path) = (text("say \"hi\""), text("C:\\"));
        let rows = [
            ("bm", vec![word("Nf3"), word("e4")], Ok("bm Nf3 e4;")),
            ("c0", vec![text("a; b")], Ok("c0 \"a; b\";")),
            ("noop", vec![], Ok("noop;")),
            ("D12", vec![word("20")], Ok("D12 20;")),
            ("Dx", vec![], Ok("Dx;")),
            ("id", vec![hi], Ok("id \"say \\\"hi\\\"\";")),
            ("", vec![], fault("opcode '' ", opcode)),
            ("1x", vec![], fault("opcode '1x' ", opcode)),
            (long, vec![], fault("opcode 'abcdefghijklmnop' ", opcode)),
            ("id", vec![path], fault("operand '\"C:\\\"' ", operand)),
            ("id", vec![word("")], fault("operand '' ", operand)),
            ("D1", vec![word("1,000")], fault("D1 1,000: ", count)),
        ];
        for (opcode, operands, expected) in rows {
            let found = Operation::new(opcode, operands).map(|operation| operation.to_string());
            let found = found.map_err(|error| error.to_string());
            assert_eq!(found, expected.map(str::to_owned));
        }
    }
}
