//! What moderators do, and that nobody else does it.

use axum::http::Method;
use crowd::service::ContributorId;
use crowd::web::{Moderators, WebSettings};
use serde_json::json;

use crate::common::vouch;
use crate::common::web::Person;
use crate::common::web::{
    ADMIN, MODERATOR, Server, assert_problem, assign, finish, generous, server, server_with,
};

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
        moderators: None,
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
        page.contains("Log out") && page.contains("Nothing waits."),
        "{page}"
    );
    let page = client.get("/admin/positions?q=thesis+b7").await.text();
    assert!(
        page.contains("thesis.b7") && page.contains("1 found"),
        "{page}"
    );
    let page = client.get("/admin/positions?page=2").await.text();
    assert!(
        page.contains("Page 2 of 2") && page.contains("thesis.b21"),
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
    let log = client.get("/admin/log?q=moderator").await.text();
    assert!(
        log.contains("more: 1 positions") && log.contains("log-in"),
        "{log}"
    );
    let stolen = client.0.cookie.clone();
    client.form("/admin/logout", "").await;
    client.0.cookie = stolen;
    let page = client.get("/admin").await.text();
    assert!(
        !page.contains("Log out"),
        "the session has ended on the server"
    );
    for path in ["/admin/import", "/admin/log", "/admin/queue/1"] {
        assert_eq!(client.get(path).await.status, 401, "{path}");
    }
}

#[tokio::test]
async fn each_moderator_has_a_token() {
    let names = "ada: the first token of the test\nben: the second token of the test\n";
    let server = server_with(WebSettings {
        moderators: Some(Moderators::read(names).expect("two")),
        ..generous()
    })
    .await;
    let mut ada = server.visitor();
    ada.form("/admin/login", "token=the+first+token+of+the+test")
        .await;
    let mut elsewhere = server.visitor();
    elsewhere
        .form("/admin/login", "token=the+first+token+of+the+test")
        .await;
    let mut ben = server.visitor();
    ben.form("/admin/login", "token=the+second+token+of+the+test")
        .await;
    ada.form("/admin/positions/1", "state=retired").await;
    let log = ben.get("/admin/log").await.text();
    assert!(
        log.contains("<th scope=\"row\">ada</th><td>retire</td>"),
        "{log}"
    );
    ada.form("/admin/logout-everywhere", "").await;
    assert!(!elsewhere.get("/admin").await.text().contains("Log out"));
    assert!(ben.get("/admin").await.text().contains("Log out"));
}

/// The address of the first item of the queue.
fn first_waiting(queue: &str) -> String {
    let id = queue.split("/admin/queue/").nth(1).expect("an item");
    let id = id.split('"').next().expect("a number");
    format!("/admin/queue/{id}")
}

/// A decision against the rules is shown before it is made, with its board; every decision can be reversed.
#[tokio::test]
async fn decisions_are_confirmed_and_reversed() {
    let server = server().await;
    server
        .import("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "one", false)
        .await;
    let legal = ["e1d1", "e1f1", "e1d2", "e1f2", "e2e3", "e2e4"];
    for _ in 0..6 {
        let mut person = server.person(None).await;
        let id = person.get("/api/v1/me").await.json()["id"].as_i64();
        let id = ContributorId(id.expect("a number"));
        vouch(&server.app.service, id).await;
        let task = assign(&mut person, "campaign", "one").await;
        finish(&mut person, &task, &legal[..5]).await;
    }
    server.upkeep().await;
    let mut client = logged_in(&server).await;
    let path = first_waiting(&client.get("/admin").await.text());
    let page = client.get(&path).await.text();
    assert!(
        page.contains("arrow-good")
            && page.contains("<strong>legal</strong>: ")
            && page.contains(">0 of 6<"),
        "{page}"
    );
    let asked = client
        .form(&path, "resolution=crowd-is-right&note=so")
        .await;
    let text = asked.text();
    assert!(
        text.contains("<strong>not legal</strong>, against both generators"),
        "{text}"
    );
    assert!(
        client.get("/admin").await.text().contains(&path),
        "nothing is decided yet"
    );
    let decided = client
        .form(&path, "resolution=crowd-is-right&note=so&confirmed=yes")
        .await;
    assert_eq!(decided.status, 303, "{}", decided.text());
    let page = client.get("/admin?state=decided").await.text();
    assert!(page.contains("crowd-is-right, by moderator"), "{page}");
    assert_eq!(server.visitor().get("/positions/27").await.status, 200);
    let reversal = format!("{path}/reversal");
    assert!(
        client
            .form(&reversal, "")
            .await
            .text()
            .contains("Reverse it")
    );
    assert_eq!(client.form(&reversal, "confirmed=yes").await.status, 303);
    assert_eq!(server.visitor().get("/positions/27").await.status, 404);
    let again = client.moderate(&format!("/api/v1{reversal}"), "{}").await;
    assert_problem(&again, 409, "conflict");
    let queue = client.get("/admin").await.text();
    assert!(queue.contains("1 waits."));
    let path = first_waiting(&queue);
    // What publishes nothing against the rules needs one click.
    let decided = client.form(&path, "resolution=generator-is-right").await;
    assert_eq!(decided.status, 303, "{}", decided.text());
    let page = client.get(&path).await.text();
    assert!(page.contains("generator-is-right, by moderator"), "{page}");
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
