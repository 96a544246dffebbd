//! Reference implementation of expectation-maximisation, slow and plain: dense tables, and products
//! instead of sums of logarithms. The tests compare the models with it, and check properties of any
//! such model.

use std::collections::BTreeMap;

use chacha20::ChaCha8Rng;
use proptest::prelude::*;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;

use super::{Aggregated, EmSettings, Method, aggregate};
use crate::labels::Labels;

type Cube = Vec<Vec<Vec<f64>>>;

/// The label of each worker for each task, if any; and the known answers.
struct Dense {
    kinds: usize,
    said: Vec<Vec<Option<usize>>>,
    gold: Vec<Option<usize>>,
}

impl Dense {
    fn new(labels: &Labels, gold: &BTreeMap<String, String>) -> Self {
        let mut said = vec![vec![None; labels.workers().len()]; labels.tasks().len()];
        for given in labels.given() {
            said[given.task][given.worker] = Some(given.label);
        }
        let answer = |task: &String| labels.names().find(gold.get(task)?);
        Self {
            kinds: labels.names().len(),
            said,
            gold: labels.tasks().texts().iter().map(answer).collect(),
        }
    }

    fn to_shares(&self, weights: &mut [Vec<f64>]) {
        for (row, gold) in weights.iter_mut().zip(&self.gold) {
            let sum: f64 = row.iter().sum();
            for (kind, weight) in row.iter_mut().enumerate() {
                *weight = gold.map_or(*weight / sum, |gold| f64::from(u8::from(gold == kind)));
            }
        }
    }

    fn votes(&self) -> Vec<Vec<f64>> {
        let count = |row: &Vec<Option<usize>>, kind| {
            let votes = row.iter().filter(|&&said| said == Some(kind)).count();
            f64::from(u32::try_from(votes).expect("few"))
        };
        let row = |row| (0..self.kinds).map(|kind| count(row, kind)).collect();
        let mut votes: Vec<Vec<f64>> = self.said.iter().map(row).collect();
        self.to_shares(&mut votes);
        votes
    }

    /// By worker, true label, and given label.
    fn confusion(&self, truth: &[Vec<f64>], one_coin: bool) -> Cube {
        let workers = self.said.first().map_or(0, Vec::len);
        (0..workers)
            .map(|worker| {
                if one_coin {
                    self.coin(truth, worker)
                } else {
                    self.matrix(truth, worker)
                }
            })
            .collect()
    }

    fn answers(&self, worker: usize) -> impl Iterator<Item = (usize, usize)> {
        let said = self.said.iter().enumerate();
        said.filter_map(move |(task, row)| Some((task, row[worker]?)))
    }

    fn matrix(&self, truth: &[Vec<f64>], worker: usize) -> Vec<Vec<f64>> {
        let row = |is: usize| {
            let mut row = vec![0.0; self.kinds];
            for (task, label) in self.answers(worker) {
                row[label] += truth[task][is];
            }
            for (label, count) in row.iter_mut().enumerate() {
                let ever = self.answers(worker).any(|(_, said)| said == label);
                *count = if ever { f64::max(*count, 1e-10) } else { 0.0 };
            }
            let sum: f64 = row.iter().sum();
            row.into_iter().map(|count| count / sum).collect()
        };
        (0..self.kinds).map(row).collect()
    }

    fn coin(&self, truth: &[Vec<f64>], worker: usize) -> Vec<Vec<f64>> {
        let right: Vec<f64> = self
            .answers(worker)
            .map(|(task, label)| truth[task][label])
            .collect();
        let count = f64::from(u32::try_from(right.len()).expect("few"));
        let skill = right.iter().sum::<f64>() / count;
        let others = f64::from(u32::try_from(self.kinds).expect("few")) - 1.0;
        let cell = |is: usize, says: usize| {
            let probability = if is == says {
                skill
            } else {
                (1.0 - skill) / others
            };
            probability.clamp(1e-10, 1.0 - 1e-10)
        };
        let row = |is| (0..self.kinds).map(|says| cell(is, says)).collect();
        (0..self.kinds).map(row).collect()
    }

    fn priors(truth: &[Vec<f64>], kinds: usize) -> Vec<f64> {
        let tasks = f64::from(u32::try_from(truth.len()).expect("few"));
        let mean = |kind: usize| truth.iter().map(|row| row[kind]).sum::<f64>() / tasks;
        (0..kinds).map(|kind| mean(kind).max(1e-10)).collect()
    }

