//! The pages, the files they load, and what comes with every answer.

use axum::http::Method;
use serde_json::json;

use crate::common::web::{JSON, assert_problem, assign, place, server};

const PAGES: [&str; 16] = [
    "/",
    "/?campaign=thesis",
    "/class",
    "/leaderboard",
    "/leaderboard?period=day",
    "/cases",
    "/leaderboard?period=last-week&page=3",
    "/play",
    "/about",
    "/check",
    "/api",
    "/admin",
    "/problems/gap",
    "/healthz",
    "/readyz",
    "/metrics",
];

const HTML: [(&str, &str); 1] = [("accept", "text/html,*/*;q=0.8")];

#[tokio::test]
async fn every_page_answers_with_its_headers() {
    let server = server().await;
    let mut visitor = server.visitor();
    for path in PAGES {
        let answer = visitor.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        let policy = answer.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'self'; script-src 'self';"),
            "{path}: {policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "same-origin", "{path}");
        assert_eq!(
            answer.header("cross-origin-opener-policy"),
            "same-origin",
            "{path}"
        );
        assert!(
            answer.header("permissions-policy").contains("camera=()"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn pages_have_no_script_of_their_own_and_load_nothing_from_elsewhere() {
    let server = server().await;
    let mut visitor = server.visitor();
    for path in &PAGES[..13] {
        let text = visitor.get(path).await.text();
        for script in text.split("<script").skip(1) {
            let is_data = script.starts_with(" type=\"application/json\"");
            assert!(
                is_data || script.contains("src=\"/static/"),
                "{path}: {script:.80}"
            );
        }
        assert!(
            !text.contains(" onclick=") && !text.contains("style=\""),
            "{path}"
        );
        assert!(
            !text.contains("src=\"http") && !text.contains("<style"),
            "{path}"
        );
        assert!(
            text.contains("<main id=\"main\"") && text.contains("class=\"skip\""),
            "{path}"
        );
        for name in files_of(&text) {
            let file = visitor.get(&name).await;
            assert_eq!(file.status, 200, "{path} loads {name}");
        }
    }
}

/// What a page loads from `/static`.
fn files_of(text: &str) -> Vec<String> {
    let names = text.split("\"/static/").skip(1);
    let names = names.filter_map(|rest| rest.split('"').next());
    names.map(|name| format!("/static/{name}")).collect()
}

#[tokio::test]
async fn errors_are_pages_for_people_and_problems_for_programs() {
    let server = server().await;
    let mut visitor = server.visitor();
    let problem = visitor.get("/nowhere").await;
    assert_problem(&problem, 404, "not-found");
    for path in [
        "/nowhere",
        "/positions/1",
        "/positions/x",
        "/leaderboard?purpose=x",
        "/results/x",
    ] {
        let page = visitor.send(Method::GET, path, &HTML, "").await;
        assert!(page.status.is_client_error(), "{path}: {}", page.status);
        assert_eq!(
            page.header("content-type"),
            "text/html; charset=utf-8",
            "{path}"
        );
        assert!(page.text().contains("<h1>"), "{path}");
    }
    let api = visitor
        .send(Method::GET, "/api/v1/nowhere", &HTML, "")
        .await;
    assert_problem(&api, 404, "not-found");
    let put = visitor.send(Method::PUT, "/api/v1/session", &[], "").await;
    assert_problem(&put, 405, "method-not-allowed");
    assert_eq!(put.header("allow"), "POST,DELETE");
}

#[tokio::test]
async fn files_are_sent_once() {
    let server = server().await;
    let mut visitor = server.visitor();
    let first = visitor.get("/static/site.css").await;
    assert_eq!(first.header("content-type"), "text/css; charset=utf-8");
    let tag = first.header("etag").to_owned();
    let known = [("if-none-match", tag.as_str())];
    let again = visitor
        .send(Method::GET, "/static/site.css", &known, "")
        .await;
    assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
    let zipped = [("accept-encoding", "gzip")];
    let small = visitor
        .send(Method::GET, "/static/site.css", &zipped, "")
        .await;
    assert_eq!(small.header("content-encoding"), "gzip");
    assert!(small.body.len() < first.body.len());
}

#[tokio::test]
async fn metrics_count_requests_and_things() {
    let server = server().await;
    let mut visitor = server.visitor();
    for _ in 0..3 {
        visitor.get("/about").await;
    }
    visitor.get("/nowhere/at/all").await;
    let text = visitor.get("/metrics").await.text();
    for line in [
        r#"crowd_http_requests_total{method="GET",route="/about",status="200"} 3"#,
        r#"crowd_http_requests_total{method="GET",route="none",status="404"} 1"#,
        "crowd_positions 26",
        "crowd_cases 0",
        "crowd_assignments_open 0",
        "crowd_connections 1",
        "crowd_searches 0",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[tokio::test]
async fn cases_can_be_taken_along() {
    let server = server().await;
    let mut visitor = server.visitor();
    for (ending, kind) in [
        ("epd", "text/plain"),
        ("csv", "text/csv"),
        ("json", "application/json"),
    ] {
        let file = visitor.get(&format!("/api/v1/cases.{ending}")).await;
        assert_eq!(file.status, 200);
        assert!(file.header("content-type").starts_with(kind), "{ending}");
        let name = format!("attachment; filename=\"crowd-cases.{ending}\"");
        assert_eq!(file.header("content-disposition"), name);
        let hard = |share| format!("/api/v1/cases.{ending}?harder-than={share}");
        assert_eq!(visitor.get(&hard("0.1")).await.status, 200);
        for share in ["2", "much"] {
            let rejected = visitor.get(&hard(share)).await;
            assert_problem(&rejected, 400, "bad-request");
        }
    }
}

#[tokio::test]
async fn a_pasted_divide_is_checked_on_the_board() {
    let server = server().await;
    let mut visitor = server.visitor();
    let fen = "fen=4k3%2F8%2F8%2F8%2F8%2F8%2F4P3%2F4K3+w+-+-+0+1";
    let wrong = format!(
        "{fen}&list=e1d1%3A+1%0Ae1f1%3A+1%0Ae1d2%3A+1%0Ae1e2%3A+1%0Ae2e3%3A+1%0ANodes%3A+5"
    );
    let page = visitor.form("/check", wrong).await;
    let text = page.text();
    assert_eq!(page.status, 200, "{text}");
    for expected in [
        "6 legal moves, 5 listed",
        "Missing: 2",
        "Not legal: 1",
        "arrow-bad",
        "e1e2 is illegal",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    let right = format!("{fen}&list=Kd1+Kf1+Kd2+Kf2+e3+e4");
    let text = visitor.form("/check", right).await.text();
    assert!(text.contains("Right and complete"), "{text}");
    let bad = visitor.form("/check", "fen=%3Cb%3E&list=e2e4").await;
    assert_eq!(bad.status, 400);
    assert!(bad.text().contains("fen-error") && !bad.text().contains("<b>"));
}

/// What a script of the page loads below the same fingerprint is kept by browsers, too.
#[tokio::test]
async fn the_files_of_the_board_are_kept_for_ever() {
    let server = server().await;
    let mut visitor = server.visitor();
    let page = visitor.get("/about").await.text();
    let style = files_of(&page)
        .into_iter()
        .find(|name| name.ends_with("/site.css"));
    let folder = style.expect("a style").replace("site.css", "");
    for name in ["board.js", "pieces.svg"] {
        let file = visitor.get(&format!("{folder}{name}")).await;
        assert_eq!(file.status, 200, "{name}");
        let cache = file.header("cache-control");
        assert!(cache.contains("immutable"), "{name}: {cache}");
    }
}

#[tokio::test]
async fn a_page_is_in_the_language_that_was_chosen_or_that_the_browser_wants() {
    let server = server().await;
    let mut visitor = server.visitor();
    let german = [("accept-language", "de-AT,de;q=0.9,en;q=0.5")];
    let page = visitor.send(Method::GET, "/lists", &german, "").await;
    assert_eq!(page.header("content-language"), "de");
    let mut vary = page.headers.get_all("vary").iter();
    assert!(vary.any(|names| names == "accept-language, cookie"));
    assert!(page.text().contains("<html lang=\"de\""));
    assert_eq!(page.header("set-cookie"), "");

    let page = visitor.get("/lists").await;
    assert_eq!(page.header("content-language"), "en");
    assert!(page.text().contains("/lists?lang=de"));

    let page = visitor.get("/lists?lang=de").await;
    assert!(
        page.header("set-cookie")
            .starts_with("crowd_language=de; Path=/; Max-Age=")
    );
    assert!(page.text().contains("<h1>Meine Listen</h1>"));
    let chosen = [("cookie", "crowd_language=de"), ("accept-language", "en")];
    let page = server
        .send(
            Method::GET,
            "/nowhere",
            &[chosen[0], chosen[1], HTML[0]],
            "",
        )
        .await;
    assert_eq!(
        (page.status.as_u16(), page.header("content-language")),
        (404, "de")
    );

    // Handlers that take nothing but what they know do not see it.
    let page = visitor.get("/check?lang=de").await;
    assert_eq!(
        (page.status.as_u16(), page.header("content-language")),
        (200, "de")
    );
    for path in ["/lists?lang=xx", "/lists?lang=", "/lists?lang=en-XA"] {
        let page = server.send(Method::GET, path, &chosen[1..], "").await;
        assert_eq!(page.header("content-language"), "en", "{path}");
        assert_eq!(page.header("set-cookie"), "", "{path}");
    }
}

#[tokio::test]
async fn explanations_are_in_the_language_that_a_request_accepts() {
    let server = server().await;
    server
        .import("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "gold", true)
        .await;
    let game = json!({"moves": ["e2e4", "e7e4"]}).to_string();
    for (language, reason, illegal) in [
        ("en", " legal: ", "move 2: e7e4 is illegal: "),
        ("de-AT", "", "e7e4 ist nicht legal: "),
    ] {
        // That of the cookie is for pages alone.
        let headers = [
            JSON,
            ("accept-language", language),
            ("cookie", "crowd_language=de"),
        ];
        let mut ada = server.person(None).await;
        let given = assign(&mut ada, "campaign", "gold").await;
        let end = format!("{}/finish", place(&given));
        let accepted = [JSON, ("accept-language", language)];
        let score = ada.send(Method::POST, &end, &accepted, "{\"count\":0}");
        let score = score.await.json();
        let missed = score["missed"].as_array().expect("moves");
        assert!(!missed.is_empty());
        for one in missed {
            let why = one["why"].as_str().expect("a reason");
            assert!(why.contains(reason), "{why}");
            assert_eq!(why.contains(" the "), language == "en", "{why}");
        }
        let problem = server.send(Method::POST, "/api/v1/play/state", &headers, game.clone());
        let problem = problem.await.json();
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(detail.starts_with(illegal), "{detail}");
        assert_eq!(problem["faults"][0], problem["detail"]);
    }
}

/// What the address of a page is wrong in is said in words, and in its language.
#[tokio::test]
async fn pages_say_what_is_wrong_in_words() {
    let server = server().await;
    let german = [HTML[0], ("accept-language", "de")];
    for (path, status, text) in [
        ("/results/1", 401, "Das gehört zu einem anderen Browser"),
        (
            "/leaderboard?page=-1",
            400,
            "page: a whole number is expected",
        ),
        ("/positions/abc", 404, "Hier ist nichts"),
        ("/nowhere", 404, "Hier ist nichts"),
        ("/admin/flags", 401, "action=\"/admin/login\""),
        ("/admin/queue/1", 401, "action=\"/admin/login\""),
    ] {
        let page = server.send(Method::GET, path, &german, "").await;
        assert_eq!(page.status, status, "{path}");
        let page = page.text();
        assert!(page.contains(text), "{path}: {page}");
        assert!(
            !page.contains("deserialize") && !page.contains("Bearer"),
            "{path}: {page}"
        );
    }
}
