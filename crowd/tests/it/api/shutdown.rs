//! Ending: what runs is answered, nothing new is taken.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::common::web::server;

#[tokio::test]
async fn a_request_that_has_begun_is_answered() {
    let server = server().await;
    let addr = server.addr;
    let mut stream = TcpStream::connect(addr).await.expect("a connection");
    let head = "POST /api/v1/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
        content-length: 14\r\nexpect: 100-continue\r\n\r\n";
    stream.write_all(head.as_bytes()).await.expect("sent");
    // "100 Continue" says that the request has reached its handler.
    let mut buffer = [0; 12];
    stream
        .read_exact(&mut buffer)
        .await
        .expect("an interim answer");
    assert_eq!(&buffer, b"HTTP/1.1 100");
    let ending = tokio::spawn(server.end());
    while TcpStream::connect(addr).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    stream.write_all(br#"{"name": null}"#).await.expect("sent");
    let mut answer = String::new();
    let read = stream.read_to_string(&mut answer).await;
    read.expect("an answer");
    assert!(answer.contains("201 Created"), "{answer}");
    assert!(ending.await.expect("no panic"), "it was answered in time");
}

#[tokio::test]
async fn idle_connections_do_not_hold_the_end_up() {
    let server = server().await;
    let mut visitor = server.visitor();
    visitor.get("/healthz").await;
    assert!(server.end().await);
    assert!(visitor.0.get("/healthz").await.is_err());
}
