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
        for body in [
            json!({"mode": text}),
            json!({"purpose": "campaign", "campaign": text}),
        ] {
            let answer = person.post("/api/v1/lists", &body).await;
            assert!(answer.status.is_client_error(), "{}", answer.text());
        }
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        let forms = [
            ("/admin/queue/1", [("resolution", text), ("note", text)]),
            (
                "/admin/queue/1",
                [("resolution", "ask-again"), ("note", text)],
            ),
            ("/admin/import", [("text", text), ("campaign", "x")]),
            ("/admin/import", [("text", fen), ("campaign", text)]),
        ];
        for (path, form) in forms {
            let answer = person.moderate(path, &form).await;
            assert!(answer.status.is_client_error(), "{path}: {}", answer.text());
        }
        let encoded: Vec<String> = text.bytes().map(|b| format!("%{b:02x}")).collect();
        let query = encoded.concat();
        for path in [
            format!("/leaderboard?mode={query}"),
            format!("/leaderboard?period={query}"),
            format!("/positions/{query}"),
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
    let body = json!({"purpose": "campaign", "campaign": "a\u{0}"});
    let answer = person.post("/api/v1/lists", &body).await;
    assert!(answer.status.is_client_error(), "{}", answer.text());
    let again = [("resolution", "ask-again"), ("note", "")];
    for (path, form) in [
        (
            "/admin/queue/1",
            [("resolution", "ask-again"), ("note", "\u{0}")],
        ),
        ("/admin/import", [("text", "\u{0}"), ("campaign", "nul")]),
        ("/admin/queue/99999999999999999999", again),
        ("/admin/queue/-1", again),
        (
            "/admin/contributors/9223372036854775807",
            [("set_aside", "true"), ("", "")],
        ),
    ] {
        let answer = person.moderate(path, &form).await;
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
        let answer = person.get(&format!("/positions/{id}")).await;
        assert_eq!(answer.status, 404, "{id}: {}", answer.text());
    }
}
