//! What cannot be tuned is reported before a game is played, and leaves no directory.

use super::bed::{Bed, MARGIN};

/// Runs a tuning without parameters and limits, with these arguments as well.
fn rejected(code: i32, flags: &str, arguments: &str) -> String {
    let bed = Bed::new();
    let good = format!("tune './engine --optimum=70 {flags}' --out run --pairs 4");
    let ended = bed.run(&format!("{good} {arguments}")).exits(code);
    assert_eq!(ended.stdout, "");
    assert!(!bed.folder.path("run").exists(), "{ended:?}");
    ended.stderr
}

#[test]
fn options_that_cannot_be_tuned_are_rejected() {
    let good = format!("--nodes 1 {MARGIN}");
    let and = |other: &str| format!("{good} {other}");
    let param = |text: &str| format!("--nodes 1 --param {text}");
    let rows = rows![
        "--nodes 1".to_owned() => "no parameters to tune\n";
        MARGIN.to_owned() => "engine 'engine': no limit, expected one or more of tc, movetime, nodes and depth\n";
        and("--games-per-iteration 6") => "4 pairs are not a multiple of 6 games\n";
        and("--param no-list.txt") => "no-list.txt: No such file or directory (os error 2)\n";
        and("--config no-file.toml") => "cannot read no-file.toml: No such file or directory (os error 2)\n";
        and("--openings no-book.epd") => "cannot read the opening book ";
    ];
    for (arguments, message) in rows {
        let error = rejected(2, "", &arguments);
        let message = format!("error: {message}");
        assert!(error.starts_with(&message), "{arguments}: {error}");
    }
    let rows = rows![
        "", param("name=Marge,start=1,min=0,max=9") => "parameter 'Marge': the engine has no such option\n";
        "--crash-at-start", good => "crash: the engine ended";
    ];
    for (flags, arguments, message) in rows {
        let error = rejected(3, flags, &arguments);
        let message = format!("error: {message}");
        assert!(error.starts_with(&message), "{arguments}: {error}");
    }
}

#[test]
fn what_was_decided_at_the_beginning_stays() {
    let bed = Bed::new();
    for option in ["--pairs 9", "--nodes 9", "--seed 9", "--openings book.epd"] {
        let ended = bed.run(&format!("tune --show run {option}")).exits(2);
        ended.reports("cannot be used with");
    }
}

#[test]
fn an_engine_that_only_fails_ends_the_run() {
    let bed = Bed::new();
    let engine = "tune './engine --optimum=70 --crash'";
    let ended = bed
        .run(&format!("{engine} --nodes 1 {MARGIN} --out run"))
        .exits(3);
    ended.reports(
        "error: the last 10 games all ended by a fault of an engine, the last: the engine ended",
    );
    assert_eq!(bed.failures().len(), 10);
    assert_eq!(bed.journal().lines().count(), 5);
}

/// A file for matches, with one engine.
#[test]
fn a_configuration_may_be_a_file() {
    let bed = Bed::new();
    let run = |option: &str, out: &str| {
        let engine =
            "seed = 4\n[[engine]]\nname = 'E'\ncmd = './engine'\nargs = ['--optimum=70']\n";
        bed.write("run.toml", format!("{engine}{option}\n"));
        bed.run(&format!(
            "tune --config run.toml --nodes 1 {MARGIN} --pairs 2 --out {out}"
        ))
    };
    let rows = rows![
        2, "option = { margin = 4 }" => "option 'margin' is set to a value and tuned as well";
        3, "option = { Contempt = 4 }" => "engine 'E (plus)': the engine has no option 'Contempt'";
        2, "[[engine]]\ncmd = 'other'" => "2 engines, expected one: the same name in the file and on the command line";
    ];
    for (code, option, message) in rows {
        let ended = run(option, "no").exits(code);
        assert_eq!(ended.stderr, format!("error: {message}\n"));
    }
    for (line, key, why) in rows![
        "games = 2\n", "games" => "the games are pairs with colours swapped";
        "no-swap = true\n", "no-swap" => "the games are pairs with colours swapped";
        "wait = 1\n", "wait" => "games follow without a pause";
        "log = 'log'\n", "log" => "there is no log";
        "pgn = 'notation=lan'\n", "pgn" => "games are stored by iteration, without their moves";
        "sprt.elo0 = 0\n", "sprt" => "--pairs is when it ends";
    ] {
        bed.write("more.toml", format!("{line}adjudication.max-moves = 9\n"));
        let given = format!("./engine --nodes 1 {MARGIN} --pairs 2 --config more.toml --out no");
        let message = format!("error: more.toml: {key}: not for a tuning: {why}\n");
        assert_eq!(bed.run(&format!("tune {given}")).exits(2).stderr, message);
    }
    bed.write("slow.toml", "timeouts.startup = '50ms'\n");
    let slow = format!("'./engine --no-uciok' --nodes 1 {MARGIN} --config slow.toml --out no");
    bed.run(&format!("tune {slow}"))
        .exits(3)
        .reports("no uciok within 0.05 s");
    let ended = run("option = { Hash = 4 }", "run").exits(0);
    for expected in ["2 of 2 iterations, 4 games: ", "; seed 4\n"] {
        assert!(ended.stdout.contains(expected), "{ended:?}");
    }
    assert_eq!(bed.journal().lines().count(), 2);
}