    fn expect(&self, priors: &[f64], confusion: &Cube) -> Vec<Vec<f64>> {
        let weight = |row: &Vec<Option<usize>>, kind: usize| {
            let said = row.iter().enumerate();
            said.filter_map(|(worker, label)| Some(confusion[worker][kind][(*label)?]))
                .fold(priors[kind], |product, factor| product * factor)
        };
        let row = |row| (0..self.kinds).map(|kind| weight(row, kind)).collect();
        let mut truth: Vec<Vec<f64>> = self.said.iter().map(row).collect();
        self.to_shares(&mut truth);
        truth
    }

    fn bound(&self, truth: &[Vec<f64>], priors: &[f64], confusion: &Cube) -> f64 {
        let (mut sum, mut labels) = (0.0, 0.0);
        for (row, truth) in self.said.iter().zip(truth) {
            for (worker, label) in row.iter().enumerate() {
                let Some(label) = *label else { continue };
                labels += 1.0;
                for kind in 0..self.kinds {
                    sum += truth[kind] * f64::ln(confusion[worker][kind][label] * priors[kind]);
                }
            }
        }
        let entropy = truth.iter().flatten().map(|&p| p.max(1e-10));
        (sum - entropy.map(|p| p * p.ln()).sum::<f64>()) / labels
    }

    fn fit(&self, one_coin: bool) -> Vec<Vec<f64>> {
        let mut truth = self.votes();
        let mut before = f64::NEG_INFINITY;
        for _ in 0..100 {
            let confusion = self.confusion(&truth, one_coin);
            truth = self.expect(&Self::priors(&truth, self.kinds), &confusion);
            let confusion = self.confusion(&truth, one_coin);
            let bound = self.bound(&truth, &Self::priors(&truth, self.kinds), &confusion);
            if bound - before < 1e-5 {
                break;
            }
            before = bound;
        }
        truth
    }
}

/// Task, worker and label; all names have one letter.
type Triples = Vec<(u8, u8, u8)>;

fn labels_of(triples: &Triples) -> Labels {
    let mut labels = Labels::default();
    for (task, worker, label) in triples {
        // A second answer by the same worker is rejected: the first one stays.
        let _ = labels.push(
            &format!("t{task}"),
            &format!("w{worker}"),
            &format!("l{label}"),
        );
    }
    labels
}

fn run(triples: &Triples, method: Method, gold: &BTreeMap<String, String>) -> Aggregated {
    aggregate(labels_of(triples), method, gold, EmSettings::default()).expect("small")
}

fn by_name(aggregated: &Aggregated) -> BTreeMap<(String, String), f64> {
    let labels = &aggregated.labels;
    let mut named = BTreeMap::new();
    for (task, row) in labels
        .tasks()
        .texts()
        .iter()
        .zip(aggregated.probability.iter())
    {
        for (label, &probability) in labels.names().texts().iter().zip(row) {
            named.insert((task.clone(), label.clone()), probability);
        }
    }
    named
}

/// Simulates workers, each correct with their own probability; the truth of a task is its number
/// modulo `kinds`.
fn simulate(rng: &mut ChaCha8Rng, tasks: u8, skills: &[f64], kinds: u8) -> Triples {
    let mut triples = Vec::new();
    for task in 0..tasks {
        for (worker, &skill) in (0..).zip(skills) {
            if rng.random::<f64>() < 0.2 {
                continue;
            }
            let right = rng.random::<f64>() < skill;
            let label = if right {
                task % kinds
            } else {
                rng.random_range(0..kinds)
            };
            triples.push((task, worker, label));
        }
    }
    triples
}

fn gold_of(pairs: &[(u8, u8)]) -> BTreeMap<String, String> {
    let pair = |(task, label): &(u8, u8)| (format!("t{task}"), format!("l{label}"));
    pairs.iter().map(pair).collect()
}

#[test]
fn both_models_agree_with_the_plain_reference() {
    let mut rng = ChaCha8Rng::seed_from_u64(1979);
    for round in 0..40 {
        let skills: Vec<f64> = (0..rng.random_range(1..9)).map(|_| rng.random()).collect();
        let kinds = rng.random_range(2..6);
        let tasks = rng.random_range(1..60);
        let triples = simulate(&mut rng, tasks, &skills, kinds);
        let gold = if round % 2 == 0 {
            gold_of(&[(0, 0), (1, 1 % kinds), (3, 3 % kinds)])
        } else {
            BTreeMap::new()
        };
        for method in [Method::OneCoin, Method::DawidSkene] {
            let aggregated = run(&triples, method, &gold);
            let reference = Dense::new(&aggregated.labels, &gold).fit(method == Method::OneCoin);
            for (ours, theirs) in aggregated.probability.iter().zip(&reference) {
                for (one, other) in ours.iter().zip(theirs) {
                    assert!(
                        (one - other).abs() < 1e-9,
                        "round {round}, {method:?}: {one} {other}"
                    );
                }
            }
        }
    }
}

