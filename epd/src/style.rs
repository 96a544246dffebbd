//! Problems that plain reading ignores, but linting and repairing report.

use chess::notation::fen::FenField;

use crate::severity::Severity;

/// A departure from the standard form, or a doubt about what is meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StyleProblem {
    /// The clock fields of a full FEN; EPD has `hmvc` and `fmvn`.
    #[error("clock fields '{found}', expected the opcodes hmvc and fmvn")]
    Clocks {
        /// The fields.
        found: String,
    },
    /// A clock field contradicts an opcode.
    #[error("clock field {field} contradicts '{operation}'")]
    ClocksDisagree {
        /// The field.
        field: u32,
        /// The operation.
        operation: String,
    },
    /// A field of the position is missing.
    #[error("{field} is missing")]
    MissingField {
        /// The field.
        field: FenField,
    },
    /// A dash after the four fields.
    #[error("a dash too many after the fields of the position")]
    ExtraField,
    /// Moves between semicolons, after those of `bm` or `am`.
    #[error("'{found}' stands alone, after the moves of {opcode}")]
    StrayMoves {
        /// The text.
        found: String,
        /// The opcode before.
        opcode: String,
    },
    /// A semicolon before the first operation.
    #[error("operations begin with a semicolon, expected it after each")]
    LeadingSemicolon,
    /// Missing or extra blanks around a semicolon.
    #[error("semicolon without blank after it, or with one before it")]
    SemicolonSpacing,
    /// A string of one word, without quotes.
    #[error("word, expected a string in quotes")]
    BareWord,
    /// A string of several words, without quotes.
    #[error("string without quotes")]
    BareString,
    /// Commas, move numbers and the like in a move list.
    #[error("'{found}' is no move")]
    Filler {
        /// The text.
        found: String,
    },
    /// A mate announced in place of moves.
    #[error("'{found}' announces a mate and is no move, expected the opcode dm")]
    MateAmongMoves {
        /// The text.
        found: String,
    },
    /// `bm #-6`, which has no opcode of its own.
    #[error("'{found}' says that the side to move is mated, for which there is no opcode")]
    MatedAmongMoves {
        /// The text.
        found: String,
    },
    /// A number with a plus sign, leading zeros, quotes or digit grouping.
    #[error("'{found}' should be written {expected}")]
    NumberForm {
        /// The text.
        found: String,
        /// The number.
        expected: String,
    },
    /// A variant spelling of a known opcode.
    #[error("opcode '{found}' should be written {expected}")]
    OpcodeForm {
        /// The text.
        found: String,
        /// The opcode.
        expected: String,
    },
    /// An opcode among the operands of another.
    #[error("opcode '{opcode}' begins inside another operation")]
    JoinedOperations {
        /// The opcode.
        opcode: String,
    },
    /// Text outside any operation.
    #[error("text that belongs to no opcode")]
    FreeText,
    /// Text that may be an operation or a comment.
    #[error("'{found}' may be an operation or a comment")]
    UnknownText {
        /// The text.
        found: String,
    },
    /// Text that is kept as an operation, but may be a comment.
    #[error("'{found}' may be an operation or a comment")]
    PerhapsComment {
        /// The text.
        found: String,
    },
    /// Operations that are not in the ASCII order of their opcodes.
    #[error("opcode '{opcode}' stands before '{next}', expected ASCII order")]
    OpcodeOrder {
        /// The first opcode that is out of place.
        opcode: String,
        /// The one after it.
        next: String,
    },
    /// An unknown opcode; reported once per file.
    #[error("opcode '{found}' is not in the standard")]
    UnknownOpcode {
        /// The opcode.
        found: String,
    },
    /// A comment mark of another program.
    #[error("comment begins with '{found}', expected #")]
    CommentMark {
        /// The mark.
        found: String,
    },
    /// A move that is both best and to be avoided.
    #[error("move '{found}' is both in bm and in am")]
    BestAndAvoided {
        /// The move, in SAN.
        found: String,
    },
    /// The position of an earlier record, with the same solution.
    #[error("position is that of line {first}")]
    Duplicate {
        /// The line of the first.
        first: usize,
    },
    /// The position of an earlier record, with another solution.
    #[error("position is that of line {first}, but its {opcode} is '{there}', here '{here}'")]
    Conflict {
        /// The line of the first.
        first: usize,
        /// The opcode.
        opcode: String,
        /// The operands in the first.
        there: String,
        /// The operands here.
        here: String,
    },
}

impl StyleProblem {
    /// How bad it is.
    pub(crate) fn severity(&self) -> Severity {
        match self {
            Self::Clocks { .. }
            | Self::LeadingSemicolon
            | Self::SemicolonSpacing
            | Self::BareWord
            | Self::MatedAmongMoves { .. }
            | Self::NumberForm { .. }
            | Self::OpcodeOrder { .. }
            | Self::UnknownOpcode { .. } => Severity::Note,
            Self::BareString
            | Self::Filler { .. }
            | Self::MateAmongMoves { .. }
            | Self::OpcodeForm { .. }
            | Self::JoinedOperations { .. }
            | Self::FreeText
            | Self::PerhapsComment { .. }
            | Self::ExtraField
            | Self::StrayMoves { .. }
            | Self::CommentMark { .. }
            | Self::BestAndAvoided { .. }
            | Self::Duplicate { .. }
            | Self::Conflict { .. } => Severity::Warning,
            Self::ClocksDisagree { .. } | Self::MissingField { .. } | Self::UnknownText { .. } => {
                Severity::Error
            }
        }
    }

    /// A short machine-readable name of its kind.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Clocks { .. } => "clocks",
            Self::ClocksDisagree { .. } => "clocks-disagree",
            Self::MissingField { .. } => "missing-field",
            Self::ExtraField => "extra-field",
            Self::StrayMoves { .. } => "stray-moves",
            Self::LeadingSemicolon => "leading-semicolon",
            Self::SemicolonSpacing => "white-space",
            Self::BareWord => "bare-word",
            Self::BareString => "bare-string",
            Self::Filler { .. } => "filler",
            Self::MateAmongMoves { .. } => "mate-among-moves",
            Self::MatedAmongMoves { .. } => "mated-among-moves",
            Self::NumberForm { .. } => "number-form",
            Self::OpcodeForm { .. } => "opcode-form",
            Self::JoinedOperations { .. } => "joined-operations",
            Self::FreeText => "free-text",
            Self::UnknownText { .. } | Self::PerhapsComment { .. } => "unknown-text",
            Self::OpcodeOrder { .. } => "opcode-order",
            Self::UnknownOpcode { .. } => "unknown-opcode",
            Self::CommentMark { .. } => "comment-mark",
            Self::BestAndAvoided { .. } => "best-and-avoided",
            Self::Duplicate { .. } => "duplicate",
            Self::Conflict { .. } => "conflict",
        }
    }
}
