//! Labels that workers gave to tasks, by name and by index; reading and writing them as CSV.
//!
//! Independent of chess, and of how labels are aggregated (see `aggregate`).

mod names;
mod read;
mod table;
mod write;

pub use names::Names;
pub use read::{ReadLabelsError, read_gold, read_labels};
pub use table::{ConflictError, Given, Labels};
pub use write::write_probabilities;
