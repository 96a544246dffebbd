use serde_json::json;

use crate::browser::{key, with_page};

#[tokio::test]
async fn touchstone_answers_and_undo_takes_back_both_plies() {
    with_page(|page| async move {
        page.new_game("engine", &[("level", "1")]).await;
        page.until_closed("play-new-dialog").await;
        page.until_text("play-top-name", "Black: touchstone, level 1")
            .await;
        page.until_text("play-status", "White to move.").await;
        page.press("e2").await;
        page.press("e4").await;
        page.until_moves(2).await;
        page.press("a2").await;
        page.press("a3").await;
        page.until_moves(4).await;
        page.until_says("play-worth", "Evaluation: ").await;
        page.click("#play-undo").await;
        page.until_moves(2).await;
        page.until_text("play-status", "White to move.").await;
        page.click("#play-hint").await;
        page.until_says("play-why", "Hint: ").await;
        page.click("#play-bar-toggle").await;
        page.until(
            "return document.getElementById('play-bar').hidden",
            &json!(true),
        )
        .await;
        page.click("#play-resign").await;
        page.click("#play-question button[value=yes]").await;
        page.until_text("play-status", "Black wins by resignation.")
            .await;
    })
    .await;
}

#[tokio::test]
async fn touchstone_begins_as_white() {
    with_page(|page| async move {
        page.watch().await;
        page.js(
            "document.querySelector('#play-new-form [name=color][value=black]').checked = true",
        )
        .await;
        page.new_game(
            "engine",
            &[
                ("level", "2"),
                ("clock", "180+2"),
                ("start", "chess960"),
                ("number", "0"),
            ],
        )
        .await;
        page.until_moves(1).await;
        page.until_text("play-bottom-name", "Black").await;
        page.until_text("play-status", "Black to move.").await;
        page.until_says("play-fen", "bbqnnrkr/pppppppp").await;
        page.assert_no_faults().await;
    })
    .await;
}

#[tokio::test]
async fn a_server_that_is_away_is_told_and_asked_again() {
    with_page(|page| async move {
        page.new_game("person", &[]).await;
        page.until_closed("play-new-dialog").await;
        page.until_text("play-status", "White to move.").await;
        page.js("window.kept = window.fetch; window.fetch = () => Promise.reject(new TypeError('away'))").await;
        page.press("e2").await;
        page.press("e4").await;
        page.until("return document.getElementById('play-trouble').hidden", &json!(false)).await;
        page.until_text("play-trouble-text", "The server cannot be reached. The game is kept here.").await;
        page.js("window.fetch = window.kept").await;
        page.click("#play-retry").await;
        page.until_moves(1).await;
        page.until("return document.getElementById('play-trouble').hidden", &json!(true)).await;
        page.until_text("play-status", "Black to move.").await;
    })
    .await;
}

#[tokio::test]
async fn a_move_that_waits_to_be_sent_does_not_stop_the_way_through_the_game() {
    with_page(|page| async move {
        page.watch().await;
        page.new_game("person", &[]).await;
        page.until_closed("play-new-dialog").await;
        page.until_text("play-status", "White to move.").await;
        page.play("e2", "e4", 1).await;
        page.js("window.kept = window.fetch; window.fetch = () => Promise.reject(new TypeError('away'))").await;
        page.press("e7").await;
        page.press("e5").await;
        let hidden = "return document.getElementById('play-trouble').hidden";
        page.until(hidden, &json!(false)).await;
        page.until_text("play-status", "Your move waits to be sent.").await;
        page.click("#play-previous").await;
        page.until_text("play-status", "The first position (0 of 2)").await;
        page.until(hidden, &json!(false)).await;
        page.keys(key::END).await;
        page.until_text("play-status", "Your move waits to be sent.").await;
        page.js("window.fetch = window.kept").await;
        page.click("#play-retry").await;
        page.until_moves(2).await;
        page.until_text("play-status", "White to move.").await;
        page.assert_no_faults().await;
    })
    .await;
}
