//! Counts by workers within one process, with sound and faulty brokers: what they bring sums up to the count.

use std::collections::HashMap;
use std::num::NonZeroU64;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chess::notation::fen::{self, FenStyle};
use chess::rules::Position;
use kit::Interrupt;
use queue::work::{Timing, WorkerLoop, WorkerTotals};
use queue::{
    AskError, Broker, InProcess, Jobs, Lease, Progress, RetryPolicy, Standing, UnitResult, Worker,
};

use super::faulty_broker::FaultyBroker;
use super::job::{self, CountKind, JobPlan};
use super::results::JobResults;
use super::task::CountTask;
use crate::count::units::{Cut, Units};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const TICK: Duration = Duration::from_millis(1);
const MINUTE: Duration = Duration::from_mins(1);
const PACE: Timing = Timing {
    visibility: MINUTE,
    poll: TICK,
    idle_exit: None,
};

/// Ends as soon as there is no work.
const PACE_WITHOUT_WAIT: Timing = Timing {
    idle_exit: Some(Duration::ZERO),
    ..PACE
};

fn position(text: &str) -> Position {
    fen::parse(text).expect("legal")
}

fn cut(position: &Position, depth: u32, cut: Cut) -> Units {
    Units::new(position, depth, cut, &AtomicBool::new(false)).expect("it fits")
}

fn retry_policy(interrupt: &Interrupt) -> RetryPolicy<'_> {
    RetryPolicy {
        most: MINUTE,
        interrupt,
        report: &|_| {},
    }
}

fn plan(units: &Units, again_every: u64) -> JobPlan<'_> {
    JobPlan {
        kind: CountKind::Count,
        units,
        again_every: NonZeroU64::new(again_every),
        chunk: None,
    }
}

fn put(broker: &dyn Jobs, plan: &JobPlan<'_>) {
    let put = broker.put(&plan.job(), &mut plan.chunks());
    put.expect("a sound job");
}

fn progress(broker: &dyn Jobs, plan: &JobPlan<'_>) -> Progress {
    broker.progress(&plan.job().id).expect("a job")
}

/// The results of a job, which are all there.
fn results(broker: &dyn Jobs, plan: &JobPlan<'_>) -> JobResults {
    let mut results = JobResults::new(plan.kind, plan.units.list.len());
    let all = broker.results(&plan.job().id, 0, u32::MAX).expect("a job");
    for recorded in &all {
        results.take(recorded).expect("a count");
    }
    assert_eq!(results.done(), plan.units.list.len());
    results
}

fn sum(broker: &dyn Jobs, plan: &JobPlan<'_>) -> u128 {
    plan.units.sum(&results(broker, plan).counts)
}

/// A worker's shift on one thread, with its messages.
fn work(
    broker: &dyn Broker,
    name: &str,
    pace: Timing,
    interrupt: &Interrupt,
) -> (Result<WorkerTotals, AskError>, Vec<String>) {
    let reported = Mutex::new(Vec::new());
    let report = |text: &str| {
        let mut reported = reported.lock().expect("nobody panics");
        reported.push(text.to_owned());
    };
    let worker = Worker {
        name: name.to_owned(),
        about: String::new(),
    };
    let task = CountTask::new(None, 4).expect("memory");
    let workplace = WorkerLoop {
        broker,
        worker: &worker,
        tasks: &[&task],
        lanes: 1,
        pace,
        retry: RetryPolicy {
            report: &report,
            ..retry_policy(interrupt)
        },
    };
    let shift = workplace.run();
    (shift, reported.into_inner().expect("nobody panics"))
}

/// A worker's shift until there is no work left.
fn work_off(broker: &dyn Broker, name: &str) {
    let (shift, reported) = work(broker, name, PACE_WITHOUT_WAIT, &Interrupt::default());
    assert!(shift.is_ok(), "{reported:?}");
}

/// Two workers of a broker count until every unit has a result, where the job is stored.
fn work_together(broker: &dyn Broker, stored: &InProcess, plan: &JobPlan<'_>) {
    let home = Interrupt::default();
    std::thread::scope(|scope| {
        for name in ["a", "b"] {
            let home = &home;
            scope.spawn(move || {
                let (shift, reported) = work(broker, name, PACE, home);
                assert!(shift.expect("it works").interrupted, "{reported:?}");
            });
        }
        testkit::programs::wait_until("every unit is counted", || {
            progress(stored, plan).is_complete()
        });
        home.flag().store(true, Ordering::Relaxed);
    });
}

