//! Tokens that are made up, other people's, or too old.

use std::time::Duration;

use crowd::service::Settings;
use serde_json::json;

use crate::common::web::{
    assert_problem, assign, events, generous, legal, place, server, server_of,
};

#[tokio::test]
async fn a_session_that_was_made_up_is_none() {
    let server = server().await;
    let long = "a".repeat(43);
    for token in [
        "",
        "1",
        "' or 1=1 --",
        &long,
        &"%00".repeat(20),
        &"a".repeat(5000),
    ] {
        let mut client = server.visitor();
        client.0.cookie = Some(format!("crowd_session={token}"));
        let answer = client.get("/api/v1/me").await;
        assert_problem(&answer, 401, "no-session");
        let wanted = json!({"purpose": "campaign"});
        let answer = client.post("/api/v1/lists", &wanted).await;
        assert_problem(&answer, 401, "no-session");
        let page = client.get("/").await;
        assert_eq!(page.status, 200);
    }
}

#[tokio::test]
async fn another_persons_assignment_is_like_one_that_nobody_has() {
    let server = server().await;
    let (mut ada, mut eve) = (server.person(None).await, server.person(None).await);
    let at = place(&assign(&mut ada, "campaign", None).await);
    let nobodys = format!("/api/v1/lists/{}", "b".repeat(43));
    let one = json!({"events": events(&["e2e4"], 1)});
    let end = json!({"events": [], "count": 0});
    for (last, body) in [("events", &one), ("finish", &end), ("skip", &end)] {
        let theirs = eve.post(&format!("{at}/{last}"), body).await;
        let none = eve.post(&format!("{nobodys}/{last}"), body).await;
        assert_problem(&theirs, 404, "unknown-list");
        assert_eq!(theirs.text(), none.text(), "{last}");
    }
    for last in ["", "/result"] {
        let theirs = eve.get(&format!("{at}{last}")).await;
        let none = eve.get(&format!("{nobodys}{last}")).await;
        assert_problem(&theirs, 404, "unknown-list");
        assert_eq!(theirs.text(), none.text(), "{last}");
    }
    let state = ada.get(&at).await.json();
    assert_eq!(
        (&state["state"], &state["events"]),
        (&json!("open"), &json!([]))
    );
}

#[tokio::test]
async fn an_assignment_that_has_expired_takes_nothing() {
    let brief = Settings {
        expiry: Duration::ZERO,
        ..Settings::default()
    };
    let server = server_of(brief, generous()).await;
    let mut person = server.person(None).await;
    let given = assign(&mut person, "campaign", None).await;
    let at = place(&given);
    let one = json!({"events": events(&[&legal(&given)[0]], 1)});
    let answer = person.post(&format!("{at}/events"), &one).await;
    assert_problem(&answer, 410, "expired");
    let end = json!({"events": [], "count": 0});
    let answer = person.post(&format!("{at}/finish"), &end).await;
    assert_problem(&answer, 410, "expired");
}

#[tokio::test]
async fn texts_that_cannot_be_tokens_are_unknown() {
    let server = server().await;
    let mut person = server.person(None).await;
    for token in [
        "x",
        "%00",
        "%2e%2e%2f",
        "'%20or%201=1",
        &"a".repeat(2000),
        "%F0%9F%90%B4",
    ] {
        let path = format!("/api/v1/lists/{token}/result");
        let answer = person.get(&path).await;
        assert_problem(&answer, 404, "unknown-list");
    }
    let answer = person.get("/api/v1/lists/%FF/result").await;
    assert_eq!(answer.status, 404);
}

#[tokio::test]
async fn a_moderators_pass_cannot_be_made_up() {
    let server = server().await;
    for pass in [
        "",
        "1",
        "99999999999999.",
        "99999999999999.AAAA",
        "9223372036854775807.x",
    ] {
        let mut client = server.visitor();
        client.0.cookie = Some(format!("crowd_moderator={pass}"));
        let answer = client.get("/admin/log").await;
        assert_problem(&answer, 401, "not-a-moderator");
        let body = "campaign=x&text=x";
        let answer = client.form("/admin/import", body).await;
        assert_problem(&answer, 401, "not-a-moderator");
    }
}
