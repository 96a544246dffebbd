//! The description of the API, against the API.

use axum::http::Method;
use serde_json::Value;

use crate::common::web::{JSON, server};

const ROUTES: &[(&str, &str)] = &[
    ("post", "/api/v1/session"),
    ("get", "/api/v1/me"),
    ("delete", "/api/v1/session"),
    ("post", "/api/v1/lists"),
    ("get", "/api/v1/lists/{token}"),
    ("post", "/api/v1/lists/{token}/events"),
    ("post", "/api/v1/lists/{token}/finish"),
    ("post", "/api/v1/lists/{token}/skip"),
    ("get", "/api/v1/lists/{token}/result"),
    ("put", "/api/v1/lists/{token}/seen"),
    ("post", "/api/v1/classes/{code}/students"),
    ("get", "/api/v1/classes/{code}/me"),
    ("get", "/api/v1/cases.epd"),
    ("get", "/api/v1/cases.csv"),
    ("get", "/api/v1/cases.json"),
    ("get", "/api/v1/overlooked.csv"),
    ("post", "/api/v1/play/state"),
    ("post", "/api/v1/play/move"),
    ("post", "/api/v1/play/eval"),
    ("post", "/api/v1/play/pgn"),
    ("post", "/api/v1/play/pgn/read"),
];

/// Each operation of the description: its method, its path, and what it says of itself.
fn operations(description: &Value) -> Vec<(String, String, Value)> {
    let paths = description["paths"].as_object().expect("paths");
    let operations = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().expect("an item").iter();
        methods.map(move |(method, said)| (method.clone(), path.clone(), said.clone()))
    });
    operations.collect()
}

#[tokio::test]
async fn every_route_is_described() {
    let server = server().await;
    let answer = server.visitor().get("/api/v1/openapi.json").await;
    assert_eq!(answer.header("content-type"), "application/json");
    let described = operations(&answer.json());
    for (method, path) in ROUTES {
        let found = described.iter().any(|(m, p, _)| m == method && p == path);
        assert!(found, "{method} {path} is not described");
    }
    for (method, path, said) in &described {
        let summary = said["summary"].as_str().unwrap_or("");
        assert!(
            !summary.is_empty(),
            "{method} {path} says nothing of itself"
        );
        assert!(
            said["tags"][0].is_string(),
            "{method} {path} is in no group"
        );
    }
}

#[tokio::test]
async fn every_described_path_answers() {
    let server = server().await;
    let description = server.visitor().get("/api/v1/openapi.json").await;
    for (method, path, said) in operations(&description.json()) {
        let mut person = server.person(None).await;
        let address = path
            .replace("{token}", &"a".repeat(43))
            .replace("{code}", "B7K2QX")
            .replace("{id}", "1");
        let address = address.replace("{number}", "518");
        let name = Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method");
        let answer = person.send(name, &address, &[JSON], "{").await;
        let status = answer.status.as_u16();
        assert!(status < 500 && status != 405, "{method} {path}: {status}");
        let body = answer.json();
        assert_ne!(
            body["detail"], "no page has this address",
            "{method} {path}"
        );
        if method == "post" && said["requestBody"].is_object() {
            assert_eq!(
                body["type"], "/problems/bad-request",
                "{method} {path}: {body}"
            );
            let detail = body["detail"].as_str().expect("a detail");
            assert!(
                detail.contains("column"),
                "{path} does not say where: {detail}"
            );
        }
    }
}

#[tokio::test]
async fn schemas_that_are_named_are_there() {
    let server = server().await;
    let answer = server.visitor().get("/api/v1/openapi.json").await;
    let (text, description) = (answer.text(), answer.json());
    let schemas = description["components"]["schemas"]
        .as_object()
        .expect("schemas");
    let references = text.split("#/components/schemas/").skip(1);
    for name in references.filter_map(|rest| rest.split('"').next()) {
        assert!(schemas.contains_key(name), "{name} is named but not there");
    }
    let page = server.visitor().get("/api").await.text();
    for (_, path) in ROUTES {
        assert!(page.contains(path), "{path} is not on the page");
    }
}
