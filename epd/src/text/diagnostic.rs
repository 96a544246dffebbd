//! What is unusual or wrong in a file, where, and how it is repaired.

use std::fmt;

use chess::notation::fen::{FenField, FenReason};
use chess::notation::san::ParseSanError;

use super::operation::PerftCountError;
use super::value::{OperandError, OperandReason};

/// Severity of a problem.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Not the standard form, but harmless.
    Note,
    /// Readable, but something else may have been meant.
    Warning,
    /// Unreadable; the line yields no record.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// What is unusual or wrong. Plain reading reports some problems; linting and repairing report the
/// others too.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message describes its problem")]
pub enum RecordProblem {
    #[error("byte order mark, expected none")]
    ByteOrderMark,
    /// Reported once per file, at the first line.
    #[error("line ends with carriage return and line feed, expected line feed alone")]
    CarriageReturn,
    #[error("white space before the record")]
    LeadingBlanks,
    #[error("white space after the record")]
    TrailingBlanks,
    #[error("tab, expected one blank")]
    Tab,
    #[error("{found} blanks, expected one")]
    Blanks { found: usize },
    #[error("NUL before the line end")]
    Nul,
    /// A record whose operations each begin with a semicolon, such as `;D1 20 ;D2 400`, needs none.
    #[error("no semicolon after the last operation")]
    NoSemicolon,
    #[error("empty operation")]
    EmptyOperation,
    #[error("no blank between a string and its neighbour")]
    NoBlank,
    #[error("opcode '{found}' is not up to 15 letters, digits and underscores")]
    OddOpcode { found: String },
    #[error("'{found}' is not read as a perft count, expected a capital D")]
    SmallD { found: String },
    #[error("opcode '{found}' is in the record already")]
    RepeatedOpcode { found: String },
    /// Found by [`crate::Record::check_operands`], not by plain reading.
    #[error(transparent)]
    Operand(OperandError),
    #[error("byte {found:#04x} is not UTF-8")]
    NotUtf8 { found: u8 },
    #[error("control character U+{:04X}", u32::from(*found))]
    ControlCharacter { found: char },
    #[error("string without closing quote")]
    UnterminatedString,
    /// A number beside perft counts: it may be one of them.
    #[error("'{found}' is not an opcode, expected a letter first, such as D1")]
    NotAnOpcode { found: String },
    /// A perft count behind an operation that lacks its semicolon: it would never be compared.
    #[error("count '{found}' among the operands of {opcode}, expected a semicolon before it")]
    CountAmongOperands { found: String, opcode: String },
    #[error("text from '{found}' on is not an operation and is ignored")]
    NotAnOperation { found: String },
    #[error("{field}: {reason}")]
    Fen { field: FenField, reason: FenReason },
    #[error(transparent)]
    Count(#[from] PerftCountError),
    #[error("depth {depth} is counted twice")]
    RepeatedDepth { depth: u32 },
    /// A problem that was repaired, see [`Fix`].
    #[error("{problem}; read as '{after}'")]
    Repaired {
        problem: Box<RecordProblem>,
        after: String,
    },
    #[error("clock fields '{found}', expected the opcodes hmvc and fmvn")]
    Clocks { found: String },
    #[error("clock field {field} contradicts '{operation}'")]
    ClocksDisagree { field: u32, operation: String },
    #[error("{field} is missing")]
    MissingField { field: FenField },
    #[error("an extra dash after the fields of the position")]
    ExtraField,
    #[error("'{found}' stands alone, after the moves of {opcode}")]
    StrayMoves { found: String, opcode: String },
    #[error("operations begin with a semicolon, expected it after each")]
    LeadingSemicolon,
    #[error("semicolon without blank after it, or with one before it")]
    SemicolonSpacing,
    #[error("word, expected a string in quotes")]
    BareWord,
    #[error("string without quotes")]
    BareString,
    /// Commas, move numbers and the like in a move list.
    #[error("'{found}' is not a move")]
    Filler { found: String },
    #[error("'{found}' announces a mate and is not a move, expected the opcode dm")]
    MateAmongMoves { found: String },
    /// `bm #-6`.
    #[error("'{found}' means that the side to move is mated, for which there is no opcode")]
    MatedAmongMoves { found: String },
    /// A number with a plus sign, leading zeros, quotes or digit grouping.
    #[error("'{found}' should be written {expected}")]
    NumberForm { found: String, expected: String },
    #[error("opcode '{found}' should be written {expected}")]
    OpcodeForm { found: String, expected: String },
    #[error("opcode '{opcode}' begins inside another operation")]
    JoinedOperations { opcode: String },
    #[error("text that belongs to no opcode")]
    FreeText,
    #[error("'{found}' may be an operation or a comment")]
    UnknownText { found: String },
    /// Kept as an operation.
    #[error("'{found}' may be an operation or a comment")]
    PerhapsComment { found: String },
    /// The first opcode that is out of place.
    #[error("opcode '{opcode}' stands before '{next}', expected ASCII order")]
    OpcodeOrder { opcode: String, next: String },
    /// Reported once per file.
    #[error("opcode '{found}' is not in the standard")]
    UnknownOpcode { found: String },
    #[error("comment begins with '{found}', expected #")]
    CommentMark { found: String },
    #[error("move '{found}' is both in bm and in am")]
    BestAndAvoided { found: String },
    #[error("position is that of line {first}")]
    Duplicate { first: usize },
    /// The operands in the first record of the position, and here.
    #[error("position is that of line {first}, but its {opcode} is '{there}', here '{here}'")]
    Conflict {
        first: usize,
        opcode: String,
        there: String,
        here: String,
    },
}

impl RecordProblem {
    /// The severity of the problem.
    pub fn severity(&self) -> Severity {
        self.class().0
    }

