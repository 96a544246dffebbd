//! The database: a pool of connections, its schema, and the queue. Other rooms of the server have
//! their own statements.

mod database;
pub mod work;

pub use database::{Database, LabDatabaseError};
pub(crate) use database::{IN_BACKGROUND, bounded};
