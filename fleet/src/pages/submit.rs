//! The form for a test of two revisions of a repository: a sequential test or a match, and what
//! follows it.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use selfplay::lab::spec::{
    BoundsSpec, EngineSpec, LimitsSpec, OpeningsSpec, TestKind, TestSpec, ThenSpec,
};
use selfplay::model::EloModel;
use serde::Deserialize;
use serde_json::{Map, Value};
use web::extract::{Form, Query};
use web::problem::Problem;

use super::fields::Fields;
use super::queries;
use super::test_page::found;
use super::tests_list::{form, percent_encoded};
use super::{Frame, page, reading};
use crate::app::App;
use crate::conduct::{ConductError, repositories, submit};
use crate::model::Account;
use crate::people::{OnPage, Right};

#[derive(Template)]
#[template(path = "submit.html")]
struct SubmitPage {
    frame: Frame,
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
const FIRST_PRESET: &str = "stc-then-ltc";

/// Shows the form.
pub(crate) async fn show(
    State(app): State<App>,
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
    State(app): State<App>,
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
fn presets_of(repository: Option<&queries::Repository>) -> BTreeMap<String, Value> {
    let mut presets = repositories::common_presets();
    let own = repository.and_then(|one| one.presets.0.as_object());
    let own = own.into_iter().flatten();
    presets.extend(own.map(|(name, preset)| (name.clone(), preset.clone())));
    presets
}

/// The form as a preset has it.
fn preset_of(
    repository: Option<&queries::Repository>,
    begin: &Begin,
) -> Result<Fields, ConductError> {
    let name = if begin.preset.is_empty() {
        FIRST_PRESET
    } else {
        &begin.preset
    };
    let whole = repositories::apply_preset(&presets_of(repository), name, &Map::new())?;
    let mut spec = TestSpec::new(TestKind::Sprt);
    // A preset of a repository may contain anything; what is no part of a test changes nothing.
    if let Ok(Value::Object(mut all)) = serde_json::to_value(&spec) {
        all.extend(whole);
        if let Ok(with_preset) = serde_json::from_value(Value::Object(all)) {
            spec = with_preset;
        }
    }
    let mut fields = fields_of(&spec);
    fields.set("repository", &begin.repository);
    Ok(fields)
}

fn shown(repositories: &[queries::Repository], account: Account, fields: Fields) -> Response {
    let approved = repositories.iter().filter(|one| one.approved_by.is_some());
    let approved: Vec<String> = approved.map(|one| one.name.clone()).collect();
    let chosen = { repositories.iter() }.find(|one| fields.is("repository", &one.name));
    let address = |name: String| {
        let chosen = fields.value("repository");
        let query = form(&[("repository", chosen), ("preset", &name)]);
        (name, format!("/submit?{query}"))
    };
    let presets = presets_of(chosen).into_keys().map(address).collect();
    page(&SubmitPage {
        presets,
        needs_approval: !account.may(Right::SubmitApproved),
        frame: Frame::new("Submit a test", "submit", Some(account)),
        repositories: approved,
        fields,
    })
}

/// The form's fields for a test; what the form does not have is left out.
fn fields_of(spec: &TestSpec) -> Fields {
    let mut fields = Fields::default();
    let some = |fields: &mut Fields, name: &str, value: Option<String>| {
        fields.set(name, value.unwrap_or_default());
    };
    fields.set("kind", spec.kind.name());
    fields.set("title", &spec.title);
    some(&mut fields, "repository", spec.repository.clone());
    for (role, engine) in ["new", "base"].iter().zip(&spec.engines) {
        some(&mut fields, role, engine.revision.clone());
        let bench = engine.bench.map(|bench| bench.to_string());
        some(&mut fields, &format!("{role}_bench"), bench);
        let options = engine.options.iter();
        let options: Vec<String> = options
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        fields.set(&format!("{role}_options"), options.join("\n"));
    }
    some(&mut fields, "tc", spec.limits.tc.clone());
    let nodes = spec.limits.nodes.map(|nodes| nodes.to_string());
    some(&mut fields, "nodes", nodes);
    if let Some(bounds) = &spec.bounds {
        fields.set("elo0", bounds.elo0);
        fields.set("elo1", bounds.elo1);
    }
    let rounds = spec.rounds.map(|rounds| rounds.to_string());
    some(&mut fields, "rounds", rounds);
    fields.set("threads", spec.threads);
    let hash = spec.hash_mib.map(|hash| hash.to_string());
    some(&mut fields, "hash", hash);
    fields.set("book", &spec.openings.book);
    fields.set("priority", spec.priority);
    fields.set("weight", spec.weight);
    if let Some(then) = &spec.then {
        some(&mut fields, "then_tc", then.limits.tc.clone());
        if let Some(bounds) = &then.bounds {
            fields.set("then_elo0", bounds.elo0);
            fields.set("then_elo1", bounds.elo1);
        }
        let hash = then.hash_mib.map(|hash| hash.to_string());
        some(&mut fields, "then_hash", hash);
    }
    fields
}

/// The test that a form describes; what is wrong is said at the fields.
fn spec_of(fields: &mut Fields) -> TestSpec {
    let is_match = fields.is("kind", "match");
    let kind = if is_match {
        TestKind::Match
    } else {
        TestKind::Sprt
    };
    let mut spec = TestSpec::new(kind);
    fields.value("title").clone_into(&mut spec.title);
    spec.repository = fields.text("repository");
    spec.engines = ["new", "base"].map(|role| engine_of(fields, role)).into();
    spec.limits = LimitsSpec {
        tc: fields.text("tc"),
        nodes: fields.number("nodes", "a number of nodes"),
        ..LimitsSpec::default()
    };
    spec.rounds = fields.number("rounds", "a number of pairs");
    spec.threads = fields.number("threads", "a number of threads").unwrap_or(1);
    spec.hash_mib = fields.number("hash", "a number of MiB");
    spec.openings.book = { fields.text("book") }.unwrap_or_else(|| "balanced".to_owned());
    spec.priority = fields.number("priority", "a whole number").unwrap_or(0);
    spec.weight = fields.number("weight", "a number").unwrap_or(1.0);
    if !is_match {
        spec.bounds = bounds_of(fields, ["elo0", "elo1"]);
        if let Some(tc) = fields.text("then_tc") {
            spec.then = Some(ThenSpec {
                title: String::new(),
                limits: LimitsSpec {
                    tc: Some(tc),
                    ..LimitsSpec::default()
                },
                bounds: bounds_of(fields, ["then_elo0", "then_elo1"]),
                threads: None,
                hash_mib: fields.number("then_hash", "a number of MiB"),
                rounds: None,
            });
        }
    }
    if spec.repository.is_none() {
        fields.fault("repository", "choose a repository");
    }
    for fault in spec.check() {
        fields.fault(field_of(&fault.field), fault.message);
    }
    spec
}

fn engine_of(fields: &mut Fields, role: &str) -> EngineSpec {
    let mut engine = EngineSpec {
        revision: fields.text(role),
        bench: fields.number(&format!("{role}_bench"), "a number of nodes"),
        ..EngineSpec::default()
    };
    if engine.revision.is_none() {
        fields.fault(role, "missing, expected a branch, a tag or a commit hash");
    }
    let name = format!("{role}_options");
    let lines = fields.value(&name).to_owned();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.split_once('=') {
            Some((option, value)) => {
                let value = value.trim().to_owned();
                engine.options.insert(option.trim().to_owned(), value);
            }
            None => fields.fault(&name, format!("'{line}', expected 'Name=value'")),
        }
    }
    engine
}

/// Bounds, unless both fields are empty.
fn bounds_of(fields: &mut Fields, names: [&str; 2]) -> Option<BoundsSpec> {
    let given = names.map(|name| fields.number::<f64>(name, "a number of Elo"));
    let [Some(elo0), Some(elo1)] = given else {
        for (name, given) in names.iter().zip(given) {
            if given.is_none() && !names.iter().all(|name| fields.value(name).is_empty()) {
                fields.fault(name, "missing, expected a number of Elo");
            }
        }
        return None;
    };
    Some(BoundsSpec {
        elo0,
        elo1,
        alpha: 0.05,
        beta: 0.05,
        model: EloModel::Normalized,
    })
}

/// The form's field for a field of a test.
fn field_of(path: &str) -> &'static str {
    const FIELDS: [(&str, &str); 17] = [
        ("engines[0].options", "new_options"),
        ("engines[1].options", "base_options"),
        ("engines[0]", "new"),
        ("engines[1]", "base"),
        ("then.limits", "then_tc"),
        ("then.bounds", "then_elo0"),
        ("then.hash_mib", "then_hash"),
        ("then", "then_tc"),
        ("limits.nodes", "nodes"),
        ("limits", "tc"),
        ("bounds.elo1", "elo1"),
        ("bounds", "elo0"),
        ("rounds", "rounds"),
        ("threads", "threads"),
        ("hash_mib", "hash"),
        ("openings", "book"),
        ("repository", "repository"),
    ];
    let known = FIELDS.iter().find(|(start, _)| path.starts_with(start));
    match (known, path) {
        (Some((_, field)), _) => field,
        (None, "priority") => "priority",
        (None, "weight") => "weight",
        (None, _) => "title",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(sent: &[(&str, &str)]) -> Fields {
        let all = [
            ("repository", "r"),
            ("new", "a"),
            ("base", "main"),
            ("tc", "10+0.1"),
            ("elo0", "0"),
            ("elo1", "2"),
        ];
        let all = all.iter().chain(sent);
        Fields::new(all.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn a_form_is_a_test_and_a_test_a_form() {
        let mut given = fields(&[
            ("then_tc", "60+0.6"),
            ("then_hash", "64"),
            ("new_bench", "4 021 533"),
            ("new_options", "Contempt = 3"),
        ]);
        let spec = spec_of(&mut given);
        let faults: Vec<_> = given.faults().collect();
        assert!(faults.is_empty(), "{faults:?}");
        assert_eq!(spec.engines[0].bench, Some(4_021_533));
        assert_eq!(spec.engines[0].options["Contempt"], "3");
        let then = spec.then.as_ref().expect("LTC");
        assert_eq!(then.hash_mib, Some(64));
        assert_eq!(then.bounds, None, "those of the first");
        let mut again = fields_of(&spec);
        assert_eq!(spec_of(&mut again), spec);
    }

    #[test]
    fn faults_are_at_their_fields() {
        let rows = [
            (("new", ""), "new", "missing, expected a branch"),
            (("new", "a b"), "new", "'a b', expected a branch"),
            (("elo0", "x"), "elo0", "'x', expected a number of Elo"),
            (("elo1", ""), "elo1", "missing, expected a number of Elo"),
            (("elo1", "-1"), "elo0", ""),
            (("tc", "ten"), "tc", ""),
            (("then_tc", "ten"), "then_tc", ""),
            (
                ("new_options", "Hash"),
                "new_options",
                "'Hash', expected 'Name=value'",
            ),
            (("hash", "-1"), "hash", "'-1', expected a number of MiB"),
            (("threads", "0"), "threads", ""),
            (("book", "none at all"), "book", ""),
            (("repository", ""), "repository", "choose a repository"),
            (("kind", "match"), "rounds", "missing"),
        ];
        for (sent, field, message) in rows {
            let mut fields = fields(&[sent]);
            spec_of(&mut fields);
            let error = fields.error(field);
            let all: Vec<_> = fields.faults().collect();
            assert!(
                !error.is_empty() && error.starts_with(message),
                "{sent:?}: {all:?}"
            );
        }
    }
}
