//! The board of the day: on both databases, and over the API.

use std::collections::BTreeSet;
use std::time::Duration;

use chess::notation::fen;
use crowd::candidates::legal_texts;
use crowd::daily::Day;
use crowd::model::{MoveText, Timestamp};
use crowd::service::{ContributorId, DailyError, DailyProgress, DailyResult, Service, Settings};
use serde_json::{Value, json};

use crate::common::web::{Person, assert_problem, server};
use crate::common::{Base, NOON, open, person, plan};

const DAY: Duration = Duration::from_hours(24);

fn after_days(days: u32) -> Timestamp {
    NOON.after(DAY * days)
}

async fn fen_of(service: &Service, id: ContributorId, at: Timestamp) -> String {
    let given = service.daily_start(id, at).await;
    given.expect("a board").fen
}

fn legal(text: &str) -> Vec<MoveText> {
    let position = fen::parse(text).expect("a position");
    legal_texts(&position).into_iter().collect()
}

/// Begins a list and finishes it a minute later, with all legal moves but so many.
async fn play(service: &Service, id: ContributorId, missing: usize, at: Timestamp) -> DailyResult {
    let moves = legal(&fen_of(service, id, at).await);
    let moves = &moves[..moves.len() - missing];
    let later = at.after(Duration::from_mins(1));
    let result = service
        .daily_finish(id, Day::from_timestamp(at), moves, later)
        .await;
    result.expect("a result")
}

mod sqlite {
    #[tokio::test(flavor = "multi_thread")]
    async fn days() {
        super::days(super::Base::sqlite()).await;
    }
}

mod postgres {
    #[tokio::test(flavor = "multi_thread")]
    async fn days() {
        super::days(super::Base::postgres().await).await;
    }
}

/// One database, one story: who lists what on which day.
async fn days(base: Base) {
    let service = base.service(Settings::default()).await;
    everybody_gets_the_same(&service, &base.url).await;
    the_first_list_counts(&service).await;
    lists_are_compared(&service).await;
    days_in_a_row_are_counted(&service).await;
    late_lists_do_not_count(&service).await;
    lists_belong_to_their_people(&service).await;
    the_crowds_positions_are_never_boards(&service).await;
}

async fn everybody_gets_the_same(service: &Service, url: &str) {
    let ada = person(service, None).await;
    let first = fen_of(service, ada, NOON).await;
    // Another server on the same database, whose seed would choose otherwise.
    let settings = Settings {
        seed: 77,
        ..Settings::default()
    };
    let other = open(url, settings).await;
    let bob = person(&other, None).await;
    assert_eq!(fen_of(&other, bob, NOON).await, first);
    assert_ne!(fen_of(&other, bob, after_days(1)).await, first);
    let mut boards = BTreeSet::from([first]);
    for day in 1..30 {
        boards.insert(fen_of(service, ada, after_days(day)).await);
    }
    assert_eq!(boards.len(), 30);
}

async fn the_first_list_counts(service: &Service) {
    let at = after_days(100);
    let ada = person(service, None).await;
    let progress = async || {
        let today = service.daily_today(Some(ada), at).await.expect("today");
        (
            today.progress,
            today.result.map(|r| r.score.found.len()),
            today.streak,
        )
    };
    assert_eq!(progress().await, (DailyProgress::New, None, 0));
    let early = service
        .daily_finish(ada, Day::from_timestamp(at), &[], at)
        .await;
    assert!(matches!(early, Err(DailyError::NotStarted)));
    let moves = legal(&fen_of(service, ada, at).await);
    assert_eq!(progress().await, (DailyProgress::Open, None, 0));
    // It is handed out again, and its time goes on.
    let later = at.after(Duration::from_secs(90));
    let again = service.daily_start(ada, later).await.expect("a board");
    assert_eq!(again.elapsed_ms, 90_000);
    let illegal: MoveText = "a1a8".parse().expect("a move");
    let list = [&moves[..2], &[illegal]].concat();
    let result = service
        .daily_finish(ada, Day::from_timestamp(at), &list, later)
        .await;
    let result = result.expect("a result");
    assert_eq!(result.took_ms, Some(90_000));
    assert_eq!(result.score.found.len(), 2);
    assert_eq!(result.score.missed.len(), moves.len() - 2);
    // A second list, with all moves, changes nothing.
    let second = service
        .daily_finish(ada, Day::from_timestamp(at), &moves, later.after(DAY / 24))
        .await;
    assert_eq!(second.expect("the same"), result);
    assert_eq!(progress().await, (DailyProgress::Finished, Some(2), 1));
}

async fn lists_are_compared(service: &Service) {
    let at = after_days(110);
    for missing in [0, 1, 4] {
        let one = person(service, None).await;
        play(service, one, missing, at).await;
    }
    let you = person(service, None).await;
    let result = play(service, you, 1, at).await;
    let legal = i64::from(result.score.legal);
    assert_eq!((result.others, result.beaten), (3, 1));
    assert_eq!(result.median_found, Some(legal - 1));
    // As many moves in less time are better.
    let quick = person(service, None).await;
    let moves = super::daily::legal(&result.fen);
    fen_of(service, quick, at).await;
    let soon = at.after(Duration::from_secs(9));
    let list = &moves[..moves.len() - 1];
    let result = service
        .daily_finish(quick, Day::from_timestamp(at), list, soon)
        .await;
    assert_eq!(result.expect("a result").beaten, 3);
}

