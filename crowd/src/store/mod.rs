//! The database: `SQLite` or `PostgreSQL`, with the same code and the same migrations.
//!
//! It stores and queries; it decides nothing except which of two writers came first. Only `service`
//! uses its queries, which are grouped by topic.

mod account;
mod assignments;
mod classes;
mod daily;
pub(crate) mod entity;
mod events;
mod findings;
mod group;
mod insight;
mod lock;
mod migration;
mod moderation;
mod open;
mod people;
mod positions;

pub(crate) use assignments::{Had, Waiting};
pub(crate) use classes::Joined;
pub(crate) use events::{Closing, Kept, NewEvents, close};
pub(crate) use findings::Decision;
pub use lock::{InstanceLock, LockError};
pub(crate) use moderation::{Reversed, Sessions};
pub use open::{Store, StoreError};

pub(crate) type Result<T, E = StoreError> = std::result::Result<T, E>;
pub(crate) use account::Records;
pub(crate) use people::Sums;
pub(crate) use positions::NewPosition;
