//! How many searches run, and what becomes of those that nobody waits for any more.

use std::io::Write as _;
use std::net::TcpStream;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::play_api::server::{BUSY_FEN, Server, long_thought, narrow};

/// A search that nobody stops would run as long as this.
const ENDLESS: Duration = Duration::from_mins(10);
/// What a loaded machine may need for what should be done at once.
const PATIENCE: Duration = Duration::from_mins(5);

async fn until(server: &Server, running: usize) {
    let reached = async {
        while server.opponent.load().running != running {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(PATIENCE, reached).await.expect("in time");
}

#[tokio::test]
async fn forty_requests_at_once_run_as_two_searches() {
    let server = Server::with(narrow(2, 4, Duration::from_millis(300)));
    let request = || server.post("move", json!({ "fen": BUSY_FEN, "level": 10 }));
    let mut requests: Vec<Pin<Box<_>>> = (0..40).map(|_| Box::pin(request())).collect();
    // Each is begun before any can have ended.
    let mut context = Context::from_waker(Waker::noop());
    let mut answers = Vec::new();
    let mut waiting = Vec::new();
    for mut request in requests.drain(..) {
        match request.as_mut().poll(&mut context) {
            Poll::Ready(answer) => answers.push(answer),
            Poll::Pending => waiting.push(request),
        }
    }
    assert_eq!(waiting.len(), 6);
    for answer in &answers {
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(answer.body["type"], "/problems/busy");
        assert_eq!(answer.headers["retry-after"], "2");
    }
    let load = server.opponent.load();
    assert_eq!((load.running, load.waiting), (2, 4));
    for request in waiting {
        assert_eq!(request.await.status, StatusCode::OK);
    }
    until(&server, 0).await;
}

#[tokio::test]
async fn a_request_that_is_dropped_frees_its_place() {
    let server = Server::with(narrow(1, 0, ENDLESS));
    {
        let mut request = pin!(server.post("move", long_thought()));
        let mut context = Context::from_waker(Waker::noop());
        assert!(request.as_mut().poll(&mut context).is_pending());
        until(&server, 1).await;
        let other = server.post("move", long_thought()).await;
        assert_eq!(other.status, StatusCode::SERVICE_UNAVAILABLE);
    }
    until(&server, 0).await;
    let next = server
        .post("move", json!({ "fen": BUSY_FEN, "level": 2 }))
        .await;
    assert_eq!(next.status, StatusCode::OK);
}

#[tokio::test]
async fn a_client_that_hangs_up_frees_its_place() {
    let server = Server::with(narrow(1, 0, ENDLESS));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let address = listener.local_addr().expect("an address");
    let service = server.router.clone();
    let serving = tokio::spawn(async move { axum::serve(listener, service).await });
    let body = long_thought().to_string();
    let mut client = TcpStream::connect(address).expect("a connection");
    write!(
        client,
        "POST /api/v1/play/move HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("sent");
    until(&server, 1).await;
    drop(client);
    until(&server, 0).await;
    serving.abort();
}

#[tokio::test]
async fn worths_that_are_known_need_no_search() {
    let server = Server::with(narrow(1, 0, ENDLESS));
    let known = server.ok("eval", json!({ "fen": BUSY_FEN })).await;
    let mut busy = pin!(server.post("move", long_thought()));
    let mut context = Context::from_waker(Waker::noop());
    assert!(busy.as_mut().poll(&mut context).is_pending());
    assert_eq!(server.ok("eval", json!({ "fen": BUSY_FEN })).await, known);
    let new = server.post("eval", json!({ "moves": ["a2a3"] })).await;
    assert_eq!(new.status, StatusCode::SERVICE_UNAVAILABLE);
}
