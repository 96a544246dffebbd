//! A server, a browser and a page for one test. All three end with it, whether it passes or not.

use std::io::{BufRead as _, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fantoccini::actions::{InputSource as _, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

/// What a loaded machine may need for anything.
const PATIENCE: Duration = Duration::from_mins(1);

/// A process that ends with its test.
struct Process(Child);

impl Process {
    #[expect(
        clippy::disallowed_methods,
        reason = "the test starts the programs it needs"
    )]
    fn start(program: &str, arguments: &[&str]) -> Self {
        let child = Command::new(program)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        Self(child.unwrap_or_else(|error| panic!("{program} is needed, see scripts/test: {error}")))
    }

    /// The rest of the first line that contains `mark`; none where the program ends without it.
    fn line_after(&mut self, mark: &str) -> Option<String> {
        let output = self.0.stdout.take().expect("it is piped");
        let mut lines = BufReader::new(output);
        let mut line = String::new();
        while lines.read_line(&mut line).expect("a line") > 0 {
            if let Some((_, rest)) = line.split_once(mark) {
                let rest = rest.trim().trim_end_matches('.').to_owned();
                // Nobody reads on, but a full pipe would stop the program.
                std::thread::spawn(move || lines.read_to_end(&mut Vec::new()));
                return Some(rest);
            }
            line.clear();
        }
        None
    }
}

/// A driver and its port. It ends at once where the port that it chose for IPv4 is in use for IPv6: then another is started.
fn driver() -> (Process, String) {
    let listening = (0..5).find_map(|_| {
        let mut driver = Process::start("chromedriver", &["--port=0"]);
        let port = driver.line_after("started successfully on port ")?;
        Some((driver, port))
    });
    listening.expect("the driver says its port")
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The page of the game, open in a browser.
#[derive(Clone)]
pub(crate) struct Page {
    client: Client,
    base: String,
}

/// Runs a test upon the page; its panic is passed on after the browser has been closed.
pub(crate) async fn with_page<F: Future<Output = ()> + Send + 'static>(
    test: impl FnOnce(Page) -> F + Send + 'static,
) {
    let folder = TempDir::new().expect("a folder");
    let database = format!("sqlite://{}", folder.path().join("crowd.sqlite").display());
    let arguments = ["serve", "--addr", "127.0.0.1:0", "--db", &database];
    let mut server = Process::start(env!("CARGO_BIN_EXE_crowd"), &arguments);
    let base = server.line_after("listening on ").expect("its address");
    let (_driver, port) = driver();
    let client = connect(&format!("http://127.0.0.1:{port}")).await;
    let page = Page {
        client: client.clone(),
        base,
    };
    let ended = tokio::spawn(async move {
        page.open().await;
        test(page).await;
    })
    .await;
    client.close().await.expect("the browser closes");
    if let Err(error) = ended {
        std::panic::resume_unwind(error.into_panic());
    }
}

async fn connect(driver: &str) -> Client {
    let flags = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--force-prefers-reduced-motion",
        "--window-size=1280,1000",
    ];
    let capabilities: Map<String, Value> =
        Map::from_iter([("goog:chromeOptions".to_owned(), json!({ "args": flags }))]);
    ClientBuilder::new(HttpConnector::new())
        .capabilities(capabilities)
        .connect(driver)
        .await
        .expect("a browser")
}

impl Page {
    /// Opens the page, or opens it again.
    pub(crate) async fn open(&self) {
        self.open_at("/play").await;
    }

    /// Opens the page at an address of its own.
    pub(crate) async fn open_at(&self, path: &str) {
        let address = format!("{}{path}", self.base);
        self.client.goto(&address).await.expect("the page");
        let ready = "const play = document.getElementById('play');
            return play !== null && !play.hidden && document.querySelector('#play-board [data-square]') !== null";
        self.until(ready, &json!(true)).await;
    }

    pub(crate) async fn js(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.expect(script)
    }

