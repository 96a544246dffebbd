//! One operation of a record: an opcode and its operands, as text.

use std::fmt;

use crate::count::{self, CountError};
use crate::operand::Operand;

/// Why an operation cannot be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OperationError {
    /// Not an opcode.
    #[error("opcode '{found}' is not a letter and up to 14 letters, digits and underscores")]
    Opcode {
        /// The text.
        found: String,
    },
    /// An operand that cannot be written: EPD can escape nothing but a quote.
    #[error("operand '{operand}' has a character that cannot be written, or is an empty word")]
    Operand {
        /// The operand.
        operand: Operand,
    },
    /// A perft count with an invalid depth or count.
    #[error(transparent)]
    Count(#[from] CountError),
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
            return Err(OperationError::Opcode {
                found: opcode.to_owned(),
            });
        }
        if let Some(operand) = operands.iter().find(|operand| !operand.is_writable()) {
            return Err(OperationError::Operand {
                operand: operand.clone(),
            });
        }
        count::read(opcode, &operands).transpose()?;
        Ok(Self::new_unchecked(opcode, operands))
    }

    /// Creates an operation from text that was validated when its line was read.
    pub(crate) fn new_unchecked(opcode: &str, operands: Vec<Operand>) -> Self {
        Self {
            opcode: opcode.to_owned(),
            operands,
        }
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
        count::read(&self.opcode, &self.operands)?.ok()
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
        && opcode.len() <= 15
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Operand {
        Operand::Word(text.to_owned())
    }

    fn text(text: &str) -> Operand {
        Operand::Text(text.to_owned())
    }

    #[test]
    fn operations_are_checked_and_written() {
        let rows = [
            ("bm", vec![word("Nf3"), word("e4")], Ok("bm Nf3 e4;")),
            ("c0", vec![text("a; b")], Ok("c0 \"a; b\";")),
            ("noop", vec![], Ok("noop;")),
            ("D12", vec![word("20")], Ok("D12 20;")),
            ("Dx", vec![], Ok("Dx;")),
            (
                "",
                vec![],
                Err("opcode '' is not a letter and up to 14 letters, digits and underscores"),
            ),
            (
                "1x",
                vec![],
                Err("opcode '1x' is not a letter and up to 14 letters, digits and underscores"),
            ),
            (
                "abcdefghijklmnop",
                vec![],
                Err(
                    "opcode 'abcdefghijklmnop' is not a letter and up to 14 letters, digits and underscores",
                ),
            ),
            ("id", vec![text("say \"hi\"")], Ok("id \"say \\\"hi\\\"\";")),
            (
                "id",
                vec![text("C:\\")],
                Err(
                    "operand '\"C:\\\"' has a character that cannot be written, or is an empty word",
                ),
            ),
            (
                "id",
                vec![word("")],
                Err("operand '' has a character that cannot be written, or is an empty word"),
            ),
            (
                "D1",
                vec![word("1,000")],
                Err("D1 1,000: expected a count of digits only, up to 18446744073709551615"),
            ),
        ];
        for (opcode, operands, expected) in rows {
            let found = Operation::new(opcode, operands);
            let found = found.map(|operation| operation.to_string());
            let found = found.map_err(|error| error.to_string());
            assert_eq!(
                found.as_deref().map_err(String::as_str),
                expected,
                "{opcode}"
            );
        }
    }
}
