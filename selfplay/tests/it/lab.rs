//! Tests of a lab from the command line, against a server that answers from a script.

#![expect(
    clippy::disallowed_methods,
    reason = "tests serve, start programs, and look at what they leave"
)]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::common::{Bed, Ended, wait};

/// The answer to a method and a path: status and body.
type Script = dyn Fn(&str) -> (u16, String) + Send;

/// A lab that answers from a script until it is dropped.
struct Lab {
    url: String,
    /// What was asked so far: method and path, then the body.
    asked: Arc<Mutex<Vec<(String, String)>>>,
    serving: Option<std::thread::JoinHandle<()>>,
}

impl Lab {
    fn new(script: impl Fn(&str) -> (u16, String) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("bound"));
        let asked = Arc::default();
        let serving = serve(listener, Arc::clone(&asked), Box::new(script));
        Self {
            url,
            asked,
            serving: Some(serving),
        }
    }

    fn asked(&self) -> Vec<(String, String)> {
        self.asked.lock().expect("nobody panics").clone()
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        // A request without a line ends the server.
        drop(TcpStream::connect(&self.url["http://".len()..]));
        if let Some(serving) = self.serving.take() {
            assert!(serving.join().is_ok() || std::thread::panicking());
        }
    }
}

fn serve(
    listener: TcpListener,
    asked: Arc<Mutex<Vec<(String, String)>>>,
    script: Box<Script>,
) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        loop {
            let (mut stream, _) = listener.accept().expect("a caller");
            let mut reader = BufReader::new(&stream);
            let mut line = || {
                let mut line = String::new();
                reader.read_line(&mut line).expect("text");
                line.trim_end().to_owned()
            };
            let request = line();
            let Some((what, _)) = request.rsplit_once(' ') else {
                return;
            };
            let (mut length, mut token) = (0, String::new());
            loop {
                let header = line().to_ascii_lowercase();
                match header.split_once(": ") {
                    Some(("content-length", value)) => length = value.parse().expect("a number"),
                    Some(("authorization", value)) => value.clone_into(&mut token),
                    Some(_) => {}
                    None => break,
                }
            }
            assert_eq!(token, "bearer tsa_1");
            let mut body = vec![0; length];
            reader.read_exact(&mut body).expect("all of it");
            let body = String::from_utf8(body).expect("text");
            let mut asked = asked.lock().expect("nobody panics");
            asked.push((what.to_owned(), body));
            drop(asked);
            let (status, text) = script(what);
            let length = text.len();
            let head = format!(
                "HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            // A caller that was interrupted does not read it.
            let _ = stream.write_all((head + &text).as_bytes());
        }
    })
}

/// An account's token; the server knows no other.
fn run(bed: &Bed, arguments: &str) -> Ended {
    let mut command = bed.command(arguments);
    wait(
        command
            .env("FLEET_TOKEN", "tsa_1")
            .spawn()
            .expect("it starts"),
    )
}

/// The answer of a lab that rejects a call.
fn problem(status: u16, code: &str, detail: &str) -> (u16, String) {
    let body = json!({"status": status, "code": code, "detail": detail});
    (status, body.to_string())
}

/// A test in a state; whether it passed is in the summary, for short.
fn test(state: &str, reason: Option<&str>, summary: &Value) -> (u16, String) {
    let passed = &summary["passed"];
    let is_final = summary["outcome"].is_string() || state == "stopped";
    let body = json!({"state": state, "reason": reason, "summary": summary, "is_final": is_final,
        "passed": passed});
    (200, body.to_string())
}

const ENGINES: &str = "'./engine --seed=3' './engine --seed=7'";

/// Ten short games that decide nothing.
const SPRT: &str = "sprt './engine --seed=3' './engine --seed=7' --nodes 1 --max-moves 6 \
                    --variant chess960 --rounds 5 --elo0 0 --elo1 1";

