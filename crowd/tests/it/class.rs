//! Classes and quizzes: on both databases, over the API, and as pages.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::http::Method;
use chess::notation::fen;
use crowd::candidates::legal_texts;
use crowd::class::{ClassCode, KEPT_DAYS, MOST_STUDENTS, Theme};
use crowd::model::{MoveText, PlayerName};
use crowd::service::{ClassError, ClassSource, ClassToken, NewClass, Service, Settings};
use serde_json::{Value, json};

use crate::common::web::{FORM, JSON, Server, assert_problem, limited, server};
use crate::common::{Base, NOON};

fn moves(text: &str) -> Vec<MoveText> {
    let texts = text.split_whitespace();
    texts.map(|text| text.parse().expect("a move")).collect()
}

fn name(text: &str) -> PlayerName {
    text.parse().expect("a name")
}

/// A pawn and a king with six moves, and castling on one side with 15.
const LINES: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n4k3/8/8/8/8/8/8/4K2R w K - 0 1\n";

fn new(at_end: bool, seconds: Option<u64>) -> NewClass {
    NewClass {
        title: "First lesson".parse().expect("a title"),
        source: ClassSource::Lines(LINES.to_owned()),
        time_limit: seconds.map(Duration::from_secs),
        at_end,
    }
}

async fn made(service: &Service, new: &NewClass) -> (ClassCode, ClassToken) {
    service.make_class(new, NOON).await.expect("a class")
}

mod sqlite {
    #[tokio::test(flavor = "multi_thread")]
    async fn a_lesson() {
        super::a_lesson(super::Base::sqlite()).await;
    }
}

mod postgres {
    #[tokio::test(flavor = "multi_thread")]
    async fn a_lesson() {
        super::a_lesson(super::Base::postgres().await).await;
    }
}

/// One database, one story: two students, a time limit, answers in the end, deletion.
async fn a_lesson(base: Base) {
    let service = base.service(Settings::default()).await;
    let (code, teacher) = made(&service, &new(true, Some(60))).await;
    let ada = service.join_class(&code, &name("Ada"), NOON).await;
    let ada = ada.expect("joined");
    let again = service.join_class(&code, &name("ADA"), NOON).await;
    assert!(matches!(again, Err(ClassError::NameTaken)), "{again:?}");
    let ben = service.join_class(&code, &name("ben"), NOON).await;
    let ben = ben.expect("the failed one took no place");

    let list = moves("e2e3 e2e4 e1d1 e1d2 e1f1 e1f2");
    let early = service
        .finish_class_position(&code, &ada, 1, &list, NOON)
        .await;
    assert!(matches!(early, Err(ClassError::NotStarted)), "{early:?}");
    let stranger = service.student_state(&code, &teacher).await;
    assert!(
        matches!(stranger, Err(ClassError::NotJoined)),
        "{stranger:?}"
    );
    let beyond = service.start_class_position(&code, &ada, 3, NOON).await;
    assert!(
        matches!(beyond, Err(ClassError::NoPosition { .. })),
        "{beyond:?}"
    );

    // The time begins once, and a list that is a little late is not.
    let seconds = |s| NOON.after(Duration::from_secs(s));
    for (token, started, finished, number, text) in [
        (&ada, 0, 70, 1, "e2e3 e2e4 e1d1 e1d2 e1f1 e1f2"),
        (&ben, 0, 71, 1, "e2e3 e2e5 e2e3"),
        (&ada, 80, 90, 2, "e1g1 e1h1"),
    ] {
        let start = service
            .start_class_position(&code, token, number, seconds(started))
            .await;
        assert_eq!(start.expect("a position").elapsed_ms, 0);
        let start = service
            .start_class_position(&code, token, number, seconds(finished))
            .await;
        let elapsed = i64::try_from(finished - started).expect("few") * 1000;
        assert_eq!(start.expect("the same").elapsed_ms, elapsed);
        let (list, at) = (moves(text), seconds(finished));
        let done = service.finish_class_position(&code, token, number, &list, at);
        let result = done.await.expect("finished");
        // Answers are shown to who has finished all.
        assert_eq!(result.is_some(), number == 2);
    }
    let hidden = service.class_result(&code, &ben, 1).await;
    assert!(matches!(hidden, Err(ClassError::NotShown)), "{hidden:?}");
    let late = service
        .finish_class_position(&code, &ada, 1, &[], seconds(99))
        .await;
    let first = late.expect("finished").expect("shown");
    assert_eq!(
        (first.score.found.len(), first.took_ms, first.late),
        (6, Some(70_000), false)
    );
    let state = service.student_state(&code, &ada).await.expect("a state");
    let counts = state
        .answers
        .iter()
        .map(|one| (one.found, one.wrong, one.legal));
    assert_eq!(
        counts.collect::<Vec<_>>(),
        [(Some(6), Some(0), Some(6)), (Some(1), Some(0), Some(15))]
    );
    let state = service.student_state(&code, &ben).await.expect("a state");
    assert_eq!((state.answers.len(), state.answers[0].found), (1, None));

    let table = service
        .class_overview(&teacher)
        .await
        .expect("a table")
        .table;
    let rows: Vec<_> = table
        .students
        .iter()
        .map(|row| {
            (
                row.name.as_str(),
                row.finished(),
                row.sum.found,
                row.sum.wrong,
                row.sum.late,
            )
        })
        .collect();
    assert_eq!(rows, [("Ada", 2, 7, 0, false), ("ben", 1, 1, 1, true)]);

    // Nothing of it is the crowd's.
    let counts = service.counts().await.expect("counts");
    assert_eq!(
        (counts.contributors, counts.lists, counts.test_cases),
        (0, 0, 0)
    );

    kept_for_its_time(&service, &code, &teacher, &ada).await;
}

