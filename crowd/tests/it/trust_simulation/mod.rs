//! Simulated people list the thesis's positions: how many lists it takes until the crowd is sure, and that nothing wrong
//! becomes a test case.

#![expect(clippy::print_stdout, reason = "the cost in lists is worth knowing")]

mod models;
mod nonsense;
mod sybils;

use std::collections::{BTreeMap, BTreeSet};

use chacha20::ChaCha8Rng;
use chess::rules::{Position, Square};
use crowd::aggregate::moves::{Estimates, MoveEstimate, MoveLabel, estimate};
use crowd::candidates::{Candidate, candidates, legal_texts};
use crowd::model::{MoveClass, MoveText, Purpose};
use crowd::trust::{
    CertificateRule, CertificateVerdict, Certified, Comparison, Evidence, NeedSettings,
    PersonHistory, PositionNeed, Reliability, Undecided, certify, choose, compare, gather,
};
use rand::{RngExt, SeedableRng};

const MOST_LISTS: u32 = 900;
/// A crowd of people who are known not to collude: about three lists that agree are enough.
const TRUSTING: CertificateRule = CertificateRule {
    min_lists: 3,
    min_reliability: 0.7,
    certainty: 0.95,
    wrong_share: 0.04,
    error_bound: 1e-3,
};
const GOLD: [&str; 3] = ["thesis.b14", "thesis.b7", "thesis.b12"];

/// A position and what is known of it.
struct Task {
    number: i64,
    position: Position,
    gold: bool,
    /// Whether it is hidden gold.
    hidden: bool,
    candidates: Vec<Candidate>,
    legal: BTreeSet<MoveText>,
    verdict: Option<CertificateVerdict>,
    /// Lists since the verdict.
    pending: u32,
}

/// How often a person sees a legal move of a class, and how often they see one that is not.
#[derive(Clone, Copy)]
struct Skill {
    finds: f64,
    invents: f64,
}

struct Person {
    number: i64,
    skills: BTreeMap<MoveClass, Skill>,
    history: PersonHistory,
}

fn tasks() -> Vec<Task> {
    let thesis = epd::suites::find("thesis").expect("it is built in").parse();
    let tasks = thesis.entries.iter().zip(1..).map(|(entry, number)| {
        let position = *entry.record.position();
        Task {
            number,
            position,
            gold: entry.record.id().is_some_and(|id| GOLD.contains(&id)),
            hidden: false,
            candidates: candidates(&position),
            legal: legal_texts(&position),
            verdict: None,
            pending: 0,
        }
    });
    tasks.collect()
}

/// Most people know the pieces well and the rare moves less; of ten people one guesses.
fn person(number: i64, rng: &mut ChaCha8Rng) -> Person {
    let guesses = number % 10 == 0;
    let skills = MoveClass::ALL.into_iter().map(|class| {
        let (finds, invents) = match class {
            MoveClass::Ordinary => (0.97..0.999, 0.0..0.005),
            MoveClass::King => (0.93..0.99, 0.0..0.04),
            MoveClass::Castling | MoveClass::EnPassant => (0.75..0.98, 0.0..0.1),
            MoveClass::Promotion => (0.85..0.99, 0.0..0.03),
        };
        let skill = Skill {
            finds: rng.random_range(finds),
            invents: rng.random_range(invents),
        };
        let guess = Skill {
            finds: 0.5,
            invents: 0.5,
        };
        (class, if guesses { guess } else { skill })
    });
    Person {
        number,
        skills: skills.collect(),
        history: PersonHistory::default(),
    }
}

/// A person's answers to every candidate.
fn list(person: &Person, task: &Task, rng: &mut ChaCha8Rng) -> Vec<MoveLabel> {
    let label = |candidate: &Candidate| {
        let skill = person.skills[&candidate.class];
        let says_yes = if task.legal.contains(&candidate.text) {
            skill.finds
        } else {
            skill.invents
        };
        MoveLabel {
            position: task.number,
            candidate: candidate.text.clone(),
            class: candidate.class,
            worker: person.number,
            yes: rng.random::<f64>() < says_yes,
        }
    };
    task.candidates.iter().map(label).collect()
}

