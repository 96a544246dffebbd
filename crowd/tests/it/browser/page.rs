//! A page as a person meets it: what is on it, and hands for mouse, touch and keys.

use std::time::Duration;

use fantoccini::{Client, Locator};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use super::cdp::Cdp;
use super::driver::{Driver, pretty};

/// How long anything may take to happen; only a failing test waits so long.
pub(crate) const PATIENCE: Duration = Duration::from_mins(5);

/// Faults that pages must not have; they are kept until they are looked at.
const WATCH: &str = r"
    window.faults = [];
    addEventListener('error', (e) => window.faults.push(String(e.message ?? e.type)));
    addEventListener('unhandledrejection', (e) => window.faults.push(String(e.reason)));
    addEventListener('securitypolicyviolation', (e) => window.faults.push(`CSP ${e.violatedDirective} ${e.blockedURI}`));
";

/// A key: its name, its code for Windows, and the text it types.
pub(crate) type Key = (&'static str, u32, &'static str);
pub(crate) const UP: Key = ("ArrowUp", 38, "");
pub(crate) const DOWN: Key = ("ArrowDown", 40, "");
pub(crate) const LEFT: Key = ("ArrowLeft", 37, "");
pub(crate) const RIGHT: Key = ("ArrowRight", 39, "");
pub(crate) const ENTER: Key = ("Enter", 13, "\r");
pub(crate) const ESCAPE: Key = ("Escape", 27, "");
pub(crate) const HOME: Key = ("Home", 36, "");
pub(crate) const END: Key = ("End", 35, "");
pub(crate) const TAB: Key = ("Tab", 9, "");
pub(crate) const DELETE: Key = ("Delete", 46, "");
pub(crate) const K: Key = ("k", 75, "k");

pub(crate) struct Page {
    client: Client,
}

impl Page {
    pub(crate) async fn open(driver: &Driver, name: &str, url: &str) -> Self {
        let page = Self {
            client: driver.browser(name).await,
        };
        page.size(1200, 900, false).await;
        let watch = json!({ "source": WATCH });
        page.cdp("Page.addScriptToEvaluateOnNewDocument", watch)
            .await;
        page.goto(url).await;
        page
    }

    pub(crate) async fn goto(&self, url: &str) {
        self.client.goto(url).await.expect("the page loads");
    }

    pub(crate) async fn reload(&self) {
        self.client.refresh().await.expect("the page loads again");
    }

