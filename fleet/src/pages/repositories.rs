//! Repositories that engines come from: a list, and a form to register one.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use selfplay::fleet::protocol::Recipe;
use serde_json::Value;
use web::extract::Form;
use web::problem::Problem;

use super::fields::Fields;
use super::tests_list::percent_encoded;
use super::{PageFrame, page, queries, reading};
use crate::app::LabState;
use crate::conduct::ConductError;
use crate::conduct::openbench::{self, OpenBenchEngine};
use crate::conduct::repositories::{self, NewRepository};
use crate::model::Account;
use crate::people::{OnPage, Right, SignedIn};

struct ShownRepository {
    name: String,
    address: String,
    url: String,
    recipe: Vec<(&'static str, String)>,
    presets: String,
    added_by: String,
    approved_by: Option<String>,
}

#[derive(Template)]
#[template(path = "repositories.html")]
struct RepositoriesPage {
    frame: PageFrame,
    rows: Vec<ShownRepository>,
    fields: Fields,
    may_add: bool,
    may_approve: bool,
}

impl ShownRepository {
    fn new(repository: queries::RepositoryRow) -> Self {
        let text = |name: &str| repository.recipe.0[name].as_str().unwrap_or_default();
        let parts = ["fetch", "build", "artefact", "bench"];
        let recipe = parts.map(|name| (name, text(name).to_owned()));
        let presets = repository.presets.0.as_object();
        let presets: Vec<&str> = { presets.iter() }
            .flat_map(|presets| presets.keys().map(String::as_str))
            .collect();
        Self {
            presets: presets.join(", "),
            recipe: { recipe.into_iter() }
                .filter(|(_, text)| !text.is_empty())
                .collect(),
            address: percent_encoded(&repository.name),
            name: repository.name,
            url: repository.url,
            added_by: repository.added_by,
            approved_by: repository.approved_by,
        }
    }
}

async fn shown(
    app: &LabState,
    account: Option<Account>,
    fields: Fields,
) -> Result<Response, Problem> {
    let rows = queries::repositories(&app.database.pool).await;
    let may = |right| account.as_ref().is_some_and(|account| account.may(right));
    Ok(page(&RepositoriesPage {
        rows: rows
            .map_err(reading)?
            .into_iter()
            .map(ShownRepository::new)
            .collect(),
        fields,
        may_add: may(Right::AddRepositories),
        may_approve: may(Right::ApproveRepositories),
        frame: PageFrame::new("Repositories", "repositories", account),
    }))
}

/// Shows all repositories.
pub(crate) async fn show(
    State(app): State<LabState>,
    who: Option<SignedIn>,
) -> Result<Response, Problem> {
    shown(&app, who.map(|who| who.0), Fields::default()).await
}

/// Registers a repository.
pub(crate) async fn add(
    State(app): State<LabState>,
    OnPage(who): OnPage,
    Form(sent): Form<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let mut fields = Fields::new(sent);
    let new = new_of(&mut fields);
    if !fields.has_faults() {
        match repositories::add(&app.database, &who.account, &new).await {
            Ok(()) => return Ok(Redirect::to("/repositories").into_response()),
            Err(ConductError::Spec(faults)) => {
                for fault in faults {
                    fields.fault(fault.field.trim_start_matches("recipe."), fault.message);
                }
            }
            Err(error @ ConductError::NameTaken(_)) => fields.fault("name", error.to_string()),
            Err(error) => return Err(error.into()),
        }
    }
    let page = shown(&app, Some(who.account), fields).await?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}

fn new_of(fields: &mut Fields) -> NewRepository {
    let text = |name: &str| fields.value(name).to_owned();
    let recipe = Recipe {
        fetch: text("fetch"),
        build: text("build"),
        artefact: text("artefact"),
        bench: text("bench"),
    };
    let (name, url) = (text("name"), text("url"));
    let presets = match fields.text("presets") {
        None => BTreeMap::new(),
        Some(text) => match serde_json::from_str::<BTreeMap<String, Value>>(&text) {
            Ok(presets) => presets,
            Err(error) => {
                fields.fault("presets", format!("expected JSON: {error}"));
                BTreeMap::new()
            }
        },
    };
    let new = NewRepository {
        name,
        url,
        recipe,
        presets,
    };
    match fields.text("openbench").map(|text| openbench::read(&text)) {
        None => new,
        Some(Ok(engine)) => with(new, engine),
        Some(Err(error)) => {
            fields.fault("openbench", error);
            new
        }
    }
}

/// A repository with what a configuration of `OpenBench` says, where the form says nothing.
fn with(new: NewRepository, engine: OpenBenchEngine) -> NewRepository {
    let is_built = !new.recipe.build.is_empty();
    NewRepository {
        name: new.name,
        url: if new.url.is_empty() {
            engine.url
        } else {
            new.url
        },
        recipe: if is_built { new.recipe } else { engine.recipe },
        // Those of the form come last, and replace others of the same name.
        presets: { engine.presets.into_iter() }.chain(new.presets).collect(),
    }
}