fn answers(task: &Task) -> impl Iterator<Item = ((i64, MoveText), bool)> {
    let candidates = task.candidates.iter();
    candidates.map(|one| {
        let is_legal = task.legal.contains(&one.text);
        ((task.number, one.text.clone()), is_legal)
    })
}

fn gold(tasks: &[Task]) -> BTreeMap<(i64, MoveText), bool> {
    tasks.iter().filter(|t| t.gold).flat_map(answers).collect()
}

fn decide(task: &Task, estimates: &Estimates, rule: &CertificateRule) -> CertificateVerdict {
    let reliabilities: Vec<Reliability> = estimates.workers.values().copied().collect();
    decide_by(task, estimates, &reliabilities, rule)
}

fn decide_by(
    task: &Task,
    estimates: &Estimates,
    reliabilities: &[Reliability],
    rule: &CertificateRule,
) -> CertificateVerdict {
    let gathered = gather(task.number, &task.candidates, &estimates.moves);
    let evidence = Evidence {
        estimates: &gathered,
        reliabilities,
    };
    certify(&evidence, rule)
}

fn need(task: &Task) -> PositionNeed {
    let undecided = match &task.verdict {
        Some(CertificateVerdict::Undecided(undecided)) => Some(undecided),
        _ => None,
    };
    let disputed = undecided.map_or(0, |u| u.disputed().count());
    PositionNeed {
        position: task.number,
        gold: task.gold,
        lists: undecided.map_or(0, |u| u.lists),
        disputed: u32::try_from(disputed).expect("few"),
        uncertainty: undecided.map_or(0.0, Undecided::uncertainty),
        live_locks: task.pending,
        full: false,
    }
}

fn has_open(tasks: &[Task]) -> bool {
    tasks.iter().any(|t| !t.gold && certified(t).is_none())
}

/// The crowd after a while.
struct Outcome {
    lists: u32,
    gold_lists: u32,
    /// How many there were when the last position was settled.
    lists_until: u32,
    agreed: u32,
    disputed: u32,
    undecided: u32,
}

fn certified(task: &Task) -> Option<&Certified> {
    task.verdict.as_ref().and_then(certified_by)
}

fn certified_by(verdict: &CertificateVerdict) -> Option<&Certified> {
    match verdict {
        CertificateVerdict::Certified(certified) => Some(certified),
        CertificateVerdict::Undecided(_) => None,
    }
}

fn simulate(seed: u64, people: i64, rule: &CertificateRule) -> Outcome {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut tasks = tasks();
    let mut people: Vec<Person> = (1..=people).map(|n| person(n, &mut rng)).collect();
    let known = gold(&tasks);
    let mut labels: Vec<MoveLabel> = Vec::new();
    let (mut lists, mut gold_lists, mut lists_until) = (0, 0, 0);
    let mut before = None;
    // A round without a list is the last: everybody has had what is open.
    while lists < MOST_LISTS && before != Some(lists) && has_open(&tasks) {
        before = Some(lists);
        for person in &mut people {
            let open = tasks.iter().filter(|t| certified(t).is_none());
            let needs: Vec<PositionNeed> = open.map(need).collect();
            let settings = NeedSettings {
                sufficient_lists: rule.sufficient_lists(),
                ..NeedSettings::default()
            };
            let seed = rng.random();
            let Some(number) = choose(&needs, &person.history, Purpose::Campaign, &settings, seed)
            else {
                continue;
            };
            let task = tasks
                .iter_mut()
                .find(|t| t.number == number)
                .expect("given");
            task.pending += 1;
            labels.extend(list(person, task, &mut rng));
            lists += 1;
            gold_lists += u32::from(task.gold);
            person.history.had.insert(number);
            person.history.lists += 1;
            if lists % 20 == 0 {
                let estimates = estimate(&labels, &known);
                let settled = tasks.iter().filter_map(certified).count();
                for task in tasks.iter_mut().filter(|t| !t.gold) {
                    task.verdict = Some(decide(task, &estimates, rule));
                    task.pending = 0;
                }
                if tasks.iter().filter_map(certified).count() > settled {
                    lists_until = lists;
                }
            }
        }
    }
    Outcome {
        lists,
        gold_lists,
        lists_until,
        ..outcome(&tasks)
    }
}

