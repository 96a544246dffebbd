//! Timed lists, pairs, second looks, results.

use super::driver::Driver;
use super::page::Page;
use super::server::{CAMPAIGN, FEN, Server};

const GOLD: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

async fn finish(page: &Page) {
    page.press_button("#finish").await;
    page.press_button("#confirm button[value=yes]").await;
    page.until("!document.getElementById('done').hidden").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_strangers_are_paired_and_told_how_far_they_agree() {
    let server = Server::start().await;
    let driver = Driver::start();
    let one = Page::open(&driver, "one", &server.contribute("pair")).await;
    one.ready().await;
    one.until("document.getElementById('partner').textContent.includes('waiting')")
        .await;
    let other = Page::open(&driver, "other", &server.contribute("pair")).await;
    other.ready().await;
    one.until("document.getElementById('partner').textContent.includes('is listing')")
        .await;
    for mv in ["e5f7", "e5d3"] {
        one.type_move(mv).await;
        other.type_move(mv).await;
    }
    other.type_move("e1e3").await;
    finish(&one).await;
    one.until("document.getElementById('agreement').textContent.includes('not done yet')")
        .await;
    finish(&other).await;
    other.until("document.getElementById('agreement').textContent.includes('agree about 2 moves; 1 on one list only')").await;
    one.until("document.getElementById('agreement').textContent.includes('agree about 2 moves; 1 on one list only')").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_result_of_gold_comes_at_once() {
    let server = Server::start().await;
    server.import(GOLD, CAMPAIGN, true).await;
    let driver = Driver::start();
    let page = Page::open(&driver, "person", &server.contribute("calm")).await;
    page.ready().await;
    // The first position of a newcomer is gold.
    page.type_move("e2e4").await;
    page.type_move("e2d3").await;
    page.until_list("e2e4 e2d3").await;
    finish(&page).await;
    page.until("document.querySelector('#result h2')").await;
    let said = page.text("#result").await;
    assert!(said.contains("Right: 1"), "{said}");
    assert!(said.contains("Not legal: 1"), "{said}");
    assert!(said.contains("Missed: 5"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_timed_list_ends_by_itself() {
    let server = Server::start().await;
    let driver = Driver::start();
    let page = Page::open(&driver, "person", &server.contribute("timed")).await;
    page.until("!document.getElementById('ready').hidden").await;
    page.press_button("#start").await;
    page.ready().await;
    page.type_move("e5f7").await;
    page.until_saved().await;
    page.until("/^1:[0-2][0-9]$/.test(document.getElementById('clock').textContent)")
        .await;
    // As if it had been shown long ago.
    page.eval("{ const k = 'crowd-task-timed', t = JSON.parse(localStorage.getItem(k)); t.shownAt -= 100000; localStorage.setItem(k, JSON.stringify(t)); }")
        .await;
    page.reload().await;
    page.until("!document.getElementById('done').hidden").await;
    assert!(page.text("#done-text").await.contains("1 move"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_look_asks_yes_or_no() {
    let server = Server::start().await;
    server.dispute().await;
    let driver = Driver::start();
    let page = Page::open(&driver, "person", &server.contribute("review")).await;
    page.ready().await;
    page.until("document.querySelector('#board .arrow-line')")
        .await;
    let asked = page
        .eval("JSON.parse(localStorage.getItem('crowd-task-review')).questions.length")
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
    finish(&page).await;
    assert!(
        page.text("#done-text")
            .await
            .contains(&format!("{asked} answer"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_kept_and_shown_as_text() {
    let server = Server::start().await;
    let driver = Driver::start();
    let page = Page::open(&driver, "person", &server.url("/contribute")).await;
    page.until("!document.getElementById('choose').hidden")
        .await;
    let name = "<img src=x onerror=alert(1)>";
    page.eval(&format!("{{ const f = document.getElementById('name'); f.value = {name:?}; f.form.requestSubmit(); }}")).await;
    page.until("document.getElementById('messages').textContent.includes('<img src=x')")
        .await;
    page.goto(&server.url("/contribute")).await;
    page.until(&format!(
        "document.getElementById('name').value === {name:?}"
    ))
    .await;
    page.assert_no_faults().await;
}
