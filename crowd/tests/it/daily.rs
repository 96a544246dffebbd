//! The board of the day: on both databases, and over the API.

use std::collections::BTreeSet;
use std::time::Duration;

use chess::notation::fen;
use crowd::candidates::legal_texts;
use crowd::model::{Progress, Timestamp};
use crowd::service::{ContributorId, List, ListOutcome, ListResult, Service, Settings, Wanted};
use serde_json::{Value, json};

use crate::common::web::server;
use crate::common::{Base, NOON, add, finish, open, open_strict, person, plan};

const DAY: Duration = Duration::from_hours(24);

fn after_days(days: u32) -> Timestamp {
    NOON.after(DAY * days)
}

async fn begin(service: &Service, id: ContributorId, at: Timestamp) -> List {
    let begun = service.begin(id, Wanted::Today, at).await;
    begun.expect("the board of today")
}

fn legal(list: &List) -> Vec<String> {
    let position = fen::parse(&list.position.fen).expect("a position");
    let legal = legal_texts(&position).into_iter();
    legal.map(|mv| mv.to_string()).collect()
}

/// A move of an own piece to a square where it cannot go.
fn illegal(legal: &[String]) -> String {
    let from = &legal[0][..2];
    let squares = (b'a'..=b'h')
        .flat_map(|file| (3..7).map(move |rank| format!("{}{rank}", char::from(file))));
    let mut moves = squares
        .filter(|to| to != from)
        .map(|to| format!("{from}{to}"));
    let is_free = |mv: &String| !legal.iter().any(|one| one.starts_with(mv.as_str()));
    moves.find(is_free).expect("no piece goes everywhere")
}

async fn end(
    service: &Service,
    id: ContributorId,
    list: &List,
    moves: &[String],
    at: Timestamp,
) -> ListResult {
    let events = (1..).zip(moves).map(|(seq, mv)| add(seq, mv, seq));
    finish(service, id, list, events.collect(), at).await
}

/// Begins a list and finishes it after so many seconds, with all legal moves but so many.
async fn play(
    service: &Service,
    id: ContributorId,
    missing: usize,
    at: Timestamp,
    seconds: u64,
) -> ListResult {
    let list = begin(service, id, at).await;
    let moves = legal(&list);
    let later = at.after(Duration::from_secs(seconds));
    end(service, id, &list, &moves[..moves.len() - missing], later).await
}

