//! `epd run`: standard output, standard error, files and exit code.

use std::path::{Path, PathBuf};

use crate::common::{self, read, run_in, scripted_engine, words, write};

const NODES: &str = "--nodes 100000 -j 1";

/// Compares with the stored snapshot, paths and times left out.
macro_rules! check {
    ($name:expr, $text:expr) => {
        insta::with_settings!({filters => [
            (r"[^\s'\x22;,=]*/examples/", "[examples]/"),
            (r"[^\s'\x22;,=]*/tests/suites/", "[suites]/"),
            (r"[^\s'\x22;,=]*/\.tmp\w+/", "[folder]/"),
            (r"in \d+\.\d\d s\b", "in [time]"),
            (r#"(seconds)": [\d.e-]+"#, r#"$1": "[time]""#),
            (r#""ms": \d+"#, r#""ms": "[time]""#),
            (r#"time="[\d.]+""#, r#"time="[time]""#),
            (r"no bestmove in \d+\.\d s", "no bestmove in [time]"),
            (r"it moved \d+ to \d+ ms late", "it moved [time] late"),
            (r"--margin \d+ms", "--margin [time]"),
            (r"\b\d+\.\d{6}\b", "[time]"),
            (r" +\d+\.\d{3} (<|>|!|&lt;|&gt;) ", " [time] $1 "),
            (r"\b\d+\.\d\d\b", "[time]"),
        ]}, {
            insta::assert_snapshot!($name, $text);
        });
    };
}
pub(crate) use check;

/// The folder of the test suites.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites")
}

/// The command line of the scripted engine.
pub(crate) fn engine(script: &str) -> String {
    let script = folder().join(script);
    format!("'{}' '{}'", scripted_engine(), script.display())
}

/// Runs suites on engines, which may have blanks in their command lines.
pub(crate) fn run_on(folder: &Path, suites: &str, engines: &[&str], more: &str) -> String {
    run_in(folder, &arguments(suites, engines, more))
}

fn arguments<'a>(suites: &'a str, engines: &[&'a str], more: &'a str) -> Vec<&'a str> {
    let mut arguments = vec!["run"];
    arguments.extend(words(suites));
    arguments.extend(engines.iter().flat_map(|engine| ["--engine", engine]));
    arguments.extend(words(more));
    arguments
}

/// Runs a suite on the scripted engine, with limits.
pub(crate) fn run(suite: &str, script: &str, more: &str) -> String {
    run_on(
        &folder(),
        suite,
        &[&engine(script)],
        &format!("{NODES} {more}"),
    )
}

/// An error ends with the command that would have worked, and names what was meant.
#[test]
fn a_line_that_was_nearly_right_is_completed() {
    let engine = scripted_engine();
    for (typed, expected) in [
        ("run tactics ENGINE", "try: epd run tactics --engine ENGINE"),
        (
            "run ENGINE mate-in-2 --movetime 1s",
            "try: epd run mate-in-2 --movetime 1s --engine ENGINE",
        ),
        (
            "run ENGINE --movetime 1s",
            "try: epd run tactics --movetime 1s --engine ENGINE",
        ),
        ("mates ENGINE", "try: epd mates mate-in-3 --engine ENGINE"),
        ("ENGINE", "try: epd bench --engine ENGINE"),
        ("ENGINE tactics", "try: epd run tactics --engine ENGINE"),
        // In `PATH`.
        ("run tactics sh", "try: epd run tactics --engine sh"),
        (
            "run tatics --engine ENGINE",
            ", mate-in-4, tactics: did you mean tactics?",
        ),
        ("suites quik", ", mate-in-4, tactics: did you mean quick?"),
        (
            "lint ENGINE",
            "error: ENGINE is a program, expected a file of text; engines are named by --engine",
        ),
    ] {
        let ended = common::run_words(&folder(), &typed.replace("ENGINE", &engine));
        let ended = ended.replace(&engine, "ENGINE");
        let last = ended.trim_end().lines().last().unwrap_or_default();
        assert!(last.ends_with(expected), "{typed}: {ended}");
    }
}

#[test]
fn usage() {
    check!("nothing", common::run_words(&folder(), "run"));
    check!("no_such_suite", run("nowhere.epd", "right.txt", ""));
    check!("no_such_built_in", run("mate-in-9", "right.txt", ""));
    for (name, more) in [
        ("bad_time", "--movetime 1x"),
        ("baseline_needed", "--fail-on unsolved,slower"),
        ("suite_replaced", "--save ./all.epd"),
        ("no_such_option", "--option Contempt=3"),
    ] {
        check!(name, run("all.epd", "right.txt", more));
    }
    check!(
        "no_such_engine",
        run_on(&folder(), "all.epd", &["./nowhere"], "")
    );
    let two = run_on(&folder(), "all.epd", &["a", "b"], "-o x.epd");
    check!("records_of_two", two);
}

/// A missing folder is reported at once, not after a run of hours.
#[test]
fn outputs_are_checked_before_the_run() {
    let start = "exit 2\n--- stdout\n--- stderr\n";
    for option in ["--output", "--save"] {
        let text = run(
            "all.epd",
            "right.txt",
            &format!("{option} no-such-folder/x"),
        );
        assert!(text.starts_with(start), "{option}: {text}");
        let expected = "error: cannot write no-such-folder/x: No such file or directory";
        assert!(text.contains(expected), "{option}: {text}");
    }
}

#[test]
fn formats() {
    for format in ["human", "csv", "json"] {
        let text = run("all.epd", "right.txt", &format!("--format {format}"));
        check!(format!("format_{format}"), text);
    }
}

#[test]
fn suites_that_are_not_whole() {
    for (name, suite, more) in [
        ("broken", "broken.epd", ""),
        ("broken_allowed", "broken.epd", "--skip-bad"),
        ("broken_github", "broken.epd", "--format github"),
        ("no_goal", "nogoal.epd", ""),
    ] {
        check!(name, run(suite, "right.txt", more));
    }
}

#[test]
fn faults() {
    // Two of its positions take all of their time, so the reports after the first are made of a journal.
    let place = tempfile::tempdir().expect("a folder");
    let journal = place.path().join("journal.jsonl").display().to_string();
    let run = |more: &str| {
        let limits = "--timeout 1s --margin 20s";
        let more = format!("{limits} --resume {journal} {more}");
        run("faults.epd", "faults.txt", &more)
    };
    check!("faults", run(""));
    for format in ["junit", "csv"] {
        check!(
            format!("faults_{format}"),
            run(&format!("--format {format}"))
        );
    }
    let suite = read(&folder(), "faults.epd");
    let record = suite.lines().find(|line| line.contains("illegal pv"));
    write(place.path(), "one.epd", record.expect("it is there"));
    let more = format!("{NODES} --fail-on illegal-pv");
    let one = run_on(place.path(), "one.epd", &[&engine("faults.txt")], &more);
    check!("illegal_pv", one);
}

#[test]
fn misbehaviours() {
    let run_with = |margin: &str, flag: &str| {
        let path = scripted_engine();
        let engine = format!("'{path}' --first-move --breach blind {flag}");
        let more = format!("-j 2 --movetime 100ms --margin {margin}");
        run_on(&folder(), "limits.epd", &[&engine], &more)
    };
    let run = |flag: &str| run_with("5m", flag);
    // Whether it has read anything before it ended is a matter of luck.
    let text = run("--crash-at-start=1");
    assert!(text.starts_with("exit 3\n"), "{text}");
    let expected = "the engine ended with exit code 1 before uciok";
    assert!(text.contains(expected), "{text}");
    let expected = "NOT RUN: the engine does not start";
    assert!(text.contains(expected), "{text}");
    for (name, margin, flag) in [
        ("abort_on_go", "5m", "--crash=abort"),
        ("hang_on_go", "2s", "--hang"),
        ("late_within_margin", "5m", "--late=150"),
        ("later_than_margin", "2s", "--late=3000"),
        ("illegal_bestmove", "5m", "--illegal-move"),
        ("garbage", "5m", "--garbage"),
    ] {
        check!(name, run_with(margin, flag));
    }
    // Whether reading or writing notices it is a matter of luck.
    let text = run("--no-final-newline");
    assert!(text.starts_with("exit 3\n"), "{text}");
    let expected = "ENGINE FAILED in 2 of 2 positions; 0 solved";
    assert!(text.contains(expected), "{text}");
}

/// It starts twice, for the handshake and for the first position, and never again.
#[test]
#[cfg(unix)] // A shell starts them.
fn engines_that_do_not_start_again_are_given_up() {
    let place = tempfile::tempdir().expect("a folder");
    write(place.path(), "faults.epd", &read(&folder(), "faults.epd"));
    let engine = engine("faults.txt").replace('\'', "");
    let script = format!("echo x >> starts; test $(wc -l < starts) -le 2 && exec {engine}");
    let engine = format!("sh -c '{script}'");
    let text = run_on(place.path(), "faults.epd", &[&engine], "-j 1");
    assert!(text.starts_with("exit 3\n"), "{text}");
    for (message, count) in [
        ("ended with exit code 7 before bestmove", 1),
        ("ended with exit code 1 before uciok", 3),
        ("3 starts in a row have failed", 2),
    ] {
        assert_eq!(text.matches(message).count(), count, "{text}");
    }
    assert_eq!(read(place.path(), "starts").lines().count(), 5);
}

#[test]
fn limits() {
    let limits = |more: &str| {
        let more = format!("--format json {more}");
        let text = run_on(&folder(), "limits.epd", &[&engine("right.txt")], &more);
        let lines = text.lines().map(str::trim);
        let lines: Vec<&str> = lines
            .filter(|line| line.starts_with("\"limits\""))
            .collect();
        lines.join("\n")
    };
    check!("limits_default", limits(""));
    let several = limits("--depth 9 --nodes 5 --movetime 1.5s --mate 3");
    check!("limits_several", several);
}

/// Before the first position, and each other command that searches does so too.
#[test]
fn an_engine_that_ignores_a_limit_is_not_run() {
    let path = scripted_engine();
    let place = tempfile::tempdir().expect("a folder");
    let game = "[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 \
                7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 1-0\n";
    write(place.path(), "games.pgn", game);
    let fault = "it does not obey `go nodes 1500` (tried: `go nodes 1000`): no bestmove in ";
    let remedy = "it moves when `stop` is sent: choose a limit that it keeps (--movetime 100ms, --depth 8)\n";
    for (command, says) in [
        ("run tactics", "NOT RUN: a limit is not obeyed; "),
        ("mates mate-in-1", "NOT RUN: a limit is not obeyed; "),
        ("eval label games.pgn --skip 0 --every 1", "error: "),
    ] {
        let engine = format!("'{path}' --first-move --ignore-limits");
        let mut arguments = words(command);
        arguments.extend(["--engine", &engine, "--nodes", "1500"]);
        let text = run_in(place.path(), &arguments);
        assert!(text.starts_with("exit 3\n"), "{command}: {text}");
        for says in [fault, remedy, says] {
            assert!(text.contains(says), "{command}: {says}\n{text}");
        }
    }
    // There is nothing to compare with a baseline.
    let run = |flags: &str, with: &str| {
        let engine = format!("'{path}' --first-move {flags}");
        let line = ["run", "tactics", "--engine", &engine, "--nodes", "1500"];
        run_in(place.path(), &[&line[..], &[with, "base.json"]].concat())
    };
    run("", "--save");
    let text = run("--ignore-limits", "--baseline");
    assert!(text.starts_with("exit 3\n"), "{text}");
    assert!(
        !text.contains("base.json") && !text.contains("MISSING"),
        "{text}"
    );
    let engine = format!("'{path}' --first-move --breach wasteful");
    let text = run_on(&folder(), "limits.epd", &[&engine], "--depth 2");
    let says = "it does not obey `go depth 2`: it moved at depth 6 and 40000 nodes: choose a limit that it keeps \
                (--movetime 100ms, --nodes 10000)";
    assert!(
        text.starts_with("exit 3\n") && text.contains(says),
        "{text}"
    );
}

#[test]
fn options_and_limits_are_sent() {
    let more = "-j 1 --timeout 1s --margin 1s --depth 3 --mate 2";
    let text = run_on(&folder(), "faults.epd", &[&engine("faults.txt")], more);
    assert!(text.contains("> go depth 3 mate 2"), "{text}");
    let run = |options: &[&str]| {
        let engine = engine("right.txt");
        let fixed = arguments("all.epd", &[&engine], "--nodes 9");
        run_in(&folder(), &[&fixed[..], options].concat())
    };
    let text = run(&["--option", "Hash=65"]);
    assert!(
        text.starts_with("exit 3\n") && text.contains("65"),
        "{text}"
    );
    let text = run(&["--option", "Hash=64", "--option", "Clear Hash"]);
    assert!(text.starts_with("exit 0\n"), "{text}");
}

#[test]
fn chess960() {
    check!("chess960", run("chess960.epd", "fischer.txt", ""));
    check!("chess960_unknown", run("chess960.epd", "right.txt", ""));
}

#[test]
fn repeated_searches() {
    check!("repeat", run("limits.epd", "flaky.txt", "--repeat 3"));
    let csv = run("limits.epd", "flaky.txt", "--repeat 3 --format csv");
    check!("repeat_csv", csv);
}

/// A cancelled run is reported, but saves no baseline.
#[cfg(target_os = "linux")]
#[test]
fn interrupts() {
    let place = tempfile::tempdir().expect("a folder");
    let base = place.path().join("base.json");
    let more = format!("-j 1 --save {}", base.display());
    let engine = engine("faults.txt");
    let text = common::interrupted(&folder(), &arguments("faults.epd", &[&engine], &more));
    assert!(text.starts_with("exit 130\n"), "{text}");
    let expected = "is not written: the run is not complete";
    assert!(text.contains(expected), "{text}");
    assert!(!base.exists());
}

#[test]
fn two_engines_side_by_side() {
    let engines = [&*engine("right.txt"), &engine("worse.txt")];
    check!(
        "two",
        run_on(&folder(), "all.epd limits.epd", &engines, NODES)
    );
}

#[test]
fn baselines() {
    let place = tempfile::tempdir().expect("a folder");
    let base = place.path().join("base.json").display().to_string();
    check!(
        "save",
        run("all.epd", "right.txt", &format!("--save {base}"))
    );
    check!("saved", read(place.path(), "base.json"));
    write(
        place.path(),
        "other.json",
        "{\"schema\": \"touchstone/perft-check/1\"}",
    );
    // The snapshot, the suite, the script, the baseline, and what is demanded.
    let rows = "\
same | all.epd | right.txt | base.json |
changed | all.epd | worse.txt | base.json |
changed_json | all.epd | worse.txt | base.json | --format json --fail-on slower
changed_junit | all.epd | worse.txt | base.json | --format junit --fail-on slower
changed_not_asked_for | all.epd | worse.txt | base.json | --fail-on none
missing | limits.epd | right.txt | base.json | --fail-on missing,worse,slower-overall
other_limits | all.epd | right.txt | base.json | --depth 3
no_baseline | all.epd | right.txt | other.json |";
    for row in rows.lines() {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [name, suite, script, base, more] = cells[..] else {
            panic!("{row}");
        };
        let base = place.path().join(base).display().to_string();
        let more = format!("--baseline {base} {more}");
        check!(name, run(suite, script, &more));
    }
}

/// With a limit of time a baseline holds several searches of each position, and a run is judged by how
/// often they solve it.
#[test]
fn searches_that_chance_decides_are_counted() {
    let place = tempfile::tempdir().expect("a folder");
    let base = place.path().join("base.json").display().to_string();
    let timed = format!("--movetime 1s --save {base}");
    let saved = run("all.epd", "right.txt", &timed);
    let note = "note: searches do not come out the same each time (limited by time): each position is searched 5 \
                times, and comparisons will count\n";
    assert!(
        saved.starts_with("exit 0\n") && saved.contains(note),
        "{saved}"
    );
    let run = |script: &str, more: &str| {
        let more = format!("--movetime 1s --baseline {base} {more}");
        run("all.epd", script, &more)
    };
    let same = run("right.txt", "");
    assert!(same.starts_with("exit 0\n"), "{same}");
    let worse = run("worse.txt", "");
    assert!(worse.starts_with("exit 1\n"), "{worse}");
    for says in [
        "(limited by time): 25 of 30 solved then, 15 of 30 now: p = 3.1e-5 (stratified permutation test)",
        "LESS OFTEN all.epd avoid: am f3; solved in 5 of 5 searches then, in 0 of 5 now: p = 0.008 (Fisher, Holm)",
        "FAIL: worse by more than chance: 15 of 30 searches solved, 25 of 30 then, p = 3.15e-5; 2 positions solved \
         less often by more than chance",
    ] {
        assert!(worse.contains(says), "{says}\n{worse}");
    }
    let single = run("right.txt", "--fail-on newly-failed --repeat 1");
    let says = "newly-failed alarms by chance; 'worse' does not\n";
    assert!(
        single.starts_with("exit 0\n") && single.contains(says),
        "{single}"
    );
}

/// An engine that keeps something from one search to the next is found out when it is asked twice.
#[cfg(unix)]
#[test]
fn a_baseline_asks_some_positions_twice() {
    let place = tempfile::tempdir().expect("a folder");
    let moves = "\
count=0
while read -r line; do
  case \"$line\" in
    uci) echo uciok ;;
    isready) echo readyok ;;
    go*) count=$((count + 1)); echo \"info depth 2 nodes $count pv e1d1\"; echo bestmove e1d1 ;;
    quit) exit 0 ;;
  esac