/// Holds what is certified against the generators.
fn outcome(tasks: &[Task]) -> Outcome {
    let mut outcome = Outcome {
        lists: 0,
        gold_lists: 0,
        lists_until: 0,
        agreed: 0,
        disputed: 0,
        undecided: 0,
    };
    for task in tasks.iter().filter(|t| !t.gold) {
        let Some(certified) = certified(task) else {
            outcome.undecided += 1;
            continue;
        };
        match compare(&task.position, certified) {
            Comparison::Agreed => {
                assert_eq!(certified.moves(), &task.legal, "a wrong test case");
                outcome.agreed += 1;
            }
            Comparison::Disputed(_) => {
                assert_ne!(certified.moves(), &task.legal);
                outcome.disputed += 1;
            }
        }
    }
    outcome
}

#[test]
fn honest_people_settle_the_thesis_and_nothing_wrong_becomes_a_test_case() {
    let seeds = testkit::scale(1, 3);
    let crowds = vec![
        (30, TRUSTING, seeds, 20),
        (60, CertificateRule::default(), 1, 20),
    ];
    for (people, rule, seeds, least) in testkit::some(crowds, 1) {
        for seed in 0..seeds {
            let found = simulate(seed, people, &rule);
            println!(
                "{people} people, {} wrong together, seed {seed}: {} lists, {} of them gold; of 23 positions {} \
                 became test cases, the last after {} lists; {} are disputed, {} open",
                rule.wrong_share,
                found.lists,
                found.gold_lists,
                found.agreed,
                found.lists_until,
                found.disputed,
                found.undecided
            );
            assert!(found.agreed >= least, "seed {seed}");
            assert_eq!(found.disputed, 0, "something wrong was certified");
        }
    }
}

/// A position that is not of the thesis.
fn task(number: i64, fen: &str) -> Task {
    let position = chess::notation::fen::parse(fen).expect("a legal FEN");
    Task {
        number,
        ..of(position)
    }
}

/// An open position without a number.
fn of(position: Position) -> Task {
    Task {
        number: 0,
        position,
        gold: false,
        hidden: false,
        candidates: candidates(&position),
        legal: legal_texts(&position),
        verdict: None,
        pending: 0,
    }
}

/// People who make no mistake, each with one list of the task; their numbers begin where others end.
fn perfect_lists(task: &Task, first: i64, count: i64) -> Vec<MoveLabel> {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let skills = MoveClass::ALL.map(|class| {
        let perfect = Skill {
            finds: 1.0,
            invents: 0.0,
        };
        (class, perfect)
    });
    let people = (first..first + count).map(|number| Person {
        number,
        skills: BTreeMap::from(skills),
        history: PersonHistory::default(),
    });
    people.flat_map(|p| list(&p, task, &mut rng)).collect()
}

/// In the gold of the service castling, checks and captures are possible, so the model expects some of everything.
#[test]
fn first_lists_that_all_agree_are_believed() {
    let gold_task = Task {
        gold: true,
        ..task(1, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    };
    // Castling is a candidate, and there is no right to it.
    let no_castling = task(2, "4k3/8/8/8/8/8/4P3/R3K2R w - - 0 1");
    let mate = task(3, "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
    assert!(mate.legal.is_empty());
    let mut labels = perfect_lists(&gold_task, 1, 5);
    labels.extend(perfect_lists(&no_castling, 100, 8));
    labels.extend(perfect_lists(&mate, 200, 4));
    let known = gold(std::slice::from_ref(&gold_task));
    let estimates = estimate(&labels, &known);
    for task in [&no_castling, &mate] {
        match decide(task, &estimates, &TRUSTING) {
            CertificateVerdict::Certified(certified) => assert_eq!(certified.moves(), &task.legal),
            CertificateVerdict::Undecided(open) => panic!("{}: {:?}", task.number, open.unsettled),
        }
    }
}
