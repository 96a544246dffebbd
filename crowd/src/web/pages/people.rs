//! A person's own pages: their lists, and their account. Plain forms, no script.

use std::time::Duration;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use chess::rules::Color;
use serde::Deserialize;

use super::drawing::Drawing;
use super::{Frame, page};
use crate::model::{Purpose, moves_of};
use crate::service::{LISTS_A_PAGE, ListOutcome, OwnList, Phrase, Standing};
use crate::web::answers;
use crate::web::api::read_name;
use crate::web::problem::{BAD_PHRASE, NAME_TAKEN, NO_SESSION, UNKNOWN_PHRASE};
use crate::web::session::{Caller, Own, Token};
use crate::web::state::{App, now};
use crate::web::tokens::{no_session_cookie, session_cookie};
use web::extract::{Form, Query};
use web::problem::{BAD_REQUEST, Problem};

pub(super) fn router(app: &App) -> Router<App> {
    // Phrases must not be guessed.
    let logins = app.settings.limits.logins;
    let quota = app.quotas.limit_addresses(Duration::from_secs(2), logins);
    let recover = post(recover).layer(quota);
    Router::new()
        .route("/lists", get(lists))
        .route("/results/{token}/moves.txt", get(moves))
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
    drawing: Drawing,
    purpose: String,
    outcome: String,
    /// Number of moves or answers, if there are any.
    size: Option<String>,
    list: OwnList,
}

impl Item {
    fn new(frame: &Frame, list: OwnList) -> Self {
        let size = match list.row.purpose {
            Purpose::Review => "answers",
            _ => "moves",
        };
        Self {
            drawing: Drawing::at(&list.position.fen, Color::White)
                .without_edge()
                .labelled(frame.position(&list.position.fen)),
            purpose: frame.text(&format!("purpose-{}", list.row.purpose)),
            outcome: outcome(frame, &list),
            size: (list.moves > 0).then(|| frame.count(size, i64::from(list.moves))),
            list,
        }
    }
}

