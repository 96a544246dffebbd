//! The board of the day: on both databases, and over the API.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::http::Method;
use chess::notation::fen;
use crowd::candidates::legal_texts;
use crowd::daily::Day;
use crowd::model::{MoveText, Timestamp};
use crowd::service::{
    ARCHIVE_DAYS, ContributorId, DailyError, DailyProgress, DailyResult, Service, Settings,
};
use serde_json::{Value, json};

use crate::common::web::{Person, assert_problem, now, server};
use crate::common::{Base, NOON, open, person, plan};

const DAY: Duration = Duration::from_hours(24);

fn after_days(days: u32) -> Timestamp {
    NOON.after(DAY * days)
}

async fn fen_of(service: &Service, id: ContributorId, day: Option<Day>, at: Timestamp) -> String {
    let given = service.daily_start(id, day, at).await;
    given.expect("a board").fen
}

fn legal(text: &str) -> Vec<MoveText> {
    let position = fen::parse(text).expect("a position");
    legal_texts(&position).into_iter().collect()
}

/// Begins a list and finishes it a minute later, with all legal moves but so many.
async fn play(service: &Service, id: ContributorId, missing: usize, at: Timestamp) -> DailyResult {
    let moves = legal(&fen_of(service, id, None, at).await);
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
    days_before_do_not_count(&service).await;
    lists_belong_to_their_people(&service).await;
    the_crowds_positions_are_never_boards(&service).await;
}

