//! The queue in a database.

pub(crate) mod bench;
mod crashes;
mod liars;
mod rows;
mod rules;
