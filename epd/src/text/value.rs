//! Meaning of operands.

use chess::notation::san::{self, ParseSanError};
use chess::rules::{Move, Position};

use super::operation::{Operand, Operation, PerftCountError, digits, read_count};

/// Evaluations (`ce`) beyond this are mates (PGN standard, 16.2.5.6).
pub(crate) const MOST_CENTIPAWNS: i64 = 32_000;

/// A mate in so many moves as an evaluation: 32767 minus the plies to mate, or its negative if the
/// side to move is mated and `moves` is 0 or less (PGN standard, 16.2.5.6).
pub(crate) fn mate_evaluation(moves: i64) -> i64 {
    const MATE: i64 = 32_767;
    // Longer mates than the standard thought of must not be read back as centipawns.
    if moves > 0 {
        // The side to move makes the last move, so a mate in n moves takes 2n - 1 plies.
        (MATE - (2 * moves - 1)).max(MOST_CENTIPAWNS + 1)
    } else {
        // The opponent makes the last move, so being mated in n moves takes 2n plies.
        (-MATE - 2 * moves).min(-MOST_CENTIPAWNS - 1)
    }
}

/// The operands of an operation, interpreted according to its opcode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpcodeValue {
    /// Moves of the position: `am` and `bm`; one move: `pm` and `sm`.
    Moves(Vec<Move>),
    /// Consecutive moves from the position: `pv`.
    Line(Vec<Move>),
    /// A signed number: `ce`.
    Integer(i64),
    /// An unsigned number: `acd`, `acn`, `acs`, `dm`, `fmvn`, `hmvc`, `rc`, `tcgs`.
    Unsigned(u64),
    /// One text: `c0` to `c9`, `eco`, `id`, `nic`, `v0` to `v9`.
    Text(String),
    /// Several texts: two for `tcri` and `tcsi`, one or more for `tag`.
    Texts(Vec<String>),
    /// No operand: `draw_accept`, `draw_claim`, `draw_offer`, `draw_reject`, `resign`. Those of
    /// `noop` are ignored.
    None,
    /// A perft count: `D1`, `D2` and so on.
    Perft {
        /// In plies.
        depth: u32,
        /// The number of leaf nodes.
        count: u64,
    },
    /// An opcode that is not in the standard; its operands are arbitrary.
    Unknown,
}

/// Operands that do not fit their opcode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{opcode}: {reason}")]
pub struct OperandError {
    /// The opcode.
    pub opcode: String,
    /// Index of the operand at fault, if it is a single one.
    pub operand: Option<usize>,
    /// What is wrong.
    #[source]
    pub reason: OperandReason,
}

/// Why operands do not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message describes its error")]
pub enum OperandReason {
    #[error("{found} operands, expected {expected}")]
    OperandCount {
        found: usize,
        expected: &'static str,
    },
    #[error("{found} is a string, expected {expected}")]
    String {
        found: String,
        expected: &'static str,
    },
    #[error("'{found}' is not a whole number")]
    NotAnInteger { found: String },
    #[error("'{found}' is not a whole number without sign")]
    NotUnsigned { found: String },
    #[error(transparent)]
    Move(#[from] ParseSanError),
    #[error(transparent)]
    Count(#[from] PerftCountError),
}

/// The operands that an opcode requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Demand {
    Moves,
    OneMove,
    Line,
    Integer,
    Unsigned,
    Text,
    TwoTexts,
    Texts,
    Nothing,
    Anything,
    Unknown,
}

/// The opcodes of the PGN standard, 16.2, with `acd` of 1995 and our own `source` and `tag`.
pub(super) fn demand(opcode: &str) -> Demand {
    match opcode {
        "am" | "bm" => Demand::Moves,
        "pm" | "sm" => Demand::OneMove,
        "pv" => Demand::Line,
        "ce" => Demand::Integer,
        "acd" | "acn" | "acs" | "dm" | "fmvn" | "hmvc" | "rc" | "tcgs" => Demand::Unsigned,
        "eco" | "id" | "nic" | "source" => Demand::Text,
        "tcri" | "tcsi" => Demand::TwoTexts,
        "tag" => Demand::Texts,
        "draw_accept" | "draw_claim" | "draw_offer" | "draw_reject" | "resign" => Demand::Nothing,
        "noop" => Demand::Anything,
        _ => match opcode.as_bytes() {
            [b'c' | b'v', b'0'..=b'9'] => Demand::Text,
            _ => Demand::Unknown,
        },
    }
}

/// Whether the standard, the text of 1995 or our own additions define the opcode.
pub(super) fn is_known(opcode: &str) -> bool {
    let is_count = || {
        let depth = opcode.strip_prefix('D').filter(|rest| !rest.is_empty());
        depth.is_some_and(|depth| depth.bytes().all(|byte| byte.is_ascii_digit()))
    };
    demand(opcode) != Demand::Unknown || is_count()
}

/// A reason and the index of the operand at fault.
type OperandFault = (Option<usize>, OperandReason);

impl Operation {
    /// Interprets the operands according to the opcode; moves must be SAN in standard form.
    /// `position` is that of the record.
    ///
    /// # Errors
    ///
    /// At the first operand that does not fit.
    ///
    /// # Examples
    ///
    /// ```
    /// use epd::{OpcodeValue, Record};
    ///
    /// let record: Record = "4k3/8/8/8/8/8/8/4K2R w K - ce -12; bm 0-0;".parse()?;
    /// let value = |opcode| record.operation(opcode).unwrap().value(record.position());
    /// assert_eq!(value("ce"), Ok(OpcodeValue::Integer(-12)));
    /// assert_eq!(value("bm").unwrap_err().to_string(), "bm: '0-0' should be written O-O");
    /// # Ok::<(), epd::ParseRecordError>(())
    /// ```
    pub fn value(&self, position: &Position) -> Result<OpcodeValue, OperandError> {
        let value = self.read_value(position);
        value.map_err(|(operand, reason)| OperandError {
            opcode: self.opcode().to_owned(),
            operand,
            reason,
        })
    }

