//! `epd eval score` and `epd eval label`.

use std::fmt::Write as _;
use std::path::Path;

use tempfile::TempDir;

use crate::common::{check, read, run_fed, run_in, run_words, script, words, write};

/// Positions with a rook more for White, for Black, or for nobody, and results that mostly fit: games
/// of four positions, of which one in five ends otherwise.
fn data() -> String {
    let mut text = String::from("# rooks\n");
    for game in 0..120_usize {
        let (rook, likely, other) = match game % 3 {
            0 => ('R', "1-0", "1/2-1/2"),
            1 => ('r', "0-1", "1/2-1/2"),
            _ => ('1', "1/2-1/2", "1-0"),
        };
        let result = if game % 5 == 4 { other } else { likely };
        for ply in 0..4 {
            // The kings stand on their back ranks, the rook between them.
            let (file, rank) = ((game / 3) % 8, ply);
            let row = |file: usize, piece: char| {
                let (before, after) = (file, 7 - file);
                let blanks = |count: usize| match count {
                    0 => String::new(),
                    count => count.to_string(),
                };
                format!("{}{piece}{}", blanks(before), blanks(after))
            };
            let empty = || "8".to_owned();
            let mut ranks = [
                row(7, 'k'),
                empty(),
                empty(),
                empty(),
                empty(),
                empty(),
                empty(),
                row(0, 'K'),
            ];
            if rook != '1' {
                ranks[2 + rank] = row(1 + file.min(5), rook);
            }
            let side = if ply % 2 == 0 { 'w' } else { 'b' };
            let score = match rook {
                'R' => 500,
                'r' => -500,
                _ => 0,
            };
            let number = game * 4 + ply;
            writeln!(
                text,
                "{} {side} - - ce {}; c9 \"{result}\"; id \"g.pgn {game} {ply}\"; tag t{} all; hmvc {};",
                ranks.join("/"),
                if side == 'w' { score } else { -score },
                number % 2,
                number % 40,
            )
            .expect("a string takes all");
        }
    }
    text
}

/// A UCI engine whose `eval` answers with the score of a piece of shell.
fn evaluator(folder: &TempDir, name: &str, score: &str) {
    let text = format!(
        r#"
while read -r line; do
  case "$line" in
    uci) echo "id name {name}"; echo uciok ;;
    isready) echo readyok ;;
    "position fen "*) fen=${{line#position fen }}; fen=${{fen%% *}} ;;
    eval) {score}; echo "Final evaluation $cp (white side)" ;;
    quit) exit 0 ;;
  esac
done
"#
    );
    script(folder.path(), name, &text);
}

const MATERIAL: &str = r#"case "$fen" in *R*) cp=+5.00 ;; *r*) cp=-5.00 ;; *) cp=0.00 ;; esac"#;
const BLIND: &str = "cp=0.10";
const WRONG: &str = r#"case "$fen" in *R*) cp=-5.00 ;; *r*) cp=+5.00 ;; *) cp=0.00 ;; esac"#;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    write(folder.path(), "data.epd", &data());
    evaluator(&folder, "material", MATERIAL);
    evaluator(&folder, "blind", BLIND);
    evaluator(&folder, "wrong", WRONG);
    folder
}

fn score(folder: &TempDir, arguments: &str) -> String {
    run_words(folder.path(), &format!("eval score {arguments}"))
}

#[test]
fn new_and_old() {
    let folder = folder();
    let better = score(&folder, "data.epd --engine ./material --engine ./blind");
    check!("score_better", better);
    let worse = score(&folder, "data.epd --engine ./wrong --engine ./material");
    assert!(worse.starts_with("exit 1\n"), "{worse}");
    assert!(
        worse.contains("./wrong predicts worse than ./material"),
        "{worse}"
    );
    assert!(
        worse.contains("the scores do not go with the results"),
        "{worse}"
    );
    let equal = score(
        &folder,
        "data.epd --engine ./material --engine ./material --fail-on not-better",
    );
    let says = "the evaluations are equal: wrong binary or option?\n";
    assert!(
        equal.starts_with("exit 1\n") && equal.contains(says),
        "{equal}"
    );
    let rows = vec![
        ("--engine ./wrong --engine ./material --fail-on none", 0),
        ("--engine ./material --engine ./material", 0),
        (
            "--engine ./material --engine ./material --fail-on not-better",
            1,
        ),
        (
            "--engine ./material --engine ./blind --fail-on not-better",
            0,
        ),
        ("--engine ./material --engine ./blind --model wdl", 0),
        ("--engine ./material --scale 200", 0),
        ("--engine ./material --fail-on not-better", 2),
        ("--engine ./a --engine ./b --engine ./c", 2),
        ("--engine ./material --scale 200 --model wdl", 2),
    ];
    for (arguments, code) in testkit::some(rows, 5) {
        let report = score(&folder, &format!("data.epd {arguments}"));
        assert!(
            report.starts_with(&format!("exit {code}\n")),
            "{arguments}: {report}"
        );
    }
}

