//! The queue in a database.

mod archive;
pub(crate) mod bench;
mod crashes;
mod heartbeats;
mod liars;
mod pooler;
mod rows;
mod rules;
mod servers;
