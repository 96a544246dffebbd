//! The loop of connections over real sockets: HTTPS, streams of events, the end of a server, errors.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use web::layers::Surround;
use web::serve::{ConnectionLimits, Connections, ServerStopping};
use web::tls::Tls;

/// Ends only a hang: longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(5);
/// For what never comes.
const LITTLE: Duration = Duration::from_millis(300);

struct Site {
    addr: SocketAddr,
    end: oneshot::Sender<()>,
    running: JoinHandle<bool>,
}

/// An event, then nothing until the server ends.
async fn events(Extension(ending): Extension<ServerStopping>) -> Response {
    let (sender, receiver) = tokio::sync::mpsc::channel::<Result<Bytes, Infallible>>(1);
    tokio::spawn(async move {
        let event = format!("data: {}\n\n", "x".repeat(2000));
        let _ = sender.send(Ok(event.into())).await;
        ending.wait().await;
    });
    let stream = futures_util::stream::unfold(receiver, async |mut receiver| {
        let next = receiver.recv().await?;
        Some((next, receiver))
    });
    (
        [("content-type", "text/event-stream")],
        Body::from_stream(stream),
    )
        .into_response()
}

async fn slow() -> &'static str {
    tokio::time::sleep(PATIENCE * 10).await;
    "never"
}

async fn panics() -> &'static str {
    panic!("on purpose")
}

/// How long a site waits, and how many it serves at once.
struct Limits {
    answer: Duration,
    head: Duration,
    total: usize,
}

fn patient() -> Limits {
    Limits {
        answer: PATIENCE,
        head: PATIENCE,
        total: ConnectionLimits::default().total,
    }
}

async fn serve(of_site: Limits, tls: Option<Tls>) -> Site {
    let routes = Router::new()
        .route("/", get(async || "hello"))
        .route("/form", post(async || "done"))
        .route("/events", get(events))
        .route("/slow", get(slow))
        .route("/panics", get(panics));
    let surround = Surround {
        https: tls.is_some(),
        answer: of_site.answer,
        error_page: |problem| {
            (problem.status(), format!("<h1>{}</h1>", problem.title())).into_response()
        },
    };
    let router = surround.all(routes);
    let limits = ConnectionLimits {
        of_one: of_site.total + 1,
        shutdown: PATIENCE,
        head: of_site.head,
        ..ConnectionLimits::from_total(of_site.total)
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let addr = listener.local_addr().expect("an address");
    let (end, ended) = oneshot::channel();
    let running = tokio::spawn(async move {
        let end = async { ended.await.unwrap_or(()) };
        Connections::new(limits, false)
            .serve(listener, tls, router, end)
            .await
    });
    Site { addr, end, running }
}

async fn ask<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S, request: &str) -> String {
    let sent = stream.write_all(request.as_bytes()).await;
    sent.expect("sent");
    let mut text = Vec::new();
    let read = timeout(PATIENCE, stream.read_to_end(&mut text)).await;
    // A TLS connection may end without a farewell.
    let _ = read.expect("an answer in time");
    String::from_utf8_lossy(&text).into_owned()
}

fn request(path: &str, more: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: lab.example\r\nconnection: close\r\n{more}\r\n")
}

impl Site {
    async fn get(&self, path: &str, more: &str) -> String {
        let stream = TcpStream::connect(self.addr).await.expect("connected");
        ask(stream, &request(path, more)).await
    }

    async fn get_by_https(&self, trusted: &Path) -> Result<String, std::io::Error> {
        let mut roots = RootCertStore::empty();
        let certificate = CertificateDer::from_pem_file(trusted).expect("PEM");
        roots.add(certificate).expect("a certificate");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("ring has them")
            .with_root_certificates(roots)
            .with_no_client_auth();
        let stream = TcpStream::connect(self.addr).await?;
        let name = "lab.example".try_into().expect("a name");
        let connector = TlsConnector::from(Arc::new(config));
        let stream = connector.connect(name, stream).await?;
        Ok(ask(stream, &request("/", "")).await)
    }
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

#[tokio::test]
async fn https_is_served_by_a_certificate_that_can_be_renewed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (certificate, key) = (folder.path().join("lab.crt"), folder.path().join("lab.key"));
    let put = |name: &str| {
        std::fs::copy(data(&format!("{name}.crt")), &certificate).expect("copied");
        std::fs::copy(data(&format!("{name}.key")), &key).expect("copied");
    };
    put("first");
    let tls = Tls::open(&certificate, &key).expect("a pair");
    let site = serve(patient(), Some(tls.clone())).await;
    let answer = site.get_by_https(&data("first.crt")).await.expect("HTTPS");
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.ends_with("hello"),
        "{answer}"
    );
    assert!(
        answer.contains("strict-transport-security: max-age=31536000"),
        "{answer}"
    );
    assert!(site.get_by_https(&data("second.crt")).await.is_err());
    // Plain HTTP gets nothing, and a client that says nothing is not waited for.
    assert!(!site.get("/", "").await.contains("200 OK"));
    let head = LITTLE;
    let short = serve(Limits { head, ..patient() }, Some(tls.clone())).await;
    let silent = TcpStream::connect(short.addr).await.expect("connected");
    assert_eq!(ask(silent, "").await, "");
    assert!(!tls.reload().expect("unchanged"));
    put("second");
    // Times of files may be as coarse as a second; this one is another for certain.
    let file = std::fs::File::options()
        .append(true)
        .open(&key)
        .expect("opened");
    let later = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(2_000_000_000);
    file.set_modified(later).expect("set");
    assert!(tls.reload().expect("a pair"));
    assert!(site.get_by_https(&data("second.crt")).await.is_ok());
    // What cannot be used does not replace what is.
    std::fs::copy(data("first.crt"), &certificate).expect("copied");
    file.set_modified(later + Duration::from_secs(1))
        .expect("set");
    let error = tls.reload().expect_err("they do not belong together");
    assert!(
        error
            .to_string()
            .contains("lab.crt' and its key cannot be used"),
        "{error}"
    );
    assert!(site.get_by_https(&data("second.crt")).await.is_ok());
}