    /// A short machine-readable name of its kind, for filters and counts; stable across versions.
    pub fn kind(&self) -> &'static str {
        self.class().1
    }

    fn class(&self) -> (Severity, &'static str) {
        use Severity::{Error, Note, Warning};
        match self {
            Self::ByteOrderMark => (Note, "byte-order-mark"),
            Self::CarriageReturn => (Note, "carriage-return"),
            Self::LeadingBlanks
            | Self::TrailingBlanks
            | Self::Tab
            | Self::Blanks { .. }
            | Self::SemicolonSpacing => (Note, "white-space"),
            Self::Nul => (Warning, "nul"),
            Self::NoSemicolon => (Warning, "no-semicolon"),
            Self::EmptyOperation => (Warning, "empty-operation"),
            Self::NoBlank => (Warning, "no-blank"),
            Self::OddOpcode { .. } => (Warning, "odd-opcode"),
            Self::SmallD { .. } => (Warning, "small-d"),
            Self::RepeatedOpcode { .. } => (Warning, "repeated-opcode"),
            Self::Operand(error) => match error.reason {
                OperandReason::Move(ParseSanError::NotStandard { .. }) => (Warning, "move-form"),
                OperandReason::Move(ParseSanError::Illegal { .. }) => (Warning, "illegal-move"),
                OperandReason::Move(_) => (Warning, "move"),
                OperandReason::Count(_) => (Warning, "perft-count"),
                _ => (Warning, "operand"),
            },
            Self::NotUtf8 { .. } => (Error, "encoding"),
            Self::ControlCharacter { .. } => (Error, "control-character"),
            Self::UnterminatedString => (Error, "unterminated-string"),
            Self::NotAnOpcode { .. } => (Error, "not-an-opcode"),
            Self::CountAmongOperands { .. } => (Error, "count-among-operands"),
            Self::NotAnOperation { .. } => (Warning, "not-an-operation"),
            // Its text is well formed: with a kind of its own, filters tell a broken rule of chess
            // from a typo.
            Self::Fen { .. } if self.is_illegal_position() => (Error, "illegal-position"),
            Self::Fen { .. } => (Error, "fen"),
            Self::Count(_) => (Error, "perft-count"),
            Self::RepeatedDepth { .. } => (Error, "repeated-depth"),
            // A problem that was repaired yields a record, and an error by definition yields none.
            Self::Repaired { problem, .. } => (problem.severity().min(Warning), problem.kind()),
            Self::Clocks { .. } => (Note, "clocks"),
            Self::ClocksDisagree { .. } => (Error, "clocks-disagree"),
            Self::MissingField { .. } => (Error, "missing-field"),
            Self::ExtraField => (Warning, "extra-field"),
            Self::StrayMoves { .. } => (Warning, "stray-moves"),
            Self::LeadingSemicolon => (Note, "leading-semicolon"),
            Self::BareWord => (Note, "bare-word"),
            Self::BareString => (Warning, "bare-string"),
            Self::Filler { .. } => (Warning, "filler"),
            Self::MateAmongMoves { .. } => (Warning, "mate-among-moves"),
            Self::MatedAmongMoves { .. } => (Note, "mated-among-moves"),
            Self::NumberForm { .. } => (Note, "number-form"),
            Self::OpcodeForm { .. } => (Warning, "opcode-form"),
            Self::JoinedOperations { .. } => (Warning, "joined-operations"),
            Self::FreeText => (Warning, "free-text"),
            Self::UnknownText { .. } => (Error, "unknown-text"),
            // It has the kind of `UnknownText`: only whether the text can be kept differs.
            Self::PerhapsComment { .. } => (Warning, "unknown-text"),
            Self::OpcodeOrder { .. } => (Note, "opcode-order"),
            Self::UnknownOpcode { .. } => (Note, "unknown-opcode"),
            Self::CommentMark { .. } => (Warning, "comment-mark"),
            Self::BestAndAvoided { .. } => (Warning, "best-and-avoided"),
            Self::Duplicate { .. } => (Warning, "duplicate"),
            Self::Conflict { .. } => (Warning, "conflict"),
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
    pub problem: RecordProblem,
}

impl Diagnostic {
    pub(super) const fn new(line: usize, column: usize, problem: RecordProblem) -> Self {
        Self {
            line,
            column,
            problem,
        }
    }

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
        let Self {
            line,
            column,
            problem,
        } = self;
        write!(f, "{line}:{column}: {}: {problem}", self.severity())
    }
}

/// A replacement of text in a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Fix {
    /// The text in the file.
    pub before: String,
    /// The text of the standard form; empty if the text is dropped.
    pub after: String,
}

