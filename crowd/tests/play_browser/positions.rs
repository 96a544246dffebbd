use serde_json::json;

use crate::browser::{key, with_page};

#[tokio::test]
async fn a_bad_fen_is_told_in_words() {
    with_page(|page| async move {
        let bad = [
            ("start", "fen"),
            ("fen-input", "8/8/8/8/8/8/8/4K3 w - - 0 1"),
        ];
        page.new_game("person", &bad).await;
        page.until_says("play-new-error", "Black has no king").await;
        page.fill("play-fen-input", "7k/8/8/8/8/8/P7/4K3 b - - 3 40")
            .await;
        page.click("#play-new-form [type=submit]").await;
        page.until_closed("play-new-dialog").await;
        page.until_text("play-fen", "7k/8/8/8/8/8/P7/4K3 b - - 3 40")
            .await;
        page.play("h8", "h7", 1).await;
        page.until(
            "return document.querySelector('#play-log-moves th').textContent",
            &json!("40."),
        )
        .await;
    })
    .await;
}

#[tokio::test]
async fn a_position_is_set_up() {
    with_page(|page| async move {
        page.click("#play-editor-open").await;
        page.click("#play-editor-clear").await;
        // By keys: the black king, then the white one.
        page.js("document.querySelector('#play-editor-board [data-square=e4]').focus()")
            .await;
        page.keys(key::UP).await;
        page.keys("k").await;
        page.click("#play-editor-use").await;
        page.until_says("play-editor-faults", "White has no king")
            .await;
        // By clicks: the palette, then squares.
        page.click(".play-palette-piece:has([value=wk])").await;
        page.click("#play-editor-board [data-square=e1]").await;
        page.click(".play-palette-piece:has([value=wp])").await;
        page.click("#play-editor-board [data-square=a1]").await;
        page.click("#play-editor-use").await;
        page.until_says("play-editor-faults", "A pawn stands on a1")
            .await;
        page.js("document.querySelector('#play-editor-board [data-square=a1]').focus()")
            .await;
        page.keys(key::DELETE).await;
        page.click("#play-editor-board [data-square=a2]").await;
        page.click("[name=play-editor-side][value=b]").await;
        let fen = "return document.getElementById('play-editor-fen').value";
        page.until(fen, &json!("8/8/8/4k3/8/8/P7/4K3 b - - 0 1"))
            .await;
        // A right without its rook is passed over, but not in silence.
        page.click("[name=play-editor-castling][value=K]").await;
        page.click("#play-editor-use").await;
        page.until_says("play-editor-faults", "Press again to play from it")
            .await;
        page.click("#play-editor-use").await;
        page.until_closed("play-editor").await;
        page.click("#play-new-form [name=opponent][value=person]")
            .await;
        page.click("#play-new-form [type=submit]").await;
        page.until_text("play-fen", "8/8/8/4k3/8/8/P7/4K3 b - - 0 1")
            .await;
        page.until_text("play-status", "Black to move.").await;
    })
    .await;
}

#[tokio::test]
async fn a_link_opens_its_position() {
    with_page(|page| async move {
        page.open_at("/play?fen=7k/8/8/8/8/8/P7/4K3%20b%20-%20-%203%2040")
            .await;
        page.until_text("play-fen", "7k/8/8/8/8/8/P7/4K3 b - - 3 40")
            .await;
        page.until_text("play-status", "Black to move.").await;
        page.until_text("play-bottom-name", "Black").await;
        // Later the game that was begun counts, not the link.
        page.until("return location.search", &json!("")).await;
        page.open_at("/play?fen=nonsense&chess960=true").await;
        page.until_text("play-fen", "7k/8/8/8/8/8/P7/4K3 b - - 3 40")
            .await;
    })
    .await;
}

#[tokio::test]
async fn the_editor_tells_what_it_cannot_read() {
    with_page(|page| async move {
        page.click("#play-editor-open").await;
        page.fill("play-editor-fen", "this is no FEN").await;
        page.click("#play-editor-read").await;
        page.until("return document.getElementById('play-editor-faults').textContent !== ''", &json!(true))
            .await;
        page.until("return document.getElementById('play-editor-fen').value", &json!("this is no FEN"))
            .await;
        page.fill("play-editor-fen", "7k/8/8/8/8/8/P7/4K3 b - - 3 40")
            .await;
        page.click("#play-editor-read").await;
        page.until("return document.querySelector('#play-editor-board [data-square=h8]').getAttribute('aria-label')", &json!("h8, black king"))
            .await;
    })
    .await;
}
