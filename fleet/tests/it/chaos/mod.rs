//! A lab in a storm: workers, servers and the database are killed, the network cuts, tears and delays, the
//! database's disk is full, no clock is right, and three workers lie. Every sum is exact, or the job reports
//! that it is not known to be; every game is there once. And workers of the last version, workers whose disk
//! is full, and peers that are slow or gone.

#![expect(
    clippy::disallowed_methods,
    reason = "a test starts programs and has deadlines"
)]

mod cache;
mod faults;
mod games;
mod lab;
mod liar;
mod proxy;
mod slow;
mod versions;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use chacha20::ChaCha8Rng;
use fleet::conduct::spec::{PerftSpec, TestKind, TestSpec};
use fleet::conduct::summary::Outcome;
use kit::Interrupt;
use queue::wire::{Discard, Discarded};
use rand::{RngExt as _, SeedableRng as _};
use selfplay::model::{EloModel, SprtConfig};

use lab::{Lab, Program};
use liar::Plan;
use proxy::Weather;

use crate::common;

const STORM: Weather = Weather {
    cut: 10,
    torn: 10,
    delayed: 40,
    slow: 10,
};

/// The longest that a job may take.
const PATIENCE: Duration = Duration::from_mins(5);
/// perft(5) and perft(6) of the start position (OEIS A048987).
const PERFT_5: u64 = 4_865_609;
const PERFT_6: u64 = 119_060_324;
/// Number of strikes of a storm.
const STRIKES: u32 = 40;
/// Number of workers that are killed, again and again. A chunk that three were killed with would flag its job.
const STRUCK: usize = 2;

/// Kills something every moment; then the rest belongs to the work.
fn storm(lab: &mut Lab, workers: &mut [Program], seed: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..STRIKES {
        common::pause(random.random_range(100..400));
        match random.random_range(0..20) {
            0 => lab.crash_database(),
            1..=3 => lab.kill_server(random.random_range(0..2)),
            4..=6 => lab.balancer.set(STORM),
            7 => lab.balancer.set(proxy::CALM),
            _ => {
                let struck = random.random_range(0..STRUCK);
                workers[struck] = lab.worker(struck);
            }
        }
    }
    lab.balancer.set(proxy::CALM);
}

/// Until it has been noticed, and for a moment more.
fn fill_disk(lab: &mut Lab) {
    lab.wait("counted", |lab| {
        lab.sql("select coalesce(sum(done), 0) > 0 from lab.counters") == "t"
    });
    let full = "No space left on device";
    assert!(!lab.has_printed(full));
    lab.site.disk.as_ref().expect("a rough lab").fill();
    lab.wait("full", |lab| lab.has_printed(full));
    common::pause(1000);
    lab.site.disk.as_ref().expect("a rough lab").free();
    lab.recover_database();
}

#[test]
#[ignore = "long: every sum is exact and every game there once in a storm"]
fn sums_are_exact_and_games_are_there_once_whatever_fails() {
    let seed = std::env::var("CHAOS_SEED").map_or(7, |text| text.parse().expect("a number"));
    println!("CHAOS_SEED={seed}");
    let mut lab = Lab::rough(6, seed);
    let mut workers: Vec<Program> = (0..6).map(|number| lab.worker(number)).collect();
    let sprt = TestKind::sprt(SprtConfig::new([0.0, 60.0], EloModel::Logistic), Some(60));
    let tests = [TestKind::Match { rounds: 40 }, sprt];
    let tests = tests.map(|kind| games::submit(&lab, &games::spec(&lab, kind)));
    let mut count = lab.count("6");
    fill_disk(&mut lab);
    storm(&mut lab, &mut workers, seed);
    lab.wait("counted to the end", |_| !count.is_running());
    let (text, code) = count.end();
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains(&kit::output::grouped(PERFT_6)), "{text}");
    lab.wait("final", |lab| {
        tests.iter().all(|test| games::result(lab, test).is_some())
    });
    // What they still play changes nothing, but would come in between two looks.
    drop(workers);
    for test in &tests {
        games::check(&lab, test);
    }
}

/// A report that is looked at while games come in, and after some were taken back, is that of a run on one machine.
#[test]
fn a_report_of_a_test_is_that_of_a_run() {
    let lab = Lab::calm(2, 0);
    let workers = || (0..2).map(|number| lab.worker(number));
    let first: Vec<Program> = workers().collect();
    let test = games::submit(&lab, &games::spec(&lab, TestKind::Match { rounds: 6 }));
    let is_final = |lab: &Lab| games::result(lab, &test).is_some();
    let is_prepared = format!("select body is not null from lab.jobs where id = '{test}'");
    lab.wait("prepared", |lab| lab.sql(&is_prepared) == "t");
    lab.wait("final", |lab| {
        games::report(lab, &test)["games"].as_u64().is_some() && is_final(lab)
    });
    games::check(&lab, &test);
    drop(first);
    let before = games::report(&lab, &test);
    let summary = games::result(&lab, &test).expect("it is final");
    for worker in summary.workers.keys() {
        let wrong = Discard {
            worker: worker.clone(),
        };
        let path = format!("/api/1/tests/{test}/discard");
        let _: Discarded = lab.ask(|client| client.post(&path, &wrong));
    }
    assert_eq!(
        games::report(&lab, &test)["games"],
        0,
        "of {}",
        before["games"]
    );
    let _second: Vec<Program> = workers().collect();
    lab.wait("final again", is_final);
    games::check(&lab, &test);
    assert_eq!(games::report(&lab, &test)["pairings"], before["pairings"]);
    let page = games::page(&lab, &format!("/tests/{test}/report"));
    assert!(page.contains("against seed 7"), "{page}");
}

