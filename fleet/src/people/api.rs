//! The API of people and machines, under `/api/1/`; each handler documents its answers.

use axum::Extension;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use web::extract::{ApiAnswer, Json, Path, Query};
use web::problem::{Problem, ProblemBody};

use super::accounts::{self, AccountRow};
use super::audit::{self, AuditRow};
use super::callers::{InSession, SignedIn};
use super::machines::{self, MachineRow, TokenRow};
use super::passwords::Passwords;
use super::rights::Right;
use super::sessions::{self, SessionId, SessionRow};
use crate::app::LabState;
use crate::model::Role;
use crate::people::PeopleError;

// The longest field is a password of at most 200 characters.
const BODY_BYTES: usize = 16 * 1024;

pub(super) fn router() -> OpenApiRouter<LabState> {
    OpenApiRouter::new()
        .routes(routes!(me))
        .routes(routes!(change_password))
        .routes(routes!(list_tokens, add_token))
        .routes(routes!(revoke_token))
        .routes(routes!(list_sessions, end_sessions))
        .routes(routes!(end_session))
        .routes(routes!(list_machines, add_machine))
        .routes(routes!(renew_machine))
        .routes(routes!(revoke_machine))
        .routes(routes!(list_accounts, invite))
        .routes(routes!(reset))
        .routes(routes!(set_role))
        .routes(routes!(disable))
        .routes(routes!(enable))
        .routes(routes!(audit_log))
        .layer(DefaultBodyLimit::max(BODY_BYTES))
}

/// Who calls.
#[derive(Serialize, ToSchema)]
struct Me {
    /// The name of the account.
    name: String,
    /// `author`, `maintainer` or `administrator`.
    role: &'static str,
}

/// The account of the token or the session.
#[utoipa::path(get, path = "/api/1/me", tag = "people", responses(
    (status = 200, body = Me, description = "the account"),
    (status = 401, body = ProblemBody, description = "unauthorized: neither a token nor a session"),
))]
async fn me(SignedIn(account): SignedIn) -> Json<Me> {
    let role = account.role.name();
    let name = account.name;
    Json(Me { name, role })
}

/// A change of one's own password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PasswordChange {
    /// The password until now.
    old: String,
    /// The new one, 12 to 200 characters.
    new: String,
}

/// Change one's own password; all other sessions end. Only in a session.
#[utoipa::path(post, path = "/api/1/me/password", tag = "people", request_body = PasswordChange, responses(
    (status = 204, description = "changed"),
    (status = 403, body = ProblemBody, description = "wrong-password, or forbidden: the call came with a token"),
    (status = 422, body = ProblemBody, description = "bad-value: the new password is too weak"),
    (status = 429, body = ProblemBody, description = "too-many-attempts"),
))]
async fn change_password(
    State(app): State<LabState>,
    Extension(passwords): Extension<Passwords>,
    InSession { account, session }: InSession,
    Json(change): Json<PasswordChange>,
) -> Result<StatusCode, Problem> {
    let whose = (&account, session);
    accounts::change_password(&app.database, &passwords, whose, &change.old, &change.new).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A name for something new.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Named {
    /// The name.
    name: String,
}

/// A new token.
#[derive(Serialize, ToSchema)]
struct NewToken {
    /// The token. It cannot be shown again.
    token: String,
}

/// The account's tokens for programs, without what they are.
#[utoipa::path(get, path = "/api/1/me/tokens", tag = "people", responses(
    (status = 200, body = [TokenRow], description = "those not revoked"),
))]
async fn list_tokens(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
) -> ApiAnswer<Vec<TokenRow>> {
    Ok(Json(machines::tokens(&app.database, account.id).await?))
}

/// Make a token for a program. Only in a session.
#[utoipa::path(post, path = "/api/1/me/tokens", tag = "people", request_body = Named, responses(
    (status = 201, body = NewToken, description = "the token, which is shown once"),
    (status = 403, body = ProblemBody, description = "forbidden: the call came with a token"),
    (status = 409, body = ProblemBody, description = "too-many"),
    (status = 422, body = ProblemBody, description = "bad-value: the name"),
))]
async fn add_token(
    State(app): State<LabState>,
    InSession { account, .. }: InSession,
    Json(Named { name }): Json<Named>,
) -> Result<(StatusCode, Json<NewToken>), Problem> {
    let token = machines::add_token(&app.database, &account, &name).await?;
    Ok((StatusCode::CREATED, Json(NewToken { token })))
}

