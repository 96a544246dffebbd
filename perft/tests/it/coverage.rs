//! `perft coverage`: which kinds of moves suites reach, and suites that reach the others.

use crate::common::{run, run_in, session, snapshot, stdout_of};

#[test]
fn texts() {
    let commands = r"
        coverage agrees.epd
        coverage agrees.epd edge --depth 1
        coverage agrees.epd --depth 1 --faults 10
        coverage agrees.epd --tag nothing
        coverage broken.epd
        coverage uncounted.epd
        coverage nowhere.epd
        coverage agrees.epd --fill agrees.epd
        coverage agrees.epd --fill no-such-folder/x
    ";
    snapshot!("coverage", session(commands));
}

#[test]
fn json_lists_everything_that_is_missing() {
    let text = run(&["coverage", "thesis", "--format", "json"]);
    assert!(text.starts_with("exit 1\n"), "{text}");
    let json: serde_json::Value = serde_json::from_str(stdout_of(&text)).expect("JSON");
    assert_eq!(json["schema"], "touchstone/perft-coverage/1");
    let number = |value: &serde_json::Value| value.as_u64().expect("a number");
    let missing = json["missing"].as_array().expect("a list").len() as u64;
    let reached = number(&json["suites"][0]["reached"]);
    assert_eq!(reached + missing, number(&json["possible"]));
    let views = json["views"].as_object().expect("views").values();
    assert_eq!(views.map(number).sum::<u64>(), number(&json["possible"]));
}

/// `quick` reaches every signature of standard chess, `full` of Chess960: they catch every simulated fault.
#[test]
fn quick_and_full_reach_everything() {
    for (arguments, number) in [
        (&["coverage", "quick"][..], "13,808"),
        (&["coverage", "full", "--chess960"], "14,350"),
    ] {
        let text = run(&[arguments, &["--faults", "5000"]].concat());
        assert!(text.starts_with("exit 0\n"), "{text}");
        let caught = format!(
            "CAUGHT: {number} of {number} generators that are wrong at one signature, 5,000 of 5,000 at two"
        );
        assert!(text.contains(&caught), "{text}");
        assert!(text.contains("OK: every signature is reached"), "{text}");
    }
}

/// A suite and what fills its gaps reach everything, with counts that agree.
#[test]
#[ignore = "long: what fills the gaps of a suite reaches everything"]
fn gaps_are_filled() {
    let folder = tempfile::tempdir().expect("a folder");
    let fill = ["coverage", "edge", "-q", "--fill", "fill.epd"];
    let text = run_in(folder.path(), &fill);
    assert!(text.starts_with("exit 1\n"), "{text}");
    let text = run_in(folder.path(), &["coverage", "edge", "fill.epd"]);
    assert!(text.starts_with("exit 0\n"), "{text}");
    assert!(text.contains("OK: every signature is reached"), "{text}");
    let text = run_in(folder.path(), &["check", "fill.epd"]);
    assert!(text.starts_with("exit 0\n"), "{text}");
}
