//! Games on workers within one process: whatever happens, they are those of one machine.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kit::Interrupt;
use queue::work::{Timing, WorkerLoop, WorkerTotals};
use queue::{Chunk, InProcess, Job, Jobs, RetryPolicy, Worker};

use super::protocol::{JobBody, UnitBody, decode, encode};
use super::{GamesTask, check, job};
use crate::evaluator::Evaluator;
use crate::game::{PlayPlan, play};
use crate::line::TrainingLine;
use crate::packed;

/// Short searches.
const PLAN: PlayPlan = PlayPlan { seed: 3, nodes: 2 };
const MINUTE: Duration = Duration::from_mins(1);

#[derive(Clone)]
struct Posted {
    job: Job,
    chunks: Vec<Chunk>,
}

/// A job of so many games of each of these seeds.
fn posted(evaluator: &Evaluator, seeds: &[u64], games: u64) -> Posted {
    let body = JobBody::new(PLAN, evaluator).expect("memory");
    let (job, chunks) = body.job("test-1", seeds, games);
    Posted { job, chunks }
}

fn put(broker: &InProcess, posted: &Posted) {
    let mut chunks = posted.chunks.iter().cloned();
    broker.put(&posted.job, &mut chunks).expect("a sound job");
}

fn retry<'a>(interrupt: &'a Interrupt, report: &'a (dyn Fn(&str) + Sync)) -> RetryPolicy<'a> {
    RetryPolicy {
        most: MINUTE,
        interrupt,
        report,
    }
}

/// What a worker with two lanes does until there is no work, and what it reports.
fn work(broker: &InProcess, name: &str) -> (WorkerTotals, Vec<String>) {
    let (interrupt, reported) = (Interrupt::default(), Mutex::new(Vec::new()));
    let report = |text: &str| reported.lock().expect("sound").push(text.to_owned());
    let workplace = WorkerLoop {
        broker,
        worker: &Worker {
            name: name.to_owned(),
            about: String::new(),
        },
        tasks: &[&GamesTask::default()],
        lanes: 2,
        pace: Timing {
            visibility: MINUTE,
            poll: Duration::from_millis(1),
            idle_exit: Some(Duration::ZERO),
        },
        retry: retry(&interrupt, &report),
    };
    let shift = workplace.run().expect("the broker is there");
    (shift, reported.into_inner().expect("sound"))
}

/// The records of all games, in the order of the units.
fn records(broker: &InProcess, posted: &Posted) -> Vec<u8> {
    let mut results = broker.results(&posted.job.id, 0, u32::MAX).expect("a job");
    assert_eq!(results.len(), posted.chunks.len());
    results.sort_by_key(|one| one.key);
    let units = posted.chunks.iter().zip(&results);
    let records = units.map(|(chunk, one)| decode(&chunk.units[0].body, &one.value));
    records
        .flat_map(|records| records.expect("sound"))
        .collect()
}

fn units(posted: &Posted) -> Vec<&str> {
    let units = posted.chunks.iter().flat_map(|chunk| &chunk.units);
    units.map(|unit| unit.body.as_str()).collect()
}

/// The records of the games of a seed from the first one to this one, played here.
fn here(evaluator: &Evaluator, seed: u64, games: u64) -> Vec<u8> {
    let (plan, never) = (PlayPlan { seed, ..PLAN }, AtomicBool::new(false));
    let game = |number| play(plan, evaluator, number, &never).expect("memory");
    (1..=games)
        .flat_map(|number| game(number).expect("nothing stops it"))
        .collect()
}

#[test]
fn workers_play_the_games_of_one_machine() {
    let (broker, evaluator) = (InProcess::new(), Evaluator::built_in());
    let job = posted(&evaluator, &[3, 4], 5);
    assert_eq!(units(&job), ["3 1 5", "4 1 5"]);
    put(&broker, &job);
    let (shift, _) = work(&broker, "a");
    assert_eq!((shift.results, shift.unable), (2, 0));
    let expected = [here(&evaluator, 3, 5), here(&evaluator, 4, 5)].concat();
    assert!(records(&broker, &job) == expected);
}

#[test]
fn units_are_as_long_as_a_chunk_should_be() {
    let rows = [(2, 500), (400, 500), (700, 285), (1_000_000, 1)];
    let mut body = JobBody::new(PLAN, &Evaluator::built_in()).expect("memory");
    for (nodes, expected) in rows {
        body.nodes = nodes;
        let (job, chunks) = body.job("test-1", &[u64::MAX], 1_000);
        let first = format!("{} 1 {expected}", u64::MAX);
        assert_eq!(chunks[0].units[0].body, first, "{nodes} nodes");
        assert_eq!(chunks.len() as u64, job.units);
        let last = &chunks.last().expect("some").units[0].body;
        assert!(last.ends_with(" 1000"), "{last}");
    }
}

