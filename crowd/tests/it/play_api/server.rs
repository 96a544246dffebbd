//! The router with an opponent, without a network.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode, header};
use crowd::play::{Opponent, OpponentSettings};
use crowd::web::play_router;
use serde_json::{Value, json};
use tower::Service;

pub(crate) struct Server {
    pub(crate) opponent: Arc<Opponent>,
    pub(crate) router: Router,
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl Server {
    pub(crate) fn new() -> Self {
        Self::with(OpponentSettings::default())
    }

    pub(crate) fn with(settings: OpponentSettings) -> Self {
        let opponent = Arc::new(Opponent::new(settings));
        Self {
            router: play_router(Arc::clone(&opponent)),
            opponent,
        }
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.post_text(path, body.to_string()).await
    }

    pub(crate) async fn post_text(&self, path: &str, body: String) -> Answer {
        let request = Request::post(format!("/api/v1/play/{path}"))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body));
        self.send(request.expect("a request")).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        let request = Request::get(format!("/api/v1/play/{path}")).body(Body::empty());
        self.send(request.expect("a request")).await
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response = self
            .router
            .clone()
            .call(request)
            .await
            .expect("it never fails");
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.expect("a body");
        Answer {
            status: parts.status,
            headers: parts.headers,
            body: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
        }
    }

    /// The answer, which must be one of success.
    pub(crate) async fn ok(&self, path: &str, body: Value) -> Value {
        let answer = self.post(path, body).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        answer.body
    }

    /// Status, kind and text of a refusal.
    pub(crate) async fn refusal(&self, path: &str, body: Value) -> (u16, String, String) {
        let answer = self.post(path, body).await;
        let kind = answer.headers.get(header::CONTENT_TYPE);
        assert_eq!(
            kind.expect("a type"),
            "application/problem+json",
            "{}",
            answer.body
        );
        let text = |name: &str| answer.body[name].as_str().expect(name).to_owned();
        (answer.status.as_u16(), text("type"), text("detail"))
    }
}

/// Few searches, so that they are soon all taken.
pub(crate) fn narrow(searches: usize, waiting: usize, longest: Duration) -> OpponentSettings {
    OpponentSettings {
        searches: NonZeroUsize::new(searches).expect("some"),
        waiting,
        patience: Duration::from_mins(5),
        longest,
    }
}

/// A position that is in no book, with much to think about.
pub(crate) const BUSY_FEN: &str =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// A request for a move that would take as long as it is allowed.
pub(crate) fn long_thought() -> Value {
    let hours = 10 * 3_600 * 1_000;
    json!({ "fen": BUSY_FEN, "level": 10, "clock": { "white_ms": hours, "black_ms": hours } })
}
