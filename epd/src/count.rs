//! Perft counts: an opcode `D` with a depth, and one operand, the number of leaf nodes.

use crate::operand::Operand;

/// Why a perft count cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// The opcode begins like a perft count, but has no depth.
    #[error("'{opcode}' has no depth, expected D and a number from 0 to 4294967295")]
    Depth {
        /// The opcode.
        opcode: String,
    },
    /// Not exactly one operand.
    #[error("{opcode} has {found} operands, expected one count")]
    OperandCount {
        /// The opcode.
        opcode: String,
        /// Number of operands.
        found: usize,
    },
    /// The operand is not a number, or exceeds 64 bits.
    #[error("{opcode} {found}: expected a count of digits only, up to 18446744073709551615")]
    NotACount {
        /// The opcode.
        opcode: String,
        /// The operand, as written.
        found: String,
    },
    /// Depth 0 with a count other than 1: the position itself is the only leaf.
    #[error("{opcode} {found}: expected 1, since depth 0 counts the position itself")]
    DepthZero {
        /// The opcode.
        opcode: String,
        /// The count given.
        found: u64,
    },
}

impl CountError {
    /// Whether the operand is at fault, rather than the operation as a whole.
    pub(crate) fn is_in_operand(&self) -> bool {
        matches!(self, Self::NotACount { .. } | Self::DepthZero { .. })
    }
}

/// Whether an opcode looks like a perft count: `D` alone, or followed by anything but a letter or
/// underscore. `D=3` or `D3:` is thus an error instead of a count that is never compared.
pub(crate) fn is_count(opcode: &str) -> bool {
    let is_name = |c: char| c.is_alphabetic() || c == '_';
    opcode
        .strip_prefix('D')
        .is_some_and(|rest| !rest.starts_with(is_name))
}

/// Reads depth and count; `None` for any other opcode.
pub(crate) fn read(opcode: &str, operands: &[Operand]) -> Option<Result<(u32, u64), CountError>> {
    is_count(opcode).then(|| read_count(opcode, operands))
}

fn read_count(opcode: &str, operands: &[Operand]) -> Result<(u32, u64), CountError> {
    let opcode = || opcode.to_owned();
    let depth = digits(&opcode()[1..]).ok_or_else(|| CountError::Depth { opcode: opcode() })?;
    let [operand] = operands else {
        return Err(CountError::OperandCount {
            opcode: opcode(),
            found: operands.len(),
        });
    };
    let count = match operand {
        Operand::Word(word) => digits(word),
        Operand::Text(_) => None,
    };
    match (depth, count) {
        (_, None) => Err(CountError::NotACount {
            opcode: opcode(),
            found: operand.to_string(),
        }),
        (0, Some(found)) if found != 1 => Err(CountError::DepthZero {
            opcode: opcode(),
            found,
        }),
        (_, Some(count)) => Ok((depth, count)),
    }
}

/// Parses plain decimal digits: no sign, no separators.
pub(crate) fn digits<T: std::str::FromStr>(text: &str) -> Option<T> {
    let only_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| only_digits)
}
