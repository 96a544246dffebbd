//! Classes and quizzes: on both databases, over the API, and as pages.

use std::time::Duration;

use axum::http::Method;
use crowd::class::{ClassCode, KEPT_DAYS, MOST_STUDENTS, Theme};
use crowd::model::{PlayerName, Timestamp};
use crowd::service::{
    BeginError, ClassError, ClassSource, ClassToken, ContributorId, ListOutcome, ListResult,
    NewClass, Service, Settings, Wanted,
};
use serde_json::json;

use crate::common::web::{FORM, Server, assert_problem, limited, server};
use crate::common::{Base, NOON, add, finish, person};

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

async fn joined(service: &Service, code: &ClassCode, as_name: &str) -> ContributorId {
    let id = person(service, None).await;
    let joined = service.join_class(id, code, &name(as_name), NOON).await;
    joined.expect("joined");
    id
}

fn seconds(s: u64) -> Timestamp {
    NOON.after(Duration::from_secs(s))
}

/// Lists a position, from one second to another.
async fn listed(
    service: &Service,
    (code, id): (&ClassCode, ContributorId),
    number: usize,
    moves: &str,
    (from, to): (u64, u64),
) -> ListResult {
    let wanted = Wanted::Class(code, Some(number));
    let list = service
        .begin(id, wanted, seconds(from))
        .await
        .expect("begun");
    assert_eq!(list.number, Some(number));
    let events = (1..)
        .zip(moves.split(' '))
        .map(|(seq, mv)| add(seq, mv, seq));
    finish(service, id, &list, events.collect(), seconds(to)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lesson_in_sqlite() {
    a_lesson(Base::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lesson_in_postgresql() {
    a_lesson(Base::postgres().await).await;
}

/// One database, one story: two students, a time limit, answers in the end, deletion.
async fn a_lesson(base: Base) {
    let service = base.service(Settings::default()).await;
    let (code, teacher) = made(&service, &new(true, Some(60))).await;
    let ada = joined(&service, &code, "Ada").await;
    let ben = person(&service, None).await;
    let again = service.join_class(ben, &code, &name("ADA"), NOON).await;
    assert!(matches!(again, Err(ClassError::NameTaken)), "{again:?}");
    let joined = service.join_class(ben, &code, &name("ben"), NOON).await;
    joined.expect("the failed one took no place");
    let stranger = person(&service, None).await;
    for (id, number) in [(stranger, Some(1)), (ada, Some(3))] {
        let refused = service.begin(id, Wanted::Class(&code, number), NOON).await;
        let expected = matches!(
            (&refused, number),
            (Err(BeginError::Class(ClassError::NotJoined)), Some(1))
                | (
                    Err(BeginError::Class(ClassError::NoPosition { .. })),
                    Some(3)
                )
        );
        assert!(expected, "{refused:?}");
    }

    // A list that is a little late is not, and answers are shown to who has finished all.
    let first = listed(
        &service,
        (&code, ada),
        1,
        "e2e3 e2e4 e1d1 e1d2 e1f1 e1f2",
        (0, 70),
    )
    .await;
    assert_eq!(
        (first.state, first.late, first.score),
        (ListOutcome::Hidden, false, None)
    );
    let late = listed(&service, (&code, ben), 1, "e2e3 e2e5", (0, 71)).await;
    assert_eq!((late.state, late.late), (ListOutcome::Hidden, true));
    let next = service
        .begin(ada, Wanted::Class(&code, None), seconds(80))
        .await;
    assert_eq!(next.expect("the first that is open").number, Some(2));
    let second = listed(&service, (&code, ada), 2, "e1g1", (80, 90)).await;
    let found = second.score.map(|score| (score.found.len(), score.legal));
    assert_eq!((second.state, found), (ListOutcome::Known, Some((1, 15))));
    let over = service
        .begin(ada, Wanted::Class(&code, None), seconds(99))
        .await;
    assert!(
        matches!(over, Err(BeginError::Class(ClassError::AllFinished))),
        "{over:?}"
    );
    let state = service.student_state(ada, &code).await.expect("a state");
    let counts = state
        .answers
        .iter()
        .map(|one| (one.found, one.wrong, one.legal));
    assert_eq!(
        counts.collect::<Vec<_>>(),
        [(Some(6), Some(0), Some(6)), (Some(1), Some(0), Some(15))]
    );
    let state = service.student_state(ben, &code).await.expect("a state");
    assert_eq!((state.answers.len(), state.answers[0].found), (1, None));

    let overview = service.class_overview(&teacher).await.expect("a table");
    let rows = overview.table.students.iter();
    let rows = rows.map(|row| {
        (
            row.name.as_str(),
            row.finished(),
            row.sum.found,
            row.sum.wrong,
            row.sum.late,
        )
    });
    let rows: Vec<_> = rows.collect();
    assert_eq!(rows, [("Ada", 2, 7, 0, false), ("ben", 1, 1, 1, true)]);

    // Nothing of it is evidence, or earns points.
    let report = service.upkeep(seconds(100)).await.expect("upkeep");
    assert_eq!((report.scored, report.flags, report.agreed), (0, 0, 0));
    assert_eq!(crate::common::points(&service, ada).await, 0);
    assert_eq!(service.counts().await.expect("counts").test_cases, 0);

    // A student who deletes everything is not in the table.
    assert!(service.delete_person(ben).await.expect("deleted"));
    let overview = service.class_overview(&teacher).await.expect("a table");
    assert_eq!(
        (overview.info.students, overview.table.students.len()),
        (1, 1)
    );
    kept_for_its_time(&service, &code, &teacher, ada).await;
}

/// A class is kept for its time, unless its teacher deletes it.
async fn kept_for_its_time(
    service: &Service,
    code: &ClassCode,
    teacher: &ClassToken,
    student: ContributorId,
) {
    let (other, other_teacher) = made(service, &new(false, None)).await;
    service.delete_class(&other_teacher).await.expect("deleted");
    let gone = service.class_info(&other).await;
    assert!(matches!(gone, Err(ClassError::NoClass)), "{gone:?}");
    let end = NOON.after(Duration::from_hours(24) * KEPT_DAYS);
    service.upkeep(end).await.expect("upkeep");
    assert!(service.class_info(code).await.is_ok());
    let after = end.after(Duration::from_millis(1));
    service.upkeep(after).await.expect("upkeep");
    for gone in [
        service.class_info(code).await.map(drop),
        service.student_state(student, code).await.map(drop),
        service.class_overview(teacher).await.map(drop),
        service.delete_class(teacher).await,
    ] {
        assert!(matches!(gone, Err(ClassError::NoClass)), "{gone:?}");
    }
    // The person is still there, without lists.
    let export = service.export_person(student).await.expect("read");
    let export = export.expect("a person").text();
    assert!(
        export.contains("\"lists\": []") && export.contains("\"classes\": []"),
        "{export}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_class_has_a_largest_size() {
    // The folder of the database lives as long as this.
    let base = Base::sqlite();
    let service = base.service(Settings::default()).await;
    let (code, teacher) = made(&service, &new(false, None)).await;
    for number in 0..MOST_STUDENTS {
        joined(&service, &code, &format!("s{number}")).await;
    }
    let one_more = person(&service, None).await;
    let full = service
        .join_class(one_more, &code, &name("one more"), NOON)
        .await;
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
    let info = service.class_info(&code).await.expect("a class");
    assert_eq!(info.positions, 50);
}

const SET: &str =
    "title=First+lesson&source=own&theme=mixed&count=5&limit=60&answers=each&positions=";

/// Sends the form of a class; gives the teacher's page.
async fn made_by_form(server: &Server) -> String {
    let lines = LINES
        .replace(' ', "+")
        .replace('\n', "%0D%0A")
        .replace('/', "%2F");
    let form = format!("{SET}{lines}");
    let answer = server.visitor().form("/class/new", form).await;
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
        "{text}"
    );
    let titled = SET.replace("First+lesson", &"x".repeat(81));
    let too_long = teacher.form("/class/new", titled).await;
    assert!(too_long.status == 400 && too_long.text().contains("1 to 80 characters"));
    let untitled = SET.replace("First+lesson", "+") + "4k3/8/8/8/8/8/4P3/4K3+w+-+-+0+1";
    let untitled = teacher.form("/class/new", untitled).await;
    assert_eq!(untitled.status, 303, "{}", untitled.text());

    let page = made_by_form(&server).await;
    let empty = teacher.get(&page).await.text();
    let is_empty = empty.contains("Nobody has joined yet");
    assert!(
        is_empty && empty.contains("Time limit: 1 minute"),
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
    let place = format!("/class/{code}");
    assert_eq!(
        (found.status.as_u16(), found.header("location")),
        (303, place.as_str())
    );
    let other = teacher.get("/class?code=BBB-BBB").await;
    assert!(other.status == 404 && other.text().contains("No class has this code"));

    let mut student = server.person(None).await;
    let join = format!("/api/v1/classes/{code}/students");
    student.ask(&join, &json!({"name": "<i>ada</i>"})).await;
    let list = student
        .ask("/api/v1/lists", &json!({"purpose": "class", "class": code}))
        .await;
    let finish = format!(
        "/api/v1/lists/{}/finish",
        list["list"].as_str().expect("a token")
    );
    let event = |seq: u32, mv| json!({"seq": seq, "op": "add", "move": mv, "at_ms": 1});
    let events = [event(1, "e2e4"), event(2, "e2e5")];
    let result = student
        .ask(&finish, &json!({"events": events, "count": 2}))
        .await;
    assert_eq!(
        (&result["state"], &result["legal"]),
        (&json!("known"), &json!(6))
    );
    let table = teacher.get(&page).await.text();
    assert!(
        table.contains("&#60;i&#62;ada") && !table.contains("<i>ada"),
        "{table}"
    );
    assert!(table.contains(">1/6 <span class=\"wrong\""), "{table}");
    let of_position = table.contains("Position 1: White to move");
    assert!(of_position && table.contains("missed by 1"), "{table}");
    let csv = teacher.get(&format!("{page}/results.csv")).await;
    let file = csv.header("content-disposition");
    assert!(file.contains(&format!("class-{code}.csv")), "{file}");
    assert!(csv.text().starts_with("\u{feff}student,"), "{}", csv.text());
    assert_eq!(csv.text().lines().count(), 3);

    let gone = teacher.form(&format!("{page}/delete"), "").await;
    assert_eq!(gone.status, 303);
    let me = format!("/api/v1/classes/{code}/me");
    for path in [
        &page,
        &format!("{page}/results.csv"),
        &format!("/class/{code}"),
        &me,
    ] {
        assert_problem(&student.get(path).await, 404, "no-class");
    }
}

#[tokio::test]
async fn a_teacher_removes_a_student() {
    let server = server().await;
    let mut teacher = server.visitor();
    let mut student = server.person(None).await;
    let page = made_by_form(&server).await;
    let code = code_of(&teacher.get(&page).await.text());
    let join = format!("/api/v1/classes/{code}/students");
    student.ask(&join, &json!({"name": "<i>ada</i>"})).await;
    let wish = json!({"purpose": "class", "class": code, "number": 1});
    student.ask("/api/v1/lists", &wish).await;

    let remove = format!("{page}/remove");
    let choice = teacher.get(&remove).await.text();
    assert!(choice.contains("value=\"&#60;i&#62;ada"), "{choice}");
    for _ in 0..2 {
        let removed = teacher.form(&remove, "student=%3CI%3EAda%3C%2Fi%3E").await;
        assert_eq!(removed.status, 303);
        let text = teacher.get(&page).await.text();
        assert!(text.contains("Nobody has joined"), "{text}");
    }
    let me = student.get(&format!("/api/v1/classes/{code}/me")).await;
    assert_problem(&me, 409, "not-joined");
    assert_problem(
        &student.post("/api/v1/lists", &wish).await,
        409,
        "not-joined",
    );
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
    let shared = student.get("/class?fbclid=x").await;
    assert_eq!(shared.status, 200, "{}", shared.text());
}

#[tokio::test]
async fn names_of_a_class_are_checked() {
    let server = server().await;
    let page = made_by_form(&server).await;
    let code = code_of(&server.visitor().get(&page).await.text());
    let join = format!("/api/v1/classes/{code}/students");
    let mut ada = server.person(None).await;
    ada.ask(&join, &json!({"name": "ada"})).await;
    let mut ben = server.person(None).await;
    let nameless = ben.post(&join, &json!({"name": "\u{200B}"})).await;
    assert_problem(&nameless, 400, "bad-name");
    let taken = ben.post(&join, &json!({"name": "Ada "})).await;
    assert_problem(&taken, 409, "nickname-taken");
    let me = format!("/api/v1/classes/{code}/me");
    assert_problem(&ben.get(&me).await, 409, "not-joined");
    assert_problem(&server.visitor().get(&me).await, 401, "no-session");
}

#[tokio::test]
async fn a_quiz_is_a_class_for_one() {
    let server = server().await;
    let mut newcomer = server.visitor();
    let made = newcomer.form("/quiz", "theme=castling").await;
    assert_eq!(made.status, 303, "{}", made.text());
    let code = made
        .header("location")
        .trim_start_matches("/class/")
        .to_owned();
    let me = newcomer
        .get(&format!("/api/v1/classes/{code}/me"))
        .await
        .json();
    assert_eq!((&me["positions"], &me["name"]), (&json!(10), &json!("You")));
    let unknown = newcomer.form("/quiz", "theme=none").await;
    assert_problem(&unknown, 400, "bad-request");
}

#[tokio::test]
async fn one_address_makes_only_so_many_classes() {
    let server = limited(|limits| limits.new_classes = 1).await;
    made_by_form(&server).await;
    let more = server.send(Method::POST, "/class/new", &[FORM], SET).await;
    assert_problem(&more, 429, "too-many-requests");
}