#[tokio::test(flavor = "multi_thread")]
async fn days_in_sqlite() {
    days(Base::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn days_in_postgresql() {
    days(Base::postgres().await).await;
}

/// One database, one story: who lists what on which day.
async fn days(base: Base) {
    let service = base.service(Settings::default()).await;
    everybody_gets_the_same(&service, &base.url).await;
    the_first_list_counts(&service).await;
    lists_are_compared(&service).await;
    days_in_a_row_are_counted(&service).await;
    late_lists_do_not_count(&service).await;
    they_belong_to_their_people_and_are_no_evidence(&service).await;
    the_crowds_positions_are_never_boards(&service).await;
}

async fn everybody_gets_the_same(service: &Service, url: &str) {
    let ada = person(service, None).await;
    let first = begin(service, ada, NOON).await.position.fen;
    // Another server on the same database, whose seed would choose otherwise.
    let settings = Settings {
        seed: 77,
        ..Settings::default()
    };
    let other = open(url, settings).await;
    let bob = person(&other, None).await;
    assert_eq!(begin(&other, bob, NOON).await.position.fen, first);
    let mut boards = BTreeSet::from([first]);
    for day in 1..30 {
        let at = after_days(day);
        boards.insert(begin(service, ada, at).await.position.fen);
    }
    assert_eq!(boards.len(), 30);
}

async fn the_first_list_counts(service: &Service) {
    let at = after_days(100);
    let ada = person(service, None).await;
    let today = service.today(Some(ada), at).await.expect("today");
    assert_eq!((today.list, today.people, today.streak), (None, 0, 0));
    let list = begin(service, ada, at).await;
    // It is given again, and its time goes on.
    let later = at.after(Duration::from_secs(90));
    let again = begin(service, ada, later).await;
    assert_eq!(again.token, list.token);
    assert_eq!((again.elapsed_ms, again.state), (90_000, Progress::Open));
    let all = legal(&list);
    let moves = [&all[..2], &[illegal(&all)]].concat();
    let result = end(service, ada, &list, &moves, later).await;
    let score = result.score.as_ref().expect("it is known at once");
    assert_eq!(result.took_ms, Some(90_000));
    assert_eq!((score.found.len(), score.missed.len()), (2, all.len() - 2));
    assert_eq!(result.points, 1);
    // Its result is shown until it was seen, wherever that is.
    let unseen = service.unseen(ada).await.expect("asked");
    assert_eq!(unseen.as_ref(), Some(&list.token));
    service.seen(ada, &list.token).await.expect("noted");
    assert_eq!(service.unseen(ada).await.expect("asked"), None);
    let today = service.today(Some(ada), at).await.expect("today");
    let state = today.list.map(|list| list.state);
    assert_eq!(
        (state, today.people, today.streak),
        (Some(Progress::Finished), 1, 1)
    );
    assert_eq!(points_of(service, ada).await, 0);
}

/// The board of the day is a comparison of its own.
async fn points_of(service: &Service, id: ContributorId) -> i64 {
    crate::common::points(service, id).await
}

async fn lists_are_compared(service: &Service) {
    let at = after_days(110);
    for missing in [0, 1, 4] {
        let one = person(service, None).await;
        play(service, one, missing, at, 60).await;
    }
    let compared = async |missing, seconds| {
        let one = person(service, None).await;
        let result = play(service, one, missing, at, seconds).await;
        let day = result.day.expect("a comparison");
        (day.others, day.beaten, day.median_found)
    };
    let legal = i64::try_from(legal(&begin(service, person(service, None).await, at).await).len());
    let legal = legal.expect("few");
    assert_eq!(compared(1, 60).await, (3, 1, Some(legal - 1)));
    // As many moves in less time are better.
    let (others, beaten, _) = compared(1, 9).await;
    assert_eq!((others, beaten), (4, 3));
}

async fn days_in_a_row_are_counted(service: &Service) {
    let ada = person(service, None).await;
    for (day, expected) in [(200, 1), (201, 2), (202, 3), (204, 1)] {
        let result = play(service, ada, 0, after_days(day), 60).await;
        assert_eq!(
            result.day.map(|day| day.streak),
            Some(expected),
            "day {day}"
        );
    }
    let today = service.today(Some(ada), after_days(205)).await;
    assert_eq!(today.expect("today").streak, 1);
}

/// A list that was begun before midnight counts for an hour after it; later it is scored, too.
async fn late_lists_do_not_count(service: &Service) {
    let at = after_days(301);
    let end_of_day = Timestamp::of_day(at.day() + 1);
    for (minutes, late) in [(59, false), (61, true)] {
        let one = person(service, None).await;
        let list = begin(service, one, at).await;
        let ended = end_of_day.after(Duration::from_mins(minutes));
        let result = end(service, one, &list, &legal(&list), ended).await;
        assert_eq!(result.late, late, "{minutes}");
        let score = result.score.expect("it is scored");
        assert_eq!(score.missed.len(), 0);
        let people = service.today(None, at).await.expect("today").people;
        assert_eq!(people, 1, "{minutes}");
    }
}

/// They are exported and deleted with all that is theirs, and never count as lists of the crowd.
async fn they_belong_to_their_people_and_are_no_evidence(service: &Service) {
    let ada = person(service, None).await;
    play(service, ada, 1, after_days(350), 60).await;
    begin(service, ada, after_days(351)).await;
    let export = service.export_person(ada).await.expect("read");
    let export = export.expect("a person").text();
    let export: Value = serde_json::from_str(&export).expect("JSON");
    let boards = export["boards_of_the_day"].as_array().expect("a list");
    assert_eq!((boards.len(), &export["lists"]), (2, &json!([])));
    let day = after_days(350).date().to_string();
    assert_eq!(
        (&boards[0]["day"], &boards[0]["took_ms"]),
        (&json!(day), &json!(60_000))
    );
    assert_eq!(boards[1]["finished_at"], Value::Null);
    let report = service.upkeep(after_days(351)).await.expect("upkeep");
    assert_eq!((report.scored, report.flags, report.agreed), (0, 0, 0));
    assert_eq!(service.overlooked().await.expect("figures").lists, 0);
    assert!(service.delete_person(ada).await.expect("deleted"));
    let today = service.today(None, after_days(350)).await.expect("today");
    assert_eq!(today.people, 0);
}

async fn the_crowds_positions_are_never_boards(service: &Service) {
    let suite = epd::suites::find("edge").expect("a suite").text;
    let imported = service.import(suite.as_bytes(), plan("edge", false), NOON);
    imported.await.expect("an import");
    let lines = suite.lines().filter(|line| !line.starts_with('#'));
    let suite = lines.collect::<Vec<_>>().join("\n");
    for day in 400..430 {
        let today = service.today(None, after_days(day)).await.expect("today");
        let placement: Vec<&str> = today.position.fen.split(' ').take(2).collect();
        assert!(!suite.contains(&placement.join(" ")), "{placement:?}");
    }
}

#[tokio::test]
async fn nothing_before_the_end_depends_on_the_rules() {
    let server = server().await;
    let mut ada = server.person(None).await;
    let wish = json!({"purpose": "daily"});
    let given = ada.ask("/api/v1/lists", &wish).await;
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
    let token = given["list"].as_str().expect("a token");
    let result = ada
        .get(&format!("/api/v1/lists/{token}/result"))
        .await
        .json();
    assert_eq!(
        (&result["state"], &result["missed"]),
        (&json!("open"), &Value::Null)
    );
    // The page has all that its script begins with.
    let page = ada.get("/").await.text();
    assert!(
        page.contains("<template id=\"data\">{\"known\":true,\"today\":"),
        "{page}"
    );
}

/// Who looks at the board before the server knows of the list is no program, and what is no evidence is never held.
#[tokio::test]
async fn a_list_of_the_day_has_its_result_at_once() {
    let base = Base::sqlite();
    let service = open_strict(&base.url, Settings::default()).await;
    service
        .ensure_first_campaign(NOON)
        .await
        .expect("a campaign");
    let ada = person(&service, None).await;
    let list = begin(&service, ada, NOON).await;
    let moves = legal(&list);
    // A move is dated a minute after the server began to count, and received after a second.
    let events = (1..)
        .zip(&moves)
        .map(|(seq, mv)| add(seq, mv, 60_000 + seq));
    let later = NOON.after(Duration::from_secs(1));
    let result = finish(&service, ada, &list, events.collect(), later).await;
    assert_eq!(result.state, ListOutcome::Known);
}
