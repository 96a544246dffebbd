//! The API for programs and our own pages, under `/api/v1`; each handler documents its answers.

mod admin;
mod assignments;
mod boards;
mod exports;
mod session;
mod wire;

pub(crate) use admin::{decide, retire, set_aside, take_in};
pub(crate) use assignments::read_token;
pub(crate) use boards::closed_position;
pub(crate) use wire::{
    BoardQuery, Counting, Decision, Ending, Entry, Events, Import, Renaming, Retiring, SentEvent,
    Wanted, read as read_events,
};

use axum::extract::DefaultBodyLimit;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::limits::{self, ByAddress};
use super::state::App;

/// Maximum size of an import.
pub(crate) const IMPORT_BYTES: usize = 2 * 1024 * 1024;

/// The routes with their documentation.
pub(crate) fn router(app: &App) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(entrance(app))
        .routes(routes!(session::me, session::rename))
        .routes(routes!(assignments::assign))
        .routes(routes!(assignments::assignment))
        .routes(routes!(assignments::record))
        .routes(routes!(assignments::finish))
        .routes(routes!(assignments::skip))
        .routes(routes!(assignments::result))
        .routes(routes!(boards::leaderboard))
        .routes(routes!(boards::cases))
        .routes(routes!(exports::cases_epd))
        .routes(routes!(exports::cases_csv))
        .routes(routes!(exports::cases_json))
        .routes(routes!(boards::position))
        .merge(moderation())
}

/// New sessions have a quota of their own, since a flood would use many.
fn entrance(app: &App) -> OpenApiRouter<App> {
    let settings = &app.settings;
    let by_address = ByAddress {
        trust_proxy: settings.trust_proxy,
    };
    let every = std::time::Duration::from_secs(1);
    let quota = limits::quota(by_address, every, settings.limits.new_sessions);
    app.sweep_with(&quota);
    OpenApiRouter::new()
        .routes(routes!(session::enter))
        .layer(limits::layer(&quota))
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
