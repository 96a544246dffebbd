use super::super::accessibility::assert_fine;
use super::super::page::{ENTER, UP};
use super::super::scene::Scene;

async fn check_all(page: &Scene, theme: &str) {
    page.eval(&format!(
        "document.documentElement.dataset.theme = '{theme}'"
    ))
    .await;
    assert_fine(page, &format!("{theme}: the game")).await;
    for name in ["new", "games-open", "pgn-open", "editor-open", "resign"] {
        page.click(&format!("#play-{name}")).await;
        assert_fine(page, &format!("{theme}: {name}")).await;
        page.eval("document.querySelector('dialog[open]').close()")
            .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: axe-core finds nothing on the board to play on"]
async fn axe_core_finds_nothing_serious() {
    let page = Scene::play().await;
    page.new_game("person", &[("clock", "300+3")]).await;
    page.status("White to move.").await;
    page.play_moves(&["f2f3", "e7e5", "g2g4", "b8c6"]).await;
    page.click("#play-review").await;
    page.until_says("play-review-turns", "2. g4").await;
    check_all(&page, "light").await;
    check_all(&page, "dark").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: a game by keys"]
async fn a_game_needs_no_mouse() {
    let page = Scene::two_people().await;
    page.eval("document.querySelector('#play-board [data-square=e2]').click()")
        .await;
    page.eval("document.querySelector('#play-board [data-square=e2]').focus()")
        .await;
    page.until_count("#play-board .is-legal", 2).await;
    for press in [UP, UP, ENTER] {
        page.key(press).await;
    }
    page.until_moves(1).await;
    page.until_text("play-say", "White: pawn e4.").await;
    let label = "document.querySelector('#play-board [data-square=e4]').getAttribute('aria-label')";
    page.until_is(label, "e4, white pawn, last move").await;
}
