//! Tests whose units depend on results: each with a server that dies in the middle, and compared with
//! the same run on one machine.

use std::time::Duration;

use fleet::conduct::spec::{LimitsSpec, OpeningsSpec, TestKind, TestSpec, ThenSpec, TuneSpec};
use fleet::conduct::submit::Test;
use fleet::conduct::summary::Outcome;
use selfplay::fleet::protocol::{JobBody, Message as _};
use selfplay::model::{Adjudication, TournamentFormat};
use selfplay::tune::config::TuneConfig;
use selfplay::tune::{TuneEnd, Tuning};

use super::alone;
use super::bench::{Bench, Conductors};

/// Kills the conductor once `begun`, and lets another finish the test.
fn taken_over(bench: &Bench, id: &str, begun: impl Fn(&Test) -> bool) -> Test {
    let first = bench.conduct();
    bench.work(&["one", "two"], || {
        let killed = bench.wait(id, "begun", begun);
        first.kill(bench);
        assert!(!killed.is_final, "{killed:#?}");
        let second = again(bench);
        let done = bench.wait(id, "finished", |test| test.is_final);
        second.end(bench);
        done
    })
}

/// Another conductor. The claims of the first expire later than a test likes to wait.
fn again(bench: &Bench) -> Conductors {
    bench
        .lab
        .sql("update lab.jobs set conducted_until = now() - interval '1 second'");
    bench.conduct()
}

#[test]
fn tournaments_with_rounds_agree_with_one_machine() {
    let bench = Bench::new();
    let systems = vec![
        (TournamentFormat::Knockout, &[1, 2, 3, 4][..]),
        (TournamentFormat::Swiss, &[1, 2, 3, 4, 5]),
    ];
    for (system, seeds) in testkit::some(systems, 1) {
        let kind = TestKind::Tournament {
            rounds: Some(2),
            system: Some(system),
        };
        let spec = bench.pairs(kind, seeds);
        let id = bench.submit("ann", &spec).expect("a test");
        let done = taken_over(&bench, &id, |test| test.summary.done >= 2);
        let summary = &done.summary;
        assert_eq!(summary.outcome, Some(Outcome::Complete), "{summary:#?}");
        let local = alone(&bench, &id);
        let results = local.result();
        let expected = results.standings.table();
        let expected: Vec<_> = expected
            .iter()
            .map(|row| {
                let name = &local.config.engines[row.engine.0].name;
                let half_points = u32::try_from(row.half_points).expect("few");
                (row.rank, name.clone(), f64::from(half_points) / 2.0)
            })
            .collect();
        let found: Vec<_> = { summary.standings.iter() }
            .map(|row| (row.rank, row.engine.clone(), row.points))
            .collect();
        assert_eq!(found, expected, "{system:?}");
        assert_eq!(2 * summary.done, results.games);
        assert_eq!(summary.units, summary.done, "no round was made twice");
        let champion = results.champion.map(|engine| {
            let name = &local.config.engines[engine.0].name;
            format!(", won by {name}")
        });
        assert_eq!(champion.is_some(), system == TournamentFormat::Knockout);
        assert!(summary.headline.ends_with(&champion.unwrap_or_default()));
    }
}

fn tuning(bench: &Bench) -> TestSpec {
    let tune = TuneSpec {
        parameters: vec!["Margin, int, 20, 0, 100, 8, 0.05".to_owned()],
        pairs: 2,
        lag: 3,
        ..TuneSpec::usual(8)
    };
    let mut spec = bench.pairs(TestKind::Tune { tune }, &[1]);
    spec.engines[0].arguments = vec!["--optimum=70".to_owned()];
    spec.adjudication = serde_json::from_str(
        r#"{"resign": {"moves": 2, "score_cp": 500, "two_sided": false}, "max_moves": 60}"#,
    )
    .expect("rules");
    spec
}

/// The same tuning alone on this machine: its values.
fn tuned_alone(bench: &Bench, id: &str, spec: &TestSpec) -> Vec<f64> {
    let TestKind::Tune { tune } = &spec.kind else {
        panic!("{spec:?}");
    };
    let sql = format!("select body from lab.jobs where id = '{id}'");
    let body = JobBody::from_text(&bench.lab.sql(&sql)).expect("a body");
    let mut engine = body.config.engines[0].clone();
    engine.command.program = bench.engines.path().join("engine");
    let is_tuned = |name: &str| name == "Margin";
    engine.options.retain(|(name, _)| !is_tuned(name));
    let config = TuneConfig {
        engine,
        parameters: tune.parsed().expect("parameters"),
        gains: tune.gains(),
        games_per_iteration: 2 * tune.pairs,
        lag: tune.lag,
        openings: body.config.openings,
        adjudication: body.config.adjudication,
        timeouts: body.config.timeouts,
        concurrency: 1,
        pinning: selfplay::model::Pinning::Off,
        seed: body.config.seed,
    };
    let folder = tempfile::tempdir().expect("a folder");
    let cancel = uci::Cancel::default();
    let tuning = Tuning::begin(&folder.path().join("tune"), config, &cancel);
    let mut tuning = tuning.expect("the engine has the option");
    let end = tuning.play(&cancel, None, &mut |_| {});
    assert_eq!(end.expect("it is played"), TuneEnd::Complete);
    tuning.values().to_vec()
}

