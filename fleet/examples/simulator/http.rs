//! Servers on loopback, and workers that call them by HTTP, each by a connection of its own.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, bail};
use axum::body::Bytes;
use axum::http::{Request, StatusCode, header};
use fleet::model::{Account, Role, WorkerIdentity};
use fleet::people::machines;
use fleet::store::Database;
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use queue::wire::{Complete, Heartbeat, LeaseBody, LeaseRequest};
use queue::{Standing, UnitResult};
use serde::Serialize;
use tokio::time::timeout;

use crate::calls::Calls;

/// How long a server may take to start.
const START: Duration = Duration::from_mins(1);
/// How long a call may take.
const DEADLINE: Duration = Duration::from_mins(1);
/// Servers end idle connections after ten seconds.
const IDLE: Duration = Duration::from_secs(8);

/// A server, which is killed when it is dropped.
pub(crate) struct Server {
    child: Child,
    url: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// Starts `fleet serve`, which was built with this program.
    pub(crate) async fn start(db: &str) -> anyhow::Result<Self> {
        let own = std::env::current_exe().context("this program has no path")?;
        let folder = own
            .ancestors()
            .nth(2)
            .context("it is in target/*/examples")?;
        let program = folder.join("fleet");
        #[expect(clippy::disallowed_methods, reason = "it starts a server")]
        let mut command = Command::new(&program);
        command.args(["serve", "--addr", "127.0.0.1:0"]);
        command.env("FLEET_DB", db);
        command.env("FLEET_LOG", "warn").stdout(Stdio::piped());
        let mut child = command
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let output = child.stdout.take().context("it is piped")?;
        let mut server = Self {
            child,
            url: String::new(),
        };
        let first_line = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            BufReader::new(output).read_line(&mut line).map(|_| line)
        });
        let line = timeout(START, first_line).await.context("the server")???;
        let Some((_, url)) = line.trim().split_once("listening on ") else {
            bail!("the server did not start: it printed '{line}'");
        };
        url.clone_into(&mut server.url);
        Ok(server)
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }
}

/// A worker that calls a server.
#[derive(Clone)]
pub(crate) struct Caller {
    client: Client<HttpConnector, Full<Bytes>>,
    url: String,
    authorization: String,
}

impl Caller {
    /// Gives the worker a new token.
    pub(crate) async fn new(
        database: &Database,
        worker: &WorkerIdentity,
        url: &str,
    ) -> anyhow::Result<Self> {
        let owner = Account {
            id: worker.owner,
            name: String::new(),
            role: Role::Author,
        };
        let token = machines::renew_worker(database, &owner, &worker.name).await?;
        Ok(Self {
            client: Client::builder(TokioExecutor::new())
                .pool_idle_timeout(IDLE)
                .build_http(),
            url: url.to_owned(),
            authorization: format!("Bearer {token}"),
        })
    }

    async fn post(&self, call: &str, body: &impl Serialize) -> anyhow::Result<(StatusCode, Bytes)> {
        let request = Request::post(format!("{}/api/1/worker/{call}", self.url))
            .header(header::AUTHORIZATION, &self.authorization)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Full::from(serde_json::to_vec(body)?))?;
        let answered = async {
            let (head, body) = self.client.request(request).await?.into_parts();
            let body = body.collect().await?.to_bytes();
            anyhow::Ok((head.status, body))
        };
        let (status, body) = timeout(DEADLINE, answered).await.context("no answer")??;
        if !status.is_success() {
            bail!("{call}: {status}: {}", String::from_utf8_lossy(&body));
        }
        Ok((status, body))
    }
}

impl Calls for Caller {
    async fn lease(
        &self,
        _: &WorkerIdentity,
        request: &LeaseRequest,
    ) -> anyhow::Result<Option<LeaseBody>> {
        let (status, body) = self.post("lease", request).await?;
        if status == StatusCode::NO_CONTENT {
            return Ok(None);
        }
        Ok(Some(serde_json::from_slice(&body)?))
    }

    async fn heartbeat(
        &self,
        _: &WorkerIdentity,
        token: &str,
        visibility_ms: u64,
    ) -> anyhow::Result<Standing> {
        let token = token.to_owned();
        let beat = Heartbeat {
            token,
            visibility_ms,
        };
        Ok(serde_json::from_slice(
            &self.post("heartbeat", &beat).await?.1,
        )?)
    }

    async fn complete(
        &self,
        _: &WorkerIdentity,
        token: &str,
        results: &[UnitResult],
    ) -> anyhow::Result<()> {
        let (token, results) = (token.to_owned(), results.to_vec());
        self.post("complete", &Complete { token, results }).await?;
        Ok(())
    }
}
