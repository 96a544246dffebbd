use serde_json::json;

use super::super::scene::Scene;

const GAMES: &str = "[Event \"One\"]\n[White \"Ada\"]\n[Black \"Bob\"]\n\n1. e4 e5 1-0\n\n\
    [Event \"Two\"]\n[White \"<b>Eve</b>\"]\n[Black \"Zoë\"]\n\n1. d4 {a comment} d5 (1... Nf6) 2. c4 1/2-1/2\n\n\
    [Event \"Three\"]\n\n1. Qh8 *\n";

#[tokio::test(flavor = "multi_thread")]
async fn pgn_goes_out_and_in() {
    let page = Scene::two_people().await;
    page.play_moves(&["e2e4", "c7c5"]).await;
    page.click("#play-pgn-open").await;
    let text = "document.getElementById('play-pgn-text').value";
    page.until(&format!("{text}.includes('1. e4 c5 *')")).await;
    page.until(&format!(
        "{text}.includes('[Termination \"unterminated\"]')"
    ))
    .await;

    // Of several games one is chosen; the faulty one is reported.
    page.fill("play-pgn-input", GAMES).await;
    page.click("#play-pgn-read").await;
    page.until_says("play-pgn-faults", "Qh8").await;
    page.until_count("#play-pgn-games li", 2).await;
    page.click("#play-pgn-games li:nth-child(2) button").await;
    page.until_closed("play-pgn").await;
    page.until_moves(3).await;
    page.status("Draw.").await;
    page.until_text("play-bottom-name", "White: <b>Eve</b>")
        .await;
    page.click("#play-pgn-open").await;
    page.until(&format!("{text}.includes('[Black \"Zoë\"]')"))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: games are kept by name and as files"]
async fn games_are_kept_by_name_and_as_files() {
    let page = Scene::two_people().await;
    page.play_move("d2d4", 1).await;
    page.click("#play-games-open").await;
    page.fill("play-save-name", "<i>mine</i>").await;
    page.click("#play-save-form [type=submit]").await;
    page.until_is(
        "document.querySelector('#play-saved strong').textContent",
        "<i>mine</i>",
    )
    .await;
    page.click("#play-games [data-close]").await;
    page.new_game("person", &[]).await;
    page.until_closed("play-new-dialog").await;
    page.until_moves(0).await;
    page.click("#play-games-open").await;
    page.click("#play-saved li button").await;
    page.until_closed("play-games").await;
    page.until_moves(1).await;

    // An invalid file is reported; one that was written is accepted.
    page.click("#play-games-open").await;
    let upload = |content: &str| {
        format!(
            "{{ const files = new DataTransfer(); files.items.add(new File([{}], 'game.json'));
                const input = document.getElementById('play-file'); input.files = files.files;
                input.dispatchEvent(new Event('change')); }}",
            json!(content)
        )
    };
    page.eval(&upload("no game")).await;
    page.until_text("play-games-error", "not a game file: it is not JSON")
        .await;
    page.eval(&upload(
        "{\"version\":1,\"fen\":null,\"moves\":[\"e2e4\",\"e7e5\",\"e1e3\"]}",
    ))
    .await;
    page.until_says("play-games-error", "move 3: e1e3 is illegal")
        .await;
    page.eval(&upload(
        "{\"version\":1,\"fen\":null,\"moves\":[\"e2e4\",\"e7e5\",\"e1e2\"]}",
    ))
    .await;
    page.until_closed("play-games").await;
    page.until_moves(3).await;
}
