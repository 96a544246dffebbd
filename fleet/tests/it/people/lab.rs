//! A lab without a socket: its router, its database, and people in browsers.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use axum::response::IntoResponse as _;
use axum::routing::{get, post};
use fleet::app::{LabState, ServerSettings};
use fleet::model::Role;
use fleet::people::{self, MachineToken, Passwords, SignedIn, cli};
use fleet::store::Database;
use fleet::store::work::Work;
use serde_json::Value;
use tower::Service as _;
use utoipa::openapi::OpenApi;
use web::layers::Surround;
use web::limits::Peer;

use crate::common::{OwnDatabase, own_database};

/// The password of everybody.
pub(crate) const PASSWORD: &str = "correct horse battery";

pub(crate) const JSON: (&str, &str) = ("content-type", "application/json");
pub(crate) const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

pub(crate) struct Lab {
    pub server: OwnDatabase,
    pub app: LabState,
    pub description: OpenApi,
    router: Router,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.and_then(|value| value.to_str().ok()).unwrap_or("")
    }

    /// What a browser sends from now on: `name=value`.
    pub(crate) fn cookie(&self) -> String {
        let set = self.header("set-cookie");
        set.split(';').next().unwrap_or("").to_owned()
    }
}

/// Calls of other rooms, by what identifies a caller there.
fn elsewhere() -> Router<LabState> {
    Router::new()
        .route(
            "/api/1/worker/lease",
            post(async |MachineToken(worker): MachineToken| worker.name),
        )
        .route(
            "/api/1/tests",
            get(async |SignedIn(account): SignedIn| account.name),
        )
        .route(
            "/visited",
            get(async |caller: Option<SignedIn>| {
                caller.map_or_else(String::new, |SignedIn(account)| account.name)
            }),
        )
}

fn router(app: &LabState, passwords: &Passwords) -> (Router, OpenApi) {
    let (api, description) = people::router(passwords).split_for_parts();
    let routes = api
        .merge(fleet::pages::people::router(passwords))
        .merge(elsewhere());
    let surround = Surround {
        https: app.settings.https,
        answer: Duration::from_mins(5),
        error_page: |problem| (problem.status(), problem.detail().to_owned()).into_response(),
    };
    (surround.all(routes).with_state(app.clone()), description)
}

impl Lab {
    pub(crate) async fn new() -> Self {
        Self::with(ServerSettings::default()).await
    }

    pub(crate) async fn with(settings: ServerSettings) -> Self {
        let server = own_database().await;
        let database = Database::open(&server.url(), 5).await.expect("a database");
        let settings = ServerSettings {
            public_url: String::from("https://lab.example/"),
            ..settings
        };
        let work = Work::open(database.clone()).await.expect("a queue");
        let app = LabState::new(database, work, settings);
        let (router, description) = router(&app, &Passwords::default());
        Self {
            server,
            app,
            description,
            router,
        }
    }

    /// The same, but every check of a password waits for its turn, which never comes.
    pub(crate) fn without_turns(self) -> Self {
        let (router, _) = router(&self.app, &Passwords::at_once(0));
        Self { router, ..self }
    }

    /// The same with all routes of a server, and its quotas.
    pub(crate) async fn whole(settings: ServerSettings) -> Self {
        let lab = Self::with(settings).await;
        let router = fleet::serve::router(&lab.app);
        Self { router, ..lab }
    }

    /// Sends a request from an address.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        self.send_from("192.0.2.1:1000", method, path, headers, body)
            .await
    }

    pub(crate) async fn send_from(
        &self,
        peer: &str,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        request = request.header(header::HOST, "lab.example");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request = request
            .body(Body::from(body.to_owned()))
            .expect("a request");
        let peer: SocketAddr = peer.parse().expect("an address");
        request.extensions_mut().insert(Peer(peer));
        let answer = self.router.clone().call(request).await;
        let (parts, body) = answer.expect("infallible").into_parts();
        let body = to_bytes(body, usize::MAX).await.expect("a body");
        Answer {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8_lossy(&body).into_owned(),
        }
    }

    pub(crate) async fn get(&self, path: &str, cookie: &str) -> Answer {
        self.send(Method::GET, path, &[("cookie", cookie)], "")
            .await
    }

    pub(crate) async fn form(&self, path: &str, cookie: &str, body: &str) -> Answer {
        self.send(Method::POST, path, &[("cookie", cookie), FORM], body)
            .await
    }

    pub(crate) async fn bearer(&self, method: Method, path: &str, token: &str) -> Answer {
        let authorization = format!("Bearer {token}");
        let headers = [("authorization", authorization.as_str()), JSON];
        self.send(method, path, &headers, "{}").await
    }

    /// Adds an account, accepts its invitation, and returns the cookie of its session.
    pub(crate) async fn person(&self, name: &str, role: Role) -> String {
        let url = &self.app.settings.public_url;
        let link = cli::add_account(&self.app.database, url, name, role).await;
        let link = link.expect("an invitation");
        let answer = self.redeem(&link, PASSWORD).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
        answer.cookie()
    }

    /// Opens a link and sets a password there.
    pub(crate) async fn redeem(&self, link: &str, password: &str) -> Answer {
        let secret = link.strip_prefix("https://lab.example/link#");
        let secret = secret.expect("a link of this lab");
        let password = password.replace(' ', "+");
        let body = format!("secret={secret}&password={password}&again={password}");
        self.form("/link", "", &body).await
    }

    pub(crate) async fn sign_in(&self, name: &str, password: &str) -> Answer {
        let password = password.replace(' ', "+");
        self.form("/sign-in", "", &format!("name={name}&password={password}"))
            .await
    }

    /// Whose cookie it is; nothing if nobody's.
    pub(crate) async fn who(&self, cookie: &str) -> String {
        let answer = self.get("/visited", cookie).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        answer.text
    }
}
