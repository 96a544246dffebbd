//! From coming in to the result.

use serde_json::json;

use crate::common::web::{assert_problem, assign, events, finish, place, server};

const LONE_PAWN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

#[tokio::test]
async fn a_session_is_made_once_and_can_be_renamed() {
    let server = server().await;
    let mut ada = server.visitor();
    assert_problem(&ada.get("/api/v1/me").await, 401, "no-session");

    let entry = json!({"name": "Ada"});
    let answer = ada.post("/api/v1/session", &entry).await;
    assert_eq!(answer.status, 201);
    assert_eq!(answer.json()["name"], "Ada");
    let cookie = answer.header("set-cookie").to_owned();
    assert!(cookie.contains("HttpOnly; SameSite=Lax"), "{cookie}");

    let other = json!({"name": "Other"});
    let again = ada.post("/api/v1/session", &other).await;
    assert_eq!(again.status, 200);
    assert_eq!(again.json(), answer.json());

    let renamed = ada.form("/account/name", "name=Lovelace").await;
    assert_eq!(renamed.status, 303);
    let me = ada.get("/api/v1/me").await.json();
    assert_eq!(
        (&me["name"], &me["points"]),
        (&json!("Lovelace"), &json!(0))
    );
}

#[tokio::test]
async fn names_that_cannot_be_shown_are_refused() {
    let server = server().await;
    for name in ["", "  ", "a\u{202e}b", "\0", &"x".repeat(33)] {
        let entry = json!({ "name": name });
        let answer = server.visitor().post("/api/v1/session", &entry).await;
        assert_problem(&answer, 400, "bad-name");
    }
}

#[tokio::test]
async fn the_open_assignment_is_given_again() {
    let server = server().await;
    let mut person = server.person(None).await;
    let wanted = json!({"purpose": "campaign", "campaign": null});
    let first = person.post("/api/v1/lists", &wanted).await;
    let second = person.post("/api/v1/lists", &wanted).await;
    assert_eq!((first.status.as_u16(), second.status.as_u16()), (201, 200));
    assert_eq!(first.json()["list"], second.json()["list"]);
    assert_eq!(first.json()["position"], second.json()["position"]);
}

#[tokio::test]
async fn events_arrive_once_however_often_they_are_sent() {
    let server = server().await;
    server.import(LONE_PAWN, "pawn", false).await;
    let mut person = server.person(None).await;
    let given = assign(&mut person, "campaign", "pawn").await;
    let (at, moves) = (place(&given), ["e2e3", "e1d1"]);
    let send = format!("{at}/events");

    let both = json!({"events": events(&moves, 1)});
    for _ in 0..2 {
        let kept = person.ask(&send, &both).await;
        assert_eq!(kept, json!({"acknowledged": 2}));
    }
    let later = json!({"events": events(&moves, 5)});
    let gap = person.post(&send, &later).await;
    assert_problem(&gap, 409, "gap");
    assert_eq!(gap.json()["expected"], 3);
    let other = json!({"events": [{"seq": 1, "op": "add", "move": "e2e4", "at_ms": 1}]});
    assert_problem(&person.post(&send, &other).await, 409, "conflict");

    let state = person.get(&at).await.json();
    assert_eq!(state["state"], "open");
    assert_eq!(state["events"].as_array().map(Vec::len), Some(2));

    let end = json!({"events": [], "count": 2});
    for _ in 0..2 {
        let done = person.ask(&format!("{at}/finish"), &end).await;
        assert_eq!(
            (&done["moves"], &done["state"]),
            (&json!(2), &json!("waiting"))
        );
    }
    let third = json!({"events": events(&["e1f1"], 3)});
    assert_problem(&person.post(&send, &third).await, 409, "frozen");
    let result = person.get(&format!("{at}/result")).await;
    let members = [
        "lacking", "late", "moves", "points", "position", "purpose", "state", "took_ms",
    ];
    let result = result.json();
    let found: Vec<&String> = result.as_object().expect("an object").keys().collect();
    assert_eq!(found, members, "nothing of the answer");
}

