//! `epd eval score` and `epd eval label`.

use std::fmt::Write as _;

use tempfile::TempDir;

use crate::common::{
    check, ends, holds, json_of, place, read, run_fed, run_words, shell_engine, words, write,
};
use crate::eval::evaluator;
use crate::rows::rows;

/// Positions with a rook more for White, for Black, or for nobody, and results that mostly fit: games
/// of four positions, of which one in five ends otherwise.
fn data() -> String {
    let mut text = String::from("# rooks\n");
    for game in 0..120_usize {
        let (rook, cp, likely, other) = match game % 3 {
            0 => ("R", 500, "1-0", "1/2-1/2"),
            1 => ("r", -500, "0-1", "1/2-1/2"),
            _ => ("1", 0, "1/2-1/2", "1-0"),
        };
        let result = if game % 5 == 4 { other } else { likely };
        let file = 1 + ((game / 3) % 8).min(5);
        for ply in 0..4 {
            // The kings stand on their back ranks, the rook between them.
            let mut ranks = ["7k", "8", "8", "8", "8", "8", "8", "K7"].map(str::to_owned);
            if rook != "1" {
                ranks[2 + ply] = format!("{file}{rook}{}", 7 - file);
            }
            let (side, sign) = [("w", 1), ("b", -1)][ply % 2];
            let (board, cp, number) = (ranks.join("/"), sign * cp, game * 4 + ply);
            let operations = format!("ce {cp}; c9 \"{result}\"; id \"g.pgn {game} {ply}\";");
            let (tag, clock) = (number % 2, number % 40);
            let _ = writeln!(
                text,
                "{board} {side} - - {operations} tag t{tag} all; hmvc {clock};"
            );
        }
    }
    text
}

const MATERIAL: &str = r#"case "$fen" in *R*) cp=+5.00 ;; *r*) cp=-5.00 ;; *) cp=0.00 ;; esac; echo "Final evaluation $cp (white side)""#;
const WRONG: &str = r#"case "$fen" in *R*) cp=-5.00 ;; *r*) cp=+5.00 ;; *) cp=0.00 ;; esac; echo "Final evaluation $cp (white side)""#;

fn folder() -> TempDir {
    let folder = place();
    write(&folder, "data.epd", &data());
    evaluator(&folder, "material", MATERIAL);
    let blind = r#"echo "Final evaluation 0.10 (white side)""#;
    evaluator(&folder, "blind", blind);
    evaluator(&folder, "wrong", WRONG);
    folder
}

fn score(folder: &TempDir, arguments: &str) -> String {
    run_words(folder, &format!("eval score {arguments}"))
}

#[test]
fn new_and_old() {
    let folder = folder();
    let better = score(&folder, "data.epd --engine ./material --engine ./blind");
    check!("score_better", better);
    let worse = score(&folder, "data.epd --engine ./wrong --engine ./material");
    let says = [
        "./wrong predicts worse than ./material",
        "the scores do not go with the results",
    ];
    ends(&worse, 1, &says);
    let equal = "data.epd --engine ./material --engine ./material --fail-on not-better";
    let says = "the evaluations are equal: wrong binary or option?\n";
    ends(&score(&folder, equal), 1, &[says]);
    let table = "
0 | --engine ./wrong --engine ./material --fail-on none
0 | --engine ./material --engine ./material
0 | --engine ./material --engine ./blind --fail-on not-better
0 | --engine ./material --engine ./blind --model wdl
0 | --engine ./material --scale 200
2 | --engine ./material --fail-on not-better
2 | --engine ./a --engine ./b --engine ./c
2 | --engine ./material --scale 200 --model wdl";
    for [code, arguments] in testkit::some(rows(table), 3) {
        let report = score(&folder, &format!("data.epd {arguments}"));
        ends(&report, code.parse().expect("a code"), &[]);
    }
}