done
";
    common::script(place.path(), "forgets-nothing", moves);
    common::script(
        place.path(),
        "forgets",
        &moves.replace("nodes $count", "nodes 7"),
    );
    write(
        place.path(),
        "one.epd",
        "4k3/8/8/8/8/8/8/4K3 w - - bm Kd1;\n4k3/8/8/8/8/8/p7/4K3 w - - bm Kd1;\n",
    );
    for (engine, repeats, why) in [
        (
            "./forgets-nothing",
            5,
            "\"asked again, it searches otherwise: 2 of 2 positions\"",
        ),
        ("./forgets", 1, "null"),
    ] {
        let more = "--nodes 100 --save base.json";
        let text = run_on(place.path(), "one.epd", &[engine], more);
        assert!(text.starts_with("exit 0\n"), "{text}");
        let saved = read(place.path(), "base.json");
        for line in [
            format!("\"repeat\": {repeats},"),
            format!("\"not_repeatable\": {why},"),
        ] {
            assert!(saved.contains(&line), "{line}: {saved}");
        }
    }
}

/// A file that was cut to nothing, or that another program wrote in UTF-16, is named.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a file that is no text is written"
)]
fn files_without_records_are_named() {
    let place = tempfile::tempdir().expect("a folder");
    write(place.path(), "empty.epd", "");
    let utf_16: Vec<u8> = "\u{feff}4k3/8/8/8/8/8/8/4K3 w - - bm Kd1;\r\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    std::fs::write(place.path().join("utf-16.epd"), utf_16).expect("written");
    let run = |suites: &str| run_on(place.path(), suites, &[&engine("right.txt")], NODES);
    for (suites, says) in [
        (
            "mate-in-1 empty.epd",
            "error: empty.epd is empty: a file of 0 bytes\n",
        ),
        (
            "utf-16.epd",
            "error: utf-16.epd is in UTF-16, as PowerShell's > writes it",
        ),
    ] {
        let text = run(suites);
        assert!(
            text.starts_with("exit 2\n") && text.contains(says),
            "{text}"
        );
    }
}

