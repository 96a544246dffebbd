//! The `OpenAPI` description as a page, without scripts.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use serde_json::Value;
use utoipa::openapi::OpenApi;

use super::{Frame, page};
use crate::web::problem::Problem;
use crate::web::state::App;

#[derive(Template)]
#[template(path = "api.html")]
struct ApiPage {
    frame: Frame,
    outline: Arc<Outline>,
}

/// The part of the description that the page shows.
struct Outline {
    title: String,
    description: String,
    groups: Vec<Group>,
    schemas: Vec<Schema>,
}

struct Group {
    name: String,
    description: String,
    operations: Vec<Operation>,
}

struct Operation {
    method: String,
    path: String,
    summary: String,
    parameters: Vec<(String, String)>,
    body: String,
    answers: Vec<Answer>,
}

struct Answer {
    status: String,
    description: String,
    body: String,
}

struct Schema {
    name: String,
    description: String,
    members: Vec<Member>,
    words: Vec<String>,
}

struct Member {
    name: String,
    kind: String,
    description: String,
    is_required: bool,
}

pub(super) fn router(description: &OpenApi) -> Router<App> {
    let description = serde_json::to_value(description).unwrap_or_default();
    let outline = Arc::new(outline(&description));
    Router::new()
        .route("/api", get(show))
        .layer(axum::Extension(outline))
}

async fn show(
    axum::Extension(outline): axum::Extension<Arc<Outline>>,
    State(_): State<App>,
) -> Result<Response, Problem> {
    page(&ApiPage {
        frame: Frame::new("about"),
        outline,
    })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn outline(description: &Value) -> Outline {
    Outline {
        title: text(&description["info"]["title"]),
        description: text(&description["info"]["description"]),
        groups: items(&description["tags"])
            .map(|tag| group(tag, &description["paths"]))
            .collect(),
        schemas: entries(&description["components"]["schemas"])
            .map(|(name, schema)| shape(name, schema))
            .collect(),
    }
}

fn group(tag: &Value, paths: &Value) -> Group {
    let operations = entries(paths).flat_map(|(path, item)| {
        let methods = entries(item).filter(|(_, operation)| operation.is_object());
        methods
            .filter(|(_, operation)| items(&operation["tags"]).any(|name| *name == tag["name"]))
            .map(|(method, operation)| self::operation(method, path, operation))
    });
    Group {
        name: text(&tag["name"]),
        description: text(&tag["description"]),
        operations: operations.collect(),
    }
}

fn operation(method: &str, path: &str, operation: &Value) -> Operation {
    let parameters = items(&operation["parameters"]);
    Operation {
        method: method.to_uppercase(),
        path: path.to_owned(),
        summary: text(&operation["summary"]),
        parameters: parameters
            .map(|p| (text(&p["name"]), text(&p["description"])))
            .collect(),
        body: content(&operation["requestBody"]),
        answers: entries(&operation["responses"])
            .map(|(status, answer)| Answer {
                status: status.clone(),
                description: text(&answer["description"]),
                body: content(answer),
            })
            .collect(),
    }
}

/// The type name of a body.
fn content(holder: &Value) -> String {
    let content = entries(&holder["content"]).next();
    content.map_or_else(String::new, |(kind, media)| match kind.as_str() {
        "application/json" => kind_of(&media["schema"]),
        other => other.to_owned(),
    })
}

fn shape(name: &str, schema: &Value) -> Schema {
    let parts = std::iter::once(schema)
        .chain(items(&schema["allOf"]))
        .chain(items(&schema["oneOf"]));
    let parts: Vec<&Value> = parts.collect();
    let members = parts.iter().flat_map(|part| {
        let required: Vec<&str> = items(&part["required"]).filter_map(Value::as_str).collect();
        entries(&part["properties"]).map(move |(name, member)| Member {
            name: name.clone(),
            kind: kind_of(member),
            description: text(&member["description"]),
            is_required: required.contains(&name.as_str()),
        })
    });
    let words = parts.iter().flat_map(|part| items(&part["enum"]));
    Schema {
        name: name.to_owned(),
        description: text(&schema["description"]),
        members: members.collect(),
        words: words.map(text).collect(),
    }
}

/// A short name of a type: a name, `list of …`, `… or nothing`.
fn kind_of(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        return reference.rsplit('/').next().unwrap_or("").to_owned();
    }
    let choices: Vec<String> = ["oneOf", "anyOf", "allOf"]
        .iter()
        .flat_map(|key| items(&schema[*key]))
        .map(kind_of)
        .collect();
    if !choices.is_empty() {
        return choices.join(" or ");
    }
    match &schema["type"] {
        Value::String(kind) => named(kind, schema),
        Value::Array(kinds) => {
            let kinds = kinds.iter().filter_map(Value::as_str);
            let kinds: Vec<String> = kinds.map(|kind| named(kind, schema)).collect();
            kinds.join(" or ")
        }
        _ => String::from("any"),
    }
}

fn named(kind: &str, schema: &Value) -> String {
    match kind {
        "array" => format!("list of {}", kind_of(&schema["items"])),
        "null" => String::from("nothing"),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn types_are_told_in_words() {
        let check = |schema: Value, expected: &str| assert_eq!(kind_of(&schema), expected);
        check(json!({"type": "string"}), "string");
        check(json!({"type": ["integer", "null"]}), "integer or nothing");
        check(json!({"$ref": "#/components/schemas/Mode"}), "Mode");
        let list = json!({"type": "array", "items": {"$ref": "#/x/Mode"}});
        check(list, "list of Mode");
        let choice = json!({"oneOf": [{"type": "null"}, {"$ref": "#/x/Mode"}]});
        check(choice, "nothing or Mode");
        check(json!({}), "any");
    }
}