/// The numbers of the report by hand: E of a rook up, of equality and of a rook down, the shares of
/// results, with a scale that is given.
#[test]
fn numbers_by_hand() {
    let folder = folder();
    let arguments = "data.epd --engine ./material --scale 500 --format json";
    let json = json_of(&score(&folder, arguments));
    assert_eq!(json["positions"], 480);
    assert_eq!(json["fitted_on"], 0);
    // Of 40 games each, 8 end otherwise. E(+500 cp) = 1 / (1 + 1/e) = 0.731059.
    let up = 0.731_058_578_630_004_9_f64;
    let squared = |expected: f64, points: f64| (expected - points).powi(2);
    let rook = 0.8 * squared(up, 1.0) + 0.2 * squared(up, 0.5);
    let even = 0.2 * squared(0.5, 1.0);
    let expected = (2.0 * rook + even) / 3.0;
    let engine = &json["engines"][0];
    let found = engine["losses"]["squared"]["mean"].as_f64().unwrap();
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    let log = |expected: f64, points: f64| {
        -(points * expected.ln() + (1.0 - points) * (1.0 - expected).ln())
    };
    let rook = 0.8 * log(up, 1.0) + 0.2 * log(up, 0.5);
    let expected = (2.0 * rook + std::f64::consts::LN_2) / 3.0;
    let found = engine["losses"]["log"]["mean"].as_f64().unwrap();
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    // The data's scores are those of the engine.
    assert_eq!(engine["agreement"]["kendall"], 1.0);
    assert_eq!(json["worst"].as_array().unwrap().len(), 100);
    let themes = json["groups"].as_array().unwrap().iter();
    let themes: Vec<_> = themes.filter(|group| group["split"] == "theme").collect();
    assert_eq!(themes[0]["name"], "all");
    assert_eq!(themes[0]["positions"], 480);
}

#[test]
fn other_formats_and_standard_input() {
    let folder = folder();
    let epd = data();
    let lines = epd.lines().filter(|line| !line.starts_with('#'));
    let mut pipes = String::new();
    for line in lines {
        let fen = line.split(" ce ").next().unwrap();
        let points = match line.split('"').nth(1).unwrap() {
            "1-0" => "1.0",
            "0-1" => "0.0",
            _ => "0.5",
        };
        let _ = writeln!(pipes, "{fen} 0 1 | 12 | {points}");
    }
    let arguments = words("eval score - --engine ./material --scale 500");
    let report = run_fed(&folder, &arguments, &pipes);
    let says = [
        "480 of 50 games judged (+160 =",
        "note: 480 positions do not name their game",
    ];
    ends(&report, 0, &says);
}

#[test]
fn reports_for_people() {
    let folder = folder();
    let arguments =
        "data.epd --engine ./material --engine ./blind --format html -o report.html -o curves.svg";
    ends(&score(&folder, arguments), 0, &[]);
    let page = read(&folder, "report.html");
    let parts = [
        "<title>Evaluation of ./material and ./blind: ",
        "default-src 'none'",
        "./material predicts better than ./blind",
        "<svg class=\"board\"",
        "https://lichess.org/analysis/",
        "actual against expected points",
        "king not attacked",
    ];
    holds(&page, &parts);
    assert!(!page.contains("<script"), "{page}");
    assert_eq!(page.matches("<svg class=\"board\"").count(), 100);
    let picture = read(&folder, "curves.svg");
    assert!(picture.starts_with("<svg xmlns"), "{picture}");
}

#[test]
fn bad_data_and_bad_engines() {
    let folder = folder();
    let position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let bad = format!("{position} [0.5]\n{position} [0.6]\n");
    write(&folder, "bad.txt", &bad);
    let draws = format!("{position} [0.5]\n").repeat(50);
    write(&folder, "draws.txt", &draws);
    for (name, arguments) in [
        ("score_bad_line", "bad.txt"),
        ("score_too_few", "bad.txt --skip-bad"),
        ("score_no_file", "none.txt"),
        ("score_one_result", "draws.txt --scale 300"),
    ] {
        let arguments = format!("{arguments} --engine ./material");
        check!(name, score(&folder, &arguments));
    }
    let crash = r#"case "$fen" in *r*) exit 7 ;; *R*) cp=5.00 ;; *) cp=0.00 ;; esac; echo "Final evaluation $cp (white side)""#;
    evaluator(&folder, "crash", crash);
    let few: Vec<String> = data().lines().take(41).map(str::to_owned).collect();
    write(&folder, "few.epd", &few.join("\n"));
    let crash = score(&folder, "few.epd --engine ./crash --query eval --scale 300");
    ends(
        &crash,
        3,
        &["ended with exit code 7", "(12 engine failures)"],
    );
    // An engine that never answers, and a file that is not to be lost.
    write(&folder, "kept.epd", "kept\n");
    write(&folder, "games.pgn", GAMES);
    let dead = "eval label games.pgn --skip 4 --engine /bin/false --depth 3 -o kept.epd";
    ends(&run_words(&folder, dead), 3, &[]);
    assert_eq!(read(&folder, "kept.epd"), "kept\n");
    let over = score(&folder, "data.epd --engine ./material -o data.epd");
    ends(&over, 2, &[]);
}