/// Reference perft by making moves, with a table of positions: for counts beyond 64 bits.
fn reference(position: &Position, depth: u32, known: &mut HashMap<(String, u32), u128>) -> u128 {
    if depth == 0 {
        return 1;
    }
    let key = (fen::write_epd(position, FenStyle::default()), depth);
    if let Some(&nodes) = known.get(&key) {
        return nodes;
    }
    let moves = position.legal_moves();
    let below = moves.iter().map(|&m| position.play_unchecked(m));
    let nodes = below.map(|child| reference(&child, depth - 1, known)).sum();
    known.insert(key, nodes);
    nodes
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn distributed_counts_equal_those_of_one_process() {
    let rows = [
        (START, 4),
        (KIWIPETE, 3),
        // Promotions, castling, en passant, Chess960 rooks that castle from unusual squares.
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 4),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            3,
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
        (
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            3,
        ),
        ("rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1", 3),
        // Checkmate, stalemate, and one move to mate.
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", 3),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 4),
    ];
    let cuts = [job::CUT, Cut::Ply(1), Cut::Ply(9)];
    for (text, deepest) in rows {
        let position = position(text);
        let broker = InProcess::new();
        for depth in 0..=deepest {
            for way in cuts {
                let units = cut(&position, depth, way);
                let plan = plan(&units, 0);
                put(&broker, &plan);
                work_off(&broker, "a");
                let expected = chess::perft::count(&position, depth).expect("it fits");
                let nodes = sum(&broker, &plan);
                assert_eq!(nodes, u128::from(expected), "{text}, {depth}, {way:?}");
            }
        }
    }
}

#[test]
fn sums_go_beyond_64_bits() {
    let kings = position("8/8/8/4k3/8/8/8/4K3 w - - 0 1");
    let depth = 26;
    let units = cut(&kings, depth, Cut::Ply(5));
    let broker = InProcess::new();
    let plan = plan(&units, 0);
    put(&broker, &plan);
    work_together(&broker, &broker, &plan);
    let nodes = reference(&kings, depth, &mut HashMap::new());
    assert!(nodes > u128::from(u64::MAX));
    assert_eq!(sum(&broker, &plan), nodes);
}

/// A count far too long to finish within a test.
fn endless() -> Units {
    cut(&position(START), 40, Cut::Ply(0))
}

fn small() -> Units {
    cut(&position(START), 4, Cut::Ply(2))
}

fn register(broker: &dyn Jobs, name: &str) {
    let worker = Worker {
        name: name.to_owned(),
        about: String::new(),
    };
    broker.register(&worker).expect("it is welcome");
}

fn lease(broker: &dyn Jobs, name: &str, visibility: Duration) -> Option<Lease> {
    let lease = broker.lease(name, &CountKind::NAMES, visibility);
    lease.expect("an answer")
}

#[test]
fn breakdowns_are_summed_up() {
    let units = cut(&position(KIWIPETE), 3, Cut::Ply(1));
    let plan = JobPlan {
        kind: CountKind::Breakdown,
        ..plan(&units, 1)
    };
    let broker = InProcess::new();
    put(&broker, &plan);
    register(&broker, "old");
    let old = broker.lease("old", &["perft-count/1"], MINUTE);
    assert_eq!(old.expect("an answer"), None);
    work_off(&broker, "a");
    let expected = [97_862, 17_102, 45, 3_162, 0, 993, 0, 0, 1, 0];
    assert_eq!(results(&broker, &plan).breakdown(&units), expected);
}

#[test]
fn sums_of_breakdowns_go_beyond_64_bits() {
    // Far more move sequences than positions.
    let kings = position("8/8/8/4k3/8/8/8/4K3 w - - 0 1");
    let units = cut(&kings, 25, Cut::Ply(22));
    let plan = JobPlan {
        kind: CountKind::Breakdown,
        ..plan(&units, 0)
    };
    let broker = InProcess::new();
    put(&broker, &plan);
    work_off(&broker, "a");
    let nodes = reference(&kings, 25, &mut HashMap::new());
    assert!(nodes > u128::from(u64::MAX));
    assert_eq!(sum(&broker, &plan), nodes);
    let breakdown = results(&broker, &plan).breakdown(&units);
    assert_eq!(breakdown[0], nodes);
    assert!(breakdown[1..].iter().all(|&moves| moves == 0));
}

#[test]
fn a_crashed_worker_changes_nothing() {
    let (broker, units) = (InProcess::new(), small());
    let plan = plan(&units, 0);
    put(&broker, &plan);
    register(&broker, "dead");
    let held = lease(&broker, "dead", TICK).expect("work");
    // It crashes while submitting its results.
    let first = UnitResult {
        key: held.units[0].key,
        value: chess::perft::count(&position(&held.units[0].body), 2)
            .expect("it fits")
            .to_string(),
    };
    broker.complete(&held, &[first]).expect("taken");
    work_together(&broker, &broker, &plan);
    assert_eq!(sum(&broker, &plan), 197_281);
    assert_eq!(results(&broker, &plan).workers["dead"].len(), 1);
}

