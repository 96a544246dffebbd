//! Nothing that is answered before a position is closed depends on which moves are legal.

use chess::notation::fen;
use crowd::candidates::{candidates, legal_texts};
use serde_json::{Value, json};

use crate::common::web::Person;
use crate::common::web::{assign, events, place, server};
use crate::hidden_gold::times_out;

/// Castling both ways, one of them through an attacked square, en passant, a pinned knight.
const RICH: &str = "r3k2r/8/8/1b1pP3/1b6/8/3N4/R3K2R w KQkq d6 0 1";

/// As many legal moves as others of the same pieces, in the candidates and outside of it.
fn two_lists() -> (Vec<String>, Vec<String>) {
    let position = fen::parse(RICH).expect("a position");
    let legal = legal_texts(&position);
    let all: Vec<String> = candidates(&position)
        .iter()
        .map(|c| c.text.to_string())
        .collect();
    let is_legal = |text: &String| legal.iter().any(|legal| legal.as_str() == text);
    let (good, mut bad): (Vec<String>, Vec<String>) = all.into_iter().partition(is_legal);
    bad.truncate(7);
    bad.extend(["a1h8", "e5b3", "d2d3"].map(str::to_owned));
    (good.into_iter().take(bad.len()).collect(), bad)
}

/// Everything that is answered to a list of these moves, with what differs by chance taken out.
async fn answers(moves: &[&str]) -> Vec<String> {
    let server = server().await;
    server.import(RICH, "rich", false).await;
    let mut person = server.person(None).await;
    let given = assign(&mut person, "campaign", "rich").await;
    let at = place(&given);
    let token = given["list"].as_str().expect("a token").to_owned();
    let mut answers = vec![given.to_string()];
    for (seq, mv) in (1..).zip(moves) {
        let body = json!({"events": events(&[mv], seq)});
        answers.push(sent(&mut person, &format!("{at}/events"), &body).await);
    }
    answers.push(events_hidden(&mut person, &at).await);
    let end = json!({"events": [], "count": moves.len()});
    answers.push(sent(&mut person, &format!("{at}/finish"), &end).await);
    server.upkeep().await;
    for path in [
        format!("{at}/result"),
        format!("/results/{token}"),
        "/api/v1/me".into(),
    ] {
        let answer = person.get(&path).await;
        answers.push(format!("{} {}", answer.status, data_hidden(&answer.text())));
    }
    answers
        .iter()
        .map(|text| times_out(text).replace(&token, "TOKEN"))
        .collect()
}

async fn sent(person: &mut Person, path: &str, body: &Value) -> String {
    let answer = person.post(path, body).await;
    let mut headers: Vec<String> = answer.headers.iter().map(|h| format!("{h:?}")).collect();
    headers.retain(|header| !header.contains("date") && !header.contains("x-request-id"));
    format!("{} {headers:?} {}", answer.status, answer.text())
}

/// The state of the assignment, without the events, which the person has sent.
async fn events_hidden(person: &mut Person, at: &str) -> String {
    let mut state = person.get(at).await.json();
    state["events"] = Value::Null;
    state["elapsed_ms"] = Value::Null;
    state.to_string()
}

/// A page without what its script begins with, which the API gives as well; any other answer as it is.
fn data_hidden(answer: &str) -> String {
    let Some((start, rest)) = answer.split_once("<template id=\"data\">") else {
        return answer.to_owned();
    };
    let (_, end) = rest.split_once("</template>").expect("its end");
    format!("{start}{end}")
}

#[tokio::test]
async fn legal_and_illegal_lists_are_answered_alike() {
    let (good, bad) = two_lists();
    assert_eq!((good.len(), bad.len()), (10, 10));
    let [good, bad] = [&good, &bad].map(|list| list.iter().map(String::as_str).collect::<Vec<_>>());
    let (legal, illegal) = (answers(&good).await, answers(&bad).await);
    assert_eq!(legal.len(), illegal.len());
    for (legal, illegal) in legal.iter().zip(&illegal) {
        assert_eq!(legal, illegal);
    }
}

#[tokio::test]
async fn an_assignment_says_no_more_than_the_diagram() {
    let server = server().await;
    server.import(RICH, "rich", false).await;
    let mut person = server.person(None).await;
    let given = assign(&mut person, "campaign", "rich").await;
    let mut members: Vec<&String> = given.as_object().expect("an object").keys().collect();
    members.sort();
    let expected = [
        "campaign",
        "elapsed_ms",
        "events",
        "expires_at",
        "issued_at",
        "limit_ms",
        "list",
        "partner",
        "position",
        "purpose",
        "questions",
        "reveal",
        "state",
    ];
    assert_eq!(members, expected);
    let mut members: Vec<&String> = given["position"].as_object().expect("one").keys().collect();
    members.sort();
    assert_eq!(members, ["chess960", "fen", "id", "side_to_move"]);
    let id = given["position"]["id"].as_i64().expect("a number");
    let answer = person.get(&format!("/positions/{id}")).await;
    assert_eq!(answer.status, 404);
}
