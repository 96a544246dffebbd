//! Decisions that are final only once others have confirmed them.

use std::time::Duration;

use fleet::conduct::spec::{LimitsSpec, TestSpec};
use fleet::conduct::submit::{self, Test};
use fleet::conduct::summary::{ByOne, Outcome};
use queue::Broker as _;

use super::bench::{Bench, account};
use super::sprt;

/// Equal engines, of which one is soon found not to be 300 Elo worse.
fn quick(bench: &Bench) -> TestSpec {
    sprt(bench, [-400.0, -300.0], 400)
}

/// The same in time, in which no two games are alike.
fn timed(bench: &Bench) -> TestSpec {
    let mut spec = quick(bench);
    spec.limits = LimitsSpec {
        movetime_ms: Some(100),
        ..LimitsSpec::default()
    };
    spec.speed = Some(1_000);
    spec.adjudication.max_moves = Some(10);
    spec
}

fn is_reached(test: &Test) -> bool {
    let what = "H1 is reached, not confirmed yet: ";
    test.summary.headline.starts_with(what)
}

fn pairs(test: &Test, worker: &str) -> u64 {
    let found = test.summary.workers.get(worker);
    found.map_or(0, |worker| worker.pentanomial.iter().sum())
}

#[test]
fn one_machine_alone_decides_nothing_before_others_could_join() {
    let bench = Bench::new();
    let id = bench.submit("ann", &quick(&bench)).expect("a test");
    let conductors = bench.conduct();
    // What it waits for is found out a moment after the bound is crossed.
    let waits_for_others = |test: &Test| {
        let reason = "not final: no second machine can confirm it";
        is_reached(test)
            && test
                .summary
                .warnings
                .iter()
                .any(|one| one.starts_with(reason))
    };
    let waiting = bench.work(&["one"], || bench.wait(&id, "decided", waits_for_others));
    assert!(!waiting.is_final, "{waiting:#?}");
    assert_eq!((waiting.passed, waiting.summary.outcome), (None, None));
    let done = bench.work(&["one", "two"], || {
        bench.wait(&id, "finished", |test| test.is_final)
    });
    conductors.end(&bench);
    assert_eq!(done.summary.outcome, Some(Outcome::Passed), "{done:#?}");
    assert_eq!(done.summary.by_one, Some(ByOne::Owner));
    assert_eq!(done.summary.warnings, [""; 0]);
    let checked = bench
        .lab
        .sql("select count(*) from lab.chunks where state = 3");
    let least = fleet::policy::confirm::LEAST_CHECKED;
    let done = bench
        .lab
        .sql("select count(*) from lab.chunks where state > 0");
    let number = |text: String| text.parse::<u64>().expect("a number");
    assert!(number(checked) >= least.min(number(done)));
}

#[test]
fn without_a_second_machine_a_decision_says_so() {
    let mut bench = Bench::new();
    bench.patience.alone = Duration::ZERO;
    for spec in [quick(&bench), timed(&bench)] {
        let id = bench.submit("ann", &spec).expect("a test");
        let conductors = bench.conduct();
        let done = bench.work(&["one"], || {
            bench.wait(&id, "finished", |test| test.is_final)
        });
        conductors.end(&bench);
        assert_eq!(done.passed, Some(true), "{done:#?}");
        assert_eq!(done.summary.by_one, Some(ByOne::Machine));
        let headline = &done.summary.headline;
        assert!(
            headline.starts_with("H1 is accepted by one machine: "),
            "{headline}"
        );
    }
}

#[test]
fn games_in_time_go_on_until_two_owners_agree() {
    let bench = Bench::new();
    let id = bench.submit("ann", &timed(&bench)).expect("a test");
    let conductors = bench.conduct();
    bench.work(&["one"], || {
        bench.wait(&id, "decided", |test| {
            is_reached(test) && pairs(test, "one") >= 50
        })
    });
    let done = bench.work(&["one", "bob's"], || {
        bench.wait(&id, "finished", |test| test.is_final)
    });
    conductors.end(&bench);
    assert_eq!(done.passed, Some(true), "{done:#?}");
    assert_eq!(done.summary.by_one, None);
    assert!(pairs(&done, "bob's") >= 50, "{:#?}", done.summary);
    // Games after the decision change nothing but that.
    let score = done.summary.score.expect("two engines");
    assert!(score.games < 2 * 50, "{score:#?}");
}

#[test]
fn what_nobody_confirms_is_for_people_to_decide() {
    let mut bench = Bench::new();
    bench.patience.others = Duration::ZERO;
    let id = bench.submit("ann", &timed(&bench)).expect("a test");
    // It is there, and plays nothing.
    let idle = queue::Worker {
        name: "idle".to_owned(),
        about: String::new(),
    };
    bench.register(&idle).expect("a worker");
    let conductors = bench.conduct();
    let flagged = bench.work(&["one"], || {
        bench.wait(&id, "flagged", |test| test.state == "flagged")
    });
    assert!(!flagged.is_final, "{flagged:#?}");
    let reason = flagged.reason.unwrap_or_default();
    assert!(
        reason.starts_with("nobody has confirmed it in 0 minutes: "),
        "{reason}"
    );
    let (ann, bob) = (account("ann"), account("bob"));
    let resume = |who| {
        bench
            .lab
            .runtime
            .block_on(submit::resume(&bench.lab.database, who, &id))
    };
    let error = resume(&bob).expect_err("an author");
    assert!(error.to_string().contains("resume tests"), "{error}");
    resume(&ann).expect("she may");
    let error = resume(&ann).expect_err("it goes on");
    assert_eq!(
        error.to_string(),
        "the test is running: expected one that is flagged"
    );
    let done = bench.wait(&id, "finished", |test| test.is_final);
    conductors.end(&bench);
    assert_eq!(
        (done.passed, done.summary.by_one),
        (Some(true), None),
        "{done:#?}"
    );
}
