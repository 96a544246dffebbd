//! Names are text wherever they are shown.

use axum::http::Method;
use serde_json::json;

use crate::common::web::{JSON, MODERATOR, assert_problem, assign, finish, server};

const NAMES: [&str; 5] = [
    "<img src=x onerror=alert(1)>",
    "</td><script>alert(1)</script>",
    "\"><svg/onload=alert(1)>",
    "'-alert(1)-'",
    "{{7*7}}${7*7}<%= 7*7 %>",
];

#[tokio::test]
async fn names_are_escaped_on_every_page_that_shows_them() {
    let server = server().await;
    server
        .import("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "gold", true)
        .await;
    let mut people = Vec::new();
    for name in NAMES {
        let mut person = server.person(Some(name)).await;
        let given = assign(&mut person, "campaign", "gold").await;
        // At once, and in the generator's order: that is flagged.
        let moves = ["e1d1", "e1d2", "e1f1", "e1f2", "e2e3", "e2e4"];
        finish(&mut person, &given, &moves).await;
        people.push((name, person));
    }
    server.upkeep().await;
    let board = server.visitor().get("/leaderboard").await.text();
    for (name, mut person) in people {
        assert_shown_as_text(&board, name);
        let account = person.get("/account").await.text();
        assert_shown_as_text(&account, name);
    }
    let admin = server.send(Method::GET, "/admin", &MODERATOR, "").await;
    let admin = admin.text();
    assert!(
        NAMES[..3].iter().all(|name| !admin.contains(name)),
        "{admin}"
    );
}

#[track_caller]
fn assert_shown_as_text(page: &str, name: &str) {
    let escaped = name
        .replace('&', "&#38;")
        .replace('<', "&#60;")
        .replace('>', "&#62;")
        .replace('"', "&#34;")
        .replace('\'', "&#39;");
    assert!(page.contains(&escaped), "{name} is not shown\n{page}");
    assert!(
        name == escaped || !page.contains(name),
        "{name} is shown as it is"
    );
}

#[tokio::test]
async fn what_was_sent_does_not_come_back_as_markup() {
    let server = server().await;
    let html = [("accept", "text/html")];
    for path in [
        "/%3Cscript%3Ealert(1)%3C/script%3E",
        "/leaderboard?period=%3Cscript%3Ealert(1)%3C/script%3E",
        "/positions/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
        "/problems/%3Cscript%3E",
        "/results/%3Cscript%3E",
        "/?campaign=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
        "/play?fen=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
    ] {
        let page = server.send(Method::GET, path, &html, "").await;
        let text = page.text();
        assert!(!text.contains("<script>alert"), "{path}: {text}");
    }
}

#[tokio::test]
async fn signs_that_deceive_are_no_name() {
    let server = server().await;
    let mut person = server.person(Some("honest")).await;
    for name in ["a\u{202e}b", "\u{200b}", "a\nb", "a\0b", "\u{feff}x"] {
        let body = json!({ "name": name }).to_string();
        let answer = server.enter(&[JSON], body).await;
        assert_problem(&answer, 400, "bad-name");
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        let form = form.append_pair("name", name).finish();
        assert_eq!(person.form("/account/name", form).await.status, 400);
    }
}
