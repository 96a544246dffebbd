//! Reports of runs, in all formats and from the command line.

#[expect(
    clippy::disallowed_methods,
    reason = "a run directory is made of files"
)]
mod cli;
mod formats;
pub(crate) mod synthetic;
