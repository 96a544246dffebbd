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
    let given = service
        .daily_start(person, None, now())
        .await
        .expect("a board");
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
async fn a_day_from_its_cover_to_the_picture() {
    let scene = Scene::at("/").await;
    look_at(&scene, "daily-cover").await;
    // By keys alone.
    scene.eval("document.getElementById('start').focus()").await;
    scene.key(ENTER).await;
    scene.until(LISTING).await;
    let legal = legal(&scene).await;
    let (last, most) = legal.split_last().expect("moves");
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
    let alt = scene
        .eval("document.querySelector('.share canvas').getAttribute('aria-label')")
        .await;
    let alt = alt.as_str().expect("a text").to_owned();
    assert!(
        alt.contains(&format!("{found} of {}", legal.len())),
        "{alt}"
    );
    let text = scene.eval("import(document.querySelector('script[src*=\"daily/page.js\"]').src.replace('page.js', 'share.js'))
        .then(({ shareText }) => fetch('/api/v1/daily').then((answer) => answer.json()).then(({ result }) => shareText(result)))");
    let text = text.await.as_str().expect("a text").to_owned();
    assert_eq!(text.matches('🟩').count(), found, "{text}");
    assert_eq!(text.matches('⬜').count(), 2, "{text}");
    // Nothing of the position: neither squares nor pieces' moves.
    assert!(
        !legal
            .iter()
            .any(|mv| text.contains(mv.as_str()) || alt.contains(mv.as_str())),
        "{text} {alt}"
    );
    assert!(!text.contains(last.as_str()));
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

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: days before, and pages in frames"]
async fn days_before_and_frames() {
    let scene = Scene::at("/daily").await;
    look_at(&scene, "daily-archive").await;
    let yesterday = Day::from_timestamp(now()).before(1);
    scene
        .goto(&scene.server.url(&format!("/daily/{yesterday}")))
        .await;
    look_at(&scene, "daily-answer").await;
    let count = scene
        .eval("document.querySelectorAll('ul.moves > li').length")
        .await;
    scene
        .goto(&scene.server.url(&format!("/daily/{yesterday}/play")))
        .await;
    scene.press_button("#start").await;
    scene.until(LISTING).await;
    finish(&scene).await;
    scene
        .until_says("result", &format!("0 of {count} moves"))
        .await;
    scene.until_says("result", "It does not count").await;
    let board =
        "/embed/board?fen=r3k2r/8/8/3pP3/8/8/8/R3K2R%20w%20KQkq%20d6%200%201&arrows=e5d6,e1g1";
    for (name, path) in [("embed-daily", "/embed/daily"), ("embed-board", board)] {
        scene.goto(&scene.server.url(path)).await;
        look_at(&scene, name).await;
    }
}
