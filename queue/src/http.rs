//! The broker of a lab: a client of `fleet serve`. An edge: it uses the network.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use ureq::Agent;
use ureq::Body;
use ureq::http::{Response, StatusCode};

use crate::wire::{
    Abilities, Complete, Heartbeat, LeaseBody, LeaseRequest, Problem, Register, Registered, Return,
    code,
};
use crate::{Broker, BrokerError, Job, Lease, Second, Standing, UnitResult, Worker};

/// The longest that a call may take.
const DEADLINE: Duration = Duration::from_secs(40);
/// The longest that a download may take.
const DOWNLOAD_DEADLINE: Duration = Duration::from_hours(1);
const TO_CONNECT: Duration = Duration::from_secs(15);
/// The largest answer that is read.
// A broken server, or another one at this address, must not fill the memory.
const ANSWER_BYTES: u64 = 256 << 20;
/// What comes before a token in a header (RFC 6750).
const BEARER: &str = "Bearer ";
/// Number of jobs whose bodies are remembered.
const KEPT_JOBS: usize = 64;

/// Connects to the lab at a URL such as `https://lab.example`, with a worker's or an account's
/// token. No call is made yet.
///
/// # Errors
/// The URL is no `http://` or `https://` URL; the token is empty or has characters that none has.
pub fn connect(url: &str, token: &str) -> Result<LabClient, BrokerError> {
    LabClient::new(url, token)
}

/// Connects to the lab at a URL with the token in the environment variable `FLEET_TOKEN`: arguments
/// can be seen by all users of a machine.
///
/// # Errors
/// Those of [`connect`].
pub fn connect_with_environment(url: &str) -> Result<LabClient, BrokerError> {
    #[expect(clippy::disallowed_methods, reason = "the edge reads the environment")]
    let token = std::env::var("FLEET_TOKEN").unwrap_or_default();
    LabClient::new(url, &token)
}

/// The client of a lab's server.
pub struct LabClient {
    agent: Agent,
    /// Without a slash at its end.
    base: String,
    authorization: String,
    abilities: Mutex<Abilities>,
    /// The jobs whose bodies the server need not send again.
    jobs: Mutex<BTreeMap<String, Job>>,
}

impl LabClient {
    fn new(url: &str, token: &str) -> Result<Self, BrokerError> {
        let base = url.trim_end_matches('/');
        if !base.starts_with("https://") && !base.starts_with("http://") {
            let expected = "expected https://HOST, the address of a lab's server";
            return Err(BrokerError::BadUrl(format!("'{url}': {expected}")));
        }
        // A token that is read from a file often has a line end.
        let token = token.trim();
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            let expected = "expected a token in FLEET_TOKEN, as the lab's pages print it";
            return Err(BrokerError::Denied(expected.to_owned()));
        }
        let config = Agent::config_builder()
            .timeout_connect(Some(TO_CONNECT))
            .timeout_global(Some(DEADLINE))
            // The body of an error has its code and its detail.
            .http_status_as_error(false)
            // A redirection could carry the token to another host.
            .max_redirects(0)
            .user_agent(concat!("touchstone/", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Self {
            agent: config.into(),
            base: base.to_owned(),
            authorization: format!("{BEARER}{token}"),
            abilities: Mutex::default(),
            jobs: Mutex::default(),
        })
    }

    /// A warning for people, if the token goes to another machine without encryption.
    pub fn warning(&self) -> Option<String> {
        let rest = self.base.strip_prefix("http://")?;
        let host = rest.split('/').next().unwrap_or_default();
        let port = host.rsplit_once(':').filter(|_| !host.ends_with(']'));
        let host = port.map_or(host, |(host, _)| host);
        let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
        let is_here = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
        (!is_here).then(|| {
            format!(
                "note: {} is not encrypted: the token can be read on its way; expected https://",
                self.base
            )
        })
    }

    /// What the worker is able to do, sent when it registers.
    #[must_use]
    pub fn with_abilities(self, abilities: Abilities) -> Self {
        *self
            .abilities
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = abilities;
        self
    }

