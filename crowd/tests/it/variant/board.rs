//! What a browser is given of a variant, and that nothing of it depends on which moves are legal.

use serde_json::{Value, json};

use super::crowd::tiny;
use crate::common::web::{Server, assign, events, finish, place, server};

/// Legal moves, and as many that are not, of the tiny campaign's first position.
const LISTS: [[&str; 3]; 2] = [["a1b1", "a1b2", "P@b1"], ["a1d3", "b1b2", "P@a1"]];

async fn one_position() -> Server {
    let server = server().await;
    let service = &server.app.service;
    let set = service.set_card("small", None, super::crowd::CARD, crate::common::NOON);
    set.await.expect("a card");
    server.import("3k/P3/K3[P] w - - 0 1", "small", false).await;
    server
}

/// Everything that is answered to a list of these moves, without what differs by chance.
async fn answers(moves: [&str; 3]) -> Vec<String> {
    let server = one_position().await;
    let mut person = server.person(None).await;
    let given = assign(&mut person, "calm", "small").await;
    let at = place(&given);
    let token = given["assignment"].as_str().expect("a token").to_owned();
    let mut answers = vec![given.to_string()];
    for (seq, mv) in (1..).zip(moves) {
        let body = json!({"events": events(&[mv], seq)});
        let answer = person.post(&format!("{at}/events"), &body).await;
        answers.push(format!("{} {}", answer.status, answer.text()));
    }
    let end = json!({"events": [], "count": moves.len()});
    let answer = person.post(&format!("{at}/finish"), &end).await;
    answers.push(format!("{} {}", answer.status, answer.text()));
    server.upkeep().await;
    for path in [format!("{at}/result"), format!("/results/{token}")] {
        let answer = person.get(&path).await;
        let text = moves
            .iter()
            .fold(answer.text(), |text, mv| text.replace(mv, "MOVE"));
        answers.push(format!("{} {text}", answer.status));
    }
    let hide = |text: String| {
        text.replace(&token, "TOKEN")
            .replace(&given["issued_at"].to_string(), "ISSUED")
            .replace(&given["expires_at"].to_string(), "EXPIRES")
    };
    answers.into_iter().map(hide).collect()
}

#[tokio::test]
async fn legal_and_illegal_lists_are_answered_alike() {
    let [good, bad] = LISTS;
    // The second move of the bad list starts on an empty square: a fault of form, which the diagram shows.
    let (good, bad) = (answers(good).await, answers([bad[0], "a1c1", bad[2]]).await);
    assert_eq!(good, bad);
}

#[tokio::test]
async fn an_assignment_has_the_card_and_no_answer() {
    let server = one_position().await;
    let mut person = server.person(None).await;
    let given = assign(&mut person, "calm", "small").await;
    let members = |value: &Value| {
        let mut names: Vec<String> = value.as_object().expect("one").keys().cloned().collect();
        names.sort();
        names
    };
    let position = &given["position"];
    assert_eq!(
        members(position),
        ["card", "chess960", "fen", "id", "rules", "side_to_move"]
    );
    assert_eq!(
        members(&position["card"]),
        ["files", "pieces", "ranks", "title", "variant"]
    );
    assert_eq!(
        members(&position["card"]["pieces"][0]),
        ["drop_ranks", "letter", "name", "path", "promotion"]
    );
    let id = position["id"].as_i64().expect("a number");
    for path in [
        format!("/api/v1/positions/{id}"),
        format!("/positions/{id}"),
    ] {
        assert_eq!(person.get(&path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn nobody_is_given_a_variant_unasked() {
    let server = one_position().await;
    let mut waiting = server.person(None).await;
    let given = assign(&mut waiting, "pair", "small").await;
    finish(&mut waiting, &given, &["a1b1"]).await;
    let mut any = server.person(None).await;
    let given = assign(&mut any, "pair", None).await;
    assert_eq!(given["position"]["card"], Value::Null, "{given}");
    let mut same = server.person(None).await;
    let given = assign(&mut same, "pair", "small").await;
    assert_eq!(given["position"]["card"]["variant"], "tiny", "{given}");
}

#[tokio::test]
async fn faults_of_form_are_problems() {
    let server = one_position().await;
    let mut person = server.person(None).await;
    let given = assign(&mut person, "calm", "small").await;
    let at = format!("{}/events", place(&given));
    for (mv, part) in [
        ("b1b2", "no piece of the side to move stands on b1"),
        ("e1e2", "e1 is not on this board"),
        ("a2a3", "one of kp is expected"),
        ("K@b2", "has no 'K' in its pocket"),
        ("a1", "'a1' is not a move"),
    ] {
        let answer = person.post(&at, &json!({"events": events(&[mv], 1)})).await;
        assert_eq!(answer.status, 400, "{mv}");
        let problem = answer.json();
        assert!(
            problem["detail"].as_str().expect("one").contains(part),
            "{problem}"
        );
    }
}

#[tokio::test]
async fn pages_show_the_rules_as_text() {
    let server = server().await;
    tiny(&server.app.service).await;
    server
        .app
        .service
        .upkeep(crate::common::NOON)
        .await
        .expect("upkeep");
    let mut person = server.visitor();
    let list = person.get("/variants").await.text();
    assert!(
        list.contains("Tiny") && list.contains("3 positions"),
        "{list}"
    );
    for path in ["/variants/small", "/variants/small/card"] {
        let page = person.get(path).await.text();
        assert!(page.contains("All there is to know") && page.contains("variant-diagram"));
        assert!(page.contains("&#60;b&#62;Pawns"), "{page}");
        // The answers of gold positions are on no page.
        assert!(!page.contains("a1b1"), "{page}");
    }
    let suite = person.get("/variants/small/cases.epd").await;
    assert_eq!(suite.status, 200);
    assert_eq!(person.get("/variants/thesis").await.status, 404);
}