async fn everybody_gets_the_same(service: &Service, url: &str) {
    let ada = person(service, None).await;
    let first = fen_of(service, ada, None, NOON).await;
    // Another server on the same database, whose seed would choose otherwise.
    let settings = Settings {
        seed: 77,
        ..Settings::default()
    };
    let other = open(url, settings).await;
    let bob = person(&other, None).await;
    assert_eq!(fen_of(&other, bob, None, NOON).await, first);
    assert_ne!(fen_of(&other, bob, None, after_days(1)).await, first);
    let mut boards = BTreeSet::new();
    for board in service.past_boards(NOON).await.expect("boards") {
        boards.insert(board.fen);
    }
    assert_eq!(boards.len(), usize::try_from(ARCHIVE_DAYS).expect("few"));
    assert!(!boards.contains(&first));
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
    let moves = legal(&fen_of(service, ada, None, at).await);
    assert_eq!(progress().await, (DailyProgress::Open, None, 0));
    // It is handed out again, and its time goes on.
    let later = at.after(Duration::from_secs(90));
    let again = service
        .daily_start(ada, None, later)
        .await
        .expect("a board");
    assert_eq!((again.elapsed_ms, again.counted), (90_000, true));
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
    fen_of(service, quick, None, at).await;
    let soon = at.after(Duration::from_secs(9));
    let list = &moves[..moves.len() - 1];
    let result = service
        .daily_finish(quick, Day::from_timestamp(at), list, soon)
        .await;
    assert_eq!(result.expect("a result").beaten, 3);
    let board = service
        .past_board(Day::from_timestamp(at), after_days(111))
        .await;
    let board = board.expect("read").expect("a board");
    assert_eq!(board.lists, 5);
    let missed: Vec<usize> = board.moves.iter().map(|one| one.missed).collect();
    assert!(missed.starts_with(&[4, 1, 1, 1, 0]), "{missed:?}");
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

async fn days_before_do_not_count(service: &Service) {
    let ada = person(service, None).await;
    let (at, today) = (after_days(300), after_days(301));
    let day = Day::from_timestamp(at);
    let moves = legal(&fen_of(service, ada, Some(day), today).await);
    let result = service.daily_finish(ada, day, &moves, today).await;
    let result = result.expect("a result");
    assert_eq!(
        (result.counted, result.took_ms, result.streak),
        (false, None, 0)
    );
    assert_eq!(result.score.missed.len(), 0);
    for other in [day.before(ARCHIVE_DAYS), Day(day.0 + 2)] {
        let given = service.daily_start(ada, Some(other), today).await;
        assert!(matches!(given, Err(DailyError::NoBoard(_))), "{other}");
        let board = service.past_board(other, today).await.expect("read");
        assert_eq!(board, None);
    }
    // The answer is out when the day is over.
    assert_eq!(service.past_board(day, at).await.expect("read"), None);
    // A list that was begun before midnight counts for an hour after it.
    let midnight = Day::from_timestamp(today).end();
    let late = midnight.after(Duration::from_mins(30));
    for (minutes, counted) in [(59, true), (61, false)] {
        let one = person(service, None).await;
        fen_of(service, one, None, today).await;
        let end = midnight.after(Duration::from_mins(minutes));
        let result = service
            .daily_finish(one, Day::from_timestamp(today), &[], end)
            .await;
        assert_eq!(result.expect("a result").counted, counted, "{minutes}");
    }
    assert_ne!(Day::from_timestamp(late), Day::from_timestamp(today));
}

/// They are exported and deleted with all that is theirs, and nobody who has one is idle.
async fn lists_belong_to_their_people(service: &Service) {
    let ada = person(service, None).await;
    play(service, ada, 1, after_days(350)).await;
    fen_of(service, ada, None, after_days(351)).await;
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
    let board = service
        .past_board(Day::from_timestamp(after_days(350)), after_days(351))
        .await;
    assert_eq!(board.expect("read").expect("a board").lists, 0);
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
    for board in service.past_boards(after_days(400)).await.expect("boards") {
        let placement: Vec<&str> = board.fen.split(' ').take(2).collect();
        assert!(!suite.contains(&placement.join(" ")), "{}", board.fen);
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
    assert_eq!(
        members,
        ["counted", "day", "elapsed_ms", "fen", "side_to_move"]
    );
    // Before it is handed out, the position is nowhere.
    let placement = given["fen"]
        .as_str()
        .and_then(|fen| fen.split(' ').next())
        .expect("a FEN");
    let today = ada.get("/api/v1/daily").await.text();
    let day = given["day"].as_str().expect("a day");
    for (what, text) in [
        ("home", home),
        ("today", today),
        ("embed", ada.get("/embed/daily").await.text()),
    ] {
        assert!(!text.contains(placement), "{what}");
    }
    for path in [format!("/daily/{day}"), format!("/daily/{day}/play")] {
        assert_eq!(ada.get(&path).await.status, 404, "{path}");
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
    let far = json!({"day": "2199-01-01", "moves": []});
    assert_problem(
        &ada.post("/api/v1/daily/finish", &far).await,
        404,
        "not-found",
    );
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

#[tokio::test]
async fn only_embedded_pages_may_be_in_frames_of_other_sites() {
    let server = server().await;
    let mut visitor = server.visitor();
    let yesterday = Day::from_timestamp(now()).before(1);
    let board = "/embed/board?fen=4k3/8/8/8/8/8/4P3/4K3%20w%20-%20-%200%201&arrows=e2e4,e1d1&orientation=black&theme=dark";
    for (path, is_open) in [
        ("/embed/daily", true),
        (board, true),
        ("/", false),
        ("/daily", false),
        (&format!("/daily/{yesterday}"), false),
        (&format!("/daily/{yesterday}/play"), false),
    ] {
        let answer = visitor.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        let policy = answer.header("content-security-policy");
        let expected = if is_open {
            "frame-ancestors *;"
        } else {
            "frame-ancestors 'none';"
        };
        assert!(policy.contains(expected), "{path}: {policy}");
        assert!(policy.starts_with("default-src 'self';"), "{policy}");
        let has_cookie = answer
            .headers
            .iter()
            .any(|(name, _)| name.as_str() == "set-cookie");
        assert!(!has_cookie, "{path}");
        let text = answer.text();
        assert!(
            !is_open || !text.contains("<script") && !text.contains("<form"),
            "{path}"
        );
    }
    let text = visitor.get(board).await.text();
    assert!(
        text.contains("data-theme=\"dark\"") && text.contains("e2 to e4"),
        "{text}"
    );
    for query in [
        "",
        "fen=x",
        "fen=4k3/8/8/8/8/8/8/4K3%20w%20-%20-&arrows=e2",
        "fen=4k3/8/8/8/8/8/8/4K3%20w%20-%20-&theme=red",
    ] {
        let answer = visitor
            .send(Method::GET, &format!("/embed/board?{query}"), &[], "")
            .await;
        assert_problem(&answer, 400, "bad-request");
    }
    // Who embeds a wrong address reads why in the frame.
    let html = [("accept", "text/html")];
    for (query, why) in [
        ("fen=x", "there is no FEN"),
        ("fen=startpos&arrows=e2", "arrows: "),
        ("fen=startpos&theme=red", "theme: "),
    ] {
        let path = format!("/embed/board?{query}");
        let answer = visitor.send(Method::GET, &path, &html, "").await;
        assert_eq!(answer.status, 400, "{path}");
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("frame-ancestors *;"), "{path}: {policy}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        let text = answer.text();
        assert!(
            text.contains(why) && !text.contains("<nav"),
            "{path}: {text}"
        );
    }
    let start = "/embed/board?fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1";
    assert_eq!(visitor.get(start).await.status, 200);
}
