//! EPD records and suites: reading, diagnostics, writing, and the suites that come with Touchstone.
//!
//! A record is one line: the four fields of a position, then operations such as `bm Nf3;` or
//! `D3 8902;`. [`Suite::parse`] reads the bytes of a file; [`Record`] is one line and writes back
//! exactly the text it was read from. Anything unusual is reported as a [`Diagnostic`] with line
//! and column; nothing is repaired silently. `docs/epd.md` describes the format.
//!
//! Sources: the PGN standard, section 16.2 (Steven J. Edwards, 1994), and the EPD text of 1995.
//!
//! A file of any size is read line by line: [`SuiteReader`] gives checked records, [`RawReader`] lends
//! the fields and operations of a line as they are, without an allocation, and [`visit`] hands them to a
//! [`FileVisitor`].
//!
//! [`mate`] proves forced mates by exhaustive search; nothing else here plays chess. The library is
//! pure: only [`cli`], the program, opens files and prints; its file tools have temporary files.
//!
//! ```
//! use epd::{Severity, Suite};
//!
//! let text = b"# from nowhere\n\
//!     4k3/8/8/8/8/8/8/4K2R w K - ;D1 15 ;D2 66\n\
//!     4k3/8/8/8/8/8/8/4K2R w K -  id \"two blanks\"; bm Rh8+;\n";
//! let suite = Suite::parse("example.epd", text);
//!
//! assert_eq!(suite.entries.len(), 2);
//! assert_eq!(suite.entries[0].line, 2);
//! assert_eq!(suite.entries[0].record.perft_counts(), [(1, 15), (2, 66)]);
//! assert_eq!(suite.entries[1].record.id(), Some("two blanks"));
//!
//! assert!(!suite.has_errors());
//! let note = &suite.diagnostics[0];
//! assert_eq!(note.severity(), Severity::Note);
//! assert_eq!(
//!     note.display(&suite.name).to_string(),
//!     "example.epd:3:27: note: 2 blanks, expected one"
//! );
//! ```

#[cfg(feature = "cli")]
pub mod bench;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "task")]
mod distributed;
#[cfg(feature = "cli")]
pub mod eval;
#[cfg(feature = "cli")]
mod files;
#[cfg(feature = "task")]
#[doc(hidden)]
pub mod lab;
pub mod mate;
#[cfg(feature = "cli")]
mod mates;
#[cfg(feature = "cli")]
mod report;
#[cfg(test)]
#[path = "../tests/it/rows.rs"]
mod rows;
#[cfg(feature = "cli")]
mod run;
#[cfg(feature = "cli")]
mod stream;

pub mod suites;
mod text;

#[cfg(feature = "task")]
pub use distributed::task;
#[cfg(feature = "cli")]
pub use files::document::{Document, DocumentItem};
#[cfg(feature = "cli")]
pub use run::{baseline::Baseline, goal::Goal, plan::PositionLimits, verdict::MinSolved};
pub use text::{
    Diagnostic, FileVisitor, Finding, Fix, LenientRecord, Lint, LintTally, Normalised, OpcodeValue,
    Operand, OperandError, OperandReason, Operation, OperationError, ParseRecordError,
    PerftCountError, RawContent, RawLine, RawOperand, RawOperation, RawReader, RawRecord, Record,
    RecordProblem, Repaired, RepeatedDepthError, Severity, Suite, SuiteEntry, SuiteReader, lint,
    normalise, repair, visit,
};
