use chacha20::ChaCha8Rng;
use chess::notation::uci_move;
use chess::rules::{CastlingMode, Position};
use rand::{RngExt as _, SeedableRng as _};

use super::super::rounds::PairPlan;
use super::super::spec::{TestKind, TestSpec, TuneSpec};
use super::*;
use crate::fleet::protocol::{Message, PairBody};
use crate::model::{EngineIndex, GameResult, MoveRecord, Termination, TournamentFormat};
use crate::play::ledger::samples;

/// A test of engines that are known by their sums, which repeat these digits.
fn engines(digits: &str) -> TestSpec {
    let engine = |digit: char| serde_json::json!({"sha256": digit.to_string().repeat(64)});
    let engines: Vec<_> = digits.chars().map(engine).collect();
    let spec = serde_json::json!({
        "schema": "touchstone/lab-test/1", "kind": "sprt", "rounds": 2000, "engines": engines,
        "bounds": {"elo0": 0, "elo1": 20, "model": "logistic"}, "limits": {"nodes": 100},
        "adjudication": {
            "resign": {"moves": 3, "score_cp": 400, "two_sided": false},
            "draw": {"from_move": 1, "moves": 1, "score_cp": 5},
        },
    });
    serde_json::from_value(spec).expect("a test")
}

struct Bench {
    spec: TestSpec,
    config: RunConfig,
    plan: PairPlan,
    /// Without results.
    begun: PairConductor,
}

impl Bench {
    fn new() -> Self {
        let spec = engines("ab");
        assert_eq!(spec.check(), []);
        let speed = std::num::NonZeroU64::MIN;
        let body = spec.job_body(&BTreeMap::new(), speed).expect("a run");
        let plan = PairPlan::new(&spec, &body.config).expect("a plan");
        let config = body.config;
        let begun =
            PairConductor::from_spec(&spec, config.clone(), Vec::new()).expect("a schedule");
        Self {
            spec,
            config,
            plan,
            begun,
        }
    }

    fn conductor(&self, quarantined: Vec<Quarantine>) -> PairConductor {
        let config = self.config.clone();
        PairConductor::from_spec(&self.spec, config, quarantined).expect("a schedule")
    }

    fn asked(&self, pair: u64) -> UnitBody {
        self.plan.unit(pair, &self.begun).expect("an opening")
    }

    /// The games of a pair with these points, doubled, for the first engine. The moves are random,
    /// so that no game is like another.
    fn pair(&self, pair: u64, points: u8, fault: Option<FaultKind>) -> String {
        played(&self.asked(pair), points, fault)
    }
}

fn played(asked: &UnitBody, points: u8, fault: Option<FaultKind>) -> String {
    let halves = [points.div_ceil(2), points / 2];
    let games = asked.pairing.games().map(|plan| {
        let own = halves[usize::from(plan.game % 2 == 1)];
        let white = if plan.white == asked.pairing.first {
            own
        } else {
            2 - own
        };
        let result = match white {
            0 => GameResult::BlackWins,
            1 => GameResult::Draw,
            _ => GameResult::WhiteWins,
        };
        let fault = fault.map(|kind| samples::fault(EngineIndex(0), kind, "it did"));
        let record = GameRecord {
            plan,
            opening: asked.opening.clone(),
            result,
            termination: match (&fault, result) {
                (Some(_), _) => Termination::Fault,
                (None, GameResult::Draw) => Termination::DrawAdjudication,
                _ => Termination::ResignAdjudication,
            },
            fault,
            moves: walk(asked, plan.game),
            ..samples::record(plan.game, 0)
        };
        PlayedGame {
            record,
            transcript: fault_output(points),
        }
    });
    PairBody { games }.to_text()
}

fn fault_output(points: u8) -> Option<String> {
    (points == 0).then(|| "x".repeat(2 * LISTED_OUTPUT))
}

