//! `epd eval`, as its users see it.
#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "files are written and read")]

mod common;
#[path = "common/engine.rs"]
mod engine;

use std::path::Path;

use common::check;
use engine::evaluator;
use tempfile::TempDir;

const SUITE: &str = "\
4k3/8/8/8/8/8/8/4K2R w K - id \"rook, with a comma\";
4k2R/8/8/8/8/8/8/4K3 b - - id \"check\";
8/8/4k3/8/8/4K3/4P3/8 w - -
";

/// A folder with a suite of three positions.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    write(folder.path(), "three.epd", SUITE);
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("the folder can be written to");
}

fn run(folder: &TempDir, arguments: &[&str]) -> String {
    common::run_in(folder.path(), arguments)
}

/// One value for each side to move, none in check.
const SOUND: &str = r#"case "$fen" in
  *R/8*) echo "Final evaluation: none (in check)" ;;
  *K2r" w "*) echo "Final evaluation: none (in check)" ;;
  */8/4K2R*|*/4P3/8*) echo "Final evaluation       +1.25 (white side)" ;;
  *) echo "Final evaluation       -1.25 (white side)" ;; esac"#;

#[test]
fn dump() {
    let folder = folder();
    evaluator(folder.path(), "sound", SOUND);
    check!("dump_eval", text run(&folder, &["eval", "dump", "--engine", "./sound", "three.epd"]));
    evaluator(folder.path(), "silent", "");
    check!("dump_search", text run(&folder, &["eval", "dump", "--engine", "./silent", "three.epd"]));
    evaluator(folder.path(), "own", r#"echo "Eval: -0.5""#);
    let arguments = [
        "eval",
        "dump",
        "--engine",
        "./own",
        "three.epd",
        "--command",
        "eval",
        "--pattern",
        "Eval: ([-+0-9.]+)",
        "--unit",
        "pawns",
        "--view",
        "side",
    ];
    check!("dump_pattern", text run(&folder, &arguments));
}

/// An engine may want an option to be empty, as `touchstone` its `EvalFile`, and a button takes no
/// value.
#[test]
fn an_empty_value_is_sent_to_a_text_and_none_to_a_button() {
    let folder = folder();
    let text = r#"
while read -r line; do
  case "$line" in
    uci) echo "option name File type string default x"; echo "option name Reset type button"; echo uciok ;;
    isready) echo readyok ;;
    setoption*) said="$said[$line]" ;;
    eval) echo "$said" >> set.txt; echo "Eval: 1.0" ;;
    quit) exit 0 ;;
  esac
done
"#;
    engine::script(folder.path(), "settable", text);
    let report = run(
        &folder,
        &[
            "eval",
            "dump",
            "--engine",
            "./settable",
            "three.epd",
            "--option",
            "File=",
            "--option",
            "Reset=",
            "--command",
            "eval",
            "--pattern",
            "Eval: (.*)",
        ],
    );
    assert!(report.starts_with("exit 0\n"), "{report}");
    let set = std::fs::read_to_string(folder.path().join("set.txt")).expect("it was asked");
    let expected = "[setoption name File value <empty>][setoption name Reset]";
    assert!(set.lines().all(|line| line == expected), "{set}");
}

#[test]
fn dump_failures() {
    let folder = folder();
    evaluator(folder.path(), "silent", "");
    let eval = [
        "eval",
        "dump",
        "--engine",
        "./silent",
        "three.epd",
        "--way",
        "eval",
    ];
    check!("dump_no_answer", text run(&folder, &eval));
    evaluator(
        folder.path(),
        "crash",
        r#"case "$fen" in *" b "*) exit 7 ;; *) echo "Final evaluation +0.10 (white side)" ;; esac"#,
    );
    let crash = [
        "eval",
        "dump",
        "--engine",
        "./crash",
        "three.epd",
        "--jobs",
        "1",
    ];
    check!("dump_crash", text run(&folder, &crash));
    check!("dump_no_engine", text run(&folder, &["eval", "dump", "--engine", "./nobody", "three.epd"]));
    let groups = [
        "eval",
        "dump",
        "--engine",
        "./silent",
        "three.epd",
        "--command",
        "eval",
        "--pattern",
        "x",
    ];
    check!("dump_no_group", text run(&folder, &groups));
    write(folder.path(), "none.epd", "# none\n");
    check!("dump_nothing", text run(&folder, &["eval", "dump", "--engine", "./silent", "none.epd"]));
}