fn outcome(frame: &Frame, list: &OwnList) -> String {
    match list.state {
        ListOutcome::Open => frame.text("lists-open"),
        ListOutcome::Expired => frame.text("lists-expired"),
        ListOutcome::Waiting => frame.text("lists-waiting"),
        ListOutcome::Held => frame.text("lists-held"),
        ListOutcome::Hidden => frame.text("lists-hidden"),
        ListOutcome::Closed => frame.text("lists-closed"),
        // The lists of a class earn no points.
        ListOutcome::Known if list.row.purpose == Purpose::Class => frame.text("lists-scored"),
        ListOutcome::Known => {
            let points = frame.count("points", list.points);
            if list.of == 0 {
                return points;
            }
            let values = [
                ("right", list.right.into()),
                ("of", list.of.into()),
                ("points", points.into()),
            ];
            frame.language.text("lists-right", &values)
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListsQuery {
    /// Only lists with a smaller number than this: the number of the last one of the page before.
    #[serde(default)]
    before: Option<i64>,
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
        // The first page is seen before older ones, so that it alone marks the news as seen.
        if query.before.is_none() {
            app.service.results_seen(caller.id, now()).await?;
        }
    }
    // A full page may be the last one; the page after it is empty then.
    let is_full = found.len() >= usize::from(LISTS_A_PAGE);
    let frame = Frame::new("lists");
    page(&ListsPage {
        is_known: caller.is_some(),
        before: found.last().filter(|_| is_full).map(|last| last.row.id),
        lists: found
            .into_iter()
            .map(|list| Item::new(&frame, list))
            .collect(),
        frame,
    })
}

/// The moves of one's own list as a file that `crowd check` and `/check` read: one a line, as the thesis writes them.
async fn moves(State(app): State<App>, Own(caller, token): Own) -> Result<Response, Problem> {
    let list = app.service.list(caller, &token, now()).await?;
    let side = list.position.side_to_move;
    let lines = moves_of(&list.events).into_iter();
    let text: String = lines.map(|mv| mv.in_thesis_notation(side) + "\n").collect();
    Ok(answers::file(answers::TEXT, "moves.txt", text))
}

#[derive(Template)]
#[template(path = "account.html")]
struct PlayerPage {
    frame: Frame,
    standing: Option<Standing>,
    note: Note,
}

impl PlayerPage {
    /// The sentence that says who the person is here: name or number, points and lists.
    fn person(&self, you: &Standing) -> String {
        let values = [
            // U+2068 and U+2069 keep the name's direction of writing within it (Unicode, UAX 9).
            (
                "name",
                you.name
                    .as_ref()
                    .map(|name| format!("\u{2068}{name}\u{2069}"))
                    .into(),
            ),
            ("id", you.id.0.into()),
            ("points", self.frame.count("points", you.points).into()),
            ("lists", self.frame.count("account-lists", you.lists).into()),
        ];
        let key = match you.name {
            Some(_) => "account-you",
            None => "account-you-anonymous",
        };
        self.frame.language.text(key, &values)
    }
}

enum Note {
    Nothing,
    /// A new phrase, which is shown once.
    Phrase(Phrase),
    /// With the text that says why.
    BadName(&'static str),
    BadPhrase(&'static str),
    /// Deletion was asked for without being sure.
    NotSure,
    Deleted,
}

/// With `deleted`, the person to whom the browser belonged has been deleted.
#[derive(Deserialize)]
struct AccountQuery {
    deleted: Option<String>,
}

async fn account(
    State(app): State<App>,
    caller: Option<Caller>,
    Query(query): Query<AccountQuery>,
) -> Result<Response, Problem> {
    let note = match query.deleted {
        Some(_) if caller.is_none() => Note::Deleted,
        _ => Note::Nothing,
    };
    show(&app, caller, note).await
}

async fn show(app: &App, caller: Option<Caller>, note: Note) -> Result<Response, Problem> {
    let standing = match caller {
        Some(Caller(caller)) => Some(app.service.standing(caller.id, now()).await?),
        None => None,
    };
    page(&PlayerPage {
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
    note: fn(&'static str) -> Note,
) -> Result<Response, Problem> {
    let why = [
        (NAME_TAKEN, "name-taken"),
        (BAD_PHRASE, "phrase-bad"),
        (UNKNOWN_PHRASE, "phrase-unknown"),
    ];
    let why = why.iter().find(|(kind, _)| problem.is(kind));
    let mut page = show(
        app,
        caller,
        note(why.map_or("join-bad-name", |(_, key)| key)),
    )
    .await?;
    *page.status_mut() = problem.status();
    Ok(page)
}

#[derive(Deserialize)]
struct NameForm {
    name: String,
}

/// Renames the caller; an empty name makes them anonymous.
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
        let problem = Problem::new(UNKNOWN_PHRASE, "");
        return rejected(&app, caller, &problem, Note::BadPhrase).await;
    };
    app.known.add(token.as_str());
    let cookie = session_cookie(&token, app.settings.https);
    Ok(answers::redirect("/lists", cookie))
}

async fn leave(
    State(app): State<App>,
    _: Caller,
    Token(token): Token,
) -> Result<Response, Problem> {
    app.service.leave(&token).await?;
    Ok(gone(&app, "/account"))
}

/// Everything that is stored about the caller, as a document of schema `touchstone/crowd-person/1`.
async fn export(State(app): State<App>, Caller(caller): Caller) -> Result<Response, Problem> {
    let export = app.service.export_person(caller.id).await?;
    // Sessions are cached, so that one may outlive its person for a moment.
    let export = export.ok_or_else(|| Problem::new(NO_SESSION, "the person was deleted"))?;
    Ok(answers::file(
        answers::JSON,
        "crowd-person.json",
        export.text(),
    ))
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
    // Without it, the page looked as if nothing had happened.
    Ok(gone(&app, "/account?deleted=yes"))
}

/// Removes the cookie of a session that has ended.
fn gone(app: &App, next: &str) -> Response {
    answers::redirect(next, no_session_cookie(app.settings.https))
}
