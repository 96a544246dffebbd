//! `crowd verify` as its users see it. The engine is `examples/scripted_engine`.

use crate::common::cli::crowd;

/// Two positions with their lists, one without, and one of Chess960.
const CASES: &str = "\
7k/8/8/8/8/8/P7/K7 w - - id \"corner\"; lm Kb1 Kb2 a3 a4;
4k3/8/8/8/8/8/8/4K2R b - - id \"black\"; lm Kd7 Kd8 Ke7 Kf7 Kf8;
4k3/8/8/8/8/8/8/4K2R w K -
7k/8/8/8/8/8/8/RK6 w A - id \"960\";
";

/// The path of the engine.
fn path() -> String {
    testkit::programs::scripted_engine().display().to_string()
}

/// What the program says of an engine with some flags, whose path is left out.
fn verify(flags: &str, arguments: &[&str]) -> String {
    verify_on(CASES, flags, arguments)
}

fn verify_on(cases: &str, flags: &str, arguments: &[&str]) -> String {
    let engine = format!("'{}' {flags}", path());
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut all = vec!["verify", "--engine", &engine, "--cases", "-"];
    all.extend(arguments);
    crowd(folder.path(), &all, cases).replace(&path(), "scripted_engine")
}

#[test]
fn lists_that_agree() {
    insta::assert_snapshot!("verify_agrees", verify("", &[]));
    for flags in [
        "--with buffer='\"ready\"'",
        "--with total=[]",
        "--with buffer='\"ready\"' --with total=[]",
    ] {
        assert_eq!(verify(flags, &[]), verify("", &[]), "{flags}");
    }
    let engine = format!("'{}'", path());
    let folder = tempfile::tempdir().expect("a folder can be made");
    let thesis = crowd(folder.path(), &["verify", "--engine", &engine], "");
    insta::assert_snapshot!("verify_thesis", thesis);
}

/// Lists that differ, and engines that give none: the snapshot, the flags of the engine, and our arguments.
#[test]
fn faults_of_engines() {
    let table = r#"verify_differs | --bug omits/check/castling-* |
        verify_adds | --bug adds=b1b8 |
        verify_twice | --bug repeats/move/castling-* |
        verify_differs_json | --bug adds=b1b8 | --format json
        verify_crash | --bug breaks-down=bare-king:abort |
        verify_hang | --bug breaks-down=bare-king:hang | --timeout 5
        verify_search | --dialect no-perft |
        verify_no_perft | --dialect no-perft --with search='"unknown"' | --timeout 5
        verify_flood | --with log=500 --with log_line='"still counting"' --with row='""' --with total=[] |
        verify_no_chess960 | --no-option UCI_Chess960 |"#;
    for row in table.lines() {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let arguments: Vec<&str> = cells[2].split_whitespace().collect();
        insta::assert_snapshot!(cells[0], verify(cells[1], &arguments));
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let none = crowd(folder.path(), &["verify", "--engine", "./nonesuch"], "");
    insta::assert_snapshot!("verify_no_engine", none);
}

#[test]
fn bad_cases() {
    let illegal = verify_on("7k/8/8/8/8/8/8/K7 w - - lm Ka3;\n", "", &[]);
    insta::assert_snapshot!("verify_bad_list", illegal);
    insta::assert_snapshot!("verify_bad_record", verify_on("7k/8 w\n", "", &[]));
    insta::assert_snapshot!("verify_nothing", verify_on("# nothing\n", "", &[]));
}

/// Stockfish counts in a thread: `readyok` may come before its list or behind it.
#[cfg(feature = "oracles")]
#[test]
fn stockfish() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for cases in ["thesis", "chess960"] {
        let suite = epd::suites::find(cases).expect("it is built in");
        let arguments = ["verify", "--engine", "stockfish", "--cases", "-"];
        let said = crowd(folder.path(), &arguments, suite.text);
        assert!(said.starts_with("exit 0\n"), "{said}");
    }
}
