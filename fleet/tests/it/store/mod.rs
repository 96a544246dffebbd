//! The queue in a database.

mod bench;
mod liars;
mod rules;
