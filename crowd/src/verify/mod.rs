//! Compares move lists: a written list with our generator's, an engine's with trusted ones.
//!
//! `position_file` and `list_file` parse what people wrote, `named` finds the legal move that is
//! meant, `listed` and `against` compare, `cases` has the trusted lists; all are pure. The engine
//! is driven by `uci`. `docs/crowd-aggregation.md` documents which input is accepted and rejected.

mod against;
mod cases;
mod list_file;
mod listed;
mod named;
mod position_file;
mod report;
mod verdict;

pub use against::{Against, Superfluous};
pub use cases::{Case, CasesError, Source, read_cases, thesis_cases};
pub use list_file::{Item, Place, Unreadable, read_list};
pub use listed::{Listed, Repeated, Wrong, compare};
pub use named::Named;
pub use position_file::{PositionFileError, read_position};
pub use report::{check_human, check_json, verify_human, verify_json};
pub use verdict::{Checked, Outcome, Verdict};
