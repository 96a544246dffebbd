//! The form for a test of two revisions of a repository: a sequential test or a match, and what
//! follows it.

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use selfplay::lab::spec::{
    BoundsSpec, EngineSpec, LimitsSpec, OpeningsSpec, TestKind, TestSpec, ThenSpec,
};
use selfplay::model::EloModel;
use serde::Deserialize;
use serde_json::Value;
use web::extract::{Form, Query};
use web::problem::Problem;

use super::fields::Fields;
use super::queries;
use super::test_page::found;
use super::tests_list::form;
use super::{Frame, page, reading};
use crate::app::App;
use crate::model::Account;
use crate::people::{Right, SignedIn};

/// Presets of repositories that have none: name, bounds, and time controls of the test and of what
/// follows it.
const PRESETS: [(&str, [&str; 2], &str, &str); 3] = [
    ("Gain, STC then LTC", ["0", "2"], "10+0.1", "60+0.6"),
    ("Gain, STC", ["0", "2"], "10+0.1", ""),
    ("No loss, STC", ["-1.75", "0.25"], "10+0.1", ""),
];

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

/// Shows the form.
pub(crate) async fn show(
    State(app): State<App>,
    who: Option<SignedIn>,
    Query(begin): Query<Begin>,
) -> Result<Response, Problem> {
    let Some(SignedIn(account)) = who else {
        return Ok(sign_in("/submit"));
    };
    account.require(Right::Submit)?;
    let repositories = queries::repositories(&app.database.pool).await;
    let repositories = repositories.map_err(reading)?;
    let mut fields = Fields::default();
    if begin.again.is_empty() {
        fields.set("repository", &begin.repository);
        let chosen = repositories.iter().find(|one| one.name == begin.repository);
        let own = chosen.map_or(&Value::Null, |one| &one.presets.0);
        apply(&mut fields, own, &begin.preset);
    } else if let Some(spec) = found(&app, &begin.again).await?.spec() {
        fields = fields_of(&spec);
    }
    Ok(shown(&repositories, account, fields))
}

fn sign_in(next: &str) -> Response {
    Redirect::to(&format!("/sign-in?{}", form(&[("next", next)]))).into_response()
}

fn shown(repositories: &[queries::Repository], account: Account, fields: Fields) -> Response {
    let approved = repositories.iter().filter(|one| one.approved_by.is_some());
    let approved: Vec<String> = approved.map(|one| one.name.clone()).collect();
    let chosen = repositories
        .iter()
        .find(|one| fields.is("repository", &one.name));
    let own = chosen.and_then(|one| one.presets.0.as_object());
    let names: Vec<String> = match own {
        Some(own) if !own.is_empty() => own.keys().cloned().collect(),
        _ => PRESETS.map(|(name, ..)| name.to_owned()).to_vec(),
    };
    let address = |name: &String| {
        let chosen = fields.value("repository");
        let query = form(&[("repository", chosen), ("preset", name)]);
        format!("/submit?{query}")
    };
    let presets = names.iter().map(|name| (name.clone(), address(name)));
    page(&SubmitPage {
        presets: presets.collect(),
        needs_approval: !account.may(Right::SubmitApproved),
        frame: Frame::new("Submit a test", "submit", Some(account)),
        repositories: approved,
        fields,
    })
}

/// Fills in a preset: one of the repository's, a part of a test each, or one of every repository.
fn apply(fields: &mut Fields, own: &Value, preset: &str) {
    let mut spec = TestSpec::new(TestKind::Sprt);
    spec.repository = fields.text("repository");
    let mut whole = serde_json::to_value(&spec).unwrap_or_default();
    if let (Some(part), Some(whole)) = (own[preset].as_object(), whole.as_object_mut()) {
        whole.extend(part.clone());
    }
    let spec = serde_json::from_value(whole).unwrap_or(spec);
    *fields = fields_of(&spec);
    let known = PRESETS.iter().find(|(name, ..)| *name == preset);
    let default = (own.as_object().is_none_or(serde_json::Map::is_empty) && preset.is_empty())
        .then_some(&PRESETS[0]);
    if let Some((_, [elo0, elo1], tc, ltc)) = known.or(default) {
        fields.set("elo0", elo0);
        fields.set("elo1", elo1);
        fields.set("tc", tc);
        fields.set("then_tc", ltc);
    }
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
    spec.title = fields.value("title").to_owned();
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