/// An engine that plays mates and prints no `score mate`: a move that mates is proved on the board, and of
/// longer mates it is said that the moves were right.
#[cfg(unix)]
#[test]
fn mates_that_are_played_and_not_announced() {
    let place = tempfile::tempdir().expect("a folder");
    let moves = "\
while read -r line; do
  case \"$line\" in
    uci) echo uciok ;;
    isready) echo readyok ;;
    *R3K3*) best=a1a8 ;;
    *4K2R*) best=e1f2 ;;
    go*) echo \"info depth 1 score cp 10000003 pv $best\"; echo \"bestmove $best\" ;;
    quit) exit 0 ;;
  esac
done
";
    common::script(place.path(), "silent", moves);
    let (one, two) = (
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; dm 1;\n",
        "6k1/5ppp/8/8/8/8/8/4K2R w - - bm Kf2; dm 2;\n",
    );
    write(place.path(), "mates.epd", &format!("{one}{two}"));
    let text = run_on(place.path(), "mates.epd", &["./silent"], NODES);
    let says = "OK: 1 of 2 positions solved, best move right in 2 of 2 searched, no `score mate` printed; in ";
    assert!(text.contains(says), "{text}");
}

/// A result that is worse does not become what is compared with, and what is left out is not passed over.
#[test]
fn a_baseline_is_replaced_on_purpose_only() {
    let place = tempfile::tempdir().expect("a folder");
    let base = place.path().join("base.json").display().to_string();
    run("all.epd", "right.txt", &format!("--save {base}"));
    let before = read(place.path(), "base.json");
    let worse = run(
        "all.epd",
        "worse.txt",
        &format!("--baseline {base} --save {base}"),
    );
    let says = "would be replaced, which is read; --update-baseline replaces the baseline";
    assert!(
        worse.starts_with("exit 2\n") && worse.contains(says),
        "{worse}"
    );
    assert_eq!(read(place.path(), "base.json"), before);
    let half = run("limits.epd", "right.txt", &format!("--baseline {base}"));
    assert!(half.starts_with("exit 1\n"), "{half}");
    assert!(
        half.contains("FAIL: 4 positions of the baseline missing"),
        "{half}"
    );
    let threads = format!("--baseline {base} --option Threads=2");
    let threads = run("all.epd", "right.txt", &threads);
    assert!(threads.starts_with("exit 2\n"), "{threads}");
    assert!(
        threads.contains("was made with Threads=1, this run is with Threads=2"),
        "{threads}"
    );
    let renewed = format!("--baseline {base} --update-baseline");
    let renewed = run("all.epd", "worse.txt", &renewed);
    assert!(renewed.starts_with("exit 1\n"), "{renewed}");
    let again = run("all.epd", "worse.txt", &format!("--baseline {base}"));
    assert!(again.starts_with("exit 0\n"), "{again}");
}

