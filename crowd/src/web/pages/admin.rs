//! The moderators' pages: logging in and out, and what changes something. Plain forms, no script.
//! `moderate` has the pages that show.

use std::time::Duration;

use askama::Template;
use axum::Router;
use axum::extract::{DefaultBodyLimit, FromRequest as _, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::moderate::{self, Asked, Desk};
use super::{Frame, page};
use crate::model::{Act, Resolution};
use crate::service::{ContributorId, ImportError, ImportPlan, ImportReport, Ruling};
use crate::web::answers;
use crate::web::problem::NOT_A_MODERATOR;
use crate::web::session::{Moderator, admin_off, by_token};
use crate::web::state::{App, now};
use crate::web::tokens::{MODERATOR_SECONDS, moderator_cookie, moderator_of};
use web::extract::{Form, Path};
use web::problem::{BAD_REQUEST, NOT_FOUND, Problem};

/// Two MiB of text: form encoding takes up to three characters per byte.
const FORM_BYTES: usize = 3 * 2 * 1024 * 1024;
const NOTE: usize = 500;

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

impl DecisionForm {
    fn note(&self) -> Result<&str, Problem> {
        let note = self.note.trim();
        // `PostgreSQL` cannot store NUL in a text.
        if note.chars().count() > NOTE || note.contains('\0') {
            let detail = format!("a note has at most {NOTE} characters, none of which is NUL");
            return Err(Problem::new(BAD_REQUEST, detail));
        }
        Ok(note)
    }
}

#[derive(Deserialize)]
struct Counting {
    /// True to exclude their lists, false to count them.
    #[serde(rename = "set_aside")]
    quarantined: bool,
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
    Refused(ImportReport, ImportForm),
}

impl ImportPage {
    fn refused(&self) -> (&str, &str) {
        match &self.imported {
            Some(Imported::Refused(_, form)) => (&form.text, &form.campaign),
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
        .route("/admin/positions/{id}", post(retire))
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

/// The way in, instead of a page for moderators alone.
pub(super) fn closed() -> Result<Response, Problem> {
    page(&Login {
        frame: Frame::new("admin"),
        is_off: false,
        was_wrong: false,
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
        Some((moderator, key))
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
    Ok(answers::redirect("/admin", cookie))
}

async fn logout(State(app): State<App>, headers: HeaderMap) -> Result<Response, Problem> {
    if let Some(token) = moderator_of(&headers, app.settings.https) {
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
    answers::redirect("/admin", moderator_cookie(None, app.settings.https))
}

async fn resolve(
    State(app): State<App>,
    moderator: Moderator,
    Path(id): Path<i64>,
    Form(form): Form<DecisionForm>,
) -> Result<Response, Problem> {
    let note = form.note()?;
    let needs_confirmation = match form.resolution {
        // One click had published illegal moves, and nobody saw a board.
        Resolution::CrowdIsRight | Resolution::Retire => true,
        Resolution::GeneratorIsRight | Resolution::AskAgain => false,
    };
    if needs_confirmation && form.confirmed.is_none() {
        let asked = Asked::Decide(form.resolution, note.to_owned());
        return moderate::item_page(&app, moderator, id, asked).await;
    }
    let ruling = Ruling {
        resolution: form.resolution,
        note,
        by: &moderator.0,
    };
    app.service.resolve(id, &ruling, now()).await?;
    app.has_changed();
    Ok(Redirect::to(&format!("/admin/queue/{id}")).into_response())
}

async fn reverse(
    State(app): State<App>,
    moderator: Moderator,
    Path(id): Path<i64>,
    Form(form): Form<Confirmation>,
) -> Result<Response, Problem> {
    if form.confirmed.is_none() {
        return moderate::item_page(&app, moderator, id, Asked::Reverse).await;
    }
    app.service.reverse(id, &moderator.0, now()).await?;
    app.has_changed();
    Ok(Redirect::to("/admin").into_response())
}

/// Excludes a contributor's lists, or counts them again.
async fn contributor(
    State(app): State<App>,
    Moderator(by): Moderator,
    Path(id): Path<i64>,
    Form(Counting { quarantined }): Form<Counting>,
) -> Result<Redirect, Problem> {
    let service = &app.service;
    if !service.quarantine(ContributorId(id), quarantined).await? {
        let detail = format!("there is no contributor {id}");
        return Err(Problem::new(NOT_FOUND, detail));
    }
    let act = if quarantined {
        Act::Quarantine
    } else {
        Act::Count
    };
    service.log(&by, act, Some(id), "", now()).await?;
    app.has_changed();
    Ok(Redirect::to("/admin/flags"))
}

/// Closes an open position without an answer.
async fn retire(
    State(app): State<App>,
    Moderator(by): Moderator,
    Path(id): Path<i64>,
) -> Result<Redirect, Problem> {
    app.service.retire(id, &by, now()).await?;
    app.has_changed();
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
    let (service, by) = (&app.service, &moderator.0);
    let plan = ImportPlan {
        campaign: &form.campaign,
        title: None,
        gold: form.gold.is_some(),
    };
    let taken = service.import(form.text.as_bytes(), plan, now()).await;
    let (status, imported) = match taken {
        Ok(report) => {
            let detail = format!("{}: {} positions", form.campaign, report.added);
            service.log(by, Act::Import, None, &detail, now()).await?;
            app.has_changed();
            (StatusCode::OK, Imported::Taken(report))
        }
        // The text comes back in the form, so that its lines can be corrected there.
        Err(ImportError::BadLines(report)) => {
            (StatusCode::BAD_REQUEST, Imported::Refused(report, form))
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