#[tokio::test]
async fn only_what_the_diagram_shows_to_be_none_is_no_move() {
    let server = server().await;
    server.import(LONE_PAWN, "pawn", false).await;
    let mut person = server.person(None).await;
    let given = assign(&mut person, "campaign", "pawn").await;
    let send = format!("{}/events", place(&given));
    for mv in [
        "", "e2", "e2e9", "e8d8", "d4d5", "e2e4q", "e2e8", "nonsense",
    ] {
        let one = json!({"events": [{"seq": 1, "op": "add", "move": mv, "at_ms": 1}]});
        let answer = person.post(&send, &one).await;
        assert_problem(&answer, 400, "not-a-move");
        assert_eq!(answer.json()["seq"], 1, "{mv}");
    }
}

#[tokio::test]
async fn gold_reports_what_was_missed_and_why() {
    let server = server().await;
    server.import(LONE_PAWN, "gold", true).await;
    let mut person = server.person(Some("Ada")).await;
    let given = assign(&mut person, "campaign", "gold").await;
    let at = place(&given);
    let moves = ["e2e3", "e2e5", "e1d1"];
    finish(&mut person, &given, &moves).await;
    server.upkeep().await;
    let result = person.get(&format!("{at}/result")).await.json();
    assert_eq!(result["state"], "known", "{result}");
    assert_eq!(result["found"].as_array().map(Vec::len), Some(2));
    let wrong = &result["wrong"][0];
    assert_eq!(wrong["move"], "e2e5");
    assert!(
        wrong["why"].as_str().is_some_and(|why| !why.is_empty()),
        "{wrong}"
    );
    let missed = result["missed"].as_array().expect("a list");
    assert!(missed.iter().any(|m| m["san"] == "e4"), "{missed:?}");

    let token = given["list"].as_str().expect("a token");
    let page = person.get(&format!("/results/{token}")).await.text();
    assert!(
        page.contains("\"state\":\"known\"") && page.contains("\"why\":\"e2e5 is illegal: "),
        "{page}"
    );
}

#[tokio::test]
async fn ones_own_list_is_shown_while_the_answer_is_not_known() {
    let server = server().await;
    server.import(LONE_PAWN, "pawn", false).await;
    let mut person = server.person(None).await;
    let given = assign(&mut person, "campaign", "pawn").await;
    finish(&mut person, &given, &["e2e3", "e2e5"]).await;
    let token = given["list"].as_str().expect("a token");
    let page = person.get(&format!("/results/{token}")).await;
    let page = page.text();
    assert!(
        page.contains("\"state\":\"waiting\"") && !page.contains("\"missed\":"),
        "{page}"
    );
    let file = person.get(&format!("/results/{token}/moves.txt")).await;
    assert_eq!(file.text(), "6454\n6434\n");
}

#[tokio::test]
async fn skipping_gives_the_position_back() {
    let server = server().await;
    let mut person = server.person(None).await;
    let at = place(&assign(&mut person, "campaign", None).await);
    let skipped = person.ask(&format!("{at}/skip"), &json!({})).await;
    assert_eq!(skipped, json!({}));
    let state = person.get(&at).await.json();
    assert_eq!(state["state"], "skipped");
    let next = assign(&mut person, "campaign", None).await;
    assert_ne!(place(&next), at);
}

#[tokio::test]
async fn what_is_not_there_is_distinguished() {
    let server = server().await;
    let mut person = server.person(None).await;
    let wanted = json!({"purpose": "campaign", "campaign": "nowhere"});
    let answer = person.post("/api/v1/lists", &wanted).await;
    assert_problem(&answer, 404, "unknown-campaign");
    server.import(LONE_PAWN, "one", false).await;
    let given = assign(&mut person, "campaign", "one").await;
    finish(&mut person, &given, &["e2e3"]).await;
    let wanted = json!({"purpose": "campaign", "campaign": "one"});
    let answer = person.post("/api/v1/lists", &wanted).await;
    assert_problem(&answer, 404, "nothing-left");
}
