//! The broker on a real `PostgreSQL` server, which each test starts for itself.

use std::error::Error as _;

use fleet::{BrokerError, connect, install};

use crate::common::{Server, quick_server, run};
use crate::rules::{self, Bed, RULES};

fn refusal(url: &str) -> BrokerError {
    match connect(url) {
        Ok(_) => panic!("{url}: connected"),
        Err(error) => error,
    }
}

/// The error of connecting, and its reason.
fn said(error: &BrokerError) -> String {
    match error.source() {
        Some(reason) => format!("{error}: {reason}"),
        None => error.to_string(),
    }
}

#[test]
fn postgres_keeps_every_rule() {
    let server = quick_server();
    install(&server.url(), None).expect("installed");
    let broker = connect(&server.url()).expect("connected");
    let own: [(&str, rules::Rule); 2] = [
        ("texts_that_it_cannot_keep", texts_that_it_cannot_keep),
        ("a_job_with_many_chunks", a_job_with_many_chunks),
    ];
    for (name, rule) in RULES.into_iter().chain(own) {
        println!("{name}");
        let broker = &*broker;
        rule(&Bed { broker, name });
    }
}

/// The one thing that texts of the server cannot hold.
fn texts_that_it_cannot_keep(bed: &Bed<'_>) {
    let job = bed.put_job(1, 1);
    let lease = bed.held(&bed.worker("one"));
    let mut results = rules::right(&lease);
    results[0].value.push('\0');
    let error = bed.broker.complete(&lease, &results).expect_err("refused");
    let expected = "the broker failed: a text holds the character U+0000";
    assert_eq!(error.to_string(), expected);
    assert_eq!(bed.progress(&job).done, 0);
}

fn a_job_with_many_chunks(bed: &Bed<'_>) {
    let job = bed.put_job(100_000, 1);
    let worker = bed.worker("one");
    for chunk in 0..3 {
        let lease = bed.held(&worker);
        assert_eq!((lease.chunk, lease.units[0].key), (chunk, chunk));
    }
    bed.broker.stop(&job.id, "enough").expect("a job");
}

#[test]
fn bad_servers_are_told_apart() {
    let error = refusal("postgres://owner:secret@127.0.0.1:1/postgres");
    assert!(error.is_passing(), "nobody listens there now: {error}");
    let server = quick_server();
    let rows = [
        (
            server.url(),
            "the broker failed: its schema is not there or not this role's: run `fleet up URL` first",
        ),
        (
            server.url_of("owner:wrong", "postgres", ""),
            "the broker failed: password authentication failed for user \"owner\" (28P01)",
        ),
        (
            server.url_of("owner:secret", "none", ""),
            "the broker failed: database \"none\" does not exist (3D000)",
        ),
        (
            server.url_of("owner:secret", "postgres", "?sslmode=require"),
            "the broker failed: error performing TLS handshake: server does not support TLS",
        ),
    ];
    for (url, expected) in rows {
        let place = url.split(['@', '?']).nth(1).expect("a host");
        let error = refusal(&url);
        assert_eq!(said(&error), format!("no broker at {place}: {expected}"));
        assert!(!error.is_passing());
    }
    let one = install(&server.url(), None).expect("installed");
    let other = install(&server.url(), None).expect("installed again");
    assert_eq!(one, other);
    connect(&server.url()).expect("now it is there");
    // Another program has changed the schema.
    let later = "create or replace function touchstone.version() returns integer \
        language sql immutable as 'select 2'";
    server.sql(later).expect("changed");
    let expected = "the broker failed: its schema has version 2, expected 1: run `fleet up URL` of this program";
    assert!(said(&refusal(&server.url())).ends_with(expected));
}

/// Of a job that is new since the statistics were taken the planner knows nothing; keys must be looked up
/// by their index all the same, and results be read in their order.
#[test]
fn keys_of_a_new_job_are_looked_up_by_their_index() {
    let server = quick_server();
    install(&server.url(), None).expect("installed");
    let others = "insert into touchstone.results (job, key, worker, value)
        select job, key, 'one', '' from generate_series(1, 3) job, generate_series(1, 30000) key";
    server.sql(others).expect("inserted");
    server.sql("analyze touchstone.results").expect("analysed");
    let rows = [
        (
            "r.job = 9 and r.key >= 100 and r.key < 200 and r.worker = 'one'",
            "results_pkey",
        ),
        ("r.job = 9 and r.key = 100", "results_pkey"),
        (
            "r.job::bigint = 9 and r.number > 100 order by r.job::bigint, r.number limit 10",
            "results_by_number",
        ),
    ];
    for (condition, index) in rows {
        let explain = format!("explain select * from touchstone.results r where {condition}");
        let plan = server.sql(&explain).expect("explained");
        assert!(
            plan.contains(&format!(" using {index} ")),
            "{condition}: {plan}"
        );
    }
}

