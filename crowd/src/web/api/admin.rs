//! Moderation endpoints: disputes, flags, imports.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{Counting, Decision, Done, Import, RetiredState, Retiring, Reversal};
use crate::service::{
    Act, ContributorId, Deed, FlagItem, ImportError, ImportPlan, ImportReport, PositionOverview,
    QueueItem, Ruling,
};
use crate::web::session::Moderator;
use crate::web::state::{App, now};
use web::extract::{ApiAnswer, Json, Path};
use web::problem::{NOT_FOUND, Problem, ProblemBody};

/// The moderators' queue.
#[derive(Serialize, ToSchema)]
pub(crate) struct Queue {
    /// Open and resolved items, newest first.
    items: Vec<QueueItem>,
}

/// All flags.
#[derive(Serialize, ToSchema)]
pub(crate) struct Flags {
    /// Newest first.
    flags: Vec<FlagItem>,
}

/// The log of moderation.
#[derive(Serialize, ToSchema)]
pub(crate) struct Log {
    /// Newest first; the last 1000.
    deeds: Vec<Deed>,
}

/// All positions.
#[derive(Serialize, ToSchema)]
pub(crate) struct Positions {
    /// By number.
    positions: Vec<PositionOverview>,
}

/// Lists open and resolved queue items.
#[utoipa::path(get, path = "/api/v1/admin/queue", tag = "moderate", security(("moderator" = [])), responses(
    (status = 200, body = Queue),
    (status = 401, description = "not-a-moderator", body = ProblemBody),
))]
pub(crate) async fn queue(State(app): State<App>, _: Moderator) -> ApiAnswer<Queue> {
    let items = app.service.queue().await?;
    Ok(Json(Queue { items }))
}

/// Resolves a queue item.
#[utoipa::path(post, path = "/api/v1/admin/queue/{id}", tag = "moderate", request_body = Decision,
    security(("moderator" = [])),
    params(("id" = i64, Path, description = "the number of the item")),
    responses(
        (status = 200, body = Done),
        (status = 401, description = "not-a-moderator", body = ProblemBody),
        (status = 404, description = "not-found", body = ProblemBody),
        (status = 409, description = "conflict: it is decided already", body = ProblemBody),
    ))]
pub(crate) async fn resolve(
    State(app): State<App>,
    Moderator(by): Moderator,
    Path(id): Path<i64>,
    Json(decision): Json<Decision>,
) -> ApiAnswer<Done> {
    let ruling = Ruling {
        resolution: decision.resolution,
        note: decision.note()?,
        by: &by,
    };
    app.service.resolve(id, &ruling, now()).await?;
    app.has_changed();
    Ok(Json(Done {}))
}

/// Reverses the decision on a queue item: the position is in question again; a public answer, a test
/// case and the points that followed are withdrawn.
#[utoipa::path(post, path = "/api/v1/admin/queue/{id}/reversal", tag = "moderate",
    request_body = Reversal, security(("moderator" = [])),
    params(("id" = i64, Path, description = "the number of the item")),
    responses(
        (status = 200, body = Done),
        (status = 401, description = "not-a-moderator", body = ProblemBody),
        (status = 409, description = "conflict: it is not decided, or not the last one of its position",
            body = ProblemBody),
    ))]
pub(crate) async fn reverse(
    State(app): State<App>,
    Moderator(by): Moderator,
    Path(id): Path<i64>,
    Json(Reversal {}): Json<Reversal>,
) -> ApiAnswer<Done> {
    app.service.reverse(id, &by, now()).await?;
    app.has_changed();
    Ok(Json(Done {}))
}

/// Lists what moderators did: who, what and when.
#[utoipa::path(get, path = "/api/v1/admin/log", tag = "moderate", security(("moderator" = [])), responses(
    (status = 200, body = Log),
    (status = 401, description = "not-a-moderator", body = ProblemBody),
))]
pub(crate) async fn log(State(app): State<App>, _: Moderator) -> ApiAnswer<Log> {
    let deeds = app.service.deeds().await?;
    Ok(Json(Log { deeds }))
}

