//! Labels that workers gave to tasks, as names and as indices; reading and writing them as CSV.
//!
//! Nothing is known here of chess, nor of what is made of the labels: that is `aggregate`.

mod names;
mod read;
mod table;
mod write;

pub use names::Names;
pub use read::{ReadLabelsError, read_gold, read_labels};
pub use table::{ConflictError, Given, Labels};
pub use write::write_probabilities;