fn walk(asked: &UnitBody, game: u64) -> Vec<MoveRecord> {
    let mut chance = ChaCha8Rng::seed_from_u64(game);
    let mut position: Position =
        chess::notation::fen::parse(&asked.opening.fen).expect("a position");
    for text in &asked.opening.moves {
        let m = uci_move::parse(text, &position, CastlingMode::Standard).expect("a move");
        position = position.play(m).expect("legal");
    }
    let mut moves = Vec::new();
    for _ in 0..6 {
        let legal = position.legal_moves();
        let m = legal[chance.random_range(0..legal.len())];
        let next = position.play(m).expect("legal");
        // A game that ends by the rules has another result.
        if next.legal_moves().is_empty() {
            break;
        }
        moves.push(MoveRecord {
            uci: uci_move::write(m, &position, CastlingMode::Standard),
            ..MoveRecord::default()
        });
        position = next;
    }
    moves
}

/// Points of pairs of engines that differ by some 70 Elo.
fn points(pair: u64) -> u8 {
    [2, 3, 2, 4, 1, 2, 3, 2, 3, 2][usize::try_from(pair % 10).expect("small")]
}

fn quarantine(worker: &str) -> Quarantine {
    Quarantine {
        worker: worker.to_owned(),
        reason: "it lies".to_owned(),
        games: 0,
        kept: String::new(),
    }
}

#[test]
fn the_order_of_results_changes_nothing() {
    let bench = Bench::new();
    let mut in_order = bench.conductor(Vec::new());
    let mut pair = 0;
    while !in_order.is_over() {
        let value = bench.pair(pair, points(pair), None);
        let worker = ["a", "b", "c"][usize::try_from(pair % 3).expect("small")];
        assert_eq!(in_order.take(&bench.asked(pair), worker, &value), None);
        pair += 1;
    }
    assert_eq!(in_order.outcome(), Some(Outcome::Passed));
    let expected = in_order.summary(2000, Vec::new());
    assert!(
        expected.headline.starts_with("H1 is accepted: "),
        "{}",
        expected.headline
    );

    // Backwards in blocks, with each pair twice; some pairs beyond the decision are known, too.
    let mut other = bench.conductor(Vec::new());
    let last = pair + 8;
    for block in (0..=last / 8).map(|block| 8 * block..8 * block + 8) {
        for pair in block.rev() {
            let value = bench.pair(pair, points(pair), None);
            let worker = ["a", "b", "c"][usize::try_from(pair % 3).expect("small")];
            for worker in [worker, "late"] {
                assert_eq!(other.take(&bench.asked(pair), worker, &value), None);
            }
        }
    }
    let found = other.summary(2000, Vec::new());
    assert_eq!(
        (found.outcome, &found.sprt),
        (expected.outcome, &expected.sprt)
    );
    let count = |summary: &TestSummary| summary.score.clone().expect("a match").pentanomial;
    assert_eq!(count(&found), count(&expected));
    assert!(!found.workers.contains_key("late"));
    let score = expected.score.expect("a match");
    assert_eq!(score.games, score.wins + score.draws + score.losses);
    assert_eq!(in_order.point().llr, expected.sprt.map(|sprt| sprt.llr));
}

#[test]
fn impossible_results_and_deviating_workers_are_found() {
    let bench = Bench::new();
    let mut conductor = bench.conductor(Vec::new());
    let wrong = bench.pair(1, 2, None);
    let found = conductor.take(&bench.asked(0), "a", &wrong);
    let Some(LabFinding::Quarantine { worker, reason }) = found else {
        panic!("the pair is another one: {found:?}");
    };
    let expected = "its result of pair 1 is impossible: game 1: it is not the scheduled game";
    assert_eq!((worker.as_str(), reason.as_str()), ("a", expected));

    let mut found = None;
    for pair in 0..400 {
        let worker = ["a", "b", "c", "liar"][usize::try_from(pair % 4).expect("small")];
        let points = if worker == "liar" {
            4 * u8::from(pair % 8 < 4)
        } else {
            2
        };
        let value = bench.pair(pair, points, None);
        assert_eq!(conductor.take(&bench.asked(pair), worker, &value), None);
        found = conductor.look();
        if found.is_some() {
            break;
        }
    }
    let Some(LabFinding::Quarantine { worker, .. }) = found else {
        panic!("nobody is quarantined: {found:?}");
    };
    assert_eq!(worker, "liar");
    let mut again = bench.conductor(vec![quarantine("liar")]);
    let value = bench.pair(0, 2, None);
    assert_eq!(again.take(&bench.asked(0), "liar", &value), None);
    assert_eq!(again.pairs(), 0, "it is not counted any more");
    assert_eq!(again.take(&bench.asked(0), "a", &value), None);
    assert_eq!(again.summary(2000, Vec::new()).quarantined.len(), 1);
    assert_eq!(
        conductor.summary(2000, Vec::new()).workers["liar"]
            .residual
            .map(|z| z.abs() < 4.0),
        Some(true)
    );
}

