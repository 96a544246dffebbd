//! What was acknowledged is there after a kill, once, without gaps.
//!
//! The test program runs itself again as the one that is killed: with `CROWD_KILL_DB` set, the test `child` records
//! events and prints each acknowledgement; without, it does nothing.

#![expect(
    clippy::disallowed_methods,
    reason = "starts itself as a child and reads the environment"
)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::Duration;

use crowd::model::{ListEvent, Op, Purpose};
use crowd::service::{ContributorId, ListToken, Settings};

use crate::common::{Base, NOON, assigned, open, person, postgres};

const DATABASE: &str = "CROWD_KILL_DB";
/// More than a child can record before it is killed, and fewer than a list may have.
const EVENTS: u32 = 900;

#[tokio::test(flavor = "multi_thread")]
async fn child() {
    let Ok(url) = std::env::var(DATABASE) else {
        return;
    };
    let service = open(&url, Settings::default()).await;
    loop {
        let id = person(&service, None).await;
        let given = assigned(&service, id, Purpose::Campaign, None).await;
        let position = chess::notation::fen::parse(&given.position.fen).expect("a FEN");
        let mv = crowd::candidates::candidates(&position)[0].text.clone();
        for seq in 1..=EVENTS {
            let event = ListEvent {
                seq,
                op: if seq % 2 == 1 { Op::Add } else { Op::Remove },
                mv: mv.clone(),
                at_ms: seq,
            };
            let Ok(kept) = service.record(id, &given.token, vec![event], NOON).await else {
                return; // The server was killed under us.
            };
            let mut out = std::io::stdout().lock();
            let token = given.token.as_str();
            writeln!(out, "ack {} {token} {kept}", id.0).expect("somebody reads");
            out.flush().expect("somebody reads");
        }
    }
}

/// Runs a child, kills it or calls `strike` after so long, and returns the acknowledgements: person, token, number.
fn killed(url: &str, after: Duration, strike: impl FnOnce()) -> Vec<(i64, String, u32)> {
    let program = std::env::current_exe().expect("this program");
    let mut child = Command::new(program)
        .args(["--exact", "kill::child", "--nocapture"])
        .env(DATABASE, url)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs again");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut acknowledged = Vec::new();
    // The time counts from the first acknowledgement.
    while acknowledged.is_empty() {
        let line = lines.next().expect("it acknowledges").expect("text");
        acknowledged.extend(acknowledgement(&line));
    }
    let reader = std::thread::spawn(move || {
        let rest = lines.map_while(Result::ok);
        rest.filter_map(|line| acknowledgement(&line))
            .collect::<Vec<_>>()
    });
    std::thread::sleep(after);
    strike();
    child.kill().expect("it is killed");
    child.wait().expect("it is gone");
    acknowledged.extend(reader.join().expect("no panic"));
    acknowledged
}

/// A line that the kill cut off says nothing.
fn acknowledgement(line: &str) -> Option<(i64, String, u32)> {
    let (_, rest) = line.split_once("ack ")?;
    let [id, token, kept] = rest.split(' ').collect::<Vec<_>>().try_into().ok()?;
    (token.len() == 43).then_some(())?;
    Some((id.parse().ok()?, token.to_owned(), kept.parse().ok()?))
}

async fn check(url: &str, acknowledged: &[(i64, String, u32)]) {
    let service = open(url, Settings::default()).await;
    let mut last = std::collections::BTreeMap::new();
    for (id, token, kept) in acknowledged {
        last.insert((*id, token.clone()), *kept);
    }
    for ((id, token), kept) in last {
        let token: ListToken = token.parse().expect("a token");
        let state = service.list(ContributorId(id), &token, NOON).await;
        let events = state.expect("it is there").events;
        let seqs: Vec<u32> = events.iter().map(|event| event.seq).collect();
        let expected: Vec<u32> = (1..).take(events.len()).collect();
        assert_eq!(seqs, expected, "without gaps and once each");
        assert!(
            events.len() >= kept as usize,
            "{} of {kept} acknowledged",
            events.len()
        );
        assert!(
            events.len() <= kept as usize + 1,
            "at most one was on its way"
        );
    }
    service.store().clone().close().await.expect("closed");
}

async fn killed_again_and_again(base: Base) {
    base.service(Settings::default()).await;
    let mut total = 0;
    let rounds = testkit::scale(3, 20);
    for round in 0..rounds {
        let wait = Duration::from_millis(5 + round * 37 % 150);
        let acknowledged = killed(&base.url, wait, || {});
        total += acknowledged.len();
        check(&base.url, &acknowledged).await;
    }
    assert!(total as u64 >= rounds, "every child acknowledged something");
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_survives_kills() {
    killed_again_and_again(Base::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: nothing acknowledged is lost in PostgreSQL when the server is killed"]
async fn postgres_survives_kills_of_the_client() {
    killed_again_and_again(Base::postgres().await).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: nothing acknowledged is lost when PostgreSQL itself is killed"]
async fn postgres_survives_its_own_kill() {
    let mut server = postgres::Server::safe();
    let url = server.url();
    let service = open(&url, Settings::default()).await;
    service
        .ensure_first_campaign(NOON)
        .await
        .expect("positions");
    service.store().clone().close().await.expect("closed");
    let acknowledged = killed(&url, Duration::from_millis(200), || {
        server.crash_and_restart();
    });
    check(&url, &acknowledged).await;
}
