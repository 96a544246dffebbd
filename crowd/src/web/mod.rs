//! The web: routes of the API and of the pages, who asks, how much they may ask for, and how errors are told.
//!
//! What requests mean is `service`'s; what the pages' scripts and pictures are is `assets`'s. Handlers read the
//! request, ask the service once or twice, and write the answer. [`router`] is all of it as one service, [`serve`]
//! runs it on a socket until it is told to end, [`upkeep`] does what no request waits for.

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