const GAMES: &str = "\
[Event \"One\"]
[Result \"1-0\"]

1. e4 {+0.31/12 0.1s} e5 {-0.20/12 0.1s} 2. Nf3 {+0.35/12} Nc6 {-0.30/12} 3. Bc4 {+0.40/12} Nf6 {-0.38/12}
4. d3 {+0.42/12} Be7 {-0.41/12} 5. O-O {+0.45/12} O-O {-0.44/12} 6. Re1 {+0.50/12} d6 {-0.50/12} 1-0

[Event \"Two: the same moves\"]
[Result \"0-1\"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. d3 Be7 5. O-O O-O 6. Nc3 d6 7. a3 a6 0-1

[Event \"Three: lost on time\"]
[Result \"0-1\"]
[Termination \"time forfeit\"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 0-1
";

#[test]
fn label_of_games() {
    let folder = place();
    let run = |arguments: &str| run_words(&folder, &format!("eval label {arguments}"));
    write(&folder, "games.pgn", GAMES);
    check!("label", run("games.pgn --every 2 --skip 4"));
    let bullet = run("games.pgn --every 4 --skip 4 --format bullet");
    check!("label_bullet", bullet);
    ends(&run("games.pgn --skip 40"), 4, &[]);
    let bad = format!("{GAMES}\n[Event \"Bad\"]\n\n1. e5 1-0\n");
    write(&folder, "bad.pgn", &bad);
    write(&folder, "kept.epd", "kept\n");
    check!("label_bad", run("bad.pgn -o kept.epd"));
    assert_eq!(read(&folder, "kept.epd"), "kept\n");
    ends(&run("bad.pgn --skip-bad -o kept.epd"), 0, &[]);
    assert!(read(&folder, "kept.epd").starts_with("r1bq"));
}

/// A position stands in one of the two files, whatever games it occurs in.
#[test]
fn train_and_test_have_nothing_in_common() {
    let folder = place();
    let mut games = String::new();
    for game in 0..108 {
        let last = ["a3", "b3", "e3", "d3", "h3", "g3", "a4", "h4", "g4"][game % 9];
        let more = ["a6", "b6", "e6", "d6", "h6", "g6"][game / 9 % 6];
        let moves = format!("1. Nf3 Nf6 2. Nc3 Nc6 3. {last} {more} 4. Rg1 Rg8 1-0");
        let _ = writeln!(games, "[Event \"{game}\"]\n\n{moves}\n");
    }
    write(&folder, "games.pgn", &games);
    let label = |outputs: &str| {
        let all = "eval label games.pgn --every 1 --skip 0 --format fen";
        ends(&run_words(&folder, &format!("{all} {outputs}")), 0, &[]);
    };
    label("-o train.txt --test test.txt");
    let (train, test) = (read(&folder, "train.txt"), read(&folder, "test.txt"));
    let (train, test): (Vec<_>, Vec<_>) = (train.lines().collect(), test.lines().collect());
    let sizes = (train.len(), test.len());
    assert!(sizes.0 > 20 && sizes.1 > 5, "{sizes:?}");
    assert!(test.iter().all(|line| !train.contains(line)));
    label("-o all.txt");
    let all = read(&folder, "all.txt").lines().count();
    assert_eq!(all, train.len() + test.len());
}

/// An engine `./reference` that scores every position of [`GAMES`] alike, as a mate by 600 nodes; Black is to
/// move in them.
fn reference(folder: &TempDir) {
    let cases = r#"eval) echo "Final evaluation +0.50 (white side)" ;;
    "go nodes 600") echo "info depth 5 score mate 2 pv a7a6"; echo "bestmove a7a6" ;;
    "go nodes "*) echo "info depth 5 score cp 77 pv a7a6"; echo "bestmove a7a6" ;;"#;
    shell_engine(folder, "reference", cases);
}

#[test]
fn label_by_a_reference_engine() {
    let folder = place();
    write(&folder, "games.pgn", GAMES);
    reference(&folder);
    let run = |more: &str| run_words(&folder, &format!("eval label games.pgn {more}"));
    let limited = |nodes: u32| {
        run(&format!(
            "--every 2 --skip 4 --engine ./reference --nodes {nodes}"
        ))
    };
    check!("label_by_engine", limited(500));
    holds(&limited(600), &[" ce 30000;"]);
    // Without a limit, and without an engine.
    ends(&run("--engine ./reference"), 2, &[]);
    ends(&run("--nodes 500"), 2, &[]);
}
