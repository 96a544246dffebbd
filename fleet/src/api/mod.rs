//! The API of workers, and of people who look after them, as [`queue::wire`] describes it.

mod worker;
mod workers;

use utoipa_axum::router::OpenApiRouter;

use crate::app::LabState;

/// All calls.
pub fn router() -> OpenApiRouter<LabState> {
    worker::router().merge(workers::router())
}
