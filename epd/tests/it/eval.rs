//! `epd eval`.

use std::path::Path;

use tempfile::TempDir;

use crate::common::{check, read, run_in, run_words, script, words, write};

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

fn run(folder: &TempDir, arguments: &str) -> String {
    run_words(folder.path(), &format!("eval {arguments}"))
}

/// Dumps the suite; the pattern, which may contain blanks, is for the output of `eval`.
fn dump_by(folder: &TempDir, engine: &str, pattern: &str, more: &str) -> String {
    let fixed = format!("eval dump --engine {engine} three.epd {more}");
    let eval = ["--query", "eval", "--pattern", pattern];
    run_in(folder.path(), &[&words(&fixed), &eval[..]].concat())
}

/// A UCI engine that answers `eval` by running a piece of shell, with the FEN in `$fen`.
fn evaluator(folder: &TempDir, name: &str, eval: &str) {
    let text = format!(
        r#"
while read -r line; do
  case "$line" in
    uci) echo "id name Shell"; echo uciok ;;
    isready) echo readyok ;;
    "position fen "*) fen=${{line#position fen }} ;;
    eval) {eval} ;;
    "go depth 1") echo "info depth 1 score cp 7"; echo "bestmove 0000" ;;
    quit) exit 0 ;;
  esac
done
"#
    );
    script(folder.path(), name, &text);
}

/// One score for each side to move, none in check.
const SOUND: &str = r#"case "$fen" in
  *R/8*) echo "Final evaluation: none (in check)" ;;
  *K2r" w "*) echo "Final evaluation: none (in check)" ;;
  */8/4K2R*|*/4P3/8*) echo "Final evaluation       +1.25 (white side)" ;;
  *) echo "Final evaluation       -1.25 (white side)" ;; esac"#;

#[test]
fn dump() {
    let folder = folder();
    evaluator(&folder, "sound", SOUND);
    let sound = run(&folder, "dump --engine ./sound three.epd");
    check!("dump_eval", sound);
    evaluator(&folder, "silent", "");
    let silent = run(&folder, "dump --engine ./silent three.epd");
    check!("dump_search", silent);
    evaluator(&folder, "own", r#"echo "Eval: -0.5""#);
    let (pattern, more) = ("Eval: (?<side_pawns>[-+0-9.]+)", "");
    check!("dump_pattern", dump_by(&folder, "./own", pattern, more));
}

/// A string option may have to be empty, such as `EvalFile` of `touchstone`; a button has no value.
#[test]
fn empty_values_are_sent_for_strings_but_not_for_buttons() {
    let folder = folder();
    let text = r#"
while read -r line; do
  case "$line" in
    uci) echo "option name File type string default x"; echo "option name Reset type button"; echo uciok ;;
    isready) echo readyok ;;
    setoption*) set="$set[$line]" ;;
    eval) echo "$set" >> set.txt; echo "Eval: 1.0" ;;
    quit) exit 0 ;;
  esac
done
"#;
    script(folder.path(), "settable", text);
    let options = "--option File= --option Reset=";
    let report = dump_by(&folder, "./settable", "Eval: (.*)", options);
    assert!(report.starts_with("exit 0\n"), "{report}");
    let set = read(folder.path(), "set.txt");
    let expected = "[setoption name File value <empty>][setoption name Reset]";
    assert!(set.lines().all(|line| line == expected), "{set}");
}

#[test]
fn dump_failures() {
    let folder = folder();
    evaluator(&folder, "silent", "");
    let silent = run(&folder, "dump --engine ./silent three.epd --query eval");
    check!("dump_no_answer", silent);
    let crash = r#"case "$fen" in *" b "*) exit 7 ;; *) echo "Final evaluation +0.10 (white side)" ;; esac"#;
    evaluator(&folder, "crash", crash);
    let crash = run(&folder, "dump --engine ./crash three.epd -j 1");
    check!("dump_crash", crash);
    let nobody = run(&folder, "dump --engine ./nobody three.epd");
    check!("dump_no_engine", nobody);
    check!("dump_no_group", dump_by(&folder, "./silent", "x", ""));
    write(folder.path(), "none.epd", "# none\n");
    let none = run(&folder, "dump --engine ./silent none.epd");
    check!("dump_nothing", none);
}

