//! The board of the day as a person meets it: covered, listed, scored, shared; and embedded elsewhere.

use chess::notation::fen;
use crowd::candidates::legal_texts;
use crowd::daily::Day;
use crowd::service::ContributorId;
use serde_json::json;

use super::accessibility::look_at;
use super::page::ENTER;
use super::scene::Scene;
use crate::common::web::now;

/// The list is begun and its board is drawn.
const LISTING: &str = "document.getElementById('daily').dataset.stage === 'listing' && document.querySelectorAll('#board [data-square]').length >= 64";
const RESULT: &str = "document.querySelector('#result .score') && document.querySelectorAll('#board [data-square]').length >= 64";

/// The legal moves of today's board, which another person asks for.
async fn legal(scene: &Scene) -> Vec<String> {
    let service = &scene.server.app.service;
    let (other, _) = service.enter(None, now()).await.expect("a session");
    list_of(scene, other, 0).await
}

/// Another person finishes today's board, without so many moves.
async fn list_of(scene: &Scene, person: ContributorId, without: usize) -> Vec<String> {
    let service = &scene.server.app.service;
    let given = service.daily_start(person, now()).await.expect("a board");
    let position = fen::parse(&given.fen).expect("a position");
    let legal: Vec<_> = legal_texts(&position).into_iter().collect();
    let listed = &legal[without..];
    let done = service
        .daily_finish(person, Day::from_timestamp(now()), listed, now())
        .await;
    done.expect("finished");
    legal.iter().map(ToString::to_string).collect()
}

async fn finish(scene: &Scene) {
    scene.press_button("#finish").await;
    scene.press_button("#confirm button[value=yes]").await;
    scene.until(RESULT).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_from_its_cover_to_its_result() {
    let scene = Scene::at("/").await;
    look_at(&scene, "daily-cover").await;
    // By keys alone.
    scene.eval("document.getElementById('start').focus()").await;
    scene.key(ENTER).await;
    scene.until(LISTING).await;
    let legal = legal(&scene).await;
    let (_, most) = legal.split_last().expect("moves");
    for mv in most {
        scene.type_move(mv).await;
    }
    scene.until_list(&most.join(" ")).await;
    look_at(&scene, "daily-list").await;
    // A reload loses neither the list nor the time.
    scene.reload().await;
    scene.until(LISTING).await;
    scene.until_list(&most.join(" ")).await;
    scene.press_button("#undo").await;
    finish(&scene).await;
    let found = legal.len() - 2;
    scene
        .until_says("result", &format!("{found} of {} moves", legal.len()))
        .await;
    assert!(
        scene
            .text("#shown [aria-pressed=true]")
            .await
            .starts_with("Overlooked: 2")
    );
    let reasons = scene
        .eval("document.querySelectorAll('#lesson dd').length")
        .await;
    assert_eq!(reasons, json!(2));
    look_at(&scene, "daily-result").await;
    // It is finished for good, and the day counts.
    scene.reload().await;
    scene.until(RESULT).await;
    scene
        .until_says("result", &format!("{found} of {}", legal.len()))
        .await;
    scene.until_says("result", "first day in a row").await;
    scene.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: the answer to a board of the day explains"]
async fn what_is_illegal_is_explained_and_others_are_compared() {
    let scene = Scene::at("/").await;
    let service = &scene.server.app.service;
    for without in [1, 3, 5] {
        let (other, _) = service.enter(None, now()).await.expect("a session");
        list_of(&scene, other, without).await;
    }
    scene.click("#cover").await;
    scene.until(LISTING).await;
    let legal = legal(&scene).await;
    // A piece put on a square where the same piece cannot go on any board.
    let from = &legal[0][..2];
    let to = scene.eval(&format!("[...document.querySelectorAll('#board [data-square]')].map((s) => s.dataset.square).find((s) => s !== '{from}' && !{}.includes('{from}' + s))", json!(legal))).await;
    let to = to.as_str().expect("a square").to_owned();
    scene.drag(from, &to).await;
    scene.until_list(&format!("{from}{to}")).await;
    for mv in &legal[2..] {
        scene.type_move(mv).await;
    }
    finish(&scene).await;
    scene.until_says("result", "1 not legal").await;
    scene.until_says("result", "1 of 4 others").await;
    scene.until_says("lesson", "Not legal, and why: 1").await;
    look_at(&scene, "daily-compared").await;
}
