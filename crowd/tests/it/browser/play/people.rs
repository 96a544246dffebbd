use super::super::page::{END, HOME, LEFT};
use super::super::scene::Scene;

#[tokio::test(flavor = "multi_thread")]
async fn two_people_play_to_mate() {
    let page = Scene::two_people().await;
    page.click_square("e2").await;
    page.until_count("#play-board .is-legal", 2).await;
    page.click_square("e5").await;
    page.until_says("play-why", "e2e5 is illegal: ").await;
    page.play_moves(&["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6"])
        .await;
    page.until_text("play-say", "Black: knight f6.").await;
    page.until_count("#play-board .is-last", 2).await;
    page.play_move("h5f7", 7).await;
    page.status("White wins by checkmate.").await;
    page.until_text(
        "play-say",
        "White: queen takes f7, checkmate. White wins by checkmate.",
    )
    .await;
    page.until_count("#play-board .is-check", 1).await;

    // The way through the game: keys, buttons, moves.
    page.click("#play-previous").await;
    page.status("After knight f6 (6 of 7)").await;
    page.key(LEFT).await;
    page.status("After bishop c4 (5 of 7)").await;
    page.key(HOME).await;
    page.status("The first position (0 of 7)").await;
    page.until_is("document.getElementById('play-first').ariaDisabled", "true")
        .await;
    page.click("#play-log-moves tr:nth-child(2) td:nth-child(2) button")
        .await;
    page.status("After queen h5 (3 of 7)").await;
    let current = "document.querySelector('#play-log-moves [aria-current]').textContent";
    page.until_is(current, "Qh5").await;
    page.key(END).await;
    page.status("White wins by checkmate.").await;

    // The review finds the move that lost the game.
    page.click("#play-review").await;
    page.until_says("play-review-turns", "3\u{2026} Nf6??")
        .await;
    page.until_count("#play-log-moves [data-mark]", 1).await;
    page.click("#play-review-turns button").await;
    page.status("After knight f6 (6 of 7)").await;

    // Nothing is lost by a reload.
    page.open_at("/play").await;
    page.until_moves(7).await;
    page.status("White wins by checkmate.").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: a flag falls"]
async fn a_flag_falls() {
    let page = Scene::play().await;
    let clock = [
        ("clock", "custom"),
        ("minutes", "0"),
        ("seconds", "1"),
        ("increment", "0"),
    ];
    page.new_game("person", &clock).await;
    page.until_text("play-bottom-clock", "0:01.0").await;
    page.play_move("e2e4", 1).await;
    page.status("White wins on time.").await;
    page.until_text("play-top-clock", "0:00.0").await;

    // Nobody loses on time against a king alone.
    let fen = "4k3/7q/8/8/8/8/8/4K3 w - - 0 1";
    let lone = [clock.as_slice(), &[("start", "fen"), ("fen-input", fen)]].concat();
    page.new_game("person", &lone).await;
    page.until_text("play-fen", fen).await;
    page.play_move("e1d1", 1).await;
    page.until_says("play-status", "Draw because the flag fell")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: draws, resignation and undo"]
async fn draws_resignation_and_undo() {
    let page = Scene::two_people().await;
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    page.play_moves(&[shuffle, shuffle].concat()).await;
    page.until_says("play-status", "You can claim a draw: threefold repetition.")
        .await;
    page.click("#play-claim").await;
    page.status("Draw by threefold repetition, claimed.").await;
    page.click("#play-undo").await;
    page.until_moves(7).await;
    page.status("Black to move.").await;

    page.click("#play-offer").await;
    page.answer("").await;
    page.until_closed("play-question").await;
    page.click("#play-offer").await;
    page.answer("yes").await;
    page.status("Draw by agreement.").await;
    page.click("#play-undo").await;
    page.status("White to move.").await;
    page.click("#play-resign").await;
    page.until_text("play-question-text", "Does White resign?")
        .await;
    page.answer("yes").await;
    page.status("Black wins by resignation.").await;
}