/// What a CI server shows agrees with the exit code, whatever is demanded.
#[test]
fn reports_are_red_exactly_where_the_exit_code_is_not_0() {
    let place = tempfile::tempdir().expect("a folder");
    let save = |script: &str| {
        let file = place.path().join(script).display().to_string();
        run("all.epd", script, &format!("--save {file}"));
        format!("--baseline {file}")
    };
    let (right, worse) = (save("right.txt"), save("worse.txt"));
    let slower = format!("{right} --fail-on slower");
    let none = format!("{right} --fail-on none");
    // The demands, the exit code, the failed positions, and the labels of positions.
    for (script, demands, code, failures, labels) in [
        ("right.txt", "", 0, 0, "unsolved"),
        ("right.txt", &right, 0, 0, "known"),
        ("worse.txt", &worse, 0, 0, "known"),
        ("worse.txt", &right, 1, 2, "FAILED known"),
        ("worse.txt", &slower, 1, 1, "FAILED known unsolved"),
        ("worse.txt", &none, 0, 0, "known unsolved"),
        ("right.txt", "--fail-on unsolved", 1, 1, "FAILED"),
        ("right.txt", "--min-solved 5", 0, 0, "unsolved"),
        ("right.txt", "--min-solved 6", 1, 1, "FAILED"),
    ] {
        let run = |format: &str| run("all.epd", script, &format!("{demands} --format {format}"));
        // Besides the positions one failure for each demand, and here there is one demand.
        let all = failures + usize::from(code == 1);
        for (format, mark, count) in [
            ("human", "\n  FAILED ", failures),
            ("junit", "<failure ", all),
            ("json", r#""verdict": "failed""#, failures),
            ("csv", ",failed,", failures),
        ] {
            let text = run(format);
            let exit = format!("exit {code}\n");
            assert!(text.starts_with(&exit), "{demands:?} {format}: {text}");
            assert_eq!(text.matches(mark).count(), count, "{demands:?} {format}");
        }
        let human = run("human");
        for label in ["FAILED", "known", "unsolved"] {
            let is_there = human.contains(&format!("\n  {label} "));
            let is_expected = labels.split(' ').any(|one| one == label);
            assert_eq!(is_there, is_expected, "{demands:?} {label}: {human}");
        }
        let verdict = if code == 0 { "': OK: " } else { "': FAIL: " };
        assert!(human.contains(verdict), "{demands:?}: {human}");
    }
}

/// The forms of well-known public suites, in records of our own.
#[test]
fn public_suites_are_run_whole() {
    let text = run("public.epd", "public.txt", "--skip-bad");
    assert!(!text.contains("NOT RUN"), "{text}");
    check!("public", run("public.epd", "public.txt", ""));
    let json = run("public.epd", "public.txt", "--format json");
    check!("public_json", json);
}

#[test]
fn the_least_that_must_be_solved() {
    // Five of six are solved, 83.3%.
    for (least, code) in [("5", 0), ("6", 1), ("83%", 0), ("83.4%", 1)] {
        let text = run("all.epd", "right.txt", &format!("--min-solved {least}"));
        let exit = format!("exit {code}\n");
        assert!(text.starts_with(&exit), "{least}: {text}");
    }
    for (name, more) in [
        ("too_few", "--min-solved 100%"),
        ("bad_least", "--min-solved 101%"),
        ("unsolved", "--fail-on unsolved"),
    ] {
        check!(name, run("all.epd", "right.txt", more));
    }
}

#[test]
fn written_records_are_in_standard_form() {
    let place = tempfile::tempdir().expect("a folder");
    let place = place.path();
    let board = "6k1/5ppp/8/8/8/8/8/R3K3 w - -";
    write(
        place,
        "six.epd",
        &format!("{board} 3 20 id \"x\"; bm Ra8#;\n"),
    );
    run_on(
        place,
        "six.epd",
        &[&engine("right.txt")],
        &format!("{NODES} -o found.epd"),
    );
    assert_eq!(
        read(place, "found.epd"),
        format!(
            "{board} acd 4; acn 5000; acs 0; bm Ra8#; ce 32766; fmvn 20; hmvc 3; id \"x\"; pm Ra8#; \
             pv Ra8#;\n"
        )
    );
}

#[test]
fn records_and_files_are_written() {
    let place = tempfile::tempdir().expect("a folder");
    let place = place.path();
    let path = |name: &str| place.join(name).display().to_string();
    let (records, report, summary) = (path("found.epd"), path("report.xml"), path("summary.md"));
    let more = format!("-o {records} -o {report} --format github -o {summary}");
    run("all.epd", "right.txt", &more);
    check!("written_records", read(place, "found.epd"));
    check!("written_summary", read(place, "summary.md"));
    check!("written_report", read(place, "report.xml"));
    // Records that are not run are written as they are.
    let more = format!("-o {}", path("broken.epd"));
    run("broken.epd", "right.txt", &more);
    check!("written_not_run", read(place, "broken.epd"));
    let linted = common::run_words(place, "lint --strict found.epd");
    assert!(
        linted.contains(" 0 repairable, 0 in doubt") && !linted.contains("note"),
        "{linted}"
    );
    // The written records can be run, and are the same when written again.
    run(&records, "right.txt", &format!("-o {}", path("again.epd")));
    assert_eq!(read(place, "found.epd"), read(place, "again.epd"));
}

/// Stockfish, whose solutions nobody doubts.
#[cfg(feature = "oracles")]
mod oracles {
    use super::{folder, read, run_on};

    fn stockfish(more: &str) -> String {
        let more = format!("--nodes 20000 {more}");
        run_on(&folder(), "tactics.epd", &["stockfish"], &more)
    }

    #[test]
    fn stockfish_solves_all() {
        let text = stockfish("--fail-on unsolved,illegal-pv");
        assert!(text.starts_with("exit 0\n"), "{text}");
        let expected = "OK: 8 of 8 positions solved";
        assert!(text.contains(expected), "{text}");
        assert!(text.contains("20 of 20"), "all points: {text}");
    }

    /// With node limits nothing depends on the clock or the number of processes.
    #[test]
    fn a_baseline_of_nodes_is_met_to_the_node() {
        let place = tempfile::tempdir().expect("a folder");
        let path = |name: &str| place.path().join(name).display().to_string();
        let (one, two) = (path("one.json"), path("two.json"));
        stockfish(&format!("-j 1 --save {one}"));
        let rules = "--fail-on newly-failed,slower,missing";
        let text = stockfish(&format!("-j 2 --save {two} --baseline {one} {rules}"));
        assert!(text.starts_with("exit 0\n"), "{text}");
        let without_times = |name: &str| {
            let text = read(place.path(), name);
            let lines = text.lines().filter(|line| !line.contains("\"ms\""));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(without_times("one.json"), without_times("two.json"));
    }
}