#[test]
fn an_engine_that_fails_everywhere_breaks_the_test() {
    let bench = Bench::new();
    let mut conductor = bench.conductor(Vec::new());
    let mut found = None;
    for pair in 0..20 {
        let value = bench.pair(pair, 0, Some(FaultKind::Crash));
        found = conductor.take(&bench.asked(pair), "a", &value);
        if found.is_some() {
            break;
        }
    }
    let Some(LabFinding::Broken(reason)) = found else {
        panic!("it goes on: {found:?}");
    };
    let expected = "engine 'engine-aaaaaaaaaa' has lost 20 games in a row by its own fault";
    assert!(reason.starts_with(expected), "{reason}");
    let summary = conductor.summary(2000, Vec::new());
    assert_eq!(summary.outcome, Some(Outcome::Broken));
    assert_eq!(summary.first_faults.len(), 20);
    let output = summary.first_faults[0]
        .output
        .as_ref()
        .expect("a transcript");
    assert_eq!(output.len(), LISTED_OUTPUT);
    assert_eq!(summary.faults[0].count, 20);
}

#[test]
fn a_machine_on_which_an_engine_only_crashes_is_quarantined() {
    let bench = Bench::new();
    let mut conductor = bench.conductor(Vec::new());
    let found = (0..40).find_map(|pair| {
        let (worker, fault) =
            [("good", None), ("bad", Some(FaultKind::Crash))][usize::from(pair % 2 == 1)];
        let value = bench.pair(pair, if fault.is_some() { 0 } else { points(pair) }, fault);
        conductor.take(&bench.asked(pair), worker, &value)
    });
    let Some(LabFinding::Quarantine { worker, reason }) = found else {
        panic!("it goes on: {found:?}");
    };
    let expected = "on its machine engine 'engine-aaaaaaaaaa' has lost 20 games in a row by its own fault, the last by \
                    crash: it did; the others have lost 0 of ";
    assert!(
        worker == "bad" && reason.starts_with(expected),
        "{worker}: {reason}"
    );
}

/// A test with its plan.
fn begun(spec: &TestSpec) -> (PairPlan, PairConductor) {
    assert_eq!(spec.check(), []);
    let body = spec.job_body(&BTreeMap::new(), std::num::NonZeroU64::MIN);
    let config = body.expect("a run").config;
    let plan = PairPlan::new(spec, &config).expect("openings");
    let conductor = PairConductor::from_spec(spec, config, Vec::new());
    (plan, conductor.expect("a schedule"))
}

fn next(plan: &mut PairPlan, conductor: &PairConductor) -> Vec<UnitBody> {
    let units = plan.next(conductor, 100).expect("openings");
    for unit in &units {
        plan.note(unit);
    }
    units
}