#[test]
fn a_tuning_agrees_with_one_machine() {
    let bench = Bench::new();
    let spec = tuning(&bench);
    assert_eq!(spec.check(), []);
    let id = bench.submit("ann", &spec).expect("a test");
    let done = taken_over(&bench, &id, |test| {
        let tune = test.summary.tune.as_ref();
        tune.is_some_and(|tune| tune.iterations >= 2)
    });
    let summary = &done.summary;
    assert_eq!(summary.outcome, Some(Outcome::Complete), "{summary:#?}");
    let tuned = summary.tune.as_ref().expect("a tuning");
    assert_eq!((tuned.iterations, tuned.of), (8, 8));
    let expected = tuned_alone(&bench, &id, &spec);
    let margin = &tuned.parameters[0];
    assert!(
        (margin.value - expected[0]).abs() < 1e-9,
        "{margin:?}, expected {expected:?}"
    );
    assert!(margin.value > margin.start + 1.0, "{margin:?}");
    assert_eq!(summary.headline, "complete: 8 of 8 iterations, 32 games");
}

/// The verdict of an early decision does not outlive the results it was made from.
#[test]
fn a_decided_test_is_counted_again_without_a_liar() {
    let mut bench = Bench::new();
    bench.patience.alone = Duration::ZERO;
    let mut spec = super::sprt(&bench, [-400.0, -300.0], 60);
    // Games in time are not compared: nothing of them is confirmed.
    spec.limits = LimitsSpec {
        movetime_ms: Some(100),
        ..LimitsSpec::default()
    };
    spec.speed = Some(1_000);
    // Draws after a few moves decide this test as well.
    spec.adjudication.max_moves = Some(10);
    if let TestKind::Sprt { then, .. } = &mut spec.kind {
        *then = Some(ThenSpec {
            limits: spec.limits.clone(),
            ..ThenSpec::default()
        });
    }
    let id = bench.submit("ann", &spec).expect("a test");
    let conductors = bench.conduct();
    let first = bench.work(&["liar"], || {
        bench.wait(&id, "decided", |test| test.is_final)
    });
    assert_eq!(first.passed, Some(true), "{first:#?}");
    assert!(first.summary.done < 60, "it was decided early");
    let next = bench.test(&id).followed_by.expect("a second one");
    bench.wait(&next, "begun", |test| test.state == "running");
    let quarantined = bench.lab.work.quarantine("liar", "found out");
    bench
        .lab
        .runtime
        .block_on(quarantined)
        .expect("it is there");
    let reopened = bench.test(&id);
    assert!(!reopened.is_final, "{reopened:#?}");
    assert_eq!(reopened.passed, None);
    let next = bench.test(&next);
    assert_eq!(next.state, "stopped", "{next:#?}");
    let reason = next.reason.unwrap_or_default();
    assert!(reason.contains("decided by wrong results"), "{reason}");
    let second = bench.work(&["two"], || {
        bench.wait(&id, "decided again", |test| test.is_final)
    });
    conductors.end(&bench);
    assert_eq!((second.passed, second.state.as_str()), (Some(true), "done"));
    let workers: Vec<_> = second.summary.workers.keys().collect();
    assert_eq!(workers, ["two"]);
    let backwards = bench.lab.sql(
        "select count(*) from (select (value ->> 'done')::bigint - lag((value ->> 'done')::bigint)
            over (order by number) as step from lab.points) p where step <= 0",
    );
    assert_eq!(backwards, "0", "the graph has no point of the liar's");
}

#[test]
fn positions_are_solved_and_scored() {
    let bench = Bench::new();
    // One legal move each.
    let board = "8/8/8/8/8/5k2/7p/7K w - -";
    let conductors = bench.conduct();
    let epd = |positions: Vec<String>| TestKind::Epd {
        suite: None,
        positions,
    };
    let positions = vec![
        format!("{board} bm Kxh2; id \"only\";"),
        format!("{board} am Kxh2; id \"never\";"),
        "# a remark".to_owned(),
    ];
    let mut spec = bench.pairs(epd(positions.clone()), &[1]);
    spec.openings = OpeningsSpec::default();
    spec.adjudication = Adjudication::default();
    let faulty = TestSpec {
        kind: epd(vec![format!("{board} bm Kg1;")]),
        ..spec.clone()
    };
    let error = bench.submit("ann", &faulty).expect_err("not legal");
    assert!(
        error.to_string().starts_with("positions: line 1: "),
        "{error}"
    );
    let id = bench.submit("ann", &spec).expect("a test");
    let done = bench.work(&["one", "two"], || {
        bench.wait(&id, "finished", |test| test.is_final)
    });
    assert_eq!(done.summary.outcome, Some(Outcome::Complete), "{done:#?}");
    assert_eq!(
        done.summary.headline,
        "complete: 1 of 2 positions are solved"
    );
    let found = done.summary.epd.expect("positions");
    assert_eq!((found.searched, found.solved), (2, 1));
    assert_eq!(found.failed, ["never"]);

    spec.kind = TestKind::Label { positions };
    spec.engines[0].arguments = vec!["--first-move".to_owned(), "--score=31".to_owned()];
    let id = bench.submit("ann", &spec).expect("a test");
    let done = bench.work(&["one", "two"], || {
        bench.wait(&id, "finished", |test| test.is_final)
    });
    conductors.end(&bench);
    assert_eq!(
        done.summary.headline,
        "complete: 2 of 2 positions have a score"
    );
}
