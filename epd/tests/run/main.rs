//! `epd run` as its users see it: standard output, standard error, files and exit code.

#[cfg(feature = "oracles")]
mod oracles;
mod program;

use program::{check, engine, epd_in, fake_engine, folder};

const NODES: [&str; 4] = ["--nodes", "100000", "--jobs", "1"];

/// A run on the scripted engine, with limits.
fn run(suite: &str, script: &str, more: &[&str]) -> String {
    run_in(&folder(), suite, script, more)
}

fn run_in(folder: &std::path::Path, suite: &str, script: &str, more: &[&str]) -> String {
    let engine = engine(script);
    let arguments = [&["run", suite, "--engine", &engine], &NODES[..], more].concat();
    epd_in(folder, &arguments)
}

#[test]
fn usage() {
    check!("nothing", epd_in(&folder(), &["run"]));
    check!("no_such_suite", run("nowhere.epd", "right.txt", &[]));
    check!("no_such_built_in", run("mate-in-9", "right.txt", &[]));
    check!("bad_time", run("all.epd", "right.txt", &["--time", "1h"]));
    check!(
        "baseline_needed",
        run("all.epd", "right.txt", &["--fail-on", "unsolved,slower"])
    );
    check!(
        "suite_replaced",
        run("all.epd", "right.txt", &["--save", "./all.epd"])
    );
    check!(
        "no_such_option",
        run("all.epd", "right.txt", &["--option", "Contempt=3"])
    );
    check!(
        "no_such_engine",
        epd_in(&folder(), &["run", "all.epd", "--engine", "./nowhere"])
    );
    check!(
        "records_of_two",
        epd_in(
            &folder(),
            &[
                "run",
                "all.epd",
                "--engine",
                "a",
                "--engine",
                "b",
                "--write-epd",
                "x.epd"
            ]
        )
    );
}

/// A run of hours is not lost to a folder that is missing: nothing is run.
#[test]
fn outputs_are_checked_before_the_run() {
    for option in ["--output", "--save", "--write-epd"] {
        let text = run("all.epd", "right.txt", &[option, "no-such-folder/x"]);
        assert!(
            text.starts_with("exit 2\n--- stdout\n--- stderr\n"),
            "{option}: {text}"
        );
        let expected = "error: cannot write no-such-folder/x: No such file or directory";
        assert!(text.contains(expected), "{option}: {text}");
    }
    let summary = ["--format", "github", "--summary", "no-such-folder/x"];
    let text = run("all.epd", "right.txt", &summary);
    assert!(
        text.starts_with("exit 2\n--- stdout\n--- stderr\n"),
        "{text}"
    );
}

#[test]
fn formats() {
    for format in ["human", "csv", "json", "junit", "github"] {
        check!(
            format!("format_{format}"),
            run("all.epd", "right.txt", &["--format", format])
        );
    }
}

#[test]
fn suites_that_are_not_whole() {
    check!("broken", run("broken.epd", "right.txt", &[]));
    check!(
        "broken_allowed",
        run("broken.epd", "right.txt", &["--allow-unreadable"])
    );
    check!(
        "broken_github",
        run("broken.epd", "right.txt", &["--format", "github"])
    );
    check!("no_goal", run("nogoal.epd", "right.txt", &[]));
}

#[test]
fn faults() {
    let more = ["--timeout", "1s", "--margin", "1s"];
    check!("faults", run("faults.epd", "faults.txt", &more));
    for format in ["junit", "github", "csv"] {
        let more = [&more[..], &["--format", format]].concat();
        check!(
            format!("faults_{format}"),
            run("faults.epd", "faults.txt", &more)
        );
    }
    let more = ["--fail-on", "illegal-pv"];
    check!("illegal_pv", run_one("illegal pv", "faults.txt", &more));
}

/// The record of this name in a suite of its own.
fn run_one(id: &str, script: &str, more: &[&str]) -> String {
    let text = include_str!("suites/faults.epd");
    let line = text
        .lines()
        .find(|line| line.contains(id))
        .expect("a record");
    let folder = tempfile::tempdir().expect("a folder");
    program::write(folder.path(), "one.epd", line);
    run_in(folder.path(), "one.epd", script, more)
}

