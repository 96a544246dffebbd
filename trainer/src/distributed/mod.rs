//! `trainer play --fleet URL`: games of self-play on many machines.
//!
//! The games of a file become a job at a broker (`protocol`, pure). Workers lease them in units
//! and submit the records of their positions (`task`). The process that posted the job waits for
//! it and writes the file (`post`), the same file that one machine would write. Neither side keeps
//! state of its own: each may crash at any moment.

pub(crate) mod post;
mod protocol;
mod task;
#[cfg(test)]
mod tests;

pub use protocol::{KIND, check};
pub use task::GamesTask;
