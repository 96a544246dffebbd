//! Workers that are not to be believed: they are quarantined, and their pairs are replayed.

use std::time::{Duration, Instant};

use queue::{BrokerError, InProcess, Jobs, UnitResult};
use selfplay::fleet::protocol::{KIND, Message, PairBody, PlayedGame, UnitBody};
use selfplay::lab::summary::Outcome;
use selfplay::model::{EngineIndex, GamePlan, GameRecord, GameResult, Termination};

use super::bed::{Bed, Crowd, UNDECIDED, games, nodes, worker};

/// A game that the first engine wins, whatever colour it has: the other one resigns at once.
fn won(plan: GamePlan, unit: &UnitBody) -> GameRecord {
    GameRecord {
        plan,
        opening: unit.opening.clone(),
        result: if plan.white == EngineIndex(0) {
            GameResult::WhiteWins
        } else {
            GameResult::BlackWins
        },
        termination: Termination::Resignation,
        fault: None,
        moves: Vec::new(),
        started_ms: 0,
        duration_ms: 1,
        incidents: Vec::new(),
        machine: None,
        ids: <[selfplay::model::EngineId; 2]>::default(),
    }
}

/// Brings made-up games as long as it is let, never more than `others` have brought on average; why it
/// ended.
fn cheat(broker: &dyn Jobs, name: &str, others: &[&str]) -> BrokerError {
    broker.register(&worker(name)).expect("nobody knows it");
    let deadline = Instant::now() + Duration::from_mins(4);
    loop {
        assert!(Instant::now() < deadline, "it is not quarantined");
        let all = broker.workers().expect("they can be asked");
        let state = |name: &str| all.iter().find(|one| one.worker.name == name);
        // Not those of the slowest: on a busy machine it may have next to none, and so would this one.
        let brought = others
            .iter()
            .map(|other| state(other).map_or(0, |one| one.units));
        let most = brought
            .sum::<u64>()
            .checked_div(others.len() as u64)
            .unwrap_or(u64::MAX);
        if state(name).is_some_and(|one| one.quarantined.is_none() && one.units >= most) {
            std::thread::sleep(Duration::from_millis(2));
            continue;
        }
        let lease = match broker.lease(name, &[KIND], Duration::from_secs(20)) {
            Ok(Some(lease)) => lease,
            Ok(None) => {
                std::thread::sleep(Duration::from_millis(2));
                continue;
            }
            Err(error) => return error,
        };
        let results = lease.units.iter().map(|unit| {
            let asked = UnitBody::from_text(&unit.body).expect("ours");
            let games = asked.pairing.games().map(|plan| PlayedGame {
                record: won(plan, &asked),
                transcript: None,
            });
            UnitResult {
                key: unit.key,
                value: PairBody { games }.to_text(),
            }
        });
        let results: Vec<UnitResult> = results.collect();
        if let Err(error) = broker.complete(&lease, &results) {
            return error;
        }
    }
}

/// Two are honest; the third never brings more than those two do on average.
#[test]
fn a_worker_that_always_wins_is_quarantined_and_its_pairs_are_replayed() {
    let bed = Bed::new();
    let test = bed.test(120, &nodes(), UNDECIDED);
    let (_, alone) = bed.alone(&test);
    let broker = InProcess::new();
    let crowd = Crowd::new(&broker);
    let mut error = None;
    let played = test.conduct_beside(&crowd, |scope| {
        scope.spawn(|| crowd.play(&bed, "one"));
        scope.spawn(|| crowd.play(&bed, "two"));
        error = Some(cheat(&broker, "cheat", &["one", "two"]));
    });
    assert_eq!(played.outcome(), Some(Outcome::Undecided));
    // Every pair was played by the honest, as if there had been nobody else.
    assert_eq!(games(&broker), alone);
    let workers: Vec<_> = played.workers().collect();
    assert!(!workers.contains(&"cheat"), "{workers:?}");
    let [entry] = played.quarantined() else {
        panic!("one of three cheats: {:?}", played.quarantined());
    };
    let (found, reason) = (&*entry.worker, &entry.reason);
    assert!(
        found == "cheat" && reason.contains("pairs [0,0,0,0,"),
        "{found}: {reason}"
    );
    assert!(reason.contains("differ from the "), "{reason}");
    let Some(BrokerError::Quarantined {
        worker,
        reason: reported,
    }) = error
    else {
        panic!("{error:?}");
    };
    assert_eq!((worker.as_str(), &reported), ("cheat", reason));
}
