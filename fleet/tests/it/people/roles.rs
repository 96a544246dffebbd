//! Every role against every call.

use std::collections::BTreeSet;

use axum::http::Method;
use fleet::app::ServerSettings;
use fleet::model::Role;
use fleet::people::cli;

use super::lab::{JSON, Lab};

/// A call, and the status that each caller gets: nobody, a worker, a program of an administrator, and an
/// author, a maintainer and an administrator in browsers.
type Row = (&'static str, &'static str, &'static str, [u16; 6]);

const CALLS: &[Row] = &[
    ("get", "/api/1/me", "", [401, 403, 200, 200, 200, 200]),
    (
        "post",
        "/api/1/me/password",
        r#"{"old":"wrong","new":"another long one"}"#,
        [401, 403, 403, 403, 403, 403],
    ),
    (
        "get",
        "/api/1/me/tokens",
        "",
        [401, 403, 200, 200, 200, 200],
    ),
    (
        "post",
        "/api/1/me/tokens",
        r#"{"name":"CI"}"#,
        [401, 403, 403, 201, 201, 201],
    ),
    (
        "delete",
        "/api/1/me/tokens/{id}",
        "",
        [401, 403, 404, 404, 404, 404],
    ),
    (
        "get",
        "/api/1/me/sessions",
        "",
        [401, 403, 200, 200, 200, 200],
    ),
    (
        "delete",
        "/api/1/me/sessions/{id}",
        "",
        [401, 403, 404, 404, 404, 404],
    ),
    ("get", "/api/1/machines", "", [401, 403, 200, 200, 200, 200]),
    (
        "post",
        "/api/1/machines",
        r#"{"name":"box-{caller}"}"#,
        [401, 403, 403, 201, 201, 201],
    ),
    (
        "post",
        "/api/1/machines/{name}/token",
        "",
        [401, 403, 403, 404, 404, 404],
    ),
    // The worker is the owner's: neither the author's nor the program's.
    (
        "post",
        "/api/1/machines/{machine}/revoke",
        "",
        [401, 403, 204, 403, 204, 204],
    ),
    ("get", "/api/1/accounts", "", [401, 403, 200, 403, 403, 200]),
    (
        "post",
        "/api/1/accounts",
        r#"{"name":"new-{caller}","role":"author"}"#,
        [401, 403, 403, 403, 403, 201],
    ),
    (
        "post",
        "/api/1/accounts/{name}/reset",
        "",
        [401, 403, 403, 403, 403, 201],
    ),
    (
        "post",
        "/api/1/accounts/{name}/role",
        r#"{"role":"maintainer"}"#,
        [401, 403, 403, 403, 403, 204],
    ),
    (
        "post",
        "/api/1/accounts/{name}/disable",
        "",
        [401, 403, 403, 403, 403, 204],
    ),
    (
        "post",
        "/api/1/accounts/{name}/enable",
        "",
        [401, 403, 403, 403, 403, 204],
    ),
    ("get", "/api/1/audit", "", [401, 403, 200, 403, 403, 200]),
    // Last: it ends the sessions of its caller.
    (
        "delete",
        "/api/1/me/sessions",
        "",
        [401, 403, 204, 204, 204, 204],
    ),
    // Calls of other rooms.
    ("get", "/api/1/tests", "", [401, 403, 200, 401, 401, 401]),
    (
        "post",
        "/api/1/worker/lease",
        "",
        [401, 200, 403, 401, 401, 401],
    ),
];

/// Tests and repositories, of which there are none: who may call gets further than others.
const TESTS: &[Row] = &[
    (
        "get",
        "/api/1/tests/none",
        "",
        [401, 403, 404, 404, 404, 404],
    ),
    (
        "post",
        "/api/1/tests/none/approve",
        "",
        [401, 403, 404, 403, 404, 404],
    ),
    (
        "post",
        "/api/1/tests/none/reject",
        r#"{"reason":"no"}"#,
        [401, 403, 404, 403, 404, 404],
    ),
    (
        "post",
        "/api/1/tests/none/stop",
        r#"{"reason":"no"}"#,
        [401, 403, 404, 404, 404, 404],
    ),
    (
        "post",
        "/api/1/tests/none/resume",
        "",
        [401, 403, 404, 403, 404, 404],
    ),
    (
        "post",
        "/api/1/tests/none/resubmit",
        "",
        [401, 403, 404, 404, 404, 404],
    ),
    (
        "post",
        "/api/1/tests/none/schedule",
        r#"{"priority":0,"weight":1}"#,
        [401, 403, 404, 403, 404, 404],
    ),
    (
        "get",
        "/api/1/tests/none/config",
        "",
        [401, 403, 404, 404, 404, 404],
    ),
    (
        "get",
        "/api/1/tests/none/ledger",
        "",
        [401, 403, 404, 404, 404, 404],
    ),
    (
        "get",
        "/api/1/tests/none/pgn",
        "",
        [401, 403, 404, 404, 404, 404],
    ),
    (
        "get",
        "/api/1/tests/none/labels",
        "",
        [401, 403, 404, 404, 404, 404],
    ),
    (
        "get",
        "/api/1/tests/none/results",
        "",
        [401, 403, 404, 404, 404, 404],
    ),
    (
        "post",
        "/api/1/tests/none/discard",
        r#"{"worker":"box"}"#,
        [401, 403, 404, 404, 404, 404],
    ),
    (
        "post",
        "/api/1/repositories/none/approve",
        "",
        [401, 403, 404, 403, 404, 404],
    ),
    (
        "get",
        "/api/1/repositories",
        "",
        [401, 403, 200, 200, 200, 200],
    ),
    (
        "post",
        "/api/1/repositories",
        "{}",
        [401, 403, 400, 400, 400, 400],
    ),
    (
        "put",
        "/api/1/repositories",
        "{}",
        [401, 403, 400, 400, 400, 400],
    ),
    ("post", "/api/1/tests", "{}", [401, 403, 422, 422, 422, 422]),
];

#[tokio::test(flavor = "multi_thread")]
async fn each_role_may_call_what_it_may_and_nothing_else() {
    compare(&Lab::new().await, CALLS).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_role_may_do_with_tests_what_it_may() {
    let lab = Lab::whole(ServerSettings::default()).await;
    compare(&lab, TESTS).await;
}

async fn compare(lab: &Lab, calls: &[Row]) {
    let database = &lab.app.database;
    let author = lab.person("ann", Role::Author).await;
    let maintainer = lab.person("max", Role::Maintainer).await;
    let administrator = lab.person("ada", Role::Administrator).await;
    lab.person("owner", Role::Author).await;
    let worker = cli::add_worker(database, "owner", "box")
        .await
        .expect("a worker");
    lab.person("eve", Role::Administrator).await;
    let program = cli::add_token(database, "eve", "CI")
        .await
        .expect("a token");
    let (worker, program) = (format!("Bearer {worker}"), format!("Bearer {program}"));
    let callers = [
        ("x-nobody", ""),
        ("authorization", &worker),
        ("authorization", &program),
        ("cookie", &author),
        ("cookie", &maintainer),
        ("cookie", &administrator),
    ];
    let mut differ = Vec::new();
    for (method, path, body, expected) in calls {
        for (number, caller) in callers.into_iter().enumerate() {
            let number = number.to_string();
            let machine = format!("revoked-by-{number}");
            if path.contains("{machine}") {
                let added = cli::add_worker(database, "owner", &machine).await;
                added.expect("a worker");
            }
            let path = path
                .replace("{id}", "1000000")
                .replace("{machine}", &machine)
                .replace("{name}", "owner");
            let body = body.replace("{caller}", &number);
            let method: Method = method.to_uppercase().parse().expect("a method");
            let headers = [caller, JSON];
            let answer = lab.send(method.clone(), &path, &headers, &body).await;
            let index: usize = number.parse().expect("a number");
            let found = answer.status.as_u16();
            if found != expected[index] {
                let expected = expected[index];
                differ.push(format!(
                    "{method} {path} by caller {number}: {found}, expected {expected}"
                ));
            }
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

/// Only the server cuts work into units: what an author brought with units of his own could take the name of somebody's
/// approved test.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_brings_jobs_with_units() {
    let lab = Lab::whole(ServerSettings::default()).await;
    lab.person("ada", Role::Administrator).await;
    let program = cli::add_token(&lab.app.database, "ada", "CI").await;
    let program = program.expect("a token");
    for (method, path) in [
        (Method::POST, "/api/1/jobs"),
        (Method::GET, "/api/1/jobs"),
        (Method::GET, "/api/1/jobs/test-1/progress"),
        (Method::GET, "/api/1/jobs/test-1/results"),
        (Method::GET, "/api/1/jobs/test-1/alarms"),
        (Method::GET, "/api/1/jobs/test-1/verification"),
        (Method::POST, "/api/1/jobs/test-1/stop"),
        (Method::POST, "/api/1/jobs/test-1/discard"),
    ] {
        let answer = lab.bearer(method.clone(), path, &program).await;
        assert_eq!(answer.status, 404, "{method} {path}: {}", answer.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_table_has_every_call_that_is_described() {
    let lab = Lab::new().await;
    let description = serde_json::to_value(&lab.description).expect("JSON");
    let paths = description["paths"].as_object().expect("paths");
    let described: BTreeSet<(String, String)> = paths
        .iter()
        .flat_map(|(path, item)| {
            let methods = item.as_object().expect("methods").keys();
            methods.map(move |method| (method.clone(), path.clone()))
        })
        .collect();
    let tested: BTreeSet<(String, String)> = CALLS
        .iter()
        .map(|(method, path, ..)| (String::from(*method), path.replace("{machine}", "{name}")))
        .collect();
    let missing: Vec<_> = described.difference(&tested).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(described.len() >= 19);
}

/// Pages by address, and who sees them: an author, a maintainer, an administrator.
const PAGES: &[(&str, [u16; 3])] = &[
    ("/account", [200, 200, 200]),
    ("/account/machines", [200, 200, 200]),
    ("/people", [403, 403, 200]),
    ("/audit", [403, 403, 200]),
];

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_for_those_who_are_signed_in() {
    let lab = Lab::new().await;
    let cookies = [
        lab.person("ann", Role::Author).await,
        lab.person("max", Role::Maintainer).await,
        lab.person("ada", Role::Administrator).await,
    ];
    for (path, expected) in PAGES {
        let answer = lab.get(path, "").await;
        assert_eq!(answer.status, 303, "{path}");
        assert_eq!(answer.header("location"), format!("/sign-in?next={path}"));
        for (cookie, expected) in cookies.iter().zip(expected) {
            let answer = lab.get(path, cookie).await;
            assert_eq!(answer.status.as_u16(), *expected, "{path}: {}", answer.text);
        }
    }
    for path in [
        "/people",
        "/people/ann/reset",
        "/people/ann/disable",
        "/people/ann/role",
    ] {
        let answer = lab
            .form(path, &cookies[1], "name=eve&role=administrator")
            .await;
        assert_eq!(answer.status, 403, "{path}: {}", answer.text);
    }
    let list = lab.get("/people", &cookies[2]).await.text;
    assert!(list.contains("ann") && !list.contains("eve"), "{list}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lab_keeps_an_administrator_who_can_sign_in() {
    let lab = Lab::new().await;
    let ada = lab.person("ada", Role::Administrator).await;
    let url = &lab.app.settings.public_url;
    // Somebody who has not accepted yet does not count.
    let invited = cli::add_account(&lab.app.database, url, "bob", Role::Administrator).await;
    invited.expect("an invitation");
    for (path, body) in [
        ("/api/1/accounts/ada/disable", ""),
        ("/api/1/accounts/ada/role", r#"{"role":"author"}"#),
    ] {
        let headers = [("cookie", ada.as_str()), JSON];
        let answer = lab.send(Method::POST, path, &headers, body).await;
        assert_eq!(answer.status, 409, "{path}: {}", answer.text);
        assert_eq!(answer.json()["code"], "last-administrator");
    }
    lab.person("eve", Role::Administrator).await;
    // Of two who remove each other at the same time, one stays.
    let database = &lab.app.database;
    let (one, other) = tokio::join!(
        cli::disable_account(database, "ada"),
        cli::disable_account(database, "eve"),
    );
    assert_ne!(one.is_ok(), other.is_ok(), "{one:?} {other:?}");
}
