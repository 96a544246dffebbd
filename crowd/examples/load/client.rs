//! A browser in small: one connection, one cookie jar, requests one after another, each with a deadline.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context as _;
use axum::body::Bytes;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::timeout;

const DEADLINE: Duration = Duration::from_mins(1);

pub(crate) struct Client {
    addr: SocketAddr,
    connection: Option<SendRequest<Full<Bytes>>>,
    /// The session, as the server gave it.
    pub cookie: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON; null where it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// A header as text; empty where it is not there.
    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.and_then(|value| value.to_str().ok()).unwrap_or("")
    }
}

impl Client {
    pub(crate) fn new(addr: SocketAddr) -> Self {
        Self {
            addr,
            connection: None,
            cookie: None,
        }
    }

    /// Reads a page or a value.
    pub(crate) async fn get(&mut self, path: &str) -> anyhow::Result<Answer> {
        self.send(Method::GET, path, &[], Vec::new()).await
    }

    pub(crate) async fn post(&mut self, path: &str, body: &Value) -> anyhow::Result<Answer> {
        let json = [("content-type", "application/json")];
        let body = body.to_string().into_bytes();
        self.send(Method::POST, path, &json, body).await
    }

    pub(crate) async fn send(
        &mut self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> anyhow::Result<Answer> {
        let mut request = Request::builder().method(method).uri(path);
        request = request.header(header::HOST, self.addr.to_string());
        if let Some(cookie) = &self.cookie {
            request = request.header(header::COOKIE, cookie);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::from(body))?;
        let answer = timeout(DEADLINE, self.exchange(request)).await;
        let answer = answer.context("no answer in time")??;
        self.keep_cookie(&answer);
        Ok(answer)
    }

    async fn exchange(&mut self, request: Request<Full<Bytes>>) -> anyhow::Result<Answer> {
        let mut connection = match self.connection.take() {
            Some(connection) if !connection.is_closed() => connection,
            _ => self.connect().await?,
        };
        connection.ready().await?;
        let answer = connection.send_request(request).await?;
        let (parts, body) = answer.into_parts();
        let body = body.collect().await?.to_bytes();
        self.connection = Some(connection);
        Ok(Answer {
            status: parts.status,
            headers: parts.headers,
            body,
        })
    }

    async fn connect(&self) -> anyhow::Result<SendRequest<Full<Bytes>>> {
        let stream = TcpStream::connect(self.addr).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        // Whoever waits for an answer learns how the connection ends.
        tokio::spawn(connection);
        Ok(sender)
    }

    fn keep_cookie(&mut self, answer: &Answer) {
        let set = answer.header("set-cookie").split(';').next();
        if let Some(pair) = set.filter(|pair| !pair.is_empty()) {
            self.cookie = Some(pair.to_owned());
        }
    }
}
