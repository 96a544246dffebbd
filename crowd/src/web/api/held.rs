//! Moderation of lists that were faster than hands are.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::Done;
use crate::service::HeldList;
use crate::web::session::Moderator;
use crate::web::state::App;
use web::extract::{Answer, Json, Path};
use web::problem::{NOT_FOUND, Problem, ProblemBody};

/// Lists that do not count.
#[derive(Serialize, ToSchema)]
pub(crate) struct HeldLists {
    /// Newest first, at most 200.
    lists: Vec<HeldList>,
}

/// Returns the lists that do not count because no hands are so fast. Those of quarantined people are
/// left out.
#[utoipa::path(get, path = "/api/v1/admin/lists/held", tag = "moderate", security(("moderator" = [])), responses(
    (status = 200, body = HeldLists),
    (status = 401, description = "not-a-moderator", body = ProblemBody),
))]
pub(crate) async fn held(State(app): State<App>, _: Moderator) -> Answer<HeldLists> {
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
    _: Moderator,
    Path(id): Path<i64>,
) -> Answer<Done> {
    if !app.service.allow_list(id).await? {
        let detail = format!("list {id} is not held");
        return Err(Problem::new(NOT_FOUND, detail));
    }
    app.has_changed();
    Ok(Json(Done {}))
}
