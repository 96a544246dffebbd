//! Who calls: people by sessions or tokens, workers by tokens; what each may do, and what they did.
//!
//! Handlers take [`SignedIn`] or [`MachineToken`], and compare roles only by [`Right`].

mod callers;
pub mod rights;
pub mod sessions;
pub mod tokens;

pub use callers::{InSession, MachineToken, SignedIn};
pub use rights::Right;