#[test]
fn misbehaviours() {
    let run = |flag: &str, more: &[&str]| {
        let engine = fake_engine(flag);
        let fixed = ["run", "limits.epd", "--engine", &engine, "--jobs", "2"];
        epd_in(&folder(), &[&fixed[..], more].concat())
    };
    let time = ["--time", "100ms", "--margin", "2s"];
    // Whether it has read anything before it ended is a matter of luck.
    let text = run("--crash-at-start=1", &time);
    assert!(text.starts_with("exit 3\n"), "{text}");
    assert!(
        text.contains("the engine ended with exit code 1 before uciok"),
        "{text}"
    );
    assert!(
        text.contains("NOT RUN: the engine does not start"),
        "{text}"
    );
    check!("abort_on_go", run("--crash=abort", &time));
    check!("hang_on_go", run("--hang", &time));
    check!("late_within_margin", run("--late=150", &time));
    check!("later_than_margin", run("--late=3000", &time));
    check!("illegal_bestmove", run("--illegal-move", &time));
    check!("garbage", run("--garbage", &time));
    // Whether it is seen by what is read or by what is written is a matter of luck.
    let text = run("--no-final-newline", &time);
    assert!(text.starts_with("exit 3\n"), "{text}");
    assert!(
        text.contains("ENGINE FAILED in 2 of 2 positions; 0 solved"),
        "{text}"
    );
}

/// It starts twice, to be met and for the first position, and never again.
#[test]
fn an_engine_that_does_not_start_again_is_given_up() {
    let place = tempfile::tempdir().expect("a folder");
    program::write(
        place.path(),
        "faults.epd",
        include_str!("suites/faults.epd"),
    );
    let engine = engine("faults.txt").replace('\'', "");
    let script = format!("echo x >> starts; test $(wc -l < starts) -le 2 && exec {engine}");
    let engine = format!("sh -c '{script}'");
    let arguments = ["run", "faults.epd", "--engine", &engine, "--jobs", "1"];
    let text = epd_in(place.path(), &arguments);
    assert!(text.starts_with("exit 3\n"), "{text}");
    assert_eq!(
        text.matches("ended with exit code 7 before bestmove")
            .count(),
        1,
        "{text}"
    );
    assert_eq!(
        text.matches("ended with exit code 1 before uciok").count(),
        3,
        "{text}"
    );
    assert_eq!(
        text.matches("3 starts in a row have failed").count(),
        2,
        "{text}"
    );
    assert_eq!(
        program::read(&place.path().join("starts")).lines().count(),
        5
    );
}

#[test]
fn limits() {
    let limits = |more: &[&str]| {
        let engine = engine("right.txt");
        let fixed = ["run", "limits.epd", "--engine", &engine, "--format", "json"];
        let text = epd_in(&folder(), &[&fixed[..], more].concat());
        let lines = text.lines().map(str::trim);
        let lines: Vec<&str> = lines
            .filter(|line| line.starts_with("\"limits\""))
            .collect();
        lines.join("\n")
    };
    check!("limits_default", limits(&[]));
    check!(
        "limits_several",
        limits(&[
            "--depth", "9", "--nodes", "5", "--time", "1.5s", "--mate", "3"
        ])
    );
    check!(
        "limits_of_records",
        limits(&["--depth", "9", "--limits-from-record"])
    );
}

#[test]
fn options_and_limits_are_sent() {
    let engine = engine("faults.txt");
    let text = epd_in(
        &folder(),
        &[
            "run",
            "faults.epd",
            "--engine",
            &engine,
            "--jobs",
            "1",
            "--timeout",
            "1s",
            "--margin",
            "1s",
            "--depth",
            "3",
            "--mate",
            "2",
        ],
    );
    assert!(text.contains("> go depth 3 mate 2"), "{text}");
    let engine = program::engine("right.txt");
    let text = epd_in(
        &folder(),
        &[
            "run", "all.epd", "--engine", &engine, "--nodes", "9", "--hash", "65",
        ],
    );
    assert!(text.starts_with("exit 3\n"), "{text}");
    assert!(text.contains("65"), "{text}");
    let text = epd_in(
        &folder(),
        &[
            "run",
            "all.epd",
            "--engine",
            &engine,
            "--nodes",
            "9",
            "--hash",
            "64",
            "--option",
            "Clear Hash",
        ],
    );
    assert!(text.starts_with("exit 0\n"), "{text}");
}