    /// Keeps the faults of scripts from now on.
    pub(crate) async fn watch(&self) {
        self.js("window.faults = [];
            addEventListener('error', ({ message }) => window.faults.push(message));
            addEventListener('unhandledrejection', ({ reason }) => window.faults.push(String(reason)))")
            .await;
    }

    /// No script failed since the watch began.
    pub(crate) async fn assert_no_faults(&self) {
        let faults = self.js("return window.faults").await;
        assert_eq!(faults, json!([]), "faults of the page");
    }

    /// Waits until a script gives a value.
    pub(crate) async fn until(&self, script: &str, expected: &Value) {
        let mut last = Value::Null;
        let reached = async {
            loop {
                last = self.js(script).await;
                if last == *expected {
                    return;
                }
                sleep(Duration::from_millis(50)).await;
            }
        };
        let in_time = timeout(PATIENCE, reached).await.is_ok();
        assert!(in_time, "{script}: {last}, expected {expected}");
    }

    /// Waits until the text of an element is this.
    pub(crate) async fn until_text(&self, id: &str, expected: &str) {
        let script = format!("return document.getElementById('{id}').textContent.trim()");
        self.until(&script, &json!(expected)).await;
    }

    /// Waits until the text of an element contains this.
    pub(crate) async fn until_says(&self, id: &str, part: &str) {
        let script = format!(
            "return document.getElementById('{id}').textContent.includes({})",
            json!(part)
        );
        self.until(&script, &json!(true)).await;
    }

    /// Waits until the table has so many moves.
    pub(crate) async fn until_moves(&self, count: usize) {
        let script = "return document.querySelectorAll('#play-log-moves button').length";
        self.until(script, &json!(count)).await;
    }

    /// Clicks what a selector finds, as a person does, once the browser lets it be clicked: what has
    /// just been opened is drawn a little later.
    pub(crate) async fn click(&self, css: &str) {
        let found = self.client.find(Locator::Css(css)).await.expect(css);
        let clicked = async {
            loop {
                match found.click().await {
                    Err(error) if error.is_element_not_interactable() => {
                        sleep(Duration::from_millis(50)).await;
                    }
                    done => return done,
                }
            }
        };
        let in_time = timeout(PATIENCE, clicked).await.expect(css);
        in_time.expect(css);
    }

    /// Clicks the two squares of a move and waits for it to stand in the table.
    pub(crate) async fn play(&self, from: &str, to: &str, count: usize) {
        self.press(from).await;
        self.press(to).await;
        self.until_moves(count).await;
    }

    /// Clicks upon a square, wherever the board has drawn it.
    pub(crate) async fn press(&self, square: &str) {
        let middle = format!(
            "const one = document.querySelector('#play-board [data-square=\"{square}\"]');
             one.scrollIntoView({{ block: 'nearest' }});
             const box = one.getBoundingClientRect();
             return [box.x + box.width / 2, box.y + box.height / 2]"
        );
        let middle = self.js(&middle).await;
        let [x, y] = [0, 1].map(|index| middle[index].as_f64().expect("a place").floor());
        let button = MOUSE_BUTTON_LEFT;
        let mouse = MouseActions::new("mouse".to_owned())
            .then(PointerAction::MoveTo {
                duration: Some(Duration::ZERO),
                x,
                y,
            })
            .then(PointerAction::Down { button })
            .then(PointerAction::Up { button });
        self.client.perform_actions(mouse).await.expect(square);
    }

    /// Types into whatever has the focus.
    pub(crate) async fn keys(&self, keys: &str) {
        let active = self.client.active_element().await.expect("a focus");
        active.send_keys(keys).await.expect(keys);
    }

    /// Gives a field a value, as choosing or typing would.
    pub(crate) async fn fill(&self, id: &str, value: &str) {
        let script = format!(
            "const field = document.getElementById('{id}'); field.value = {};
             field.dispatchEvent(new Event('change', {{ bubbles: true }}))",
            json!(value)
        );
        self.js(&script).await;
    }

    /// Opens the form of a new game. A page that is still being drawn may move away under a click.
    async fn open_form(&self) {
        let is_open = "return document.getElementById('play-new-dialog').open";
        let opened = async {
            while self.js(is_open).await != json!(true) {
                self.click("#play-new").await;
            }
        };
        let in_time = timeout(PATIENCE, opened).await;
        in_time.expect("the form of a new game");
    }

    /// Fills the form of a new game and starts it; fields are ids without `play-`.
    pub(crate) async fn new_game(&self, opponent: &str, fields: &[(&str, &str)]) {
        self.open_form().await;
        self.click(&format!("#play-new-form [name=opponent][value={opponent}]"))
            .await;
        for (id, value) in fields {
            self.fill(&format!("play-{id}"), value).await;
        }
        self.click("#play-new-form [type=submit]").await;
    }

    /// Waits until a dialog is closed.
    pub(crate) async fn until_closed(&self, id: &str) {
        let script = format!("return document.getElementById('{id}').open");
        self.until(&script, &json!(false)).await;
    }

    /// Takes the table of buttons instead of the drawn board.
    pub(crate) async fn take_table_board(&self) {
        self.js("localStorage.setItem('crowd-board', 'table')")
            .await;
        self.open().await;
    }

    /// What axe-core calls serious or critical on the page as it is.
    pub(crate) async fn serious_faults(&self) -> Value {
        self.client
            .execute(&axe_core(), Vec::new())
            .await
            .expect("axe-core");
        let script = "const done = arguments[arguments.length - 1];
            axe.run(document).then(({ violations }) => done(violations
              .filter(({ impact }) => ['serious', 'critical'].includes(impact))
              .map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html.slice(0, 200), failureSummary])])),
              (error) => done(String(error)))";
        let faults = self.client.execute_async(script, Vec::new()).await;
        faults.expect("axe-core runs")
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the test reads a file of the npm packages"
)]
fn axe_core() -> String {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("npm/node_modules/axe-core/axe.min.js");
    std::fs::read_to_string(&path).unwrap_or_else(|error| {
        panic!(
            "{}: {error}; run `npm ci --prefix crowd/npm`",
            path.display()
        )
    })
}

/// Keys as the driver names them.
pub(crate) mod key {
    pub(crate) const ENTER: &str = "\u{e007}";
    pub(crate) const LEFT: &str = "\u{e012}";
    pub(crate) const UP: &str = "\u{e013}";
    pub(crate) const HOME: &str = "\u{e011}";
    pub(crate) const END: &str = "\u{e010}";
    pub(crate) const DELETE: &str = "\u{e017}";
}
