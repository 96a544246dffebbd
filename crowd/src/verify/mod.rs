//! Compares move lists: a written list with our generator's, an engine's with trusted ones.
//!
//! `input` parses what people wrote; `tidy`, `pasted`, `counts` and `pasted_position` what they paste on a page; `listed`
//! finds the legal moves that are meant and compares; `engine` has the trusted lists and compares an engine's with them;
//! these are pure, and the engine is driven by `uci`. `docs/crowd-data.md` documents which input is accepted and rejected.

mod counts;
mod engine;
mod input;
mod listed;
mod pasted;
mod pasted_position;
mod report;
mod tidy;

pub use counts::{DivideCounts, WrongCount};
pub use engine::{CaseSource, CasesError, VerifyCase, read_cases, thesis_cases};
pub use input::{ListItem, PositionFileError, TextPlace, Unreadable, read_list, read_position};
pub use listed::{Listed, Named, Repeated, Wrong, compare};
pub use pasted::{Pasted, check_pasted};
pub use pasted_position::{PastedPositionError, read_pasted_position};
pub use report::{ListReport, VerifyReport};
