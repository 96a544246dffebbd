//! A hard crowd: some moves are overlooked by nearly half of all people, reliable ones too. How many lists the majority and
//! the model get exactly right, from few lists per position.
//!
//! `docs/log/crowd-trust.md` has the figures of the full size.

use super::sybils::random_position;
use super::*;

const LISTS: usize = 12;
const PEOPLE: i64 = 40;

/// How many times a person must see a legal move before they list it: the chance of each is their skill.
fn looks(task: &Task, candidate: &Candidate, rng: &mut ChaCha8Rng) -> i32 {
    let is_hard = task.legal.contains(&candidate.text) && rng.random::<f64>() < 0.05;
    match candidate.class {
        _ if !is_hard => 1,
        MoveClass::Ordinary => rng.random_range(10..60),
        MoveClass::King | MoveClass::Promotion => rng.random_range(4..12),
        MoveClass::Castling | MoveClass::EnPassant => rng.random_range(2..5),
    }
}

/// Exact lists of the majority and of the model, of as many positions.
fn exact(seed: u64, positions: i64) -> [usize; 2] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut people: Vec<Person> = (1..=PEOPLE).map(|n| person(n, &mut rng)).collect();
    let mut tasks: Vec<Task> = Vec::new();
    let mut labels = Vec::new();
    for number in 0..positions {
        let task = Task {
            number,
            ..of(random_position(&mut rng))
        };
        let hard: Vec<i32> = task
            .candidates
            .iter()
            .map(|c| looks(&task, c, &mut rng))
            .collect();
        rand::seq::SliceRandom::shuffle(&mut people[..], &mut rng);
        for person in &people[..LISTS] {
            for (candidate, hard) in task.candidates.iter().zip(&hard) {
                let skill = person.skills[&candidate.class];
                let says_yes = if task.legal.contains(&candidate.text) {
                    skill.finds.powi(*hard)
                } else {
                    skill.invents
                };
                labels.push(MoveLabel {
                    position: number,
                    candidate: candidate.text.clone(),
                    class: candidate.class,
                    worker: person.number,
                    yes: rng.random::<f64>() < says_yes,
                });
            }
        }
        tasks.push(task);
    }
    let found = estimate(&labels, &BTreeMap::new()).moves;
    let count = |says_yes: fn(&MoveEstimate) -> bool| {
        let is_exact = |task: &&Task| {
            let mut candidates = task.candidates.iter();
            candidates.all(|c| {
                let estimate = &found[&(task.number, c.text.clone())];
                says_yes(estimate) == task.legal.contains(&c.text)
            })
        };
        tasks.iter().filter(is_exact).count()
    };
    let majority = count(|estimate| estimate.yes.len() > estimate.no.len());
    [majority, count(|estimate| estimate.dawid_skene > 0.5)]
}

#[test]
fn models_on_a_hard_crowd() {
    let positions = i64::try_from(testkit::scale(10, 50)).expect("few");
    for seed in 0..testkit::scale(1, 10) {
        let found = exact(seed, positions);
        println!("seed {seed}, {LISTS} lists each: {found:?}");
        assert!(found[1] >= found[0], "{found:?}");
    }
}
