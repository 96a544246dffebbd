//! Pages move while somebody looks at them.

use super::lab::Scene;
use super::page::{END, ENTER, HOME, Key, LEFT, RIGHT};

const TAB: Key = ("Tab", 9, "");

#[tokio::test(flavor = "multi_thread")]
async fn the_graph_and_the_numbers_move() {
    let page = Scene::at("/tests/stc-7").await;
    let length = "document.querySelector('#graphs path.line').getAttribute('d').split('L').length";
    page.until(&format!("{length} === 40")).await;
    page.lab
        .sql(
            "update lab.jobs set summary_cursor = summary_cursor + 1,
                summary = jsonb_set(summary, '{sprt,llr}', '2.5') where id = 'stc-7';
            insert into lab.points (job, number, value)
                select number, 1000, '{\"done\": 900, \"games\": 1800, \"llr\": 2.5}'
                from lab.jobs where id = 'stc-7'",
        )
        .await;
    page.until(&format!("{length} === 41")).await;
    page.until("document.getElementById('figures').textContent.includes('2.50 (')")
        .await;
    page.lab
        .sql(
            "update lab.jobs set state = 'done', finished_at = now(), summary = summary
                || '{\"outcome\": \"passed\", \"headline\": \"H1 is accepted\"}' where id = 'stc-7'",
        )
        .await;
    page.until("document.getElementById('state').textContent.includes('passed')")
        .await;
    page.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: a new test appears in the list"]
async fn a_new_test_appears_in_the_list() {
    let page = Scene::at("/tests").await;
    page.lab
        .sql(
            "insert into lab.jobs (id, kind, title, owner, state, spec) values
                ('new-1', 'selfplay-pairs/1', 'A new idea', 1, 'running', null)",
        )
        .await;
    page.until("document.getElementById('running').textContent.includes('A new idea')")
        .await;
    page.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: keys suffice"]
async fn keys_suffice() {
    let page = Scene::at("/tests").await;
    page.key(TAB).await;
    assert_eq!(page.focused().await, "Skip to the content");
    page.key(ENTER).await;
    page.until("document.activeElement?.id === 'main'").await;
    // The views, the filter, and then the first table, which can be scrolled by keys, and its first test.
    for _ in 0..11 {
        page.key(TAB).await;
    }
    assert_eq!(page.focused().await, "Tune null move");
    page.key(ENTER).await;
    page.until("location.pathname === '/tests/tune-1'").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: games are played through by keys"]
async fn games_are_played_through_by_keys() {
    let page = Scene::at("/tests/stc-7/games").await;
    page.click("tbody a").await;
    page.until("document.querySelector('#game[data-ready]')")
        .await;
    page.keys(&[RIGHT, RIGHT, RIGHT]).await;
    assert_eq!(page.text("#at-move").await, "2. Nf3");
    assert_eq!(page.text("#at-eval").await, "+0.31");
    assert_eq!(page.text("#at-white").await, "0:59.9");
    page.until(
        "document.querySelectorAll('svg.board g')[45].querySelector('text').textContent === '♞'",
    )
    .await;
    page.key(LEFT).await;
    page.until(
        "document.querySelectorAll('svg.board g')[45].querySelector('text').textContent === ''",
    )
    .await;
    page.key(END).await;
    let last = page.text("#at-move").await;
    page.key(HOME).await;
    assert_eq!(page.text("#at-move").await, "Start");
    assert_ne!(last, "Start");
    page.until("location.search === '?ply=0'").await;
    page.assert_no_faults().await;
}