#[test]
fn chess960() {
    check!("chess960", run("chess960.epd", "fischer.txt", &[]));
    check!("chess960_unknown", run("chess960.epd", "right.txt", &[]));
}

#[test]
fn repeated_searches() {
    check!("repeat", run("limits.epd", "flaky.txt", &["--repeat", "3"]));
    check!(
        "repeat_csv",
        run(
            "limits.epd",
            "flaky.txt",
            &["--repeat", "3", "--format", "csv"]
        )
    );
}

/// Half a run is told, but is no baseline.
#[test]
fn interrupts() {
    let place = tempfile::tempdir().expect("a folder");
    let base = place.path().join("base.json");
    let (engine, save) = (engine("faults.txt"), base.display().to_string());
    let hangs = [
        "run",
        "faults.epd",
        "--engine",
        &engine,
        "--jobs",
        "1",
        "--save",
        &save,
    ];
    let text = program::interrupted(&folder(), &hangs);
    assert!(text.starts_with("exit 130\n"), "{text}");
    assert!(
        text.contains("is not written: the run is not whole"),
        "{text}"
    );
    assert!(!base.exists());
}

#[test]
fn two_engines_side_by_side() {
    let (one, two) = (engine("right.txt"), engine("worse.txt"));
    let fixed = [
        "run",
        "all.epd",
        "limits.epd",
        "--engine",
        &one,
        "--engine",
        &two,
    ];
    check!("two", epd_in(&folder(), &[&fixed[..], &NODES].concat()));
}

#[test]
fn baselines() {
    let place = tempfile::tempdir().expect("a folder");
    let file = place.path().join("base.json");
    let base = file.to_str().expect("a path of text");
    check!("save", run("all.epd", "right.txt", &["--save", base]));
    check!("saved", program::read(&file));
    check!("same", run("all.epd", "right.txt", &["--baseline", base]));
    check!(
        "changed",
        run("all.epd", "worse.txt", &["--baseline", base])
    );
    for format in ["json", "github", "junit"] {
        let more = [
            "--baseline",
            base,
            "--format",
            format,
            "--fail-on",
            "slower",
        ];
        check!(
            format!("changed_{format}"),
            run("all.epd", "worse.txt", &more)
        );
    }
    check!(
        "changed_not_asked_for",
        run(
            "all.epd",
            "worse.txt",
            &["--baseline", base, "--fail-on", "none"]
        )
    );
    let missing = [
        "--baseline",
        base,
        "--fail-on",
        "missing,worse,slower-overall",
    ];
    check!("missing", run("limits.epd", "right.txt", &missing));
    check!(
        "other_limits",
        run(
            "all.epd",
            "right.txt",
            &["--baseline", base, "--depth", "3"]
        )
    );
    program::write(
        place.path(),
        "other.json",
        "{\"schema\": \"touchstone/perft-check/1\"}",
    );
    let other = place.path().join("other.json");
    let other = other.to_str().expect("a path of text");
    check!(
        "no_baseline",
        run("all.epd", "right.txt", &["--baseline", other])
    );
}

/// A script, demands, the exit code, failed positions, and what the text calls positions.
type Demanded<'a> = (&'a str, &'a [&'a str], i32, usize, &'a [&'a str]);