/// Revoke one's own token.
#[utoipa::path(delete, path = "/api/1/me/tokens/{id}", tag = "people", responses(
    (status = 204, description = "revoked"),
    (status = 404, body = ProblemBody, description = "no-token"),
))]
async fn revoke_token(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Path(id): Path<i32>,
) -> Result<StatusCode, Problem> {
    machines::revoke_token(&app.database, &account, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The account's sessions.
#[utoipa::path(get, path = "/api/1/me/sessions", tag = "people", responses(
    (status = 200, body = [SessionRow], description = "the last used first"),
))]
async fn list_sessions(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
) -> ApiAnswer<Vec<SessionRow>> {
    Ok(Json(sessions::list(&app.database, account.id).await?))
}

/// End all of the account's sessions.
#[utoipa::path(delete, path = "/api/1/me/sessions", tag = "people", responses(
    (status = 204, description = "signed out everywhere"),
))]
async fn end_sessions(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
) -> Result<StatusCode, Problem> {
    accounts::sign_out_everywhere(&app.database, &account).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// End one of the account's sessions.
#[utoipa::path(delete, path = "/api/1/me/sessions/{id}", tag = "people", responses(
    (status = 204, description = "ended"),
    (status = 404, body = ProblemBody, description = "no-session"),
))]
async fn end_session(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Path(id): Path<i32>,
) -> Result<StatusCode, Problem> {
    if sessions::end(&app.database, account.id, SessionId(id)).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(PeopleError::NoSession(id).into())
    }
}

/// Pagination cursor: the last name of the page before.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct After {
    /// Only names after this one.
    #[serde(default)]
    after: String,
}

/// The account's workers; all, for maintainers.
#[utoipa::path(get, path = "/api/1/machines", tag = "people", params(After), responses(
    (status = 200, body = [MachineRow], description = "by name, at most 1,000"),
))]
async fn list_machines(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Query(After { after }): Query<After>,
) -> ApiAnswer<Vec<MachineRow>> {
    let owner = (!account.may(Right::ManageWorkers)).then_some(account.id);
    let rows = machines::workers(&app.database, owner, &after).await?;
    Ok(Json(rows))
}

/// Add a worker. Only in a session.
#[utoipa::path(post, path = "/api/1/machines", tag = "people", request_body = Named, responses(
    (status = 201, body = NewToken, description = "the worker's token, which is shown once"),
    (status = 403, body = ProblemBody, description = "forbidden: the call came with a token"),
    (status = 409, body = ProblemBody, description = "name-taken or too-many"),
    (status = 422, body = ProblemBody, description = "bad-value: the name"),
))]
async fn add_machine(
    State(app): State<LabState>,
    InSession { account, .. }: InSession,
    Json(Named { name }): Json<Named>,
) -> Result<(StatusCode, Json<NewToken>), Problem> {
    account.require(Right::Submit)?;
    let token = machines::add_worker(&app.database, &account, &name).await?;
    Ok((StatusCode::CREATED, Json(NewToken { token })))
}

/// Give one's own worker another token. Only in a session.
#[utoipa::path(post, path = "/api/1/machines/{name}/token", tag = "people", responses(
    (status = 201, body = NewToken, description = "the new token; the old one is not valid any more"),
    (status = 404, body = ProblemBody, description = "no-worker: not one of yours, or revoked"),
))]
async fn renew_machine(
    State(app): State<LabState>,
    InSession { account, .. }: InSession,
    Path(name): Path<String>,
) -> Result<(StatusCode, Json<NewToken>), Problem> {
    let token = machines::renew_worker(&app.database, &account, &name).await?;
    Ok((StatusCode::CREATED, Json(NewToken { token })))
}

/// Revoke the token of a worker: one's own, or any as a maintainer.
#[utoipa::path(post, path = "/api/1/machines/{name}/revoke", tag = "people", responses(
    (status = 204, description = "revoked"),
    (status = 403, body = ProblemBody, description = "forbidden: another's worker"),
    (status = 404, body = ProblemBody, description = "no-worker"),
))]
async fn revoke_machine(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    machines::revoke_worker(&app.database, Some(&account), &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// All accounts. For administrators.
#[utoipa::path(get, path = "/api/1/accounts", tag = "people", params(After), responses(
    (status = 200, body = [AccountRow], description = "by name, at most 1,000"),
    (status = 403, body = ProblemBody, description = "forbidden"),
))]
async fn list_accounts(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Query(After { after }): Query<After>,
) -> ApiAnswer<Vec<AccountRow>> {
    account.require(Right::ManagePeople)?;
    Ok(Json(accounts::list(&app.database, &after).await?))
}

/// Invitation for a new account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Invitation {
    /// Its name: 2 to 32 lower-case letters, digits, `-`, `_` and `.`.
    name: String,
    /// `author`, `maintainer` or `administrator`.
    #[schema(value_type = String)]
    role: Role,
}

