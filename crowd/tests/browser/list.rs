//! A calm list: every way to give a move, on both makes of board.

use super::driver::Driver;
use super::page::{DOWN, ENTER, ESCAPE, LEFT, Page, RIGHT, UP};
use super::server::{CAMPAIGN, Server};

/// What a test needs: a server, a browser with a position at hand.
struct Scene {
    server: Server,
    page: Page,
    _driver: Driver,
}

async fn scene(board: &str) -> Scene {
    let server = Server::start().await;
    let driver = Driver::start();
    let page = Page::open(&driver, "person", &server.url("/about")).await;
    page.eval(&format!("localStorage.setItem('crowd-board', {board:?})"))
        .await;
    page.goto(&server.contribute("calm")).await;
    page.ready().await;
    Scene {
        server,
        page,
        _driver: driver,
    }
}

async fn drags_clicks_and_keys(board: &str) {
    let scene = scene(board).await;
    let page = &scene.page;
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
    focus_corner(page).await;
    page.keys(&[UP, ENTER, UP, ENTER]).await;
    page.until_list("e5f7 c3a4 e5d3 a2a3").await;
    page.keys(&[DOWN, ENTER, ESCAPE, UP, UP, ENTER]).await;
    assert_eq!(
        page.list().await,
        "e5f7 c3a4 e5d3 a2a3",
        "a lifted piece was put away"
    );
    page.until_saved().await;
    page.assert_no_faults().await;
}

