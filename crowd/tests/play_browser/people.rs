use serde_json::json;

use crate::browser::{key, with_page};

#[tokio::test]
async fn two_people_play_to_mate() {
    with_page(|page| async move {
        page.new_game("person", &[]).await;
        page.until_closed("play-new-dialog").await;
        page.until_text("play-status", "White to move.").await;
        page.press("e2").await;
        page.until(
            "return document.querySelectorAll('.marker-legal').length",
            &json!(2),
        )
        .await;
        page.press("e5").await;
        page.until_says("play-why", "e2e5 is illegal: ").await;
        let moves = [
            ("e2", "e4"),
            ("e7", "e5"),
            ("d1", "h5"),
            ("b8", "c6"),
            ("f1", "c4"),
            ("g8", "f6"),
        ];
        for (index, (from, to)) in moves.into_iter().enumerate() {
            page.play(from, to, index + 1).await;
        }
        page.until_text("play-say", "Black: knight f6.").await;
        page.until(
            "return document.querySelectorAll('.marker-last').length",
            &json!(2),
        )
        .await;
        page.play("h5", "f7", 7).await;
        page.until_text("play-status", "White wins by checkmate.")
            .await;
        page.until_text(
            "play-say",
            "White: queen takes f7, checkmate. White wins by checkmate.",
        )
        .await;
        page.until(
            "return document.querySelectorAll('.marker-check').length",
            &json!(1),
        )
        .await;

        // The way through the game: keys, buttons, moves.
        page.click("#play-previous").await;
        page.until_text("play-status", "After knight f6 (6 of 7)")
            .await;
        page.keys(key::LEFT).await;
        page.until_text("play-status", "After bishop c4 (5 of 7)")
            .await;
        page.keys(key::HOME).await;
        page.until_text("play-status", "The first position (0 of 7)")
            .await;
        page.until(
            "return document.getElementById('play-first').ariaDisabled",
            &json!("true"),
        )
        .await;
        page.click("#play-log-moves tr:nth-child(2) td:nth-child(2) button")
            .await;
        page.until_text("play-status", "After queen h5 (3 of 7)")
            .await;
        let current = "return document.querySelector('#play-log-moves [aria-current]').textContent";
        page.until(current, &json!("Qh5")).await;
        page.keys(key::END).await;
        page.until_text("play-status", "White wins by checkmate.")
            .await;

        // Nothing is lost by a reload.
        page.open().await;
        page.until_moves(7).await;
        page.until_text("play-status", "White wins by checkmate.")
            .await;
    })
    .await;
}

#[tokio::test]
async fn a_flag_falls() {
    with_page(|page| async move {
        let clock = [
            ("clock", "custom"),
            ("minutes", "0"),
            ("seconds", "1"),
            ("increment", "0"),
        ];
        page.new_game("person", &clock).await;
        page.until_text("play-bottom-clock", "0:01.0").await;
        page.play("e2", "e4", 1).await;
        page.until_text("play-status", "White wins on time.").await;
        page.until_text("play-top-clock", "0:00.0").await;

        // Nobody loses on time against a king alone.
        let fen = "4k3/7q/8/8/8/8/8/4K3 w - - 0 1";
        let lone = [clock.as_slice(), &[("start", "fen"), ("fen-input", fen)]].concat();
        page.new_game("person", &lone).await;
        page.until_text("play-fen", fen).await;
        page.play("e1", "d1", 1).await;
        page.until_says("play-status", "Draw because the flag fell")
            .await;
    })
    .await;
}

#[tokio::test]
async fn draws_resignation_and_undo() {
    with_page(|page| async move {
        page.new_game("person", &[]).await;
        page.until_closed("play-new-dialog").await;
        page.until_text("play-status", "White to move.").await;
        let shuffle = [("g1", "f3"), ("g8", "f6"), ("f3", "g1"), ("f6", "g8")];
        for (index, (from, to)) in shuffle.into_iter().cycle().take(8).enumerate() {
            page.play(from, to, index + 1).await;
        }
        page.until_says(
            "play-status",
            "A draw may be claimed: threefold repetition.",
        )
        .await;
        page.click("#play-claim").await;
        page.until_text("play-status", "Draw by threefold repetition, claimed.")
            .await;
        page.click("#play-undo").await;
        page.until_moves(7).await;
        page.until_text("play-status", "Black to move.").await;

        page.click("#play-offer").await;
        page.click("#play-question button[value='']").await;
        page.until_closed("play-question").await;
        page.click("#play-offer").await;
        page.click("#play-question button[value=yes]").await;
        page.until_text("play-status", "Draw by agreement.").await;
        page.click("#play-undo").await;
        page.until_text("play-status", "White to move.").await;
        page.click("#play-resign").await;
        page.until_text("play-question-text", "Does White resign?")
            .await;
        page.click("#play-question button[value=yes]").await;
        page.until_text("play-status", "Black wins by resignation.")
            .await;
    })
    .await;
}