/// What a CI server sees agrees with the exit code, whatever is demanded.
#[test]
fn the_reports_are_red_exactly_where_the_exit_code_is_not_0() {
    let place = tempfile::tempdir().expect("a folder");
    let save = |script: &str, name: &str| {
        let file = place.path().join(name).display().to_string();
        run("all.epd", script, &["--save", &file]);
        file
    };
    let (right, worse) = (
        save("right.txt", "right.json"),
        save("worse.txt", "worse.json"),
    );
    let rows: [Demanded<'_>; 9] = [
        ("right.txt", &[], 0, 0, &["unsolved"]),
        ("right.txt", &["--baseline", &right], 0, 0, &["known"]),
        ("worse.txt", &["--baseline", &worse], 0, 0, &["known"]),
        (
            "worse.txt",
            &["--baseline", &right],
            1,
            2,
            &["FAILED", "known"],
        ),
        (
            "worse.txt",
            &["--baseline", &right, "--fail-on", "slower"],
            1,
            1,
            &["FAILED", "known", "unsolved"],
        ),
        (
            "worse.txt",
            &["--baseline", &right, "--fail-on", "none"],
            0,
            0,
            &["known", "unsolved"],
        ),
        ("right.txt", &["--fail-on", "unsolved"], 1, 1, &["FAILED"]),
        ("right.txt", &["--min-solved", "5"], 0, 0, &["unsolved"]),
        ("right.txt", &["--min-solved", "6"], 1, 1, &["FAILED"]),
    ];
    for (script, demands, code, failures, signs) in rows {
        let run = |format: &str| {
            run(
                "all.epd",
                script,
                &[demands, &["--format", format]].concat(),
            )
        };
        let exit = format!("exit {code}\n");
        for format in ["human", "junit", "github", "json", "csv"] {
            let text = run(format);
            assert!(text.starts_with(&exit), "{demands:?} {format}: {text}");
        }
        let human = run("human");
        for sign in ["FAILED", "known", "unsolved"] {
            let is_there = human.contains(&format!("\n  {sign} "));
            assert_eq!(
                is_there,
                signs.contains(&sign),
                "{demands:?} {sign}: {human}"
            );
        }
        let verdict = if code == 0 { "': OK: " } else { "': FAIL: " };
        assert!(human.contains(verdict), "{demands:?}: {human}");
        // Besides the positions one failure for each demand, and here there is one demand.
        let all = failures + usize::from(code == 1);
        assert_eq!(
            run("junit").matches("<failure ").count(),
            all,
            "{demands:?}"
        );
        assert_eq!(
            run("github").matches("::error ").count(),
            all,
            "{demands:?}"
        );
        let failed = r#""verdict": "failed""#;
        assert_eq!(run("json").matches(failed).count(), failures, "{demands:?}");
        assert_eq!(
            run("csv").matches(",failed,").count(),
            failures,
            "{demands:?}"
        );
    }
}

/// The forms of the suites that people try first, in records of our own.
#[test]
fn public_suites_are_run_whole() {
    let text = run("public.epd", "public.txt", &["--allow-unreadable"]);
    assert!(!text.contains("NOT RUN"), "{text}");
    check!("public", run("public.epd", "public.txt", &[]));
    check!(
        "public_json",
        run("public.epd", "public.txt", &["--format", "json"])
    );
}

#[test]
fn the_least_that_must_be_solved() {
    // Five of six are solved, 83.3%.
    for (least, code) in [("5", 0), ("6", 1), ("83%", 0), ("83.4%", 1)] {
        let text = run("all.epd", "right.txt", &["--min-solved", least]);
        assert!(
            text.starts_with(&format!("exit {code}\n")),
            "{least}: {text}"
        );
    }
    check!(
        "too_few",
        run("all.epd", "right.txt", &["--min-solved", "100%"])
    );
    check!(
        "bad_least",
        run("all.epd", "right.txt", &["--min-solved", "101%"])
    );
    check!(
        "unsolved",
        run("all.epd", "right.txt", &["--fail-on", "unsolved"])
    );
}

#[test]
fn records_and_files_are_written() {
    let place = tempfile::tempdir().expect("a folder");
    let path = |name: &str| place.path().join(name);
    let text = |name: &str| path(name).to_str().expect("a path of text").to_owned();
    let (records, report, summary) = (text("found.epd"), text("report.xml"), text("summary.md"));
    let more = [
        "--write-epd",
        &records,
        "-o",
        &report,
        "--format",
        "github",
        "--summary",
        &summary,
    ];
    run("all.epd", "right.txt", &more);
    check!("written_records", program::read(&path("found.epd")));
    check!("written_summary", program::read(&path("summary.md")));
    check!("written_report", program::read(&path("report.xml")));
    // Records that are not run are written as they are.
    let broken = text("broken.epd");
    run("broken.epd", "right.txt", &["--write-epd", &broken]);
    check!("written_not_run", program::read(&path("broken.epd")));
    // What was written can be run, and says the same when written again.
    let again = ["--write-epd", &text("again.epd")];
    run(&records, "right.txt", &again);
    assert_eq!(
        program::read(&path("found.epd")),
        program::read(&path("again.epd"))
    );
}
