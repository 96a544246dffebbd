//! Classes and quizzes: the form of a teacher, the teacher's table, and the ways in.

use std::time::Duration;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use web::extract::{Form, Path, Query};
use web::problem::Problem;

use super::drawing::{self, Drawing, Look};
use super::{Frame, moment, page};
use crate::class::{
    Cell, ClassTable, CountedMove, KEPT_DAYS, MOST_POSITIONS, PositionRow, QUIZ_POSITIONS, Theme,
    draw, write_csv,
};
use crate::model::PlayerName;
use crate::score::KindScore;
use crate::service::{
    ClassError, ClassInfo, ClassOverview, ClassSource, ClassToken, ImportProblem, NewClass,
};
use crate::web::answers;
use crate::web::problem::NO_CLASS;
use crate::web::session::{Caller, Sender, of_code};
use crate::web::state::{App, now};
use crate::web::tokens::session_cookie;

const DAY: Duration = Duration::from_hours(24);

pub(super) fn router(app: &App) -> Router<App> {
    let most = app.settings.limits.new_classes.max(1);
    // A network that uses all at once gets as many again within a day.
    let quota = app.quotas.limit_addresses(DAY / most, most);
    let made = post(make).layer(quota.clone());
    let practised = post(practise).layer(quota);
    Router::new()
        .route("/class", get(find))
        .route("/class/new", get(form).merge(made))
        .route("/teach/{token}", get(teach))
        .route("/teach/{token}/results.csv", get(results))
        .route("/teach/{token}/remove", get(remove_form).post(remove))
        .route("/teach/{token}/delete", post(delete))
        .route("/quiz", get(quiz).merge(practised))
}

#[derive(Template)]
#[template(path = "class/find.html")]
struct Find {
    frame: Frame,
    /// A code that no class has, and the key of the text that says why.
    wrong: Option<(String, &'static str)>,
}

#[derive(Deserialize)]
struct FindQuery {
    #[serde(default)]
    code: Option<String>,
}

/// Where a code is entered. Sites on which a link is shared add parameters of their own, which are ignored.
async fn find(
    State(app): State<App>,
    sender: Sender,
    Query(query): Query<FindQuery>,
) -> Result<Response, Problem> {
    let Some(text) = query.code else {
        return page(&Find {
            frame: Frame::new("teach"),
            wrong: None,
        });
    };
    let Ok(code) = text.parse() else {
        return not_found(&text, "class-no-code");
    };
    let found = async { Ok(app.service.class_info(&code).await?) };
    match of_code(&app, sender, found).await {
        Ok(_) => Ok(Redirect::to(&format!("/class/{}", code.as_str())).into_response()),
        Err(problem) if problem.is(NO_CLASS) => not_found(&text, "class-unknown"),
        Err(problem) => Err(problem),
    }
}

/// The form again, with a code that no class has and the text that says why.
pub(super) fn not_found(code: &str, error: &'static str) -> Result<Response, Problem> {
    let shown = Find {
        frame: Frame::new("teach"),
        wrong: Some((code.chars().take(20).collect(), error)),
    };
    Ok((StatusCode::NOT_FOUND, page(&shown)?).into_response())
}

/// The form of a new class as it was sent, or as it is at first.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClassForm {
    title: String,
    /// `theme` or `own`.
    source: String,
    theme: Theme,
    count: usize,
    #[serde(default)]
    positions: String,
    /// Seconds; 0 for none.
    limit: u64,
    /// `each` or `end`.
    answers: String,
}

impl Default for ClassForm {
    fn default() -> Self {
        Self {
            title: String::new(),
            source: "theme".to_owned(),
            theme: Theme::Mixed,
            count: 10,
            positions: String::new(),
            limit: 0,
            answers: "each".to_owned(),
        }
    }
}

/// Time limits that are offered, in seconds; 0 is none.
const LIMITS: [u64; 6] = [0, 60, 120, 180, 300, 600];

pub(super) fn limit_name(frame: &Frame, seconds: u64) -> String {
    frame.filled("minutes", &[("n", (seconds / 60).into())])
}

#[derive(Template)]
#[template(path = "class/new.html")]
struct NewPage {
    frame: Frame,
    form: ClassForm,
    bad_title: bool,
    problems: Vec<ImportProblem>,
}

