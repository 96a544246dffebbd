//! Moderation of lists that look like a program's.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::Done;
use crate::model::Act;
use crate::service::HeldList;
use crate::web::session::Moderator;
use crate::web::state::{App, now};
use web::extract::{ApiAnswer, Json, Path};
use web::problem::{NOT_FOUND, Problem, ProblemBody};

/// Lists that do not count.
#[derive(Serialize, ToSchema)]
pub(crate) struct HeldLists {
    /// Newest first, at most 200.
    lists: Vec<HeldList>,
}

/// Returns the lists that do not count because they look like a program's, and wait for a decision. Those
/// of quarantined people are left out.
#[utoipa::path(get, path = "/api/v1/admin/lists/held", tag = "moderate", security(("moderator" = [])), responses(
    (status = 200, body = HeldLists),
    (status = 401, description = "not-a-moderator", body = ProblemBody),
))]
pub(crate) async fn held(State(app): State<App>, _: Moderator) -> ApiAnswer<HeldLists> {
    let lists = app.service.held_lists().await?;
    Ok(Json(HeldLists { lists }))
}

/// Has a held list count.
#[utoipa::path(put, path = "/api/v1/admin/lists/{id}/allowed", tag = "moderate", security(("moderator" = [])),
    params(("id" = i64, Path, description = "the number of the list")),
    responses(
        (status = 200, body = Done),
        (status = 401, description = "not-a-moderator", body = ProblemBody),
        (status = 404, description = "not-found: no such list is held", body = ProblemBody),
    ))]
pub(crate) async fn allow(
    State(app): State<App>,
    Moderator(by): Moderator,
    Path(id): Path<i64>,
) -> ApiAnswer<Done> {
    if !app.service.allow_list(id).await? {
        return Err(not_held(id));
    }
    app.service
        .log(&by, Act::Allow, Some(id), "", now())
        .await?;
    app.has_changed();
    Ok(Json(Done {}))
}

/// Decides that a held list does not count: it is not among those that wait any longer, but can still be
/// allowed.
#[utoipa::path(put, path = "/api/v1/admin/lists/{id}/kept", tag = "moderate", security(("moderator" = [])),
    params(("id" = i64, Path, description = "the number of the list")),
    responses(
        (status = 200, body = Done),
        (status = 401, description = "not-a-moderator", body = ProblemBody),
        (status = 404, description = "not-found: no such list waits", body = ProblemBody),
    ))]
pub(crate) async fn keep(
    State(app): State<App>,
    Moderator(by): Moderator,
    Path(id): Path<i64>,
) -> ApiAnswer<Done> {
    if !app.service.keep_list(id, &by, now()).await? {
        return Err(not_held(id));
    }
    Ok(Json(Done {}))
}

fn not_held(id: i64) -> Problem {
    Problem::new(NOT_FOUND, format!("list {id} is not held"))
}
