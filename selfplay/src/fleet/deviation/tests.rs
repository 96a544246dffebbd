use chacha20::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

use super::*;
use crate::model::{EngineIndex, FaultKind, GameRecord, GameResult, Termination};
use crate::play::ledger::samples::{fault, played_by};

/// Both games of a pair with this many points, doubled, for the first engine.
fn pair(number: u64, worker: &str, points: u8) -> [GameRecord; 2] {
    let halves = [points.div_ceil(2), points / 2];
    [0, 1].map(|second| {
        let mut record = played_by(worker, 2 * number + second, 4);
        let own = halves[usize::from(second == 1)];
        record.result = match (own, second) {
            (1, _) => GameResult::Draw,
            (2, 0) | (0, 1) => GameResult::WhiteWins,
            _ => GameResult::BlackWins,
        };
        assert_eq!(record.half_points(EngineIndex(0)), Some(own));
        record
    })
}

/// Workers that deliver pairs in turn, with results drawn from `shares`, in percent.
struct Fleet {
    roll: StatsByWorker,
    watch: DeviationWatch,
    chance: ChaCha8Rng,
    next: u64,
}

const HONEST: [u32; 5] = [3, 22, 50, 22, 3];

impl Fleet {
    fn new(seed: u64) -> Self {
        Self {
            roll: StatsByWorker::default(),
            watch: DeviationWatch::default(),
            chance: ChaCha8Rng::seed_from_u64(seed),
            next: 0,
        }
    }

    fn bring(&mut self, worker: &str, shares: [u32; 5]) {
        let mut luck = self.chance.random_range(0..100);
        let points = shares.iter().position(|&share| {
            let is_it = luck < share;
            luck = luck.saturating_sub(share);
            is_it
        });
        let points = u8::try_from(points.expect("they add up to 100")).expect("below five");
        for record in pair(self.next, worker, points) {
            self.roll.add(&record);
        }
        self.next += 1;
    }

    /// Lets every worker deliver `pairs` pairs; returns the first finding.
    fn play(&mut self, workers: &[(&str, [u32; 5])], pairs: u64) -> Option<Finding> {
        for _ in 0..pairs {
            for &(name, shares) in workers {
                self.bring(name, shares);
                let found = self.watch.look(&self.roll, false);
                if found.is_some() {
                    return found;
                }
            }
        }
        self.watch.look(&self.roll, true)
    }
}

#[test]
fn a_worker_that_always_wins_is_found_at_the_first_look() {
    let mut fleet = Fleet::new(1);
    let cheat = [0, 0, 0, 0, 100];
    let found = fleet.play(&[("a", HONEST), ("b", HONEST), ("c", cheat)], 100);
    let found = found.expect("it is found");
    assert_eq!((found.worker.as_str(), found.is_certain()), ("c", true));
    let Reason::Pairs { own, rest, .. } = found.reason else {
        panic!("{found:?}");
    };
    assert_eq!((own.pairs(), rest.pairs()), (32, 64));
    let text = found.to_string();
    let expected = "its 32 pairs [0,0,0,0,32] differ from the 64 of the others [";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.ends_with(", less than 8.3e-5"), "{text}");
}

#[test]
fn the_busiest_worker_is_found_among_those_who_differ() {
    let mut fleet = Fleet::new(2);
    let better = [0, 5, 45, 40, 10];
    let workers = [
        ("a", HONEST),
        ("b", HONEST),
        ("c", better),
        ("c", better),
        ("d", HONEST),
    ];
    let found = fleet.play(&workers, 4000).expect("it is found");
    assert_eq!(found.worker, "c");
}

#[test]
fn of_two_nobody_knows_which() {
    let mut fleet = Fleet::new(3);
    let found = fleet.play(&[("a", HONEST), ("b", [0, 0, 0, 0, 100])], 100);
    assert!(!found.expect("they differ").is_certain());
}

/// With a level of 1/1000 per run, 300 runs have at most one mistake in 96 of 100 cases; three
/// would be suspicious. The seeds are fixed.
#[test]
fn honest_workers_are_left_alone() {
    let mistakes = (0..300).filter(|&seed| {
        let mut fleet = Fleet::new(1000 + seed);
        let workers = ["a", "b", "c", "d", "e"].map(|name| (name, HONEST));
        fleet.play(&workers, 130).is_some()
    });
    assert!(mistakes.count() <= 1);
}

#[test]
fn a_machine_that_loses_games_is_found_though_it_is_one_of_two() {
    let mut roll = StatsByWorker::default();
    let forfeit = fault(EngineIndex(1), FaultKind::TimeForfeit, "");
    let mut watch = DeviationWatch::default();
    for number in 0..64 {
        let worker = ["good", "bad"][usize::from(number % 2 == 1)];
        for mut record in pair(number, worker, 2) {
            if worker == "bad" && number % 8 == 1 && record.plan.game % 2 == 0 {
                record.termination = Termination::Fault;
                record.fault = Some(forfeit.clone());
            }
            roll.add(&record);
        }
    }
    // 8 of 64 games against none of 64 has a probability of 0.3%, which is above this level.
    assert_eq!(watch.look(&roll, false), None);
    for number in 64..128 {
        for mut record in pair(number, "bad", 2) {
            record.fault = Some(forfeit.clone());
            roll.add(&record);
        }
    }
    let found = watch.look(&roll, false).expect("it is found");
    assert_eq!(found.worker, "bad");
    let text = found.to_string();
    assert!(
        text.starts_with("136 of its 192 games were lost by faults that a machine can cause, of the others' 0 of 64: p "),
        "{text}"
    );
}
