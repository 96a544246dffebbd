//! The program, as its users see it.

use assert_cmd::Command;
use fleet::{Broker, connect};

use crate::common::quick_server;
use crate::rules::{self, Names};

/// What it printed, what it said, how it ended.
fn fleet(arguments: &[&str]) -> (String, String, i32) {
    let mut command = Command::cargo_bin("fleet").expect("built");
    command.env_remove("PGPASSWORD").env_remove("FLEET_URL");
    let output = command.args(arguments).output().expect("it can be started");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let code = output.status.code().expect("not killed");
    (text(output.stdout), text(output.stderr), code)
}

#[test]
fn from_up_to_remove() {
    let server = quick_server();
    let url = &*server.url();
    let place = url.split('@').nth(1).expect("a host");
    let (_, error, code) = fleet(&["status", url]);
    assert_eq!(code, 3);
    assert!(error.ends_with("run `fleet up URL` first\n"), "{error}");

    let (text, error, code) = fleet(&["up", url, "--worker-role", "worker"]);
    assert_eq!((&*error, code), ("", 0));
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with(&format!("{place}: queue PGMQ 1.")),
        "{text}"
    );
    assert!(
        lines[0].ends_with("and schema touchstone 1 are installed"),
        "{text}"
    );
    assert_eq!(
        lines[1],
        "role worker is created; set its password with \\password worker in psql"
    );
    let (text, _, code) = fleet(&["status", url]);
    assert_eq!(
        (text, code),
        (format!("{place}\n\nno jobs\n\nno workers\n"), 0)
    );

    let broker = connect(url).expect("connected");
    work(&*broker);
    let (text, _, code) = fleet(&["status", url]);
    assert_eq!(code, 0);
    let expected = [
        place,
        "",
        " job    kind   done  of  compared  of  leased  waiting  alarms",
        " cli-1  cli/1     2   6         0   2       1        2       0  running",
        "",
        " worker   units  silent     about",
        " cli-one      2     0 s     a test",
    ];
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(squeezed(&lines), squeezed(&expected));
    let (text, _, _) = fleet(&["status", url, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["schema"], "touchstone/fleet-status/1");
    assert_eq!(json["jobs"][0]["waiting"], 2);
    assert_eq!(json["workers"][0]["name"], "cli-one");

    endings(url);
}

/// Words alone: how wide columns are does not matter.
fn squeezed(lines: &[&str]) -> Vec<String> {
    let words = |line: &&str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    lines.iter().map(words).collect()
}

/// Three chunks, the first done (and waiting for a second time), the next leased, one waiting.
fn work(broker: &dyn Broker) {
    let names = Names("cli");
    rules::put(broker, &rules::twice(names.new_job(6), 5), 2);
    let worker = names.worker(broker, "one");
    let done = rules::lease(broker, &worker, &names.kind()).expect("work");
    broker.complete(&done, &rules::right(&done)).expect("held");
    rules::lease(broker, &worker, &names.kind()).expect("work");
}

fn endings(url: &str) {
    let (_, error, code) = fleet(&["remove", url, "cli-1"]);
    assert_eq!(
        (&*error, code),
        ("error: job cli-1 is running; stop it first\n", 2)
    );
    let (text, _, code) = fleet(&["stop", url, "cli-1", "too dear"]);
    assert_eq!((&*text, code), ("job cli-1 is stopped: too dear\n", 0));
    let (text, _, code) = fleet(&["discard", url, "cli-1", "cli-one"]);
    assert_eq!(
        (&*text, code),
        ("discarded 2 results of cli-one for job cli-1\n", 0)
    );
    let (text, _, code) = fleet(&["forget", url, "cli-1", "cli-one"]);
    assert_eq!(
        (&*text, code),
        ("discarded 0 results of cli-one for job cli-1\n", 4)
    );
    let (text, _, code) = fleet(&["quarantine", url, "cli-one", "hot"]);
    assert_eq!((&*text, code), ("worker cli-one is in quarantine\n", 0));
    let (text, _, code) = fleet(&["status", url]);
    assert_eq!(code, 0);
    assert!(
        text.contains("stopped: too dear") && text.contains("in quarantine: hot"),
        "{text}"
    );
    let (text, _, code) = fleet(&["remove", url, "cli-1"]);
    assert_eq!((&*text, code), ("job cli-1 is removed\n", 0));
    for arguments in [&["remove", url, "cli-1"][..], &["stop", url, "cli-1", "x"]] {
        let (_, error, code) = fleet(arguments);
        assert_eq!((&*error, code), ("error: there is no job 'cli-1'\n", 2));
    }
    let (_, error, code) = fleet(&["set-aside", url, "nobody", "x"]);
    assert_eq!((&*error, code), ("error: no worker 'nobody' is known\n", 2));
}

#[test]
fn alarms_are_seen_in_the_exit_code() {
    let server = quick_server();
    let url = &*server.url();
    fleet(&["up", url]);
    let broker = connect(url).expect("connected");
    let names = Names("alarm");
    rules::put(&*broker, &names.new_job(1), 1);
    let (one, other) = (
        names.worker(&*broker, "one"),
        names.worker(&*broker, "other"),
    );
    for (worker, value) in [(one, "right"), (other, "wrong")] {
        let lease = rules::short_lease(&*broker, &worker, &names.kind());
        // The first is late as well, so that it is leased again.
        if value == "wrong" {
            broker
                .complete(&lease, &rules::values([0], value))
                .expect("late");
        } else {
            let next = rules::short_lease(&*broker, &worker, &names.kind());
            broker
                .complete(&lease, &rules::values([0], value))
                .expect("late");
            drop(next);
        }
    }
    let (text, _, code) = fleet(&["status", url, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((json["jobs"][0]["alarms"].as_u64(), code), (Some(1), 1));
}

#[test]
fn bad_usage() {
    let (_, error, code) = fleet(&["status", "mysql://u:secret@h/d"]);
    assert_eq!(code, 2);
    let expected = "error: bad URL of a broker: expected postgres://USER@HOST:PORT/DATABASE\n";
    assert_eq!(error, expected);
    let (_, error, code) = fleet(&["status", "postgres://u:secret@127.0.0.1:1/d"]);
    assert_eq!(code, 3);
    assert!(
        error.starts_with("error: no broker at 127.0.0.1:1/d: the broker cannot be reached: "),
        "{error}"
    );
    assert!(!error.contains("secret"), "{error}");
    assert_eq!(fleet(&["status"]).2, 2);
    assert_eq!(fleet(&[]).2, 2);
}