    pub(crate) async fn cdp(&self, command: &'static str, parameters: Value) -> Value {
        let cdp = Cdp {
            command,
            parameters,
        };
        let done = self.client.issue_cmd(cdp).await;
        done.unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    /// The value of an expression, which may be a promise.
    pub(crate) async fn eval(&self, expression: &str) -> Value {
        let asked =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.cdp("Runtime.evaluate", asked).await;
        let fault = &answer["exceptionDetails"];
        assert!(fault.is_null(), "{expression}: {}", pretty(fault));
        answer["result"]["value"].clone()
    }

    /// Waits until the expression is true.
    pub(crate) async fn until(&self, expression: &str) {
        let wanted = format!("Boolean({expression})");
        let waiting = async {
            while self.eval(&wanted).await != json!(true) {
                sleep(Duration::from_millis(50)).await;
            }
        };
        if timeout(PATIENCE, waiting).await.is_err() {
            let text = self.eval("document.body.innerText").await;
            let faults = self.eval("window.faults").await;
            panic!("not so: {expression}\nfaults: {faults}\n{text}");
        }
    }

    /// Waits until the text of an element contains this part.
    pub(crate) async fn until_says(&self, id: &str, part: &str) {
        let part = json!(part);
        self.until(&format!(
            "document.getElementById('{id}')?.textContent.includes({part})"
        ))
        .await;
    }

    pub(crate) async fn until_hidden(&self, id: &str, is_hidden: bool) {
        self.until(&format!(
            "document.getElementById('{id}')?.hidden === {is_hidden}"
        ))
        .await;
    }

    /// Waits until the page asks what a pawn becomes.
    pub(crate) async fn until_promotion(&self) {
        self.until("document.querySelector('[data-promotion]')")
            .await;
    }

    /// Waits until the result of a list is shown.
    pub(crate) async fn until_done(&self) {
        self.until("document.getElementById('result')?.hidden === false && document.getElementById('next')")
            .await;
    }

    /// Puts the cursor of the board into the corner at the bottom left.
    pub(crate) async fn focus_corner(&self) {
        self.eval("(document.querySelector('#board [tabindex=\"0\"]') ?? document.querySelector('#board svg')).focus()")
            .await;
        self.keys(&[LEFT; 7]).await;
        self.keys(&[DOWN; 7]).await;
    }

    /// Waits until a position is at hand and its board is drawn.
    pub(crate) async fn ready(&self) {
        self.until("document.getElementById('task')?.hidden === false && document.getElementById('result').hidden && document.querySelectorAll('#board [data-square]').length >= 64")
            .await;
    }

    pub(crate) async fn text(&self, css: &str) -> String {
        let text = self
            .eval(&format!("document.querySelector({css:?})?.textContent"))
            .await;
        text.as_str().unwrap_or_default().to_owned()
    }

    pub(crate) async fn press_button(&self, css: &str) {
        self.until(&format!(
            "document.querySelector({css:?})?.disabled === false"
        ))
        .await;
        self.eval(&format!("document.querySelector({css:?}).click()"))
            .await;
    }

    /// Finishes the list, and waits for its result.
    pub(crate) async fn finish(&self) {
        self.press_button("#finish").await;
        self.press_button("#confirm button[value=yes]").await;
        self.until_done().await;
    }

    /// The moves on the list, with spaces between.
    pub(crate) async fn list(&self) -> String {
        let moves = self.eval("[...document.querySelectorAll('#list > li')].map((item) => item.dataset.move).reverse().join(' ')");
        moves.await.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the list is this.
    pub(crate) async fn until_list(&self, moves: &str) {
        self.until(&format!("[...document.querySelectorAll('#list > li')].map((item) => item.dataset.move).reverse().join(' ') === {moves:?}"))
            .await;
    }

    /// Waits until the server has acknowledged everything.
    pub(crate) async fn until_saved(&self) {
        self.until("document.getElementById('network').dataset.waiting === '0'")
            .await;
    }

    pub(crate) async fn type_move(&self, text: &str) {
        let script = format!(
            "{{ const f = document.getElementById('typed'); f.value = {text:?}; f.form.requestSubmit(); }}"
        );
        self.eval(&script).await;
    }

    /// The middle of a square on the screen, once it stays where it is: a page that is still being
    /// drawn moves away under a click.
    async fn middle(&self, square: &str) -> (f64, f64) {
        let script = format!(
            "(async () => {{ const middle = () => {{
                const s = document.querySelector(':is(#board, #play-board) [data-square={square:?}]'); s.scrollIntoView({{ block: 'nearest' }});
                const b = s.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }};
              for (let before, at = middle(), frame = 0; frame < 100 && `${{before}}` !== `${{at}}`; frame += 1) {{
                await new Promise(requestAnimationFrame); before = at; at = middle(); }}
              return middle(); }})()"
        );
        let at = self.eval(&script).await;
        let of = |index: usize| at[index].as_f64().expect("a coordinate");
        (of(0), of(1))
    }

    async fn mouse(&self, kind: &str, (x, y): (f64, f64)) {
        let held = u8::from(kind != "mouseReleased");
        let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": held, "clickCount": 1 });
        self.cdp("Input.dispatchMouseEvent", event).await;
    }

    /// Clicks what a selector finds, once the browser lets it be clicked: what has just been opened is drawn a little
    /// later.
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

    pub(crate) async fn click_square(&self, square: &str) {
        let at = self.middle(square).await;
        self.mouse("mousePressed", at).await;
        self.mouse("mouseReleased", at).await;
    }

    pub(crate) async fn drag(&self, from: &str, to: &str) {
        let (a, b) = (self.middle(from).await, self.middle(to).await);
        self.mouse("mousePressed", a).await;
        self.mouse("mouseMoved", between(a, b)).await;
        self.mouse("mouseMoved", b).await;
        self.mouse("mouseReleased", b).await;
    }

    async fn touch(&self, kind: &str, at: Option<(f64, f64)>) {
        let points: Vec<Value> = at
            .map(|(x, y)| json!({ "x": x, "y": y }))
            .into_iter()
            .collect();
        let event = json!({ "type": kind, "touchPoints": points });
        self.cdp("Input.dispatchTouchEvent", event).await;
    }

    /// A finger draws the piece.
    pub(crate) async fn draw(&self, from: &str, to: &str) {
        let (a, b) = (self.middle(from).await, self.middle(to).await);
        self.touch("touchStart", Some(a)).await;
        self.touch("touchMove", Some(between(a, b))).await;
        self.touch("touchMove", Some(b)).await;
        self.touch("touchEnd", None).await;
    }

    pub(crate) async fn key(&self, (key, code, text): Key) {
        let down =
            json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code, "text": text });
        self.cdp("Input.dispatchKeyEvent", down).await;
        let up = json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code });
        self.cdp("Input.dispatchKeyEvent", up).await;
    }

    pub(crate) async fn keys(&self, keys: &[Key]) {
        for &key in keys {
            self.key(key).await;
        }
    }

    /// Presses Tab until an expression is true.
    pub(crate) async fn tab_to(&self, expression: &str) {
        let wanted = format!("Boolean({expression})");
        for _ in 0..100 {
            self.key(TAB).await;
            if self.eval(&wanted).await == json!(true) {
                return;
            }
        }
        panic!("no stop of Tab is so: {expression}");
    }

    /// Touches a square shortly.
    pub(crate) async fn tap(&self, square: &str) {
        let at = self.middle(square).await;
        self.touch("touchStart", Some(at)).await;
        self.touch("touchEnd", None).await;
    }

    /// Sets the window; with `phone`, one that is touched.
    pub(crate) async fn size(&self, width: u32, height: u32, phone: bool) {
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone });
        self.cdp("Emulation.setDeviceMetricsOverride", metrics)
            .await;
        self.cdp(
            "Emulation.setTouchEmulationEnabled",
            json!({ "enabled": phone }),
        )
        .await;
    }

    /// "light" or "dark", as the system says.
    pub(crate) async fn colours(&self, scheme: &str) {
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.cdp("Emulation.setEmulatedMedia", media).await;
        // The second frame is drawn in the new colours.
        self.eval(
            "new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame))",
        )
        .await;
    }

    /// Takes the network away, or gives it back.
    pub(crate) async fn network(&self, there: bool) {
        self.cdp("Network.enable", json!({})).await;
        let conditions = json!({ "offline": !there, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
        self.cdp("Network.emulateNetworkConditions", conditions)
            .await;
    }

    /// A picture of the whole page, as PNG in base64.
    pub(crate) async fn picture(&self) -> String {
        let asked = json!({ "format": "png", "captureBeyondViewport": true });
        let answer = self.cdp("Page.captureScreenshot", asked).await;
        answer["data"].as_str().expect("a picture").to_owned()
    }

    /// No script failed and nothing was refused by the content security policy.
    pub(crate) async fn assert_no_faults(&self) {
        let faults = self.eval("window.faults").await;
        assert_eq!(faults, json!([]), "faults of the page");
    }
}

fn between(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (f64::midpoint(a.0, b.0), f64::midpoint(a.1, b.1))
}
