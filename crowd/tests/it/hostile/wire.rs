//! Bytes that are hardly HTTP.

use std::time::Duration;

use axum::http::Method;

use crate::common::web::{Server, assert_problem, limited, server};

/// One that does not wait long, but longer than an honest request takes on a busy machine.
async fn impatient() -> Server {
    limited(|limits| {
        limits.connections.head = Duration::from_secs(3);
        limits.answer = Duration::from_secs(3);
    })
    .await
}

#[tokio::test]
async fn unknown_methods_are_rejected() {
    let server = server().await;
    for name in ["TRACE", "POST", "PUT", "PROPFIND", "FOO"] {
        let method = Method::from_bytes(name.as_bytes()).expect("a method");
        let answer = server.send(method, "/api/v1/me", &[], "").await;
        assert_problem(&answer, 405, "method-not-allowed");
        assert_eq!(answer.header("allow"), "GET,HEAD", "{name}");
    }
}

#[tokio::test]
async fn junk_is_refused_and_the_next_is_served() {
    let server = impatient().await;
    let lines: Vec<String> = (0..500).map(|n| format!("x-{n}: y\r\n")).collect();
    let many = lines.concat();
    let long = format!("x: {}\r\n", "y".repeat(200_000));
    let long_path = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(100_000));
    let requests: [Vec<u8>; 13] = [
        b"\0\0\0\0\r\n\r\n".to_vec(),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
        b"GET\r\n\r\n".to_vec(),
        b"GET / HTTP/9.9\r\n\r\n".to_vec(),
        b"GET http://[::1 HTTP/1.1\r\nhost: x\r\n\r\n".to_vec(),
        b"CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n"
            .to_vec(),
        b"OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".to_vec(),
        b"GET / HTTP/1.1\r\nhost: x\r\nbad header: y\r\n\r\n".to_vec(),
        b"GET / HTTP/1.1\r\nhost: x\r\nx: a\0b\r\n\r\n".to_vec(),
        b"POST /api/v1/session HTTP/1.1\r\nhost: x\r\ncontent-length: -5\r\n\r\n".to_vec(),
        format!("GET / HTTP/1.1\r\nhost: x\r\n{many}\r\n").into_bytes(),
        format!("GET / HTTP/1.1\r\nhost: x\r\n{long}\r\n").into_bytes(),
        long_path.into_bytes(),
    ];
    for request in requests {
        let answer = server.raw(&request).await;
        let status = answer.split(' ').nth(1).unwrap_or("");
        let shown = String::from_utf8_lossy(&request[..request.len().min(40)]).into_owned();
        assert!(
            status.is_empty() || status.starts_with('4'),
            "{shown:?}: {answer}"
        );
    }
    let answer = server.visitor().get("/healthz").await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn a_body_has_one_length() {
    let server = impatient().await;
    let twice = "POST /api/v1/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
        content-length: 5\r\ncontent-length: 14\r\n\r\n{\"name\": null}";
    let answer = server.raw(twice.as_bytes()).await;
    assert!(!answer.contains("201 Created"), "{answer}");
    let both = "POST /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n\
        0\r\n\r\nGET /metrics HTTP/1.1\r\nhost: x\r\n\r\n";
    let answer = server.raw(both.as_bytes()).await;
    assert!(!answer.contains("crowd_positions"), "{answer}");
}

#[tokio::test]
async fn odd_headers_do_no_harm() {
    let server = server().await;
    for (name, value) in [
        ("cookie", "crowd_session; =; ;;;; crowd_session=="),
        ("accept", "\u{e9}"),
        ("accept-encoding", "gzip;q=1e9, br;q=, *"),
        ("if-none-match", "W/\"\", *, \"\"\""),
        ("x-forwarded-for", "' OR 1=1, <script>"),
        ("range", "bytes=9999999999999999999-1"),
        ("authorization", "Bearer \u{e9}\u{e9}"),
        ("host", "evil.example"),
        ("user-agent", "() { :; }; echo"),
    ] {
        for path in ["/", "/static/site.css", "/admin/log"] {
            let request =
                format!("GET {path} HTTP/1.1\r\n{name}: {value}\r\nconnection: close\r\n\r\n");
            let answer = server.raw(request.as_bytes()).await;
            let status = answer.split(' ').nth(1).unwrap_or("");
            assert!(
                ["200", "401", "304"].contains(&status),
                "{name} {path}: {answer}"
            );
            assert!(!answer.contains("evil.example"), "{name} {path}");
        }
    }
}

#[tokio::test]
async fn half_a_request_is_not_waited_for_long() {
    let server = impatient().await;
    for half in [
        "GET / HTTP/1.1\r\nhost",
        "POST /api/v1/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
            content-length: 100\r\n\r\n{",
    ] {
        let answer = server.raw(half.as_bytes()).await;
        let is_refusal = answer.contains(" 408 ") || answer.contains(" 503 ");
        assert!(answer.is_empty() || is_refusal, "{answer}");
    }
}