async fn days_in_a_row_are_counted(service: &Service) {
    let ada = person(service, None).await;
    for (day, expected) in [(200, 1), (201, 2), (202, 3), (204, 1)] {
        let result = play(service, ada, 0, after_days(day)).await;
        assert_eq!(result.streak, expected, "day {day}");
    }
    let today = service.daily_today(Some(ada), after_days(205)).await;
    let today = today.expect("today");
    assert_eq!(today.week, [false, true, true, true, false, true, false]);
    assert_eq!(today.streak, 1);
}

/// A list that was begun before midnight counts for an hour after it; later it is scored, too.
async fn late_lists_do_not_count(service: &Service) {
    let today = after_days(301);
    let day = Day::from_timestamp(today);
    for (minutes, counted) in [(59, true), (61, false)] {
        let one = person(service, None).await;
        let moves = legal(&fen_of(service, one, today).await);
        let end = day.end().after(Duration::from_mins(minutes));
        let result = service.daily_finish(one, day, &moves, end).await;
        let result = result.expect("a result");
        assert_eq!(result.counted, counted, "{minutes}");
        assert_eq!(result.took_ms.is_some(), counted, "{minutes}");
        assert_eq!(result.score.found.len(), moves.len());
    }
}

/// They are exported and deleted with all that is theirs, and nobody who has one is idle.
async fn lists_belong_to_their_people(service: &Service) {
    let ada = person(service, None).await;
    play(service, ada, 1, after_days(350)).await;
    fen_of(service, ada, after_days(351)).await;
    service
        .forget_idle(after_days(2000))
        .await
        .expect("forgotten");
    let export = service.export_person(ada).await.expect("read");
    let export = export.expect("a person who is still there").text();
    let export: Value = serde_json::from_str(&export).expect("JSON");
    let boards = export["boards_of_the_day"].as_array().expect("a list");
    assert_eq!(boards.len(), 2, "{boards:?}");
    assert_eq!(
        boards[0]["day"],
        Day::from_timestamp(after_days(350)).to_string()
    );
    assert_eq!(boards[0]["took_ms"], 60_000);
    assert_eq!(boards[1]["finished_at"], Value::Null);
    assert!(service.delete_person(ada).await.expect("deleted"));
}

async fn the_crowds_positions_are_never_boards(service: &Service) {
    let suite = epd::suites::find("edge").expect("a suite").text;
    let imported = service.import(suite.as_bytes(), plan("edge", false), NOON);
    imported.await.expect("an import");
    let suite = suite
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect::<Vec<_>>()
        .join("\n");
    let ada = person(service, None).await;
    for day in 400..430 {
        let fen = fen_of(service, ada, after_days(day)).await;
        let placement: Vec<&str> = fen.split(' ').take(2).collect();
        assert!(!suite.contains(&placement.join(" ")), "{fen}");
    }
}

async fn start(person: &mut Person) -> Value {
    person.ask("/api/v1/daily/start", &json!({})).await
}

#[tokio::test]
async fn nothing_before_the_end_depends_on_the_rules() {
    let server = server().await;
    let mut ada = server.person(None).await;
    let home = ada.get("/").await.text();
    let given = start(&mut ada).await;
    let mut members: Vec<&String> = given.as_object().expect("an object").keys().collect();
    members.sort();
    assert_eq!(members, ["day", "elapsed_ms", "fen", "side_to_move"]);
    // Before it is handed out, the position is nowhere.
    let placement = given["fen"]
        .as_str()
        .and_then(|fen| fen.split(' ').next())
        .expect("a FEN");
    let today = ada.get("/api/v1/daily").await.text();
    for (what, text) in [("home", home), ("today", today)] {
        assert!(!text.contains(placement), "{what}");
    }
    let today = ada.get("/api/v1/daily").await.json();
    assert_eq!(
        (&today["progress"], &today["result"]),
        (&json!("open"), &Value::Null)
    );
}

#[tokio::test]
async fn bodies_that_are_none_are_rejected() {
    let server = server().await;
    let mut ada = server.person(None).await;
    let day = start(&mut ada).await["day"].clone();
    let many = vec!["e2e4"; 501];
    for (body, slug) in [
        (json!({"day": day, "moves": ["e2"]}), "not-a-move"),
        (json!({"day": day, "moves": many}), "bad-request"),
        (json!({"day": "today", "moves": []}), "bad-request"),
        (json!({"day": day}), "bad-request"),
    ] {
        let answer = ada.post("/api/v1/daily/finish", &body).await;
        assert_problem(&answer, 400, slug);
    }
    let mut eve = server.person(None).await;
    let body = json!({"day": day, "moves": []});
    let answer = eve.post("/api/v1/daily/finish", &body).await;
    assert_problem(&answer, 409, "not-started");
    let answer = server
        .visitor()
        .post("/api/v1/daily/start", &json!({}))
        .await;
    assert_problem(&answer, 401, "no-session");
    // None of it was the list that counts.
    let done = ada
        .ask(
            "/api/v1/daily/finish",
            &json!({"day": day, "moves": ["a1a2"]}),
        )
        .await;
    assert_eq!(
        done["found"].as_array().map_or(0, Vec::len) + done["wrong"].as_array().map_or(0, Vec::len),
        1
    );
}