    /// Requests `path`, such as `/api/1/tests`, and parses the answer.
    ///
    /// # Errors
    /// The server cannot be reached, or rejects the call.
    pub fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, BrokerError> {
        let request = self.agent.get(format!("{}{path}", self.base));
        let sent = request.header("authorization", &self.authorization).call();
        answer(sent.map_err(unreachable)?)
    }

    /// Requests `path` and writes the answer, of any length, to `to`.
    ///
    /// # Errors
    /// The server cannot be reached, breaks off or rejects the call; `to` cannot be written.
    pub fn download(&self, path: &str, to: &mut dyn io::Write) -> Result<u64, BrokerError> {
        let request = self.agent.get(format!("{}{path}", self.base));
        let request = request
            .config()
            .timeout_global(Some(DOWNLOAD_DEADLINE))
            .build()
            .header("authorization", &self.authorization);
        let mut response = request.call().map_err(unreachable)?;
        if !response.status().is_success() {
            return answer::<()>(response).map(|()| 0);
        }
        let mut body = response.body_mut().with_config().limit(u64::MAX).reader();
        io::copy(&mut body, to).map_err(|error| BrokerError::Unreachable(Box::new(error)))
    }

    /// Sends JSON to `path` and parses the answer; an empty one is JSON's `null`.
    ///
    /// # Errors
    /// The server cannot be reached, or rejects the call.
    pub fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, BrokerError> {
        let text =
            serde_json::to_string(body).map_err(|error| BrokerError::Failed(error.to_string()))?;
        // What an engine or a build printed is published, and one of them may have found the token.
        let text = text.replace(self.token(), "[token]");
        let request = self.agent.post(format!("{}{path}", self.base));
        let request = request
            .header("authorization", &self.authorization)
            .content_type("application/json");
        answer(request.send(&text).map_err(unreachable)?)
    }

    fn token(&self) -> &str {
        &self.authorization[BEARER.len()..]
    }

    fn job_of(&self, body: &LeaseBody) -> Result<Job, BrokerError> {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = &body.body {
            if jobs.len() >= KEPT_JOBS {
                // All at once is simplest: the server then sends the bodies that are needed again.
                jobs.clear();
            }
            let job = Job {
                id: body.job.clone(),
                kind: body.kind.clone(),
                body: text.clone(),
                units: body.job_units,
                // A worker must not know whether its results are compared.
                second: Second::Ignore,
                again_every: None,
            };
            jobs.insert(body.job.clone(), job);
        }
        let job = jobs.get(&body.job).cloned();
        job.ok_or_else(|| BrokerError::Failed(format!("a lease of {} lacks its body", body.job)))
    }
}

fn unreachable(error: ureq::Error) -> BrokerError {
    match error {
        ureq::Error::BadUri(text) => BrokerError::BadUrl(text),
        error => BrokerError::Unreachable(Box::new(error)),
    }
}

fn answer<T: DeserializeOwned>(mut response: Response<Body>) -> Result<T, BrokerError> {
    let status = response.status();
    let mut text = Vec::new();
    let body = response
        .body_mut()
        .as_reader()
        .take(ANSWER_BYTES)
        .read_to_end(&mut text);
    body.map_err(|error| BrokerError::Unreachable(Box::new(error)))?;
    if status.is_success() {
        // Status 204 has no body, and JSON has no empty document.
        let text = if text.is_empty() { b"null" } else { &text[..] };
        return serde_json::from_slice(text).map_err(|error| {
            BrokerError::Failed(format!("an answer of another version: {error}"))
        });
    }
    let problem: Option<Problem> = serde_json::from_slice(&text).ok();
    Err(rejection(status, problem))
}

/// The error of a status. A server or proxy that is being restarted is worth waiting for.
fn rejection(status: StatusCode, problem: Option<Problem>) -> BrokerError {
    let detail = problem
        .as_ref()
        .map_or_else(|| status.to_string(), |problem| problem.detail.clone());
    let found = problem.map_or_else(String::new, |problem| problem.code);
    match (found.as_str(), status.as_u16()) {
        (code::NO_JOB, _) => BrokerError::NoJob(detail),
        (code::NO_WORKER, _) => BrokerError::NoWorker(detail),
        (code::UNAUTHORIZED | code::FORBIDDEN, _) | (_, 401 | 403) => BrokerError::Denied(detail),
        // Too many requests, and what proxies send while a server is restarted.
        (_, 429 | 502..=504) => BrokerError::Unreachable(io::Error::other(detail).into()),
        _ => BrokerError::Failed(detail),
    }
}