#[test]
fn lost_calls_change_nothing() {
    let (broker, units) = (FaultyBroker::new(5, &|_, _| None), small());
    let plan = plan(&units, 3);
    put(&broker, &plan);
    work_together(&broker, &broker.inner, &plan);
    assert_eq!(sum(&broker.inner, &plan), 197_281);
    assert_eq!(progress(&broker.inner, &plan).alarms, 0);
}

#[test]
fn a_lease_is_renewed_until_an_interrupt_gives_it_back() {
    let interrupt = Interrupt::default();
    let third = |number: usize, _: &InProcess| {
        interrupt.flag().store(number >= 3, Ordering::Relaxed);
        None
    };
    let (broker, units) = (FaultyBroker::new(0, &third), endless());
    put(&broker, &plan(&units, 0));
    let pace = Timing {
        visibility: Duration::from_millis(200),
        ..PACE
    };
    let (shift, reported) = work(&broker, "a", pace, &interrupt);
    let expected = WorkerTotals {
        interrupted: true,
        ..WorkerTotals::default()
    };
    assert_eq!(shift.expect("it works"), expected);
    assert!(
        reported
            .last()
            .is_some_and(|line| line.ends_with("chunk 0: given back"))
    );
    assert_eq!(broker.inner.jobs().expect("an answer")[0].leased, 0);
}

/// The outcome of a worker whose heartbeats on an endless chunk are answered differently.
fn report_after_heartbeat(
    on_heartbeat: &(dyn Fn(usize, &InProcess) -> Option<Standing> + Sync),
) -> String {
    let (broker, units) = (FaultyBroker::new(0, on_heartbeat), endless());
    put(&broker, &plan(&units, 0));
    let pace = Timing {
        visibility: Duration::from_millis(200),
        ..PACE_WITHOUT_WAIT
    };
    let (shift, reported) = work(&broker, "a", pace, &Interrupt::default());
    assert_eq!(shift.expect("it works"), WorkerTotals::default());
    reported.into_iter().next().expect("a line")
}

#[test]
fn unwanted_work_is_dropped_at_once() {
    let units = endless();
    let job = plan(&units, 0).job().id;
    let stopped = report_after_heartbeat(&|_, broker| {
        broker.stop(&job, "enough").expect("a job");
        None
    });
    assert!(
        stopped.ends_with("chunk 0: dropped, the job was stopped: enough"),
        "{stopped}"
    );
    let lost = report_after_heartbeat(&|number, broker| {
        broker
            .stop(&job, "so that it is leased only once")
            .expect("a job");
        (number == 1).then_some(Standing::Lost)
    });
    assert!(lost.ends_with("chunk 0: the lease was lost"), "{lost}");
}

#[test]
fn an_unreadable_job_is_given_back_with_the_reason() {
    let (broker, units, other) = (
        InProcess::new(),
        small(),
        cut(&position(KIWIPETE), 2, Cut::Ply(1)),
    );
    let (unreadable, sound) = (plan(&units, 0), plan(&other, 0));
    let mut job = unreadable.job();
    job.body = "{}".to_owned();
    let put_unreadable = broker.put(&job, &mut unreadable.chunks());
    put_unreadable.expect("a sound job");
    put(&broker, &sound);
    let reason = "'{}' is not a count, expected fen, depth and ply as JSON";
    for name in ["a", "b", "c"] {
        let (shift, reported) = work(&broker, name, PACE_WITHOUT_WAIT, &Interrupt::default());
        assert_eq!(shift.expect("it goes on").unable, 1);
        assert!(
            reported[0].ends_with(&format!("chunk 0: given back: {reason}")),
            "{reported:?}"
        );
    }
    // The job behind it is done, and the first one is flagged.
    assert_eq!(sum(&broker, &sound), 2_039);
    assert_eq!(
        progress(&broker, &unreadable).flagged.as_deref(),
        Some(reason)
    );
}

#[test]
fn a_quarantined_worker_ends() {
    let (broker, units) = (InProcess::new(), small());
    put(&broker, &plan(&units, 0));
    register(&broker, "a");
    broker.quarantine("a", "it lies").expect("known");
    let (shift, _) = work(&broker, "a", PACE, &Interrupt::default());
    let error = shift.expect_err("it is not wanted").to_string();
    assert_eq!(error, "worker 'a' is quarantined: it lies");
}