/// A start may take half a minute to fail: nobody waits for that at each of a million positions.
#[test]
fn an_engine_that_does_not_start_is_given_up() {
    let folder = folder();
    script(folder.path(), "dead", "echo start >> starts.txt\nexit 1\n");
    write(folder.path(), "many.epd", &SUITE.repeat(20));
    let text = run(&folder, "dump --engine ./dead many.epd --query eval -j 1");
    assert!(text.starts_with("exit 3\n"), "{text}");
    assert!(
        text.contains("many.epd:60: not started again: 3 starts in a row have failed"),
        "{text}"
    );
    assert_eq!(read(folder.path(), "starts.txt").lines().count(), 3);
}

#[test]
fn crashes_and_hangs_fail_single_positions() {
    let folder = folder();
    let hang = "while :; do sleep 1; done";
    write(folder.path(), "one.epd", "8/8/4k3/8/8/4K3/4P3/8 w - -\n");
    for (eval, suite, positions, expected) in [
        ("exit 7", "three.epd", 3, "ended with exit code 7"),
        (hang, "one.epd", 1, "no readyok within 10 s"),
        ("kill -SEGV $$", "three.epd", 3, "was killed by signal 11"),
    ] {
        evaluator(&folder, "bad", eval);
        let words = format!("dump --engine ./bad {suite} --query eval");
        let text = run(&folder, &words);
        assert!(text.starts_with("exit 3\n"), "{text}");
        assert_eq!(text.matches(",failed,").count(), positions, "{text}");
        assert!(text.contains(expected), "{text}");
    }
}

fn write_tables(folder: &Path) {
    let head = "file,line,id,fen,score_cp,way,raw\n";
    let fens = [
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1",
        "4k3/8/8/8/8/8/8/1Q2K3 b - - 0 1",
    ];
    let write_table = |name: &str, scores: &[(usize, i32)]| {
        let row =
            |&(index, score): &(usize, i32)| format!("x.epd,1,,{},{score},eval,raw\n", fens[index]);
        let rows: String = scores.iter().map(row).collect();
        write(folder, name, &(head.to_owned() + &rows));
    };
    write_table("old.csv", &[(0, 400), (1, 20), (2, 900)]);
    write_table("new.csv", &[(1, -15), (0, 404), (3, 900)]);
    write_table("other.csv", &[(3, 900)]);
    let broken = format!("{head}x.epd,1,,4k3 w - -,5,eval,\n");
    write(folder, "broken.csv", &broken);
}

#[test]
fn diff() {
    let folder = folder();
    write_tables(folder.path());
    let run = |arguments: &str| run(&folder, &format!("diff old.csv {arguments}"));
    check!("diff", run("new.csv --threshold 10"));
    check!("diff_json", run("new.csv --format json"));
    assert!(run("new.csv --threshold 35").starts_with("exit 0\n"));
    assert!(run("other.csv").starts_with("exit 4\n"));
    check!("diff_broken", run("broken.csv"));
}

#[test]
fn checks() {
    let folder = folder();
    let run = |arguments: &str| run(&folder, &format!("check three.epd --engine {arguments}"));
    evaluator(&folder, "sound", SOUND);
    let sound = "./sound --check colours --check determinism --check bounds";
    check!("check_sound", run(sound));
    // Likes the king's side, and White.
    let biased = r#"case "$fen" in *4P3*|R*) v=300.00 ;; *) v=0.50 ;; esac; echo "Final evaluation +$v (white side)""#;
    evaluator(&folder, "biased", biased);
    check!("check_biased", run("./biased"));
    check!("check_json", run("./biased --format json"));
    check!("check_junit", run("./biased --format junit"));
    let counting = r#"n=$((n+1)); echo "Final evaluation +0.0$n (white side)""#;
    evaluator(&folder, "counting", counting);
    let counting = "./counting --check determinism -j 1";
    check!("check_determinism", run(counting));
    let tolerant = format!("{counting} --tolerance 2");
    assert!(run(&tolerant).starts_with("exit 0\n"));
}

/// Stockfish's evaluation is the same for both colours, whatever its version.
#[cfg(feature = "oracles")]
#[test]
fn stockfish() {
    let folder = folder();
    let check = "check --engine stockfish three.epd --check colours --check determinism";
    let text = run(&folder, check);
    assert!(text.starts_with("exit 0\n"), "{text}");
    let text = run(&folder, "dump --engine stockfish three.epd");
    let in_check = ",eval,Final evaluation: none (in check)";
    assert!(text.contains(in_check), "{text}");
}
