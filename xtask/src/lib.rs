//! The structure of the sources: which module of a crate uses which, and which private functions have
//! one caller; and the files of a release.
//!
//! The checks themselves are tests, in `tests/it`: `cargo test -p touchstone-xtask`.

pub mod dist;
mod functions;
mod modules;
mod picture;
mod uses;

pub use functions::{Functions, functions_by_crate};
pub use modules::{Module, Modules};
pub use picture::picture;
pub use uses::{Neighbours, Uses, drawing, with_drawings};
