//! The queue in a database.

mod bench;
mod crashes;
mod liars;
mod rows;
mod rules;
