//! crowd-kit as a judge of aggregation, on labels of simulated workers.
//!
//! `scripts/test` installs it into `.venv` and switches on the feature `oracles`.
#![expect(clippy::disallowed_methods, reason = "the judge is another program")]
#![expect(clippy::print_stdout, reason = "how far they differ is worth knowing")]

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, Stdio};

use chacha20::ChaCha8Rng;
use crowd::aggregate::{EmSettings, Method, aggregate};
use crowd::labels::Labels;
use rand::{RngExt as _, SeedableRng as _};

const PYTHON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../.venv/bin/python");
const JUDGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/crowdkit_judge.py");
const TOLERANCE: f64 = 1e-9;
/// What labels are called; one is what readers of CSV like to take for an absent number, one is a number.
const NAMES: [&str; 5] = ["yes", "no", "maybe", "NA", "5"];

type Key = (String, String, String);
type Table = BTreeMap<Key, f64>;
type Triple = (usize, usize, usize);

/// Labels, and the known answers of some tasks.
struct Case {
    name: &'static str,
    labels: Labels,
    gold: Option<BTreeMap<String, String>>,
}

impl Case {
    fn to_json(&self) -> String {
        let Self { labels, gold, .. } = self;
        let rows = labels.given().iter().map(|given| {
            [
                &labels.tasks().texts()[given.task],
                &labels.workers().texts()[given.worker],
                &labels.names().texts()[given.label],
            ]
        });
        let rows: Vec<_> = rows.collect();
        serde_json::json!({"labels": rows, "gold": gold}).to_string()
    }

    /// The methods that crowd-kit can be asked about.
    fn methods(&self) -> &'static [(&'static str, Method)] {
        let all = &[
            ("dawid-skene", Method::DawidSkene),
            ("majority", Method::Majority),
            ("one-coin", Method::OneCoin),
        ];
        if self.gold.is_some() { &all[..1] } else { all }
    }
}

/// What crowd-kit says of each.
fn ask(cases: &[Case]) -> Vec<Table> {
    let mut judge = Command::new(PYTHON)
        .arg(JUDGE)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("scripts/test installs crowd-kit into .venv");
    let mut stdin = judge.stdin.take().expect("its input is piped");
    let lines: String = cases.iter().map(|case| case.to_json() + "\n").collect();
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = judge.wait_with_output().expect("it ends with its input");
    let written = writer.join().expect("the writer does not panic");
    written.expect("python reads all its input");
    assert!(output.status.success(), "crowd-kit failed");
    let text = String::from_utf8(output.stdout).expect("python writes UTF-8");
    text.lines().map(read).collect()
}

fn read(line: &str) -> Table {
    let rows: Vec<(String, String, String, f64)> =
        serde_json::from_str(line).expect("rows of four fields");
    rows.into_iter()
        .map(|(method, task, label, probability)| ((method, task, label), probability))
        .collect()
}

fn ours(case: &Case) -> Table {
    let gold = case.gold.clone().unwrap_or_default();
    let labels = &case.labels;
    let mut table = Table::new();
    for &(name, method) in case.methods() {
        let aggregated = aggregate(labels.clone(), method, &gold, EmSettings::default());
        let aggregated = aggregated.expect("small enough");
        let tasks = labels.tasks().texts();
        for (task, row) in tasks.iter().zip(aggregated.probability.iter()) {
            for (label, &probability) in labels.names().texts().iter().zip(row) {
                table.insert((name.to_owned(), task.clone(), label.clone()), probability);
            }
        }
    }
    table
}

/// Holds two tables against each other; gives the greatest difference.
fn compare(case: &Case, ours: &Table, theirs: &Table) -> f64 {
    let (name, tolerance) = (case.name, TOLERANCE);
    let keys = |table: &Table| table.keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(ours), keys(theirs), "{name}: other rows");
    let mut greatest: f64 = 0.0;
    for (key, one) in ours {
        let other = theirs[key];
        let difference = (one - other).abs();
        assert!(
            difference <= tolerance,
            "{name}: {key:?}: ours {one}, theirs {other}"
        );
        greatest = greatest.max(difference);
    }
    greatest
}

/// Holds every method against crowd-kit's.
fn check(cases: &[Case]) {
    let answers = ask(cases);
    assert_eq!(answers.len(), cases.len());
    for (case, theirs) in cases.iter().zip(&answers) {
        let greatest = compare(case, &ours(case), theirs);
        let given = case.labels.given().len();
        println!(
            "{}: {given} labels, differs by {greatest:e} at most",
            case.name
        );
    }
}

/// Workers who say what is right as often as their skill says, and else anything; one whose skill is negative
/// says what is wrong instead.
struct Crowd<'a> {
    seed: u64,
    tasks: usize,
    kinds: usize,
    skills: &'a [f64],
    /// How probably a worker labels a task.
    density: f64,
}

fn truth(task: usize, kinds: usize) -> usize {
    task * 7 % kinds
}

