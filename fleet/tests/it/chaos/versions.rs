//! Workers of other versions: of the last one, by exchanges as it had them, which are kept as files; and of the
//! next one.
//!
//! `NAME.request` in the folder of a version is what its worker sends, `NAME.answer` what it reads of the answer: the
//! status and JSON. There may be more in an answer, but not in the descriptions of jobs and units, whose fields a worker
//! has to know: where they change, the version of the kind does. A release adds a folder, and changes none.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use fleet::conduct::spec::TestKind;
use perft::lab::CountPlan;
use queue::{Chunk, Job, Second, Unit};
use serde_json::{Value, json};

use super::games;
use super::lab::Lab;

/// What differs from lab to lab, in requests; in an answer it stands for any text.
const LEASE: &str = "{LEASE}";
const JOB: &str = "{JOB}";

/// A worker that has no program.
struct Peer<'a> {
    lab: &'a Lab,
    token: String,
    lease: String,
    job: String,
}

impl<'a> Peer<'a> {
    fn new(lab: &'a Lab, number: usize) -> Self {
        Self {
            lab,
            token: lab.worker_token(number),
            lease: String::new(),
            job: String::new(),
        }
    }

    /// Sends a request as it is, and returns status and body of the answer.
    fn send(&self, request: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.lab.port(0))).expect("it listens");
        let patience = Some(Duration::from_secs(30));
        stream.set_read_timeout(patience).expect("not zero");
        stream.write_all(request.as_bytes()).expect("it listens");
        let mut bytes = Vec::new();
        let (head, body) = loop {
            let mut piece = [0; 4096];
            let length = stream.read(&mut piece).expect("an answer");
            assert_ne!(length, 0, "{}", String::from_utf8_lossy(&bytes));
            bytes.extend(&piece[..length]);
            let text = std::str::from_utf8(&bytes).unwrap_or_default();
            if let Some((head, body)) = text.split_once("\r\n\r\n")
                && body.len() >= length_of(head)
            {
                break (head.to_owned(), body.to_owned());
            }
        };
        let status = head.split(' ').nth(1).expect("a status");
        let body = if body.is_empty() { "null" } else { &body };
        let body = serde_json::from_str(body).expect("JSON");
        (status.parse().expect("a number"), body)
    }

    /// An exchange of a version.
    fn exchange(&mut self, version: &str, name: &str) {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/chaos/");
        let read = |ending: &str| {
            let path = format!("{folder}{version}/{name}.{ending}");
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
        };
        let request = read("request")
            .replace(LEASE, &self.lease)
            .replace(JOB, &self.job)
            .replace("{TOKEN}", &self.token)
            .replace("{HOST}", &format!("127.0.0.1:{}", self.lab.port(0)));
        let (head, body) = request.split_once("\n\n").expect("head and body");
        let body = body.trim_end();
        let head = head
            .replace("{LENGTH}", &body.len().to_string())
            .replace('\n', "\r\n");
        let request = format!("{head}\r\n\r\n{body}");
        let answer = read("answer");
        let (expected_status, expected) = answer.split_once('\n').expect("a status");
        let what = format!("{version}/{name}");
        let (mut status, mut found) = self.send(&request);
        // A server learns of a job that another was given after a moment: workers ask again.
        self.lab.wait(&what, |_| {
            if status == 204 && expected_status == "200" {
                (status, found) = self.send(&request);
            }
            status != 204 || expected_status != "200"
        });
        assert_eq!(status.to_string(), expected_status, "{what}: {found}");
        if !expected.is_empty() {
            let expected = serde_json::from_str(expected).expect("JSON");
            self.compare(&what, &found, &expected, false);
        }
    }

    /// All that is expected is there, and nothing else where the last version knows all fields.
    fn compare(&mut self, what: &str, found: &Value, expected: &Value, knows_all: bool) {
        match (found, expected) {
            (Value::String(found), Value::String(expected)) if expected == LEASE => {
                self.lease.clone_from(found);
            }
            (Value::String(found), Value::String(expected)) if expected == JOB => {
                self.job.clone_from(found);
            }
            (Value::String(_), Value::String(expected)) if expected == "{ANY}" => {}
            // The description of a job or a unit.
            (Value::String(found), Value::Object(_)) => {
                let found = serde_json::from_str(found).expect("JSON");
                self.compare(what, &found, expected, true);
            }
            (Value::Object(found), Value::Object(expected)) => {
                for (key, expected) in expected {
                    let what = format!("{what}: {key}");
                    let found = found
                        .get(key)
                        .unwrap_or_else(|| panic!("{what} is missing"));
                    self.compare(&what, found, expected, knows_all);
                }
                let unknown = found.keys().find(|key| !expected.contains_key(*key));
                assert_eq!(unknown.filter(|_| knows_all), None, "{what}");
            }
            (Value::Array(found), Value::Array(expected)) => {
                assert_eq!(found.len(), expected.len(), "{what}");
                for (found, expected) in found.iter().zip(expected) {
                    self.compare(what, found, expected, knows_all);
                }
            }
            _ => assert_eq!(found, expected, "{what}"),
        }
    }

    /// A call of a worker with a body that no version sends yet.
    fn call(&self, what: &str, body: &Value) -> (u16, Value) {
        let body = body.to_string();
        self.send(&format!(
            "POST /api/1/worker/{what} HTTP/1.1\r\nhost: lab\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        ))
    }
}

fn length_of(head: &str) -> usize {
    let lines = head.lines().filter_map(|line| line.split_once(": "));
    let mut lengths = lines.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    lengths
        .next()
        .map_or(0, |(_, length)| length.parse().expect("a number"))
}

/// A job of a kind, with one unit.
fn put(lab: &Lab, id: &str, kind: &str) {
    let job = Job {
        id: id.to_owned(),
        kind: kind.to_owned(),
        body: "{}".to_owned(),
        units: 1,
        second: Second::Compare,
        again_every: None,
    };
    let body = String::new();
    let chunk = Chunk {
        units: vec![Unit { key: 0, body }],
    };
    lab.put(&job, vec![chunk]);
}

#[test]
#[ignore = "long: workers of other versions are served"]
fn workers_of_other_versions_are_served() {
    let lab = Lab::calm(2, 0);
    last(&lab);
    next(&lab);
}

/// A worker of version 0.1.0.
fn last(lab: &Lab) {
    let mut peer = Peer::new(lab, 0);
    let mut ask = |name| peer.exchange("worker-0.1.0", name);
    ask("unauthorized");
    ask("register");
    ask("lease-nothing");
    let count = CountPlan::new(None, 2, false, None).expect("a count");
    let chunks = count.chunks().into_iter();
    let units: Vec<Unit> = chunks.flat_map(|chunk| chunk.units).collect();
    let chunks = units.chunks(10).map(|units| Chunk {
        units: units.to_vec(),
    });
    lab.put(&count.job(), chunks.collect());
    ask("lease-count");
    ask("heartbeat");
    ask("complete-count");
    ask("complete-not-leased");
    ask("lease-known");
    ask("return-unable");
    ask("lease-nothing");
    games::submit(lab, &games::spec(lab, TestKind::Match { rounds: 1 }));
    lab.wait("prepared", |lab| {
        lab.sql("select count(*) from lab.chunks where bodies like '%chess960%'") == "1"
    });
    ask("lease-pairs");
    ask("return");
    ask("lease-pairs");
    ask("complete-pairs");
    let suite = lab.file(
        "one.epd",
        "2k5/8/8/8/8/8/8/KQ6 w - - bm Qb7+; id \"one\";\n",
    );
    let engine = lab.engine();
    let [suite, engine] = [&suite, &engine].map(|path| path.to_str().expect("a temporary folder"));
    let run = lab.tool("epd", &["run", suite, "--engine", engine, "--depth", "1"]);
    lab.wait("submitted", |lab| {
        lab.sql("select count(*) from lab.jobs where kind like 'epd-%'") == "1"
    });
    ask("lease-search");
    ask("complete-search");
    drop(run);
    // All of it counts.
    let sql = "select string_agg(distinct left(value, 2), ' ' order by left(value, 2)) || count(*) from lab.results";
    assert_eq!(lab.sql(sql), "20 {\"12");
    lab.sql("update lab.workers set quarantined_at = now(), quarantine_reason = 'it lied' where name = 'worker-0'");
    ask("quarantined");
}

/// A worker that can and sends more than this version knows.
fn next(lab: &Lab) {
    let peer = Peer::new(lab, 1);
    let (status, found) = peer.call(
        "register",
        &json!({
            "about": "{}", "colour": "blue",
            "abilities": { "cores": 1, "gpus": [1, 2], "has": ["new"], "speed": 0 },
        }),
    );
    assert_eq!(
        (status, &found["name"]),
        (200, &json!("worker-1")),
        "{found}"
    );
    put(lab, "old", "work/1");
    put(lab, "new", "work/2");
    let lease = |kinds: &[&str]| {
        peer.call(
            "lease",
            &json!({ "kinds": kinds, "visibility_ms": 60_000, "colour": "blue" }),
        )
    };
    // Another version is another kind.
    assert_eq!(lease(&["work/3", "work"]).0, 204);
    assert_eq!(lease(&[]).0, 204);
    for (kinds, job) in [(["work/3", "work/1"], "old"), (["work/2", "work/3"], "new")] {
        let (mut status, mut found) = lease(&kinds);
        // A server learns of a job that another has put in after a moment.
        lab.wait("known", |_| {
            if status == 204 {
                (status, found) = lease(&kinds);
            }
            status != 204
        });
        assert_eq!((status, &found["job"]), (200, &json!(job)), "{found}");
        let lease = &found["token"];
        let (status, found) = peer.call(
            "heartbeat",
            &json!({ "token": lease, "visibility_ms": 60_000, "temperature": 60 }),
        );
        assert_eq!((status, found), (200, json!("held")));
        let results = json!([{ "key": 0, "value": "1", "time": 7 }]);
        let (status, found) = peer.call("complete", &json!({ "token": lease, "results": results }));
        assert_eq!(status, 204, "{found}");
    }
    // What is missing or of another form is named.
    for (call, body, named) in [
        ("register", json!({ "abilities": {} }), "about"),
        (
            "register",
            json!({ "about": "", "abilities": { "cores": "all" } }),
            "cores",
        ),
        ("lease", json!({ "kinds": ["work/1"] }), "visibility_ms"),
        (
            "lease",
            json!({ "kinds": "work/1", "visibility_ms": 1 }),
            "kinds",
        ),
        ("complete", json!({ "token": "" }), "results"),
    ] {
        let (status, found) = peer.call(call, &body);
        assert!((400..500).contains(&status), "{call} {body}: {status}");
        let detail = found["detail"].as_str().unwrap_or_default();
        assert!(detail.contains(named), "{call} {body}: {found}");
        assert!(found["code"].is_string(), "{found}");
    }
}
