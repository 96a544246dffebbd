//! The form for a test of revisions of a repository: a sequential test and what follows it, a match,
//! a tournament, a tuning, test positions, or data for a trainer.

mod form;

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use selfplay::lab::spec::{OpeningsSpec, TestKind, TestSpec};
use selfplay::model::{EloModel, SprtConfig};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use web::extract::{Form, Query};
use web::problem::Problem;

use super::fields::Fields;
use super::queries;
use super::test_page::found;
use super::tests_list::{self, percent_encoded};
use super::{PageFrame, page, reading};
use crate::app::LabState;
use crate::conduct::{ConductError, repositories, submit};
use crate::model::Account;
use crate::people::{OnPage, Right};
use form::{KINDS, SUITES, SYSTEMS, field_of, fields_of, spec_of};

#[derive(Template)]
#[template(path = "submit.html")]
struct SubmitPage {
    frame: PageFrame,
    /// Approved repositories, to choose from.
    repositories: Vec<String>,
    fields: Fields,
    /// Names and addresses of presets.
    presets: Vec<(String, String)>,
    /// Whether a maintainer must approve the test.
    needs_approval: bool,
}

/// What the form begins with.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Begin {
    repository: String,
    preset: String,
    /// The test whose values are taken.
    again: String,
}

/// The preset that the form begins with.
// One test, and not STC and LTC: an author who wants both chooses so.
const FIRST_PRESET: &str = "stc";

/// Shows the form.
pub(crate) async fn show(
    State(app): State<LabState>,
    OnPage(who): OnPage,
    Query(begin): Query<Begin>,
) -> Result<Response, Problem> {
    let account = who.account;
    account.require(Right::Submit)?;
    let repositories = queries::repositories(&app.database.pool).await;
    let repositories = repositories.map_err(reading)?;
    let fields = if begin.again.is_empty() {
        let chosen = repositories.iter().find(|one| one.name == begin.repository);
        preset_of(chosen, &begin)?
    } else {
        let spec = found(&app, &begin.again).await?.spec();
        spec.as_ref().map_or_else(Fields::default, fields_of)
    };
    Ok(shown(&repositories, account, fields))
}

/// Submits a test; leads to its page, or shows the form with what is wrong.
pub(crate) async fn send(
    State(app): State<LabState>,
    OnPage(who): OnPage,
    Form(sent): Form<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let account = who.account;
    let mut fields = Fields::new(sent);
    let spec = spec_of(&mut fields);
    if !fields.has_faults() {
        match submit::submit(&app.database, &account, &spec).await {
            Ok(id) => {
                let page = format!("/tests/{}", percent_encoded(&id));
                return Ok(Redirect::to(&page).into_response());
            }
            Err(ConductError::Spec(faults)) => {
                for fault in faults {
                    fields.fault(field_of(&fault.field), fault.message);
                }
            }
            Err(error @ ConductError::NoRepository(_)) => {
                fields.fault("repository", error.to_string());
            }
            Err(error) => return Err(error.into()),
        }
    }
    let repositories = queries::repositories(&app.database.pool).await;
    let page = shown(&repositories.map_err(reading)?, account, fields);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}

/// The presets of a repository, and those of every repository, by name.
fn presets_of(repository: Option<&queries::RepositoryRow>) -> BTreeMap<String, Value> {
    let mut presets = repositories::common_presets();
    let own = repository.and_then(|one| one.presets.0.as_object());
    let own = own.into_iter().flatten();
    presets.extend(own.map(|(name, preset)| (name.clone(), preset.clone())));
    presets
}

/// The form as a preset has it.
fn preset_of(
    repository: Option<&queries::RepositoryRow>,
    begin: &Begin,
) -> Result<Fields, ConductError> {
    let name = if begin.preset.is_empty() {
        FIRST_PRESET
    } else {
        &begin.preset
    };
    let whole = repositories::apply_preset(&presets_of(repository), name, &Map::new())?;
    // A preset may have no bounds: these are fishtest's for STC.
    let bounds = SprtConfig::new([0.0, 2.0], EloModel::Normalized);
    let mut spec = json!(TestSpec::new(TestKind::sprt(bounds, None)));
    spec.as_object_mut().expect("fields").extend(whole);
    // A preset of a repository may contain anything: what is no part of a test leaves the form empty.
    let mut fields =
        serde_json::from_value(spec).map_or_else(|_| Fields::default(), |spec| fields_of(&spec));
    fields.set("repository", &begin.repository);
    Ok(fields)
}

fn shown(repositories: &[queries::RepositoryRow], account: Account, fields: Fields) -> Response {
    // A test of another repository would wait until that is approved.
    let approved = repositories.iter().filter(|one| one.approved_by.is_some());
    let approved: Vec<String> = approved.map(|one| one.name.clone()).collect();
    let chosen = { repositories.iter() }.find(|one| fields.is("repository", &one.name));
    let address = |name: String| {
        let chosen = fields.value("repository");
        let query = tests_list::form(&[("repository", chosen), ("preset", &name)]);
        (name, format!("/submit?{query}"))
    };
    let presets = presets_of(chosen).into_keys().map(address).collect();
    page(&SubmitPage {
        presets,
        needs_approval: !account.may(Right::SubmitApproved),
        frame: PageFrame::new("Submit a test", "submit", Some(account)),
        repositories: approved,
        fields,
    })
}
