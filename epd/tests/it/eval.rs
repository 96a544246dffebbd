//! `epd eval`.

use tempfile::TempDir;

use crate::common::{
    check, ends, holds, place, read, run_in, run_words, shell_engine, words, write,
};

const SUITE: &str = "\
4k3/8/8/8/8/8/8/4K2R w K - id \"rook, with a comma\";
4k2R/8/8/8/8/8/8/4K3 b - - id \"check\";
8/8/4k3/8/8/4K3/4P3/8 w - -
";

/// A folder with a suite of three positions.
fn folder() -> TempDir {
    let folder = place();
    write(&folder, "three.epd", SUITE);
    folder
}

fn run(folder: &TempDir, arguments: &str) -> String {
    run_words(folder, &format!("eval {arguments}"))
}

/// Dumps the suite; the pattern, which may contain blanks, is for the output of `eval`.
fn dump_by(folder: &TempDir, engine: &str, pattern: &str, more: &str) -> String {
    let fixed = format!("eval dump --engine {engine} three.epd {more}");
    let eval = ["--query", "eval", "--pattern", pattern];
    run_in(folder, &[&words(&fixed), &eval[..]].concat())
}

/// A UCI engine that answers `eval` by running a piece of shell.
pub(crate) fn evaluator(folder: &TempDir, name: &str, eval: &str) {
    let go = r#""go depth 1") echo "info depth 1 score cp 7"; echo "bestmove 0000" ;;"#;
    shell_engine(folder, name, &format!("eval) {eval} ;;\n    {go}"));
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
    let cases = r#"uci) echo "option name File type string default x"; echo "option name Reset type button"; echo uciok ;;
    setoption*) set="$set[$line]" ;;
    eval) echo "$set" >> set.txt; echo "Eval: 1.0" ;;"#;
    shell_engine(&folder, "settable", cases);
    let options = "--option File= --option Reset=";
    let report = dump_by(&folder, "./settable", "Eval: (.*)", options);
    ends(&report, 0, &[]);
    let set = read(&folder, "set.txt");
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
    write(&folder, "none.epd", "# none\n");
    let none = run(&folder, "dump --engine ./silent none.epd");
    check!("dump_nothing", none);
}

fn write_tables(folder: &TempDir) {
    let head = "file,line,id,fen,score_cp,way,raw\n";
    let row = |fen: &str, score: i32| format!("x.epd,1,,{fen} 0 1,{score},eval,raw\n");
    let rook = |score| row("4k3/8/8/8/8/8/8/4K2R w K -", score);
    let pawn = |score| row("8/8/4k3/8/8/4K3/4P3/8 w - -", score);
    let queen = |square: &str| row(&format!("4k3/8/8/8/8/8/8/{square}K3 b - -"), 900);
    for (name, rows) in [
        ("old.csv", rook(400) + &pawn(20) + &queen("Q3")),
        ("new.csv", pawn(-15) + &rook(404) + &queen("1Q2")),
        ("other.csv", queen("1Q2")),
        ("broken.csv", "x.epd,1,,4k3 w - -,5,eval,\n".to_owned()),
    ] {
        write(folder, name, &(head.to_owned() + &rows));
    }
}

#[test]
fn diff() {
    let folder = folder();
    write_tables(&folder);
    let run = |arguments: &str| run(&folder, &format!("diff old.csv {arguments}"));
    check!("diff", run("new.csv --threshold 10"));
    check!("diff_json", run("new.csv --format json"));
    ends(&run("new.csv --threshold 35"), 0, &[]);
    ends(&run("other.csv"), 4, &[]);
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
    ends(&run(&format!("{counting} --tolerance 2")), 0, &[]);
}

/// Stockfish's evaluation is the same for both colours, whatever its version.
#[cfg(feature = "oracles")]
#[test]
fn stockfish() {
    let folder = folder();
    let check = "check --engine stockfish three.epd --check colours --check determinism";
    ends(&run(&folder, check), 0, &[]);
    let text = run(&folder, "dump --engine stockfish three.epd");
    holds(&text, &[",eval,Final evaluation: none (in check)"]);
}
