//! Who calls: people by sessions or tokens, workers by tokens; what each may do, and what they did.
//!
//! Handlers take [`SignedIn`] or [`MachineToken`], compare roles only by [`Right`], and note what they
//! change by [`audit()`], in the same transaction.

pub mod accounts;
mod attempts;
pub mod audit;
mod callers;
mod error;
pub mod machines;
pub mod passwords;
pub mod rights;
pub mod sessions;
pub mod tokens;

pub use audit::audit;
pub use callers::{InSession, MachineToken, SignedIn};
pub use error::PeopleError;
pub use passwords::Passwords;
pub use rights::Right;
