//! An `OpenAPI` description for people: the middle of a page, without scripts.

use askama::Template;
use axum::Router;
use axum::http::header;
use axum::routing::get;
use serde_json::Value;
use utoipa::openapi::OpenApi;

/// A route that serves the description as JSON.
pub fn route<S: Clone + Send + Sync + 'static>(path: &str, description: &OpenApi) -> Router<S> {
    let text = description.to_pretty_json().unwrap_or_default();
    let serve = get(move || {
        let text = text.clone();
        async move { ([(header::CONTENT_TYPE, "application/json")], text) }
    });
    Router::new().route(path, serve)
}

/// All calls of a description, by groups, and the values that they take and return: the middle of a page.
#[derive(Debug, Template)]
#[template(path = "api.html")]
pub struct ApiCalls {
    api: Value,
    json: &'static str,
}

impl ApiCalls {
    /// Those of this description; `json` is the address of its [`route`].
    pub fn new(description: &OpenApi, json: &'static str) -> Self {
        let api = serde_json::to_value(description).unwrap_or_default();
        Self { api, json }
    }
}

/// The text of a value, or nothing.
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The items of a list.
fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The members of an object.
fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// The operations of a group: method, path, and what the description says of each.
fn operations<'a>(
    paths: &'a Value,
    tag: &'a Value,
) -> impl Iterator<Item = (String, &'a String, &'a Value)> {
    let is_of_group =
        |operation: &Value| items(&operation["tags"]).any(|name| *name == tag["name"]);
    entries(paths).flat_map(move |(path, item)| {
        entries(item)
            .filter(move |(_, operation)| is_of_group(operation))
            .map(move |(method, operation)| (method.to_uppercase(), path, operation))
    })
}

/// The type name of a body.
fn content(holder: &Value) -> String {
    let content = entries(&holder["content"]).next();
    content.map_or_else(String::new, |(kind, media)| match kind.as_str() {
        "application/json" => kind_of(&media["schema"]),
        other => other.to_owned(),
    })
}

/// A schema, and those that it is put together from.
fn parts(schema: &Value) -> impl Iterator<Item = &Value> {
    std::iter::once(schema)
        .chain(items(&schema["allOf"]))
        .chain(items(&schema["oneOf"]))
}

/// The members of a schema: name, type, and whether it is always there.
fn members(schema: &Value) -> Vec<(&String, &Value, bool)> {
    let members = parts(schema).flat_map(|part| {
        let is_required = |name: &String| items(&part["required"]).any(|one| one == name);
        entries(&part["properties"]).map(move |(name, member)| (name, member, is_required(name)))
    });
    members.collect()
}

/// The values of a schema that is an enumeration.
fn words(schema: &Value) -> Vec<&str> {
    let words = parts(schema).flat_map(|part| items(&part["enum"]));
    words.map(text).collect()
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
    fn types_have_names() {
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