impl Crowd<'_> {
    fn labels(&self) -> Labels {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let mut labels = Labels::default();
        for task in 0..self.tasks {
            for (worker, &skill) in self.skills.iter().enumerate() {
                if rng.random::<f64>() >= self.density {
                    continue;
                }
                let follows_skill = rng.random::<f64>() < skill.abs();
                let right = truth(task, self.kinds);
                let label = match (follows_skill, skill < 0.0) {
                    (true, false) => right,
                    (true, true) => (right + 1) % self.kinds,
                    (false, _) => rng.random_range(0..self.kinds),
                };
                push(&mut labels, task, worker, label);
            }
        }
        labels
    }
}

fn push(labels: &mut Labels, task: usize, worker: usize, label: usize) {
    let (task, worker) = (format!("t{task}"), format!("w{worker}"));
    labels
        .push(&task, &worker, NAMES[label])
        .expect("once each");
}

const SKILLED: [f64; 6] = [0.95, 0.9, 0.85, 0.8, 0.7, 0.6];
const MIXED: [f64; 9] = [0.95, 0.9, 0.8, 0.7, 0.0, 0.0, 0.0, -0.9, -0.7];

#[test]
#[ignore = "long: aggregation agrees with crowd-kit on crowds of every kind"]
fn crowds() {
    let rows: [(&'static str, usize, &[f64], usize, f64); 7] = [
        ("binary, skilled", 2, &SKILLED, 200, 1.0),
        ("binary, spammers and adversaries", 2, &MIXED, 300, 1.0),
        ("binary, most labels missing", 2, &MIXED, 300, 0.3),
        ("five labels, skilled", 5, &SKILLED, 200, 1.0),
        ("five labels, spammers and adversaries", 5, &MIXED, 300, 0.6),
        ("three labels, no skill at all", 3, &[0.0; 7], 150, 0.8),
        ("one worker", 3, &[0.8], 40, 1.0),
    ];
    let mut cases = Vec::new();
    for (name, kinds, skills, tasks, density) in rows {
        for seed in 1..=2 {
            let crowd = Crowd {
                seed,
                tasks,
                kinds,
                skills,
                density,
            };
            cases.push(Case {
                name,
                labels: crowd.labels(),
                gold: None,
            });
        }
    }
    check(&cases);
}

#[test]
#[ignore = "long: aggregation agrees with crowd-kit on many labels"]
fn twenty_thousand_labels() {
    let skills: Vec<f64> = (0..40).map(|worker| f64::from(worker) / 50.0).collect();
    let crowd = Crowd {
        seed: 20_000,
        tasks: 2_000,
        kinds: 4,
        skills: &skills,
        density: 0.255,
    };
    let labels = crowd.labels();
    assert!(labels.given().len() > 20_000);
    check(&[Case {
        name: "many",
        labels,
        gold: None,
    }]);
}

#[test]
#[ignore = "long: aggregation agrees with crowd-kit on small and even inputs"]
fn small_and_even() {
    let cases: [(&'static str, &[Triple]); 6] = [
        ("one label", &[(0, 0, 0)]),
        ("one task", &[(0, 0, 0), (0, 1, 0), (0, 2, 1)]),
        ("one task, a tie", &[(0, 0, 0), (0, 1, 1)]),
        (
            "one label for all",
            &[(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)],
        ),
        (
            "every task a tie",
            &[
                (0, 0, 0),
                (0, 1, 1),
                (1, 0, 1),
                (1, 1, 0),
                (2, 0, 0),
                (2, 1, 1),
            ],
        ),
        (
            "a cycle of three",
            &[
                (0, 0, 0),
                (0, 1, 1),
                (0, 2, 2),
                (1, 0, 1),
                (1, 1, 2),
                (1, 2, 0),
            ],
        ),
    ];
    let case = |(name, triples): (&'static str, &[Triple])| {
        let mut labels = Labels::default();
        for &(task, worker, label) in triples {
            push(&mut labels, task, worker, label);
        }
        Case {
            name,
            labels,
            gold: None,
        }
    };
    check(&cases.map(case));
}

#[test]
#[ignore = "long: aggregation agrees with crowd-kit where answers are known"]
fn known_answers() {
    let case = |(kinds, density)| {
        let crowd = Crowd {
            seed: 9,
            tasks: 200,
            kinds,
            skills: &MIXED,
            density,
        };
        let labels = crowd.labels();
        let answer = |task: usize| {
            let name = format!("t{task}");
            let has_label = labels.tasks().find(&name).is_some();
            has_label.then(|| (name, NAMES[truth(task, kinds)].to_owned()))
        };
        let gold = (0..200).step_by(5).filter_map(answer).collect();
        Case {
            name: "known answers",
            labels,
            gold: Some(gold),
        }
    };
    check(&[(2, 1.0), (2, 0.4), (5, 0.8)].map(case));
}
