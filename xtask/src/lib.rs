//! The structure of the sources: which module of a crate uses which; how large the crates are; the files of a release.
//!
//! The checks themselves are tests, in `tests/it`: `cargo test -p touchstone-xtask`.

pub mod dist;
mod files;
mod modules;
mod picture;
mod sizes;
mod structure;
mod uses;

pub use files::our_files;
pub use modules::{Module, Modules};
pub use picture::picture;
pub use sizes::{MAXIMA, Maxima, sizes, table};
pub use structure::{structures, with_drawings};
pub use uses::{Neighbours, Uses, drawing};
