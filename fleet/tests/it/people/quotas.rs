//! Quotas of requests: strangers are slowed, those who are known are not.

use axum::http::{Method, StatusCode};
use fleet::app::{Quota, ServerSettings};
use fleet::model::Role;
use fleet::people::machines;

use super::lab::{Answer, JSON, Lab};

/// The network of the workers, and of strangers beside them.
const HERE: &str = "192.0.2.1:1000";
const ELSEWHERE: &str = "198.51.100.1:1000";

async fn ask(lab: &Lab, peer: &str, token: &str) -> Answer {
    let authorization = format!("Bearer {token}");
    let headers = [("authorization", authorization.as_str()), JSON];
    lab.send_from(peer, Method::POST, "/api/1/worker/lease", &headers, "{}")
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_are_slowed_and_workers_beside_them_are_not() {
    let quota = Quota {
        burst: 20,
        per_second: 1,
    };
    let settings = ServerSettings {
        quota,
        ..ServerSettings::default()
    };
    let lab = Lab::whole(settings).await;
    lab.person("ada", Role::Author).await;
    let sql = "select id from lab.accounts where name = 'ada'";
    let ada = fleet::model::Account {
        id: sqlx::query_scalar(sql)
            .fetch_one(&lab.app.database.pool)
            .await
            .expect("she has an account"),
        name: String::from("ada"),
        role: Role::Author,
    };
    let mut workers = Vec::new();
    for number in 0..10 {
        let token = machines::add_worker(&lab.app.database, &ada, &format!("w{number}")).await;
        workers.push(token.expect("a worker"));
    }
    // Ten workers ask together for more than one network may: the body is not what is expected, but it is read.
    for _ in 0..8 {
        for token in &workers {
            let answer = ask(&lab, HERE, token).await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.text);
        }
    }
    // Tokens that are made up are all one stranger's.
    let mut slowed = None;
    for number in 0..100 {
        let answer = ask(&lab, HERE, &format!("tsw_{number:043}")).await;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            slowed = Some(answer);
            break;
        }
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    }
    let slowed = slowed.expect("a flood ends");
    assert_eq!(slowed.json()["code"], "too-many-requests");
    assert_eq!(slowed.json()["type"], "/problems/too-many-requests");
    let seconds: u64 = slowed.header("retry-after").parse().expect("seconds");
    assert!((1..=60).contains(&seconds), "{seconds}");
    let answer = ask(&lab, HERE, &workers[0]).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.text);
    let answer = ask(&lab, ELSEWHERE, "tsw_x").await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    for path in ["/healthz", "/static/base.css"] {
        let answer = lab.send_from(HERE, Method::GET, path, &[], "").await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
    }
    // A known token has an end, too.
    let mut statuses = Vec::new();
    for _ in 0..100 {
        statuses.push(ask(&lab, HERE, &workers[1]).await.status);
    }
    assert!(statuses.contains(&StatusCode::TOO_MANY_REQUESTS));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_has_a_quota_of_its_own_and_each_problem_a_page() {
    let quota = Quota {
        burst: 5,
        per_second: 1,
    };
    let settings = ServerSettings {
        quota,
        ..ServerSettings::default()
    };
    let lab = Lab::whole(settings).await;
    let html = ("accept", "text/html");
    let cookie = lab.person("ada", Role::Author).await;
    let page = lab.get("/account", &cookie).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    let kinds = fleet::problem::KINDS.iter().chain(web::problem::COMMON);
    for (number, kind) in kinds.enumerate() {
        let peer = format!("203.0.113.{}:1", number + 1);
        let path = format!("/problems/{}", kind.slug);
        let page = lab.send_from(&peer, Method::GET, &path, &[html], "").await;
        assert_eq!(page.status, StatusCode::OK, "{path}: {}", page.text);
        assert!(page.text.contains(kind.slug), "{path}");
    }
    let nothing = lab
        .send_from("203.0.113.99:1", Method::GET, "/problems/x", &[html], "")
        .await;
    assert_eq!(nothing.status, StatusCode::NOT_FOUND);
    let mut statuses = Vec::new();
    for _ in 0..10 {
        statuses.push(lab.get("/tests", "").await.status);
    }
    assert!(statuses.contains(&StatusCode::TOO_MANY_REQUESTS));
    let page = lab.get("/account", &cookie).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn impossible_values_of_strangers_are_their_mistakes() {
    let lab = Lab::whole(ServerSettings::default()).await;
    for path in [
        "/api/1/events?after=-9223372036854775808",
        "/api/1/events?after=9223372036854775807",
        "/machines?after=%00",
        "/tests?state=%00",
        "/tests/a%00b",
        "/api/1/tests/a%00b/points?after=-9223372036854775808",
    ] {
        let answer = lab.get(path, "").await;
        assert!(
            answer.status.is_client_error(),
            "{path}: {} {}",
            answer.status,
            answer.text
        );
    }
    let form = "name=a%00b&password=c%00d";
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    let answer = lab.send(Method::POST, "/sign-in", &headers, form).await;
    assert!(
        answer.status.is_client_error(),
        "{} {}",
        answer.status,
        answer.text
    );
}
