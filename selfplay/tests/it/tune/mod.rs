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
    let run = |more: &str| {
        let bed = Bed::new();
        let ended = bed.run(&bed.usual(&format!("--pairs 12 {more}"))).exits(0);
        (bed.journal(), ended.stderr)
    };
    let (one, _) = run("--concurrency 1");
    assert_eq!(one.lines().count(), 12);
    assert_eq!(run("--concurrency 5").0, one);
    let (all, notes) = run("--concurrency 17");
    let note = "note: only 16 games can be played at once: --lag 8 times 2 games of an iteration\n";
    assert!(notes.ends_with(note), "{notes}");
    assert_eq!(all, one);
    assert_ne!(run("--concurrency 2 --seed 2").0, one);
    assert_ne!(run("--concurrency 2 --lag 1").0, one);
    let six = run("--concurrency 2 --games-per-iteration 6").0;
    assert_eq!(six.lines().count(), 4);
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
    // A name that would be markup is text.
    let config = bed.read("run/config.json");
    bed.write("run/config.json", config.replace("\"Margin\"", "\"<b>&'\""));
    for format in ["html", "svg"] {
        let shown = bed.show(format);
        assert!(!shown.contains("<b>"), "{shown}");
        assert!(shown.contains("&amp;"), "{shown}");
    }
}

/// A fault loses the game, and is kept with its transcript; as that shows, each engine got its values before
/// the games they are for, and nothing twice.
#[test]
fn engines_get_the_values_of_the_journal() {
    // The 40th move is one of the fourth game.
    let bed = Bed::with("--illegal-move --at=40");
    let ended = bed.run(&bed.usual("--pairs 2 --lag 1")).exits(0);
    assert!(ended.stdout.contains(", 1 of them by a fault"), "{ended:?}");
    ended.reports("note: 1 games were lost by a fault, see ");
    assert_eq!(bed.failures(), ["game-000004.txt"]);
    let transcripts = bed.read("run/failures/game-000004.txt");
    let records = bed.journal();
    assert_eq!(records.matches("\"faults\":1").count(), 1);
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
