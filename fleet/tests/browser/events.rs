//! Server-sent events as a program sees them.

use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::lab::Lab;

/// How long an event may take; only a failing test waits so long.
const PATIENCE: Duration = Duration::from_mins(1);

struct Events(Lines<BufReader<TcpStream>>);

impl Events {
    async fn open(lab: &Lab, query: &str, headers: &str) -> Self {
        let mut stream = TcpStream::connect(lab.addr).await.expect("a connection");
        let request = format!(
            "GET /api/1/events?{query} HTTP/1.1\r\nHost: lab\r\nAccept-Encoding: gzip\r\n{headers}\r\n"
        );
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut events = Self(BufReader::new(stream).lines());
        assert_eq!(events.until("HTTP/1.1").await, "HTTP/1.1 200 OK");
        let kind = events.until("content-type:").await;
        assert_eq!(kind, "content-type: text/event-stream");
        events
    }

    /// The next line that begins so.
    async fn until(&mut self, start: &str) -> String {
        let lines = &mut self.0;
        let found = async {
            loop {
                let line = lines.next_line().await.expect("the connection lasts");
                let line = line.unwrap_or_else(|| panic!("the end came before '{start}'"));
                if line.starts_with(start) {
                    return line;
                }
            }
        };
        let found = timeout(PATIENCE, found).await;
        found.unwrap_or_else(|_| panic!("no line begins with '{start}'"))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_come_to_those_who_watch_and_missed_ones_later() {
    let lab = Lab::start().await;
    let mut all = Events::open(&lab, "", "").await;
    let mut other = Events::open(&lab, "test=simplify-3", "").await;
    all.until("retry:").await;
    lab.sql("update lab.jobs set state = 'stopped', finished_at = now() where id = 'stc-7'")
        .await;
    let id = all.until("id:").await;
    all.until("event: test").await;
    assert_eq!(
        all.until("data:").await,
        r#"data: {"test":"stc-7","state":"stopped","point":40}"#
    );
    lab.sql("update lab.jobs set reason = 'x', finished_at = now() where id = 'simplify-3'")
        .await;
    let data = other.until("data:").await;
    assert!(data.contains(r#""test":"simplify-3""#), "{data}");
    drop(all);
    // Another server would know as much: everything is in the database.
    let headers = format!("Last-Event-ID:{}\r\n", id.trim_start_matches("id:"));
    let mut again = Events::open(&lab, "test=simplify-3", &headers).await;
    let data = again.until("data:").await;
    assert!(data.contains(r#""state":"done""#), "{data}");
}
