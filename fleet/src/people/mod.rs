//! Who calls: people by sessions or tokens, workers by tokens; what each may do, and what they did.
//!
//! Handlers take [`SignedIn`], [`OnPage`] or [`MachineToken`], compare roles only by [`Right`], and note what
//! they change by [`audit()`], in the same transaction.

pub mod accounts;
mod api;
mod attempts;
pub mod audit;
mod callers;
pub mod cli;
mod error;
pub mod machines;
pub mod passwords;
pub mod rights;
pub mod sessions;
pub mod tokens;

pub use audit::audit;
pub use callers::{InSession, MachineToken, OnPage, SignedIn, for_quota};
pub use error::PeopleError;
pub use passwords::Passwords;
pub use rights::Right;

use axum::Extension;
use utoipa_axum::router::OpenApiRouter;

use crate::app::LabState;

/// The API of people and machines; their pages are in `pages`.
pub fn router(passwords: &Passwords) -> OpenApiRouter<LabState> {
    api::router().layer(Extension(passwords.clone()))
}

/// The address of a one-time link. The secret is behind a `#`, which browsers send to nobody: it is in no
/// log of a server or a proxy.
pub(crate) fn link_address(public_url: &str, secret: &str) -> String {
    format!("{}/link#{secret}", public_url.trim_end_matches('/'))
}
