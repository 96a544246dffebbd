//! The API for programs and our own pages, under `/api/v1`; each handler documents its answers.

mod admin;
mod public;
mod wire;

use axum::extract::DefaultBodyLimit;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::limits::{self, ByAddress};
use super::state::App;

pub(crate) use admin::{decide, quarantine, retire, take_in};
pub(crate) use public::{closed_position, read_token};
pub use wire::Body;
pub(crate) use wire::{BoardQuery, Decision, Import, Retiring};

/// Maximum size of an import.
pub(crate) const IMPORT_BYTES: usize = 2 * 1024 * 1024;

/// The routes with their documentation.
pub(crate) fn router(app: &App) -> OpenApiRouter<App> {
    // New sessions have a quota of their own, since a flood would use many.
    let settings = &app.settings;
    let by_address = ByAddress {
        trust_proxy: settings.trust_proxy,
    };
    let every = std::time::Duration::from_secs(1);
    let quota = limits::quota(by_address, every, settings.limits.new_sessions);
    app.sweep_with(&quota);
    let entrance = OpenApiRouter::new()
        .routes(routes!(public::enter))
        .layer(limits::layer(&quota));
    OpenApiRouter::new()
        .merge(entrance)
        .routes(routes!(public::me, public::rename))
        .routes(routes!(public::assign))
        .routes(routes!(public::assignment))
        .routes(routes!(public::record))
        .routes(routes!(public::finish))
        .routes(routes!(public::skip))
        .routes(routes!(public::result))
        .routes(routes!(public::leaderboard))
        .routes(routes!(public::cases))
        .routes(routes!(public::cases_epd))
        .routes(routes!(public::cases_csv))
        .routes(routes!(public::cases_json))
        .routes(routes!(public::position))
        .merge(moderation())
}

fn moderation() -> OpenApiRouter<App> {
    let import = OpenApiRouter::new()
        .routes(routes!(admin::import))
        .layer(DefaultBodyLimit::max(IMPORT_BYTES));
    OpenApiRouter::new()
        .routes(routes!(admin::queue))
        .routes(routes!(admin::resolve))
        .routes(routes!(admin::flags))
        .routes(routes!(admin::positions))
        .routes(routes!(admin::position))
        .routes(routes!(admin::contributor))
        .merge(import)
}
