//! What makes no run: what is said, with which exit code.

use std::fs;

use crate::common::{Bed, commands};
#[cfg(unix)]
use crate::common::{interrupt, wait};

/// With files that are not what they should be.
fn bed() -> Bed {
    let bed = Bed::new();
    for (path, text) in rows![
        "bad.toml" => "[each]\nnodes = 1\n[[engine]]\ncmd = './engine'\nhash = 16\n";
        "timeout.toml" => "timeouts.ready = 0";
        "loss.toml" => "adjudication.tablebase-adjudicate = 'loss'";
        "bad.epd" => "8/8/8/8/8/8/8/8 w - -\n";
        "text" => "no program";
        "full/file" => "";
        "tuning/config.json" => r#"{ "schema": "touchstone/tune/1", "games": 1 }"#;
        "run/config.json" => r#"{ "config": { "schema": "touchstone/run/1" } }"#;
        "empty/config.json" => "{}";
    ] {
        let path = bed.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("new");
        fs::write(path, text).expect("new");
    }
    bed
}

#[test]
fn what_makes_no_run_says_why() {
    let bed = bed();
    fs::create_dir(bed.path("endless")).expect("new");
    #[cfg(unix)]
    std::os::unix::fs::symlink("/dev/zero", bed.path("endless/config.json")).expect("new");
    for (name, arguments) in commands(include_str!("../../data/invalid-runs.txt")) {
        // Elsewhere, any file may be a program, and none is endless.
        if cfg!(unix) || !name.starts_with("endless") && name != "no_executable" {
            insta::assert_snapshot!(name, bed.run_to_text(arguments));
        }
    }
}

#[test]
fn what_a_first_try_leaves_out_is_filled_in_and_printed() {
    let bed = Bed::new();
    for (line, defaults) in rows![
        "match --max-moves 2" => "--tc 2+0.02 --margin 1s --rounds 10";
        "match --rounds 1 --nodes 1" => "";
        "sprt --rounds 1 --max-moves 2" => "--tc 8+0.08 --elo0 0 --elo1 5";
        "sprt --rounds 1 --nodes 1 --elo0 0 --elo1 9" => "";
    ] {
        let ended = bed.run(&format!("{line} ./engine './engine --seed=7'"));
        let first = ended.stderr.lines().next().unwrap_or_default();
        match defaults {
            "" => assert!(!ended.stderr.contains("defaults"), "{ended:?}"),
            _ => assert_eq!(first, format!("defaults: {defaults}"), "{ended:?}"),
        }
        // A test of one pair is not decided.
        assert_eq!(ended.code, i32::from(line.starts_with("sprt")), "{ended:?}");
    }
}

#[test]
#[cfg(unix)]
fn an_error_ends_with_the_command_that_would_have_worked() {
    let bed = Bed::new();
    for row in include_str!("../../data/typed-and-meant.txt").lines() {
        let (typed, meant) = row.split_once(" => ").expect("two commands");
        let ended = bed.run(typed).exits(2);
        let last = ended.stderr.lines().last().unwrap_or_default();
        assert_eq!(last, format!("try: selfplay {meant}"), "{ended:?}");
    }
}

#[test]
fn a_run_that_cannot_begin_leaves_nothing() {
    let bed = bed();
    let few = "./engine --nodes 1 --rounds 1 --out";
    let large = format!("match 'cmd=./engine option.Hash=999999999' {few} x");
    let ended = bed.run(&large).exits(2);
    let expected = "error: the hash tables of 2 engines take 1000000015 MiB, but ";
    assert!(ended.stderr.starts_with(expected), "{ended:?}");
    ended.reports("; --force starts anyway\n");
    let unknown = format!("match 'cmd=./engine option.Hahs=1' {few} y");
    let code = bed.run(&unknown).code;
    assert_ne!(code, 0);
    bed.run(&format!("match ./engine {few} z --tablebases full"))
        .exits(2);
    for name in ["x", "y", "z"] {
        assert!(!bed.path(name).exists(), "{name}");
    }
}

