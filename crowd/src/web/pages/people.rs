//! A person's own pages: their lists, and their account. Plain forms, no script.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::public::{Diagram, contribute_address, title};
use super::variants::Drawing;
use super::{Frame, moment, page};
use crate::model::Mode;
use crate::service::{LISTS_A_PAGE, ListOutcome, OwnList, Phrase, Standing};
use crate::web::api::{self, ListsQuery, read_name};
use crate::web::problem::UNKNOWN_PHRASE;
use crate::web::session::{Caller, Token};
use crate::web::state::{App, now};
use crate::web::tokens::{no_session_cookie, session_cookie};
use web::extract::{Form, Query};
use web::problem::{BAD_REQUEST, Problem};

pub(super) fn router(app: &App) -> Router<App> {
    let recover = post(recover).layer(api::recovery_quota(app));
    Router::new()
        .route("/lists", get(lists))
        .route("/account", get(account))
        .route("/account/name", post(name))
        .route("/account/phrase", post(phrase))
        .route("/account/recover", recover)
        .route("/account/leave", post(leave))
        .route("/account/export", get(export))
        .route("/account/delete", post(delete))
}

#[derive(Template)]
#[template(path = "lists.html")]
struct ListsPage {
    frame: Frame,
    is_known: bool,
    lists: Vec<Item>,
    /// The number with which the next page begins.
    before: Option<i64>,
}

struct Item {
    diagram: Diagram,
    drawing: Option<Drawing>,
    fen: String,
    mode: &'static str,
    href: String,
    when: String,
    is_news: bool,
    list: OwnList,
}

impl Item {
    fn of(list: OwnList) -> Self {
        let href = match list.outcome {
            ListOutcome::Open => contribute_address(list.mode, list.campaign.as_deref()),
            _ => format!("/results/{}", list.token.as_str()),
        };
        Self {
            diagram: Diagram::of(&list.position.fen),
            drawing: Drawing::of_position(list.position.card.as_ref(), &list.position.fen),
            fen: list.position.fen.clone(),
            mode: title(Some(list.mode)),
            href,
            when: moment(list.finished_at.unwrap_or(list.issued_at)),
            is_news: list.is_news,
            list,
        }
    }
}

/// One's own lists. Looking at the newest makes them no news any more.
async fn lists(
    State(app): State<App>,
    caller: Option<Caller>,
    Query(query): Query<ListsQuery>,
) -> Result<Response, Problem> {
    let mut found = Vec::new();
    if let Some(Caller(caller)) = &caller {
        found = app.service.lists(caller.id, query.before).await?;
        if query.before.is_none() {
            app.service.results_seen(caller.id, now()).await?;
        }
    }
    let is_full = found.len() >= usize::from(LISTS_A_PAGE);
    page(&ListsPage {
        frame: Frame::new("lists"),
        is_known: caller.is_some(),
        before: found.last().filter(|_| is_full).map(|last| last.number),
        lists: found.into_iter().map(Item::of).collect(),
    })
}

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    frame: Frame,
    standing: Option<Standing>,
    note: Note,
}

/// What the account page has to report.
enum Note {
    Nothing,
    /// A new phrase, which is shown once.
    Phrase(Phrase),
    BadName(String),
    BadPhrase(String),
    /// Deletion was asked for without being sure.
    NotSure,
}

async fn account(State(app): State<App>, caller: Option<Caller>) -> Result<Response, Problem> {
    show(&app, caller, Note::Nothing).await
}

async fn show(app: &App, caller: Option<Caller>, note: Note) -> Result<Response, Problem> {
    let standing = match caller {
        Some(Caller(caller)) => Some(app.service.standing(caller.id, now()).await?),
        None => None,
    };
    page(&AccountPage {
        frame: Frame::new("account"),
        standing,
        note,
    })
}

/// The page with the status of a problem that it reports.
async fn rejected(
    app: &App,
    caller: Option<Caller>,
    problem: &Problem,
    note: fn(String) -> Note,
) -> Result<Response, Problem> {
    let mut page = show(app, caller, note(problem.detail().to_owned())).await?;
    *page.status_mut() = problem.status();
    Ok(page)
}

#[derive(Deserialize)]
struct NameForm {
    name: String,
}

/// An empty name makes anonymous.
async fn name(
    State(app): State<App>,
    Caller(caller): Caller,
    Form(form): Form<NameForm>,
) -> Result<Response, Problem> {
    let name = match form.name.trim() {
        "" => Ok(None),
        text => read_name(text).map(Some),
    };
    let renamed = match name {
        Ok(name) => app.service.rename(caller.id, name).await,
        Err(problem) => return rejected(&app, Some(Caller(caller)), &problem, Note::BadName).await,
    };
    match renamed.map_err(Problem::from) {
        Ok(()) => Ok(Redirect::to("/account").into_response()),
        Err(problem) if problem.status().is_client_error() => {
            rejected(&app, Some(Caller(caller)), &problem, Note::BadName).await
        }
        Err(problem) => Err(problem),
    }
}

async fn phrase(State(app): State<App>, Caller(caller): Caller) -> Result<Response, Problem> {
    let phrase = app.service.new_phrase(caller.id).await?;
    show(&app, Some(Caller(caller)), Note::Phrase(phrase)).await
}

#[derive(Deserialize)]
struct RecoveryForm {
    phrase: String,
}

async fn recover(
    State(app): State<App>,
    caller: Option<Caller>,
    Form(form): Form<RecoveryForm>,
) -> Result<Response, Problem> {
    let phrase: Phrase = match form.phrase.parse() {
        Ok(phrase) => phrase,
        Err(error) => return rejected(&app, caller, &Problem::from(error), Note::BadPhrase).await,
    };
    let Some((_, token)) = app.service.recover(&phrase, now()).await? else {
        let detail = "Nobody has this phrase. It may be mistyped, or a newer one has replaced it.";
        let problem = Problem::new(UNKNOWN_PHRASE, detail);
        return rejected(&app, caller, &problem, Note::BadPhrase).await;
    };
    app.known.add(token.as_str());
    let cookie = session_cookie(&token, app.settings.https);
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/lists")).into_response())
}

async fn leave(
    State(app): State<App>,
    _: Caller,
    Token(token): Token,
) -> Result<Response, Problem> {
    app.service.leave(&token).await?;
    Ok(gone(&app))
}

async fn export(State(app): State<App>, Caller(caller): Caller) -> Result<Response, Problem> {
    api::attachment(&app, &caller).await
}

#[derive(Deserialize)]
struct DeletionForm {
    sure: Option<String>,
}

async fn delete(
    State(app): State<App>,
    Caller(caller): Caller,
    Form(form): Form<DeletionForm>,
) -> Result<Response, Problem> {
    if form.sure.is_none() {
        let problem = Problem::new(BAD_REQUEST, "");
        return rejected(&app, Some(Caller(caller)), &problem, |_| Note::NotSure).await;
    }
    app.service.delete_person(caller.id).await?;
    app.has_changed();
    Ok(gone(&app))
}

/// The browser has no session any more.
fn gone(app: &App) -> Response {
    let cookie = no_session_cookie(app.settings.https);
    ([(header::SET_COOKIE, cookie)], Redirect::to("/account")).into_response()
}
