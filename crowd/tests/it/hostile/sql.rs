//! SQL in every field there is.

use serde_json::json;

use crate::common::web::server;

const TEXTS: [&str; 4] = [
    "x'; DROP TABLE contributor; --",
    "' OR '1'='1",
    "\" OR 1=1 --",
    "1); DELETE FROM event; --",
];

#[tokio::test]
async fn sql_is_text_like_any_other() {
    let server = server().await;
    for text in TEXTS {
        let mut person = server.person(Some(text)).await;
        let me = person.get("/api/v1/me").await.json();
        assert_eq!(me["name"], text);
        let bodies = [
            ("/api/v1/lists", json!({"mode": text})),
            (
                "/api/v1/lists",
                json!({"purpose": "campaign", "campaign": text}),
            ),
            (
                "/api/v1/admin/queue/1",
                json!({"resolution": text, "note": text}),
            ),
            (
                "/api/v1/admin/queue/1",
                json!({"resolution": "ask-again", "note": text}),
            ),
            (
                "/api/v1/admin/import",
                json!({"text": text, "campaign": "x"}),
            ),
            (
                "/api/v1/admin/import",
                json!({"text": "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "campaign": text}),
            ),
        ];
        for (path, body) in bodies {
            let answer = person.moderate(path, body.to_string()).await;
            assert!(answer.status.is_client_error(), "{path}: {}", answer.text());
        }
        let encoded: Vec<String> = text.bytes().map(|b| format!("%{b:02x}")).collect();
        let query = encoded.concat();
        for path in [
            format!("/api/v1/leaderboard?mode={query}"),
            format!("/api/v1/leaderboard?period={query}"),
            format!("/api/v1/positions/{query}"),
            format!("/api/v1/lists/{query}"),
            format!("/results/{query}"),
        ] {
            let answer = person.get(&path).await;
            assert!(answer.status.is_client_error(), "{path}: {}", answer.text());
        }
    }
    let metrics = server.visitor().get("/metrics").await.text();
    assert!(metrics.contains("crowd_contributors 4"), "{metrics}");
    assert!(metrics.contains("crowd_positions 26"), "{metrics}");
}

#[tokio::test]
async fn nul_and_numbers_beyond_their_range_are_refused() {
    let server = server().await;
    let mut person = server.person(None).await;
    for (path, body) in [
        (
            "/api/v1/lists",
            json!({"purpose": "campaign", "campaign": "a\u{0}"}),
        ),
        (
            "/api/v1/admin/queue/1",
            json!({"resolution": "ask-again", "note": "\u{0}"}),
        ),
        (
            "/api/v1/admin/import",
            json!({"text": "\u{0}", "campaign": "nul"}),
        ),
        (
            "/api/v1/admin/queue/99999999999999999999",
            json!({"resolution": "ask-again"}),
        ),
        ("/api/v1/admin/queue/-1", json!({"resolution": "ask-again"})),
        (
            "/api/v1/admin/contributors/9223372036854775807",
            json!({"set_aside": true}),
        ),
    ] {
        let answer = person.moderate(path, body.to_string()).await;
        assert!(answer.status.is_client_error(), "{path}: {}", answer.text());
    }
    for id in [
        "0",
        "-1",
        "9223372036854775807",
        "9223372036854775808",
        "1e3",
        "%00",
        "1%00",
    ] {
        let answer = person.get(&format!("/api/v1/positions/{id}")).await;
        assert_eq!(answer.status, 404, "{id}: {}", answer.text());
    }
}