/// A link that sets a password, once.
#[derive(Serialize, ToSchema)]
struct Link {
    /// The address. It cannot be shown again.
    link: String,
}

/// Make an account, and a link by which its owner sets the password. Only in a session, for administrators.
#[utoipa::path(post, path = "/api/1/accounts", tag = "people", request_body = Invitation, responses(
    (status = 201, body = Link, description = "the link, to be handed over"),
    (status = 403, body = ProblemBody, description = "forbidden"),
    (status = 409, body = ProblemBody, description = "name-taken"),
    (status = 422, body = ProblemBody, description = "bad-value: the name"),
))]
async fn invite(
    State(app): State<LabState>,
    InSession { account, .. }: InSession,
    Json(Invitation { name, role }): Json<Invitation>,
) -> Result<(StatusCode, Json<Link>), Problem> {
    account.require(Right::ManagePeople)?;
    let secret = accounts::invite(&app.database, Some(account.id), &name, role).await?;
    let link = super::link_address(&app.settings.public_url, &secret);
    Ok((StatusCode::CREATED, Json(Link { link })))
}

/// Make a link that sets another password. Only in a session, for administrators.
#[utoipa::path(post, path = "/api/1/accounts/{name}/reset", tag = "people", responses(
    (status = 201, body = Link, description = "the link, to be handed over"),
    (status = 403, body = ProblemBody, description = "forbidden"),
    (status = 404, body = ProblemBody, description = "no-account, or it is disabled"),
))]
async fn reset(
    State(app): State<LabState>,
    InSession { account, .. }: InSession,
    Path(name): Path<String>,
) -> Result<(StatusCode, Json<Link>), Problem> {
    account.require(Right::ManagePeople)?;
    let secret = accounts::reset(&app.database, Some(account.id), &name).await?;
    let link = super::link_address(&app.settings.public_url, &secret);
    Ok((StatusCode::CREATED, Json(Link { link })))
}

/// A role for an account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct RoleChange {
    /// `author`, `maintainer` or `administrator`.
    #[schema(value_type = String)]
    role: Role,
}

/// Change the role of an account. Only in a session, for administrators.
#[utoipa::path(post, path = "/api/1/accounts/{name}/role", tag = "people", request_body = RoleChange, responses(
    (status = 204, description = "changed"),
    (status = 403, body = ProblemBody, description = "forbidden"),
    (status = 404, body = ProblemBody, description = "no-account"),
    (status = 409, body = ProblemBody, description = "last-administrator"),
))]
async fn set_role(
    State(app): State<LabState>,
    InSession { account, .. }: InSession,
    Path(name): Path<String>,
    Json(RoleChange { role }): Json<RoleChange>,
) -> Result<StatusCode, Problem> {
    account.require(Right::ManagePeople)?;
    accounts::set_role(&app.database, Some(account.id), &name, role).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Disable an account, its sessions, its tokens and its workers. Only in a session, for administrators.
#[utoipa::path(post, path = "/api/1/accounts/{name}/disable", tag = "people", responses(
    (status = 204, description = "disabled"),
    (status = 403, body = ProblemBody, description = "forbidden"),
    (status = 404, body = ProblemBody, description = "no-account"),
    (status = 409, body = ProblemBody, description = "last-administrator"),
))]
async fn disable(
    State(app): State<LabState>,
    InSession { account, .. }: InSession,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    account.require(Right::ManagePeople)?;
    accounts::disable(&app.database, Some(account.id), &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Enable a disabled account. Only in a session, for administrators.
#[utoipa::path(post, path = "/api/1/accounts/{name}/enable", tag = "people", responses(
    (status = 204, description = "enabled"),
    (status = 403, body = ProblemBody, description = "forbidden"),
    (status = 404, body = ProblemBody, description = "no-account"),
))]
async fn enable(
    State(app): State<LabState>,
    InSession { account, .. }: InSession,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    account.require(Right::ManagePeople)?;
    accounts::enable(&app.database, Some(account.id), &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Pagination cursor of the audit log.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Before {
    /// Only entries before this one.
    before: Option<i64>,
}

/// Entries of one answer.
const ENTRIES: u16 = 100;

/// Who did what, the newest first. For administrators.
#[utoipa::path(get, path = "/api/1/audit", tag = "people", params(Before), responses(
    (status = 200, body = [AuditRow], description = "at most 100 entries"),
    (status = 403, body = ProblemBody, description = "forbidden"),
))]
async fn audit_log(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Query(Before { before }): Query<Before>,
) -> ApiAnswer<Vec<AuditRow>> {
    account.require(Right::ReadAudit)?;
    Ok(Json(audit::entries(&app.database, before, ENTRIES).await?))
}
