//! A class as a teacher and a student meet it, and a quiz.

use std::time::Duration;

use chess::notation::fen;
use crowd::candidates::legal_texts;
use crowd::class::{ClassCode, Theme, draw};
use crowd::service::{ClassSource, ClassToken, NewClass};
use serde_json::json;

use super::accessibility::look_at;
use super::page::ENTER;
use super::scene::Scene;
use crate::common::web::now;

const LISTING: &str = "document.getElementById('run').dataset.stage === 'listing' && document.querySelectorAll('#board [data-square]').length >= 64";
const RESULT: &str = "document.getElementById('run').dataset.stage === 'result' && document.querySelector('#result .score')";
const END: &str = "document.getElementById('run').dataset.stage === 'end'";
const LINES: &str =
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n1n2k3/P7/8/3pP3/8/8/r5q1/R3K1nR w KQ d6 0 1\n";

async fn made(scene: &Scene, at_end: bool, seconds: Option<u64>) -> (ClassCode, ClassToken) {
    let new = NewClass {
        title: "Promotion, first lesson".parse().expect("a title"),
        source: ClassSource::Lines(LINES.to_owned()),
        time_limit: seconds.map(Duration::from_secs),
        at_end,
    };
    let made = scene.server.app.service.make_class(&new, now()).await;
    made.expect("a class")
}

async fn join(scene: &Scene, code: &ClassCode, name: &str) {
    scene
        .goto(&scene.server.url(&format!("/class/{}", code.as_str())))
        .await;
    scene.until_hidden("join", false).await;
    let fill = format!(
        "document.getElementById('name').value = {name:?}; document.getElementById('join-form').requestSubmit()"
    );
    scene.eval(&fill).await;
}

async fn finish(scene: &Scene) {
    scene.press_button("#finish").await;
    scene.press_button("#confirm button[value=yes]").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lesson() {
    let scene = Scene::at("/class").await;
    look_at(&scene, "class-find").await;
    scene.goto(&scene.server.url("/class/new")).await;
    look_at(&scene, "class-new").await;
    let (code, teacher) = made(&scene, false, None).await;
    scene
        .goto(&scene.server.url(&format!("/class/{}", code.as_str())))
        .await;
    scene.until_hidden("join", false).await;
    look_at(&scene, "class-join").await;

    // By keys alone; a reload loses nothing.
    scene.eval("document.getElementById('name').value = 'ada'; document.getElementById('name').focus()").await;
    scene.key(ENTER).await;
    scene.until(LISTING).await;
    for mv in ["e2e4", "e1d1", "e2e5"] {
        scene.type_move(mv).await;
    }
    scene.until_list("e2e4 e1d1 e2e5").await;
    scene.reload().await;
    scene.until(LISTING).await;
    scene.until_list("e2e4 e1d1 e2e5").await;
    scene.type_move("e2e3").await;
    look_at(&scene, "class-listing").await;
    finish(&scene).await;
    scene.until(RESULT).await;
    scene.until_says("result", "3 of 6 moves").await;
    scene.until_says("lesson", "Not legal, and why: 1").await;
    look_at(&scene, "class-result").await;
    scene.press_button("#next").await;
    scene.until(LISTING).await;
    scene.until_says("run-title", "Position 2 of 2").await;
    scene.type_move("e1c1").await;
    finish(&scene).await;
    scene.until(RESULT).await;
    scene.press_button("#next").await;
    scene.until(END).await;
    scene.until_says("end", "4 of").await;
    look_at(&scene, "class-end").await;
    scene.press_button("#steps button").await;
    scene.until(RESULT).await;
    scene.until_says("result", "3 of 6 moves").await;

    // The teacher's table shows another student without a reload, in the order that was chosen.
    let page = scene.server.url(&format!("/teach/{}", teacher.as_str()));
    scene.goto(&page).await;
    scene
        .until("document.querySelector('#results tbody').rows.length === 1")
        .await;
    scene
        .press_button("#results table thead th:nth-child(2) button")
        .await;
    let service = &scene.server.app.service;
    let other = service
        .join_class(&code, &"ben".parse().expect("a name"), now())
        .await;
    let other = other.expect("joined");
    service
        .start_class_position(&code, &other, 1, now())
        .await
        .expect("a position");
    let list = legal_texts(&fen::parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").expect("a position"));
    let list: Vec<_> = list.into_iter().collect();
    let done = service
        .finish_class_position(&code, &other, 1, &list, now())
        .await;
    done.expect("finished");
    scene
        .until("document.querySelector('#results tbody').rows.length === 2")
        .await;
    let names = scene.eval("[...document.querySelectorAll('#results table:first-of-type tbody th')].slice(0, 2).map((one) => one.textContent)").await;
    assert_eq!(names, json!(["ben", "ada"]));
    look_at(&scene, "class-table").await;
    scene.eval("document.querySelector('.delete').open = true; document.getElementById('sure').checked = true").await;
    scene.press_button(".delete button").await;
    scene.until("location.pathname === '/class'").await;
    scene.goto(&page).await;
    scene
        .until("document.body.textContent.includes('no such class')")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: time ends a list of a class"]
async fn time_ends_a_list() {
    let scene = Scene::at("/class").await;
    let (code, teacher) = made(&scene, true, Some(1)).await;
    join(&scene, &code, "ada").await;
    scene
        .until("document.getElementById('run').dataset.stage === 'ready'")
        .await;
    look_at(&scene, "class-ready").await;
    scene.press_button("#start").await;
    // Nobody finishes: time does, and the next position waits behind its button.
    scene.until("document.getElementById('run').dataset.stage === 'ready' && document.getElementById('run-title').textContent === 'Position 2 of 2'").await;
    scene.press_button("#start").await;
    scene.until(END).await;
    scene.until_says("end", "0 of").await;
    scene.assert_no_faults().await;
    let overview = scene.server.app.service.class_overview(&teacher).await;
    assert_eq!(overview.expect("a table").table.students[0].finished(), 2);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: a quiz of a class in the browser"]
async fn a_quiz() {
    let scene = Scene::at("/quiz").await;
    look_at(&scene, "quiz-themes").await;
    scene
        .goto(&scene.server.url("/quiz?theme=check&seed=7"))
        .await;
    for (position, number) in draw(Theme::Check, 10, 7).iter().zip(1..) {
        scene.until(LISTING).await;
        scene
            .until_says("run-title", &format!("Position {number} of 10"))
            .await;
        for mv in legal_texts(position) {
            scene.type_move(mv.as_str()).await;
        }
        finish(&scene).await;
        scene.until(RESULT).await;
        scene.until_says("result", "All of them!").await;
        // What is finished is kept.
        if number == 1 {
            scene.reload().await;
        } else {
            scene.press_button("#next").await;
        }
    }
    scene.until(END).await;
    scene
        .until("document.querySelectorAll('.step.perfect').length === 10")
        .await;
    look_at(&scene, "quiz-end").await;
}
