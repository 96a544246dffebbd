//! A list of a variant's position: a wide board, a pocket, promotion by the card, and the rules to read first.

use crowd::variant::SHIPPED;

use super::accessibility::look_at;
use super::scene::Scene;
use super::server::{CAMPAIGN, Server};
use crate::common::web::now;

/// A position of the wide board, with a knight and a pawn in White's pocket, and a pawn that may promote.
const WIDE: &str = "4k5/P9/10/10/4p5/3P6/10/R4K3R[NPq] w KQ - 0 1";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: a board of a variant"]
async fn a_wide_board_with_a_pocket() {
    let server = Server::start().await;
    let service = &server.app.service;
    let set = service.set_card("wide", None, SHIPPED[1].card, now()).await;
    set.expect("a card");
    server.import(WIDE, "wide", false).await;
    let page = Scene::of(server, "/contribute?mode=calm&campaign=wide").await;
    page.ready().await;
    // The rules are open the first time.
    page.until(
        "document.getElementById('rules').open && document.querySelector('#rules-text figure svg')",
    )
    .await;
    let title = page.text("#rules-title").await;
    assert_eq!(title, "The rules of Capahouse");
    page.click_square("d3").await;
    page.click_square("e4").await;
    page.until_list("d3e4").await;
    page.click_square("N@").await;
    page.click_square("j5").await;
    page.until_list("d3e4 N@j5").await;
    page.drag("f1", "i1").await;
    page.until_list("d3e4 N@j5 f1i1").await;
    page.click_square("a7").await;
    page.click_square("a8").await;
    page.until_promotion().await;
    look_at(&page, "variant-promotion").await;
    page.press_button("dialog.promotion [data-promotion=c]")
        .await;
    page.until_list("d3e4 N@j5 f1i1 a7a8c").await;
    for (text, error) in [
        ("R@j5", "There is no R in white’s pocket."),
        ("a7a8k", "The pawn does not become “k” on a8."),
        ("a1a9", "a9 is not on this board."),
        ("b1b2", "There is no white piece on b1."),
    ] {
        page.type_move(text).await;
        page.until_says("typed-error", error).await;
    }
    page.type_move("a7-a8=Q").await;
    page.type_move("P@b2").await;
    page.until_list("d3e4 N@j5 f1i1 a7a8c a7a8q P@b2").await;
    page.until_saved().await;
    look_at(&page, "variant-list").await;
    page.press_button("#flip").await;
    page.finish().await;
    page.eval("document.getElementById('result-link').click()")
        .await;
    page.until("location.pathname.startsWith('/results/') && document.querySelector('.drawing')")
        .await;
    look_at(&page, "variant-results").await;
    for path in ["/variants", "/variants/wide"] {
        page.goto(&page.server.url(path)).await;
        look_at(&page, &path.replace('/', "-")).await;
    }
    // A list of standard chess has its own board, and no rules.
    page.goto(
        &page
            .server
            .url(&format!("/contribute?mode=timed&campaign={CAMPAIGN}")),
    )
    .await;
    page.press_button("#start").await;
    page.ready().await;
    page.until_hidden("rules", true).await;
}
