//! The API for programs and our own pages, under `/api/v1`; each handler documents its answers.

mod admin;
mod daily;
mod public;
mod wire;

use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::state::App;

pub(crate) use admin::{contributor, position, resolve, take_in};
pub(crate) use public::closed_position;
pub use wire::{BODIES, ReadBody};
pub(crate) use wire::{BoardQuery, Counting, Decision, Import, Retiring};

pub(crate) const IMPORT_BYTES: usize = 2 * 1024 * 1024;

pub(crate) fn router(app: &App) -> OpenApiRouter<App> {
    // New sessions have a quota of their own, since a flood would use many.
    let quota = app
        .quotas
        .limit_addresses(Duration::from_secs(1), app.settings.limits.new_sessions);
    let entrance = OpenApiRouter::new()
        .routes(routes!(public::enter))
        .layer(quota);
    let import = OpenApiRouter::new()
        .routes(routes!(admin::import))
        .layer(DefaultBodyLimit::max(IMPORT_BYTES));
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
        .routes(routes!(daily::today))
        .routes(routes!(daily::start))
        .routes(routes!(daily::finish))
        .routes(routes!(public::cases))
        .routes(routes!(public::cases_epd))
        .routes(routes!(public::cases_csv))
        .routes(routes!(public::cases_json))
        .routes(routes!(public::position))
        .routes(routes!(admin::queue))
        .routes(routes!(admin::resolve))
        .routes(routes!(admin::flags))
        .routes(routes!(admin::positions))
        .routes(routes!(admin::position))
        .routes(routes!(admin::contributor))
        .merge(import)
}
