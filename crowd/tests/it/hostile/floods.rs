//! Too many requests.

use axum::http::Method;
use serde_json::json;

use crate::common::web::Person;
use crate::common::web::client::Answer;
use crate::common::web::{MODERATOR, Server, assert_problem, limited};

async fn narrow() -> Server {
    limited(|limits| {
        limits.per_second = 1;
        limits.burst = 5;
        limits.new_sessions = 3;
    })
    .await
}

/// Asks until it is refused.
async fn flood(client: &mut Person, path: &str) -> Answer {
    for _ in 0..500 {
        let answer = client.get(path).await;
        if answer.status == 429 {
            return answer;
        }
    }
    panic!("a flood is let through");
}

#[tokio::test]
async fn a_flood_is_stopped_and_reported_for_how_long() {
    let server = narrow().await;
    let mut ada = server.person(None).await;
    let answer = flood(&mut server.visitor(), "/cases").await;
    assert_problem(&answer, 429, "too-many-requests");
    let seconds: u64 = answer.header("retry-after").parse().expect("seconds");
    assert!((1..60).contains(&seconds), "{seconds}");
    // Those who have a session are counted by themselves; files and health cost nothing.
    assert_eq!(ada.get("/api/v1/me").await.status, 200);
    for path in ["/static/site.css", "/healthz"] {
        let answer = server.visitor().get(path).await;
        assert_eq!(answer.status, 200, "{path}");
    }
}

#[tokio::test]
async fn made_up_sessions_are_one_flood() {
    let server = narrow().await;
    let mut refused = false;
    for number in 0..500 {
        let mut client = server.visitor();
        client.0.cookie = Some(format!("crowd_session={number:043}"));
        let answer = client.get("/api/v1/me").await;
        refused |= answer.status == 429;
    }
    assert!(refused);
}

#[tokio::test]
async fn one_address_has_only_so_many_new_sessions() {
    let server = limited(|limits| limits.new_sessions = 3).await;
    let mut made = 0;
    for _ in 0..200 {
        let entry = json!({"name": null});
        let answer = server.visitor().post("/api/v1/session", &entry).await;
        if answer.status == 429 {
            assert_problem(&answer, 429, "too-many-requests");
            break;
        }
        made += 1;
    }
    assert!((3..200).contains(&made), "{made}");
}

#[tokio::test]
async fn guesses_at_the_token_are_few() {
    let server = limited(|limits| limits.logins = 3).await;
    let path = "/admin/log";
    for _ in 0..20 {
        let right = server.send(Method::GET, path, &MODERATOR, "").await;
        assert_eq!(right.status, 200, "a right token is no guess");
    }
    // In whatever way they come: two by a form, one by a header.
    for guess in 0..2 {
        let body = format!("token=guess{guess}");
        let answer = server.visitor().form("/admin/login", body).await;
        assert_eq!(answer.status, 401);
    }
    let wrong = [("authorization", "Bearer guess")];
    let answer = server.send(Method::GET, path, &wrong, "").await;
    assert_problem(&answer, 401, "not-a-moderator");
    for headers in [&wrong[..], &MODERATOR] {
        let answer = server.send(Method::GET, path, headers, "").await;
        assert_problem(&answer, 429, "too-many-requests");
        let seconds: u64 = answer.header("retry-after").parse().expect("seconds");
        assert!((1..=3).contains(&seconds), "{seconds}");
    }
    let login = server.visitor().form("/admin/login", "token=x").await;
    assert_problem(&login, 429, "too-many-requests");
}

#[tokio::test]
async fn connections_beyond_the_bound_wait_for_their_turn() {
    let server = limited(|limits| limits.connections.total = 2).await;
    let (mut first, mut second) = (server.visitor(), server.visitor());
    for client in [&mut first, &mut second] {
        assert_eq!(client.get("/healthz").await.status, 200);
    }
    let mut third = server.visitor();
    let waiting = tokio::spawn(async move { third.get("/healthz").await });
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished());
    drop(first);
    let answer = waiting.await.expect("no panic");
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn one_address_does_not_take_all_connections() {
    let server = limited(|limits| limits.connections.of_one = 2).await;
    let others = async {
        let mut open = Vec::new();
        for _ in 0..4 {
            let mut client = server.visitor();
            assert_eq!(client.get("/healthz").await.status, 200);
            open.push(client);
        }
    };
    // It ends when the server closes: the connection that has been idle longest makes room.
    let idle = server.raw(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
    let (answer, ()) = tokio::join!(idle, others);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[tokio::test]
async fn guesses_at_the_codes_of_classes_are_few() {
    let server = limited(|limits| limits.codes = 3).await;
    let mut person = server.person(None).await;
    // In whatever way they come; a text that can be no code is no guess.
    for path in ["/class/none", "/class?code=none"] {
        assert_eq!(person.get(path).await.status, 404, "{path}");
    }
    let code = "B7K2QX";
    let wish = json!({"purpose": "class", "class": code});
    let joining = json!({"name": "ada"});
    let join = format!("/api/v1/classes/{code}/students");
    assert_eq!(person.get(&format!("/class?code={code}")).await.status, 404);
    assert_problem(&person.post("/api/v1/lists", &wish).await, 404, "no-class");
    assert_problem(&person.post(&join, &joining).await, 404, "no-class");
    for path in [format!("/class/{code}"), format!("/class?code={code}")] {
        let answer = person.get(&path).await;
        assert_problem(&answer, 429, "too-many-requests");
        let seconds: u64 = answer.header("retry-after").parse().expect("seconds");
        assert!((1..=3).contains(&seconds), "{seconds}");
    }
    let answer = person.post("/api/v1/lists", &wish).await;
    assert_problem(&answer, 429, "too-many-requests");
    let answer = person.post(&join, &joining).await;
    assert_problem(&answer, 429, "too-many-requests");
    // All else goes on.
    let other = person
        .post("/api/v1/lists", &json!({"purpose": "campaign"}))
        .await;
    assert_eq!(other.status, 201, "{}", other.text());
}
