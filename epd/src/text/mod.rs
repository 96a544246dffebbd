//! The text of records and values: reading, diagnostics, repairing, linting, writing back.
//!
//! `scan` splits a line into tokens, `read` makes a [`Record`] of [`Operation`]s, whose operands
//! `value` interprets; [`repair()`] reads dirty lines; `suite` and `lint` handle whole files. Other
//! modules import from here, those of this one from each other.

#[cfg(feature = "cli")]
mod book;
mod diagnostic;
mod fast;
mod key;
mod lint;
mod operation;
mod raw;
mod read;
mod record;
mod repair;
mod scan;
mod suite;
mod value;

pub use diagnostic::{Diagnostic, Finding, Fix, RecordProblem, Severity};
pub use lint::{Lint, LintTally, Normalised, lint, normalise};
pub use operation::{Operand, Operation, OperationError, PerftCountError};
pub use raw::{
    FileVisitor, RawContent, RawLine, RawOperand, RawOperation, RawReader, RawRecord, visit,
};
pub use read::{LenientRecord, ParseRecordError};
pub use record::{Record, RepeatedDepthError};
pub use repair::{Repaired, repair};
pub use suite::{Suite, SuiteEntry, SuiteReader};
pub use value::{OpcodeValue, OperandError, OperandReason};

#[cfg(feature = "cli")]
pub(crate) use book::{FileKind, check_line_of, is_bare, recognise};
#[cfg(feature = "cli")]
pub(crate) use key::{PositionKey, position_key};
#[cfg(feature = "cli")]
pub(crate) use lint::{OncePerFile, Solutions, compare_solutions, solutions};
#[cfg(feature = "cli")]
pub(crate) use operation::{digits, is_standard_opcode};
#[cfg(feature = "cli")]
pub(crate) use suite::{BYTE_ORDER_MARK, not_utf8, read_bytes, split_line_end};
#[cfg(feature = "cli")]
pub(crate) use value::{MOST_CENTIPAWNS, mate_evaluation};
