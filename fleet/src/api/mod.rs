//! The API of workers and of programs that bring jobs, as [`queue::wire`] describes it.

mod jobs;
mod lines;
mod worker;

use axum::Router;

use crate::app::App;

/// All calls of [`queue::wire`] but those of [`bulk_router`].
pub fn router() -> Router<App> {
    worker::router().merge(jobs::router())
}

/// The call that adds a job with all its chunks, which may take minutes.
pub fn bulk_router() -> Router<App> {
    jobs::bulk_router()
}
