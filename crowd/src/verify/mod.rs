//! Move lists held against others: a written list against the generator, an engine's against trusted ones.
//!
//! `position_file` and `list_file` read what people wrote, `named` finds the legal move that is meant, `listed`
//! and `against` compare, `cases` are the trusted lists; all pure. The engine is asked by `uci`'s driver.
//! `docs/crowd-aggregation.md` says what is read and what is refused.

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