/// The numbers of the report by hand: E of a rook up, of equality and of a rook down, the shares of
/// results, with a scale that is given.
#[test]
fn numbers_by_hand() {
    let folder = folder();
    let report = score(
        &folder,
        "data.epd --engine ./material --scale 500 --format json",
    );
    let text = report
        .strip_prefix("exit 0\n--- stdout\n")
        .expect("it succeeds");
    let (text, _) = text
        .split_once("--- stderr")
        .expect("both streams are shown");
    let json: serde_json::Value = serde_json::from_str(text).expect("one object");
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
        let result = line.split('"').nth(1).unwrap();
        let points = match result {
            "1-0" => "1.0",
            "0-1" => "0.0",
            _ => "0.5",
        };
        writeln!(pipes, "{fen} 0 1 | 12 | {points}").expect("a string takes all");
    }
    let arguments = words("eval score - --engine ./material --scale 500");
    let report = run_fed(folder.path(), &arguments, &pipes);
    assert!(report.starts_with("exit 0\n"), "{report}");
    assert!(
        report.contains("480 of 50 games judged (+160 ="),
        "{report}"
    );
    assert!(
        report.contains("note: 480 positions do not name their game"),
        "{report}"
    );
}

#[test]
fn reports_for_people() {
    let folder = folder();
    let arguments =
        "data.epd --engine ./material --engine ./blind --format html -o report.html -o curves.svg";
    let report = score(&folder, arguments);
    assert!(report.starts_with("exit 0\n"), "{report}");
    let page = read(folder.path(), "report.html");
    for part in [
        "<title>Evaluation of ./material and ./blind: ",
        "default-src 'none'",
        "./material predicts better than ./blind",
        "<svg class=\"board\"",
        "https://lichess.org/analysis/",
        "actual against expected points",
        "king not attacked",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("<script"), "{page}");
    assert_eq!(page.matches("<svg class=\"board\"").count(), 100);
    let picture = read(folder.path(), "curves.svg");
    assert!(picture.starts_with("<svg xmlns"), "{picture}");
}

#[test]
fn bad_data_and_bad_engines() {
    let folder = folder();
    let path = folder.path();
    write(
        path,
        "bad.txt",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1 [0.5]\n4k3/8/8/8/8/8/8/4K2R w K - 0 1 [0.6]\n",
    );
    check!(
        "score_bad_line",
        score(&folder, "bad.txt --engine ./material")
    );
    check!(
        "score_too_few",
        score(&folder, "bad.txt --skip-bad --engine ./material")
    );
    check!(
        "score_no_file",
        score(&folder, "none.txt --engine ./material")
    );
    write(
        path,
        "draws.txt",
        &"4k3/8/8/8/8/8/8/4K2R w K - 0 1 [0.5]\n".repeat(50),
    );
    check!(
        "score_one_result",
        score(&folder, "draws.txt --engine ./material --scale 300")
    );
    evaluator(
        &folder,
        "crash",
        r#"case "$fen" in *r*) exit 7 ;; *R*) cp=5.00 ;; *) cp=0.00 ;; esac"#,
    );
    let few: Vec<String> = data().lines().take(41).map(str::to_owned).collect();
    write(path, "few.epd", &few.join("\n"));
    let crash = score(&folder, "few.epd --engine ./crash --query eval --scale 300");
    assert!(crash.starts_with("exit 3\n"), "{crash}");
    assert!(crash.contains("ended with exit code 7"), "{crash}");
    assert!(crash.contains("(12 engine failures)"), "{crash}");
    // An engine that never answers, and a file that is not to be lost.
    write(path, "kept.epd", "kept\n");
    write(path, "games.pgn", GAMES);
    let dead = run_words(
        path,
        "eval label games.pgn --skip 4 --engine /bin/false --depth 3 -o kept.epd",
    );
    assert!(dead.starts_with("exit 3\n"), "{dead}");
    assert_eq!(read(path, "kept.epd"), "kept\n");
    let over = score(&folder, "data.epd --engine ./material -o data.epd");
    assert!(over.starts_with("exit 2\n"), "{over}");
}

