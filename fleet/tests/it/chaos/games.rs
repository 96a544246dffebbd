//! Tests of games at a lab, and the same played undisturbed on this machine.

use std::collections::BTreeMap;
use std::path::Path;

use fleet::conduct::spec::{EngineSpec, LimitsSpec, OpeningsSpec, TestKind, TestSpec};
use fleet::conduct::summary::TestSummary;
use queue::program::sha256;
use selfplay::fleet::protocol::{JobBody, Message as _};
use selfplay::ledger::{Ledger, Stored};
use selfplay::model::GameRecord;
use selfplay::openings::Openings;
use selfplay::player::{EngineTimeouts, RunPrograms};
use selfplay::report::run::{Collector, RunReport};
use selfplay::run::{Run, RunState, run};
use serde_json::Value;

use super::lab::Lab;

/// A game by its number, without times.
type Games = BTreeMap<u64, String>;

/// Between two engines that move by chance, the same each time on the same board.
pub(crate) fn spec(lab: &Lab, kind: TestKind) -> TestSpec {
    let sum = sha256(&lab.engine()).expect("there");
    let engine = |seed| EngineSpec {
        name: Some(format!("seed {seed}")),
        sha256: Some(sum.clone()),
        arguments: vec![format!("--seed={seed}")],
        ..EngineSpec::default()
    };
    let mut spec = TestSpec {
        engines: vec![engine(3), engine(7)],
        limits: LimitsSpec {
            nodes: Some(1),
            ..LimitsSpec::default()
        },
        openings: OpeningsSpec {
            book: "chess960".to_owned(),
            ..OpeningsSpec::default()
        },
        ..TestSpec::new(kind)
    };
    spec.adjudication.max_moves = Some(30);
    spec
}

/// Submits a test; returns its name.
pub(crate) fn submit(lab: &Lab, spec: &TestSpec) -> String {
    let submitted: Value = lab.ask(|client| client.post("/api/1/tests", spec));
    submitted["id"].as_str().expect("a name").to_owned()
}

/// What is known of a test, once it is final.
pub(crate) fn result(lab: &Lab, id: &str) -> Option<TestSummary> {
    let test: Value = lab.ask(|client| client.get(&format!("/api/1/tests/{id}")));
    let summary = test["summary"].clone();
    (test["is_final"] == Value::Bool(true))
        .then(|| serde_json::from_value(summary).expect("a summary"))
}

/// Every game of the lab is there once, and the one that an undisturbed run plays; the results are the same.
pub(crate) fn check(lab: &Lab, id: &str) {
    let summary = result(lab, id).expect("it is final");
    let text = lab.sql(&format!("select body from lab.jobs where id = '{id}'"));
    let (state, expected, local) = alone(&text, &lab.engine());
    let lines = page(lab, &format!("/api/1/tests/{id}/ledger"));
    let lines = lines.lines().collect::<Vec<_>>();
    let games = games(&lines);
    assert_eq!(games.len(), lines.len(), "{id}: a game is there twice");
    assert!(
        games.keys().copied().eq(0..games.len() as u64) || summary.sprt.is_some(),
        "{id}"
    );
    for (number, game) in &expected {
        assert_eq!(games.get(number), Some(game), "{id}, game {number}");
    }
    let pgn = page(lab, &format!("/api/1/tests/{id}/pgn"));
    assert_eq!(pgn.matches("[Event ").count(), games.len(), "{id}");
    let results = state.result();
    let counts = results.counts.as_ref().expect("two engines");
    let score = summary.score.expect("two engines");
    assert_eq!(score.games, counts.games(), "{id}");
    let verdict = summary.sprt.map(|sprt| sprt.state);
    assert_eq!(
        verdict.as_deref(),
        results.test.as_ref().map(|test| test.state.name()),
        "{id}"
    );
    let report = report(lab, id);
    assert_eq!(report["games"], games.len(), "{id}");
    // Workers go on with what they began when a test is decided.
    let same: &[&str] = match &results.test {
        Some(_) => &["sprt"],
        None => &[
            "distinct",
            "pairings",
            "terminations",
            "white",
            "plies",
            "openings",
            "faults",
        ],
    };
    for name in same {
        assert_eq!(report[name], local[name], "{id}: {name}");
    }
    assert_eq!(summary.quarantined, [], "{id}");
}

/// The report of a test, as `selfplay report` writes it of a run.
pub(crate) fn report(lab: &Lab, id: &str) -> Value {
    let text = page(lab, &format!("/api/1/tests/{id}/report"));
    serde_json::from_str(&text).expect("a report")
}

/// What an address of the lab shows.
pub(crate) fn page(lab: &Lab, path: &str) -> String {
    let bytes = lab.ask(|client| {
        let mut bytes = Vec::new();
        client.download(path, &mut bytes).map(|_| bytes)
    });
    String::from_utf8(bytes).expect("UTF-8")
}

fn games(lines: &[&str]) -> Games {
    let game = |line: &&str| {
        let record: GameRecord = serde_json::from_str(line).expect("a game");
        let moves: Vec<&str> = record.moves.iter().map(|one| &*one.uci).collect();
        let (result, how) = (record.result.as_str(), record.termination.as_str());
        (
            record.plan.game,
            format!("{result} {how} {}", moves.join(" ")),
        )
    };
    lines.iter().map(game).collect()
}

/// Plays the job of a test here; returns its report, too.
fn alone(body: &str, engine: &Path) -> (RunState, Games, Value) {
    let mut config = JobBody::from_text(body).expect("a body").config;
    for one in &mut config.engines {
        engine.clone_into(&mut one.command.program);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run");
    let stored = serde_json::json!({ "config": config, "version": "0" });
    let stored: Stored = serde_json::from_value(stored).expect("all that it needs");
    let openings = Openings::open(&config.openings, config.seed).expect("they are built in");
    let mut all = Run {
        state: RunState::new(config, &[]).expect("a run"),
        ledger: Ledger::create(&path, &stored).expect("new"),
        openings: &openings,
        endgames: None,
        patience: EngineTimeouts::default(),
        max_faults: None,
        programs: RunPrograms::default(),
        control: &mut || None,
        interrupt: &kit::Interrupt::default(),
    };
    run(&mut all, &mut |_| {}).expect("it is played");
    let ledger = std::fs::read_to_string(path.join("ledger.jsonl")).expect("written");
    let lines = ledger.lines().collect::<Vec<_>>();
    let config = &all.state.config;
    let mut collector = Collector::new(config).expect("a run");
    for line in &lines {
        let record: GameRecord = serde_json::from_str(line).expect("a game");
        collector.record(&record).expect("a game of the run");
    }
    let report = RunReport::new(config, &collector.summary()).json();
    let report = serde_json::from_str(&report).expect("a report");
    (all.state, games(&lines), report)
}
