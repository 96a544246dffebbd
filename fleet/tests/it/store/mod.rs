//! The queue in a database.

pub(crate) mod bench;
mod liars;
mod rules;
