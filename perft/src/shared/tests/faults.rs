//! Workers that report wrong counts or crash, unreachable brokers, expiring leases.

use fleet::{InProcess, Lease, Standing, UnitResult};

use super::odd::Odd;
use super::*;
use crate::count::Ended;
use crate::shared::Doubt;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A count far too long to finish within a test.
fn endless() -> Units {
    cut(&position(START), 40, Cut::Ply(0))
}

fn small() -> Units {
    cut(&position(START), 4, Cut::Ply(2))
}

fn enlist(broker: &dyn Broker, name: &str) {
    let worker = Worker {
        name: name.to_owned(),
        about: String::new(),
    };
    broker.enlist(&worker).expect("it is welcome");
}

fn lease(broker: &dyn Broker, name: &str, visibility: Duration) -> Option<Lease> {
    let lease = broker.lease(name, &[super::super::plan::KIND], visibility);
    lease.expect("an answer")
}

#[test]
fn a_liar_is_named_and_can_be_got_rid_of() {
    let (broker, units) = (InProcess::new(), small());
    put(&broker, &units, 7);
    enlist(&broker, "liar");
    let lied = lease(&broker, "liar", MINUTE).expect("work");
    let results: Vec<_> = lied
        .units
        .iter()
        .map(|unit| UnitResult {
            key: unit.key,
            value: "399".to_owned(),
        })
        .collect();
    broker.complete(&lied, &results).expect("taken");
    let followed = with_workers(&broker, &units, &["honest"]);
    assert_eq!(followed.ended, Ended::Different);
    let Some(Doubt::Open(alarm)) = followed.doubts.first() else {
        panic!("{followed:?}");
    };
    assert_eq!((&*alarm.first_worker, &*alarm.first_value), ("liar", "399"));
    let number = usize::try_from(alarm.unit).expect("few");
    let honest = chess::perft::count(&units.list[number].position, 2).expect("it fits");
    assert_eq!(alarm.second_worker, "honest");
    assert_eq!(alarm.second_value, honest.to_string());

    broker.set_aside("liar", "it lies").expect("known");
    let kept = follow(&broker, &units, &Interrupt::default());
    assert_eq!(kept.ended, Ended::Different);
    assert!(matches!(&kept.doubts[0], Doubt::Kept(_, worker) if worker == "liar"));

    broker.forget(&job_of(&units), "liar").expect("a job");
    let followed = with_workers(&broker, &units, &["honest", "other"]);
    assert_eq!(followed.ended, Ended::Complete);
    assert_eq!(units.sum(&followed.tally.counts), 197_281);
}

#[test]
fn a_worker_that_dies_does_no_harm() {
    let (broker, units) = (InProcess::new(), small());
    put(&broker, &units, 5);
    enlist(&broker, "dead");
    let held = lease(&broker, "dead", TICK).expect("work");
    // It crashes while submitting its results.
    let first = UnitResult {
        key: held.units[0].key,
        value: chess::perft::count(&position(&held.units[0].body), 2)
            .expect("it fits")
            .to_string(),
    };
    broker.complete(&held, &[first]).expect("taken");
    let followed = with_workers(&broker, &units, &["a", "b"]);
    assert_eq!(followed.ended, Ended::Complete);
    assert_eq!(units.sum(&followed.tally.counts), 197_281);
    assert_eq!(followed.tally.workers["dead"], 1);
}

#[test]
fn lost_calls_do_no_harm() {
    let (broker, units) = (Odd::new(5, &|_, _| None), small());
    put(&broker, &units, 3);
    let followed = with_workers(&broker, &units, &["a", "b"]);
    assert_eq!(followed.ended, Ended::Complete);
    assert_eq!(units.sum(&followed.tally.counts), 197_281);
}

#[test]
fn a_lease_is_renewed_until_an_interrupt_gives_it_back() {
    let interrupt = Interrupt::default();
    let third = |number: usize, _: &InProcess| {
        interrupt.flag().store(number >= 3, Ordering::Relaxed);
        None
    };
    let (broker, units) = (Odd::new(0, &third), endless());
    put(&broker, &units, 0);
    let pace = Pace {
        visibility: Duration::from_millis(200),
        ..PACE
    };
    let (shift, said) = work(&broker, "a", pace, &interrupt);
    let expected = Shift {
        chunks: 0,
        interrupted: true,
    };
    assert_eq!(shift.expect("it works"), expected);
    assert!(
        said.last()
            .is_some_and(|said| said.ends_with("chunk 0: given back"))
    );
    assert_eq!(broker.inner.jobs().expect("an answer")[0].leased, 0);
}

/// The outcome of a worker whose heartbeats on an endless chunk are answered differently.
fn hears(on_heartbeat: &(dyn Fn(usize, &InProcess) -> Option<Standing> + Sync)) -> String {
    let (broker, units) = (Odd::new(0, on_heartbeat), endless());
    put(&broker, &units, 0);
    let pace = Pace {
        visibility: Duration::from_millis(200),
        idle_exit: Some(Duration::ZERO),
        ..PACE
    };
    let (shift, said) = work(&broker, "a", pace, &Interrupt::default());
    assert_eq!(shift.expect("it works"), Shift::default());
    said.into_iter().next().expect("a line")
}

#[test]
fn what_is_not_wanted_is_dropped_at_once() {
    let job = job_of(&endless());
    let stopped = hears(&|_, broker| {
        broker.stop(&job, "enough").expect("a job");
        None
    });
    assert!(
        stopped.ends_with("chunk 0: dropped, stopped: enough"),
        "{stopped}"
    );
    let lost = hears(&|number, broker| {
        broker
            .stop(&job, "so that it is leased only once")
            .expect("a job");
        (number == 1).then_some(Standing::Lost)
    });
    assert!(
        lost.ends_with("chunk 0: dropped, the lease was lost"),
        "{lost}"
    );
}

#[test]
fn a_job_of_other_words_is_given_back_and_named() {
    let (broker, units) = (InProcess::new(), small());
    let plan = Plan {
        units: &units,
        again_every: None,
        chunk: None,
    };
    let mut job = plan.job();
    job.body = "{}".to_owned();
    broker.put(&job, &mut plan.chunks()).expect("a sound job");
    let (shift, said) = work(&broker, "a", PACE, &Interrupt::default());
    let error = shift.expect_err("it cannot be read").to_string();
    assert_eq!(
        error,
        format!("job '{}' cannot be read by this version", job.id)
    );
    assert!(said[0].ends_with("chunk 0: given back"), "{said:?}");
}

#[test]
fn a_worker_that_was_set_aside_ends() {
    let (broker, units) = (InProcess::new(), small());
    put(&broker, &units, 0);
    enlist(&broker, "a");
    broker.set_aside("a", "it lies").expect("known");
    let (shift, _) = work(&broker, "a", PACE, &Interrupt::default());
    let error = shift.expect_err("it is not wanted").to_string();
    assert_eq!(error, "worker 'a' was set aside: it lies");
}
