//! A server of one's own for a test: a database in a temporary folder, a free port, the real socket.

#[path = "../../examples/load/client.rs"]
pub(crate) mod client;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::http::Method;
use chess::notation::fen;
use client::{Answer, Client};
use crowd::candidates::legal_texts;
use crowd::model::Timestamp;
use crowd::play::{Opponent, OpponentSettings};
use crowd::service::{Service, Settings};
use crowd::web::{App, Moderators, RateLimits, WebSettings, router, serve};
use sea_orm::{ConnectionTrait as _, Database};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// The moderators' token of every test server.
pub(crate) const ADMIN: &str = "a token for the moderators of the tests";

pub(crate) const JSON: (&str, &str) = ("content-type", "application/json");
pub(crate) const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
/// The headers of a moderator's program.
pub(crate) const MODERATOR: [(&str, &str); 2] = [
    FORM,
    (
        "authorization",
        "Bearer a token for the moderators of the tests",
    ),
];

/// A server that ends with its test.
pub(crate) struct Server {
    pub addr: SocketAddr,
    pub app: App,
    running: Option<(oneshot::Sender<()>, JoinHandle<bool>)>,
    folder: TempDir,
}

/// One that lets a test ask as much as it likes.
pub(crate) async fn server() -> Server {
    server_with(generous()).await
}

/// Settings with a moderators' token and without narrow limits.
pub(crate) fn generous() -> WebSettings {
    WebSettings {
        moderators: Some(Moderators::read(ADMIN).expect("long enough")),
        limits: RateLimits {
            per_second: 10_000,
            burst: 100_000,
            new_sessions: 100_000,
            ..RateLimits::default()
        },
        ..WebSettings::default()
    }
}

pub(crate) async fn server_with(settings: WebSettings) -> Server {
    server_of(Settings::default(), settings).await
}

/// One with other limits.
pub(crate) async fn limited(change: impl FnOnce(&mut RateLimits)) -> Server {
    let mut settings = generous();
    change(&mut settings.limits);
    server_with(settings).await
}

/// One whose crowd works otherwise.
pub(crate) async fn server_of(crowd: Settings, settings: WebSettings) -> Server {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}/crowd.sqlite?mode=rwc", folder.path().display());
    let service = super::open(&url, crowd).await;
    serving(service, settings, folder).await
}

/// One on which a list that is faster than hands does not count.
pub(crate) async fn server_with_strict_hands() -> Server {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}/crowd.sqlite?mode=rwc", folder.path().display());
    let mut settings = Settings::default();
    super::few_lists(&mut settings);
    let service = super::open_strict(&url, settings).await;
    serving(service, generous(), folder).await
}

async fn serving(service: Service, settings: WebSettings, folder: TempDir) -> Server {
    let first = service.ensure_first_campaign(now()).await;
    first.expect("the first campaign");
    let opponent = Arc::new(Opponent::new(OpponentSettings::default()));
    let app = App::new(service, opponent, settings);
    let mut server = Server {
        addr: SocketAddr::from(([127, 0, 0, 1], 0)),
        app,
        running: None,
        folder,
    };
    server.listen().await;
    server
}

impl Server {
    pub(crate) fn visitor(&self) -> Person {
        Person(Client::new(self.addr))
    }

    /// Sends a request of a browser that has nothing.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Vec<u8>>,
    ) -> Answer {
        self.visitor().send(method, path, headers, body).await
    }

    /// Asks for a session with these headers and body.
    pub(crate) async fn enter(&self, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Answer {
        self.send(Method::POST, "/api/v1/session", headers, body)
            .await
    }

    /// With a session under that name.
    pub(crate) async fn person(&self, name: Option<&str>) -> Person {
        let mut person = self.visitor();
        let entry = json!({ "name": name });
        person.ask("/api/v1/session", &entry).await;
        person
    }

    /// Does what the server does every few seconds.
    pub(crate) async fn upkeep(&self) {
        let done = self.app.service.upkeep(now()).await;
        done.expect("upkeep");
    }

    /// Changes the database behind the server's back.
    pub(crate) async fn execute(&self, sql: &str) {
        let url = format!("sqlite://{}/crowd.sqlite", self.folder.path().display());
        let database = Database::connect(url).await.expect("the database");
        database.execute_unprepared(sql).await.expect(sql);
    }

    /// Puts positions into a campaign.
    pub(crate) async fn import(&self, text: &str, campaign: &str, gold: bool) {
        let service = &self.app.service;
        let taken = service.import(text.as_bytes(), super::plan(campaign, gold), now());
        taken.await.expect("an import");
    }

    /// Listens, at the same port as before if there was one.
    pub(crate) async fn listen(&mut self) {
        let listener = TcpListener::bind(self.addr).await.expect("a port");
        self.addr = listener.local_addr().expect("an address");
        let (end, ended) = oneshot::channel();
        let app = self.app.clone();
        let served = tokio::spawn(async move {
            let end = async { ended.await.unwrap_or(()) };
            serve(listener, router(&app), &app, end).await
        });
        self.running = Some((end, served));
    }

    /// Takes no more connections, as when the machine is off; returns whether all was answered in time.
    pub(crate) async fn hang_up(&mut self) -> bool {
        let (end, served) = self.running.take().expect("it listens");
        let _ = end.send(());
        served.await.expect("the server does not panic")
    }

    /// Asks the server to end, and whether all was answered in time.
    pub(crate) async fn end(mut self) -> bool {
        self.hang_up().await
    }

    /// Sends bytes as they are, and reads until the server closes.
    pub(crate) async fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.addr).await.expect("a connection");
        // The server may close before it has read all: what it has answered until then counts.
        let _ = stream.write_all(bytes).await;
        let mut answer = Vec::new();
        let read = timeout(Duration::from_mins(5), stream.read_to_end(&mut answer));
        let _ = read.await.expect("the server closes");
        String::from_utf8_lossy(&answer).into_owned()
    }
}