/// Lists the flags on lists that do not look like a person's own work.
#[utoipa::path(get, path = "/api/v1/admin/flags", tag = "moderate", security(("moderator" = [])), responses(
    (status = 200, body = Flags),
    (status = 401, description = "not-a-moderator", body = ProblemBody),
))]
pub(crate) async fn flags(State(app): State<App>, _: Moderator) -> ApiAnswer<Flags> {
    let flags = app.service.flags().await?;
    Ok(Json(Flags { flags }))
}

/// Lists every position with its state.
#[utoipa::path(get, path = "/api/v1/admin/positions", tag = "moderate", security(("moderator" = [])), responses(
    (status = 200, body = Positions),
    (status = 401, description = "not-a-moderator", body = ProblemBody),
))]
pub(crate) async fn positions(State(app): State<App>, _: Moderator) -> ApiAnswer<Positions> {
    let positions = app.service.positions_overview().await?;
    Ok(Json(Positions { positions }))
}

/// Retires an open position without an answer: its lists are not scored, and their owners are
/// informed.
#[utoipa::path(post, path = "/api/v1/admin/positions/{id}", tag = "moderate", request_body = Retiring,
    security(("moderator" = [])),
    params(("id" = i64, Path, description = "the number of the position")),
    responses(
        (status = 200, body = Done),
        (status = 401, description = "not-a-moderator", body = ProblemBody),
        (status = 404, description = "not-found", body = ProblemBody),
        (status = 409, description = "conflict: it is not open", body = ProblemBody),
    ))]
pub(crate) async fn position(
    State(app): State<App>,
    Moderator(by): Moderator,
    Path(id): Path<i64>,
    Json(retiring): Json<Retiring>,
) -> ApiAnswer<Done> {
    match retiring.state {
        RetiredState::Retired => app.service.retire(id, &by, now()).await?,
    }
    app.has_changed();
    Ok(Json(Done {}))
}

/// Imports positions into a campaign; all of them or, if a line is bad, none.
#[utoipa::path(post, path = "/api/v1/admin/import", tag = "moderate", request_body = Import,
    security(("moderator" = [])),
    responses(
        (status = 200, body = ImportReport),
        (status = 400, description = "bad-request: `problems` names each bad line", body = ProblemBody),
        (status = 401, description = "not-a-moderator", body = ProblemBody),
        (status = 413, description = "too-large: beyond 2 MiB", body = ProblemBody),
    ))]
pub(crate) async fn import(
    State(app): State<App>,
    Moderator(by): Moderator,
    Json(import): Json<Import>,
) -> ApiAnswer<ImportReport> {
    Ok(Json(take_in(&app, &import, &by).await?))
}

pub(crate) async fn take_in(
    app: &App,
    import: &Import,
    by: &str,
) -> Result<ImportReport, ImportError> {
    let plan = ImportPlan {
        campaign: &import.campaign,
        title: None,
        gold: import.gold,
    };
    let service = &app.service;
    let text = import.text.as_bytes();
    let report = service.import(text, plan, now()).await?;
    let detail = format!("{}: {} positions", import.campaign, report.added);
    service.log(by, Act::Import, None, &detail, now()).await?;
    app.has_changed();
    Ok(report)
}

/// Excludes a contributor's lists, or counts them again.
#[utoipa::path(post, path = "/api/v1/admin/contributors/{id}", tag = "moderate", request_body = Counting,
    security(("moderator" = [])),
    params(("id" = i64, Path, description = "the number of the contributor")),
    responses(
        (status = 200, body = Done),
        (status = 401, description = "not-a-moderator", body = ProblemBody),
        (status = 404, description = "not-found", body = ProblemBody),
    ))]
pub(crate) async fn contributor(
    State(app): State<App>,
    Moderator(by): Moderator,
    Path(id): Path<i64>,
    Json(counting): Json<Counting>,
) -> ApiAnswer<Done> {
    let service = &app.service;
    let known = service.quarantine(ContributorId(id), counting.quarantined);
    if !known.await? {
        let detail = format!("there is no contributor {id}");
        return Err(Problem::new(NOT_FOUND, detail));
    }
    let act = if counting.quarantined {
        Act::Quarantine
    } else {
        Act::Count
    };
    service.log(&by, act, Some(id), "", now()).await?;
    app.has_changed();
    Ok(Json(Done {}))
}