/// Puts the cursor of the board into the corner at the bottom left.
async fn focus_corner(page: &Page) {
    page.eval(
        "document.querySelector('#board svg.cm-chessboard, #board button[tabindex=\"0\"]').focus()",
    )
    .await;
    page.keys(&[LEFT; 7]).await;
    page.keys(&[DOWN; 7]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_are_given_on_the_drawn_board() {
    drags_clicks_and_keys("cm").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_are_given_on_the_table_board() {
    drags_clicks_and_keys("table").await;
}

async fn castles_and_promotes(board: &str) {
    let scene = scene(board).await;
    let page = &scene.page;
    page.drag("e1", "g1").await;
    page.until_list("e1g1").await;
    // The king upon its rook is the same move, and is on the list already.
    page.drag("e1", "h1").await;
    page.drag("e1", "a1").await;
    page.until_list("e1g1 e1c1").await;
    page.drag("b7", "a8").await;
    page.until("document.querySelectorAll('dialog.promotion .promotion-choice').length === 4")
        .await;
    page.keys(&[RIGHT, ENTER]).await;
    page.until_list("e1g1 e1c1 b7a8r").await;
    page.click_square("b7").await;
    page.click_square("b8").await;
    page.until("document.querySelector('dialog.promotion')")
        .await;
    page.key(ESCAPE).await;
    page.until("!document.querySelector('dialog.promotion')")
        .await;
    // The question comes for a pawn that cannot get there as well.
    page.drag("a2", "d8").await;
    page.until("document.querySelector('dialog.promotion')")
        .await;
    page.press_button("dialog.promotion [data-promotion=n]")
        .await;
    page.until_list("e1g1 e1c1 b7a8r a2d8n").await;
    page.until_saved().await;
    page.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn castling_and_promotion_on_the_drawn_board() {
    castles_and_promotes("cm").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn castling_and_promotion_on_the_table_board() {
    castles_and_promotes("table").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_move_of_an_own_piece_is_taken() {
    let scene = scene("cm").await;
    let page = &scene.page;
    page.drag("a1", "a8").await;
    page.drag("a1", "b4").await;
    page.drag("a1", "a2").await;
    page.drag("e1", "e3").await;
    page.until_list("a1a8 a1b4 a1a2 e1e3").await;
    page.drag("a8", "a7").await;
    page.drag("d4", "d5").await;
    page.until_saved().await;
    assert_eq!(
        page.list().await,
        "a1a8 a1b4 a1a2 e1e3",
        "only own pieces move"
    );
    assert_eq!(page.text("#count").await, "4 moves");
}

#[tokio::test(flavor = "multi_thread")]
async fn typed_moves_ask_when_they_are_unclear() {
    let scene = scene("cm").await;
    let page = &scene.page;
    page.type_move("Nf7").await;
    page.until_list("e5f7").await;
    page.type_move("Rd1").await;
    page.until("!document.getElementById('which').hidden").await;
    page.press_button("#which-choices button:nth-child(2)")
        .await;
    page.until_list("e5f7 h1d1").await;
    page.type_move("O-O-O").await;
    page.until_list("e5f7 h1d1 e1c1").await;
    page.type_move("b8").await;
    page.until("document.querySelector('dialog.promotion')")
        .await;
    page.press_button("dialog.promotion [data-promotion=q]")
        .await;
    page.until_list("e5f7 h1d1 e1c1 b7b8q").await;
    page.type_move("Nh8").await;
    page.until(
        "document.getElementById('typed-error').textContent.includes('No white knight gets to h8')",
    )
    .await;
    page.type_move("nonsense").await;
    page.until("document.getElementById('typed-error').textContent.includes('not read as a move')")
        .await;
    page.until_saved().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_undone_flipped_and_survives_a_reload() {
    let scene = scene("cm").await;
    let page = &scene.page;
    page.drag("e5", "f7").await;
    page.drag("e5", "d3").await;
    page.drag("e5", "g6").await;
    page.until_list("e5f7 e5d3 e5g6").await;
    page.press_button("#list > li:nth-child(2) button").await;
    page.until_list("e5f7 e5g6").await;
    page.press_button("#undo").await;
    page.until_list("e5f7 e5g6 e5d3").await;
    page.press_button("#undo").await;
    page.until_list("e5f7 e5d3").await;
    page.press_button("#flip").await;
    page.until("document.querySelector('#say').textContent.includes('black is at the bottom')")
        .await;
    page.drag("c3", "a4").await;
    page.until_list("e5f7 e5d3 c3a4").await;
    page.reload().await;
    page.ready().await;
    page.until_list("e5f7 e5d3 c3a4").await;
    page.press_button("#undo").await;
    page.until_list("e5f7 e5d3").await;
    page.until_saved().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_list_is_frozen_and_thanked_for() {
    let scene = scene("cm").await;
    let page = &scene.page;
    page.type_move("Nf7").await;
    page.type_move("e1e3").await;
    page.until_list("e5f7 e1e3").await;
    page.press_button("#finish").await;
    page.until("document.getElementById('confirm').open").await;
    assert!(
        page.text("#confirm-text")
            .await
            .contains("You listed 2 moves.")
    );
    page.press_button("#confirm button[value=no]").await;
    page.type_move("Nd3").await;
    page.until_list("e5f7 e1e3 e5d3").await;
    page.press_button("#finish").await;
    page.press_button("#confirm button[value=yes]").await;
    page.until("!document.getElementById('done').hidden").await;
    assert!(page.text("#done-text").await.contains("3 moves"));
    assert!(
        page.text("#result")
            .await
            .contains("when the position closes")
    );
    // There is no other position in the campaign, and this one does not come again.
    page.goto(&scene.server.contribute("calm")).await;
    page.until("document.getElementById('messages').textContent.includes('every position')")
        .await;
    page.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skipped_position_gives_way_to_the_next() {
    let scene = scene("cm").await;
    let page = &scene.page;
    scene
        .server
        .import("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", CAMPAIGN, false)
        .await;
    page.type_move("Nf7").await;
    page.until_saved().await;
    page.press_button("#skip").await;
    page.until("document.getElementById('confirm').open").await;
    assert_eq!(
        page.text("#confirm-title").await,
        "Skip and throw away 1 move?"
    );
    page.press_button("#confirm button[value=no]").await;
    page.until_list("e5f7").await;
    page.press_button("#skip").await;
    page.press_button("#confirm button[value=yes]").await;
    page.until("document.querySelectorAll('#list > li').length === 0 && !document.getElementById('task').hidden").await;
    page.ready().await;
    page.type_move("e2e4").await;
    page.until_list("e2e4").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_draws_pieces_with_a_finger() {
    let scene = scene("cm").await;
    let page = &scene.page;
    page.size(390, 844, true).await;
    page.reload().await;
    page.ready().await;
    page.draw("e5", "f7").await;
    page.until_list("e5f7").await;
    let wide = page
        .eval("document.documentElement.scrollWidth <= innerWidth")
        .await;
    assert_eq!(wide, true, "nothing sticks out to the side");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_diagram_does_not_show_is_said() {
    let scene = scene("cm").await;
    let page = &scene.page;
    assert_eq!(page.text("#turn").await, "White");
    assert_eq!(
        page.text("#castling").await,
        "White: both sides. Black: both sides."
    );
    assert_eq!(page.text("#passant").await, "none");
    page.type_move("Nf7").await;
    page.until("document.getElementById('say').textContent.includes('knight from e5 to f7, taking the pawn added, 1 move')").await;
}
