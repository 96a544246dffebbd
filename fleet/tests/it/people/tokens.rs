//! Tokens of programs and workers: shown once, revoked, and never anywhere else.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::{Method, StatusCode};
use fleet::model::Role;
use fleet::people::cli;
use serde_json::json;

use super::lab::{JSON, Lab, PASSWORD};

/// Makes something by the API, and returns its token.
async fn made(lab: &Lab, cookie: &str, path: &str, name: &str) -> String {
    let headers = [("cookie", cookie), JSON];
    let body = json!({ "name": name }).to_string();
    let answer = lab.send(Method::POST, path, &headers, &body).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
    answer.json()["token"].as_str().expect("a token").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn revoked_tokens_are_not_valid() {
    let lab = Lab::new().await;
    let ada = lab.person("ada", Role::Author).await;
    let program = made(&lab, &ada, "/api/1/me/tokens", "CI").await;
    let worker = made(&lab, &ada, "/api/1/machines", "box").await;
    let lease = async |token: &str| {
        let answer = lab.bearer(Method::POST, "/api/1/worker/lease", token).await;
        answer.status.as_u16()
    };
    let jobs = async |token: &str| {
        lab.bearer(Method::GET, "/api/1/tests", token)
            .await
            .status
            .as_u16()
    };
    assert_eq!((jobs(&program).await, lease(&worker).await), (200, 200));
    assert_eq!((jobs(&worker).await, lease(&program).await), (403, 403));
    assert_eq!(
        (jobs("tsa_unknown").await, lease("tsw_unknown").await),
        (401, 401)
    );
    assert_eq!(jobs("").await, 401);
    // The program revokes itself.
    let list = lab
        .bearer(Method::GET, "/api/1/me/tokens", &program)
        .await
        .json();
    assert_eq!(list[0]["name"], "CI");
    let path = format!("/api/1/me/tokens/{}", list[0]["id"]);
    assert_eq!(
        lab.bearer(Method::DELETE, &path, &program).await.status,
        204
    );
    let gone = lab.bearer(Method::GET, "/api/1/tests", &program).await;
    assert_eq!(gone.status, 401);
    assert_eq!(gone.json()["code"], "unauthorized");
    assert_eq!(gone.header("www-authenticate"), "Bearer");
    // A new token of a worker ends the old one.
    let headers = [("cookie", ada.as_str()), JSON];
    let answer = lab
        .send(Method::POST, "/api/1/machines/box/token", &headers, "")
        .await;
    let renewed = answer.json()["token"].as_str().expect("a token").to_owned();
    assert_eq!((lease(&worker).await, lease(&renewed).await), (401, 200));
    // A worker is bound to its owner, whose account may be disabled for a while.
    lab.person("eve", Role::Administrator).await;
    cli::disable_account(&lab.app.database, "ada")
        .await
        .expect("disabled");
    assert_eq!(lease(&renewed).await, 401);
    assert_eq!(lab.who(&ada).await, "");
    assert_eq!(
        lab.sign_in("ada", PASSWORD).await.status,
        StatusCode::FORBIDDEN
    );
    cli::enable_account(&lab.app.database, "ada")
        .await
        .expect("enabled");
    assert_eq!(lease(&renewed).await, 200);
    cli::revoke_worker(&lab.app.database, "box")
        .await
        .expect("revoked");
    assert_eq!(lease(&renewed).await, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_and_tokens_belong_to_their_owner() {
    let lab = Lab::new().await;
    let ada = lab.person("ada", Role::Author).await;
    let bob = lab.person("bob", Role::Author).await;
    made(&lab, &ada, "/api/1/machines", "box").await;
    made(&lab, &ada, "/api/1/me/tokens", "CI").await;
    let id = lab.get("/api/1/me/tokens", &ada).await.json()[0]["id"].to_string();
    let headers = [("cookie", bob.as_str()), JSON];
    for (method, path, status) in [
        (Method::POST, "/api/1/machines/box/revoke", 403),
        (Method::POST, "/api/1/machines/box/token", 404),
        (Method::DELETE, &format!("/api/1/me/tokens/{id}"), 404),
        (Method::DELETE, "/api/1/me/sessions/1", 404),
    ] {
        let answer = lab.send(method, path, &headers, "").await;
        assert_eq!(answer.status.as_u16(), status, "{path}: {}", answer.text);
    }
    assert_eq!(lab.get("/api/1/machines", &bob).await.json(), json!([]));
    // The name is taken in the whole lab.
    let answer = lab
        .send(
            Method::POST,
            "/api/1/machines",
            &headers,
            r#"{"name":"box"}"#,
        )
        .await;
    assert_eq!(answer.json()["code"], "name-taken");
    // There is a limit.
    lab.server
        .sql("insert into lab.account_tokens (account, name, hash)
            select a.id, 'n', n::text::bytea from lab.accounts a, generate_series(1, 50) n where a.name = 'bob'")
        .expect("SQL");
    let answer = lab
        .send(
            Method::POST,
            "/api/1/me/tokens",
            &headers,
            r#"{"name":"one more"}"#,
        )
        .await;
    assert_eq!(answer.json()["code"], "too-many", "{}", answer.text);
}

/// What the program logs, all of it.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        log.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_are_shown_once_and_are_nowhere_else() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    // Of all tests in this process, since a thread cannot have one for itself alone.
    tracing::subscriber::set_global_default(subscriber).expect("no other test has one");
    tracing::callsite::rebuild_interest_cache();
    let lab = Lab::new().await;
    let (database, url) = (&lab.app.database, &lab.app.settings.public_url);
    let ada = lab.person("ada", Role::Administrator).await;
    let link = cli::add_account(database, url, "bob", Role::Author)
        .await
        .expect("a link");
    let program = made(&lab, &ada, "/api/1/me/tokens", "CI").await;
    let worker = made(&lab, &ada, "/api/1/machines", "box").await;
    lab.redeem(&link, "a weak").await;
    lab.bearer(Method::GET, "/api/1/me", &program).await;
    lab.bearer(Method::POST, "/api/1/worker/lease", &worker)
        .await;
    lab.sign_in("ada", "a wrong password").await;
    let mut later = String::new();
    for path in [
        "/account",
        "/account/machines",
        "/people",
        "/audit",
        "/api/1/me/tokens",
        "/api/1/me/sessions",
        "/api/1/machines",
        "/api/1/accounts",
        "/api/1/audit",
    ] {
        later += &lab.get(path, &ada).await.text;
    }
    let log = log.0.lock().expect("no panic").clone();
    let log = String::from_utf8_lossy(&log);
    assert!(
        log.contains("/api/1/me") && log.contains("/api/1/me/sessions"),
        "requests are logged by route: {log:.3000}"
    );
    let tables = [
        "accounts",
        "account_tokens",
        "workers",
        "sessions",
        "links",
        "attempts",
        "audit",
    ];
    let rows: String = tables
        .iter()
        .map(|table| {
            lab.server
                .sql(&format!("select t::text from lab.{table} t"))
                .expect("SQL")
        })
        .collect();
    let cookie = ada.split_once('=').expect("a cookie").1;
    let link = link.rsplit('#').next().expect("a secret");
    for secret in [
        cookie,
        link,
        program.as_str(),
        &worker,
        PASSWORD,
        "a wrong password",
    ] {
        for (place, text) in [
            ("the log", &*log),
            ("later answers", &later),
            ("the database", &rows),
        ] {
            assert!(!text.contains(secret), "{secret} is in {place}");
        }
    }
}
