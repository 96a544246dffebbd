//! What was given is never lost: not without a network, not without a server, not by a reload.

use serde_json::json;

use super::scene::Scene;
use super::server::LISTS;

const WAITING: &str =
    "document.getElementById('network').textContent.includes('sent automatically')";

/// The name under which the browser keeps the list at hand.
const KEY: &str =
    "const key = Object.keys(localStorage).find((key) => key.startsWith('crowd-list-'));
    const token = key.slice('crowd-list-'.length);";

/// Another window, which has a store of its own, puts a second move on the list.
fn other_window() -> String {
    format!(
        "(async () => {{
            {KEY}
            const api = await import('/static/list/sending.js');
            return api.sendEvents(token, [{{ seq: 2, op: 'add', move: 'e5d3', at_ms: 90000 }}]);
        }})()"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_wait_for_the_network() {
    let page = Scene::begun_list().await;
    page.network(false).await;
    page.type_move("e5d3").await;
    page.drag("e5", "g6").await;
    page.until_list("e5f7 e5d3 e5g6").await;
    page.until(WAITING).await;
    page.until_says("network", "2 moves waiting").await;
    page.network(true).await;
    page.until_saved().await;
    page.reload().await;
    page.ready().await;
    page.until_list("e5f7 e5d3 e5g6").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: a server that is away, and a reload"]
async fn moves_survive_a_server_that_is_away_and_a_reload() {
    let mut page = Scene::begun_list().await;
    page.server.hang_up().await;
    page.type_move("e5d3").await;
    page.type_move("e5g6").await;
    page.until(WAITING).await;
    page.server.listen().await;
    // At once, so that most likely nothing has been sent again by itself.
    page.reload().await;
    page.ready().await;
    page.until_list("e5f7 e5d3 e5g6").await;
    page.until_saved().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: a finish without a network"]
async fn a_finish_without_a_network_comes_through_later() {
    let mut page = Scene::list().await;
    page.server.hang_up().await;
    page.type_move("e5f7").await;
    page.press_button("#finish").await;
    page.press_button("#confirm button[value=yes]").await;
    // The move waits to be sent before that: it says nothing of the answer to the question.
    page.until("document.getElementById('finish').disabled")
        .await;
    page.until(WAITING).await;
    page.type_move("e5d3").await;
    assert_eq!(page.list().await, "e5f7", "finished is finished");
    page.server.listen().await;
    page.until_done().await;
    page.until_says("task-title", "1 move").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: two windows"]
async fn two_windows_make_one_list() {
    let page = Scene::begun_list().await;
    // This window does not know of it.
    page.eval(&other_window()).await;
    page.type_move("e5g6").await;
    page.until_list("e5f7 e5d3 e5g6").await;
    page.until_saved().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: a window that lags"]
async fn a_window_that_lags_finishes_the_whole_list() {
    let page = Scene::begun_list().await;
    page.eval(&other_window()).await;
    page.finish().await;
    page.until_says("task-title", "2 moves").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: a window shows what another keeps"]
async fn a_window_shows_what_another_keeps() {
    let page = Scene::begun_list().await;
    page.eval(&other_window()).await;
    let kept = format!(
        "{{
            {KEY}
            const kept = JSON.parse(localStorage.getItem(key));
            kept.events.push({{ seq: 2, op: 'add', move: 'e5d3', at_ms: 90000 }});
            localStorage.setItem(key, JSON.stringify(kept));
            dispatchEvent(new StorageEvent('storage', {{ key }}));
        }}"
    );
    page.eval(&kept).await;
    page.until_list("e5f7 e5d3").await;
    page.type_move("e5g6").await;
    page.until_list("e5f7 e5d3 e5g6").await;
    page.until_saved().await;
    // It is finished there: this window shows the result, too.
    let finished = format!(
        "(async () => {{
            {KEY}
            const api = await import('/static/list/sending.js');
            await api.sendFinish(token, [], 3);
        }})()"
    );
    page.eval(&finished).await;
    page.type_move("e5c4").await;
    page.until_done().await;
    page.until_says("task-title", "3 moves").await;
    page.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: cookies that are gone"]
async fn someone_without_cookies_is_informed() {
    let page = Scene::list().await;
    page.cdp("Network.clearBrowserCookies", serde_json::json!({}))
        .await;
    page.type_move("e5f7").await;
    page.until_says("messages", "no longer signed in").await;
    page.press_button("#messages button").await;
    page.ready().await;
    page.until_list("").await;
}

/// Files that the page itself does not name: they wait for the file that names them.
const UNNAMED: &str = "(async () => {
    const text = await (await fetch(location.href)).text();
    const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
    return loaded.filter((path) => path.startsWith('/static/') && !text.includes(path));
})()";

/// How many files the server was asked for.
const ASKED: &str = "(async () => {
    const metrics = await (await fetch('/metrics')).text();
    const lines = metrics.split('\\n').filter((line) => line.startsWith('crowd_http_requests_total') && line.includes('/static/'));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').pop()), 0);
})()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: files are loaded in one step and kept"]
async fn files_are_loaded_in_one_step_and_kept() {
    let page = Scene::at("/about").await;
    for path in [LISTS, "/", "/play"] {
        page.goto(&page.server.url(path)).await;
        page.until(DRAWN).await;
        assert_eq!(page.eval(UNNAMED).await, json!([]), "{path}");
        let asked = page.eval(ASKED).await;
        page.reload().await;
        page.until(DRAWN).await;
        assert_eq!(page.eval(ASKED).await, asked, "{path} is loaded again");
        page.assert_no_faults().await;
    }
}

/// The pieces stand on the board.
const DRAWN: &str = "document.querySelector('[data-square] > .face')
    && document.querySelectorAll('[data-square]').length >= 64";
