//! Antichess against Fairy-Stockfish, which the server never asks: every certified list is the judge's.

use std::collections::BTreeSet;
use std::time::Duration;

use crowd::model::MoveText;
use crowd::service::Settings;
use crowd::variant::{SHIPPED, Shipped, read_suite};
use crowd::verify::{PerftOne, VariantDifference};
use uci::{Cancel, CommandLine};

use super::crowd::{Truth, work};
use crate::common::{Base, NOON, plan};

const PATIENCE: Duration = Duration::from_secs(30);
/// Number of positions of the campaign that people list here.
const LISTED: usize = 12;

fn judge(variant: &str) -> PerftOne {
    let command = CommandLine::new("fairy-stockfish");
    let started = PerftOne::start(&command, &[], variant, Cancel::new(), PATIENCE);
    started.expect("fairy-stockfish is installed by scripts/test")
}

fn shipped(name: &str) -> Shipped {
    let found = SHIPPED.into_iter().find(|shipped| shipped.name == name);
    found.expect("it is shipped")
}

/// The judge's moves for the positions of a suite.
fn truth(judge: &mut PerftOne, suite: &str) -> Truth {
    let lines = read_suite(suite.as_bytes()).into_iter();
    let of_line = |line: Result<_, _>| {
        let fen = crowd::variant::SuiteLine::clone(&line.expect("good")).fen;
        let moves = judge.moves(&fen, PATIENCE).expect("a list");
        let moves = moves.iter().map(|mv| mv.parse().expect("a move"));
        (fen, moves.collect::<BTreeSet<MoveText>>())
    };
    lines.map(of_line).collect()
}

#[test]
#[ignore = "long: the shipped variants agree with Fairy-Stockfish"]
fn the_gold_of_shipped_campaigns_is_the_judges() {
    for Shipped { name, gold, .. } in SHIPPED {
        let mut judge = judge(name);
        for line in read_suite(gold.as_bytes()) {
            let line = line.expect("good");
            let listed = judge.moves(&line.fen, PATIENCE).expect("a list");
            let difference = VariantDifference::new(&line.moves.expect("gold"), &listed);
            assert_eq!(difference, VariantDifference::default(), "{}", line.fen);
        }
    }
}

#[tokio::test]
#[ignore = "long: certified lists of variants agree with Fairy-Stockfish"]
async fn what_people_certify_is_what_the_judge_lists() {
    let base = Base::sqlite();
    let service = base.service(Settings::default()).await;
    let antichess = shipped("antichess");
    let mut judge = judge("antichess");
    let lines = antichess
        .positions
        .lines()
        .filter(|line| !line.starts_with('#'));
    let positions = lines.step_by(5).take(LISTED).collect::<Vec<_>>().join("\n");
    let set = service
        .set_card("antichess", None, antichess.card, NOON)
        .await;
    set.expect("a card");
    for (text, gold) in [(positions.as_str(), false), (antichess.gold, true)] {
        let taken = service
            .import(text.as_bytes(), plan("antichess", gold), NOON)
            .await;
        taken.expect("an import");
    }
    let mut known = truth(&mut judge, &positions);
    known.extend(truth(&mut judge, antichess.gold));
    work(
        &service,
        "antichess",
        antichess.card,
        &known,
        (LISTED as u64, 60),
    )
    .await;
    let cases = service.variant_cases("antichess").await.expect("cases");
    assert!(
        cases.len() >= LISTED - 2,
        "only {} are certified",
        cases.len()
    );
    for case in cases {
        let moves: BTreeSet<MoveText> = case.moves.iter().map(|one| one.mv.clone()).collect();
        assert_eq!(moves, known[&case.fen], "{}", case.fen);
    }
}
