//! Requests that another site makes a browser send.

use axum::http::Method;

use crate::common::web::{FORM, JSON, assert_problem, server};

#[tokio::test]
async fn requests_of_other_sites_change_nothing() {
    let server = server().await;
    let own = format!("http://{}", server.addr);
    let port = format!("http://{}:1", server.addr.ip());
    let refused: &[&[(&str, &str)]] = &[
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("origin", &port)],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "cross-site"), ("origin", &own)],
        &[("origin", "http://127.0.0.1.evil.example")],
    ];
    let taken: &[&[(&str, &str)]] = &[
        &[],
        &[("origin", &own)],
        &[("sec-fetch-site", "same-origin")],
    ];
    for (headers, is_taken) in refused
        .iter()
        .map(|h| (h, false))
        .chain(taken.iter().map(|h| (h, true)))
    {
        let mut headers = headers.to_vec();
        headers.push(JSON);
        let body = r#"{"name": null}"#;
        let answer = server.enter(&headers, body).await;
        if is_taken {
            assert_eq!(answer.status, 201, "{headers:?}");
        } else {
            assert_problem(&answer, 403, "cross-site");
        }
    }
}

#[tokio::test]
async fn forms_of_other_sites_do_not_moderate() {
    let server = server().await;
    let headers = [("origin", "https://evil.example"), FORM];
    for path in [
        "/admin/login",
        "/admin/logout",
        "/admin/import",
        "/admin/queue/1",
        "/admin/contributors/1",
    ] {
        let answer = server.send(Method::POST, path, &headers, "token=x").await;
        assert_problem(&answer, 403, "cross-site");
    }
}

#[tokio::test]
async fn nobody_else_may_read_or_frame() {
    let server = server().await;
    let headers = [("origin", "https://evil.example")];
    let answer = server.send(Method::GET, "/cases", &headers, "").await;
    assert_eq!(answer.header("access-control-allow-origin"), "");
    let policy = answer.header("content-security-policy");
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin");
}