/// A client whose every request is answered.
pub(crate) struct Person(pub(crate) Client);

impl Person {
    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        self.0.get(path).await.expect("an answer")
    }

    pub(crate) async fn post(&mut self, path: &str, body: &Value) -> Answer {
        self.0.post(path, body).await.expect("an answer")
    }

    pub(crate) async fn send(
        &mut self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Vec<u8>>,
    ) -> Answer {
        let sent = self.0.send(method, path, headers, body.into());
        sent.await.expect("an answer")
    }

    /// Sends a form as a program of a moderator does.
    pub(crate) async fn moderate(&mut self, path: &str, form: &[(&str, &str)]) -> Answer {
        let mut body = url::form_urlencoded::Serializer::new(String::new());
        let body = body.extend_pairs(form).finish();
        self.send(Method::POST, path, &MODERATOR, body).await
    }

    /// Sends a form as a browser does.
    pub(crate) async fn form(&mut self, path: &str, body: impl Into<Vec<u8>>) -> Answer {
        self.send(Method::POST, path, &[FORM], body).await
    }

    /// Sends a value, and gives that of the answer, which must be a success.
    pub(crate) async fn ask(&mut self, path: &str, body: &Value) -> Value {
        let answer = self.post(path, body).await;
        let is_success = answer.status.is_success();
        assert!(is_success, "{path}: {} {}", answer.status, answer.text());
        answer.json()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test is an edge: it reads the clock"
)]
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let ms = since.expect("after 1970").as_millis();
    Timestamp(i64::try_from(ms).expect("not so late"))
}

/// What the answer should be: a problem of that kind and status.
#[track_caller]
pub(crate) fn assert_problem(answer: &Answer, status: u16, slug: &str) {
    assert_eq!(answer.status.as_u16(), status, "{}", answer.text());
    let kind = answer.header("content-type");
    assert_eq!(kind, "application/problem+json", "{}", answer.text());
    let body = answer.json();
    assert_eq!(body["type"], format!("/problems/{slug}"), "{body}");
    assert_eq!(body["status"], status, "{body}");
    assert!(
        body["detail"].as_str().is_some_and(|d| !d.is_empty()),
        "{body}"
    );
}

/// Gets a position in a mode, of any campaign or of one.
pub(crate) async fn assign<'a>(
    person: &mut Person,
    purpose: &str,
    campaign: impl Into<Option<&'a str>>,
) -> Value {
    let wanted = json!({ "purpose": purpose, "campaign": campaign.into() });
    person.ask("/api/v1/lists", &wanted).await
}

/// Legal moves of the position that was given, which is drawn at random, in the order of their texts.
pub(crate) fn legal(assignment: &Value) -> Vec<String> {
    let text = assignment["position"]["fen"].as_str().expect("a FEN");
    let position = fen::parse(text).expect("the server's own");
    let moves = legal_texts(&position);
    moves.iter().map(ToString::to_string).collect()
}

/// Finishes an assignment with these moves.
pub(crate) async fn finish(person: &mut Person, assignment: &Value, moves: &[&str]) {
    let end = json!({"events": events(moves, 1), "count": moves.len()});
    let path = format!("{}/finish", place(assignment));
    person.ask(&path, &end).await;
}

/// The address of an assignment.
pub(crate) fn place(assignment: &Value) -> String {
    let token = assignment["list"].as_str().expect("a token");
    format!("/api/v1/lists/{token}")
}

/// Moves as events, the first with number `first`.
pub(crate) fn events(moves: &[&str], first: usize) -> Value {
    let events: Vec<Value> = moves
        .iter()
        .zip(first..)
        .map(|(mv, seq)| json!({"seq": seq, "op": "add", "move": mv, "at_ms": seq * 1700}))
        .collect();
    json!(events)
}