fn check_liars(name: &str, plans: &[Plan]) {
    let lab = Lab::calm(4, plans.len());
    let _workers: Vec<Program> = (0..4).map(|number| lab.worker(number)).collect();
    let interrupt = Arc::new(Interrupt::default());
    std::thread::scope(|scope| {
        let mut liars = Vec::new();
        for (number, plan) in plans.iter().enumerate() {
            let (url, token, interrupt) = (lab.url(), lab.liar_token(number), &interrupt);
            liars.push(scope.spawn(move || {
                let name = format!("liar-{number}");
                liar::work(&url, &token, &name, *plan, interrupt)
            }));
        }
        // Everything is done twice: who publishes a count wants to know.
        let perft = PerftSpec {
            fen: None,
            depth: 5,
            breakdown: false,
            again_every: Some(1),
        };
        let test = games::submit(&lab, &TestSpec::new(TestKind::Perft { perft }));
        lab.wait("counted", |lab| games::result(lab, &test).is_some());
        interrupt.flag().store(true, Ordering::Relaxed);
        let lies: u64 = liars
            .into_iter()
            .map(|liar| liar.join().expect("no liar panics"))
            .sum();
        let summary = games::result(&lab, &test).expect("it is final");
        let perft = summary.perft.clone().expect("a count");
        let exact = perft.nodes == PERFT_5.to_string();
        let is_claimed = summary.outcome == Some(Outcome::Complete)
            && perft.verification.is_some_and(|known| known.checking == 0);
        // Two that agree on a lie may stay unseen, if nobody else had the same chunk.
        let unseen =
            "select count(*) from (select from lab.answers a join lab.workers w on w.id = a.worker
            group by a.job, a.chunk having count(*) = 2 and bool_and(w.name like 'liar-%')) c";
        let may_be = plans.len() > 1 && lab.sql(unseen) != "0";
        assert!(exact || !is_claimed || may_be, "{name}: {summary:?}");
        if plans.len() == 1 {
            assert!(exact, "{name}: {summary:?}");
            let sql = "select count(*) from lab.workers where quarantined_at is not null";
            let expected = if lies > 0 { "1" } else { "0" };
            assert_eq!(lab.sql(sql), expected, "{name}: {lies} lies");
        }
    });
}

#[test]
#[ignore = "long: a worker that lies sometimes is found"]
fn one_who_lies_sometimes_is_found() {
    check_liars("sometimes", &[Plan::Sometimes]);
}

#[test]
#[ignore = "long: a worker that lies where it seems unchecked is found"]
fn one_who_lies_where_it_seems_unchecked_is_found() {
    check_liars("unchecked", &[Plan::Unchecked]);
}

#[test]
#[ignore = "long: two workers that agree on lies are found"]
fn two_who_agree_on_lies_are_found_or_the_sum_is_not_known() {
    check_liars("together", &[Plan::Together, Plan::Together]);
}

#[test]
#[ignore = "long: training games by a lab are those of one machine"]
fn training_games_are_those_of_one_machine() {
    let mut lab = Lab::calm(2, 0);
    let mut workers: Vec<Program> = (0..2).map(|number| lab.worker(number)).collect();
    let [there, here] = ["there.bin", "here.bin"].map(|name| lab.file(name, ""));
    let arguments = |file: &Path| {
        let file = file.display();
        let words = format!("play --games 30 --nodes 2 --seed 3 --output {file}");
        words.split(' ').map(str::to_owned).collect::<Vec<_>>()
    };
    let words = arguments(&there);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut played = lab.tool("trainer", &words);
    lab.wait("begun", |lab| {
        lab.sql("select count(*) > 0 from lab.results") == "t"
    });
    workers[0] = lab.worker(0);
    lab.kill_server(0);
    let alone = Command::new(common::neighbour("trainer"))
        .args(arguments(&here))
        .status();
    assert!(alone.expect("it can be started").success());
    lab.wait("played", |_| !played.is_running());
    let (text, code) = played.end();
    assert_eq!(code, Some(0), "{text}");
    let [there, here] = [there, here].map(|path| std::fs::read(path).expect("written"));
    assert!(!here.is_empty() && there == here, "{text}");
}

#[test]
#[ignore = "long: a whole round of training by a lab is that of one machine"]
fn a_round_of_training_is_that_of_one_machine() {
    let lab = Lab::calm(2, 0);
    let _workers: Vec<Program> = (0..2).map(|number| lab.worker(number)).collect();
    let [there, here] = ["there", "here"].map(|name| lab.file(name, "").with_extension("round"));
    // The match is won at once.
    let words = "loop --files 2 --games 40 --nodes 2 --first-seed 3 --train";
    let words: Vec<&str> = words.split(' ').chain(["--epochs 1 --hidden 64"]).collect();
    let folder = there.to_str().expect("a temporary folder");
    std::os::unix::fs::symlink("/bin/true", there.with_file_name("selfplay")).expect("new");
    let (text, code) = lab.tool("trainer", &[&words[..], &[folder]].concat()).end();
    assert_eq!(code, Some(0), "{text}");
    let mut alone = Command::new(common::neighbour("trainer"));
    alone.env("PATH", there.with_file_name(""));
    let alone = alone.args(words).arg(&here).status();
    assert!(alone.expect("it can be started").success());
    for name in ["games-3.bin", "games-4.bin", "new.net"] {
        let [there, here] = [&there, &here].map(|folder| std::fs::read(folder.join(name)));
        assert!(there.expect("made") == here.expect("made"), "{name}");
    }
    let sql = "select units from lab.jobs where kind = 'training-games/1'";
    assert_eq!(lab.sql(sql), "2");
}
