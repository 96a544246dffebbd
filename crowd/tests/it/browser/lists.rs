//! Lists as people make them: of a campaign, of the day, of a class, against the clock, with a partner, as questions.

use std::time::Duration;

use crowd::class::{ClassCode, Theme};
use crowd::service::{ClassSource, ClassToken, NewClass};
use serde_json::json;
use tokio::time::sleep;

use super::accessibility::look_at;
use super::page::{DOWN, END, ENTER, ESCAPE, HOME, LEFT, Page, RIGHT, UP};
use super::scene::Scene;
use super::server::{CAMPAIGN, FEN, Server, begin};
use crate::common::web::now;

const GOLD: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

#[tokio::test(flavor = "multi_thread")]
async fn moves_are_given_by_drags_clicks_and_keys() {
    let page = Scene::list().await;
    page.drag("e5", "f7").await;
    page.until_list("e5f7").await;
    page.click_square("c3").await;
    page.click_square("a4").await;
    page.until_list("e5f7 c3a4").await;
    // A click upon another piece of one's own changes the choice.
    page.click_square("c3").await;
    page.click_square("e5").await;
    page.click_square("d3").await;
    page.until_list("e5f7 c3a4 e5d3").await;
    page.focus_corner().await;
    page.keys(&[UP, ENTER, UP, ENTER]).await;
    page.until_list("e5f7 c3a4 e5d3 a2a3").await;
    page.keys(&[DOWN, ENTER, ESCAPE, UP, UP, ENTER]).await;
    let put_away = page.list().await;
    assert_eq!(
        put_away, "e5f7 c3a4 e5d3 a2a3",
        "a lifted piece was put away"
    );
    page.press_button("#undo").await;
    page.until_list("e5f7 c3a4 e5d3").await;
    page.press_button("#flip").await;
    page.until_saved().await;
    page.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_needs_no_mouse_from_the_first_move_to_the_end() {
    let page = Scene::list().await;
    let square = "document.activeElement.dataset.square";
    page.tab_to(square).await;
    // The whole board is one stop.
    assert_eq!(page.eval(square).await, "e1");
    page.keys(&[HOME, DOWN, LEFT, UP, ENTER]).await;
    let label = "document.activeElement.ariaLabel";
    assert_eq!(page.eval(label).await, "a2, white pawn, lifted");
    page.keys(&[UP, ENTER]).await;
    page.until_list("a2a3").await;
    page.keys(&[UP, UP, UP, UP, RIGHT, ENTER, UP, ENTER]).await;
    page.until_promotion().await;
    page.keys(&[DOWN, ENTER]).await;
    page.until_list("a2a3 b7b8r").await;
    page.until("document.activeElement.dataset.square === 'b8'")
        .await;
    page.keys(&[END, DOWN, DOWN, DOWN, DOWN, DOWN, DOWN, DOWN])
        .await;
    page.keys(&[ENTER, LEFT, ENTER]).await;
    page.until_list("a2a3 b7b8r h1g1").await;
    page.tab_to("document.activeElement.id === 'finish'").await;
    page.key(ENTER).await;
    page.until("document.getElementById('confirm').open").await;
    page.tab_to("document.activeElement.value === 'yes'").await;
    page.key(ENTER).await;
    page.until_says("task-title", "Your list is in: 3 moves.")
        .await;
    page.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: castling and promotion by hand"]
async fn castling_and_promotion() {
    let page = Scene::list().await;
    page.drag("e1", "g1").await;
    page.until_list("e1g1").await;
    // The king upon its rook is the same move, and is on the list already.
    page.drag("e1", "h1").await;
    page.drag("e1", "a1").await;
    page.until_list("e1g1 e1c1").await;
    page.drag("b7", "a8").await;
    page.until_promotion().await;
    page.keys(&[RIGHT, ENTER]).await;
    page.until_list("e1g1 e1c1 b7a8r").await;
    page.click_square("b7").await;
    page.click_square("b8").await;
    page.until_promotion().await;
    page.key(ESCAPE).await;
    // The question comes for a pawn that cannot get there as well.
    page.drag("a2", "d8").await;
    page.until_promotion().await;
    page.press_button("[data-promotion=n]").await;
    page.until_list("e1g1 e1c1 b7a8r a2d8n").await;
    page.until_saved().await;
    page.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: unclear typed moves"]
async fn typed_moves_ask_when_they_are_unclear() {
    let page = Scene::list().await;
    page.type_move("Rd1").await;
    page.until_hidden("which", false).await;
    page.press_button("#which-choices button:last-child").await;
    page.until_list("h1d1").await;
    page.type_move("b8").await;
    page.until_promotion().await;
    page.press_button("[data-promotion=q]").await;
    page.until_list("h1d1 b7b8q").await;
    page.type_move("Bc5").await;
    page.until_says("typed-error", "No white bishop").await;
    page.until_says("facts", "White: both sides. Black: both sides.")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_list_says_what_it_was_good_for() {
    let page = Scene::list().await;
    page.type_move("Nf7").await;
    page.type_move("e1e3").await;
    page.until_list("e5f7 e1e3").await;
    page.press_button("#finish").await;
    page.until("document.getElementById('confirm').open").await;
    page.press_button("#confirm button[value=no]").await;
    page.type_move("Nd3").await;
    page.until_list("e5f7 e1e3 e5d3").await;
    page.finish().await;
    page.until_says("task-title", "Your list is in: 3 moves.")
        .await;
    page.until_says("result", "more lists make this a test case")
        .await;
    // There is no other position in the campaign, and this one does not come again.
    page.press_button("#next").await;
    page.until_says("messages", "You have listed every position")
        .await;
    page.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: a skipped position"]
async fn a_skipped_position_gives_way_to_the_next() {
    let page = Scene::list().await;
    page.server.import(GOLD, CAMPAIGN, false).await;
    page.type_move("Nf7").await;
    page.until_saved().await;
    page.press_button("#skip").await;
    page.until("document.getElementById('confirm').open").await;
    page.press_button("#confirm button[value=no]").await;
    page.until_list("e5f7").await;
    page.press_button("#skip").await;
    page.press_button("#confirm button[value=yes]").await;
    page.until_list("").await;
    page.type_move("e2e4").await;
    page.until_list("e2e4").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: touch"]
async fn a_phone_has_board_list_and_button_in_sight() {
    let page = Scene::at("/").await;
    page.size(390, 844, true).await;
    page.reload().await;
    page.ready().await;
    for (css, what) in [
        ("#board", "the board"),
        ("#empty", "the list"),
        ("#finish", "the button"),
    ] {
        let bottom = format!(
            "document.querySelector({css:?}).getBoundingClientRect().bottom <= innerHeight"
        );
        assert_eq!(page.eval(&bottom).await, true, "{what} is in sight");
    }
    let wide = "document.documentElement.scrollWidth <= innerWidth \
        && document.querySelector('#board').getBoundingClientRect().width >= innerWidth - 1";
    assert_eq!(
        page.eval(wide).await,
        true,
        "the board goes from edge to edge"
    );
    let page = Scene::list().await;
    page.size(390, 844, true).await;
    page.reload().await;
    page.ready().await;
    page.draw("e5", "f7").await;
    page.until_list("e5f7").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_board_of_the_day_is_home() {
    let scene = Scene::at("/").await;
    scene.ready().await;
    look_at(&scene, "home").await;
    // Nobody is known before the first move.
    assert_eq!(
        scene
            .server
            .app
            .service
            .counts()
            .await
            .expect("counts")
            .contributors,
        0
    );
    let legal = scene.legal().await;
    let (illegal, most) = (scene.illegal().await, &legal[..legal.len() - 1]);
    // Somebody looks at the board first.
    sleep(Duration::from_millis(1200)).await;
    // By keys alone: typed moves, then the end.
    for mv in most.iter().chain([&illegal]) {
        scene.type_move(mv).await;
    }
    let all = [most, &[illegal]].concat().join(" ");
    scene.until_list(&all).await;
    // A reload loses neither the list nor the time.
    scene.until_saved().await;
    // The clock of a list begins with its first move, as the server counts; otherwise moves would be dated later than they
    // were received, as those of programs are.
    let first = "(async () => {
        const api = await import('/static/list/sending.js');
        return (await api.begin({ purpose: 'daily' })).events[0].at_ms;
    })()";
    let first = scene.eval(first).await;
    assert!(first.as_u64().is_some_and(|ms| ms < 1000), "{first}");
    scene.reload().await;
    scene.ready().await;
    scene.until_list(&all).await;
    look_at(&scene, "listing").await;
    scene.finish().await;
    let found = format!("{} of {}: ", most.len(), legal.len());
    scene.until_says("task-title", &found).await;
    scene
        .until_says("task-title", "(and one that is not legal)")
        .await;
    scene.until_says("result", "You are the first today.").await;
    look_at(&scene, "result").await;
    // A move has one arrow, and its reason.
    scene.press_button("#result .good button").await;
    scene
        .until("document.querySelectorAll('#board [class*=arrow]').length >= 1")
        .await;
    scene
        .until("document.querySelector('#result .why').textContent.length > 10")
        .await;
    // The result is shown again, and the list is finished for good: also where the browser has kept the page as it was.
    scene
        .eval("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
        .await;
    scene
        .until("document.querySelector('#result') && !document.querySelector('#result [aria-pressed=true]')")
        .await;
    scene.until_says("task-title", &found).await;
    scene.press_button("#next").await;
    scene
        .until("document.getElementById('result').hidden")
        .await;
    scene.ready().await;
    scene.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: a result that was never seen"]
async fn a_result_that_was_lost_is_shown_once_wherever_one_is() {
    let page = Scene::list().await;
    page.type_move("e5f7").await;
    page.until_saved().await;
    // The server has the end of the list, and its answer is lost.
    let finished = "(async () => {
        const key = Object.keys(localStorage).find((key) => key.startsWith('crowd-list-'));
        const token = key.slice('crowd-list-'.length);
        await fetch(`/api/v1/lists/${token}/finish`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{\"count\":1}' });
        localStorage.clear();
    })()";
    page.eval(finished).await;
    page.goto(&page.server.url("/")).await;
    page.until_says("task-title", "Your list is in: 1 move.")
        .await;
    page.until("document.getElementById('next')").await;
    page.eval("new Promise((done) => setTimeout(done, 500))")
        .await;
    page.goto(&page.server.url("/")).await;
    page.until_says("task-title", "Find every legal move").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: the result of gold"]
async fn the_result_of_gold_comes_at_once() {
    let server = Server::start().await;
    server.import(GOLD, "gold", true).await;
    let page = Scene::of(server, "/?campaign=gold").await;
    page.ready().await;
    page.type_move("e2e4").await;
    page.type_move("e2d3").await;
    page.finish().await;
    page.until_says(
        "task-title",
        "1 of 6: four king moves and a pawn move missed",
    )
    .await;
    page.until("document.querySelectorAll('#result .good button').length === 5")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: pairs in two browsers"]
async fn two_strangers_are_paired_and_shown_how_far_they_agree() {
    let one = Scene::of_purpose("pair").await;
    one.until_says("network", "Waiting").await;
    let other = Page::open(&one.driver, "other", &one.server.url("/about")).await;
    begin(&other, &one.server, "pair").await;
    one.until_says("network", "is listing").await;
    for mv in ["e5f7", "e5d3"] {
        one.type_move(mv).await;
        other.type_move(mv).await;
    }
    other.type_move("e1e3").await;
    one.finish().await;
    other.finish().await;
    other.until_says("result", "agree on 2 moves").await;
    one.until_says("result", "agree on 2 moves").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: timed lists"]
async fn a_timed_list_ends_by_itself() {
    let page = Scene::of_purpose("timed").await;
    page.type_move("e5f7").await;
    page.until_saved().await;
    page.until("/^1:[0-2][0-9]$/.test(document.getElementById('clock').textContent)")
        .await;
    // As if it had been begun long ago.
    let earlier = "UPDATE list SET issued_at = issued_at - 89000 WHERE purpose = 'timed'";
    page.server.execute(earlier).await;
    page.reload().await;
    page.until_done().await;
    page.until_says("task-title", "1 move").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: questions of a second look"]
async fn a_second_look_asks_yes_or_no() {
    let server = Server::start().await;
    server.dispute().await;
    let page = Scene::of(server, "/about").await;
    begin(&page, &page.server, "review").await;
    let questions = page
        .eval("document.querySelectorAll('#questions button').length")
        .await;
    assert_ne!(questions, 0, "{FEN} is disputed");
    look_at(&page, "review").await;
    assert!(
        page.text(".question")
            .await
            .starts_with("Is this possible: ")
    );
    page.press_button("#questions .primary").await;
    while page.eval("document.getElementById('confirm').open").await != true {
        page.press_button("#questions .primary:last-child").await;
    }
    page.press_button("#confirm button[value=yes]").await;
    page.until_done().await;
    page.until_says("task-title", "answers are in").await;
}

async fn made(scene: &Scene, at_end: bool, seconds: Option<u64>) -> (ClassCode, ClassToken) {
    let lines = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n1n2k3/P7/8/3pP3/8/8/r5q1/R3K1nR w KQ d6 0 1\n";
    let new = NewClass {
        title: "Promotion, first lesson".parse().expect("a title"),
        source: ClassSource::Lines(lines.to_owned()),
        time_limit: seconds.map(Duration::from_secs),
        at_end,
    };
    let made = scene.server.app.service.make_class(&new, now()).await;
    made.expect("a class")
}

async fn join(scene: &Scene, code: &ClassCode, name: &str) {
    let class = format!("/class/{}", code.as_str());
    scene.goto(&scene.server.url(&class)).await;
    scene.until_hidden("join", false).await;
    let fill = format!(
        "document.getElementById('name').value = {name:?}; document.getElementById('name').focus()"
    );
    scene.eval(&fill).await;
    scene.key(ENTER).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lesson() {
    let scene = Scene::at("/class").await;
    look_at(&scene, "class-find").await;
    scene.goto(&scene.server.url("/class/new")).await;
    look_at(&scene, "class-new").await;
    let (code, teacher) = made(&scene, false, None).await;
    join(&scene, &code, "ada").await;
    scene.ready().await;
    for mv in ["e2e4", "e1d1", "e2e5"] {
        scene.type_move(mv).await;
    }
    scene.until_list("e2e4 e1d1 e2e5").await;
    look_at(&scene, "class-listing").await;
    scene.finish().await;
    scene.until_says("task-title", "2 of 6: ").await;
    scene.press_button("#next").await;
    scene
        .until("document.querySelector('#steps [aria-current]').textContent.startsWith('2')")
        .await;
    scene.ready().await;
    scene.finish().await;
    scene.until_says("task-title", "0 of ").await;
    scene.press_button("#next").await;
    scene
        .until("document.querySelectorAll('.scores > li').length === 2")
        .await;
    scene.until_says("result", "You are ada").await;
    look_at(&scene, "class-end").await;
    // It is over after a reload, too, and each result can be seen again.
    scene.reload().await;
    scene.until("document.querySelector('.scores a')").await;
    scene
        .eval("document.querySelector('.scores a').click()")
        .await;
    scene.until_says("task-title", "2 of 6: ").await;
    let table = format!("/teach/{}", teacher.as_str());
    scene.goto(&scene.server.url(&table)).await;
    scene
        .until("document.body.textContent.includes('ada')")
        .await;
    look_at(&scene, "class-table").await;
    scene.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: time ends a list of a class; a quiz"]
async fn time_ends_a_list_of_a_class_and_a_quiz_is_one() {
    let scene = Scene::at("/quiz").await;
    look_at(&scene, "quiz").await;
    scene
        .eval(&format!(
            "document.querySelector('[value={}]').click()",
            Theme::Pins.as_str()
        ))
        .await;
    scene.until("location.pathname.startsWith('/class/')").await;
    scene.ready().await;
    assert_eq!(
        scene
            .eval("document.querySelectorAll('#steps > li').length")
            .await,
        json!(10)
    );
    let (code, _) = made(&scene, true, Some(1)).await;
    join(&scene, &code, "ben").await;
    scene.until_done().await;
    scene
        .until_says("result", "when you have finished every position")
        .await;
}
