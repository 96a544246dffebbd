use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};

use crate::play_api::server::{BUSY_FEN, Server};

#[tokio::test]
async fn a_game_is_reported_whole() {
    let server = Server::new();
    let start = server.ok("state", json!({})).await;
    assert_eq!(start["legal"].as_array().expect("moves").len(), 20);
    assert_eq!(
        (&start["side_to_move"], &start["outcome"]),
        (&json!("white"), &Value::Null)
    );
    let moves = ["f2f3", "e7e5", "g2g4", "d8h4"];
    let mate = server.ok("state", json!({ "moves": moves })).await;
    assert_eq!(mate["san"], json!(["f3", "e5", "g4", "Qh4#"]));
    assert_eq!(
        mate["outcome"],
        json!({ "result": "0-1", "reason": "checkmate" })
    );
    assert_eq!(
        (&mate["legal"], &mate["check_square"]),
        (&json!([]), &json!("e1"))
    );
    assert_eq!(mate["fens"].as_array().expect("positions").len(), 5);
    assert_eq!(mate["fens"][4], mate["fen"]);
}

#[tokio::test]
async fn what_is_wrong_is_reported() {
    let server = Server::new();
    let bad = "/problems/bad-game";
    let (status, kind, detail) = server
        .refusal("state", json!({ "moves": ["e2e4", "e7e4"] }))
        .await;
    assert_eq!((status, &*kind), (400, bad));
    assert!(detail.starts_with("move 2: e7e4 is illegal: "), "{detail}");
    let answer = server
        .post("state", json!({ "fen": "8/8/8/8/8/8/8/9 x - - 0 1" }))
        .await;
    let faults = answer.body["faults"].as_array().expect("faults");
    assert!(faults.len() >= 2, "{faults:?}");
    let many: Vec<&str> = ["g1f3", "g8f6", "f3g1", "f6g8"]
        .into_iter()
        .cycle()
        .take(1_001)
        .collect();
    let (status, _, detail) = server.refusal("state", json!({ "moves": many })).await;
    assert_eq!(
        (status, &*detail),
        (
            400,
            "the game has 1001 moves of one side, at most 1000 are read"
        )
    );
    server.ok("state", json!({ "moves": many[..1_000] })).await;
    let long = "x".repeat(70_000);
    assert_eq!(server.refusal("state", json!({ "fen": long })).await.0, 413);
    assert_eq!(
        server
            .refusal("state", json!({ "moves": [long[..300]] }))
            .await
            .0,
        400
    );
    assert_eq!(
        server.refusal("state", json!({ "moves": "e2e4" })).await.0,
        400
    );
    assert_eq!(
        server.post_text("state", "{".to_owned()).await.status,
        StatusCode::BAD_REQUEST
    );
    let untyped = Request::post("/api/v1/play/state")
        .body(Body::from("{}"))
        .expect("a request");
    assert_eq!(
        server.send(untyped).await.status,
        StatusCode::UNSUPPORTED_MEDIA_TYPE
    );
}

#[tokio::test]
async fn the_opponent_answers_with_a_legal_move() {
    let server = Server::new();
    let game = json!({ "fen": BUSY_FEN });
    let state = server.ok("state", game.clone()).await;
    for strength in [
        json!({ "level": 1 }),
        json!({ "level": 4 }),
        json!({ "elo": 777 }),
    ] {
        let mut request = strength.clone();
        request["fen"] = game["fen"].clone();
        let answer = server.ok("move", request).await;
        let legal = state["legal"].as_array().expect("moves");
        let found = legal.iter().find(|one| one["move"] == answer["move"]);
        let found = found.expect("legal");
        assert_eq!(found["san"], answer["san"], "{strength}");
        let after = &answer["state"];
        assert_eq!(after["moves"], json!([answer["move"]]), "{strength}");
        assert_eq!(
            (&after["fen"], &after["fens"][1]),
            (&found["fen"], &found["fen"])
        );
        assert!(answer["score"].is_object() && answer["book"] == json!(false));
    }
    let first = server.ok("move", json!({ "level": 10, "seed": 7 })).await;
    assert_eq!(
        (&first["book"], &first["score"]),
        (&json!(true), &Value::Null)
    );
}

#[tokio::test]
async fn strengths_that_do_not_exist_are_refused() {
    let server = Server::new();
    let rows = [
        (json!({}), "expected either level or elo"),
        (
            json!({ "level": 3, "elo": 1000 }),
            "expected either level or elo",
        ),
        (json!({ "level": 11 }), "level 11, expected 1 to 10"),
        (json!({ "elo": 319 }), "Elo 319, expected 320 to 2800"),
    ];
    for (request, expected) in rows {
        let (status, kind, detail) = server.refusal("move", request).await;
        assert_eq!(
            (status, &*kind, &*detail),
            (400, "/problems/bad-level", expected)
        );
    }
    let mate = json!({ "moves": ["f2f3", "e7e5", "g2g4", "d8h4"], "level": 1 });
    assert_eq!(server.refusal("move", mate.clone()).await.0, 409);
    assert_eq!(server.refusal("eval", mate).await.0, 409);
}

#[tokio::test]
async fn worths_are_seen_from_white() {
    let server = Server::new();
    for (side, fen) in [
        (1, "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1"),
        (-1, "q3k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ] {
        let score = &server.ok("eval", json!({ "fen": fen })).await["score"];
        let value = score["cp"]
            .as_i64()
            .or(score["mate"].as_i64())
            .expect("a score");
        assert!(value * side > 0, "{fen}: {score}");
    }
    let mate = server
        .ok("eval", json!({ "fen": "7k/8/6K1/8/8/8/8/R7 w - - 0 1" }))
        .await;
    assert_eq!(mate["score"], json!({ "mate": 1 }));
}

#[tokio::test]
async fn chess960_has_960_starts() {
    let server = Server::new();
    let start = server.get("start/518").await;
    assert_eq!(
        start.body["fen"],
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
    for path in ["start/960", "start/-1", "start/x", "start/99999999"] {
        assert_eq!(
            server.get(path).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    let fen = server.get("start/0").await.body["fen"].clone();
    let state = server
        .ok("state", json!({ "fen": fen, "chess960": true }))
        .await;
    assert_eq!((&state["chess960"], &state["fen"]), (&json!(true), &fen));
}
