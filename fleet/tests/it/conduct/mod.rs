//! Tests, from a submission to a verdict, with conductors that are killed.

mod bench;
mod confirm;
mod rounds;

use fleet::conduct::spec::{PerftSpec, TestKind, TestSpec, ThenSpec};
use fleet::conduct::summary::Outcome;
use fleet::conduct::{ConductError, submit};
use selfplay::fleet::protocol::{JobBody, Message as _};
use selfplay::ledger::{Ledger, Stored};
use selfplay::model::{EloModel, SprtConfig};
use selfplay::openings::Openings;
use selfplay::player::{EngineTimeouts, RunPrograms};
use selfplay::run::{Run, RunState, run};

use bench::{Bench, account};

/// Plays the same run alone on this machine.
fn alone(bench: &Bench, id: &str) -> RunState {
    let body = bench
        .lab
        .sql(&format!("select body from lab.jobs where id = '{id}'"));
    let body = JobBody::from_text(&body).expect("a body");
    let mut config = body.config;
    for engine in &mut config.engines {
        engine.command.program = bench.engines.path().join("engine");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let stored = Stored {
        book: None,
        programs: std::collections::BTreeMap::default(),
        revisions: std::collections::BTreeMap::default(),
        fleet: None,
        host: None,
        version: "0".to_owned(),
        config: config.clone(),
    };
    let openings = Openings::open(&config.openings, config.seed).expect("they are built in");
    let mut all = Run {
        state: RunState::new(config, &[]).expect("a run"),
        ledger: Ledger::create(&folder.path().join("run"), &stored).expect("new"),
        openings: &openings,
        endgames: None,
        patience: EngineTimeouts::default(),
        max_faults: None,
        programs: RunPrograms::default(),
        control: &mut || None,
        interrupt: &kit::Interrupt::default(),
    };
    run(&mut all, &mut |_| {}).expect("it is played");
    all.state
}

fn sprt(bench: &Bench, elo: [f64; 2], rounds: u64) -> TestSpec {
    let kind = TestKind::sprt(SprtConfig::new(elo, EloModel::Logistic), Some(rounds));
    bench.pairs(kind, &[3, 7])
}

/// The first conductor is killed in the middle; the verdict is that of one machine.
#[test]
fn a_test_survives_its_conductor_and_agrees_with_one_machine() {
    let bench = Bench::new();
    let spec = sprt(&bench, [0.0, 60.0], testkit::scale(16, 60));
    let id = bench.submit("ann", &spec).expect("a test");
    let first = bench.conduct();
    let (killed, done) = bench.work(&["one", "two"], || {
        let killed = bench.wait(&id, "begun", |test| test.summary.done >= 2);
        first.kill(&bench);
        // Its claim expires later than a test likes to wait.
        bench
            .lab
            .sql("update lab.jobs set conducted_until = now() - interval '1 second'");
        let second = bench.conduct();
        let done = bench.wait(&id, "finished", |test| test.is_final);
        second.end(&bench);
        (killed, done)
    });
    assert!(!killed.is_final, "{killed:#?}");
    assert_eq!(done.state, "done");
    let summary = &done.summary;
    let local = alone(&bench, &id);
    let results = local.result();
    let expected = results.test.as_ref().expect("a test");
    let found = summary.sprt.as_ref().expect("a test");
    assert_eq!(found.state, expected.state.name());
    assert!(
        (found.llr - expected.llr).abs() < 1e-9,
        "{found:?} {expected:?}"
    );
    let score = summary.score.as_ref().expect("two engines");
    let counts = results.counts.expect("two engines");
    assert_eq!(score.games, counts.games());
    assert_eq!(score.pentanomial.to_vec(), counts.cells_in_use());
    let workers: Vec<_> = summary.workers.keys().map(String::as_str).collect();
    assert!(
        workers.iter().all(|name| ["one", "two"].contains(name)),
        "{workers:?}"
    );
    let points = bench.lab.sql("select count(*) from lab.points");
    assert_ne!(points, "0");
    // Games that depend on nothing but nodes are compared, before the verdict is final.
    assert_eq!(bench.lab.sql("select compares from lab.jobs"), "t");
    let checking = bench.lab.sql("select sum(checking) from lab.counters");
    assert_eq!(checking, "0", "{summary:#?}");
}

#[test]
fn what_follows_begins_when_a_test_has_passed() {
    let bench = Bench::new();
    let conductors = bench.conduct();
    // Engines that are equal up to chance pass a test of being 500 Elo worse, and fail one of being
    // better by as much.
    for (elo, has_passed) in [([-800.0, -500.0], true), ([500.0, 800.0], false)] {
        let mut spec = sprt(&bench, elo, 60);
        spec.title = "it".to_owned();
        if let TestKind::Sprt { then, .. } = &mut spec.kind {
            *then = Some(ThenSpec {
                limits: spec.limits.clone(),
                rounds: Some(2),
                ..ThenSpec::default()
            });
        }
        let id = bench.submit("ann", &spec).expect("a test");
        let next = bench.test(&id).followed_by.expect("a second one");
        assert_eq!(bench.test(&next).state, "waiting");
        let (first, second) = bench.work(&["one", "two"], || {
            let first = bench.wait(&id, "finished", |test| test.is_final);
            (first, bench.wait(&next, "finished", |test| test.is_final))
        });
        assert_eq!(first.passed, Some(has_passed), "{first:#?}");
        assert_eq!(second.title, "it LTC");
        assert_eq!(second.follows.as_deref(), Some(&*id));
        if has_passed {
            assert_eq!(second.state, "done", "{second:#?}");
            assert_eq!(second.summary.done, 2);
        } else {
            assert_eq!(second.state, "stopped");
            assert_eq!(second.reason, Some(format!("{id} did not pass")));
        }
    }
    conductors.end(&bench);
}

#[test]
fn what_follows_is_of_the_same_commits_and_outlives_a_stop_that_is_too_late() {
    let bench = Bench::new();
    let mut spec = sprt(&bench, [0.0, 60.0], 2);
    if let TestKind::Sprt { then, .. } = &mut spec.kind {
        *then = Some(ThenSpec {
            limits: spec.limits.clone(),
            ..ThenSpec::default()
        });
    }
    let id = bench.submit("ann", &spec).expect("a test");
    let next = bench.test(&id).followed_by.expect("a second one");
    // The preparation changes the engines, as it does when it finds commits for branches.
    bench.lab.sql(&format!(
        "update lab.jobs set spec = jsonb_set(spec, '{{engines,0,name}}', '\"prepared\"') where id = '{id}'"
    ));
    let conductors = bench.conduct();
    bench.wait(&id, "prepared", |test| test.state == "running");
    conductors.end(&bench);
    assert_eq!(bench.test(&next).spec.engines, bench.test(&id).spec.engines);
    let name = bench.test(&next).spec.engines[0].name.clone();
    assert_eq!(name.as_deref(), Some("prepared"));
    bench.lab.sql(&format!(
        "update lab.jobs set state = 'done', passed = true, finished_at = now(), concluded_at = now() where id = '{id}'"
    ));
    let ann = account("ann");
    let stop = submit::stop(&bench.lab.database, &ann, &id, "too late");
    let stopped = bench.lab.runtime.block_on(stop);
    assert!(
        matches!(stopped, Err(ConductError::State { .. })),
        "{stopped:?}"
    );
    assert_eq!(bench.test(&next).state, "waiting");
}

#[test]
fn a_tournament_is_played_by_several_workers() {
    let bench = Bench::new();
    let kind = TestKind::Tournament {
        rounds: Some(2),
        system: None,
    };
    let spec = bench.pairs(kind, &[1, 2, 3]);
    let id = bench.submit("ann", &spec).expect("a test");
    let conductors = bench.conduct();
    let done = bench.work(&["one", "two"], || {
        bench.wait(&id, "finished", |test| test.is_final)
    });
    conductors.end(&bench);
    assert_eq!(done.summary.outcome, Some(Outcome::Complete));
    assert_eq!((done.summary.done, done.summary.units), (6, 6));
    let local = alone(&bench, &id);
    let expected = local.result().standings.table();
    assert_eq!(done.summary.standings.len(), 3);
    for (found, expected) in done.summary.standings.iter().zip(expected) {
        let seed = [1, 2, 3][expected.engine.0];
        assert_eq!(found.engine, format!("seed {seed}"));
        assert_eq!((found.rank, found.games), (expected.rank, 8));
    }
}

#[test]
fn a_count_is_exact_with_its_divide_and_breakdown() {
    let bench = Bench::new();
    let perft = PerftSpec {
        fen: Some(
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".to_owned(),
        ),
        depth: 4,
        breakdown: true,
        again_every: Some(1),
    };
    let spec = TestSpec::new(TestKind::Perft { perft });
    // It runs nobody's program, and needs no approval.
    let id = bench.submit("bob", &spec).expect("a test");
    assert_eq!(bench.test(&id).state, "waiting");
    let conductors = bench.conduct();
    let done = bench.work(&["one", "two"], || {
        bench.wait(&id, "finished", |test| test.is_final)
    });
    conductors.end(&bench);
    assert_eq!(done.summary.outcome, Some(Outcome::Complete), "{done:#?}");
    let count = done.summary.perft.expect("a count");
    assert_eq!(count.nodes, "4085603");
    let divide: u128 = count
        .divide
        .iter()
        .map(|(_, nodes)| nodes.parse::<u128>().expect("a number"))
        .sum();
    assert_eq!((count.divide.len(), divide), (48, 4_085_603));
    let captures = count.breakdown.iter().find(|(name, _)| name == "captures");
    assert_eq!(captures.map(|(_, count)| count.as_str()), Some("757163"));
}

#[test]
fn tests_of_authors_wait_for_approval() {
    let bench = Bench::new();
    let spec = sprt(&bench, [0.0, 400.0], 60);
    let id = bench.submit("bob", &spec).expect("a test");
    assert_eq!(bench.test(&id).state, "pending");
    let (ann, bob) = (account("ann"), account("bob"));
    let database = &bench.lab.database;
    let block = |call| bench.lab.runtime.block_on(call);
    let denied = bench
        .lab
        .runtime
        .block_on(submit::approve(database, &bob, &id));
    assert!(matches!(denied, Err(ConductError::Denied(_))), "{denied:?}");
    bench
        .lab
        .runtime
        .block_on(submit::approve(database, &ann, &id))
        .expect("she may");
    assert_eq!(bench.test(&id).state, "waiting");
    let again = bench
        .lab
        .runtime
        .block_on(submit::approve(database, &ann, &id));
    assert!(
        matches!(again, Err(ConductError::State { .. })),
        "{again:?}"
    );
    block(Box::pin(submit::stop(database, &bob, &id, "a mistake"))).expect("it is his");
    let conductors = bench.conduct();
    let stopped = bench.wait(&id, "concluded", |test| test.is_final);
    conductors.end(&bench);
    assert_eq!((stopped.state.as_str(), stopped.passed), ("stopped", None));
    assert_eq!(stopped.summary.headline, "a mistake");
    let faulty = TestSpec {
        priority: 101,
        ..spec
    };
    let error = bench.submit("ann", &faulty).expect_err("too urgent");
    assert_eq!(error.to_string(), "priority: 101, expected -100 to 100");
    let before_others = TestSpec {
        priority: 1,
        weight: 2.0,
        ..faulty
    };
    let error = bench.submit("bob", &before_others).expect_err("an author");
    let expected = "priority: 1, expected at most 0: maintainers give others; \
                    weight: 2, expected at most 1: maintainers give others";
    assert_eq!(error.to_string(), expected);
    let copy = submit::resubmit(database, &bob, &id);
    let copy = bench.lab.runtime.block_on(copy).expect("a copy");
    assert_eq!(bench.test(&copy).spec, bench.test(&id).spec);
    let actions = bench
        .lab
        .sql("select string_agg(action, ', ' order by id) from lab.audit");
    assert_eq!(actions, "submit test, approve test, stop test, submit test");
    for (depth, state) in [(8, "waiting"), (9, "pending")] {
        let perft = PerftSpec {
            fen: None,
            depth,
            breakdown: false,
            again_every: None,
        };
        let large = TestSpec::new(TestKind::Perft { perft });
        let id = bench.submit("bob", &large).expect("a test");
        assert_eq!(bench.test(&id).state, state);
        let stopped = submit::stop(database, &bob, &id, "a mistake");
        let runtime = &bench.lab.runtime;
        runtime.block_on(stopped).expect("it is his");
    }
}
