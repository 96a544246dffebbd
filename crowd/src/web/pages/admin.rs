//! The moderators' page: logging in, the queue, flags, positions, imports. Plain forms, no script.

use std::time::Duration;

use askama::Template;
use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::{Frame, page};
use crate::model::{QueueState, Resolution};
use crate::service::{FlagItem, ImportError, ImportReport, PositionOverview, QueueItem};
use crate::web::api::{self, Counting, Decision, IMPORT_BYTES, Import, Retiring, take_in};
use crate::web::problem::{ADMIN_OFF, NOT_A_MODERATOR};
use crate::web::session::Moderator;
use crate::web::state::{App, now};
use crate::web::tokens::{MODERATOR_SECONDS, moderator_cookie};
use web::extract::{Form, Json, Path};
use web::problem::Problem;

/// Form encoding takes up to three characters per byte.
const FORM_BYTES: usize = 3 * IMPORT_BYTES;

#[derive(Template)]
#[template(path = "admin.html")]
struct AdminPage {
    frame: Frame,
    queue: Vec<QueueItem>,
    flags: Vec<FlagItem>,
    positions: Vec<PositionOverview>,
    imported: Option<Imported>,
}

/// The result of an import; the text of a rejected one is put into the form again.
enum Imported {
    Taken(ImportReport),
    Refused(ImportReport, Import),
}

impl AdminPage {
    /// The text and the campaign of a rejected import.
    fn refused(&self) -> (&str, &str) {
        match &self.imported {
            Some(Imported::Refused(_, import)) => (&import.text, &import.campaign),
            _ => ("", ""),
        }
    }
}

#[derive(Template)]
#[template(path = "login.html")]
struct Login {
    frame: Frame,
    is_off: bool,
    was_wrong: bool,
}

#[derive(Deserialize)]
struct LoginForm {
    token: String,
}

#[derive(Deserialize)]
struct ImportForm {
    text: String,
    campaign: String,
    gold: Option<String>,
}

pub(super) fn router(app: &App) -> Router<App> {
    let quota = app
        .quotas
        .limit_addresses(Duration::from_secs(2), app.settings.limits.logins);
    let login = post(login).layer(quota);
    let import = post(import).layer(DefaultBodyLimit::max(FORM_BYTES));
    Router::new()
        .route("/admin", get(show))
        .route("/admin/login", login)
        .route("/admin/logout", post(logout))
        .route("/admin/queue/{id}", post(resolve))
        .route("/admin/contributors/{id}", post(contributor))
        .route("/admin/positions/{id}", post(position))
        .route("/admin/import", import)
}

async fn show(State(app): State<App>, moderator: Option<Moderator>) -> Result<Response, Problem> {
    match moderator {
        Some(Moderator) => overview(&app, None).await,
        None => ask(&app, false),
    }
}

async fn overview(app: &App, imported: Option<Imported>) -> Result<Response, Problem> {
    page(&AdminPage {
        frame: Frame::new("admin"),
        queue: app.service.queue().await?,
        flags: app.service.flags().await?,
        positions: app.service.positions_overview().await?,
        imported,
    })
}

fn ask(app: &App, was_wrong: bool) -> Result<Response, Problem> {
    page(&Login {
        frame: Frame::new("admin"),
        is_off: app.settings.admin.is_none(),
        was_wrong,
    })
}

async fn login(State(app): State<App>, Form(form): Form<LoginForm>) -> Result<Response, Problem> {
    let Some(admin) = &app.settings.admin else {
        let detail = "the server was started without a token for moderators";
        return Err(Problem::new(ADMIN_OFF, detail));
    };
    if !admin.is(form.token.trim()) {
        let mut page = ask(&app, true)?;
        *page.status_mut() = Problem::new(NOT_A_MODERATOR, "").status();
        return Ok(page);
    }
    let until = now().after(Duration::from_secs(MODERATOR_SECONDS.into()));
    let cookie = moderator_cookie(Some(&admin.pass(until)), app.settings.https);
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/admin")).into_response())
}

async fn logout(State(app): State<App>) -> Response {
    let cookie = moderator_cookie(None, app.settings.https);
    ([(header::SET_COOKIE, cookie)], Redirect::to("/admin")).into_response()
}

async fn resolve(
    app: State<App>,
    moderator: Moderator,
    id: Path<i64>,
    Form(decision): Form<Decision>,
) -> Result<Redirect, Problem> {
    api::resolve(app, moderator, id, Json(decision)).await?;
    Ok(Redirect::to("/admin#queue"))
}

async fn contributor(
    app: State<App>,
    moderator: Moderator,
    id: Path<i64>,
    Form(counting): Form<Counting>,
) -> Result<Redirect, Problem> {
    api::contributor(app, moderator, id, Json(counting)).await?;
    Ok(Redirect::to("/admin#flags"))
}

async fn position(
    app: State<App>,
    moderator: Moderator,
    id: Path<i64>,
    Form(retiring): Form<Retiring>,
) -> Result<Redirect, Problem> {
    api::position(app, moderator, id, Json(retiring)).await?;
    Ok(Redirect::to("/admin#positions"))
}

async fn import(
    State(app): State<App>,
    _: Moderator,
    Form(form): Form<ImportForm>,
) -> Result<Response, Problem> {
    let import = Import {
        text: form.text,
        campaign: form.campaign,
        gold: form.gold.is_some(),
    };
    match take_in(&app, &import).await {
        Ok(report) => overview(&app, Some(Imported::Taken(report))).await,
        Err(ImportError::BadLines(report)) => {
            let mut page = overview(&app, Some(Imported::Refused(report, import))).await?;
            *page.status_mut() = StatusCode::BAD_REQUEST;
            Ok(page)
        }
        Err(error) => Err(error.into()),
    }
}
