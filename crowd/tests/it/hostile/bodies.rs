//! Bodies that are too large, too deep, or not what they say.

use axum::http::Method;
use serde_json::json;

use crate::common::web::{FORM, JSON, assert_problem, assign, place, server};

#[tokio::test]
async fn a_body_has_a_largest_size() {
    let server = server().await;
    let name = "x".repeat(64 * 1024);
    let answer = server
        .visitor()
        .post("/api/v1/session", &json!({ "name": name }))
        .await;
    assert_problem(&answer, 413, "too-large");
}

#[tokio::test]
async fn an_import_has_a_largest_size_of_its_own() {
    let server = server().await;
    let path = "/admin/import";
    for (bytes, status) in [(1024 * 1024, 400), (6 * 1024 * 1024 + 1, 413)] {
        let text = "x".repeat(bytes);
        let form = [("text", &*text), ("campaign", "big")];
        let answer = server.visitor().moderate(path, &form).await;
        assert_eq!(answer.status, status);
    }
    // Who is no moderator is refused before anything is read.
    let answer = server
        .send(Method::POST, path, &[FORM], vec![b'x'; 1024])
        .await;
    assert_problem(&answer, 401, "not-a-moderator");
}

#[tokio::test]
async fn json_that_cannot_be_read_is_reported_with_its_place() {
    let server = server().await;
    let deep = "[".repeat(60_000);
    let deep_name = format!("{{\"name\": {deep}");
    for body in [
        "",
        "{",
        "[1]",
        "null",
        "{\"name\": 1}",
        "{\"nam\": null}",
        &deep,
        &deep_name,
        "\0",
        "{\"name\": \"\u{1}\"}",
    ] {
        let answer = server.enter(&[JSON], body).await;
        assert_problem(&answer, 400, "bad-request");
        let detail = answer.json()["detail"].to_string();
        assert!(detail.contains("line 1 column"), "{body:.20}: {detail}");
        assert!(detail.len() < 500, "{detail}");
    }
    let bytes = b"{\"name\": \"\xff\xfe\"}".to_vec();
    let answer = server.enter(&[JSON], bytes).await;
    assert_problem(&answer, 400, "bad-request");
}

#[tokio::test]
async fn a_body_is_what_its_header_says() {
    let server = server().await;
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "x",
        "",
    ] {
        let headers = [("content-type", kind)];
        let body = r#"{"name": null}"#;
        let answer = server.enter(&headers, body).await;
        assert_problem(&answer, 415, "unsupported-media");
    }
}

#[tokio::test]
async fn events_of_odd_values_are_refused_whole() {
    let server = server().await;
    let mut person = server.person(None).await;
    let at = place(&assign(&mut person, "campaign", None).await);
    for event in [
        json!({"seq": 0, "op": "add", "move": "e2e4", "at_ms": 1}),
        json!({"seq": -1, "op": "add", "move": "e2e4", "at_ms": 1}),
        json!({"seq": 1.5, "op": "add", "move": "e2e4", "at_ms": 1}),
        json!({"seq": 4_294_967_296_u64, "op": "add", "move": "e2e4", "at_ms": 1}),
        json!({"seq": 1, "op": "steal", "move": "e2e4", "at_ms": 1}),
        json!({"seq": 1, "op": "add", "move": null, "at_ms": 1}),
        json!({"seq": 1, "op": "add", "move": "e2e4\u{0}", "at_ms": 1}),
        json!({"seq": 1, "op": "add", "move": "e2e4", "at_ms": -1}),
        json!({"seq": 1, "op": "add", "move": "e2e4", "at_ms": 1, "worker": 1}),
        json!({"seq": 1, "op": "yes", "move": "e2e4", "at_ms": 1}),
    ] {
        let body = json!({ "events": [event] });
        let answer = person.post(&format!("{at}/events"), &body).await;
        assert!(
            answer.status.is_client_error(),
            "{event}: {}",
            answer.text()
        );
    }
    let state = person.get(&at).await.json();
    assert_eq!(state["events"], json!([]));
}
