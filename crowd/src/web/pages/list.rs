//! The page where lists are made and their results shown: home, a class, and one's own lists again.

use askama::Template;
use askama::filters::Safe;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Redirect, Response};
use serde::{Deserialize, Serialize};
use web::extract::{Path, Query};
use web::layers::wants_page;
use web::problem::Problem;

use super::class::not_found;
use super::drawing::Drawing;
use super::{Frame, page};
use crate::model::Progress;
use crate::service::{ClassError, GivenPosition, List, ListResult, ListToken, StudentState, Today};
use crate::web::api::{explained, read_code};
use crate::web::problem::NO_CLASS;
use crate::web::session::{Caller, Own, Sender, of_code};
use crate::web::state::{App, now};

/// What the script of the page begins with, so that it asks for nothing before the first move.
#[derive(Default, Serialize)]
struct PageData {
    known: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    campaign: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<ClassData>,
    #[serde(skip_serializing_if = "Option::is_none")]
    today: Option<Today>,
    /// The list that is open, if it is not that of today.
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<List>,
    /// The result that is shown first.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<ResultData>,
}

#[derive(Serialize)]
struct ClassData {
    code: String,
    /// The student's progress; none before joining.
    student: Option<StudentState>,
}

#[derive(Serialize)]
struct ResultData {
    list: ListToken,
    #[serde(flatten)]
    result: ListResult,
}

#[derive(Template)]
#[template(path = "list.html")]
struct ListPage {
    frame: Frame,
    title: String,
    /// Number of one's own lists that have a result now.
    news: i64,
    joining: Option<Joining>,
    /// The position as the script will show it.
    drawing: Drawing,
    /// What the script begins with; it escapes nothing but `&` and `<`.
    data: Safe<String>,
}

struct Joining {
    name: String,
    about: String,
}

impl ListPage {
    fn new(frame: Frame, title: String, data: &PageData) -> Self {
        let position = data
            .result
            .as_ref()
            .map(|data| &data.result.position)
            .or(data.list.as_ref().map(|list| &list.position))
            .or(data.today.as_ref().map(|today| &today.position));
        let json = serde_json::to_string(data).expect("plain values can be written");
        Self {
            drawing: position.map_or_else(|| Drawing::empty(""), drawn),
            news: 0,
            joining: None,
            data: Safe(json.replace('&', "&amp;").replace('<', "&lt;")),
            frame,
            title,
        }
    }
}

fn drawn(position: &GivenPosition) -> Drawing {
    Drawing::at(&position.fen, position.side_to_move.into()).without_edge()
}

/// "Find every legal move for White".
fn task(frame: &Frame, position: &GivenPosition) -> String {
    let side = position.side_to_move.as_str();
    frame.filled("task", &[("side", side.into())])
}

#[derive(Deserialize)]
pub(super) struct HomeQuery {
    #[serde(default)]
    campaign: Option<String>,
}

/// The board of the day; a result that was never seen comes first.
pub(super) async fn home(
    State(app): State<App>,
    caller: Option<Caller>,
    Query(query): Query<HomeQuery>,
) -> Result<Response, Problem> {
    let service = &app.service;
    let now = now();
    let id = caller.map(|Caller(caller)| caller.id);
    let mut data = PageData {
        known: id.is_some(),
        campaign: query.campaign,
        ..PageData::default()
    };
    let today = service.today(id, now).await?;
    let finished = today
        .list
        .as_ref()
        .filter(|list| list.state == Progress::Finished);
    let mut shown = None;
    if let Some(id) = id {
        shown = service.unseen(id).await?;
        if shown.is_none() && (finished.is_some() || data.campaign.is_some()) {
            data.list = service.open_list(id, data.campaign.as_deref(), now).await?;
        }
    }
    if shown.is_none() && data.list.is_none() && data.campaign.is_none() {
        shown = finished.map(|list| list.token.clone());
    }
    if let (Some(id), Some(list)) = (id, shown) {
        let result = explained(service.result(id, &list, now).await?);
        data.result = Some(ResultData { list, result });
    }
    let frame = Frame::new("home").with_script("list/page.js");
    let title = match &data.campaign {
        Some(_) => frame.text("campaign-title"),
        None => task(&frame, &today.position),
    };
    if data.campaign.is_none() {
        data.today = Some(today);
    }
    let news = match id {
        Some(id) => service.standing(id, now).await?.news,
        None => 0,
    };
    page(&ListPage {
        news,
        ..ListPage::new(frame, title, &data)
    })
}

/// One's own list: as it is, to be continued, or its result.
pub(super) async fn results(
    State(app): State<App>,
    Own(id, token): Own,
) -> Result<Response, Problem> {
    let list = app.service.list(id, &token, now()).await?;
    let mut data = PageData {
        known: true,
        campaign: list.campaign.clone(),
        ..PageData::default()
    };
    let frame = Frame::new("lists").with_script("list/page.js");
    let title = task(&frame, &list.position);
    if list.state == Progress::Open {
        data.list = Some(list);
    } else {
        let result = explained(app.service.result(id, &token, now()).await?);
        data.result = Some(ResultData {
            list: token,
            result,
        });
    }
    page(&ListPage::new(frame, title, &data))
}

/// A class for its students: joining it, and its positions.
pub(super) async fn class(
    State(app): State<App>,
    caller: Option<Caller>,
    sender: Sender,
    Path(text): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let code = read_code(&text);
    let info = match &code {
        Ok(code) => {
            let found = async { Ok(app.service.class_info(code).await?) };
            of_code(&app, sender, found).await
        }
        // A text that can be no code is no guess.
        Err(_) => Err(ClassError::NoClass.into()),
    };
    let (code, info) = match code.and_then(|code| Ok((code, info?))) {
        Ok(found) => found,
        Err(problem) if problem.is(NO_CLASS) && wants_page("/class", &headers) => {
            return not_found(&text, "class-unknown");
        }
        Err(problem) => return Err(problem),
    };
    let student = match &caller {
        Some(Caller(caller)) => match app.service.student_state(caller.id, &code).await {
            Ok(state) => Some(state),
            Err(ClassError::NotJoined) => None,
            Err(error) => return Err(error.into()),
        },
        None => None,
    };
    let frame = Frame::new("class").with_script("list/page.js");
    let data = PageData {
        known: caller.is_some(),
        class: Some(ClassData {
            code: code.as_str().to_owned(),
            student,
        }),
        ..PageData::default()
    };
    let limit = info
        .time_limit
        .map(|limit| super::class::limit_name(&frame, limit.as_secs()));
    let answers = if info.at_end {
        "class-answers-end"
    } else {
        "class-answers-each"
    };
    let about = [
        frame.filled("class-positions", &[("n", info.positions.into())]),
        match limit {
            Some(limit) => frame.filled("class-task-limit", &[("limit", limit.into())]),
            None => frame.text("class-task"),
        },
        frame.text(answers),
    ];
    page(&ListPage {
        joining: Some(Joining {
            name: frame.filled("class-name", &[("code", info.code.to_string().into())]),
            about: about.join(" "),
        }),
        ..ListPage::new(frame, info.title, &data)
    })
}

/// The address of the page before there was one page.
pub(super) async fn contribute(Query(query): Query<HomeQuery>) -> Response {
    match query.campaign {
        // Names of campaigns need no escaping; any other is none.
        Some(name) if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') => {
            Redirect::permanent(&format!("/?campaign={name}")).into_response()
        }
        _ => Redirect::permanent("/").into_response(),
    }
}
