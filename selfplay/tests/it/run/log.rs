//! `log` of the configuration: the dialogue with engines in a file.

use std::fs;

use crate::common::Bed;

#[test]
fn a_log_has_every_line_and_is_never_overwritten() {
    let bed = Bed::new();
    let play = |out: &str, more: &str| {
        bed.run(&format!(
            "match './engine --seed=1' './engine --seed=2' --nodes 1 --rounds 1 --out {out} {more}"
        ))
    };
    let config = |name: &str, log: &str| {
        fs::write(bed.path(name), format!("log = \"{log}\"\n")).expect("written");
    };
    config("log.toml", "engines.log");
    config("none.toml", "none/engines.log");
    play("first", "--config log.toml").exits(0);
    let log = fs::read_to_string(bed.path("engines.log")).expect("a log");
    let words = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    for line in log.lines() {
        let words = words(line);
        assert!(words[0].parse::<f64>().is_ok(), "seconds: {line}");
        assert!(
            words[1].starts_with('[') && words[1].ends_with(']'),
            "a process: {line}"
        );
        assert!(["<", ">", "#"].contains(&words[2].as_str()), "{line}");
    }
    let count = |text: &str| log.lines().filter(|line| line.contains(text)).count();
    // Each engine is tried before the games.
    assert_eq!(count("> ucinewgame"), 2 + 4);
    for remark in [
        "# game 1, White: new",
        "# game 1, Black: base",
        "# game 2, White: base",
    ] {
        assert_eq!(count(remark), 1, "{remark}");
    }
    let moves: usize = bed
        .read("first")
        .records
        .iter()
        .map(|game| game.moves.len())
        .sum();
    assert_eq!([count("> go nodes 1"), count("< bestmove")], [2 + moves; 2]);

    play("second", "--config log.toml").exits(0);
    let longer = fs::read_to_string(bed.path("engines.log")).expect("a log");
    assert!(longer.starts_with(&log) && longer.len() > log.len());
    play("third", "--config none.toml").exits(2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_be_written_ends_the_run() {
    let bed = Bed::new();
    fs::write(bed.path("full.toml"), "log = \"/dev/full\"\n").expect("written");
    let ended = bed
        .run(
            "match './engine --seed=1' './engine --seed=2' --nodes 1 --rounds 1000 --out out --config full.toml",
        )
        .exits(3);
    let error = "error: cannot write the log /dev/full: No space left on device (os error 28)\n";
    assert!(ended.stderr.contains(error), "{}", ended.stderr);
}
