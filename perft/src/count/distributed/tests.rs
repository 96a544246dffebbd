//! Distributed counts within one process: the edges, with sound and faulty brokers and workers.

use std::collections::HashMap;
use std::num::NonZeroU64;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chess::notation::fen::{self, FenStyle};
use chess::rules::Position;
use kit::{Interrupt, Progress};
use queue::work::{Timing, WorkerLoop, WorkerTotals};
use queue::{
    AskError, Broker, InProcess, Lease, Put, RetryPolicy, Standing, Unit, UnitResult, Worker,
};

use super::faulty_broker::FaultyBroker;
use super::follow::{Follow, FollowError, Followed};
use super::job::{self, JobKind, JobPlan, UnitCount};
use super::task::CountTask;
use crate::count::result::CompletionStatus;
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
        kind: JobKind::Count,
        units,
        again_every: NonZeroU64::new(again_every),
        chunk: None,
    }
}

fn put(broker: &dyn Broker, units: &Units, again_every: u64) -> Put {
    let plan = plan(units, again_every);
    let put = broker.put(&plan.job(), &mut plan.chunks());
    put.expect("a sound job")
}

fn job_of(units: &Units) -> String {
    plan(units, 0).job().id
}

fn follow(broker: &dyn Broker, units: &Units, interrupt: &Interrupt) -> Followed {
    try_to_follow(broker, units, interrupt, Duration::ZERO).expect("an answer")
}

/// The outcome of a posted breakdown.
fn follow_breakdown(broker: &dyn Broker, plan: &JobPlan<'_>) -> Followed {
    let interrupt = Interrupt::default();
    let progress = Progress::new(0, "units", false);
    let follow = Follow {
        broker,
        job: &plan.job().id,
        kind: plan.kind,
        units: plan.units,
        poll: TICK,
        wait_for_second: Duration::ZERO,
        retry: retry_policy(&interrupt),
        progress: &progress,
    };
    follow.run().expect("an answer")
}

