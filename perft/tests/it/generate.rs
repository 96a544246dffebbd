//! `perft generate` and the built-in suite made by it.

use chess::rules::mailbox;
use epd::Suite;
use perft::faults::{FaultSet, Faulty, find};

use crate::common::{command, run, run_in, session, snapshot, stdout_of};

/// Few enough positions for a test.
const FEW: [&str; 5] = ["generate", "--max-nodes", "500", "--from", "thesis"];

/// What a successful run with few positions writes to standard output.
fn suite(arguments: &[&str]) -> String {
    let text = made(&[&FEW[..], arguments].concat());
    assert_eq!(epd::lint("generated", text.as_bytes()).findings, []);
    text
}

fn made(all: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = command(folder.path(), all).output().expect("it starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{all:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Reads a suite whose every count must hold.
fn read(text: &str) -> Suite {
    let suite = Suite::parse("generated", text.as_bytes());
    assert_eq!(suite.diagnostics, [], "{text}");
    for entry in &suite.entries {
        let record = &entry.record;
        let setup = record.position().to_setup();
        let counts = record.perft_counts();
        assert!(!counts.is_empty(), "{record}");
        for (depth, (found, nodes)) in (1..).zip(counts) {
            assert_eq!(found, depth, "{record}");
            let counted = chess::perft::count(record.position(), depth);
            assert_eq!(counted, Ok(nodes), "{record}");
            assert_eq!(mailbox::perft(&setup, depth), nodes, "{record}");
        }
    }
    suite
}

/// Whether some record of a suite catches these faults together.
fn catches(suite: &Suite, faults: FaultSet) -> bool {
    let mut faulty = Faulty::new(faults);
    suite.entries.iter().any(|entry| {
        let counts = entry.record.perft_counts();
        let differs = |(depth, nodes)| faulty.perft(entry.record.position(), depth) != nodes;
        counts.into_iter().any(differs)
    })
}

#[test]
fn a_small_suite() {
    let command = "generate --from chess960 --chess960 --max-nodes 500 --count 5";
    snapshot!("generate_small", session(command));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    assert_eq!(suite(&["--threads", "1"]), suite(&["--threads", "2"]));
}

/// The command of the header makes the same bytes again.
#[test]
fn the_header_says_how() {
    let options = "--fault *ep-* --from edge --name ep-only --count 9";
    let text = suite(&options.split(' ').collect::<Vec<_>>());
    let command = text
        .lines()
        .find_map(|line| line.strip_prefix("#   perft "));
    let words = shlex::split(command.expect("a command")).expect("words of a shell");
    assert!(run(&words.iter().map(|word| &**word).collect::<Vec<_>>()).contains(&text));
}

/// Suites of the bank, of suites and of both; no position comes twice.
#[test]
fn every_source_gives_suites_whose_counts_hold() {
    let castling = [
        "generate",
        "--fault",
        "lists/castling-*",
        "--max-nodes",
        "100",
    ];
    let with = |more: &[&str]| made(&[&castling[..], more].concat());
    for text in [
        with(&[]),
        with(&["--chess960"]),
        suite(&[]),
        suite(&[
            "--from", "chess960", "--from", "thesis", "--fault", "undo/*",
        ]),
    ] {
        let suite = read(&text);
        assert!(suite.entries.len() > 5, "{text}");
        let mut positions: Vec<String> = suite
            .entries
            .iter()
            .map(|entry| epd::Record::new(*entry.record.position()).to_string())
            .collect();
        positions.sort();
        positions.dedup();
        assert_eq!(positions.len(), suite.entries.len());
    }
}

#[test]
fn a_pattern_keeps_what_shows_its_faults() {
    let pattern = "lists/castling-hit/*/out-of/*";
    let few = ["generate", "--fault", pattern, "--from", "edge"];
    let one = read(&made(&[&few[..], &["--max-nodes", "500"]].concat()));
    assert!((2..=80).contains(&one.entries.len()));
    assert!(catches(&one, find(pattern).expect("there are some")));
    for entry in &one.entries {
        let id = entry.record.id().expect("an id");
        assert!(id.starts_with("generated.lists-castling-hit-"), "{id}");
        assert!(entry.record.tags().any(|tag| tag == "castling"), "{id}");
    }
}

/// What is found of games, by extension and by content.
#[test]
#[expect(clippy::disallowed_methods, reason = "a test writes its input")]
fn games_are_a_source() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let games = "[Event \"Good\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O *\n\n\
                 [Event \"Bad\"]\n\n1. e4 e5 2. Ke3 *\n\n\
                 [Variant \"Chess960\"]\n[FEN \"1r3kr1/8/8/8/8/8/8/R3K3 w Agb - 0 1\"]\n\n1. Kd1 *\n";
    let made = ["games.pgn", "games"].map(|name| {
        std::fs::write(folder.path().join(name), games).expect("written");
        run_in(
            folder.path(),
            &["generate", "--max-nodes", "500", "--from", name],
        )
    });
    let warning = "1 faulty games skipped, the first at line 7, column 13: no legal move is 'Ke3'";
    let records = made.map(|text| {
        assert!(
            text.starts_with("exit 0") && text.contains(warning),
            "{text}"
        );
        let records = text.lines().filter(|line| line.contains(" id \""));
        records.map(str::to_owned).collect::<Vec<_>>()
    });
    assert_eq!(records[0], records[1]);
    let has = |position: &str| records[0].iter().any(|record| record.starts_with(position));
    assert!(has("1r3kr1/8/8/8/8/8/8/R3K3 w Qkq - "), "{records:?}");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test writes and reads files")]
fn the_suite_goes_to_a_file_but_not_to_its_source() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |arguments: &[&str]| run_in(folder.path(), &[&FEW[..], arguments].concat());
    let content = || std::fs::read_to_string(folder.path().join("my.epd")).expect("readable");
    assert_eq!(run(&["-o", "my.epd"]), "exit 0\n--- stdout\n--- stderr\n");
    read(&content());
    let before = content();
    let refused = run(&["--from", "my.epd", "-o", "my.epd"]);
    assert!(
        refused.contains("my.epd would be replaced, which is read"),
        "{refused}"
    );
    assert!(refused.starts_with("exit 2"), "{refused}");
    assert_eq!(content(), before);
}

#[test]
fn invalid_requests_are_rejected() {
    let commands = r#"
        generate --fault nonesuch
        generate --name "my suite"
        generate --from missing.pgn
        generate --from broken.epd
        generate --from agrees.epd --fault lists/wrap/pawn/* --depth 1
    "#;
    snapshot!("generate_invalid", session(commands));
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_it_without_a_suite() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let arguments = ["generate"];
    let output = crate::common::interrupted(&arguments, folder.path(), || true);
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(output.stdout, b"");
}

#[test]
fn a_clock_that_a_generator_stumbles_over_is_written() {
    let suite = read(&made(&[
        "generate",
        "--from",
        "edge",
        "--fault",
        "ends/clock/100*",
        "--max-nodes",
        "500",
    ]));
    assert!(!suite.entries.is_empty());
    for entry in &suite.entries {
        let record = &entry.record;
        assert!(record.position().halfmove_clock() >= 99, "{record}");
    }
}

/// A suite catches all that its candidates show, and leaves out what another suite catches.
#[test]
#[ignore = "long: generated suites catch what their candidates show"]
fn suites_catch_what_their_candidates_show() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let here = |arguments: &[&str]| run_in(folder.path(), arguments);
    let limits = ["--depth", "3", "--max-nodes", "3000"];
    // Also of faults that only odd positions show.
    let all = ["--fault", "*"];
    let missed = |suites: &[&str]| {
        let arguments = [&["coverage", "--edge", "--format", "json"], suites, &limits].concat();
        let json: serde_json::Value =
            serde_json::from_str(stdout_of(&here(&arguments))).expect("JSON");
        let families = json["cases"].as_array().expect("a list").iter();
        let missed = families.flat_map(|one| one["facts"]["missed"].as_array().expect("a list"));
        let names = missed.map(|one| one["fault"].to_string());
        names.collect::<std::collections::BTreeSet<String>>()
    };
    let generate = |name: &str, more: &[&str]| {
        let arguments = [&["generate", "-o", name], more, &all, &limits].concat();
        for arguments in [&arguments[..], &["check", name]] {
            let text = here(arguments);
            assert!(text.starts_with("exit 0\n"), "{text}");
        }
    };
    generate("thesis-small.epd", &["--from", "thesis"]);
    assert!(missed(&["thesis-small.epd"]).is_subset(&missed(&["thesis"])));
    generate("more.epd", &["--from", "edge", "--beyond", "thesis"]);
    assert!(missed(&["thesis", "more.epd"]).is_subset(&missed(&["edge"])));
    assert!(!missed(&["more.epd"]).is_subset(&missed(&["thesis"])));
}
