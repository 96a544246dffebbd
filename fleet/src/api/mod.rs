//! The API of workers and of programs that bring jobs, as [`queue::wire`] describes it.

mod jobs;
mod lines;
mod worker;

use utoipa_axum::router::OpenApiRouter;

use crate::app::LabState;

/// All calls of [`queue::wire`] but those of [`bulk_router`].
pub fn router() -> OpenApiRouter<LabState> {
    worker::router().merge(jobs::router())
}

/// The call that adds a job with all its chunks, which may take minutes.
pub fn bulk_router() -> OpenApiRouter<LabState> {
    jobs::bulk_router()
}
