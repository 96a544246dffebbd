//! An operation during repair.

use crate::operand::Operand;
use crate::operation::Operation;
use crate::scan::{Token, TokenKind, unescape};

/// An operand and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) offset: usize,
    pub(super) operand: Operand,
}

impl Piece {
    pub(super) fn word(offset: usize, text: impl Into<String>) -> Self {
        let operand = Operand::Word(text.into());
        Self { offset, operand }
    }

    pub(super) fn text(offset: usize, text: impl Into<String>) -> Self {
        let operand = Operand::Text(text.into());
        Self { offset, operand }
    }

    pub(super) fn of(token: &Token<'_>) -> Self {
        match token.kind {
            TokenKind::Text => Self::text(token.offset, unescape(token.text)),
            _ => Self::word(token.offset, token.text),
        }
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self.operand, Operand::Text(_))
    }
}

/// An opcode and operands.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) offset: usize,
    pub(super) opcode: String,
    pub(super) operands: Vec<Piece>,
    /// Byte offset of the end of the last operand in the line.
    pub(super) end: usize,
    /// Whether the operands are known to fit the opcode.
    pub(super) is_sound: bool,
}

impl Draft {
    pub(super) fn new(offset: usize, opcode: impl Into<String>, operands: Vec<Piece>) -> Self {
        Self {
            offset,
            opcode: opcode.into(),
            operands,
            end: offset,
            is_sound: false,
        }
    }

    /// The operation in its current state.
    pub(super) fn operation(&self) -> Operation {
        let operands = self.operands.iter().map(|piece| piece.operand.clone());
        Operation::new_unchecked(&self.opcode, operands.collect())
    }

    /// Appends the operation to a text.
    pub(super) fn write(&self, text: &mut String) {
        text.push_str(&self.opcode);
        for piece in &self.operands {
            text.push(' ');
            text.push_str(&piece.operand.to_string());
        }
        text.push(';');
    }

    /// The operands as text.
    pub(super) fn operands_text(&self) -> String {
        let operands = self.operands.iter().map(|piece| piece.operand.to_string());
        operands.collect::<Vec<_>>().join(" ")
    }
}