/// A class is kept for its time, unless its teacher deletes it.
async fn kept_for_its_time(
    service: &Service,
    code: &ClassCode,
    teacher: &ClassToken,
    student: &ClassToken,
) {
    let (other, other_teacher) = made(service, &new(false, None)).await;
    service.delete_class(&other_teacher).await.expect("deleted");
    let gone = service.class_info(&other).await;
    assert!(matches!(gone, Err(ClassError::NoClass)), "{gone:?}");
    let end = NOON.after(Duration::from_hours(24) * KEPT_DAYS);
    service.upkeep(end).await.expect("upkeep");
    assert!(service.class_info(code).await.is_ok());
    service
        .upkeep(end.after(Duration::from_millis(1)))
        .await
        .expect("upkeep");
    for gone in [
        service.class_info(code).await.map(drop),
        service.student_state(code, student).await.map(drop),
        service.class_overview(teacher).await.map(drop),
        service.delete_class(teacher).await,
    ] {
        assert!(matches!(gone, Err(ClassError::NoClass)), "{gone:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_class_has_a_largest_size() {
    // The folder of the database lives as long as this.
    let base = Base::sqlite();
    let service = base.service(Settings::default()).await;
    let (code, teacher) = made(&service, &new(false, None)).await;
    for number in 0..MOST_STUDENTS {
        let joined = service
            .join_class(&code, &name(&format!("s{number}")), NOON)
            .await;
        joined.expect("there is room");
    }
    let full = service.join_class(&code, &name("one more"), NOON).await;
    assert!(matches!(full, Err(ClassError::Full)), "{full:?}");
    let overview = service.class_overview(&teacher).await.expect("a table");
    assert_eq!(
        (overview.info.students, overview.table.students.len()),
        (500, 500)
    );
    let set = NewClass {
        source: ClassSource::Theme(Theme::Mixed, 1000),
        ..new(false, None)
    };
    let (code, _) = made(&service, &set).await;
    assert_eq!(
        service.class_info(&code).await.expect("a class").positions,
        50
    );
}

const SET: &str =
    "title=First+lesson&source=own&theme=mixed&count=5&limit=60&answers=each&positions=";

/// Sends the form of a class; gives the teacher's page.
async fn made_by_form(server: &Server) -> String {
    let lines = LINES
        .replace(' ', "+")
        .replace('\n', "%0D%0A")
        .replace('/', "%2F");
    let answer = server
        .visitor()
        .form("/class/new", format!("{SET}{lines}"))
        .await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    answer.header("location").to_owned()
}

/// The code that the teacher's page shows.
fn code_of(page: &str) -> String {
    let (_, rest) = page
        .split_once("href=\"/class/")
        .expect("the students' link");
    rest[..6].to_owned()
}

#[tokio::test]
async fn a_teacher_needs_no_script() {
    let server = server().await;
    let mut teacher = server.visitor();
    let bad = teacher
        .form("/class/new", format!("{SET}4k3%2F8+w%0D%0A%3Cb%3E"))
        .await;
    assert_eq!(bad.status, 400);
    let text = bad.text();
    assert!(
        text.contains("Line 1, column") && text.contains("Line 2, column"),
        "{text}"
    );
    assert!(
        text.contains("&#60;b&#62;") && !text.contains("<b>"),
        "the lines are in the form again"
    );
    let untitled = teacher
        .form("/class/new", SET.replace("First+lesson", "+"))
        .await;
    assert!(untitled.status == 400 && untitled.text().contains("1 to 80 characters"));

    let page = made_by_form(&server).await;
    let empty = teacher.get(&page).await.text();
    assert!(
        empty.contains("Nobody has joined yet") && empty.contains("Time limit: 1 minute"),
        "{empty}"
    );
    let code = code_of(&empty);
    let class = teacher
        .get(&format!("/class/{}", code.to_lowercase()))
        .await;
    assert_eq!(class.status, 200);
    let found = teacher
        .get(&format!("/class?code={}-{}", &code[..3], &code[3..]))
        .await;
    assert_eq!(
        (found.status.as_u16(), found.header("location")),
        (303, format!("/class/{code}").as_str())
    );
    let other = teacher.get("/class?code=BBB-BBB").await;
    assert!(other.status == 404 && other.text().contains("no such class"));

    let mut student = server.visitor();
    let joined = student
        .ask(
            &format!("/api/v1/classes/{code}/students"),
            &json!({"name": "<i>ada</i>"}),
        )
        .await;
    let bearer = format!("Bearer {}", joined["token"].as_str().expect("a token"));
    let headers = [JSON, ("authorization", bearer.as_str())];
    for (path, body) in [
        ("start", json!({"number": 1})),
        ("finish", json!({"number": 1, "moves": ["e2e4", "e2e5"]})),
    ] {
        let path = format!("/api/v1/classes/{code}/{path}");
        let answer = student
            .send(Method::POST, &path, &headers, body.to_string())
            .await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    let table = teacher.get(&page).await.text();
    assert!(
        table.contains("&#60;i&#62;ada") && !table.contains("<i>ada"),
        "{table}"
    );
    assert!(table.contains(">1/6 <span class=\"wrong\""), "{table}");
    assert!(
        table.contains("Position 1: White to move") && table.contains("missed by 1"),
        "{table}"
    );
    let csv = teacher.get(&format!("{page}/results.csv")).await;
    assert!(
        csv.header("content-disposition")
            .contains(&format!("class-{code}.csv"))
    );
    assert!(csv.text().starts_with("\u{feff}student,"), "{}", csv.text());
    assert_eq!(csv.text().lines().count(), 3);

    let gone = teacher.form(&format!("{page}/delete"), "").await;
    assert_eq!(gone.status, 303);
    for path in [
        &page,
        &format!("{page}/results.csv"),
        &format!("/class/{code}"),
    ] {
        assert_problem(&teacher.get(path).await, 404, "no-class");
    }
    let path = format!("/api/v1/classes/{code}/me");
    let answer = student.send(Method::GET, &path, &headers, "").await;
    assert_problem(&answer, 404, "no-class");
}

#[tokio::test]
async fn a_teacher_removes_a_student() {
    let server = server().await;
    let (mut teacher, mut student) = (server.visitor(), server.visitor());
    let page = made_by_form(&server).await;
    let code = code_of(&teacher.get(&page).await.text());
    let join = format!("/api/v1/classes/{code}/students");
    let joined = student.ask(&join, &json!({"name": "<i>ada</i>"})).await;
    let bearer = format!("Bearer {}", joined["token"].as_str().expect("a token"));
    let headers = [JSON, ("authorization", bearer.as_str())];
    let start = format!("/api/v1/classes/{code}/start");
    let body = json!({"number": 1}).to_string();
    let begun = student.send(Method::POST, &start, &headers, body).await;
    assert_eq!(begun.status, 200, "{}", begun.text());

    let remove = format!("{page}/remove");
    let choice = teacher.get(&remove).await.text();
    assert!(choice.contains("value=\"&#60;i&#62;ada"), "{choice}");
    for _ in 0..2 {
        let removed = teacher.form(&remove, "student=%3CI%3EAda%3C%2Fi%3E").await;
        assert_eq!(removed.status, 303);
        let text = teacher.get(&page).await.text();
        assert!(text.contains("Nobody has joined"), "{text}");
    }
    let path = format!("/api/v1/classes/{code}/me");
    let answer = student.send(Method::GET, &path, &headers, "").await;
    assert_problem(&answer, 401, "not-joined");
    student.ask(&join, &json!({"name": "<i>ada</i>"})).await;
    assert_problem(&student.get("/teach/xyz/remove").await, 404, "no-class");
}

#[tokio::test]
async fn who_mistypes_an_address_gets_the_form_for_the_code() {
    let server = server().await;
    let mut student = server.visitor();
    let html = [("accept", "text/html")];
    for path in ["/class/BBBBBB", "/class/%3Ci%3E"] {
        let form = student.send(Method::GET, path, &html, "").await;
        assert_eq!(form.status, 404, "{path}");
        let text = form.text();
        assert!(
            text.contains("code-error") && !text.contains("<i>"),
            "{path}: {text}"
        );
    }
    // Sites on which a link is shared add parameters.
    let shared = student.get("/quiz?theme=pins&seed=3&fbclid=x").await;
    assert_eq!(shared.status, 200, "{}", shared.text());
}

#[tokio::test]
async fn nothing_hints_at_the_answer_before_a_list_is_finished() {
    let server = server().await;
    let page = made_by_form(&server).await;
    let code = code_of(&server.visitor().get(&page).await.text());
    let mut student = server.visitor();
    let at = format!("/api/v1/classes/{code}");
    let joined = student
        .ask(&format!("{at}/students"), &json!({"name": "ada"}))
        .await;
    let bearer = format!("Bearer {}", joined["token"].as_str().expect("a token"));
    let headers = [JSON, ("authorization", bearer.as_str())];
    let body = json!({"number": 2}).to_string();
    let given = student
        .send(Method::POST, &format!("{at}/start"), &headers, body)
        .await
        .json();
    let keys: BTreeSet<&String> = given.as_object().expect("an object").keys().collect();
    let expected = [
        "elapsed_ms",
        "fen",
        "number",
        "side_to_move",
        "time_limit_ms",
    ]
    .map(str::to_owned);
    assert_eq!(keys, expected.iter().collect());
    let state = student
        .send(Method::GET, &format!("{at}/me"), &headers, "")
        .await
        .json();
    let open = json!({"number": 2, "finished": false, "late": false, "found": null, "wrong": null, "legal": null});
    assert_eq!(state["answers"], json!([open]));
    let result = student
        .send(Method::GET, &format!("{at}/results/2"), &headers, "")
        .await;
    assert_problem(&result, 409, "not-shown");
    let nameless = student
        .post(&format!("{at}/students"), &json!({"name": "\u{200B}"}))
        .await;
    assert_problem(&nameless, 400, "bad-name");
    let taken = student
        .post(&format!("{at}/students"), &json!({"name": "Ada "}))
        .await;
    assert_problem(&taken, 409, "nickname-taken");
    let without = student.get(&format!("{at}/me")).await;
    assert_problem(&without, 401, "not-joined");
}

#[tokio::test]
async fn a_quiz_is_scored_and_nothing_is_kept() {
    let server = server().await;
    let mut person = server.visitor();
    let quiz = person
        .get("/api/v1/quiz?theme=castling&seed=7")
        .await
        .json();
    let positions = quiz["positions"].as_array().expect("positions");
    assert_eq!(positions.len(), 10);
    let keys: Vec<&String> = positions[0]
        .as_object()
        .expect("an object")
        .keys()
        .collect();
    assert_eq!(keys, ["fen", "side_to_move"]);
    let text = positions[9]["fen"].as_str().expect("a FEN");
    let legal = legal_texts(&fen::parse(text).expect("a position"));
    let mut list: Vec<&str> = legal.iter().map(MoveText::as_str).collect();
    list.pop();
    let body = json!({"theme": "castling", "seed": 7, "number": 10, "moves": list});
    let result = person.ask("/api/v1/quiz/score", &body).await;
    assert_eq!(
        (result["fen"].as_str(), result["legal"].as_u64()),
        (Some(text), Some(legal.len() as u64))
    );
    assert_eq!(result["missed"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&result["took_ms"], &result["wrong"]),
        (&Value::Null, &json!([]))
    );
    for (change, status) in [
        (json!({"number": 11}), 404),
        (json!({"number": 0}), 404),
        (json!({"theme": "none"}), 400),
        (json!({"moves": vec!["e2e4"; 501]}), 400),
        (json!({"moves": ["e2"]}), 400),
        (json!({"moves": ["a1a12"]}), 400),
    ] {
        let mut body = body.clone();
        for (key, value) in change.as_object().expect("an object") {
            body[key] = value.clone();
        }
        let answer = person.post("/api/v1/quiz/score", &body).await;
        assert_eq!(answer.status, status, "{change}: {}", answer.text());
    }
}

#[tokio::test]
async fn one_address_makes_only_so_many_classes() {
    let server = limited(|limits| limits.new_classes = 1).await;
    made_by_form(&server).await;
    let more = server.send(Method::POST, "/class/new", &[FORM], SET).await;
    assert_problem(&more, 429, "too-many-requests");
}