impl NewPage {
    const LIMITS: [u64; 6] = LIMITS;
    const MOST_POSITIONS: usize = MOST_POSITIONS;
    const KEPT_DAYS: u32 = KEPT_DAYS;
}

async fn form() -> Result<Response, Problem> {
    page(&NewPage {
        frame: Frame::new("teach"),
        form: ClassForm::default(),
        bad_title: false,
        problems: Vec::new(),
    })
}

/// The title of a class to which its teacher gives none.
fn title_of(frame: &Frame, form: &ClassForm) -> String {
    if form.source == "own" {
        return frame.text("class-own");
    }
    let theme = [("theme", form.theme.as_str().into())];
    frame.filled("theme-title", &theme)
}

async fn make(State(app): State<App>, Form(form): Form<ClassForm>) -> Result<Response, Problem> {
    let again = |form, bad_title, problems| {
        let shown = NewPage {
            frame: Frame::new("teach"),
            form,
            bad_title,
            problems,
        };
        Ok((StatusCode::BAD_REQUEST, page(&shown)?).into_response())
    };
    let title = match form.title.trim() {
        "" => title_of(&Frame::new("teach"), &form),
        given => given.to_owned(),
    };
    let Ok(title) = title.parse() else {
        return again(form, true, Vec::new());
    };
    let is_offered = LIMITS.contains(&form.limit);
    // A form that was changed by hand may have any number; what is not offered is no limit.
    let limit = (is_offered && form.limit > 0).then(|| Duration::from_secs(form.limit));
    let source = if form.source == "own" {
        ClassSource::Lines(form.positions.clone())
    } else {
        ClassSource::Theme(form.theme, form.count.clamp(1, MOST_POSITIONS))
    };
    let new = NewClass {
        title,
        source,
        time_limit: limit,
        at_end: form.answers == "end",
    };
    match app.service.make_class(&new, now()).await {
        Ok((_, teacher)) => {
            // The address is the only key to the results, and is to be kept as a bookmark.
            Ok(Redirect::to(&format!("/teach/{}", teacher.as_str())).into_response())
        }
        Err(ClassError::BadLines(problems)) => again(form, false, problems),
        Err(error) => Err(error.into()),
    }
}

#[derive(Template)]
#[template(path = "class/quiz.html")]
struct QuizPage {
    frame: Frame,
    /// The themes to choose from, each with one of its positions.
    themes: Vec<(Theme, Drawing)>,
}

impl QuizPage {
    const POSITIONS: usize = QUIZ_POSITIONS;
}

async fn quiz() -> Result<Response, Problem> {
    let themes = (EXAMPLE..).zip(Theme::ALL).filter_map(|(seed, theme)| {
        let position = draw(theme, 1, seed).pop()?;
        let below = position.side_to_move();
        Some((
            theme,
            Drawing::from_position(&position, below).without_edge(),
        ))
    });
    page(&QuizPage {
        frame: Frame::new("teach"),
        themes: themes.collect(),
    })
}

#[derive(Deserialize)]
struct Practice {
    theme: Theme,
}

async fn practise(
    State(app): State<App>,
    caller: Option<Caller>,
    Form(practice): Form<Practice>,
) -> Result<Response, Problem> {
    let frame = Frame::new("teach");
    let title = [("theme", practice.theme.as_str().into())];
    let title = frame.filled("theme-title", &title).parse();
    let new = NewClass {
        title: title.map_err(|error| Problem::internal(&error))?,
        source: ClassSource::Theme(practice.theme, QUIZ_POSITIONS),
        time_limit: None,
        at_end: false,
    };
    let name = frame.text("you").parse::<PlayerName>();
    let name = name.map_err(|error| Problem::internal(&error))?;
    let (code, _) = app.service.make_class(&new, now()).await?;
    let class = format!("/class/{}", code.as_str());
    if let Some(Caller(caller)) = caller {
        let service = &app.service;
        service.join_class(caller.id, &code, &name, now()).await?;
        return Ok(Redirect::to(&class).into_response());
    }
    let (id, token) = app.service.enter(None, now()).await?;
    app.known.add(token.as_str());
    app.service.join_class(id, &code, &name, now()).await?;
    let cookie = session_cookie(&token, app.settings.https);
    Ok(answers::redirect(&class, cookie))
}

/// The quiz whose position stands for the first theme; the next one stands for the second.
const EXAMPLE: u32 = 7;