#[test]
fn what_cannot_be_played_is_no_job() {
    let sound = JobBody::new(PLAN, &Evaluator::built_in()).expect("memory");
    let mut cut = sound.clone();
    cut.network.truncate(40);
    let few = JobBody {
        nodes: 1,
        ..sound.clone()
    };
    for (seeds, games, body, expected) in [
        (&[][..], 9, &sound, "0 seeds of 9 games are 0 units"),
        (&[3, 4], 0, &sound, "2 seeds of 0 games are 0 units"),
        (&[3, 4], u64::MAX, &sound, "2 seeds of "),
        (&[3], 9, &few, "1 nodes, expected"),
        (&[3], 9, &cut, "the network is "),
    ] {
        let error = job("test-1", seeds, games, body).expect_err(expected);
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn jobs_that_cannot_be_played_are_given_back() {
    let sound = posted(&Evaluator::built_in(), &[3], 1);
    let cut = sound
        .job
        .body
        .replace(r#""network":"VFNORVQ"#, r#""network":"VFNO"#);
    assert_ne!(cut, sound.job.body);
    let rows = [
        (
            "{}".to_owned(),
            "the job is no description of games: missing field `nodes`",
        ),
        (
            sound.job.body.replace(r#""nodes":2"#, r#""nodes":1"#),
            "1 nodes, expected 2..=1000000",
        ),
        (
            sound.job.body.replace("VFNORVQ", "?"),
            "the network is not base64: Invalid symbol 63, offset 0.",
        ),
        (cut, "the network is "),
        (
            // As an engine of another version would have posted it.
            sound
                .job
                .body
                .replace(r#""engine":"0."#, r#""engine":"0.0."#),
            "the engine is another version: its games are '0.",
        ),
    ];
    for (body, expected) in rows {
        give_back(&sound, |job| job.job.body = body, expected);
    }
    let change = |job: &mut Posted| job.chunks[0].units[0].body = "3 1 501".to_owned();
    let expected = "unit 0 is '3 1 501', expected a seed and the numbers of at most 500 games";
    give_back(&sound, change, expected);
}

/// A changed job is given back with this reason.
fn give_back(sound: &Posted, change: impl FnOnce(&mut Posted), expected: &str) {
    let broker = InProcess::new();
    let mut job = sound.clone();
    change(&mut job);
    put(&broker, &job);
    let (shift, reported) = work(&broker, "a");
    assert_eq!((shift.results, shift.unable), (0, 1));
    assert!(reported[0].contains(expected), "{reported:?}");
}

#[test]
fn units_are_read_as_they_are_written() {
    for text in ["3 1 4", "18446744073709551615 7 506"] {
        let unit = UnitBody::parse(text).expect("sound");
        assert_eq!(unit.to_string(), text);
    }
    for text in [
        "",
        "3 1",
        "3 0 3",
        "3 4 3",
        "3 1 501",
        "3 1 2 3",
        "3 x 1",
        "3 1 99999999999999999999",
    ] {
        assert_eq!(UnitBody::parse(text), None, "{text}");
    }
}

#[test]
fn impossible_results_are_rejected() {
    let line = |text: &str, is_first| {
        let line: TrainingLine = text.parse().expect("a position");
        packed::pack(&line, is_first).expect("it fits")
    };
    let text = "1;8/5k2/8/8/8/1r6/5K2/8 b - - 0 1;0-1;-513";
    let (first, next) = (line(text, true), line(text, false));
    let mut damaged = next;
    damaged[30] = 3;
    let sound = [first, next, first].concat();
    assert_eq!(decode("3 7 8", &encode(&sound)), Ok(sound.clone()));
    assert_eq!(check("3 7 8", ""), Ok(()));
    let rows = [
        ("3 7", encode(&sound), "'3 7' is not a unit of games"),
        ("3 7 8", "%".to_owned(), "Invalid symbol 37, offset 0."),
        (
            "3 7 8",
            encode(&sound[1..]),
            "31 bytes after the last record",
        ),
        ("3 7 8", encode(&next), "no game begins at the first record"),
        (
            "3 7 8",
            encode(&[first, damaged].concat()),
            "record 2: the result is 3, expected 0 to 2",
        ),
        ("3 7 7", encode(&sound), "2 games, expected at most 1"),
    ];
    for (unit, result, expected) in rows {
        assert_eq!(check(unit, &result), Err(expected.to_owned()));
    }
}
