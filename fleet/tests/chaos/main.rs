//! A lab in a storm: workers, servers and the database are killed, the network cuts, tears and delays,
//! the disk of the database fills, the clock of a server is wrong, and three workers lie. Every sum is exact, or the
//! job reports that it is not known to be.

#![expect(
    clippy::disallowed_methods,
    reason = "a test starts programs and has deadlines"
)]

#[path = "../common/mod.rs"]
mod common;
mod lab;
mod liar;
mod proxy;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use kit::Interrupt;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use lab::{Lab, Program};
use liar::Plan;
use proxy::Weather;

const STORM: Weather = Weather {
    cut: 10,
    torn: 10,
    delayed: 40,
    slow: 10,
};

/// The longest that a job may take.
const PATIENCE: Duration = Duration::from_mins(5);
/// perft(6) of the start position (OEIS A048987).
const PERFT_6: u64 = 119_060_324;

/// Kills something every moment until the coordinator has ended.
fn storm(lab: &mut Lab, coordinator: &mut Program, workers: &mut [Program], seed: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let end = Instant::now() + PATIENCE;
    let mut strikes = 0;
    while coordinator.is_running() {
        assert!(Instant::now() < end, "the job is not done in time");
        common::pause(random.random_range(100..400));
        // The first moments belong to the storm, the rest to the work.
        if strikes >= 40 {
            lab.balancer.set(proxy::CALM);
            continue;
        }
        strikes += 1;
        match random.random_range(0..20) {
            0 => lab.crash_database(),
            1..=3 => lab.kill_server(random.random_range(0..2)),
            4..=6 => lab.balancer.set(STORM),
            7 => lab.balancer.set(proxy::CALM),
            _ => {
                let struck = random.random_range(0..workers.len());
                workers[struck] = lab.worker(struck);
            }
        }
    }
}

#[test]
fn sums_are_exact_whatever_is_killed() {
    let mut lab = Lab::start(6, 0);
    let mut workers: Vec<Program> = (0..6).map(|number| lab.worker(number)).collect();
    let mut coordinator = lab.count(&["6", "--chunk", "20", "--again-every", "4"]);
    storm(&mut lab, &mut coordinator, &mut workers, 7);
    let (text, code) = coordinator.end();
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains(&kit::output::grouped(PERFT_6)), "{text}");
}

#[test]
fn liars_are_found_and_their_results_done_again() {
    for (plans, name) in [
        (&[Plan::Sometimes][..], "sometimes"),
        (&[Plan::Unchecked], "unchecked"),
        (&[Plan::Together, Plan::Together], "together"),
    ] {
        let lab = Lab::start(4, plans.len());
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
            let mut coordinator = lab.count(&["6", "--chunk", "4", "--again-every", "1"]);
            let end = Instant::now() + PATIENCE;
            while coordinator.is_running() {
                assert!(Instant::now() < end, "{name}: the job is not done in time");
                common::pause(100);
            }
            interrupt.flag().store(true, Ordering::Relaxed);
            let lies: u64 = liars
                .into_iter()
                .map(|liar| liar.join().expect("no liar panics"))
                .sum();
            let (text, code) = coordinator.end();
            let exact = text.contains(&kit::output::grouped(PERFT_6));
            assert!(
                exact && code == Some(0) || code == Some(1),
                "{name}: {code:?} {text}"
            );
            // Two that agree on a lie may stay unseen, if nobody else had the same chunk.
            if plans.len() == 1 {
                assert!(exact, "{name}: {text}");
                let sql = "select count(*) from lab.workers where quarantined_at is not null";
                let expected = if lies > 0 { "1" } else { "0" };
                assert_eq!(lab.sql(sql), expected, "{name}: {lies} lies");
            }
        });
    }
}