impl Broker for LabClient {
    fn register(&self, worker: &Worker) -> Result<(), BrokerError> {
        let abilities = self
            .abilities
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let register = Register {
            about: worker.about.clone(),
            abilities,
        };
        self.post::<Registered>("/api/1/worker/register", &register)
            .map(drop)
    }

    fn lease(
        &self,
        worker: &str,
        kinds: &[&str],
        visibility: Duration,
    ) -> Result<Option<Lease>, BrokerError> {
        let known_jobs = {
            let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
            jobs.keys().cloned().collect()
        };
        let request = LeaseRequest {
            kinds: kinds.iter().map(|&kind| kind.to_owned()).collect(),
            visibility_ms: milliseconds(visibility),
            known_jobs,
        };
        let body: Option<LeaseBody> = self.post("/api/1/worker/lease", &request)?;
        let Some(body) = body else { return Ok(None) };
        let job = self.job_of(&body)?;
        Ok(Some(Lease {
            token: body.token,
            worker: worker.to_owned(),
            job,
            chunk: body.chunk,
            units: body.units,
            // The server does not send the attempt: the token says which lease this is.
            attempt: 1,
        }))
    }

    fn heartbeat(&self, lease: &Lease, visibility: Duration) -> Result<Standing, BrokerError> {
        let heartbeat = Heartbeat {
            token: lease.token.clone(),
            visibility_ms: milliseconds(visibility),
        };
        self.post("/api/1/worker/heartbeat", &heartbeat)
    }

    fn complete(&self, lease: &Lease, results: &[UnitResult]) -> Result<(), BrokerError> {
        let complete = Complete {
            token: lease.token.clone(),
            results: results.to_vec(),
        };
        self.post("/api/1/worker/complete", &complete)
    }

    fn give_back(&self, lease: &Lease, inability: Option<&str>) -> Result<(), BrokerError> {
        let back = Return {
            token: lease.token.clone(),
            inability: inability.map(str::to_owned),
        };
        self.post("/api/1/worker/return", &back)
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_token_that_leaves_the_machine_in_clear_is_warned_of() {
        let rows = [
            ("https://lab.example", false),
            ("http://lab.example", true),
            ("http://10.0.0.1:8080/", true),
            ("http://localhost:8080", false),
            ("http://127.0.0.1:8080", false),
            ("http://[::1]:8080", false),
            ("http://[::1]", false),
            ("http://127.example", true),
        ];
        for (url, expected) in rows {
            let client = connect(url, "tsw_secret").expect("a URL");
            assert_eq!(client.warning().is_some(), expected, "{url}");
        }
    }

    #[test]
    fn what_is_sent_does_not_have_the_token() {
        let server = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = server.local_addr().expect("bound");
        let serving = std::thread::spawn(move || {
            let (mut stream, _) = server.accept().expect("a call");
            let mut request = String::new();
            while !request.ends_with("]}") {
                let mut bytes = [0; 1024];
                let count = stream.read(&mut bytes).expect("a request");
                request.push_str(std::str::from_utf8(&bytes[..count]).expect("text"));
            }
            let answer = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
            stream.write_all(answer).expect("it listens");
            request
        });
        let client = connect(&format!("http://{address}"), "tsw_secret").expect("a URL");
        let results = ["my variables: FLEET_TOKEN=tsw_secret"];
        let body = serde_json::json!({ "results": results });
        client
            .post::<()>("/api/1/worker/complete", &body)
            .expect("taken");
        let request = serving.join().expect("served");
        assert_eq!(request.matches("tsw_secret").count(), 1, "{request}");
        assert!(
            request.contains("authorization: Bearer tsw_secret"),
            "{request}"
        );
        assert!(request.ends_with("FLEET_TOKEN=[token]\"]}"), "{request}");
    }
}