#[test]
fn gold_stands_and_changes_who_is_believed() {
    // Three workers always disagree with two: the majority wins until gold shows otherwise.
    let mut triples = Vec::new();
    for task in 0..20 {
        for worker in 0..5 {
            triples.push((task, worker, (task + u8::from(worker < 3)) % 2));
        }
    }
    let gold = gold_of(&(0..10).map(|task| (task, task % 2)).collect::<Vec<_>>());
    for method in [Method::OneCoin, Method::DawidSkene] {
        let without = run(&triples, method, &BTreeMap::new());
        let with = run(&triples, method, &gold);
        let key = |task: u8| (format!("t{task}"), format!("l{}", task % 2));
        assert!(by_name(&without)[&key(15)] < 0.1);
        assert!(by_name(&with)[&key(15)] > 0.9);
        assert_eq!(by_name(&with)[&key(3)].to_bits(), 1_f64.to_bits());
        assert_eq!(with.gold, 10);
        assert!(without.reliability[0] > 0.9 && with.reliability[0] < 0.1);
        assert!(without.reliability[4] < 0.1 && with.reliability[4] > 0.9);
    }
}

#[test]
fn the_cap_ends_it_where_it_is() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let triples = simulate(&mut rng, 50, &[0.6, 0.3, 0.5, 0.4], 3);
    let capped = |iterations| {
        let settings = EmSettings {
            iterations,
            tolerance: 0.0,
        };
        aggregate(
            labels_of(&triples),
            Method::DawidSkene,
            &BTreeMap::new(),
            settings,
        )
        .expect("small")
    };
    let votes = run(&triples, Method::Majority, &BTreeMap::new());
    assert_eq!(capped(0).probability, votes.probability);
    assert_eq!((capped(2).iterations, capped(2).converged), (2, false));
}

#[test]
fn nothing_comes_of_nothing_and_too_much_is_refused() {
    for method in [Method::Majority, Method::OneCoin, Method::DawidSkene] {
        let nothing = run(&Vec::new(), method, &BTreeMap::new());
        assert_eq!((nothing.iterations, nothing.converged), (0, true));
    }
    let mut labels = Labels::default();
    for number in 0..8_000 {
        let name = number.to_string();
        labels.push(&name, "w", &name).expect("each once");
    }
    let error = aggregate(
        labels,
        Method::Majority,
        &BTreeMap::new(),
        EmSettings::default(),
    );
    assert_eq!(
        error.expect_err("8000 x 8000").to_string(),
        "8000 tasks, 8000 different labels and 8000 labels given need a table of more than 50000000 numbers"
    );
}

fn triples() -> impl Strategy<Value = Triples> {
    prop::collection::vec((0..12_u8, 0..6_u8, 0..4_u8), 1..120)
}

proptest! {
    #[test]
    fn rows_are_probabilities(triples in triples(), gold in prop::collection::vec((0..12_u8, 0..6_u8), 0..5)) {
        let gold = gold_of(&gold);
        for method in [Method::Majority, Method::OneCoin, Method::DawidSkene] {
            let aggregated = run(&triples, method, &gold);
            for row in aggregated.probability.iter() {
                prop_assert!(row.iter().all(|p| (0.0..=1.0).contains(p)), "{row:?}");
                prop_assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            }
            for reliability in &aggregated.reliability {
                prop_assert!((0.0..=1.0 + 1e-12).contains(reliability));
            }
        }
    }

    #[test]
    fn order_does_not_matter(triples in triples(), seed: u64) {
        let mut unique = Triples::new();
        for triple in triples {
            if !unique.iter().any(|other| (other.0, other.1) == (triple.0, triple.1)) {
                unique.push(triple);
            }
        }
        let mut shuffled = unique.clone();
        shuffled.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        // Few iterations: a tie may tip with the order of a sum, and the error grows with each
        // iteration.
        let settings = EmSettings { iterations: 5, tolerance: 0.0 };
        for method in [Method::Majority, Method::OneCoin, Method::DawidSkene] {
            let [one, other] = [&unique, &shuffled].map(|triples| {
                by_name(&aggregate(labels_of(triples), method, &BTreeMap::new(), settings).expect("small"))
            });
            for (key, probability) in &one {
                prop_assert!((probability - other[key]).abs() < 1e-9, "{key:?}");
            }
        }
    }
}