#[test]
fn an_engine_that_crashes_or_hangs_costs_its_positions_alone() {
    let folder = folder();
    for (eval, seconds, expected) in [
        ("exit 7", "60", "ended with exit code 7"),
        (
            "while :; do sleep 1; done",
            "0.3",
            "no readyok within 0.3 s",
        ),
        ("kill -SEGV $$", "60", "was killed by signal 11"),
    ] {
        evaluator(folder.path(), "bad", eval);
        let text = run(
            &folder,
            &[
                "eval",
                "dump",
                "--engine",
                "./bad",
                "three.epd",
                "--timeout",
                seconds,
                "--way",
                "eval",
            ],
        );
        assert!(text.starts_with("exit 3\n"), "{text}");
        assert_eq!(text.matches(",failed,").count(), 3, "{text}");
        assert!(text.contains(expected), "{text}");
    }
}

fn write_tables(folder: &Path) {
    let head = "file,line,id,fen,score_cp,way,raw\n";
    let row = |fen: &str, score: &str| format!("x.epd,1,,{fen},{score},eval,raw\n");
    let fens = [
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1",
        "4k3/8/8/8/8/8/8/1Q2K3 b - - 0 1",
    ];
    let write_table = |name: &str, scores: &[(usize, &str)]| {
        let rows = scores.iter().map(|&(index, score)| row(fens[index], score));
        let text = head.to_owned() + &rows.collect::<Vec<_>>().concat();
        write(folder, name, &text);
    };
    write_table("old.csv", &[(0, "400"), (1, "20"), (2, "900")]);
    write_table("new.csv", &[(1, "-15"), (0, "404"), (3, "900")]);
    write_table("other.csv", &[(3, "900")]);
    let broken = format!("{head}x.epd,1,,4k3 w - -,5,eval,\n");
    write(folder, "broken.csv", &broken);
}

#[test]
fn diff() {
    let folder = folder();
    write_tables(folder.path());
    check!("diff", text run(&folder, &["eval", "diff", "old.csv", "new.csv", "--threshold", "10"]));
    check!("diff_json", text run(&folder, &["eval", "diff", "old.csv", "new.csv", "--format", "json"]));
    let text = run(
        &folder,
        &["eval", "diff", "old.csv", "new.csv", "--threshold", "35"],
    );
    assert!(text.starts_with("exit 0\n"), "{text}");
    let text = run(&folder, &["eval", "diff", "old.csv", "other.csv"]);
    assert!(text.starts_with("exit 4\n"), "{text}");
    check!("diff_broken", text run(&folder, &["eval", "diff", "old.csv", "broken.csv"]));
}

#[test]
fn checks() {
    let folder = folder();
    evaluator(folder.path(), "sound", SOUND);
    let sound = [
        "eval",
        "check",
        "--engine",
        "./sound",
        "three.epd",
        "--check",
        "colours",
        "--check",
        "determinism",
        "--check",
        "bounds",
    ];
    check!("check_sound", text run(&folder, &sound));
    // Likes the king's side, and White.
    let biased = r#"case "$fen" in *4P3*|R*) v=3.00 ;; *) v=0.50 ;; esac; echo "Final evaluation +$v (white side)""#;
    evaluator(folder.path(), "biased", biased);
    let biased = [
        "eval",
        "check",
        "--engine",
        "./biased",
        "three.epd",
        "--bound",
        "200",
    ];
    check!("check_biased", text run(&folder, &biased));
    check!("check_json", text run(&folder, &[&biased[..], &["--format", "json"]].concat()));
    check!("check_junit", text run(&folder, &[&biased[..], &["--format", "junit"]].concat()));
    evaluator(
        folder.path(),
        "counting",
        r#"n=$((n+1)); echo "Final evaluation +0.0$n (white side)""#,
    );
    let counting = [
        "eval",
        "check",
        "--engine",
        "./counting",
        "three.epd",
        "--check",
        "determinism",
        "--jobs",
        "1",
    ];
    check!("check_determinism", text run(&folder, &counting));
    let far = [
        "eval",
        "check",
        "--engine",
        "./counting",
        "three.epd",
        "--check",
        "determinism",
        "--jobs",
        "1",
        "--tolerance",
        "2",
    ];
    assert!(run(&folder, &far).starts_with("exit 0\n"));
}

/// Stockfish's evaluation is the same for both colours, whatever its version.
#[cfg(feature = "oracles")]
#[test]
fn stockfish() {
    let folder = folder();
    let text = run(
        &folder,
        &[
            "eval",
            "check",
            "--engine",
            "stockfish",
            "three.epd",
            "--check",
            "colours",
            "--check",
            "determinism",
        ],
    );
    assert!(text.starts_with("exit 0\n"), "{text}");
    let text = run(
        &folder,
        &["eval", "dump", "--engine", "stockfish", "three.epd"],
    );
    assert!(
        text.contains(",eval,Final evaluation: none (in check)"),
        "{text}"
    );
}