/// Fails unless the run is rejected with one line that begins like this.
#[track_caller]
fn check_resume(bed: &Bed, message: &str) {
    let ended = bed.run("resume run").exits(2);
    let message = format!("error: {message}");
    assert!(ended.stderr.starts_with(&message), "{ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
}

#[test]
fn a_directory_that_does_not_fit_is_rejected() {
    let bed = Bed::new();
    check_resume(&bed, "run is not a run directory: config.json is missing\n");
    bed.begin("--pairs 4");
    let (config, journal) = (bed.read("run/config.json"), bed.journal());
    for (file, text, message) in rows![
        "config.json", config.replace("\"seed\": 1", "\"seed\": 2") => "run/tune.jsonl:1: plus is ";
        "config.json", config.replace("tune/1", "tune/2") =>
            "run/config.json: schema is 'touchstone/tune/2', expected touchstone/tune/1\n";
        "tune.jsonl", journal.replacen("\"iteration\":2", "\"iteration\":3", 1) =>
            "run/tune.jsonl:3: iteration is 3, expected 2\n";
    ] {
        bed.write("run/config.json", &config);
        bed.write(&format!("run/{file}"), text);
        check_resume(&bed, message);
    }
}

#[test]
fn another_program_or_book_is_rejected() {
    let bed = Bed::new();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";
    let other = "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq -\n";
    bed.write("book.epd", [start, other].concat());
    bed.succeed(&format!(
        "{} {MARGIN} --pairs 6 --openings book.epd",
        bed.fast
    ));
    let journal = bed.journal();
    // Two iterations of it are left.
    let begun: String = journal.split_inclusive('\n').take(2).collect();
    bed.write("run/tune.jsonl", &begun);
    bed.write("book.epd", start);
    check_resume(&bed, "the opening book has changed: it was ");
    bed.write("book.epd", [start, other].concat());
    let config = bed.read("run/config.json");
    let program = config.split("\"program\": \"").nth(1).expect("its sum");
    let program = program.split('"').next().expect("its end").to_owned();
    bed.write("run/config.json", config.replace(&program, "7-00000000"));
    let message = format!(
        "the engine's program has changed: it was 7-00000000 and is {program}; --allow-changed-engines resumes anyway\n"
    );
    check_resume(&bed, &message);
    assert_eq!(bed.journal(), begun);
    bed.resume("--allow-changed-engines");
    assert_eq!(bed.journal(), journal);
}

#[test]
fn a_run_tolerates_max_faults() {
    let faulty = || Bed::with("--crash --at=9");
    let bed = faulty();
    bed.run(&bed.usual("--pairs 8 --max-faults 1")).exits(0);
    let bed = faulty();
    let ended = bed.run(&bed.usual("--pairs 8 --max-faults 0")).exits(3);
    ended.reports("error: a game ended by a fault of an engine, the last: the engine ended");
    ended.reports("\nresume with: selfplay resume run\n");
    let begun = bed.journal();
    assert!(begun.lines().count() < 8, "{begun}");
    bed.succeed("resume run");
    assert!(bed.journal().starts_with(&begun));
    assert_eq!(bed.journal().lines().count(), 8);
}

/// Faults that are recorded count when the run is resumed.
#[test]
fn faults_are_counted_from_the_beginning() {
    let bed = Bed::new();
    let ended = bed
        .run(&format!(
            "tune './engine --optimum=70 --crash' --nodes 1 {MARGIN} --out run --max-faults 5"
        ))
        .exits(3);
    ended.reports("error: 6 games ended by a fault of an engine, the last: the engine ended");
    let lines = bed.journal().lines().count();
    assert_eq!(lines, 3, "{}", bed.journal());
    let ended = bed.run("resume run --max-faults 5").exits(3);
    ended.reports("error: 7 games ended by a fault of an engine, the last: the engine ended");
    assert_eq!(bed.journal().lines().count(), lines);
}

#[cfg(target_os = "linux")]
#[test]
fn games_are_pinned_where_there_are_cpus() {
    let whole = Bed::new();
    whole.begin("--pairs 4");
    let bed = Bed::new();
    let usual = |more: &str| bed.usual(&format!("--pin on {more}"));
    let ended = bed.run(&usual("--pairs 1024 --lag 1024 -j 1024")).exits(2);
    ended.reports("error: 1024 games cannot be pinned to 1 CPUs each: there are ");
    assert!(!bed.folder.path("run").exists());
    bed.succeed(&usual("--pairs 4 -j 1"));
    assert_eq!(bed.journal(), whole.journal());
    assert!(bed.read("run/config.json").contains("\"pinning\": \"on\""));
    // It stays so, and fewer games at once may be needed than before.
    bed.write("run/tune.jsonl", "");
    let config = bed
        .read("run/config.json")
        .replace("\"lag\": 8", "\"lag\": 1024");
    bed.write(
        "run/config.json",
        config.replace("\"iterations\": 4", "\"iterations\": 1024"),
    );
    let ended = bed.run("resume run -j 1024").exits(2);
    ended.reports("error: 1024 games cannot be pinned to 1 CPUs each: there are ");
    bed.run("tune --show run --pin on").exits(2);
}
