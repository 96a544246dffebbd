//! What scripts of pages and programs that make lists need, under `/api/v1`; each handler documents its answers. All
//! else is pages, with plain forms.

mod class;
mod lists;
mod public;
mod wire;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::state::{App, NEW_SESSION_EVERY};

pub(crate) use lists::explained;
pub use wire::{BODIES, ReadBody};
pub(crate) use wire::{read_code, read_name};

pub(crate) fn router(app: &App) -> OpenApiRouter<App> {
    // New sessions have a quota of their own: a flood of them would get around limits for each.
    let quota = app
        .quotas
        .limit_addresses(NEW_SESSION_EVERY, app.settings.limits.new_sessions);
    let entrance = OpenApiRouter::new()
        .routes(routes!(public::enter))
        .layer(quota);
    OpenApiRouter::new()
        .merge(entrance)
        .routes(routes!(public::me))
        .routes(routes!(public::leave))
        .routes(routes!(lists::begin))
        .routes(routes!(lists::list))
        .routes(routes!(lists::record))
        .routes(routes!(lists::finish))
        .routes(routes!(lists::skip))
        .routes(routes!(lists::result))
        .routes(routes!(lists::seen))
        .routes(routes!(class::join))
        .routes(routes!(class::me))
        .routes(routes!(public::cases_epd))
        .routes(routes!(public::cases_csv))
        .routes(routes!(public::cases_json))
        .routes(routes!(public::overlooked_csv))
}
