//! What cannot be tuned is said before a game is played, and leaves no directory.

use std::path::Path;

use super::bed::{Bed, MARGIN};
use crate::common::scripted_engine;

/// Runs it with these arguments behind those of a good tuning without parameters and limits.
fn rejected(code: i32, flags: &str, arguments: &[&str]) -> String {
    let bed = Bed::new();
    let engine = format!("{} --optimum=70 {flags}", scripted_engine().display());
    let good = ["--engine", &*engine, "--out", "run", "--pairs", "4"];
    let output = bed.run(&[&good, arguments].concat());
    assert_eq!(output.code, code, "{output:?}");
    assert_eq!(output.stdout, "");
    assert!(!Path::new(&bed.path("run")).exists(), "{output:?}");
    output.stderr
}

#[test]
fn options_that_cannot_be_tuned_are_rejected() {
    let good = ["--nodes", "1", "--param", MARGIN];
    let param = |text| ["--nodes", "1", "--param", text];
    let and = |other: &[&'static str]| [&good, other].concat();
    let rows = [
        (vec!["--nodes", "1"], "no parameters to tune\n"),
        (
            vec!["--param", MARGIN],
            "engine 'scripted_engine (plus)': no limit, expected one or more of tc, movetime, nodes and depth\n",
        ),
        (
            param("name=Margin,start=7").to_vec(),
            "--param 'name=Margin,start=7': min= is missing\n",
        ),
        (
            param("name=Marge,start=1,min=0,max=9").to_vec(),
            "parameter 'Marge': the engine has no such option\n",
        ),
        (
            param("name=Margin,start=1,min=-1,max=9").to_vec(),
            "parameter 'Margin': min is -1, but the option takes 0 or more\n",
        ),
        (
            and(&["--games-per-iteration", "3"]),
            "--games-per-iteration is 3, expected an even number from 2: games come in pairs\n",
        ),
        (
            and(&["--games-per-iteration", "6"]),
            "4 pairs are not a multiple of 6 games\n",
        ),
        (and(&["--alpha", "7"]), "alpha is 7, expected 0 to 1\n"),
        (
            and(&["--params", "no-list.txt"]),
            "no-list.txt: No such file or directory (os error 2)\n",
        ),
        (
            and(&["--config", "no-file.toml"]),
            "cannot read no-file.toml: No such file or directory (os error 2)\n",
        ),
        (
            and(&["--openings", "no-book.epd"]),
            "cannot read the opening book ",
        ),
    ];
    for (arguments, message) in rows {
        let error = rejected(2, "", &arguments);
        let message = format!("error: {message}");
        assert!(error.starts_with(&message), "{arguments:?}: {error}");
    }
    let error = rejected(3, "--crash-at-start", &good);
    assert!(
        error.starts_with("error: crash: the engine ended"),
        "{error}"
    );
}

#[test]
fn what_was_decided_at_the_beginning_stays() {
    let bed = Bed::new();
    for option in [
        ["--pairs", "9"],
        ["--nodes", "9"],
        ["--seed", "9"],
        ["--openings", "book.epd"],
        ["--max-moves", "9"],
    ] {
        for other in ["--resume", "--show"] {
            let output = bed.run(&[&[other, "run"][..], &option].concat());
            assert_eq!(output.code, 2, "{output:?}");
            assert!(output.stderr.contains("cannot be used with"), "{output:?}");
        }
    }
}

#[test]
fn an_engine_that_only_fails_ends_the_run() {
    let bed = Bed::new();
    let engine = format!("{} --optimum=70 --crash", scripted_engine().display());
    let arguments = [
        "--engine", &*engine, "--nodes", "1", "--param", MARGIN, "--out", "run",
    ];
    let output = bed.run(&arguments);
    assert_eq!(output.code, 3, "{output:?}");
    let message =
        "error: the last 10 games all ended by a fault of an engine, the last: the engine ended";
    assert!(output.stderr.contains(message), "{output:?}");
    assert_eq!(bed.files("failures").len(), 10);
    assert_eq!(bed.journal().lines().count(), 5);
}

/// A file for matches, with one engine.
#[test]
fn a_configuration_may_be_a_file() {
    let bed = Bed::new();
    let engine = scripted_engine().display().to_string();
    let config =
        format!("seed = 4\n[[engine]]\nname = 'E'\ncmd = '{engine}'\nargs = ['--optimum=70']\n");
    let fixed = |option: &str| bed.write("run.toml", config.clone() + option);
    let arguments = [
        "--config", "run.toml", "--nodes", "1", "--param", MARGIN, "--pairs", "2", "--out",
    ];
    let rejected = |message: &str| {
        let output = bed.run(&[&arguments[..], &["no"]].concat());
        assert_eq!(output.code, 2, "{output:?}");
        assert_eq!(output.stderr, format!("error: {message}\n"));
    };
    fixed("option = { margin = 4 }\n");
    rejected("option 'margin' is set to a value and tuned as well");
    fixed("option = { Contempt = 4 }\n");
    rejected("engine 'E (plus)': the engine has no option 'Contempt'");
    fixed("[[engine]]\ncmd = 'other'\n");
    rejected("2 engines, expected one: the same name in file and --engine");
    fixed("option = { Hash = 4 }\n");
    let output = bed.run(&[&arguments[..], &["run"]].concat());
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        output.stdout.contains("2 of 2 iterations, 4 games: "),
        "{output:?}"
    );
    assert!(output.stdout.contains("; seed 4\n"), "{output:?}");
    assert_eq!(bed.journal().lines().count(), 2);
}