#[test]
fn pairings_that_were_made_from_wrong_results_are_made_again() {
    let spec = TestSpec {
        kind: TestKind::Tournament {
            rounds: Some(2),
            system: Some(TournamentFormat::Swiss),
        },
        ..engines("abcd")
    };
    let (mut plan, mut conductor) = begun(&spec);
    let first = next(&mut plan, &conductor);
    assert_eq!((first.len(), plan.total(&conductor)), (2, 4));
    assert_eq!(next(&mut plan, &conductor), [], "it depends on results");
    for unit in &first {
        assert_eq!(conductor.take(unit, "liar", &played(unit, 4, None)), None);
    }
    let second = next(&mut plan, &conductor);
    assert_eq!(second.len(), 2);

    // The first pair ends in another way, and comes in last.
    let (_, mut again) = begun(&spec);
    for unit in &second {
        assert_eq!(again.take(unit, "a", &played(unit, 3, None)), None);
    }
    let found = again.take(&first[1], "a", &played(&first[1], 4, None));
    assert_eq!(found, None);
    assert_eq!(again.pairs(), 1, "the second round has not begun");
    let found = again.take(&first[0], "b", &played(&first[0], 0, None));
    assert_eq!(found, None);
    assert_eq!(again.pairs(), 2, "the pairings are others now");
    let made_again = next(&mut plan, &again);
    assert_eq!(made_again.len(), 2);
    assert_ne!(made_again[0].pairing, second[0].pairing);
    assert_eq!((plan.made(), plan.total(&again)), (6, 6));
    for (key, unit) in (4..).zip(&made_again) {
        assert_eq!(plan.unit(key, &again).ok().as_ref(), Some(unit));
        assert_eq!(again.take(unit, "b", &played(unit, 2, None)), None);
    }
    assert_eq!(again.outcome(), Some(Outcome::Complete));
    assert_eq!(next(&mut plan, &again), []);
}

#[test]
fn a_knockout_has_one_more_round_until_it_is_over() {
    let spec = TestSpec {
        kind: TestKind::Tournament {
            rounds: Some(1),
            system: Some(TournamentFormat::Knockout),
        },
        ..engines("abc")
    };
    let (mut plan, mut conductor) = begun(&spec);
    let mut rounds = Vec::new();
    loop {
        let units = next(&mut plan, &conductor);
        rounds.push((units.len(), plan.total(&conductor)));
        let [unit] = &units[..] else { break };
        // The first meeting is tied at first.
        let points = if rounds.len() == 1 { 2 } else { 4 };
        assert_eq!(conductor.take(unit, "a", &played(unit, points, None)), None);
    }
    assert_eq!(rounds, [(1, 2), (1, 3), (1, 4), (0, 3)]);
    let summary = conductor.summary(plan.total(&conductor), Vec::new());
    let expected = "complete: 6 games, won by engine-aaaaaaaaaa";
    assert_eq!(summary.headline, expected);
}

#[test]
fn a_tuning_asks_for_what_is_known() {
    let spec = TestSpec {
        kind: TestKind::Tune {
            tune: TuneSpec {
                parameters: vec!["Margin, int, 20, 0, 100, 8, 0.05".to_owned()],
                pairs: 2,
                lag: 2,
                ..TuneSpec::usual(3)
            },
        },
        ..engines("a")
    };
    let (mut plan, mut conductor) = begun(&spec);
    let mut units = next(&mut plan, &conductor);
    assert_eq!((units.len(), plan.total(&conductor)), (4, 6));
    let value = |unit: &UnitBody, side: usize| -> f64 {
        let options = unit.options.as_ref().expect("a tuning");
        assert_eq!(options[side][0].0, "Margin");
        options[side][0].1.parse().expect("a number")
    };
    // The larger value is better.
    let won = |unit: &UnitBody| played(unit, 4 * u8::from(value(unit, 0) > value(unit, 1)), None);
    assert!((value(&units[0], 0) - value(&units[0], 1)).abs() > 8.0);
    units.reverse();
    for unit in &units[..2] {
        assert_eq!(conductor.take(unit, "a", &won(unit)), None);
    }
    assert_eq!(next(&mut plan, &conductor), [], "the first is not known");
    let tuned = |conductor: &PairConductor| {
        let summary = conductor.summary(6, Vec::new());
        let tune = summary.tune.expect("a tuning");
        (tune.iterations, tune.parameters[0].value)
    };
    assert_eq!(tuned(&conductor), (0, 20.0));
    for unit in &units[2..] {
        assert_eq!(conductor.take(unit, "b", &won(unit)), None);
    }
    let (iterations, margin) = tuned(&conductor);
    assert!(iterations == 2 && margin > 20.0, "{iterations} {margin}");
    assert_eq!(next(&mut plan, &conductor).len(), 2);
    assert!(conductor.summary(6, Vec::new()).score.is_none());
}
