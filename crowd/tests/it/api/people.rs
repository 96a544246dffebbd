//! A person's own pages and endpoints.

use axum::http::Method;
use serde_json::json;

use crate::common::web::{
    MODERATOR, assert_problem, assign, finish, limited, server, server_with_strict_hands,
};

const LONE_PAWN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

#[tokio::test]
async fn lists_are_found_again() {
    let server = server().await;
    server.import(LONE_PAWN, "pawn", false).await;
    let mut nobody = server.visitor();
    let page = nobody.get("/lists").await.text();
    assert!(page.contains("This browser has no lists yet"), "{page}");

    let mut ada = server.person(Some("Ada")).await;
    let open = assign(&mut ada, "pair", "pawn").await;
    let page = ada.get("/lists").await.text();
    let link = format!(
        "href=\"/results/{}\"",
        open["list"].as_str().expect("a token")
    );
    assert!(page.contains(&link), "{page}");
    finish(&mut ada, &open, &["e2e3", "e2e5"]).await;
    let page = ada.get("/lists").await.text();
    assert!(page.contains("Waiting for other people"), "{page}");
    assert!(page.contains("2 moves"), "{page}");

    let id = open["position"]["id"].as_i64().expect("a number");
    let path = format!("/admin/positions/{id}");
    assert_eq!(server.visitor().moderate(&path, &[]).await.status, 303);
    assert_eq!(ada.get("/api/v1/me").await.json()["news"], 1);
    let home = ada.get("/").await.text();
    assert!(
        home.contains("One of your lists now has a result"),
        "{home}"
    );
    let page = ada.get("/lists").await.text();
    assert!(page.contains("Closed without an answer"), "{page}");
    assert!(page.contains(">new</span>"), "{page}");
    assert_eq!(ada.get("/api/v1/me").await.json()["news"], 0);
}

#[tokio::test]
async fn an_account_needs_no_script() {
    let server = server().await;
    let mut ada = server.person(None).await;
    server.person(Some("Bob")).await;
    let taken = ada.form("/account/name", "name=BOB").await;
    assert_eq!(taken.status, 409);
    assert!(taken.text().contains("capital letters make no difference"));
    let bad = ada.form("/account/name", "name=%00").await;
    assert_eq!(bad.status, 400);
    assert_eq!(ada.form("/account/name", "name=Ada").await.status, 303);

    let page = ada.form("/account/phrase", "").await.text();
    let (_, rest) = page.split_once("class=\"phrase mono\">").expect("a phrase");
    let (phrase, _) = rest.split_once('<').expect("its end");
    let page = ada.get("/account").await.text();
    assert!(!page.contains(phrase), "it is shown once");

    let mut elsewhere = server.visitor();
    let wrong = elsewhere.form("/account/recover", "phrase=nonsense").await;
    assert_eq!(wrong.status, 400);
    let unknown = "phrase=0123-4567-89ab-cdef-ghjk";
    assert_eq!(
        elsewhere.form("/account/recover", unknown).await.status,
        404
    );
    let body = format!("phrase={phrase}");
    assert_eq!(elsewhere.form("/account/recover", body).await.status, 303);
    let me = elsewhere.get("/api/v1/me").await.json();
    assert_eq!(me, ada.get("/api/v1/me").await.json());
    assert_eq!(me["name"], "Ada");

    let old = elsewhere.0.cookie.clone();
    assert_eq!(elsewhere.form("/account/leave", "").await.status, 303);
    elsewhere.0.cookie = old;
    assert_problem(&elsewhere.get("/api/v1/me").await, 401, "no-session");

    let export = ada.get("/account/export").await;
    assert_eq!(export.json()["name"], "Ada");
    assert_eq!(ada.form("/account/delete", "").await.status, 400);
    assert_eq!(ada.get("/api/v1/me").await.status, 200);
    let deleted = ada.get("/account?deleted=yes").await.text();
    assert!(!deleted.contains("are deleted."), "Ada is there");
    let gone = ada.form("/account/delete", "sure=yes").await;
    assert_eq!(
        (gone.status.as_u16(), gone.header("location")),
        (303, "/account?deleted=yes")
    );
    let deleted = ada.get("/account?deleted=yes").await.text();
    assert!(deleted.contains("are deleted."));
    assert_problem(&ada.get("/api/v1/me").await, 401, "no-session");
}

#[tokio::test]
async fn guesses_at_phrases_are_few() {
    let server = limited(|limits| limits.logins = 3).await;
    let mut statuses = Vec::new();
    for _ in 0..20 {
        let mut visitor = server.visitor();
        let answer = visitor
            .form("/account/recover", "phrase=0123-4567-89ab-cdef-ghjk")
            .await;
        statuses.push(answer.status.as_u16());
    }
    assert!(
        statuses.contains(&429) && statuses[..3] == [404; 3],
        "{statuses:?}"
    );
}

#[tokio::test]
async fn a_moderator_allows_a_list_that_was_too_fast() {
    let server = server_with_strict_hands().await;
    server.import(LONE_PAWN, "pawn", true).await;
    let mut ada = server.person(Some("Ada")).await;
    let given = assign(&mut ada, "campaign", "pawn").await;
    finish(&mut ada, &given, &["e2e3", "e2e4", "e1d1", "e1d2"]).await;
    let token = given["list"].as_str().expect("a token");
    let result = format!("/api/v1/lists/{token}/result");
    let shown = ada.get(&result).await.json();
    assert_eq!(
        (&shown["state"], &shown["missed"]),
        (&json!("held"), &json!(null))
    );

    let held = server.send(Method::GET, "/admin/held", &MODERATOR, "");
    let held = held.await.text();
    assert!(held.contains("entered implausibly fast"), "{held}");
    let (_, rest) = held.split_once("/admin/held/").expect("a list");
    let id = rest.split('"').next().expect("a number");
    let path = format!("/admin/held/{id}");
    assert_problem(&ada.form(&path, "").await, 401, "not-a-moderator");
    let moderated = async |path: &str, form: &str| {
        let answer = server.send(Method::POST, path, &MODERATOR, form).await;
        answer.status.as_u16()
    };
    let queue = async || {
        let page = server.send(Method::GET, "/admin", &MODERATOR, "").await;
        page.text().contains("Held lists (1)")
    };
    assert!(queue().await, "the queue says that a list waits");
    assert_eq!(moderated(&path, "counts=false").await, 303);
    assert!(!queue().await, "what is decided waits no longer");
    assert_eq!(moderated(&path, "counts=false").await, 404);
    let shown = ada.get(&result).await.json();
    assert_eq!(
        (&shown["state"], &shown["missed"]),
        (&json!("held"), &json!(null))
    );
    // A decision to keep it out is not the last word.
    assert_eq!(moderated(&path, "counts=true").await, 303);
    assert_eq!(ada.get(&result).await.json()["state"], "known");
    let log = server.send(Method::GET, "/admin/log", &MODERATOR, "");
    let log = log.await.text();
    for act in ["allow", "keep"] {
        let line = format!("<td>{act}</td>\n    <td class=\"number\">{id}</td>");
        assert!(log.contains(&line), "{log}");
    }
}
