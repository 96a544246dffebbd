//! The structure of the sources: which module of a crate uses which, and which private functions have
//! one caller; how large the crates are; the files of a release, and the address that they are published at.
//!
//! The checks themselves are tests, in `tests/it`: `cargo test -p touchstone-xtask`.

mod address;
pub mod dist;
mod files;
mod functions;
mod modules;
mod picture;
mod sizes;
mod uses;

pub use address::set_address;
pub use files::our_files;
pub use functions::{Functions, functions_by_crate};
pub use modules::{Module, Modules};
pub use picture::picture;
pub use sizes::{MAXIMA, Maxima, sizes, table};
pub use uses::{Neighbours, Uses, drawing, with_drawings};
