//! Scores of `epd run`: groups, ratings, curves, and the HTML page.

use std::path::Path;

use crate::common::{read, run_in, scripted_engine, words, write};
use crate::mates::{check, engine};
use crate::run::folder;

fn run_with(folder: &Path, more: &str) -> String {
    let suites = crate::run::folder();
    let engine = engine("scores.txt");
    if folder != suites {
        write(folder, "scores.epd", &read(&suites, "scores.epd"));
    }
    let mut arguments = vec![
        "run",
        "scores.epd",
        "--engine",
        &engine,
        "-j",
        "1",
        "--nodes",
        "100000",
    ];
    arguments.extend(words(more));
    run_in(folder, &arguments)
}

fn run(more: &str) -> String {
    run_with(&folder(), more)
}

#[test]
fn groups() {
    check!("scores_id_prefix", run("--by id-prefix"));
    check!("scores_tag", run("--by tag"));
    check!("scores_regex", run(r"--by id:v(\d)"));
    check!("scores_by_nothing", run("--by x-y"));
    check!("scores_csv", run("--by id-prefix --format csv"));
}

#[test]
fn ratings() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let run = |more: &str| run_with(folder.path(), more);
    write(
        folder.path(),
        "engines.csv",
        "engine,score,elo\na,50,2000\nb,60,2310\nc,70,2590\n",
    );
    write(folder.path(), "few.csv", "score,elo\n50,2000\n");
    write(folder.path(), "bad.csv", "score,elo\n50,2000\n60,high\n");
    check!("scores_sts", run("--rating sts"));
    check!("scores_line", run("--rating 40,-100.5"));
    check!("scores_fit", run("--rating engines.csv"));
    check!("scores_fit_few", run("--rating few.csv"));
    check!("scores_fit_bad", run("--rating bad.csv"));
    check!("scores_fit_none", run("--rating none.csv"));
}

/// The keys that the options add to the JSON report; without them there is none.
#[test]
fn json() {
    let engine = |more: &str| -> serde_json::Value {
        let text = run(&format!("--format json {more}"));
        let (_, text) = text.split_once("--- stdout\n").expect("it has one");
        let (text, _) = text.split_once("--- stderr").expect("it has one");
        let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
        value["engines"][0].clone()
    };
    let without = engine("");
    for key in ["groups", "rating"] {
        assert!(without.get(key).is_none(), "{key}");
    }
    let with = engine("--by id-prefix --rating sts");
    let group = &with["groups"][1];
    assert_eq!(group["name"], "STS(v2.0) Castling");
    assert_eq!(
        (&group["solved"], &group["points"]),
        (&1.into(), &13.into())
    );
    assert_eq!(with["rating"]["score_percent"], 67.5);
}

#[test]
fn pages() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let text = run_with(folder.path(), "-o page.html --by tag --rating sts -q");
    assert!(text.starts_with("exit 0\n"), "{text}");
    let page = read(folder.path(), "page.html");
    for part in [
        "2 of 4",
        "Not solved by scripted: 2",
        "scores.epd:3 STS(v1.0) Undermine.002, White to move",
        "bm Rb8#; points Rb8#=10, Kd2=4",
        "https://lichess.org/analysis/standard/4k3/8/8/8/8/8/8/4K2R_w_K_-_0_1?color=white",
        r#"class="arrow wanted""#,
        r#"class="arrow played""#,
        "Solved within nodes",
        "2762 ± ",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    // Nothing is run by the page, and nothing but links leads elsewhere.
    for part in ["<script", "src=", "url(", "@import"] {
        assert!(!page.contains(part), "{part}");
    }
    let same = run_with(folder.path(), "--format html --by tag --rating sts");
    assert!(same.contains("Not solved by scripted: 2"), "{same}");
    let unwritable = run("-o no-such-folder/x.html");
    assert!(
        unwritable.starts_with("exit 2\n--- stdout\n--- stderr\n"),
        "{unwritable}"
    );
}

/// A page says why there is no result, too.
#[test]
fn pages_without_results() {
    let run = |arguments: &[&str]| {
        let mut all = vec!["run", "scores.epd", "--format", "html", "--by", "tag"];
        all.extend(arguments);
        run_in(&folder(), &all)
    };
    let missing = run(&["--engine", "./nowhere"]);
    assert!(missing.starts_with("exit 3\n"), "{missing}");
    let expected = r#"class="headline bad">./nowhere: NOT RUN: the engine does not start"#;
    assert!(missing.contains(expected), "{missing}");
    let nothing = run_in(
        &folder(),
        &["run", "nogoal.epd", "--engine", "x", "--format", "html"],
    );
    assert!(nothing.starts_with("exit 4\n"), "{nothing}");
    assert!(
        nothing.contains(r#"class="headline">Nothing was run"#),
        "{nothing}"
    );
}

/// A board of a crash has the failure instead of a move.
#[test]
fn pages_show_failures() {
    let engine = format!(
        "cmd='{}' args=--crash=abort name=crashing",
        scripted_engine()
    );
    let page = run_in(
        &folder(),
        &[
            "run",
            "scores.epd",
            "--engine",
            &engine,
            "-j",
            "1",
            "--nodes",
            "1000",
            "--format",
            "html",
        ],
    );
    assert!(page.starts_with("exit 3\n"), "{page}");
    assert!(page.contains("<dt>failure</dt><dd>crashed: "), "{page}");
    assert!(page.contains(r#"class="arrow wanted""#), "{page}");
    assert!(!page.contains(r#"class="arrow played""#), "{page}");
}

#[test]
fn built_in_suites() {
    check!("suites", run_in(&folder(), &["suites"]));
    check!(
        "suites_unknown",
        run_in(&folder(), &["suites", "mate-in-9"])
    );
    let one = run_in(&folder(), &["suites", "mate-in-4"]);
    let expected = epd::suites::find("mate-in-4").expect("it is built in").text;
    assert_eq!(one, format!("exit 0\n--- stdout\n{expected}--- stderr\n"));
}