#[derive(Template)]
#[template(path = "class/teach.html")]
struct Teach {
    frame: Frame,
    token: String,
    info: ClassInfo,
    table: ClassTable,
    deleted_at: String,
    hardest: Vec<Hard>,
}

/// A position with its most-missed moves as arrows.
struct Hard {
    row: PositionRow,
    side: &'static str,
    drawing: Drawing,
}

impl Hard {
    fn why(&self, frame: &Frame, one: &CountedMove) -> String {
        if frame.language.is_english() {
            one.why.clone()
        } else {
            frame.language.reason(&self.row.position, &one.mv)
        }
    }
}

const HARDEST: usize = 6;

impl Teach {
    fn limit(&self) -> String {
        let limit = self.info.time_limit.unwrap_or_default();
        limit_name(&self.frame, limit.as_secs())
    }

    fn kind(one: &KindScore) -> &'static str {
        one.kind.as_str()
    }

    fn finished(&self) -> usize {
        let all = self.table.positions.len();
        let students = self.table.students.iter();
        students.filter(|row| row.finished() == all).count()
    }

    /// "2:05".
    fn time(cell: &Cell) -> String {
        let seconds = cell.took_ms / 1000;
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }

    /// A number by which cells are sorted: what was found less what is illegal.
    fn order(cell: &Cell) -> i64 {
        i64::from(cell.found) - i64::from(cell.wrong)
    }

    fn percent(one: &KindScore) -> u32 {
        // Of no moves, all were found.
        (one.found * 100).checked_div(one.legal).unwrap_or(100)
    }
}

fn read_token(text: &str) -> Result<ClassToken, Problem> {
    // A text that is no token gets the same answer as an unknown one.
    text.parse().map_err(|_| ClassError::NoClass.into())
}

async fn teach(State(app): State<App>, Path(text): Path<String>) -> Result<Response, Problem> {
    let token = read_token(&text)?;
    let ClassOverview { info, table } = app.service.class_overview(&token).await?;
    let hardest = table.hardest(HARDEST).into_iter().map(|row| {
        let missed = row.missed.iter().map(|one| &one.mv);
        let side = row.position.side_to_move();
        Hard {
            side: drawing::side(side),
            drawing: Drawing::from_position(&row.position, side).with(Look::Good, missed),
            row: row.clone(),
        }
    });
    page(&Teach {
        frame: Frame::new("teach").with_script("class/teach.js"),
        hardest: hardest.collect(),
        deleted_at: moment(info.deleted_at()),
        token: text,
        info,
        table,
    })
}

async fn results(State(app): State<App>, Path(text): Path<String>) -> Result<Response, Problem> {
    let overview = app.service.class_overview(&read_token(&text)?).await?;
    let name = format!("class-{}.csv", overview.info.code.as_str());
    // Spreadsheets take a text for another encoding without the mark.
    let text = format!("\u{feff}{}", write_csv(&overview.table));
    Ok(answers::file(answers::CSV, &name, text))
}

async fn delete(State(app): State<App>, Path(text): Path<String>) -> Result<Redirect, Problem> {
    app.service.delete_class(&read_token(&text)?).await?;
    Ok(Redirect::to("/class"))
}

#[derive(Template)]
#[template(path = "class/remove.html")]
struct Remove {
    frame: Frame,
    token: String,
    info: ClassInfo,
    names: Vec<String>,
}

/// Where a student is chosen who is to be removed: a page of its own, since the results change while one looks at them.
async fn remove_form(
    State(app): State<App>,
    Path(text): Path<String>,
) -> Result<Response, Problem> {
    let overview = app.service.class_overview(&read_token(&text)?).await?;
    let students = overview.table.students.into_iter();
    let mut names: Vec<String> = students.map(|row| row.name).collect();
    // The table is in the order in which students came; a name is found faster by its letters.
    names.sort_by_key(|name| name.to_lowercase());
    page(&Remove {
        frame: Frame::new("teach"),
        token: text,
        info: overview.info,
        names,
    })
}

#[derive(Deserialize)]
struct Removed {
    student: String,
}

/// Removes a student. One who is not there was removed before: that is no error.
async fn remove(
    State(app): State<App>,
    Path(text): Path<String>,
    Form(removed): Form<Removed>,
) -> Result<Redirect, Problem> {
    let token = read_token(&text)?;
    app.service.remove_student(&token, &removed.student).await?;
    Ok(Redirect::to(&format!("/teach/{text}")))
}
