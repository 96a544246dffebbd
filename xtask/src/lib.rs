//! What the checks of the whole workspace need: who uses whom within a crate.
//!
//! The checks themselves are tests, in `tests/it`: `cargo test -p touchstone-xtask`.

mod modules;
mod page;
mod uses;

pub use modules::{Module, Modules};
pub use page::with_drawings;
pub use uses::{Neighbours, Uses, drawing};