#[test]
fn a_run_that_has_nowhere_to_go_builds_nothing_first() {
    let bed = bed();
    fs::write(bed.path("file"), "").expect("new");
    // The revision would be looked for first, and is not there.
    let run = "match rev:HEAD ./engine --build true --artifact x --nodes 1 --rounds 1 --out";
    for (out, expected) in [("full", "full"), ("file", "file"), ("file/run", "file")] {
        let ended = bed.run(&format!("{run} {out}"));
        assert_eq!(ended.code, 2, "{ended:?}");
        ended.reports(expected);
        assert!(!ended.stderr.contains("repository"), "{ended:?}");
    }
    // The engine is not there either, which would be exit code 3.
    let param = "--param name=X,start=1,min=0,max=2";
    let tuning = bed.run(&format!("tune ./none --nodes 1 {param} --out file/run"));
    assert_eq!(tuning.code, 2, "{tuning:?}");
    let expected = "error: cannot write file/run: ";
    assert!(tuning.stderr.starts_with(expected), "{tuning:?}");
    assert!(!bed.path("new").exists());
    let sound = bed.run(&format!("{run} new/run"));
    sound.reports("HEAD");
    assert!(!bed.path("new").exists(), "a check leaves nothing");
}

#[test]
fn quiet_runs_print_results_and_errors_only() {
    let bed = Bed::new();
    // Otherwise there is a note that no openings are given.
    let run =
        "match './engine --seed=1' ./engine --nodes 1 --rounds 2 --max-moves 2 --out x --force";
    for command in [run, "resume x"] {
        let ended = bed.run(&format!("{command} --quiet"));
        assert_eq!((ended.code, &*ended.stderr), (0, ""), "{ended:?}");
        assert!(ended.stdout.contains("recorded"), "{ended:?}");
    }
}

#[cfg(unix)]
#[test]
fn paths_that_are_no_text_stop_nothing_but_what_needs_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let bed = bed();
    let few = "match ./engine ./engine --nodes 1 --rounds 1 --max-moves 2";
    let mut command = bed.command(&format!("{few} --format json --out"));
    command.arg(OsStr::from_bytes(b"out\xff"));
    let ended = wait(command.spawn().expect("it starts")).exits(0);
    assert!(ended.stdout.contains("out\u{fffd}\""), "{ended:?}");

    // Programs are recorded by their whole paths.
    let here = bed.folder.path().join(OsStr::from_bytes(b"here\xff"));
    fs::create_dir(&here).expect("new");
    let plain = "match ../engine ../engine --nodes 1 --rounds 1 --out ../text-out";
    let mut command = bed.command(plain);
    let ended = wait(command.current_dir(here).spawn().expect("it starts")).exits(2);
    ended.reports("UTF-8");
    assert!(!bed.path("text-out").exists());
}

#[cfg(unix)]
#[test]
fn a_book_that_is_no_file_is_not_waited_for() {
    let bed = Bed::new();
    let fifo = std::process::Command::new("mkfifo")
        .arg(bed.path("pipe.epd"))
        .status();
    assert!(fifo.expect("mkfifo is there").success());
    let few = "match ./engine ./engine --nodes 1 --rounds 1 --out x --openings pipe.epd";
    let ended = bed.run(few).exits(2);
    ended.reports("pipe.epd is not a regular file");
    assert!(!bed.path("x").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_while_a_book_is_read_leaves_nothing() {
    use crate::common::wait_until;

    let bed = Bed::new();
    let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";
    // As large as it takes: it would be read for minutes.
    fs::write(bed.path("book.epd"), line.repeat(4_000_000)).expect("new");
    let command = "match ./engine ./engine --nodes 1 --rounds 1 --out x --openings book.epd";
    let child = bed.spawn(command);
    let open = format!("/proc/{}/fd", child.id());
    let book = bed.path("book.epd");
    wait_until(|| {
        let files = fs::read_dir(&open).expect("it runs").flatten();
        let mut files = files.map(|file| file.path().read_link());
        files.any(|file| file.is_ok_and(|file| file == book))
    });
    interrupt(&child);
    wait(child).exits(130);
    assert!(!bed.path("x").exists());
}

#[cfg(unix)]
#[test]
fn files_that_may_not_grow_end_a_run_in_good_order() {
    let bed = Bed::new();
    let run = "match './engine --seed=3' ./engine --nodes 1 --rounds 500 --variant chess960 --force --out";
    // In blocks of 512 bytes: room for some games, not for the configuration, for nothing.
    for (name, blocks, is_left) in [("some", 64, true), ("few", 1, false), ("none", 0, false)] {
        let limit = format!("ulimit -f {blocks}");
        let ended = bed.run_after(&limit, &format!("{run} {name}")).exits(3);
        let found = ended.stderr.matches("File too large").count();
        assert_eq!(found, 1, "{ended:?}");
        assert_eq!(bed.path(name).exists(), is_left, "{ended:?}");
    }
}
