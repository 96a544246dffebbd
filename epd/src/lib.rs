//! EPD records and suites: reading, diagnostics, writing, and the suites that come with Touchstone.
//!
//! A record is one line: the four fields of a position, then operations such as `bm Nf3;` or
//! `D3 8902;`. [`Suite::parse`] reads the bytes of a file; [`Record`] is one line and writes back
//! exactly the text it was read from. Anything unusual is reported as a [`Diagnostic`] with line
//! and column; nothing is repaired silently. `docs/epd.md` describes the format.
//!
//! Sources: the PGN standard, section 16.2 (Steven J. Edwards, 1994), and the EPD text of 1995.
//!
//! [`mate`] proves forced mates by exhaustive search; nothing else here plays chess. The library is
//! pure: only [`cli`], the program, opens files and prints.
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
pub mod baseline;
#[cfg(feature = "cli")]
mod bench;
#[cfg(feature = "cli")]
pub mod cli;
mod count;
mod diagnostic;
#[cfg(feature = "cli")]
pub mod eval;
#[cfg(feature = "cli")]
pub mod files;
mod finding;
pub mod goal;
pub mod lint;
pub mod mate;
mod operand;
mod operation;
mod read;
mod record;
mod repair;
#[cfg(feature = "cli")]
pub mod report;
#[cfg(feature = "cli")]
pub mod run;
mod scan;
#[cfg(feature = "cli")]
pub mod score;
mod severity;
mod style;
mod suite;
pub mod suites;
#[cfg(feature = "cli")]
pub mod trial;
mod value;
#[cfg(feature = "cli")]
pub mod verdict;

pub use count::CountError;
pub use diagnostic::{Diagnostic, Problem};
pub use finding::{Finding, Fix};
pub use lint::{Lint, Normalised, Tally, lint, normalise};
pub use operand::Operand;
pub use operation::{Operation, OperationError};
pub use read::{Lenient, ParseRecordError};
pub use record::{Record, RepeatedDepthError};
pub use repair::{Repaired, repair};
pub use severity::Severity;
pub use style::StyleProblem;
pub use suite::{Entry, Suite};
pub use value::{OpcodeValue, OperandError, OperandReason};
