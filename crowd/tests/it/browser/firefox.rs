//! The pages in Firefox, driven through Marionette: the protocol that Firefox itself speaks, so no driver is needed.
//!
//! Debian: `firefox-esr`. The tests beside this one cover the pages in depth in Chromium; here is what differs between
//! browsers: modules, cookies, pointer events, dialogs and the drawing of the boards.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

use super::page::PATIENCE;
use super::server::{LISTS, Server};

/// Marionette chooses a free port and writes it into `MarionetteActivePort` of the profile.
const PREFERENCES: &str = r#"
user_pref("marionette.port", 0);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.update.disabledForTesting", true);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("ui.prefersReducedMotion", 1);
"#;

/// Keys as `WebDriver` names them.
const LEFT: &str = "\u{e012}";
const UP: &str = "\u{e013}";
const DOWN: &str = "\u{e015}";
const ENTER: &str = "\u{e007}";

/// A running Firefox with one window; killed when this is dropped.
struct Firefox {
    child: Child,
    stream: BufReader<TcpStream>,
    commands: u32,
    _profile: TempDir,
}

impl Drop for Firefox {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Firefox {
    #[expect(clippy::disallowed_methods, reason = "the test starts the browser")]
    async fn start() -> Self {
        let profile = tempfile::tempdir().expect("a folder for the profile");
        std::fs::write(profile.path().join("user.js"), PREFERENCES).expect("preferences");
        let child = Command::new("firefox-esr")
            .args(["--headless", "--marionette", "--no-remote", "--profile"])
            .arg(profile.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Firefox is installed; Debian's package is firefox-esr");
        let port_file = profile.path().join("MarionetteActivePort");
        let port = timeout(PATIENCE, async {
            loop {
                let text = std::fs::read_to_string(&port_file).unwrap_or_default();
                if let Ok(port) = text.trim().parse::<u16>() {
                    return port;
                }
                sleep(Duration::from_millis(50)).await;
            }
        });
        let port = port.await.expect("Firefox writes its port");
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("Marionette listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a deadline");
        let mut firefox = Self {
            child,
            stream: BufReader::new(stream),
            commands: 0,
            _profile: profile,
        };
        let greeting = firefox.receive();
        assert_eq!(greeting["marionetteProtocol"], json!(3), "{greeting}");
        firefox.command("WebDriver:NewSession", &json!({}));
        let size = json!({ "width": 1200, "height": 1000 });
        firefox.command("WebDriver:SetWindowRect", &size);
        firefox
    }

    /// A message is its length in bytes, a colon, and JSON.
    fn receive(&mut self) -> Value {
        let mut length = Vec::new();
        let read = self.stream.read_until(b':', &mut length);
        read.expect("Firefox answers");
        let length = String::from_utf8_lossy(&length);
        let length = length.trim_end_matches(':').parse().expect("a length");
        let mut text = vec![0; length];
        self.stream.read_exact(&mut text).expect("the message");
        serde_json::from_slice(&text).expect("JSON")
    }

    /// The result of a command; an error fails the test.
    fn command(&mut self, name: &str, parameters: &Value) -> Value {
        self.commands += 1;
        let message = json!([0, self.commands, name, parameters]).to_string();
        let framed = format!("{}:{message}", message.len());
        let sent = self.stream.get_mut().write_all(framed.as_bytes());
        sent.expect("Firefox listens");
        let mut answer = self.receive();
        assert_eq!(answer[1], json!(self.commands), "{answer}");
        assert_eq!(answer[2], Value::Null, "{name} {parameters}");
        answer[3].take()
    }

    fn goto(&mut self, url: &str) {
        self.command("WebDriver:Navigate", &json!({ "url": url }));
    }

    fn eval(&mut self, expression: &str) -> Value {
        let script = json!({ "script": format!("return {expression}"), "args": [] });
        self.command("WebDriver:ExecuteScript", &script)["value"].take()
    }

    async fn until(&mut self, expression: &str) {
        let wanted = format!("Boolean({expression})");
        let waiting = async {
            while self.eval(&wanted) != json!(true) {
                sleep(Duration::from_millis(50)).await;
            }
        };
        if timeout(PATIENCE, waiting).await.is_err() {
            let text = self.eval("document.body.innerText");
            panic!("not so: {expression}\n{text}");
        }
    }

    /// The middle of a square of the board, in the window.
    fn middle(&mut self, square: &str) -> (Value, Value) {
        let mut at = self.eval(&format!(
            "(() => {{ const s = document.querySelector(':is(#board, #play-board) [data-square={square:?}]');
              s.scrollIntoView({{ block: 'center' }}); const b = s.getBoundingClientRect();
              return [Math.round(b.x + b.width / 2), Math.round(b.y + b.height / 2)]; }})()"
        ));
        (at[0].take(), at[1].take())
    }

    /// Presses the mouse on one square and releases it on the other.
    fn drag(&mut self, from: &str, to: &str) {
        let ((from_x, from_y), (to_x, to_y)) = (self.middle(from), self.middle(to));
        self.command(
            "WebDriver:PerformActions",
            &json!({ "actions": [{
                "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" },
                "actions": [
                    { "type": "pointerMove", "x": from_x, "y": from_y, "origin": "viewport" },
                    { "type": "pointerDown", "button": 0 },
                    { "type": "pointerMove", "x": to_x, "y": to_y, "origin": "viewport", "duration": 50 },
                    { "type": "pointerUp", "button": 0 },
                ],
            }] }),
        );
    }

    /// The identifier of an element.
    fn find(&mut self, css: &str) -> Value {
        let found = json!({ "using": "css selector", "value": css });
        let mut found = self.command("WebDriver:FindElement", &found);
        let ids = found["value"].as_object_mut().expect("an element");
        ids.values_mut().next().expect("its id").take()
    }

    /// Clicks what is there and enabled by now.
    async fn click(&mut self, css: &str) {
        self.until(&format!(
            "document.querySelector({css:?})?.disabled === false"
        ))
        .await;
        let id = self.find(css);
        self.command("WebDriver:ElementClick", &json!({ "id": id }));
    }

    /// Presses keys in an element; into the field of a file they write its path.
    fn press(&mut self, css: &str, keys: &str) {
        let id = self.find(css);
        self.command(
            "WebDriver:ElementSendKeys",
            &json!({ "id": id, "text": keys }),
        );
    }

    /// Waits until the table of a game has so many moves.
    async fn until_moves(&mut self, count: usize) {
        self.until(&format!(
            "document.querySelectorAll('#play-log-moves button').length === {count}"
        ))
        .await;
    }

    async fn until_list(&mut self, moves: &str) {
        self.until(&format!(
            "[...document.querySelectorAll('#list > li')].map((item) => item.dataset.move).reverse().join(' ') === {moves:?}"
        ))
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: lists of moves in Firefox"]
async fn firefox_lists_moves_and_finishes() {
    let server = Server::start().await;
    let mut firefox = Firefox::start().await;
    firefox.goto(&server.url(LISTS));
    firefox
        .until("document.getElementById('task')?.hidden === false && document.querySelector('[data-square] > .face')")
        .await;
    firefox.drag("e5", "f7");
    firefox.until_list("e5f7").await;
    firefox.drag("e1", "g1");
    firefox.until_list("e5f7 e1g1").await;
    firefox.drag("b7", "b8");
    firefox.click("[data-promotion=n]").await;
    firefox.until_list("e5f7 e1g1 b7b8n").await;
    firefox.click("#list > li:nth-child(2) button").await;
    firefox.until_list("e5f7 b7b8n").await;
    firefox.click(".typing summary").await;
    firefox.press("#typed", &["Nd3", ENTER].concat());
    firefox.until_list("e5f7 b7b8n e5d3").await;
    // From the corner at the bottom left: the pawn on a2 goes a square ahead.
    let board = "#board [tabindex='0']";
    firefox.press(board, &(LEFT.repeat(7) + &DOWN.repeat(7)));
    firefox.press(board, &[UP, ENTER, UP, ENTER].concat());
    firefox.until_list("e5f7 b7b8n e5d3 a2a3").await;
    firefox
        .until("document.getElementById('network').dataset.waiting === '0'")
        .await;
    firefox.goto(&server.url(LISTS));
    firefox.until_list("e5f7 b7b8n e5d3 a2a3").await;
    firefox.click("#finish").await;
    firefox.click("#confirm button[value=yes]").await;
    firefox.until("document.getElementById('next')").await;
    // The board of the day, with nothing listed.
    firefox.goto(&server.url("/"));
    firefox.click("#finish").await;
    firefox.click("#confirm button[value=yes]").await;
    firefox.until("document.getElementById('next')").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: games and files in Firefox"]
#[expect(
    clippy::disallowed_methods,
    reason = "the test writes the file that a person opens"
)]
async fn firefox_plays_against_the_engine_and_opens_files() {
    let server = Server::start().await;
    let mut firefox = Firefox::start().await;
    firefox.goto(&server.url("/play"));
    firefox
        .until("document.getElementById('play')?.hidden === false && document.querySelector('[data-square] > .face')")
        .await;
    firefox.drag("e2", "e4");
    firefox.until_moves(2).await;
    firefox.click("#play-pgn-open").await;
    firefox
        .until("document.getElementById('play-pgn-text').value.includes('1. e4 ')")
        .await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.pgn");
    std::fs::write(&file, "1. d4 d5 2. c4 e6 *").expect("a file");
    firefox.press("#play-pgn-file", file.to_str().expect("UTF-8"));
    firefox.until_moves(4).await;
    firefox.click("#play-games-open").await;
    firefox.click("#play-save-form [type=submit]").await;
    firefox.click("#play-games [data-close]").await;
    firefox.click("#play-undo").await;
    firefox.until_moves(3).await;
    firefox.click("#play-games-open").await;
    firefox.click("#play-saved li button").await;
    firefox.until_moves(4).await;
}
