//! The program `touchstone` over pipes.
//!
//! Here is what only the program as a whole shows; `src/bin/touchstone` has the tests of its parts.

mod answers;
pub(crate) mod driver;
mod files;
mod signals;
