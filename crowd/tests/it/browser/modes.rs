//! Timed lists, pairs, second looks, results.

use super::page::Page;
use super::scene::Scene;
use super::server::{CAMPAIGN, FEN, Server, contribute};

const GOLD: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: pairs in two browsers"]
async fn two_strangers_are_paired_and_shown_how_far_they_agree() {
    let one = Scene::at(&contribute("pair")).await;
    one.ready().await;
    one.until_says("partner", "waiting").await;
    let other = Page::open(&one.driver, "other", &one.server.url(&contribute("pair"))).await;
    other.ready().await;
    one.until_says("partner", "is listing").await;
    for mv in ["e5f7", "e5d3"] {
        one.type_move(mv).await;
        other.type_move(mv).await;
    }
    other.type_move("e1e3").await;
    one.finish().await;
    one.until_says("agreement", "not done yet").await;
    other.finish().await;
    other
        .until_says("agreement", "agree about 2 moves; 1 on one list only")
        .await;
    one.until_says("agreement", "agree about 2 moves; 1 on one list only")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: the result of gold"]
async fn the_result_of_gold_comes_at_once() {
    let server = Server::start().await;
    server.import(GOLD, CAMPAIGN, true).await;
    let page = Scene::of(server, &contribute("calm")).await;
    page.ready().await;
    // The first position of a newcomer is gold.
    page.type_move("e2e4").await;
    page.type_move("e2d3").await;
    page.until_list("e2e4 e2d3").await;
    page.finish().await;
    page.until("document.querySelector('#result h2')").await;
    let said = page.text("#result").await;
    assert!(said.contains("Right: 1"), "{said}");
    assert!(said.contains("Not legal: 1"), "{said}");
    assert!(said.contains("Missed: 5"), "{said}");
    assert!(said.contains("You found 1 of 6 legal moves"), "{said}");
    page.until("document.querySelectorAll('#lesson-board .arrow-good').length === 5")
        .await;
    // Pointing at a move shows it alone.
    page.eval("document.querySelector('.lesson button').focus()")
        .await;
    page.until("document.querySelectorAll('#lesson-board [class*=arrow-]:is(g)').length === 1")
        .await;
}

/// The position, and the campaign of the address, of the list that begins now.
async fn position_at(page: &Scene) -> i64 {
    page.ready().await;
    let at = "JSON.parse(localStorage.getItem('crowd-task-calm-second')).position.id";
    page.eval(at).await.as_i64().expect("a position")
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: links of campaigns"]
async fn a_campaigns_link_stays_within_the_campaign() {
    let server = Server::start().await;
    let two = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n4k3/8/8/8/8/8/8/4K2R w K - 0 1\n";
    server.import(two, "second", false).await;
    let page = Scene::of(server, "/contribute?mode=calm").await;
    page.ready().await;
    page.goto(&page.server.url("/contribute?campaign=second"))
        .await;
    page.until_hidden("choose", false).await;
    page.eval("document.querySelector('#mode-cards a').click()")
        .await;
    let first = position_at(&page).await;
    page.type_move("e1d1").await;
    page.finish().await;
    page.until_done().await;
    page.eval("document.getElementById('next').click()").await;
    page.until("location.search.includes('campaign=second')")
        .await;
    page.until_hidden("task", false).await;
    let second = position_at(&page).await;
    assert_ne!(first, second);
    page.reload().await;
    assert_eq!(
        position_at(&page).await,
        second,
        "the link resumes its own list"
    );
    page.finish().await;
    page.until_done().await;
    page.eval("document.getElementById('next').click()").await;
    page.until_says("messages", "No position of this campaign")
        .await;
    page.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: timed lists"]
async fn a_timed_list_ends_by_itself() {
    let page = Scene::at(&contribute("timed")).await;
    page.until_hidden("ready", false).await;
    page.press_button("#start").await;
    page.ready().await;
    page.type_move("e5f7").await;
    page.until_saved().await;
    page.until("/^1:[0-2][0-9]$/.test(document.getElementById('clock').textContent)")
        .await;
    // As if it had been shown long ago.
    page.eval("{ const k = 'crowd-task-timed-browser', t = JSON.parse(localStorage.getItem(k)); t.shownAt -= 100000; localStorage.setItem(k, JSON.stringify(t)); }")
        .await;
    page.reload().await;
    page.until_done().await;
    page.until_says("done-text", "1 move").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: questions of a second look"]
async fn a_second_look_asks_yes_or_no() {
    let server = Server::start().await;
    server.dispute().await;
    let page = Scene::of(server, &contribute("review")).await;
    page.ready().await;
    page.until("document.querySelector('#board .arrow-line')")
        .await;
    let asked = page
        .eval("JSON.parse(localStorage.getItem('crowd-task-review-browser')).questions.length")
        .await;
    let asked = asked.as_u64().expect("questions");
    assert!(asked > 0, "{FEN} is disputed");
    assert!(page.text("#question").await.starts_with("Can White play "));
    page.press_button("#yes").await;
    page.press_button("#back").await;
    page.until("document.getElementById('yes').getAttribute('aria-pressed') === 'true'")
        .await;
    for _ in 0..asked {
        page.press_button("#no").await;
    }
    page.until(&format!(
        "document.getElementById('progress').textContent.includes('{asked} answer')"
    ))
    .await;
    page.finish().await;
    assert!(
        page.text("#done-text")
            .await
            .contains(&format!("{asked} answer"))
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: names are text"]
async fn a_name_is_kept_and_shown_as_text() {
    let page = Scene::at("/contribute").await;
    page.until_hidden("choose", false).await;
    let name = "<img src=x onerror=alert(1)>";
    page.eval(&format!("{{ const f = document.getElementById('name'); f.value = {name:?}; f.form.requestSubmit(); }}")).await;
    page.until_says("messages", "<img src=x").await;
    page.goto(&page.server.url("/contribute")).await;
    page.until(&format!(
        "document.getElementById('name')?.value === {name:?}"
    ))
    .await;
    page.assert_no_faults().await;
}