#[test]
fn workers_may_do_no_more_than_work() {
    let server = quick_server();
    let installed = install(&server.url(), Some("a \"worker\"")).expect("installed");
    assert_eq!(installed.new_role, Some(true));
    let again = install(&server.url(), Some("a \"worker\"")).expect("installed");
    assert_eq!(again.new_role, Some(false));
    let set = "alter role \"a \"\"worker\"\"\" password 'p@ss'";
    server.sql(set).expect("the owner may");
    let user = "a%20%22worker%22:p%40ss";
    let owner = connect(&server.url()).expect("connected");
    let worker = connect(&server.url_of(user, "postgres", "")).expect("connected");

    let [of_owner, bed] = [&*owner, &*worker].map(|broker| Bed {
        broker,
        name: "least",
    });
    let job = of_owner.put_job(4, 2);
    let name = bed.worker("one");
    let held = bed.held(&name);
    assert_eq!(bed.standing(&held), fleet::Standing::Held);
    assert_eq!(bed.done(&held).taken, 2);
    let next = bed.held(&name);
    worker.give_back(&next).expect("it may");

    let mut other = bed.new_job(2);
    other.id = bed.job(2);
    let denied = [
        worker
            .put(&other, &mut rules::chunks(&other, 1).into_iter())
            .map(drop),
        worker.stop(&job.id, "mine").map(drop),
        worker.quarantine(&name, "rival").map(drop),
        worker.discard(&job.id, &name).map(drop),
        worker.progress(&job.id).map(drop),
        worker.results(&job.id, 0, 1).map(drop),
        worker.alarms(&job.id).map(drop),
        worker.jobs().map(drop),
        worker.workers().map(drop),
    ];
    for (index, denied) in denied.into_iter().enumerate() {
        let error = denied.expect_err("it may not").to_string();
        assert!(error.contains("permission denied"), "call {index}: {error}");
    }
    let denied = [
        "update touchstone.results set value = 'x'",
        "delete from touchstone.results",
        "select * from touchstone.results",
        "select touchstone.remove('least-1')",
        "select touchstone.admit('other')",
        "select pgmq.pop('touchstone_1')",
        "select * from pgmq.q_touchstone_1",
        "create table touchstone.mine (x int)",
        "create or replace function touchstone.version() returns integer language sql as 'select 9'",
        "select rolpassword from pg_authid",
    ];
    for sql in denied {
        let error = server.sql_as(user, sql).expect_err(sql);
        let is_refused = error.contains("permission denied") || error.contains("must be owner");
        assert!(is_refused, "{sql}: {error}");
    }
    assert_eq!(owner.progress(&job.id).expect("a job").done, 2);

    let error = install(&server.url(), Some("owner")).expect_err("a superuser");
    assert!(
        error
            .to_string()
            .contains("role 'owner' may do more than work"),
        "{error}"
    );
}

#[test]
fn the_server_must_prove_who_it_is() {
    let folder = tempfile::TempDir::new().expect("a folder");
    for name in ["right", "wrong"] {
        authority(folder.path(), name);
    }
    let settings = "fsync = off\nssl = on";
    let server = Server::with_passwords(settings, |data| {
        for file in ["server.crt", "server.key"] {
            let from = folder.path().join(file);
            run("cp", &[&from.display().to_string(), "."], data);
        }
        run("chmod", &["600", "server.key"], data);
        let hba = "hostnossl all all all reject\nhostssl all all all scram-sha-256\n";
        run(
            "sh",
            &["-c", &format!("printf '{hba}' > pg_hba.conf")],
            data,
        );
    });
    let url = |options: &str| server.url_of("owner:secret", "postgres", options);
    let verified = |name: &str| {
        let path = folder.path().join(format!("{name}.pem"));
        url(&format!(
            "?sslmode=verify-full&sslrootcert={}",
            path.display()
        ))
    };
    let installed = install(&verified("right"), None);
    installed.expect("by both clients, encrypted");
    for good in [verified("right"), url("?sslmode=require"), url("")] {
        let broker = connect(&good).expect(&good);
        assert!(broker.jobs().expect("all jobs").is_empty());
    }
    let rows = [
        (verified("wrong"), "UnknownIssuer"),
        (
            url("?sslmode=verify-full&sslrootcert=system"),
            "UnknownIssuer",
        ),
        (url("?sslmode=disable"), "no encryption"),
        // The right certificate, but of another name.
        (
            verified("right").replace("127.0.0.1", "localhost"),
            "not valid for name",
        ),
        (verified("missing"), "missing.pem"),
    ];
    for (bad, expected) in rows {
        let error = refusal(&bad);
        assert!(!error.is_passing(), "{error}");
        let text = said(&error);
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

/// A certificate authority; the first of them signs the server's certificate, for 127.0.0.1.
fn authority(folder: &std::path::Path, name: &str) {
    let (key, pem) = (format!("{name}.key"), format!("{name}.pem"));
    let subject = format!("/CN={name}");
    let curve = [
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
    ];
    let mut arguments = vec!["req", "-x509", "-days", "2", "-subj", &subject];
    arguments.extend(curve);
    arguments.extend(["-keyout", &key, "-out", &pem]);
    run("openssl", &arguments, folder);
    if name != "right" {
        return;
    }
    let mut arguments = vec!["req", "-x509", "-days", "2", "-subj", "/CN=server"];
    arguments.extend(curve);
    arguments.extend([
        "-CA",
        &pem,
        "-CAkey",
        &key,
        "-keyout",
        "server.key",
        "-out",
        "server.crt",
    ]);
    arguments.extend(["-addext", "subjectAltName=IP:127.0.0.1"]);
    arguments.extend(["-addext", "basicConstraints=critical,CA:FALSE"]);
    run("openssl", &arguments, folder);
}
