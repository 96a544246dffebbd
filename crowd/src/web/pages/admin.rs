//! The moderators' pages: logging in and out, and what changes something. Plain forms, no script.
//! `moderate` has the pages that show.

use std::time::Duration;

use askama::Template;
use axum::Router;
use axum::extract::{DefaultBodyLimit, FromRequest as _, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::moderate::{self, Asked, Desk};
use super::{Frame, page};
use crate::model::Resolution;
use crate::service::{ImportError, ImportReport, ModeratorSession};
use crate::web::api::{
    self, Counting, Decision, IMPORT_BYTES, Import, Retiring, Reversal, take_in,
};
use crate::web::problem::NOT_A_MODERATOR;
use crate::web::session::{Moderator, admin_off, by_token};
use crate::web::state::{App, now};
use crate::web::tokens::{MODERATOR_SECONDS, moderator_cookie, moderator_of};
use web::extract::{Form, Json, Path};
use web::problem::Problem;

/// Form encoding takes up to three characters per byte.
const FORM_BYTES: usize = 3 * IMPORT_BYTES;

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

/// A decision. What no click should do by mistake shows its consequences first, without `confirmed`.
#[derive(Deserialize)]
struct DecisionForm {
    resolution: Resolution,
    #[serde(default)]
    note: String,
    confirmed: Option<String>,
}

#[derive(Deserialize)]
struct Confirmation {
    confirmed: Option<String>,
}

#[derive(Deserialize)]
struct ImportForm {
    text: String,
    campaign: String,
    gold: Option<String>,
}

#[derive(Template)]
#[template(path = "admin-import.html")]
struct ImportPage {
    frame: Frame,
    desk: Desk,
    imported: Option<Imported>,
}

/// The result of an import; the text of a rejected one is put into the form again.
enum Imported {
    Taken(ImportReport),
    Refused(ImportReport, Import),
}

impl ImportPage {
    /// The text and the campaign of a rejected import.
    fn refused(&self) -> (&str, &str) {
        match &self.imported {
            Some(Imported::Refused(_, import)) => (&import.text, &import.campaign),
            _ => ("", ""),
        }
    }
}

pub(super) fn router() -> Router<App> {
    let import = get(import_form)
        .post(import)
        .layer(DefaultBodyLimit::max(FORM_BYTES));
    Router::new()
        .route("/admin", get(show))
        .route("/admin/login", post(login))
        .route("/admin/logout", post(logout))
        .route("/admin/logout-everywhere", post(logout_everywhere))
        .route("/admin/queue/{id}", get(moderate::item).post(resolve))
        .route("/admin/queue/{id}/reversal", post(reverse))
        .route("/admin/flags", get(moderate::flags))
        .route("/admin/positions", get(moderate::positions))
        .route("/admin/log", get(moderate::log))
        .route("/admin/contributors/{id}", post(contributor))
        .route("/admin/positions/{id}", post(position))
        .route("/admin/import", import)
}

async fn show(
    app: State<App>,
    moderator: Option<Moderator>,
    filter: moderate::RowFilter,
) -> Result<Response, Problem> {
    match moderator {
        Some(moderator) => moderate::queue(app, moderator, filter).await,
        None => ask(&app, false),
    }
}

fn ask(app: &App, was_wrong: bool) -> Result<Response, Problem> {
    page(&Login {
        frame: Frame::new("admin"),
        is_off: app.settings.moderators.is_none(),
        was_wrong,
    })
}

async fn login(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let Some(moderators) = &app.settings.moderators else {
        return Err(admin_off());
    };
    let (parts, body) = request.into_parts();
    // The form takes the whole request, so the sender is noted before.
    let (headers, extensions) = (parts.headers.clone(), parts.extensions.clone());
    let form = Form::from_request(Request::from_parts(parts, body), &app).await?;
    let Form(LoginForm { token }) = form;
    let found = by_token(&app, &headers, &extensions, token.trim())?;
    let session = found.and_then(|moderator| {
        let key = moderators.key(&moderator)?;
        Some(ModeratorSession { moderator, key })
    });
    let Some(session) = session else {
        let mut page = ask(&app, true)?;
        // The page is the form again; its status says that the token was wrong.
        *page.status_mut() = Problem::new(NOT_A_MODERATOR, "").status();
        return Ok(page);
    };
    let life = Duration::from_secs(MODERATOR_SECONDS.into());
    let token = app.service.log_in(session, life, now()).await?;
    let cookie = moderator_cookie(Some(&token), app.settings.https);
    // After a redirect, a reload of the page does not send the form again.
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/admin")).into_response())
}

async fn logout(State(app): State<App>, headers: HeaderMap) -> Result<Response, Problem> {
    if let Some(token) = moderator_of(&headers) {
        app.service.log_out(&token).await?;
    }
    Ok(logged_out(&app))
}

/// Ends all sessions of the moderator, for example after one was left open elsewhere.
async fn logout_everywhere(
    State(app): State<App>,
    Moderator(by): Moderator,
) -> Result<Response, Problem> {
    app.service.log_out_everywhere(&by).await?;
    Ok(logged_out(&app))
}

fn logged_out(app: &App) -> Response {
    let cookie = moderator_cookie(None, app.settings.https);
    ([(header::SET_COOKIE, cookie)], Redirect::to("/admin")).into_response()
}

async fn resolve(
    app: State<App>,
    moderator: Moderator,
    Path(id): Path<i64>,
    Form(form): Form<DecisionForm>,
) -> Result<Response, Problem> {
    let decision = Decision {
        resolution: form.resolution,
        note: form.note,
    };
    let needs_confirmation = match decision.resolution {
        // One click had published illegal moves, and nobody saw a board.
        Resolution::CrowdIsRight | Resolution::Retire => true,
        Resolution::GeneratorIsRight | Resolution::AskAgain => false,
    };
    if needs_confirmation && form.confirmed.is_none() {
        let note = decision.note()?.to_owned();
        let asked = Asked::Decide(decision.resolution, note);
        return moderate::item_page(&app, moderator, id, asked).await;
    }
    api::resolve(app, moderator, Path(id), Json(decision)).await?;
    Ok(Redirect::to(&format!("/admin/queue/{id}")).into_response())
}

async fn reverse(
    app: State<App>,
    moderator: Moderator,
    Path(id): Path<i64>,
    Form(form): Form<Confirmation>,
) -> Result<Response, Problem> {
    if form.confirmed.is_none() {
        return moderate::item_page(&app, moderator, id, Asked::Reverse).await;
    }
    api::reverse(app, moderator, Path(id), Json(Reversal {})).await?;
    Ok(Redirect::to("/admin").into_response())
}

async fn contributor(
    app: State<App>,
    moderator: Moderator,
    id: Path<i64>,
    Form(counting): Form<Counting>,
) -> Result<Redirect, Problem> {
    api::contributor(app, moderator, id, Json(counting)).await?;
    Ok(Redirect::to("/admin/flags"))
}

async fn position(
    app: State<App>,
    moderator: Moderator,
    id: Path<i64>,
    Form(retiring): Form<Retiring>,
) -> Result<Redirect, Problem> {
    api::position(app, moderator, id, Json(retiring)).await?;
    Ok(Redirect::to("/admin/positions"))
}

async fn import_form(State(app): State<App>, moderator: Moderator) -> Result<Response, Problem> {
    page(&ImportPage {
        frame: Frame::new("admin"),
        desk: Desk::of(&app, moderator).await?,
        imported: None,
    })
}

async fn import(
    State(app): State<App>,
    moderator: Moderator,
    Form(form): Form<ImportForm>,
) -> Result<Response, Problem> {
    let import = Import {
        text: form.text,
        campaign: form.campaign,
        gold: form.gold.is_some(),
    };
    let (status, imported) = match take_in(&app, &import, &moderator.0).await {
        Ok(report) => (StatusCode::OK, Imported::Taken(report)),
        // The text comes back in the form, so that its lines can be corrected there.
        Err(ImportError::BadLines(report)) => {
            (StatusCode::BAD_REQUEST, Imported::Refused(report, import))
        }
        Err(error) => return Err(error.into()),
    };
    let mut page = page(&ImportPage {
        frame: Frame::new("admin"),
        desk: Desk::of(&app, moderator).await?,
        imported: Some(imported),
    })?;
    *page.status_mut() = status;
    Ok(page)
}
