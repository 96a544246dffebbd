//! Scores of `epd run`: groups, ratings, curves, and the HTML page.

use std::path::Path;

use crate::common::{ends, holds, json_of, place, read, run_in, scripted_engine, words, write};
use crate::mates::{check, engine};
use crate::run::folder;

fn run_on(folder: impl AsRef<Path>, engine: &str, more: &str) -> String {
    let mut arguments = vec!["run", "scores.epd", "--engine", engine];
    arguments.extend(words("-j 1 --nodes 100000"));
    arguments.extend(words(more));
    run_in(folder, &arguments)
}

fn run(more: &str) -> String {
    run_on(folder(), &engine("scores.txt"), more)
}

#[test]
fn groups() {
    for (name, more) in [
        ("scores_id_prefix", "--by id-prefix"),
        ("scores_tag", "--by tag"),
        ("scores_regex", r"--by id:v(\d)"),
        ("scores_by_nothing", "--by x-y"),
        ("scores_csv", "--by id-prefix --format csv"),
    ] {
        check!(name, run(more));
    }
}

#[test]
fn ratings() {
    let place = place();
    write(&place, "scores.epd", &read(folder(), "scores.epd"));
    let engines = "engine,score,elo\na,50,2000\nb,60,2310\nc,70,2590\n";
    write(&place, "engines.csv", engines);
    write(&place, "few.csv", "score,elo\n50,2000\n");
    write(&place, "bad.csv", "score,elo\n50,2000\n60,high\n");
    for (name, rating) in [
        ("scores_sts", "sts"),
        ("scores_line", "40,-100.5"),
        ("scores_fit", "engines.csv"),
        ("scores_fit_few", "few.csv"),
        ("scores_fit_bad", "bad.csv"),
        ("scores_fit_none", "none.csv"),
    ] {
        let more = format!("--rating {rating}");
        check!(name, run_on(&place, &engine("scores.txt"), &more));
    }
}

/// The keys that the options add to the JSON report; without them there is none.
#[test]
fn json() {
    let engine = |more: &str| -> serde_json::Value {
        let value = json_of(&run(&format!("--format json {more}")));
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
    let page = run("--format html --by tag --rating sts");
    let parts = [
        "2 of 4",
        "Not solved by scripted: 2",
        "scores.epd:3 STS(v1.0) Undermine.002, White to move",
        "bm Rb8#; points Rb8#=10, Kd2=4",
        "https://lichess.org/analysis/standard/4k3/8/8/8/8/8/8/4K2R_w_K_-_0_1?color=white",
        r#"class="arrow wanted""#,
        r#"class="arrow played""#,
        "Solved within nodes",
        "2762 ± ",
    ];
    ends(&page, 0, &parts);
    // Nothing is run by the page, and nothing but links leads elsewhere.
    for part in ["<script", "src=", "url(", "@import"] {
        assert!(!page.contains(part), "{part}");
    }
    let place = place();
    write(&place, "scores.epd", &read(folder(), "scores.epd"));
    let more = "-o page.html --by tag --rating sts -q";
    run_on(&place, &engine("scores.txt"), more);
    let title = "Not solved by scripted: 2";
    holds(&read(&place, "page.html"), &[title]);
}

/// A page says why there is no result, too, and a board of a crash has the failure instead of a move.
#[test]
fn pages_without_results() {
    let missing = run_on(folder(), "./nowhere", "--format html --by tag");
    let says = r#"class="headline bad">./nowhere: NOT RUN: the engine does not start"#;
    ends(&missing, 3, &[says]);
    let nothing = ["run", "nogoal.epd", "--engine", "x", "--format", "html"];
    let says = r#"class="headline">Nothing was run"#;
    ends(&run_in(folder(), &nothing), 4, &[says]);
    let engine = format!(
        "cmd='{}' args=--crash=abort name=crashing",
        scripted_engine()
    );
    let page = run_on(folder(), &engine, "--format html");
    let says = ["<dt>failure</dt><dd>crashed: ", r#"class="arrow wanted""#];
    ends(&page, 3, &says);
    assert!(!page.contains(r#"class="arrow played""#), "{page}");
}

#[test]
fn built_in_suites() {
    check!("suites", run_in(folder(), &["suites"]));
    let unknown = run_in(folder(), &["suites", "mate-in-9"]);
    check!("suites_unknown", unknown);
    let one = run_in(folder(), &["suites", "mate-in-4"]);
    let expected = epd::suites::find("mate-in-4").expect("it is built in").text;
    assert_eq!(one, format!("exit 0\n--- stdout\n{expected}--- stderr\n"));
}
