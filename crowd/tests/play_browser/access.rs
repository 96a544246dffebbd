use serde_json::json;

use crate::browser::{Page, key, with_page};

async fn check(page: &Page, what: &str) {
    assert_eq!(page.serious_faults().await, json!([]), "{what}");
}

async fn check_all(page: &Page, theme: &str) {
    page.js(&format!(
        "document.documentElement.dataset.theme = '{theme}'"
    ))
    .await;
    check(page, &format!("{theme}: the game")).await;
    for name in ["new", "games-open", "pgn-open", "editor-open", "resign"] {
        page.click(&format!("#play-{name}")).await;
        check(page, &format!("{theme}: {name}")).await;
        page.js("document.querySelector('dialog[open]').close()")
            .await;
    }
}

#[tokio::test]
async fn axe_core_finds_nothing_serious() {
    with_page(|page| async move {
        page.new_game("person", &[("clock", "300+3")]).await;
        page.until_text("play-status", "White to move.").await;
        page.play("e2", "e4", 1).await;
        page.play("e7", "e5", 2).await;
        check_all(&page, "light").await;
        check_all(&page, "dark").await;
        page.take_table_board().await;
        check(&page, "the table board").await;
    })
    .await;
}

#[tokio::test]
async fn a_game_needs_no_mouse() {
    with_page(|page| async move {
        page.new_game("person", &[]).await;
        page.until_closed("play-new-dialog").await;
        page.until_text("play-status", "White to move.").await;
        page.take_table_board().await;
        page.js("document.querySelector('#play-board [data-square=e2]').click()").await;
        page.js("document.querySelector('#play-board [data-square=e2]').focus()").await;
        page.until("return document.querySelectorAll('#play-board .is-legal').length", &json!(2)).await;
        for press in [key::UP, key::UP, key::ENTER] {
            page.keys(press).await;
        }
        page.until_moves(1).await;
        page.until_text("play-say", "White: pawn e4.").await;
        let label = "return document.querySelector('#play-board [data-square=e4]').getAttribute('aria-label')";
        page.until(label, &json!("e4, white pawn, last move")).await;
    })
    .await;
}
