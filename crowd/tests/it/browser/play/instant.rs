//! What does not wait for the server: the piece is on its square at once, premoves, the question of promotion, sounds.

use super::super::page::{DOWN, ENTER, ESCAPE};
use super::super::scene::Scene;

/// White promotes on a8; Black's king is far.
const PROMOTING: &str = "7k/P7/8/8/8/8/8/K7 w - - 0 1";

impl Scene {
    /// A game against the first level, whose answers to moves are held back.
    async fn slow_opponent() -> Self {
        let page = Self::play().await;
        page.new_game("engine", &[("level", "1")]).await;
        page.until_closed("play-new-dialog").await;
        page.until_text("play-top-strength", "320 Elo").await;
        page.status("White to move.").await;
        page.hold("move").await;
        page
    }

    async fn premove_is_shown(&self, squares: usize) {
        self.until_count("#play-board .is-premove", squares).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: moves are shown at once"]
async fn a_piece_is_on_its_square_before_the_server_has_answered() {
    let page = Scene::slow_opponent().await;
    page.drag("e2", "e4").await;
    page.stands(Some("wp"), "e4").await;
    page.stands(None, "e2").await;
    page.until_moves(1).await;
    page.status("touchstone is thinking as Black …").await;
    page.until_is("window.held.length", 1).await;
    page.let_go().await;
    page.until_moves(2).await;
    page.status("White to move.").await;

    // The tap that puts a piece down does not lift it again.
    page.size(390, 844, true).await;
    page.tap("d2").await;
    page.tap("d4").await;
    page.until_moves(4).await;
    page.until_count("#play-board .is-chosen", 0).await;

    // Between two people the moves of the next player are asked for; a move made before is played when they are known.
    page.new_game("person", &[]).await;
    page.until_hidden("play-offer", false).await;
    page.hold("state").await;
    page.play_move("d2d4", 1).await;
    page.stands(Some("wp"), "d4").await;
    page.click_move("d7d5").await;
    page.premove_is_shown(2).await;
    page.let_go().await;
    page.until_moves(2).await;
    page.stands(Some("bp"), "d5").await;
    page.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: premoves"]
async fn a_premove_is_played_if_it_is_legal_and_can_be_cancelled() {
    let page = Scene::slow_opponent().await;
    page.play_move("e2e4", 1).await;
    page.drag("g1", "f3").await;
    page.premove_is_shown(2).await;
    page.until_text("play-say", "Premove: g1 to f3. Press Escape to cancel.")
        .await;
    page.key(ESCAPE).await;
    page.premove_is_shown(0).await;
    page.click_move("d2d4").await;
    page.premove_is_shown(2).await;
    page.click_square("e5").await;
    page.premove_is_shown(0).await;
    // No rook ever goes so.
    page.drag("a1", "b7").await;
    page.premove_is_shown(2).await;
    page.stands(Some("wr"), "a1").await;
    page.let_go().await;
    page.until_moves(2).await;
    page.premove_is_shown(0).await;
    page.status("White to move.").await;

    page.hold("move").await;
    page.drag("a2", "a3").await;
    page.drag("h2", "h3").await;
    page.premove_is_shown(2).await;
    page.let_go().await;
    page.until_moves(6).await;
    page.stands(Some("wp"), "h3").await;
    page.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: promotion at its square"]
async fn a_pawn_becomes_a_piece_at_its_square() {
    let page = Scene::play().await;
    let position = [("start", "fen"), ("fen-input", PROMOTING)];
    page.new_game("person", &position).await;
    page.until_text("play-fen", PROMOTING).await;
    page.drag("a7", "a8").await;
    page.until_promotion().await;
    // The queen is asked for upon the square itself.
    let offset = "(() => { const [one, other] = ['dialog.promotion [data-promotion=q]', '#play-board [data-square=a8]']
        .map((css) => document.querySelector(css).getBoundingClientRect());
        return Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y)) < 2; })()";
    page.until(offset).await;
    page.key(ESCAPE).await;
    page.until("!document.querySelector('dialog.promotion')")
        .await;
    page.stands(Some("wp"), "a7").await;
    page.drag("a7", "a8").await;
    page.until_promotion().await;
    for press in [DOWN, DOWN, ENTER] {
        page.key(press).await;
    }
    page.stands(Some("wb"), "a8").await;
    page.until_moves(1).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: captures and the bar"]
async fn what_is_taken_is_shown_and_mate_fills_the_bar() {
    let page = Scene::two_people().await;
    page.until_hidden("play-top-taken", true).await;
    page.play_moves(&["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e5", "f1e2"])
        .await;
    let taken = "document.getElementById('play-bottom-taken').ariaLabel";
    page.until_is(taken, "Has taken: pawn.").await;
    page.play_move("e5e2", 8).await;
    let taken = "document.getElementById('play-top-taken').ariaLabel";
    page.until_is(taken, "Has taken: bishop, pawn. 3 points ahead.")
        .await;

    page.new_game("person", &[]).await;
    page.status("White to move.").await;
    page.until_moves(0).await;
    page.play_moves(&["f2f3", "e7e5", "g2g4"]).await;
    page.until_text("play-worth", "Evaluation: mate in 1 for Black")
        .await;
    page.until_text("play-bar", "M1").await;
    page.play_move("d8h4", 4).await;
    page.until_text("play-bar", "0-1").await;
    page.until_text("play-worth", "Evaluation: Black wins by checkmate")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: sounds"]
async fn sounds_wait_for_a_gesture_and_a_click_turns_them_off() {
    let page = Scene::play().await;
    // How many tones were begun, over all pages of this test.
    let watch = "sessionStorage.setItem('tones', 0);
        window.OscillatorNode = class extends OscillatorNode { start(at) {
            sessionStorage.setItem('tones', Number(sessionStorage.getItem('tones')) + 1); super.start(at); } }; 0";
    page.eval(watch).await;
    let tones = "Number(sessionStorage.getItem('tones'))";
    // By a script, which is no gesture.
    page.eval("document.querySelector('#play-sound-toggle').click()")
        .await;
    page.eval("document.querySelector('#play-sound-toggle').click()")
        .await;
    page.until_is(tones, 0).await;
    page.new_game("person", &[]).await;
    page.until_hidden("play-offer", false).await;
    page.play_move("e2e4", 1).await;
    page.until_is(tones, 1).await;
    page.click("#play-sound-toggle").await;
    page.play_move("d7d5", 2).await;
    page.play_move("e4d5", 3).await;
    page.until_is(tones, 1).await;
    page.open_at("/play").await;
    page.until_is(
        "document.getElementById('play-sound-toggle').ariaPressed",
        "false",
    )
    .await;
}
