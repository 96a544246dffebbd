use serde_json::{Value, json};

use crate::play_api::server::Server;

#[tokio::test]
async fn a_game_with_nasty_tags_comes_back() {
    let server = Server::new();
    let tags = json!([
        { "name": "White", "value": r#""><img src=x onerror=alert(1)> \"] {"# },
        { "name": "Black", "value": "Robert'); DROP TABLE games;-- \u{202e}\u{1f600}" },
        { "name": "Site", "value": "" },
    ]);
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5c6"];
    let written = json!({ "moves": moves, "tags": tags, "result": "1-0" });
    let pgn = server.ok("pgn", written).await["pgn"].clone();
    let read = server.ok("pgn/read", json!({ "pgn": pgn })).await;
    assert_eq!(
        (&read["faults"], &read["more"]),
        (&json!([]), &json!(false))
    );
    let game = &read["games"][0];
    assert_eq!(
        (&game["moves"], &game["result"], &game["fen"]),
        (&json!(moves), &json!("1-0"), &Value::Null)
    );
    for tag in tags.as_array().expect("tags") {
        assert!(
            game["tags"].as_array().expect("tags").contains(tag),
            "{tag}"
        );
    }
}

#[tokio::test]
async fn tags_that_pgn_cannot_write_are_reported() {
    let server = Server::new();
    let rows = [
        (
            json!([{ "name": "a b", "value": "" }]),
            "is not the name of a tag",
        ),
        (
            json!([{ "name": "Site", "value": "a\nb" }]),
            "control characters",
        ),
        (
            json!([{ "name": "Site", "value": "" }, { "name": "Site", "value": "" }]),
            "given twice",
        ),
        (
            json!([{ "name": "FEN", "value": "8/8 w - - 0 1" }]),
            "tag FEN",
        ),
    ];
    for (tags, expected) in rows {
        let (status, kind, detail) = server.refusal("pgn", json!({ "tags": tags })).await;
        assert_eq!((status, &*kind), (400, "/problems/bad-game"), "{tags}");
        assert!(detail.contains(expected), "{tags}: {detail}");
    }
}

#[tokio::test]
async fn texts_are_bounded() {
    let server = Server::new();
    let long = "x".repeat((1 << 20) + 1);
    let (status, _, detail) = server.refusal("pgn/read", json!({ "pgn": long })).await;
    assert_eq!(
        (status, &*detail),
        (413, "the PGN has 1048577 bytes, at most 1048576 are read")
    );
    assert_eq!(
        server
            .refusal("pgn/read", json!({ "pgn": long.repeat(3) }))
            .await
            .0,
        413
    );
    let nothing = server.ok("pgn/read", json!({ "pgn": long[1..] })).await;
    assert_eq!(nothing["games"], json!([]));
    let deep = "(".repeat(100_000);
    let faulty = server
        .ok("pgn/read", json!({ "pgn": format!("1. e4 {deep}") }))
        .await;
    assert_eq!(faulty["faults"].as_array().expect("faults").len(), 1);
}
