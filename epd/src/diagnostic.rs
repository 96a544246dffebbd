//! What is unusual or wrong in a file, and where.

use std::fmt;

use chess::notation::fen::{FenField, FenReason};
use chess::notation::san::ParseSanError;

use crate::count::CountError;
use crate::severity::Severity;
use crate::style::StyleProblem;
use crate::value::{OperandError, OperandReason};

/// What is unusual or wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The file begins with the byte order mark of UTF-8.
    #[error("byte order mark, expected none")]
    ByteOrderMark,
    /// Lines end with carriage return and line feed; reported once, at the first.
    #[error("line ends with carriage return and line feed, expected line feed alone")]
    CarriageReturn,
    /// Blanks or tabs before the first field.
    #[error("white space before the record")]
    LeadingBlanks,
    /// Blanks or tabs after the last operation.
    #[error("white space after the record")]
    TrailingBlanks,
    /// Tabs between two words.
    #[error("tab, expected one blank")]
    Tab,
    /// More than one blank between two words.
    #[error("{found} blanks, expected one")]
    Blanks {
        /// Number of blanks.
        found: usize,
    },
    /// Zero bytes between the text and the line end.
    #[error("NUL before the line end")]
    Nul,
    /// The last operation is not ended by a semicolon. A record whose operations each begin with
    /// one, such as `;D1 20 ;D2 400`, needs none.
    #[error("no semicolon after the last operation")]
    NoSemicolon,
    /// Nothing between two semicolons.
    #[error("empty operation")]
    EmptyOperation,
    /// A string directly beside another operand.
    #[error("no blank between a string and its neighbour")]
    NoBlank,
    /// An opcode that is longer than the standard allows, or has other characters.
    #[error("opcode '{found}' is not up to 15 letters, digits and underscores")]
    OddOpcode {
        /// The opcode.
        found: String,
    },
    /// A lower-case `d` and a number that is not a valid perft count.
    #[error("'{found}' is not read as a perft count, expected a capital D")]
    SmallD {
        /// The opcode.
        found: String,
    },
    /// An opcode that the record has already; the standard allows each once.
    #[error("opcode '{found}' is in the record already")]
    RepeatedOpcode {
        /// The opcode.
        found: String,
    },
    /// Operands that do not fit their opcode; found by [`crate::Record::check_operands`] only.
    #[error(transparent)]
    Operand(OperandError),
    /// A byte that is not UTF-8.
    #[error("byte {found:#04x} is not UTF-8")]
    NotUtf8 {
        /// The byte.
        found: u8,
    },
    /// A control character other than tab.
    #[error("control character U+{:04X}", u32::from(*found))]
    ControlCharacter {
        /// The character.
        found: char,
    },
    /// A string without its second `"`.
    #[error("string without closing quote")]
    UnterminatedString,
    /// A number in place of an opcode, beside perft counts: it may be one of them.
    #[error("'{found}' is not an opcode, expected a letter first, such as D1")]
    NotAnOpcode {
        /// The text.
        found: String,
    },
    /// Text between semicolons that does not begin with a letter.
    #[error("text from '{found}' on is not an operation and is passed over")]
    NotAnOperation {
        /// Its first word.
        found: String,
    },
    /// A fault in the fields of the position.
    #[error("{field}: {reason}")]
    Fen {
        /// The field.
        field: FenField,
        /// What is wrong with it.
        reason: FenReason,
    },
    /// A perft count that cannot be read.
    #[error(transparent)]
    Count(#[from] CountError),
    /// A depth that is counted twice.
    #[error("depth {depth} is counted twice")]
    RepeatedDepth {
        /// The depth.
        depth: u32,
    },
    /// A problem that only linting and repairing report; plain reading ignores it.
    #[error(transparent)]
    Style(#[from] StyleProblem),
    /// A problem that was repaired, see [`crate::Fix`].
    #[error("{problem}; read as '{after}'")]
    Repaired {
        /// What was wrong.
        problem: Box<Problem>,
        /// What was read instead.
        after: String,
    },
}

impl Problem {
    /// The severity of the problem.
    pub fn severity(&self) -> Severity {
        match self {
            Self::ByteOrderMark
            | Self::CarriageReturn
            | Self::LeadingBlanks
            | Self::TrailingBlanks
            | Self::Tab
            | Self::Blanks { .. } => Severity::Note,
            Self::Nul
            | Self::NoSemicolon
            | Self::EmptyOperation
            | Self::NoBlank
            | Self::OddOpcode { .. }
            | Self::SmallD { .. }
            | Self::RepeatedOpcode { .. }
            | Self::NotAnOperation { .. }
            | Self::Operand(_) => Severity::Warning,
            Self::NotUtf8 { .. }
            | Self::ControlCharacter { .. }
            | Self::UnterminatedString
            | Self::NotAnOpcode { .. }
            | Self::Fen { .. }
            | Self::Count(_)
            | Self::RepeatedDepth { .. } => Severity::Error,
            Self::Style(style) => style.severity(),
            Self::Repaired { problem, .. } => problem.severity().min(Severity::Warning),
        }
    }

    /// A short machine-readable name of its kind, for filters and counts; stable across versions.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::ByteOrderMark => "byte-order-mark",
            Self::CarriageReturn => "carriage-return",
            Self::LeadingBlanks | Self::TrailingBlanks | Self::Tab | Self::Blanks { .. } => {
                "white-space"
            }
            Self::Nul => "nul",
            Self::NoSemicolon => "no-semicolon",
            Self::EmptyOperation => "empty-operation",
            Self::NoBlank => "no-blank",
            Self::OddOpcode { .. } => "odd-opcode",
            Self::SmallD { .. } => "small-d",
            Self::RepeatedOpcode { .. } => "repeated-opcode",
            Self::Operand(error) => match error.reason {
                OperandReason::Move(ParseSanError::NotStandard { .. }) => "move-form",
                OperandReason::Move(ParseSanError::Illegal { .. }) => "illegal-move",
                OperandReason::Move(_) => "move",
                OperandReason::Count(_) => "perft-count",
                _ => "operand",
            },
            Self::NotUtf8 { .. } => "encoding",
            Self::ControlCharacter { .. } => "control-character",
            Self::UnterminatedString => "unterminated-string",
            Self::NotAnOpcode { .. } => "not-an-opcode",
            Self::NotAnOperation { .. } => "not-an-operation",
            Self::Fen { .. } if self.is_illegal_position() => "illegal-position",
            Self::Fen { .. } => "fen",
            Self::Count(_) => "perft-count",
            Self::RepeatedDepth { .. } => "repeated-depth",
            Self::Style(style) => style.kind(),
            Self::Repaired { problem, .. } => problem.kind(),
        }
    }

    /// Whether the text is well formed, but what it describes breaks the rules of chess.
    pub fn is_illegal_position(&self) -> bool {
        matches!(
            self,
            Self::Fen {
                reason: FenReason::Position(_),
                ..
            }
        )
    }
}

/// A problem and where it is.
///
/// It does not hold the name of its file; pass that to [`Diagnostic::display`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters. A byte order mark is not counted.
    pub column: usize,
    /// What is unusual or wrong; its text is the message.
    pub problem: Problem,
}

impl Diagnostic {
    /// The severity of the problem.
    pub fn severity(&self) -> Severity {
        self.problem.severity()
    }

    /// Formats as `name:line:column: severity: message`, like compilers do.
    pub fn display(&self, name: &str) -> impl fmt::Display {
        fmt::from_fn(move |f| write!(f, "{name}:{self}"))
    }
}

/// Writes `line:column: severity: message`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}: {}: {}",
            self.line,
            self.column,
            self.severity(),
            self.problem
        )
    }
}
