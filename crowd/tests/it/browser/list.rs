//! A calm list: every way to give a move, on both makes of board.

use super::page::{DOWN, ENTER, ESCAPE, LEFT, Page, RIGHT, UP};
use super::scene::Scene;
use super::server::CAMPAIGN;

/// The drawn board and the table of buttons.
const BOARDS: [&str; 2] = ["cm", "table"];

/// A calm list on a make of board, which a failure names.
#[expect(clippy::print_stdout, reason = "a test that fails shows its board")]
async fn list_on(board: &str) -> Scene {
    println!("board {board}");
    let scene = Scene::at("/about").await;
    let keep = format!("localStorage.setItem('crowd-board', {board:?})");
    scene.eval(&keep).await;
    scene.contribute("calm").await;
    scene.ready().await;
    scene
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_are_given_by_drags_clicks_and_keys() {
    for board in BOARDS {
        give_moves(&list_on(board).await).await;
    }
}

async fn give_moves(page: &Scene) {
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
#[ignore = "long: castling and promotion by hand"]
async fn castling_and_promotion() {
    for board in BOARDS {
        castle_and_promote(&list_on(board).await).await;
    }
}

async fn castle_and_promote(page: &Scene) {
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
    page.until_promotion().await;
    page.key(ESCAPE).await;
    page.until("!document.querySelector('dialog.promotion')")
        .await;
    // The question comes for a pawn that cannot get there as well.
    page.drag("a2", "d8").await;
    page.until_promotion().await;
    page.press_button("dialog.promotion [data-promotion=n]")
        .await;
    page.until_list("e1g1 e1c1 b7a8r a2d8n").await;
    page.until_saved().await;
    page.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: every move by hand"]
async fn every_move_of_an_own_piece_is_taken() {
    let page = list_on("cm").await;
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
#[ignore = "long: unclear typed moves"]
async fn typed_moves_ask_when_they_are_unclear() {
    let page = list_on("cm").await;
    page.type_move("Nf7").await;
    page.until_list("e5f7").await;
    page.type_move("Rd1").await;
    page.until_hidden("which", false).await;
    page.press_button("#which-choices button:nth-child(2)")
        .await;
    page.until_list("e5f7 h1d1").await;
    page.type_move("O-O-O").await;
    page.until_list("e5f7 h1d1 e1c1").await;
    page.type_move("b8").await;
    page.until_promotion().await;
    page.press_button("dialog.promotion [data-promotion=q]")
        .await;
    page.until_list("e5f7 h1d1 e1c1 b7b8q").await;
    page.type_move("Nh8").await;
    page.until_says("typed-error", "No white knight gets to h8")
        .await;
    page.type_move("nonsense").await;
    page.until_says("typed-error", "not read as a move").await;
    page.until_saved().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: undo, flip and reload"]
async fn a_list_is_undone_flipped_and_survives_a_reload() {
    let page = list_on("cm").await;
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
    let page = list_on("cm").await;
    page.type_move("Nf7").await;
    page.type_move("e1e3").await;
    page.until_list("e5f7 e1e3").await;
    page.press_button("#finish").await;
    page.until("document.getElementById('confirm').open").await;
    page.until_says("confirm-text", "You listed 2 moves.").await;
    page.press_button("#confirm button[value=no]").await;
    page.type_move("Nd3").await;
    page.until_list("e5f7 e1e3 e5d3").await;
    page.press_button("#finish").await;
    page.press_button("#confirm button[value=yes]").await;
    page.until_done().await;
    page.until_says("done-text", "3 moves").await;
    page.until_says("result", "when the position closes").await;
    // There is no other position in the campaign, and this one does not come again.
    page.contribute("calm").await;
    page.until_says("messages", "No position of this campaign")
        .await;
    page.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: a skipped position"]
async fn a_skipped_position_gives_way_to_the_next() {
    let page = list_on("cm").await;
    page.server
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
#[ignore = "long: touch"]
async fn a_phone_draws_pieces_with_a_finger() {
    let page = list_on("cm").await;
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
#[ignore = "long: rights and clocks in words"]
async fn what_the_diagram_does_not_show_is_said() {
    let page = list_on("cm").await;
    assert_eq!(page.text("#turn").await, "White");
    assert_eq!(
        page.text("#castling").await,
        "White: both sides. Black: both sides."
    );
    assert_eq!(page.text("#passant").await, "none");
    page.type_move("Nf7").await;
    page.until_says("say", "knight from e5 to f7, taking the pawn added, 1 move")
        .await;
}
