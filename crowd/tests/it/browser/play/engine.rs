use super::super::page::END;
use super::super::scene::Scene;

#[tokio::test(flavor = "multi_thread")]
async fn touchstone_answers_and_undo_takes_back_both_plies() {
    let page = Scene::play().await;
    page.new_game("engine", &[("level", "1")]).await;
    page.until_closed("play-new-dialog").await;
    page.until_text("play-top-name", "Black: touchstone, level 1")
        .await;
    page.until_text("play-top-strength", "320 Elo").await;
    page.status("White to move.").await;
    page.play_move("e2e4", 2).await;
    page.play_move("a2a3", 4).await;
    page.until_says("play-worth", "Evaluation: ").await;
    page.click("#play-undo").await;
    page.until_moves(2).await;
    page.status("White to move.").await;
    page.click("#play-hint").await;
    page.until_says("play-why", "Hint: ").await;
    page.click("#play-bar-toggle").await;
    page.until_hidden("play-bar", true).await;
    page.click("#play-resign").await;
    page.answer("yes").await;
    page.status("Black wins by resignation.").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: the engine begins"]
async fn touchstone_begins_as_white() {
    let page = Scene::play().await;
    page.eval("document.querySelector('#play-new-form [name=color][value=black]').checked = true")
        .await;
    let level = [("level", "2"), ("clock", "180+2")];
    let start = [("start", "chess960"), ("number", "0")];
    page.new_game("engine", &[level, start].concat()).await;
    page.until_moves(1).await;
    page.until_text("play-bottom-name", "Black").await;
    page.status("Black to move.").await;
    page.until_says("play-fen", "bbqnnrkr/pppppppp").await;
    page.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: a server that is away during a game"]
async fn a_server_that_is_away_is_reported_and_asked_again() {
    let page = Scene::two_people().await;
    page.fetch(false).await;
    page.click_move("e2e4").await;
    page.until_hidden("play-trouble", false).await;
    page.until_text(
        "play-trouble-text",
        "Cannot reach the server. Your game is safe here.",
    )
    .await;
    page.fetch(true).await;
    page.click("#play-retry").await;
    page.until_moves(1).await;
    page.until_hidden("play-trouble", true).await;
    page.status("Black to move.").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: a move that waits to be sent"]
async fn a_move_that_waits_to_be_sent_does_not_stop_the_way_through_the_game() {
    let page = Scene::two_people().await;
    page.play_move("e2e4", 1).await;
    page.fetch(false).await;
    page.click_move("e7e5").await;
    page.until_hidden("play-trouble", false).await;
    page.status("Your move is waiting to be sent.").await;
    page.click("#play-previous").await;
    page.status("After pawn e4 (1 of 2); go to the last position to play on")
        .await;
    page.until_hidden("play-trouble", false).await;
    page.key(END).await;
    page.status("Your move is waiting to be sent.").await;
    page.fetch(true).await;
    page.click("#play-retry").await;
    page.until_moves(2).await;
    page.status("White to move.").await;
    page.assert_no_faults().await;
}
