//! The web server: routes of the API and the pages, authentication, quotas, and kinds of errors. What any
//! site needs is in the crate `web`.
//!
//! The application logic is in `service`; scripts and pictures of the pages are in `assets`.
//! Handlers parse the request, call the service once or twice, and write the response. [`router`]
//! is all of it as one service, `serve` runs it on a socket until it is stopped, `upkeep` runs
//! periodic work.

mod answers;
mod api;
mod compute;
mod guesses;
mod language;
mod metrics;
mod pages;
mod play;
mod problem;
mod routes;
mod security;
mod serve;
mod session;
mod state;
mod tokens;

pub use api::{BODIES, ReadBody};
pub use metrics::Metrics;
pub use play::router as play_router;
pub use routes::router;
pub use security::{SecurityContact, SecurityContactError};
pub use serve::{serve, upkeep};
pub(crate) use state::now;
pub use state::{App, RateLimits, WebSettings};
pub use tokens::{Moderators, ModeratorsError};