#[test]
fn files_without_a_certificate_are_reported() {
    let missing = Tls::open(&data("none.crt"), &data("first.key"));
    let error = missing.expect_err("no file").to_string();
    assert!(
        error.starts_with("cannot read '") && error.contains("none.crt"),
        "{error}"
    );
    let key_for_certificate = Tls::open(&data("first.key"), &data("first.key"));
    let error = key_for_certificate.expect_err("no certificate").to_string();
    assert!(error.contains("it has no certificate"), "{error}");
    let other = Tls::open(&data("first.crt"), &data("second.key"));
    assert!(other.is_err());
}

#[tokio::test]
async fn events_come_at_once_go_on_and_end_with_the_server() {
    // Enough for an answer to begin on a busy machine.
    let answer = Duration::from_secs(5);
    let limits = Limits {
        answer,
        ..patient()
    };
    let site = serve(limits, None).await;
    let mut stream = TcpStream::connect(site.addr).await.expect("connected");
    let gzip = request("/events", "accept-encoding: gzip\r\n");
    stream.write_all(gzip.as_bytes()).await.expect("sent");
    let text = read_to(&mut stream, "data: xxx").await;
    assert!(!text.contains("content-encoding"), "{text}");
    // Longer than an answer may take to begin.
    tokio::time::sleep(answer + LITTLE).await;
    site.end.send(()).expect("it runs");
    let mut rest = Vec::new();
    let read = timeout(PATIENCE, stream.read_to_end(&mut rest)).await;
    read.expect("the stream ends").expect("read");
    assert!(site.running.await.expect("no panic"), "nothing was cut off");
}

#[tokio::test]
async fn errors_are_pages_for_people_and_problems_for_programs() {
    let site = serve(patient(), None).await;
    let answer = LITTLE;
    let short = serve(
        Limits {
            answer,
            ..patient()
        },
        None,
    )
    .await;
    for (path, status, title) in [
        ("/nowhere", "404", "There is nothing here"),
        ("/form", "405", "This address does not take that method"),
        ("/slow", "503", "The server is busy"),
        ("/panics", "500", "The server failed"),
    ] {
        let site = if path == "/slow" { &short } else { &site };
        let answer = site.get(path, "").await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{answer}"
        );
        assert!(answer.contains("application/problem+json"), "{answer}");
        assert!(
            answer.contains(title) && !answer.contains("on purpose"),
            "{answer}"
        );
        let page = site.get(path, "accept: text/html\r\n").await;
        assert!(page.ends_with(&format!("<h1>{title}</h1>")), "{page}");
        assert!(
            page.contains("content-security-policy: default-src 'self'"),
            "{page}"
        );
    }
    let cross = "POST /form HTTP/1.1\r\nhost: lab.example\r\nsec-fetch-site: cross-site\r\ncontent-length: 0\r\n\
         connection: close\r\n\r\n";
    let stream = TcpStream::connect(site.addr).await.expect("connected");
    let answer = ask(stream, cross).await;
    assert!(answer.contains("\"code\":\"cross-site\""), "{answer}");
}

/// Reads from a connection that stays open until the answer has this text.
async fn read_to(stream: &mut TcpStream, end: &str) -> String {
    let mut text = String::new();
    while !text.contains(end) {
        let mut bytes = [0; 4096];
        let read = timeout(PATIENCE, stream.read(&mut bytes)).await;
        let count = read.expect("in time").expect("read");
        assert!(count > 0, "closed after: {text}");
        text += &String::from_utf8_lossy(&bytes[..count]);
    }
    text
}

async fn open(site: &Site, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(site.addr).await.expect("connected");
    let request = format!("GET {path} HTTP/1.1\r\nhost: lab.example\r\n\r\n");
    let sent = stream.write_all(request.as_bytes()).await;
    sent.expect("sent");
    stream
}

#[tokio::test]
async fn idle_connections_make_room_for_new_ones_longest_first() {
    let limits = Limits {
        total: 2,
        ..patient()
    };
    let site = serve(limits, None).await;
    let mut first = open(&site, "/").await;
    read_to(&mut first, "hello").await;
    let mut second = open(&site, "/events").await;
    read_to(&mut second, "data: xxx").await;
    for _ in 0..3 {
        let mut next = open(&site, "/").await;
        read_to(&mut next, "hello").await;
        // The one before was closed in good order; the second is not idle.
        assert_eq!(ask(first, "").await, "");
        first = next;
    }
    site.end.send(()).expect("it runs");
    ask(second, "").await;
    assert!(site.running.await.expect("no panic"), "nothing was cut off");
}

#[tokio::test]
async fn while_all_connections_are_busy_a_new_one_waits() {
    let limits = Limits {
        total: 1,
        ..patient()
    };
    let site = serve(limits, None).await;
    let mut busy = open(&site, "/events").await;
    read_to(&mut busy, "data: xxx").await;
    let mut next = open(&site, "/").await;
    let read = timeout(Duration::from_millis(100), next.read_u8()).await;
    assert!(read.is_err(), "it waits: {read:?}");
    drop(busy);
    read_to(&mut next, "hello").await;
}