#[test]
fn a_directory_that_does_not_fit_is_rejected() {
    let bed = Bed::new();
    let check = |code, message: &str| {
        let output = bed.run(&["--resume", "run"]);
        assert_eq!(output.code, code, "{output:?}");
        assert_eq!(output.stderr, format!("error: {message}\n"));
    };
    check(2, "run has no tuning: config.json is missing");
    bed.begin(&["--pairs", "4"]);
    let (config, journal) = (bed.read("run/config.json"), bed.journal());
    bed.write(
        "run/config.json",
        config.replace("\"seed\": 1", "\"seed\": 2"),
    );
    let output = bed.run(&["--resume", "run"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(
        output
            .stderr
            .starts_with("error: run/tune.jsonl: line 1: plus is "),
        "{output:?}"
    );
    bed.write("run/config.json", config.replace("tune/1", "tune/2"));
    check(
        2,
        "run/config.json: schema is 'touchstone/tune/2', expected touchstone/tune/1",
    );
    bed.write("run/config.json", &config);
    bed.write(
        "run/tune.jsonl",
        journal.replacen("\"iteration\":2", "\"iteration\":3", 1),
    );
    check(2, "run/tune.jsonl: line 3: iteration is 3, expected 2");
}

#[test]
fn another_program_is_rejected_unless_forced() {
    let bed = Bed::new();
    bed.begin(&["--pairs", "6"]);
    let journal = bed.journal();
    let begun: String = journal.split_inclusive('\n').take(2).collect();
    bed.write("run/tune.jsonl", &begun);
    let config = bed.read("run/config.json");
    let program = config.split("\"program\": \"").nth(1).expect("its sum");
    let program = program.split('"').next().expect("its end").to_owned();
    bed.write("run/config.json", config.replace(&program, "7-00000000"));
    let output = bed.run(&["--resume", "run"]);
    assert_eq!(output.code, 2, "{output:?}");
    let message = format!(
        "error: the engine's program has changed: it was 7-00000000 and is {program}; --force resumes \
         anyway\n"
    );
    assert_eq!(output.stderr, message);
    assert_eq!(bed.journal(), begun);
    bed.resume(&["--force"]);
    assert_eq!(bed.journal(), journal);
}

#[test]
fn another_book_is_rejected() {
    let bed = Bed::new();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";
    let other = "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq -\n";
    bed.write("book.epd", [start, other].concat());
    bed.begin_without(&["--param", MARGIN, "--pairs", "6", "--openings", "book.epd"]);
    let journal = bed.journal();
    let begun: String = journal.split_inclusive('\n').take(2).collect();
    bed.write("run/tune.jsonl", &begun);
    bed.write("book.epd", start);
    let output = bed.run(&["--resume", "run"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(
        output
            .stderr
            .starts_with("error: the opening book has changed: it was "),
        "{output:?}"
    );
    assert_eq!(bed.journal(), begun);
    bed.write("book.epd", [start, other].concat());
    bed.resume(&[]);
    assert_eq!(bed.journal(), journal);
}
