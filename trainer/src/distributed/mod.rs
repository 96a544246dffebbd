//! Games of self-play as work for many machines.
//!
//! The games become a job of a lab (`protocol`, pure). Workers lease them in units and submit the records of their
//! positions (`task`): together, they are the file that one machine would write.

mod protocol;
mod task;
#[cfg(test)]
mod tests;

#[cfg(feature = "fleet")]
pub(crate) use protocol::decode;
pub use protocol::{JobBody, KIND, check, job};
pub use task::GamesTask;
