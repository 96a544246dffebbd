//! The database: a pool of connections, and its schema. The rooms of the server have their own
//! statements.

mod database;

pub use database::{Database, StoreError};