    fn read_value(&self, position: &Position) -> Result<OpcodeValue, OperandFault> {
        let operands = self.operands();
        // `demand` does not know perft counts, which are no opcodes of the standard.
        if let Some(count) = read_count(self.opcode(), operands) {
            let (depth, count) = count.map_err(|error| (None, error.into()))?;
            return Ok(OpcodeValue::Perft { depth, count });
        }
        match demand(self.opcode()) {
            Demand::Moves if operands.is_empty() => Err(wrong_count(operands, "one move or more")),
            Demand::Moves => moves(operands, position).map(OpcodeValue::Moves),
            Demand::OneMove => {
                expect_count(operands, 1, "one move")?;
                moves(operands, position).map(OpcodeValue::Moves)
            }
            Demand::Line => line(operands, *position).map(OpcodeValue::Line),
            Demand::Integer => {
                let text = number(operands)?;
                let found = || text.to_owned();
                let fail = |_| (Some(0), OperandReason::NotAnInteger { found: found() });
                text.parse().map(OpcodeValue::Integer).map_err(fail)
            }
            Demand::Unsigned => {
                let text = number(operands)?;
                let found = || text.to_owned();
                let fail = || (Some(0), OperandReason::NotUnsigned { found: found() });
                // `digits` refuses the plus sign that `parse` would take.
                digits(text).map(OpcodeValue::Unsigned).ok_or_else(fail)
            }
            Demand::Text => {
                expect_count(operands, 1, "one string")?;
                Ok(OpcodeValue::Text(operands[0].as_str().to_owned()))
            }
            Demand::TwoTexts => {
                expect_count(operands, 2, "address and name")?;
                Ok(OpcodeValue::Texts(texts(operands)))
            }
            Demand::Texts if operands.is_empty() => Err(wrong_count(operands, "one word or more")),
            Demand::Texts => Ok(OpcodeValue::Texts(texts(operands))),
            Demand::Nothing => {
                expect_count(operands, 0, "none")?;
                Ok(OpcodeValue::None)
            }
            Demand::Anything => Ok(OpcodeValue::None),
            Demand::Unknown => Ok(OpcodeValue::Unknown),
        }
    }
}

fn wrong_count(operands: &[Operand], expected: &'static str) -> OperandFault {
    let found = operands.len();
    (None, OperandReason::OperandCount { found, expected })
}

fn expect_count(
    operands: &[Operand],
    count: usize,
    expected: &'static str,
) -> Result<(), OperandFault> {
    if operands.len() == count {
        return Ok(());
    }
    Err(wrong_count(operands, expected))
}

fn texts(operands: &[Operand]) -> Vec<String> {
    let operands = operands.iter();
    operands.map(|one| one.as_str().to_owned()).collect()
}

fn word<'a>(
    index: usize,
    operand: &'a Operand,
    expected: &'static str,
) -> Result<&'a str, OperandFault> {
    match operand {
        Operand::Word(word) => Ok(word),
        Operand::Text(_) => {
            let found = operand.to_string();
            Err((Some(index), OperandReason::String { found, expected }))
        }
    }
}

fn number(operands: &[Operand]) -> Result<&str, OperandFault> {
    expect_count(operands, 1, "one number")?;
    word(0, &operands[0], "a number")
}

fn one_move(index: usize, operand: &Operand, position: &Position) -> Result<Move, OperandFault> {
    let text = word(index, operand, "a move")?;
    san::parse(text, position).map_err(|error| (Some(index), error.into()))
}

fn moves(operands: &[Operand], position: &Position) -> Result<Vec<Move>, OperandFault> {
    let each = operands.iter().enumerate();
    each.map(|(index, operand)| one_move(index, operand, position))
        .collect()
}

fn line(operands: &[Operand], mut position: Position) -> Result<Vec<Move>, OperandFault> {
    let mut moves = Vec::with_capacity(operands.len());
    for (index, operand) in operands.iter().enumerate() {
        let m = one_move(index, operand, &position)?;
        position = position.play_unchecked(m);
        moves.push(m);
    }
    Ok(moves)
}
