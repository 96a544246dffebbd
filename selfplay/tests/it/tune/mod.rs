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
    for seed in 1..=testkit::scale(1, 3) {
        let csv = Bed::new().begin(&format!("--pairs 200 --seed {seed} --format csv"));
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
    let run = |concurrency: u32, more: &str| {
        let bed = Bed::new();
        let more = format!("--pairs 24 --concurrency {concurrency} {more}");
        bed.succeed(&bed.usual(&more));
        bed.journal()
    };
    let one = run(1, "");
    assert_eq!(one.lines().count(), 24);
    for concurrency in [2, 5, 16] {
        assert_eq!(run(concurrency, ""), one, "{concurrency}");
    }
    let bed = Bed::new();
    let ended = bed.run(&bed.usual("--pairs 24 --concurrency 17")).exits(0);
    let note = "note: only 16 games can be played at once: --lag 8 times 2 games of an iteration\n";
    assert!(ended.stderr.ends_with(note), "{ended:?}");
    assert_eq!(bed.journal(), one);
    assert_ne!(run(2, "--seed 2"), one);
    assert_ne!(run(2, "--lag 1"), one);
    assert_eq!(run(2, "--games-per-iteration 6").lines().count(), 8);
}

#[test]
fn reports() {
    let bed = Bed::new();
    let human = bed.begin("--pairs 16");
    insta::assert_snapshot!("human", human);
    for format in ["csv", "json", "uci", "list", "svg"] {
        insta::assert_snapshot!(format, bed.show(format));
    }
    let page = bed.show("html");
    for expected in [
        "<h3>Margin</h3>",
        "<h3>Scale</h3>",
        "16 of 16 iterations, 32 games: ",
        "setoption name Margin value ",
        "start 20.000 (",
        "range 0 to 100, c 8.000",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    assert_eq!(page.matches("<figure>").count(), 2);
    // Nothing is loaded, and nothing runs.
    for absent in ["://", "<script", "src=", "@import"] {
        assert!(!page.contains(absent), "{absent}: {page}");
    }
    assert_eq!(bed.show("human"), human);
    // A list is read as it was written: another tuning continues from there.
    let other = Bed::new();
    other.write("list.txt", bed.show("list"));
    other.succeed(&format!("{} --pairs 1 --param list.txt", other.fast));
    let values = |line: Option<&str>| {
        let values = line.expect("a line").split(',').skip(5);
        values.map(str::to_owned).collect::<Vec<_>>()
    };
    let (start, end) = (other.show("csv"), bed.show("csv"));
    assert_eq!(values(start.lines().nth(1)), values(end.lines().last()));
}

/// A name that would be markup is text.
#[test]
fn names_stay_text_in_charts() {
    let bed = Bed::new();
    let odd = "--param name=Margin,start=20,min=0,max=100";
    bed.succeed(&format!("{} {odd} --pairs 1", bed.fast));
    let config = bed.read("run/config.json");
    bed.write("run/config.json", config.replace("\"Margin\"", "\"<b>&'\""));
    for format in ["html", "svg"] {
        let shown = bed.show(format);
        assert!(!shown.contains("<b>"), "{shown}");
        assert!(shown.contains("&amp;"), "{shown}");
    }
}

#[test]
fn a_fault_loses_the_game_and_is_kept() {
    let bed = Bed::with("--crash --at=9");
    let ended = bed.run(&bed.usual("--pairs 8")).exits(0);
    let is_counted = ended.stdout.contains(", 1 of them by a fault");
    assert!(is_counted, "{ended:?}");
    ended.reports("note: 1 games were lost by a fault, see ");
    let failures = bed.failures();
    assert_eq!(failures.len(), 1, "{failures:?}");
    let transcript = bed.read(&format!("run/failures/{}", failures[0]));
    for expected in [
        "== scripted_engine (plus)",
        "== scripted_engine (minus)",
        "setoption name Margin value",
    ] {
        assert!(transcript.contains(expected), "{transcript}");
    }
    assert_eq!(bed.journal().matches("\"faults\":1").count(), 1);
}

/// Each engine gets its values before the games they are for, and nothing twice.
#[test]
fn engines_get_the_values_of_the_journal() {
    // Transcripts are of games that end by a fault: the 40th move is one of the fourth game.
    let bed = Bed::with("--illegal-move --at=40");
    bed.run(&bed.usual("--pairs 2 --lag 1")).exits(0);
    let transcripts = bed.read("run/failures/game-000004.txt");
    let records = bed.journal();
    let records = records
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"));
    let records: Vec<serde_json::Value> = records.collect();
    for side in ["plus", "minus"] {
        let start = transcripts
            .find(&format!("({side})"))
            .expect("its transcript");
        let transcript = transcripts[start..].split("== ").next().expect("the first");
        let set: Vec<&str> = transcript
            .lines()
            .filter_map(|line| line.split_once("setoption name ").map(|(_, set)| set))
            .filter(|set| set.starts_with("Margin") || set.starts_with("Scale"))
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
        assert_eq!(set, expected, "{side}");
        let games = transcript.matches("ucinewgame").count();
        assert_eq!(games, 4, "{side}: {transcript}");
    }
}