#[test]
fn a_test_of_a_lab_ends_as_one_of_this_machine() {
    let bed = Bed::new();
    let local = bed.run(&format!("{SPRT} --force --out local")).exits(1);
    let read = |name: &str| fs::read_to_string(bed.path("local").join(name)).expect("there");
    let stored: Value = serde_json::from_str(&read("config.json")).expect("JSON");
    let (config, mut games) = (stored["config"].to_string(), read("ledger.jsonl"));
    // A game of a quarantined worker, which others have played again.
    let first = games.lines().next().expect("a game").to_owned();
    let machine = r#","machine":{"worker":"cheat"}}"#;
    games += &(first[..first.len() - 1].to_owned() + machine + "\n");
    let cheat = json!({"worker": "cheat", "reason": "it lies", "games": 1, "kept": ""});
    let summary = json!({"done": 5, "units": 5, "outcome": "undecided", "quarantined": [cheat]});
    let lab = Lab::new(move |what| match what {
        "POST /api/1/tests" => (
            201,
            r#"{"id":"test-7","url":"https://x/tests/test-7"}"#.to_owned(),
        ),
        "GET /api/1/tests/test-7" => test("done", None, &summary),
        "GET /api/1/tests/test-7/config" => (200, config.clone()),
        "GET /api/1/tests/test-7/ledger" => (200, games.clone()),
        what => panic!("{what}"),
    });
    let url = &lab.url;
    let ended = run(&bed, &format!("{SPRT} --lab {url} --out remote")).exits(1);
    ended.reports("test-7: https://x/tests/test-7\n");
    let expected = local.stdout.replace("local", "remote");
    let quarantined = "worker 'cheat': it lies (1 game taken out)";
    let lines = ended.stdout.lines();
    let lines = lines.filter(|line| !line.contains(quarantined));
    let found: String = lines.flat_map(|line| [line, "\n"]).collect();
    assert_eq!(found, expected);
    assert!(ended.stdout.contains(quarantined), "{}", ended.stdout);
    assert_eq!(bed.read("remote").records, bed.read("local").records);
    let report = bed.run("report --format json remote").exits(0).json();
    assert_eq!(report["set_aside"][0]["worker"], "cheat");

    // What other machines play is not resumed by this one, in any format.
    let path = bed.path("remote/config.json");
    let mut stored: Value =
        serde_json::from_str(&fs::read_to_string(&path).expect("there")).expect("JSON");
    for (job, more) in [
        ("test-7", None),
        ("selfplay-20250101-120000-x-7", Some("lease_pairs")),
    ] {
        stored["fleet"] = json!({"url": "https://lab.example", "job": job});
        if let Some(more) = more {
            stored["fleet"][more] = 4.into();
            stored["fleet"]["sums"] = json!({"new": "0a"});
        }
        fs::write(&path, stored.to_string()).expect("ours");
        let ended = bed.run("resume remote").exits(2);
        ended.reports(&format!(
            "these are games of {job} at the lab https://lab.example, which cannot be resumed here"
        ));
        ended.reports("`selfplay report remote`");
        bed.run("report remote").exits(0);
    }

    // The test waits for nobody, and has all that was asked for.
    let more = "--seed 9 --event 'a title' --max-faults 2 --option Hash=8 --draw 'from=2 moves=4 score=10' --no-wait";
    let ended = run(&bed, &format!("{SPRT} {more} --lab {url}")).exits(0);
    assert_eq!(ended.stdout, "test-7 https://x/tests/test-7\n");
    let asked = lab.asked();
    let (what, sent) = asked.last().expect("it was submitted");
    assert_eq!(what, "POST /api/1/tests");
    let sent: Value = serde_json::from_str(sent).expect("JSON");
    let engine = &sent["engines"][1];
    assert_eq!(engine["sha256"].as_str().map(str::len), Some(64));
    assert_eq!(engine["arguments"], json!(["--seed=7"]));
    assert_eq!(engine["options"], json!({"Hash": "8"}));
    let rows = [
        ("kind", json!("sprt")),
        ("title", json!("a title")),
        ("limits", json!({"nodes": 1})),
        ("rounds", json!(5)),
        ("seed", json!(9)),
        ("max_faults", json!(2)),
    ];
    for (field, expected) in rows {
        assert_eq!(sent[field], expected, "{field}");
    }
    assert_eq!(sent["openings"]["book"], "chess960");
    assert_eq!(sent["bounds"]["elo1"], 1.0);
    assert_eq!(sent["adjudication"]["max_moves"], 6);
    assert_eq!(sent["adjudication"]["draw"]["moves"], 4);
}