impl Fix {
    /// What a line about a problem ends with: ` (fix: text)`, or nothing.
    pub(crate) fn in_brackets(fix: Option<&Self>) -> String {
        match fix {
            None => String::new(),
            // White space alone is shown in quotes, as it could not be seen without them.
            Some(fix) if fix.after.trim().is_empty() && fix.before.trim().is_empty() => {
                format!(" (fix: '{}')", fix.after)
            }
            Some(fix) if fix.after.is_empty() => " (fix: leave out)".to_owned(),
            Some(fix) => format!(" (fix: {})", fix.after),
        }
    }
}

/// A problem, its place, and its fix if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The problem and its place.
    pub diagnostic: Diagnostic,
    /// The fix; `None` if the meaning is in doubt.
    pub fix: Option<Fix>,
}

impl Finding {
    /// Its severity: a problem that can be repaired is never an error.
    pub fn severity(&self) -> Severity {
        let severity = self.diagnostic.severity();
        match self.fix {
            Some(_) => severity.min(Severity::Warning),
            None => severity,
        }
    }

    /// Whether it was left unrepaired, and matters.
    pub fn is_left(&self) -> bool {
        self.fix.is_none() && self.severity() >= Severity::Warning
    }

    /// Converts it to a diagnostic for readers that continue with the repaired text.
    pub(super) fn into_diagnostic(self) -> Diagnostic {
        let Diagnostic {
            line,
            column,
            problem,
        } = self.diagnostic;
        let Some(Fix { after, .. }) = self.fix else {
            return Diagnostic::new(line, column, problem);
        };
        let problem = Box::new(problem);
        Diagnostic::new(line, column, RecordProblem::Repaired { problem, after })
    }

    /// Formats as `name:line:column: severity: message (fix: text)`.
    pub fn display(&self, name: &str) -> impl fmt::Display {
        fmt::from_fn(move |f| {
            let Diagnostic {
                line,
                column,
                problem,
            } = &self.diagnostic;
            let (severity, fix) = (self.severity(), Fix::in_brackets(self.fix.as_ref()));
            write!(f, "{name}:{line}:{column}: {severity}: {problem}{fix}")
        })
    }
}
