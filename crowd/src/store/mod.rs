//! The database: `SQLite` or `PostgreSQL`, with the same code and the same migrations.
//!
//! It stores and queries; it decides nothing except which of two writers came first. Only `service`
//! uses its queries, which are grouped by topic.

mod assignments;
mod awards;
pub(crate) mod entity;
mod error;
mod events;
mod findings;
mod flags;
mod migration;
mod open;
mod people;
mod positions;

pub(crate) use assignments::{Had, Made, NewAssignment};
pub(crate) use awards::{Award, Sums};
pub use error::StoreError;
pub(crate) use events::{Closing, Kept, NewEvent, NewEvents, close};
pub(crate) use findings::Decision;
pub(crate) use flags::NewFlag;
pub use open::Store;
pub(crate) use positions::NewPosition;
