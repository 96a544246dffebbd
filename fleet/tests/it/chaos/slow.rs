//! Peers that are slow, silent or gone: every wait ends, and nobody else waits for them.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use queue::BrokerError;
use serde_json::Value;

use super::lab::Lab;
use super::{PATIENCE, PERFT_6};

/// Number of peers of each kind, more than the server has connections to its database.
const PEERS: usize = 20;

fn connect(lab: &Lab) -> TcpStream {
    TcpStream::connect(("127.0.0.1", lab.port(0))).expect("it listens")
}

/// Sends the rest of a request a byte at a time until the server closes; what it sent before.
fn drip(mut stream: TcpStream, begin: &str) -> String {
    let began = Instant::now();
    let pause = Some(Duration::from_millis(250));
    stream.set_read_timeout(pause).expect("not zero");
    stream.write_all(begin.as_bytes()).expect("it listens");
    let mut answer = Vec::new();
    loop {
        let mut piece = [0; 1024];
        match stream.read(&mut piece) {
            Ok(length @ 1..) => answer.extend(&piece[..length]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                // If it has closed, the next read notices.
                let _ = stream.write_all(b"x");
            }
            Ok(0) | Err(_) => break,
        }
        assert!(began.elapsed() < PATIENCE, "it is served for ever");
    }
    String::from_utf8_lossy(&answer).into_owned()
}

/// Sends this, and is silent until the server closes.
fn silent(mut stream: TcpStream, begin: &str) {
    stream.write_all(begin.as_bytes()).expect("it listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("not zero");
    if let Err(error) = stream.read_to_end(&mut Vec::new()) {
        assert_ne!(error.kind(), ErrorKind::WouldBlock, "it is served for ever");
    }
}

/// Requests many long answers and reads none of them.
fn deaf(lab: &Lab) -> TcpStream {
    let mut stream = connect(lab);
    let request = "GET /api/1/openapi.json HTTP/1.1\r\nhost: lab\r\n\r\n".repeat(200);
    stream
        .set_write_timeout(Some(Duration::from_secs(1)))
        .expect("not zero");
    let _ = stream.write_all(request.as_bytes());
    stream
}

/// A server that answers a call by nothing, or by this and then a byte at a time without an end.
fn slow_server(begin: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    std::thread::spawn(move || {
        let (mut client, _) = listener.accept().expect("a client");
        let pause = Some(Duration::from_millis(100));
        client.set_read_timeout(pause).expect("not zero");
        let mut sent = client.write_all(begin.as_bytes());
        while sent.is_ok() {
            match client.read(&mut [0; 1024]) {
                Ok(1..) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Ok(0) | Err(_) => return,
            }
            if !begin.is_empty() {
                sent = client.write_all(b" ");
            }
        }
    });
    port
}

#[test]
#[ignore = "long: peers that are slow or silent are dropped, and keep nobody waiting"]
fn slow_peers_keep_nobody_waiting() {
    let lab = Lab::calm(2, 0);
    let _deaf: Vec<TcpStream> = (0..PEERS).map(|_| deaf(&lab)).collect();
    let head = "GET /healthz HTTP/1.1\r\nhost: lab\r\nx: ";
    let body = format!(
        "POST /api/1/worker/complete HTTP/1.1\r\nhost: lab\r\nauthorization: Bearer {}\r\n\
         content-type: application/json\r\ncontent-length: 100000\r\n\r\n\"",
        lab.worker_token(0)
    );
    std::thread::scope(|scope| {
        let lab = &lab;
        for _ in 0..PEERS {
            scope.spawn(|| drip(connect(lab), head));
            scope.spawn(|| {
                let answer = drip(connect(lab), &body);
                assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
            });
            scope.spawn(|| silent(connect(lab), ""));
            let request = "GET /healthz HTTP/1.1\r\nhost: lab\r\n\r\n";
            scope.spawn(|| silent(connect(lab), request));
        }
        let endless = "HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n[";
        for begin in ["", endless] {
            scope.spawn(move || {
                let url = format!("http://127.0.0.1:{}", slow_server(begin));
                let client = queue::connect(&url, "tsw_token").expect("a good URL");
                let asked = client.get::<Value>("/api/1/tests");
                assert!(
                    matches!(asked, Err(BrokerError::Unreachable(_))),
                    "{asked:?}"
                );
            });
        }
        // All others are served meanwhile.
        let mut count = lab.count("4");
        let _workers = [0, 1].map(|number| lab.worker(number));
        lab.wait("counted", |_| !count.is_running());
        let (text, _) = count.end();
        assert!(text.contains(&kit::output::grouped(197_281_u64)), "{text}");
    });
}

/// The network between servers and database drops all connections, and ends none.
#[test]
#[ignore = "long: servers leave a database that is silent"]
fn servers_leave_a_database_that_is_silent() {
    let lab = Lab::remote(3);
    let _workers = [0, 1, 2].map(|number| lab.worker(number));
    let mut count = lab.count("6");
    lab.wait("counted", |lab| {
        lab.sql("select coalesce(sum(done), 0) > 40 from lab.counters") == "t"
    });
    lab.site.network.as_ref().expect("a remote lab").go_silent();
    lab.wait("counted to the end", |_| !count.is_running());
    let (text, code) = count.end();
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains(&kit::output::grouped(PERFT_6)), "{text}");
}
