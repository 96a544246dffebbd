use super::super::page::{DELETE, K, UP};
use super::super::scene::Scene;

/// Black is to move, and the move has the number 40.
const LATE: &str = "7k/8/8/8/8/8/P7/4K3 b - - 3 40";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: bad FENs"]
async fn a_bad_fen_is_reported_in_words() {
    let page = Scene::play().await;
    let bad = [
        ("start", "fen"),
        ("fen-input", "8/8/8/8/8/8/8/4K3 w - - 0 1"),
    ];
    page.new_game("person", &bad).await;
    page.until_says("play-new-error", "Black has no king").await;
    page.fill("play-fen-input", LATE).await;
    page.click("#play-new-form [type=submit]").await;
    page.until_closed("play-new-dialog").await;
    page.until_text("play-fen", LATE).await;
    page.play_move("h8h7", 1).await;
    page.until_is(
        "document.querySelector('#play-log-moves th').textContent",
        "40.",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: the editor"]
async fn a_position_is_set_up() {
    let page = Scene::play().await;
    page.click("#play-editor-open").await;
    page.click("#play-editor-clear").await;
    // By keys: the black king, then the white one.
    page.eval("document.querySelector('#play-editor-board [data-square=e4]').focus()")
        .await;
    page.key(UP).await;
    page.key(K).await;
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
    page.eval("document.querySelector('#play-editor-board [data-square=a1]').focus()")
        .await;
    page.key(DELETE).await;
    page.click("#play-editor-board [data-square=a2]").await;
    page.click("[name=play-editor-side][value=b]").await;
    let fen = "document.getElementById('play-editor-fen').value";
    page.until_is(fen, "8/8/8/4k3/8/8/P7/4K3 b - - 0 1").await;
    // A right without its rook is passed over, but not in silence.
    page.click("[name=play-editor-castling][value=K]").await;
    page.click("#play-editor-use").await;
    page.until_says("play-editor-faults", "Press again to play from there")
        .await;
    page.click("#play-editor-use").await;
    page.until_closed("play-editor").await;
    page.click("#play-new-form [name=opponent][value=person]")
        .await;
    page.click("#play-new-form [type=submit]").await;
    page.until_text("play-fen", "8/8/8/4k3/8/8/P7/4K3 b - - 0 1")
        .await;
    page.status("Black to move.").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: links to positions"]
async fn a_link_opens_its_position() {
    let page = Scene::play().await;
    page.open_at("/play?fen=7k/8/8/8/8/8/P7/4K3%20b%20-%20-%203%2040")
        .await;
    page.until_text("play-fen", LATE).await;
    page.status("Black to move.").await;
    page.until_text("play-bottom-name", "Black").await;
    // Later the game that was begun counts, not the link.
    page.until_is("location.search", "").await;
    page.open_at("/play?fen=nonsense&chess960=true").await;
    page.until_text("play-fen", LATE).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: what the editor cannot read"]
async fn the_editor_reports_what_it_cannot_read() {
    let page = Scene::play().await;
    page.click("#play-editor-open").await;
    page.fill("play-editor-fen", "this is no FEN").await;
    page.click("#play-editor-read").await;
    page.until("document.getElementById('play-editor-faults').textContent !== ''")
        .await;
    page.until_is(
        "document.getElementById('play-editor-fen').value",
        "this is no FEN",
    )
    .await;
    page.fill("play-editor-fen", LATE).await;
    page.click("#play-editor-read").await;
    page.until_is(
        "document.querySelector('#play-editor-board [data-square=h8]').getAttribute('aria-label')",
        "h8, black king",
    )
    .await;
}
