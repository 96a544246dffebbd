//! `/play`: games against the engine and between two people, positions, PGN, files.

mod access;
mod engine;
mod instant;
mod people;
mod positions;
mod texts;

use serde_json::{Value, json};

use super::page::PATIENCE;
use super::scene::Scene;

impl Scene {
    pub(crate) async fn play() -> Self {
        let scene = Self::at("/about").await;
        scene.open_at("/play").await;
        scene
    }

    /// A game between two people that has begun.
    pub(crate) async fn two_people() -> Self {
        let scene = Self::play().await;
        scene.new_game("person", &[]).await;
        scene.until_closed("play-new-dialog").await;
        // The game before it has the same status; only a game between two people has this button.
        scene.until_hidden("play-offer", false).await;
        scene.status("White to move.").await;
        scene
    }

    pub(crate) async fn open_at(&self, path: &str) {
        self.goto(&self.server.url(path)).await;
        self.until("document.getElementById('play')?.hidden === false && document.querySelector('#play-board [data-square]')")
            .await;
    }

    /// Waits until an expression has a value.
    pub(crate) async fn until_is(&self, expression: &str, expected: impl Into<Value>) {
        let expected = expected.into();
        self.until(&format!("{expression} === {expected}")).await;
    }

    pub(crate) async fn until_text(&self, id: &str, expected: &str) {
        let text = format!("document.getElementById('{id}')?.textContent.trim()");
        self.until_is(&text, expected).await;
    }

    /// Waits until the line below the board says this.
    pub(crate) async fn status(&self, expected: &str) {
        self.until_text("play-status", expected).await;
    }

    pub(crate) async fn until_count(&self, css: &str, count: usize) {
        let found = format!("document.querySelectorAll({css:?}).length");
        self.until_is(&found, count).await;
    }

    pub(crate) async fn until_closed(&self, id: &str) {
        self.until(&format!("!document.getElementById('{id}').open"))
            .await;
    }

    /// Waits until the table has so many moves.
    pub(crate) async fn until_moves(&self, count: usize) {
        self.until_count("#play-log-moves button", count).await;
    }

    /// Clicks the two squares of a move, such as "e2e4".
    pub(crate) async fn click_move(&self, mv: &str) {
        let (from, to) = mv.split_at(2);
        self.click_square(from).await;
        self.click_square(to).await;
    }

    /// Plays these moves as the first of the game; each is waited for in the table.
    pub(crate) async fn play_moves(&self, moves: &[&str]) {
        for (index, mv) in moves.iter().enumerate() {
            self.play_move(mv, index + 1).await;
        }
    }

    /// Clicks a move and waits until the table has so many.
    pub(crate) async fn play_move(&self, mv: &str, count: usize) {
        self.click_move(mv).await;
        self.until_moves(count).await;
    }

    /// Answers the question that a dialog asks: `yes`, or nothing for no.
    pub(crate) async fn answer(&self, button: &str) {
        self.click(&format!("#play-question button[value='{button}']"))
            .await;
    }

    /// Gives a field a value, as choosing or typing would.
    pub(crate) async fn fill(&self, id: &str, value: &str) {
        let value = json!(value);
        let script = format!(
            "{{ const field = document.getElementById('{id}'); field.value = {value};
                field.dispatchEvent(new Event('change', {{ bubbles: true }})); }}"
        );
        self.eval(&script).await;
    }

    /// Fills the form of a new game and starts it; fields are ids without `play-`.
    pub(crate) async fn new_game(&self, opponent: &str, fields: &[(&str, &str)]) {
        // A page that is still being drawn may move away under a click.
        let opened = async {
            while self
                .eval("document.getElementById('play-new-dialog').open")
                .await
                != json!(true)
            {
                self.click("#play-new").await;
            }
        };
        let in_time = tokio::time::timeout(PATIENCE, opened).await;
        in_time.expect("the form of a new game");
        self.click(&format!("#play-new-form [name=opponent][value={opponent}]"))
            .await;
        for (id, value) in fields {
            self.fill(&format!("play-{id}"), value).await;
        }
        self.click("#play-new-form [type=submit]").await;
    }

    /// Holds back the answers to requests for a path such as `move` until `let_go`; how many are held is `held.length`.
    pub(crate) async fn hold(&self, path: &str) {
        let script = format!(
            "window.held = []; window.kept = window.fetch;
             window.fetch = async (url, options) => {{
                 if (url === '/api/v1/play/{path}') await new Promise((go) => window.held.push(go));
                 return window.kept(url, options);
             }}; 0"
        );
        self.eval(&script).await;
    }

    /// Lets go what is held, and what comes after.
    pub(crate) async fn let_go(&self) {
        self.eval("window.fetch = window.kept; window.held.forEach((go) => go())")
            .await;
    }

    /// Waits until a piece, such as "wp" or none, stands on a square of the board.
    pub(crate) async fn stands(&self, piece: Option<&str>, square: &str) {
        let found = format!("document.querySelector('#play-board [data-square={square}]')");
        self.until_is(&format!("({found}.dataset.piece || null)"), piece)
            .await;
    }

    /// Takes the server away from the page's scripts, or gives it back.
    pub(crate) async fn fetch(&self, there: bool) {
        self.eval(if there {
            "window.fetch = window.kept; 0"
        } else {
            "window.kept = window.fetch; window.fetch = () => Promise.reject(new TypeError('away')); 0"
        })
        .await;
    }
}