fn try_to_follow(
    broker: &dyn Broker,
    units: &Units,
    interrupt: &Interrupt,
    wait_for_second: Duration,
) -> Result<Followed, FollowError> {
    let progress = Progress::new(0, "units", false);
    let follow = Follow {
        broker,
        job: &job_of(units),
        kind: JobKind::Count,
        units,
        poll: TICK,
        wait_for_second,
        retry: retry_policy(interrupt),
        progress: &progress,
    };
    follow.run()
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

/// Checks that a job is complete and verified, and its sum.
fn assert_complete(followed: &Followed, units: &Units, nodes: u128) {
    assert_eq!(followed.status, CompletionStatus::Complete);
    assert_eq!(units.sum(&followed.results.counts), nodes);
}

/// Checks that a job is complete, though nobody verified it, and its sum.
fn assert_unverified(followed: &Followed, units: &Units, nodes: u128) {
    assert_eq!(followed.status, CompletionStatus::Unverified);
    assert_eq!(units.sum(&followed.results.counts), nodes);
}

/// The outcome of a posted job, with workers of these names. Where there are two, their second counts
/// are waited for.
fn with_workers(broker: &dyn Broker, units: &Units, names: &[&str]) -> Followed {
    for name in names {
        register(broker, name);
    }
    let wait = if names.len() > 1 {
        MINUTE
    } else {
        Duration::ZERO
    };
    follow_workers(broker, units, names, wait)
}

fn follow_workers(
    broker: &dyn Broker,
    units: &Units,
    names: &[&str],
    wait_for_second: Duration,
) -> Followed {
    let (home, never) = (Interrupt::default(), Interrupt::default());
    std::thread::scope(|scope| {
        for name in names {
            let home = &home;
            scope.spawn(move || {
                let (shift, reported) = work(broker, name, PACE, home);
                assert!(shift.expect("it works").interrupted, "{reported:?}");
            });
        }
        let followed = try_to_follow(broker, units, &never, wait_for_second);
        home.flag().store(true, Ordering::Relaxed);
        followed.expect("an answer")
    })
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
                put(&broker, &units, 3);
                let followed = with_workers(&broker, &units, &["a", "b"]);
                let expected = chess::perft::count(&position, depth).expect("it fits");
                assert_eq!(
                    followed.status,
                    CompletionStatus::Complete,
                    "{text}, {depth}, {way:?}"
                );
                let nodes = units.sum(&followed.results.counts);
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
    put(&broker, &units, 0);
    let followed = with_workers(&broker, &units, &["a", "b"]);
    let nodes = reference(&kings, depth, &mut HashMap::new());
    assert!(nodes > u128::from(u64::MAX));
    assert_unverified(&followed, &units, nodes);
}

#[test]
fn one_unit_beyond_64_bits_stops_the_job() {
    let kings = position("8/8/8/4k3/8/8/8/4K3 w - - 0 1");
    let units = cut(&kings, 60, Cut::Ply(0));
    let broker = InProcess::new();
    put(&broker, &units, 0);
    work_off(&broker, "a");
    let reason = "unit 0: the count does not fit 64 bits; cut the tree at a later ply";
    for _ in 0..2 {
        let followed = try_to_follow(&broker, &units, &Interrupt::default(), Duration::ZERO);
        let error = followed.expect_err("it does not fit");
        assert_eq!(error.to_string(), reason);
    }
    let stand = broker.progress(&job_of(&units)).expect("a job");
    assert_eq!(stand.stopped.as_deref(), Some(reason));
}

#[test]
fn every_unit_is_compared_where_it_is_asked_for() {
    let units = cut(&position(KIWIPETE), 3, Cut::Ply(2));
    let broker = InProcess::new();
    put(&broker, &units, 1);
    // No unit may be counted twice, and nobody is waited for.
    work_off(&broker, "a");
    let alone = try_to_follow(&broker, &units, &Interrupt::default(), MINUTE).expect("an answer");
    assert_unverified(&alone, &units, 97_862);
    assert_eq!(
        (alone.compared, alone.to_compare),
        (0, units.list.len() as u64)
    );
    assert_eq!(alone.status.exit(), kit::Exit::Differs);
    work_off(&broker, "b");
    let both = follow(&broker, &units, &Interrupt::default());
    assert_eq!(
        (both.status, both.compared),
        (CompletionStatus::Complete, alone.to_compare)
    );
    assert_eq!(units.sum(&both.results.counts), 97_862);
}

#[test]
fn a_job_survives_the_process_that_posted_it() {
    let units = cut(&position(KIWIPETE), 3, Cut::Ply(2));
    let broker = InProcess::new();
    assert_eq!(put(&broker, &units, 2), Put::New);
    let dying = Interrupt::default();
    dying.flag().store(true, Ordering::Relaxed);
    let followed = follow(&broker, &units, &dying);
    assert_eq!(
        (followed.status, followed.results.done()),
        (CompletionStatus::Interrupted, 0)
    );
    // The workers run without it.
    work_off(&broker, "a");
    assert_eq!(put(&broker, &units, 2), Put::Known);
    let followed = follow(&broker, &units, &Interrupt::default());
    assert_eq!(followed.resumed, 97_862);
    assert_unverified(&followed, &units, 97_862);
}

/// A count far too long to finish within a test.
fn endless() -> Units {
    cut(&position(START), 40, Cut::Ply(0))
}

fn small() -> Units {
    cut(&position(START), 4, Cut::Ply(2))
}

fn register(broker: &dyn Broker, name: &str) {
    let worker = Worker {
        name: name.to_owned(),
        about: String::new(),
    };
    broker.register(&worker).expect("it is welcome");
}

fn lease(broker: &dyn Broker, name: &str, visibility: Duration) -> Option<Lease> {
    let lease = broker.lease(name, &JobKind::NAMES, visibility);
    lease.expect("an answer")
}

#[test]
fn wrong_results_are_found_and_can_be_dropped() {
    let (broker, units) = (InProcess::new(), small());
    put(&broker, &units, 7);
    register(&broker, "liar");
    let lied = lease(&broker, "liar", MINUTE).expect("work");
    let lie = |unit: &Unit| UnitResult {
        key: unit.key,
        value: "399".to_owned(),
    };
    let results: Vec<_> = lied.units.iter().map(lie).collect();
    broker.complete(&lied, &results).expect("taken");
    let followed = with_workers(&broker, &units, &["honest"]);
    assert_eq!(followed.status, CompletionStatus::Different);
    let alarm = followed.undecided.first().expect("a difference");
    assert_eq!((&*alarm.first_worker, &*alarm.first_value), ("liar", "399"));
    let number = usize::try_from(alarm.unit).expect("few");
    let honest = chess::perft::count(&units.list[number].position, 2).expect("it fits");
    assert_eq!(alarm.second_worker, "honest");
    assert_eq!(alarm.second_value, honest.to_string());

    broker.quarantine("liar", "it lies").expect("known");
    let followed = with_workers(&broker, &units, &["honest", "other"]);
    assert_complete(&followed, &units, 197_281);
}

#[test]
fn breakdowns_are_compared_whole() {
    let units = cut(&position(KIWIPETE), 3, Cut::Ply(1));
    let plan = JobPlan {
        kind: JobKind::Breakdown,
        ..plan(&units, 1)
    };
    let broker = InProcess::new();
    broker
        .put(&plan.job(), &mut plan.chunks())
        .expect("a sound job");
    register(&broker, "old");
    let old = broker.lease("old", &["perft-count/1"], MINUTE);
    assert_eq!(old.expect("an answer"), None);

    // The leaf nodes are right, one of the other numbers is not.
    register(&broker, "liar");
    let lied = lease(&broker, "liar", MINUTE).expect("work");
    let breakdown = |text: &str| {
        let never = AtomicBool::new(false);
        let sum = chess::perft::breakdown(&position(text), 2, &never);
        sum.expect("it fits").columns()
    };
    let lie = |unit: &Unit| {
        let mut columns = breakdown(&unit.body);
        columns[3] += 1;
        UnitResult {
            key: unit.key,
            value: UnitCount::Breakdown(columns).to_string(),
        }
    };
    let results: Vec<_> = lied.units.iter().map(lie).collect();
    broker.complete(&lied, &results).expect("taken");
    work_off(&broker, "honest");
    let followed = follow_breakdown(&broker, &plan);
    assert_eq!(followed.status, CompletionStatus::Different);
    assert_eq!(followed.undecided.len(), lied.units.len());

    broker.quarantine("liar", "it lies").expect("known");
    broker.discard(&plan.job().id, "liar").expect("a job");
    work_off(&broker, "honest");
    let followed = follow_breakdown(&broker, &plan);
    // There is nobody to check what was done again.
    assert_unverified(&followed, &units, 97_862);
    let expected = [97_862, 17_102, 45, 3_162, 0, 993, 0, 0, 1, 0];
    assert_eq!(followed.results.breakdown(&units), expected);
}

#[test]
fn sums_of_breakdowns_go_beyond_64_bits() {
    // Far more move sequences than positions.
    let kings = position("8/8/8/4k3/8/8/8/4K3 w - - 0 1");
    let units = cut(&kings, 25, Cut::Ply(22));
    let plan = JobPlan {
        kind: JobKind::Breakdown,
        ..plan(&units, 0)
    };
    let broker = InProcess::new();
    broker
        .put(&plan.job(), &mut plan.chunks())
        .expect("a sound job");
    work_off(&broker, "a");
    let followed = follow_breakdown(&broker, &plan);
    let nodes = reference(&kings, 25, &mut HashMap::new());
    assert!(nodes > u128::from(u64::MAX));
    assert_unverified(&followed, &units, nodes);
    let breakdown = followed.results.breakdown(&units);
    assert_eq!(breakdown[0], nodes);
    assert!(breakdown[1..].iter().all(|&moves| moves == 0));
}

#[test]
fn a_crashed_worker_changes_nothing() {
    let (broker, units) = (InProcess::new(), small());
    put(&broker, &units, 5);
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
    let followed = with_workers(&broker, &units, &["a", "b"]);
    assert_complete(&followed, &units, 197_281);
    assert_eq!(followed.results.workers["dead"].len(), 1);
}

#[test]
fn lost_calls_change_nothing() {
    let (broker, units) = (FaultyBroker::new(5, &|_, _| None), small());
    put(&broker, &units, 3);
    // How much was compared depends on which calls were lost.
    let followed = follow_workers(&broker, &units, &["a", "b"], Duration::ZERO);
    assert_ne!(followed.status, CompletionStatus::Different);
    assert_eq!(followed.results.done(), units.list.len());
    assert_eq!(units.sum(&followed.results.counts), 197_281);
}

#[test]
fn a_lease_is_renewed_until_an_interrupt_gives_it_back() {
    let interrupt = Interrupt::default();
    let third = |number: usize, _: &InProcess| {
        interrupt.flag().store(number >= 3, Ordering::Relaxed);
        None
    };
    let (broker, units) = (FaultyBroker::new(0, &third), endless());
    put(&broker, &units, 0);
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
    put(&broker, &units, 0);
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
    let job = job_of(&endless());
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
    let plan = plan(&units, 0);
    let mut job = plan.job();
    job.body = "{}".to_owned();
    broker.put(&job, &mut plan.chunks()).expect("a sound job");
    put(&broker, &other, 0);
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
    assert_unverified(
        &follow(&broker, &other, &Interrupt::default()),
        &other,
        2_039,
    );
    let followed = follow(&broker, &units, &Interrupt::default());
    assert_eq!(followed.status, CompletionStatus::Stopped);
    let expected = format!("three workers cannot do it: {reason}");
    assert_eq!(followed.reason, Some(expected));
}

#[test]
fn a_quarantined_worker_ends() {
    let (broker, units) = (InProcess::new(), small());
    put(&broker, &units, 0);
    register(&broker, "a");
    broker.quarantine("a", "it lies").expect("known");
    let (shift, _) = work(&broker, "a", PACE, &Interrupt::default());
    let error = shift.expect_err("it is not wanted").to_string();
    assert_eq!(error, "worker 'a' is quarantined: it lies");
}
