//! The API of workers and of programs that bring jobs, as [`queue::wire`] describes it.

mod jobs;
mod lines;
mod worker;

use axum::Router;

use crate::app::App;

/// All calls of [`queue::wire`].
pub fn router() -> Router<App> {
    worker::router().merge(jobs::router())
}
