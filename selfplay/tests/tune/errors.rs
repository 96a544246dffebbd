//! What cannot be tuned is said before a game is played, and leaves no directory.

use std::path::Path;

use crate::bed::{Bed, MARGIN, unruly_engine};

/// Runs it with these arguments behind those of a good tuning without parameters.
fn refused(code: i32, arguments: &[&str]) -> String {
    let bed = Bed::new();
    let engine = unruly_engine();
    let good = [
        "--cmd",
        &*engine,
        "--arg=--optimum=70",
        "--dir",
        "run",
        "--pairs",
        "4",
    ];
    let output = bed.run(&[&good, arguments].concat());
    assert_eq!(output.code, code, "{output:?}");
    assert_eq!(output.stdout, "");
    assert!(!Path::new(&bed.path("run")).exists(), "{output:?}");
    output.stderr
}

#[test]
fn what_cannot_be_tuned_is_refused() {
    let rows: [(i32, &[&str], &str); 13] = [
        (
            2,
            &["--nodes", "1"],
            "error: there are no parameters to tune\n",
        ),
        (
            2,
            &["--param", MARGIN],
            "error: how long may the engine think? expected --tc, --st, --nodes or --depth\n",
        ),
        (
            2,
            &["--nodes", "1", "--param", "name=Margin,start=7"],
            "error: --param 'name=Margin,start=7': min= is missing\n",
        ),
        (
            2,
            &["--nodes", "1", "--param", "name=Marge,start=1,min=0,max=9"],
            "error: parameter 'Marge': the engine has no such option\n",
        ),
        (
            2,
            &[
                "--nodes",
                "1",
                "--param",
                "name=Margin,start=1,min=-1,max=9",
            ],
            "error: parameter 'Margin': min is -1, but the option takes 0 or more\n",
        ),
        (
            2,
            &["--nodes", "1", "--param", MARGIN, "--option", "margin=4"],
            "error: option 'margin' is set to a value and tuned as well\n",
        ),
        (
            2,
            &["--nodes", "1", "--param", MARGIN, "--option", "Contempt=4"],
            "error: engine 'unruly_engine (plus)': the engine has no option 'Contempt'\n",
        ),
        (
            2,
            &[
                "--nodes",
                "1",
                "--param",
                MARGIN,
                "--games-per-iteration",
                "3",
            ],
            "error: 4 pairs are no whole number of 3 games\n",
        ),
        (
            2,
            &["--tc", "10+x", "--param", MARGIN],
            "error: time control '10+x', column 4: 'x' is not a time, expected seconds such as 10 or \
             0.05\n",
        ),
        (
            2,
            &["--nodes", "1", "--param", MARGIN, "--resign", "3"],
            "error: --resign '3', expected MOVES,CP, such as 4,600\n",
        ),
        (
            2,
            &["--nodes", "1", "--params", "no-list.txt"],
            "error: no-list.txt: No such file or directory (os error 2)\n",
        ),
        (
            3,
            &["--nodes", "1", "--param", MARGIN, "--arg=--crash-at-start"],
            "error: crash: the engine ended",
        ),
        (
            2,
            &["--nodes", "1", "--param", MARGIN, "--alpha", "7"],
            "error: alpha is 7, expected 0 to 1\n",
        ),
    ];
    for (code, arguments, message) in rows {
        let error = refused(code, arguments);
        assert!(error.starts_with(message), "{arguments:?}: {error}");
    }
}

#[test]
fn a_directory_that_does_not_fit_is_refused() {
    let bed = Bed::new();
    let check = |code, message: &str| {
        let output = bed.run(&["--resume", "run"]);
        assert_eq!(output.code, code, "{output:?}");
        assert_eq!(output.stderr, format!("error: {message}\n"));
    };
    check(2, "run has no tuning: there is no config.json");
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
fn another_book_is_refused() {
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
