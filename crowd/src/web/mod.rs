//! The web server: routes of the API and the pages, authentication, rate limits, and errors.
//!
//! The application logic is in `service`; scripts and pictures of the pages are in `assets`.
//! Handlers parse the request, call the service once or twice, and write the response. [`router`]
//! is all of it as one service, [`serve`] runs it on a socket until it is stopped, [`upkeep`] runs
//! periodic work.

mod admin_token;
mod api;
mod bodies;
mod cookies;
mod errors;
pub(crate) mod extract;
mod faces;
mod files;
mod health;
mod layers;
mod limits;
mod metrics;
mod openapi;
mod pages;
mod places;
mod play;
pub mod problem;
mod routes;
mod serve;
mod session;
mod settings;
mod state;
mod upkeep;

pub use admin_token::{AdminToken, ShortTokenError};
pub use bodies::Body;
pub use metrics::Metrics;
pub use play::router as play_router;
pub use problem::Problem;
pub use routes::{documentation, router};
pub use serve::serve;
pub use settings::{Limits, WebSettings};
pub use state::App;
pub use upkeep::upkeep;
