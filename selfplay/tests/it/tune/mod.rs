//! `selfplay tune` as its users see it, with an engine whose best value is known.

mod bed;
mod errors;
mod resume;

use bed::Bed;

/// The last number of a column of the trajectory.
fn last(csv: &str, column: usize) -> f64 {
    let line = csv.lines().last().expect("a line");
    let value = line.split(',').nth(column).expect("a column");
    value.parse().expect("a number")
}

/// The engine blunders in 50 of a hundred positions at the start, 70 - 20, and in none at 70. Each seed
/// always plays the same games.
#[test]
fn values_go_where_the_engine_is_best() {
    for seed in 1..=3 {
        let bed = Bed::new();
        let seed = seed.to_string();
        let csv = bed.begin(&["--pairs", "200", "--seed", &seed, "--format", "csv"]);
        assert_eq!(csv.lines().count(), 1 + 1 + 200, "{csv}");
        let margin = last(&csv, 5);
        assert!((margin - 70.0).abs() < 15.0, "seed {seed}: {margin}");
        // What changes nothing stays about where it was: 0.1 to and fro, at 0.002.
        let scale = last(&csv, 6);
        assert!((scale - 1.0).abs() < 0.05, "seed {seed}: {scale}");
    }
}

#[test]
fn how_many_games_are_played_at_once_changes_nothing() {
    let run = |arguments: &[&str]| {
        let bed = Bed::new();
        bed.begin(&[&["--pairs", "24"], arguments].concat());
        bed.journal()
    };
    let one = run(&["--concurrency", "1"]);
    assert_eq!(one.lines().count(), 24);
    for concurrency in ["2", "5", "16"] {
        assert_eq!(run(&["--concurrency", concurrency]), one, "{concurrency}");
    }
    let bed = Bed::new();
    let output = bed.run(&bed.arguments(&["--pairs", "24", "--concurrency", "17"]));
    let note = "note: only 16 games can be played at once: --lag 8 times 2 games of an iteration\n";
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.ends_with(note), "{output:?}");
    assert_eq!(bed.journal(), one);
    assert_ne!(run(&["--seed", "2"]), one);
    assert_ne!(run(&["--lag", "1"]), one);
    let more = run(&["--games-per-iteration", "6"]);
    assert_eq!(more.lines().count(), 8);
}

#[test]
fn reports() {
    let bed = Bed::new();
    let human = bed.begin(&["--pairs", "16"]);
    insta::assert_snapshot!("human", human);
    insta::assert_snapshot!("csv", bed.show("csv"));
    insta::assert_snapshot!("json", bed.show("json"));
    insta::assert_snapshot!("uci", bed.show("uci"));
    insta::assert_snapshot!("list", bed.show("list"));
    assert_eq!(bed.show("human"), human);
    // A list is read as it was written: another tuning continues from there.
    let other = Bed::new();
    let list = other.path("list.txt");
    other.write("list.txt", bed.show("list"));
    other.begin_without(&["--pairs", "1", "--params", &list]);
    let start = other.show("csv");
    let start = start.lines().nth(1).expect("the start");
    let end = bed.show("csv");
    let end = end.lines().last().expect("the end");
    let values = |line: &str| {
        line.split(',')
            .skip(5)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(values(start), values(end));
}

#[test]
fn a_fault_loses_the_game_and_is_kept() {
    let bed = Bed::with(&["--crash", "--at=9"]);
    let output = bed.run(&bed.arguments(&["--pairs", "8"]));
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        output.stdout.contains(", 1 of them by a fault"),
        "{output:?}"
    );
    assert!(
        output
            .stderr
            .contains("note: 1 games were lost by a fault, see "),
        "{output:?}"
    );
    let failures: Vec<_> = bed.files("failures");
    assert_eq!(failures.len(), 1, "{failures:?}");
    let talk = bed.read(&format!("run/failures/{}", failures[0]));
    assert!(talk.contains("== scripted_engine (plus)"), "{talk}");
    assert!(talk.contains("== scripted_engine (minus)"), "{talk}");
    assert!(talk.contains("setoption name Margin value"), "{talk}");
    assert_eq!(bed.journal().matches("\"faults\":1").count(), 1);
}

/// Each engine is told its values before the games they are for, and nothing twice.
#[test]
fn engines_get_the_values_of_the_journal() {
    // The talk is kept of games that end by a fault: the 40th move is one of the fourth game.
    let bed = Bed::with(&["--illegal-move", "--at=40"]);
    let output = bed.run(&bed.arguments(&["--pairs", "2", "--lag", "1"]));
    assert_eq!(output.code, 0, "{output:?}");
    let talk = bed.read("run/failures/game-000004.txt");
    let records = bed.journal();
    let records = records
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"));
    let records: Vec<serde_json::Value> = records.collect();
    for side in ["plus", "minus"] {
        let start = talk.find(&format!("({side})")).expect("its talk");
        let talk = talk[start..].split("== ").next().expect("the first");
        let told: Vec<&str> = talk
            .lines()
            .filter_map(|line| line.split_once("setoption name ").map(|(_, told)| told))
            .filter(|told| told.starts_with("Margin") || told.starts_with("Scale"))
            .collect();
        let expected: Vec<String> = records
            .iter()
            .flat_map(|record| {
                let value = |index: usize| record[side][index].as_str().expect("a text");
                [
                    format!("Margin value {}", value(0)),
                    format!("Scale value {}", value(1)),
                ]
            })
            .collect();
        assert_eq!(told, expected, "{side}");
        assert_eq!(talk.matches("ucinewgame").count(), 4, "{side}: {talk}");
    }
}
