//! What moderators do, and that nobody else does it.

use axum::http::Method;
use crowd::web::WebSettings;
use serde_json::json;

use crate::common::web::Person;
use crate::common::web::{ADMIN, MODERATOR, Server, assert_problem, generous, server, server_with};

#[tokio::test]
async fn only_the_token_opens() {
    let server = server().await;
    for header in ["", "Bearer", "Bearer wrong", "Basic YTpi", "bearer a token"] {
        let headers = [("authorization", header)];
        let answer = server
            .send(Method::GET, "/api/v1/admin/queue", &headers, "")
            .await;
        assert_problem(&answer, 401, "not-a-moderator");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
    }
    for name in ["queue", "flags", "positions"] {
        let path = format!("/api/v1/admin/{name}");
        let answer = server.send(Method::GET, &path, &MODERATOR, "").await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
}

#[tokio::test]
async fn without_a_token_there_are_no_moderators() {
    let settings = WebSettings {
        admin: None,
        ..generous()
    };
    let server = server_with(settings).await;
    let answer = server
        .send(Method::GET, "/api/v1/admin/queue", &MODERATOR, "")
        .await;
    assert_problem(&answer, 403, "admin-off");
    let page = server.visitor().get("/admin").await;
    assert!(page.text().contains("CROWD_ADMIN_TOKEN"));
    let login = server.visitor().form("/admin/login", "token=").await;
    assert_problem(&login, 403, "admin-off");
}

#[tokio::test]
async fn positions_are_imported_whole_or_not_at_all() {
    let server = server().await;
    let mut client = server.visitor();
    let path = "/api/v1/admin/import";
    let body = json!({"text": "4k3/8/8/8/8/8/8/4K3 w - - 0 1\nnonsense\n", "campaign": "two"});
    let answer = client.moderate(path, body.to_string()).await;
    assert_problem(&answer, 400, "bad-request");
    assert_eq!(answer.json()["problems"][0]["line"], 2);
    let body = json!({"text": "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n", "campaign": "two", "gold": true});
    let answer = client.moderate(path, body.to_string()).await;
    assert_eq!(answer.json()["added"], 1, "{}", answer.text());
    let answer = client
        .send(Method::GET, "/api/v1/admin/positions", &MODERATOR, "")
        .await;
    let positions = answer.json();
    let positions = positions["positions"].as_array().expect("a list");
    assert_eq!(positions.len(), 27);
}

async fn logged_in(server: &Server) -> Person {
    let mut client = server.visitor();
    let token = ADMIN.replace(' ', "+");
    let answer = client.form("/admin/login", format!("token={token}")).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let cookie = answer.header("set-cookie");
    assert!(cookie.contains("HttpOnly; SameSite=Strict"), "{cookie}");
    assert!(!cookie.contains(ADMIN));
    client
}

#[tokio::test]
async fn a_browser_logs_in_with_a_form_and_out_again() {
    let server = server().await;
    let wrong = server.visitor().form("/admin/login", "token=wrong").await;
    assert_eq!(wrong.status, 401);
    assert!(wrong.text().contains("That is not the token."));
    let mut client = logged_in(&server).await;
    let page = client.get("/admin").await.text();
    assert!(
        page.contains("Log out") && page.contains("thesis.b7"),
        "{page}"
    );
    let body = "campaign=more&text=4k3%2F8%2F8%2F8%2F8%2F8%2F8%2F4K3+w+-+-+0+1";
    let imported = client.form("/admin/import", body).await;
    assert!(
        imported.text().contains("1 position added"),
        "{}",
        imported.text()
    );
    let body = "campaign=more&text=4k3%2F8%2F8+w+-+-+0+1";
    let refused = client.form("/admin/import", body).await;
    assert_eq!(refused.status, 400);
    let page = refused.text();
    assert!(page.contains("Nothing was imported"), "{page}");
    assert!(page.contains("line 1, column"), "{page}");
    assert!(page.contains(">4k3/8/8 w - - 0 1</textarea>"), "{page}");
    client.form("/admin/logout", "").await;
    let page = client.get("/admin").await.text();
    assert!(!page.contains("Log out"));
}

#[tokio::test]
async fn people_are_quarantined_and_counted_again() {
    let server = server().await;
    let mut person = server.person(Some("Ada")).await;
    let id = person.get("/api/v1/me").await.json()["id"].clone();
    let mut client = logged_in(&server).await;
    for quarantined in ["true", "false"] {
        let path = format!("/admin/contributors/{id}");
        let answer = client.form(&path, format!("set_aside={quarantined}")).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
    }
    let path = "/api/v1/admin/contributors/987654";
    let answer = client.moderate(path, r#"{"set_aside": true}"#).await;
    assert_problem(&answer, 404, "not-found");
    let path = "/api/v1/admin/queue/987654";
    let decision = r#"{"resolution": "ask-again", "note": "why"}"#;
    let answer = client.moderate(path, decision).await;
    assert_problem(&answer, 404, "not-found");
}
