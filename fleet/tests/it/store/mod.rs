//! The queue in a database.

mod archive;
mod bench;
mod crashes;
mod liars;
mod pooler;
mod rows;
mod rules;
mod servers;