#[test]
fn what_a_lab_cannot_do_is_named_before_anything_is_sent() {
    let bed = Bed::new();
    fs::create_dir(bed.path("used")).expect("new");
    fs::write(bed.path("used/file"), "").expect("ours");
    let file = bed.path("x.toml");
    for row in include_str!("../data/lab-rejects.txt").lines().skip(1) {
        let (more, expected) = row.split_once(" => ").expect("a reason");
        let contest = match more {
            "--each cmd=rev:main" => "match --rounds 1 name=a name=b".to_owned(),
            "file: seeds = 2" => {
                format!("tournament --system gauntlet {ENGINES} 'cmd=./engine name=c'")
            }
            _ => format!("match --rounds 1 {ENGINES}"),
        };
        let text = more.strip_prefix("file: ").unwrap_or_default();
        fs::write(&file, text).expect("ours");
        let more = if text.is_empty() { more } else { "" };
        let words = format!("{contest} --nodes 1 {more} --config x.toml --lab http://127.0.0.1:9");
        let found = run(&bed, &words).exits(2).stderr;
        assert!(found.contains(expected), "{more} {text}: {found}");
    }
    assert!(!bed.path("x").exists());
}

#[test]
fn a_lab_that_does_not_want_a_test_is_quoted() {
    let bed = Bed::new();
    let submit =
        |lab: &str, code: i32| run(&bed, &format!("{SPRT} --lab {lab} --no-wait")).exits(code);
    let rows = [
        (401, "unauthorized", "the token is unknown or revoked", 2),
        (403, "forbidden", "a reader may not submit tests", 2),
        (404, "no-job", "there is no repository 'x'", 2),
        (409, "too-many", "100 tests of ada are not finished", 2),
        (422, "bad-value", "rounds: 0, expected 1 or more", 2),
        (503, "unavailable", "the database is being restarted", 3),
    ];
    for (status, code, detail, exit) in rows {
        let lab = Lab::new(move |_| problem(status, code, detail));
        submit(&lab.url, exit).reports(detail);
        assert_eq!(lab.asked().len(), 1, "a test is submitted once: {code}");
    }
    let port = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", port.local_addr().expect("bound"));
    drop(port);
    submit(&url, 3).reports(&format!("cannot reach the lab {url}: "));
    submit("lab.example", 2).reports("'lab.example': expected https://HOST");
    let ended = bed.run(&format!("{SPRT} --lab {url}")).exits(2);
    ended.reports("expected a token in FLEET_TOKEN");
}

#[test]
fn a_test_that_ends_without_a_result_says_why() {
    let bed = Bed::new();
    let wrong = json!({"done": 0, "units": 0, "passed": false});
    let early = json!({"done": 0, "units": 0});
    let late = json!({"done": 0, "units": 5});
    let broken =
        json!({"done": 0, "units": 5, "outcome": "broken", "headline": "stopped: x fails"});
    let rows = rows![
        "stopped", Some("no revision 'v9'"), &wrong, 2 => "the test is stopped: no revision 'v9'";
        "stopped", Some("a mistake"), &early, 3 => "the test is stopped: a mistake";
        "flagged", Some("it is not built"), &late, 3 => "the test is flagged: it is not built";
        "rejected", Some("not now"), &early, 3 => "the test is rejected: not now";
        "done", None, &broken, 3 => "stopped: x fails";
    ];
    for (state, reason, summary, exit, expected) in rows {
        let (answer, summary) = (reason.map(str::to_owned), summary.clone());
        let lab = Lab::new(move |_| test(state, answer.as_deref(), &summary));
        let ended = run(&bed, &format!("wait {} test-1 --output out", lab.url)).exits(exit);
        ended.reports(expected);
    }
    let lab = Lab::new(|_| problem(404, "no-job", "there is no test 'test-1'"));
    let ended = run(&bed, &format!("wait {} test-1 --output out", lab.url)).exits(2);
    ended.reports("there is no test 'test-1'");
    assert!(!bed.path("out").exists());
}

#[cfg(unix)]
#[test]
fn who_stops_waiting_learns_how_to_wait_again() {
    use crate::common::{interrupt, wait_until};

    let bed = Bed::new();
    let reason = "repository x waits for approval by a maintainer";
    let lab = Lab::new(move |_| test("waiting", Some(reason), &json!({"done": 0, "units": 0})));
    let mut command = bed.command(&format!("wait {} test-1", lab.url));
    let waiting = command
        .env("FLEET_TOKEN", "tsa_1")
        .spawn()
        .expect("it starts");
    wait_until(|| !lab.asked().is_empty());
    interrupt(&waiting);
    let ended = wait(waiting).exits(130);
    ended.reports(reason);
    ended.reports(&format!(
        "interrupted: the test continues; wait for it again with: selfplay wait {} test-1",
        lab.url
    ));
    assert_eq!(lab.asked()[0].0, "GET /api/1/tests/test-1");
}
