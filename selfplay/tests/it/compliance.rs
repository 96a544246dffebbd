//! `selfplay compliance` as its users see it: sound engines pass, and each misbehaviour is caught by the
//! check that is meant for it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

#[cfg(unix)]
use crate::common::{Bed, assert_nobody_in, interrupt, wait, wait_until};
use crate::common::{Ended, scripted_engine, selfplay};

fn scripted(flags: &str) -> String {
    format!("{} {flags}", scripted_engine().display())
}

fn sloppy(misbehaviour: &str) -> String {
    let engine = scripted("--first-move");
    if misbehaviour.is_empty() {
        engine
    } else {
        format!("{engine} --breach {misbehaviour}")
    }
}

fn run(engine: &str, arguments: &[&str]) -> Ended {
    selfplay(
        Path::new("."),
        &[&["compliance", engine], arguments].concat(),
    )
}

/// Exit code and outputs.
fn shown(engine: &str, arguments: &[&str]) -> String {
    run(engine, arguments).to_text()
}

macro_rules! check {
    ($name:expr, $shown:expr) => {
        insta::with_settings!({filters => [
            (r"[^\s'\x22`>:=]*/examples/", "examples/"),
            (r"\d+\.\d{3} ([<>!]|&lt;|&gt;) ", "[time] $1 "),
            (r"\d+ ms after", "[time] ms after"),
            (r"came after \d+ ms", "came after [time] ms"),
            (r"by [0-9.]+ ms at", "by [time] ms at"),
            (r#""seconds": [\d.e-]+"#, r#""seconds": "[time]""#),
            (r#"(uuid|timestamp| time)="[^"]*""#, "$1=[]"),
        ]}, { insta::assert_snapshot!($name, $shown) });
    };
}

#[test]
fn usage() {
    check!("no_such_check", shown("x", &["--only", "stops"]));
    let list = ["--list", "--only", "chess960,go-m*", "--skip", "*written"];
    check!("list_of_some", shown("x", &list));
    check!("bad_concurrency", shown("x", &["-j", "0"]));
    for line in ["compliance x -j -5000", "control x concurrency -5000"] {
        let line: Vec<&str> = line.split(' ').collect();
        let refused = selfplay(Path::new("."), &line).stderr;
        assert!(refused.contains(" leaves none of the "), "{refused}");
    }
    check!("bad_time", shown("x", &["--margin", "1d"]));
    #[cfg(unix)]
    check!("no_program", shown("''", &[]));
    check!("no_such_engine", shown("./nowhere", &[]));
    // A program whose library is missing is started, and ends with what the system's loader says.
    #[cfg(unix)]
    {
        let says = "./engine: error while loading shared libraries: libgone.so";
        let script = format!("sh -c 'echo \"{says}\" >&2; exit 127'");
        let text = shown(&script, &[]);
        let fail = format!("FAIL uci: the engine ended with exit code 127: {says}\n");
        assert!(
            text.starts_with("exit 1\n") && text.contains(&fail),
            "{text}"
        );
    }
    check!(
        "no_such_option",
        shown(&sloppy(""), &["--option", "Contempt=3"])
    );
    check!(
        "nothing_applies",
        shown(
            &scripted("--seed 1 --no-option Threads --no-option MultiPV"),
            &["--only", "threads,multipv"],
        )
    );
    // What needs an answer to isready is not tried where there is none.
    let mute = scripted("--no-readyok");
    let only = [
        "--only",
        "uci,id-name,isready,search,go-depth,quit-before-uci",
    ];
    check!("mute", shown(&mute, &only));
    let list = selfplay(Path::new("."), &["compliance", "--list"]);
    check!("list", list.stdout);
}

#[test]
fn formats() {
    let arguments = [
        "--only",
        "uci,id-author,chess960-positions,idle-stop,multipv",
        "--option",
        "Hash=32",
    ];
    for (format, more) in [("human", ""), ("json", "--format=json")] {
        let more: Vec<&str> = arguments
            .into_iter()
            .chain(Some(more).filter(|more| !more.is_empty()))
            .collect();
        let engine = sloppy("idle-stop");
        check!(format!("format_{format}"), shown(&engine, &more));
    }
}

/// Annotations, a summary and a `JUnit` file from one run.
#[test]
#[expect(clippy::disallowed_methods, reason = "what was written is read")]
fn on_github() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (summary, xml) = (path("summary.md"), path("report.xml"));
    let arguments = ["--only", "uci,id-author,idle-stop", "--format", "github"];
    let files = ["-o", summary.as_str(), "-o", xml.as_str()];
    let text = shown(&sloppy("idle-stop"), &[arguments, files].concat());
    let written = |name: &str| std::fs::read_to_string(path(name)).expect("it is written");
    let summary = testkit::programs::portable(written("summary.md"));
    check!("github", format!("{text}--- summary\n{summary}"));
    assert!(written("report.xml").contains("idle-stop"));
    let nowhere = ["-o", "no-such-folder/x"];
    assert_eq!(run(&sloppy(""), &nowhere).code, 2);
}

/// Who needs long for a few plies is asked for short searches by time.
#[test]
fn sound_engines_pass_all_that_applies_to_them() {
    for engine in [sloppy(""), sloppy("slow")] {
        let ended = run(&engine, &["--skip", "uci", "--margin", "60s"]);
        let mut lines = ended.stdout.lines();
        let is_objection = lines.any(|line| line.contains(" FAIL ") || line.contains(" note "));
        assert!(ended.code == 0 && !is_objection, "{}", ended.to_text());
    }
}

/// The checks and their outcomes, without texts that depend on time.
fn outcomes(engine: &str, arguments: &[&str]) -> Vec<(String, String)> {
    let ended = run(engine, &[arguments, &["--format", "json"]].concat());
    let report: serde_json::Value = serde_json::from_str(&ended.stdout).expect("a report");
    let text = |value: &serde_json::Value| value.as_str().expect("text").to_owned();
    let checks = report["cases"].as_array().expect("a list").iter();
    checks
        .map(|check| (text(&check["name"]), text(&check["facts"]["outcome"])))
        .collect()
}

#[test]
fn how_many_checks_run_at_a_time_changes_nothing() {
    let usual = ["--margin", "60s"];
    // Short lists, but of checks of each kind.
    for (misbehaviour, only) in [
        ("idle-stop", "handshake,commands"),
        ("no-one-node", "limits,movetime-used"),
        ("no-chess960", "chess960,moves,stop"),
        ("trusting", "options,clock-game*"),
    ] {
        let engine = sloppy(misbehaviour);
        let of = |at_once| {
            outcomes(
                &engine,
                &[&["--only", only, "-j", at_once], &usual[..]].concat(),
            )
        };
        let one = of("1");
        let failed = one.iter().filter(|(_, outcome)| outcome != "pass").count();
        assert!(failed > 0 && one.len() > 5, "{one:?}");
        assert_eq!(of("8"), one, "{misbehaviour}");
    }
}

/// What has ended by then is printed, and no process is waited for.
#[cfg(unix)]
#[test]
fn an_interrupted_run_reports_what_it_has() {
    let bed = Bed::new();
    let list = "uci,id-name,go-depth,go-nodes,long-game,clock";
    let child = bed.spawn(&format!(
        "compliance './engine --hang --once=hung' --only {list} -j 1 -o report.xml"
    ));
    wait_until(|| bed.path("hung").exists());
    interrupt(&child);
    let ended = wait(child).exits(130);
    assert_nobody_in(&bed.path("."));
    let expected = "interrupted: 2 passed, 0 failed, 0 notes, 0 skipped, 11 not run\n";
    assert!(ended.stdout.ends_with(expected), "{ended:?}");
    #[expect(clippy::disallowed_methods, reason = "what was written is read")]
    let xml = std::fs::read_to_string(bed.path("report.xml")).expect("it is written");
    assert_eq!(xml.matches("the run was interrupted").count(), 11, "{xml}");
}

/// Misbehaviours, and the check that each fails; some fail several.
fn caught() -> Vec<(&'static str, &'static str)> {
    pairs(include_str!("../data/misbehaviours.txt"))
}

/// The rows of a file, of two words each.
fn pairs(file: &'static str) -> Vec<(&'static str, &'static str)> {
    let rows = file.lines().filter(|row| !row.starts_with('#'));
    rows.map(|row| row.split_once(' ').expect("two words"))
        .collect()
}

/// Number of engines that are checked at once: some of them are waited for.
const AT_ONCE: usize = 12;

/// What each row gives, in their order.
fn of_each<T: Sync>(rows: &[T], run: impl Fn(&T) -> String + Sync) -> Vec<String> {
    let every = |first: usize| {
        let rows = rows.iter().enumerate().skip(first).step_by(AT_ONCE);
        rows.map(|(number, row)| (number, run(row)))
            .collect::<Vec<_>>()
    };
    let lines: BTreeMap<usize, String> = std::thread::scope(|scope| {
        let parts = (0..AT_ONCE).map(|first| scope.spawn(move || every(first)));
        let parts: Vec<_> = parts.collect();
        let parts = parts.into_iter();
        parts
            .flat_map(|part| part.join().expect("no panic"))
            .collect()
    });
    lines.into_values().collect()
}

/// The line of this check.
fn line_of(engine: &str, check: &str) -> String {
    let ended = run(engine, &["--only", check]);
    let lines = ended.stdout.lines();
    let lines: Vec<&str> = lines.filter_map(|line| line.strip_prefix("  1 ")).collect();
    assert_eq!(lines.len(), 1, "{}", ended.to_text());
    lines[0].to_owned()
}

/// Runs in which a check may catch a misbehaviour; on a machine that is not busy the first does.
const CHANCES: usize = 5;

#[test]
fn each_misbehaviour_is_caught_by_its_check() {
    let mut shown = String::new();
    let rows = caught();
    let lines = of_each(&rows, |(misbehaviour, check)| {
        // Where we were kept from looking, a late answer is excused: then the engine gets another chance to be caught.
        let mut tries = (0..CHANCES).map(|_| line_of(&sloppy(misbehaviour), check));
        let caught = tries.find(|line| !line.starts_with("pass "));
        caught.unwrap_or_else(|| format!("pass {check}"))
    });
    for ((misbehaviour, _), line) in rows.iter().zip(lines) {
        writeln!(shown, "{misbehaviour:22}{line}").expect("a string grows");
    }
    check!("misbehaviours", shown);
}

/// The checks that one fault fails in a run of all, and how many are skipped for it.
fn objections(misbehaviour: &str) -> String {
    // Where the misbehaviour is not one of time, a busy machine is no fault.
    let more: &[&str] = match misbehaviour {
        "unpunctual" | "slow-stop" => &["--skip", "info-flushed"],
        "held-back" => &["--margin", "60s", "--skip", "clock-game-exact"],
        _ => &["--margin", "60s", "--skip", "clock-game-exact,info-flushed"],
    };
    let all = outcomes(&sloppy(misbehaviour), more);
    let failed: Vec<&str> = all
        .iter()
        .filter(|(_, outcome)| matches!(&**outcome, "fail" | "note"))
        .map(|(name, _)| name.as_str())
        .collect();
    let required = all.iter().filter(|(_, outcome)| outcome == "fail").count();
    assert!(required < 2, "{misbehaviour}: {failed:?}");
    // Which lines come in one read is a matter of luck.
    if misbehaviour == "first-line-only" {
        assert!(["search", "one-write"].contains(&failed[0]), "{failed:?}");
        return format!("{misbehaviour:22}search or one-write");
    }
    let skipped = all.iter().filter(|(_, outcome)| outcome == "skip").count();
    format!("{misbehaviour:22}{}, {skipped} skipped", failed.join(" "))
}

/// Of one fault no more than one required check is failed, and another only if it is two faults: what
/// else it breaks is skipped.
#[test]
fn one_fault_has_one_name() {
    let known: Vec<&str> = include_str!("../data/objections.txt").lines().collect();
    let all: BTreeSet<&str> = caught().into_iter().map(|(name, _)| name).collect();
    assert_eq!(known.len(), 1 + all.len());
    let some = testkit::some(all.into_iter().collect(), 12);
    let lines = of_each(&some, |misbehaviour| {
        let mut tries = (0..CHANCES).map(|_| objections(misbehaviour));
        let known = tries.find(|line| known.contains(&&**line));
        known.unwrap_or_else(|| objections(misbehaviour))
    });
    for line in lines {
        assert!(known.contains(&&*line), "{line}");
    }
}

#[test]
fn each_check_catches_something() {
    let caught = caught();
    let of_processes = ["uci", "search", "quit", "no-children"];
    for line in run("engine", &["--list"]).stdout.lines() {
        let check = line.split(' ').next().expect("a name");
        let is_tried = caught.iter().any(|(_, name)| *name == check);
        assert!(is_tried || of_processes.contains(&check), "{check}");
    }
}

#[test]
#[ignore = "long: a line without end is read at full speed for two timeouts"]
fn an_endless_line_is_no_answer() {
    let line = line_of(&scripted("--endless-line"), "search");
    let expected = "FAIL search: no bestmove within 10 s";
    assert!(line.starts_with(expected), "{line}");
}

/// Faults of processes, of the engines that other tests use.
#[test]
fn faults_of_processes() {
    let rows = pairs(include_str!("../data/process-faults.txt"));
    let mut shown = String::new();
    let lines = of_each(&rows, |(flag, check)| line_of(&scripted(flag), check));
    for ((flag, _), line) in rows.iter().zip(lines) {
        writeln!(shown, "scripted_engine {flag:20}{line}").expect("a string grows");
    }
    #[cfg(target_os = "linux")]
    check!(
        "leaves_child",
        line_of(&scripted("--leave-child"), "no-children")
    );
    // How much of a line had come, and which way a closed pipe shows, is a matter of luck.
    check!("faults", shown);
}
