//! The program, as its users see it.

use assert_cmd::Command;
use fleet::{Broker, connect};

use crate::common::quick_server;
use crate::rules::{self, Bed};

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
    let lines: Vec<&str> = text.lines().collect();
    // On a busy machine a second may have passed.
    let silent = lines[lines.len() - 1].split_whitespace().nth(2);
    let silent: u64 = silent.and_then(|it| it.parse().ok()).expect("seconds");
    let expected = [
        place,
        "",
        " job    kind   done  of  compared  of  leased  waiting  alarms",
        " cli-1  cli/1     2   6         0   2       1        2       0  running",
        "",
        " worker   units  silent     about",
        &format!(" cli-one      2     {silent} s     a test"),
    ];
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
    let name = "cli";
    let bed = Bed { broker, name };
    bed.put(&rules::twice(bed.new_job(6), 5), 2);
    let worker = bed.worker("one");
    bed.done(&bed.held(&worker));
    bed.held(&worker);
}

fn endings(url: &str) {
    let discard = "results of cli-one for job cli-1\n";
    let (discarded, nothing) = (
        format!("discarded 2 {discard}"),
        format!("discarded 0 {discard}"),
    );
    let no_job = "error: there is no job 'cli-1'\n";
    #[rustfmt::skip]
    let rows: [(&[&str], &str, &str, i32); 9] = [
        (&["remove", url, "cli-1"], "", "error: job cli-1 is running; stop it first\n", 2),
        (&["stop", url, "cli-1", "too dear"], "job cli-1 is stopped: too dear\n", "", 0),
        (&["discard", url, "cli-1", "cli-one"], &discarded, "", 0),
        (&["forget", url, "cli-1", "cli-one"], &nothing, "", 4),
        (&["quarantine", url, "cli-one", "hot"], "worker cli-one is in quarantine\n", "", 0),
        (&["remove", url, "cli-1"], "job cli-1 is removed\n", "", 0),
        (&["remove", url, "cli-1"], "", no_job, 2),
        (&["stop", url, "cli-1", "x"], "", no_job, 2),
        (&["set-aside", url, "nobody", "x"], "", "error: no worker 'nobody' is known\n", 2),
    ];
    let check = |(arguments, text, error, code): (&[&str], &str, &str, i32)| {
        let expected = (text.to_owned(), error.to_owned(), code);
        assert_eq!(fleet(arguments), expected, "{arguments:?}");
    };
    let (while_there, removed) = rows.split_at(5);
    while_there.iter().copied().for_each(check);
    let (text, _, code) = fleet(&["status", url]);
    assert_eq!(code, 0);
    assert!(
        text.contains("stopped: too dear") && text.contains("in quarantine: hot"),
        "{text}"
    );
    removed.iter().copied().for_each(check);
}

#[test]
fn alarms_are_seen_in_the_exit_code() {
    let server = quick_server();
    let url = &*server.url();
    fleet(&["up", url]);
    let broker = connect(url).expect("connected");
    let bed = Bed {
        broker: &*broker,
        name: "alarm",
    };
    bed.put_job(1, 1);
    let [one, other] = bed.workers(["one", "other"]);
    // Both are late, so that the chunk is leased again.
    let late = bed.late(&one);
    bed.late(&one);
    bed.complete(&late, &rules::values([0], "right"));
    let late = bed.late(&other);
    bed.complete(&late, &rules::values([0], "wrong"));
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
