//! The API for programs and our own pages, under `/api/v1`; each handler documents its answers.

mod account;
mod admin;
mod class;
mod held;
mod lists;
mod overlooked;
mod public;
mod wire;

use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use web::limits::{ByAddress, QuotaLayer};

use super::state::{App, NEW_SESSION_EVERY};

pub(crate) use account::{ListsQuery, attachment};
pub(crate) use admin::{contributor, position, resolve, reverse, take_in};
pub(crate) use held::{allow as allow_list, keep as keep_list};
pub(crate) use lists::explained;
pub(crate) use public::{closed_position, read_name};
pub(crate) use wire::read_code;
pub use wire::{BODIES, ReadBody};
pub(crate) use wire::{BoardQuery, Counting, Decision, Import, PageQuery, Retiring, Reversal};

pub(crate) const IMPORT_BYTES: usize = 2 * 1024 * 1024;

/// The limit on attempts to recover a session: phrases must not be guessed.
pub(crate) fn recovery_quota(app: &App) -> QuotaLayer<ByAddress> {
    let logins = app.settings.limits.logins;
    app.quotas.limit_addresses(Duration::from_secs(2), logins)
}

pub(crate) fn router(app: &App) -> OpenApiRouter<App> {
    // New sessions have a quota of their own: a flood of them would get around limits for each.
    let quota = app
        .quotas
        .limit_addresses(NEW_SESSION_EVERY, app.settings.limits.new_sessions);
    let entrance = OpenApiRouter::new()
        .routes(routes!(public::enter))
        .layer(quota);
    let recovery = OpenApiRouter::new()
        .routes(routes!(account::recover))
        .layer(recovery_quota(app));
    let import = OpenApiRouter::new()
        .routes(routes!(admin::import))
        .layer(DefaultBodyLimit::max(IMPORT_BYTES));
    OpenApiRouter::new()
        .merge(entrance)
        .merge(recovery)
        .routes(routes!(public::me, public::rename, account::delete))
        .routes(routes!(account::leave))
        .routes(routes!(account::phrase))
        .routes(routes!(account::export))
        .routes(routes!(account::lists))
        .routes(routes!(held::held))
        .routes(routes!(held::allow))
        .routes(routes!(held::keep))
        .routes(routes!(lists::begin))
        .routes(routes!(lists::list))
        .routes(routes!(lists::record))
        .routes(routes!(lists::finish))
        .routes(routes!(lists::skip))
        .routes(routes!(lists::result))
        .routes(routes!(lists::seen))
        .routes(routes!(lists::today))
        .routes(routes!(public::leaderboard))
        .routes(routes!(class::join))
        .routes(routes!(class::me))
        .routes(routes!(public::cases))
        .routes(routes!(public::cases_epd))
        .routes(routes!(public::cases_csv))
        .routes(routes!(public::cases_json))
        .routes(routes!(public::position))
        .routes(routes!(overlooked::overlooked_file))
        .routes(routes!(admin::queue))
        .routes(routes!(admin::resolve))
        .routes(routes!(admin::reverse))
        .routes(routes!(admin::log))
        .routes(routes!(admin::flags))
        .routes(routes!(admin::positions))
        .routes(routes!(admin::position))
        .routes(routes!(admin::contributor))
        .merge(import)
}