pub(crate) const GAMES: &str = "\
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
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path();
    write(path, "games.pgn", GAMES);
    check!(
        "label",
        run_words(path, "eval label games.pgn --every 2 --skip 4")
    );
    check!(
        "label_bullet",
        run_words(
            path,
            "eval label games.pgn --every 4 --skip 4 --format bullet"
        )
    );
    let none = run_words(path, "eval label games.pgn --skip 40");
    assert!(none.starts_with("exit 4\n"), "{none}");
    write(
        path,
        "bad.pgn",
        &format!("{GAMES}\n[Event \"Bad\"]\n\n1. e5 1-0\n"),
    );
    write(path, "kept.epd", "kept\n");
    let bad = run_words(path, "eval label bad.pgn -o kept.epd");
    check!("label_bad", bad);
    assert_eq!(read(path, "kept.epd"), "kept\n");
    let skipped = run_words(path, "eval label bad.pgn --skip-bad -o kept.epd");
    assert!(skipped.starts_with("exit 0\n"), "{skipped}");
    assert!(read(path, "kept.epd").starts_with("r1bq"), "{skipped}");
}

/// A position stands in one of the two files, whatever games it occurs in.
#[test]
fn train_and_test_have_nothing_in_common() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path();
    let mut games = String::new();
    for game in 0..108 {
        let last = ["a3", "b3", "e3", "d3", "h3", "g3", "a4", "h4", "g4"][game % 9];
        let more = ["a6", "b6", "e6", "d6", "h6", "g6"][game / 9 % 6];
        writeln!(
            games,
            "[Event \"{game}\"]\n\n1. Nf3 Nf6 2. Nc3 Nc6 3. {last} {more} 4. Rg1 Rg8 1-0\n"
        )
        .unwrap();
    }
    write(path, "games.pgn", &games);
    let all = "eval label games.pgn --every 1 --skip 0 --format fen";
    let report = run_words(path, &format!("{all} -o train.txt --test test.txt"));
    assert!(report.starts_with("exit 0\n"), "{report}");
    let (train, test) = (read(path, "train.txt"), read(path, "test.txt"));
    let (train, test): (Vec<_>, Vec<_>) = (train.lines().collect(), test.lines().collect());
    assert!(
        test.len() > 5 && train.len() > 20,
        "{} {}",
        train.len(),
        test.len()
    );
    assert!(test.iter().all(|line| !train.contains(line)));
    let once = run_words(path, &format!("{all} -o all.txt"));
    assert!(once.starts_with("exit 0\n"), "{once}");
    assert_eq!(
        read(path, "all.txt").lines().count(),
        train.len() + test.len()
    );
}

/// An engine `./reference` that scores every position of [`GAMES`] alike, as a mate by 600 nodes; Black is to
/// move in them.
pub(crate) fn reference(folder: &Path) {
    let text = r#"
while read -r line; do
  case "$line" in
    uci) echo "id name Reference"; echo uciok ;;
    isready) echo readyok ;;
    eval) echo "Final evaluation +0.50 (white side)" ;;
    "go nodes 600") echo "info depth 5 score mate 2 pv a7a6"; echo "bestmove a7a6" ;;
    "go nodes "*) echo "info depth 5 score cp 77 pv a7a6"; echo "bestmove a7a6" ;;
    quit) exit 0 ;;
  esac
done
"#;
    script(folder, "reference", text);
}

#[test]
fn label_by_a_reference_engine() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path();
    write(path, "games.pgn", GAMES);
    reference(path);
    let arguments = "eval label games.pgn --every 2 --skip 4 --engine ./reference --nodes 500";
    check!("label_by_engine", run_words(path, arguments));
    let mates = run_words(path, &arguments.replace("500", "600"));
    assert!(mates.contains(" ce 30000;"), "{mates}");
    let no_limit = run_words(path, "eval label games.pgn --engine ./reference");
    assert!(no_limit.starts_with("exit 2\n"), "{no_limit}");
    let no_engine = run_in(path, &words("eval label games.pgn --nodes 500"));
    assert!(no_engine.starts_with("exit 2\n"), "{no_engine}");
}
