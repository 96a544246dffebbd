//! `perft coverage`: which faults suites catch, and suites that catch the others.

use crate::common::{run, run_in, session, snapshot, stdout_of};

#[test]
fn texts() {
    let commands = r"
        coverage agrees.epd
        mutants agrees.epd thesis --depth 1
        coverage broken.epd
        coverage uncounted.epd
        coverage nowhere.epd
        coverage agrees.epd --fill agrees.epd
        coverage agrees.epd --fill no-such-folder/x
    ";
    snapshot!("coverage", session(commands));
}

#[test]
fn json_lists_everything_that_is_missed() {
    let text = run(&[
        "coverage",
        "thesis",
        "--format",
        "json",
        "--max-nodes",
        "100",
    ]);
    assert!(text.starts_with("exit 1\n"), "{text}");
    let json: serde_json::Value = serde_json::from_str(stdout_of(&text)).expect("JSON");
    let number = |value: &serde_json::Value| value.as_u64().expect("a number");
    let families = json["cases"].as_array().expect("a list").iter();
    let families = families.map(|family| &family["facts"]);
    let missed = families.clone().filter_map(|one| one["missed"].as_array());
    let missed: Vec<&serde_json::Value> = missed.flatten().collect();
    let all = number(&json["facts"]["faults"]);
    assert_eq!(number(&json["facts"]["caught"]) + missed.len() as u64, all);
    let sum: u64 = families.map(|family| number(&family["faults"])).sum();
    assert_eq!(sum, all);
    // The counts that are printed are wrong.
    let counted = missed.iter().filter(|one| !one["counts"].is_null());
    for one in counted.clone() {
        assert_ne!(one["counts"][0], one["counts"][1], "{one}");
    }
    assert!(counted.count() >= missed.len().min(2_000));
}

#[test]
fn quick_catches_every_fault_of_standard_chess() {
    everything_is_caught(&["coverage", "quick"]);
}

#[test]
#[ignore = "long: the suite `full` catches every fault of Chess960"]
fn full_catches_every_fault_of_chess960() {
    everything_is_caught(&["coverage", "full", "--chess960"]);
}

fn everything_is_caught(arguments: &[&str]) {
    let text = run(arguments);
    assert!(text.starts_with("exit 0\n"), "{text}");
    assert!(text.contains("faults are caught"), "{text}");
}

/// A suite and what fills its gaps catch everything, with counts that agree.
#[test]
#[ignore = "long: what fills the gaps of a suite catches everything"]
fn gaps_are_filled() {
    let folder = tempfile::tempdir().expect("a folder");
    let fill = [
        "coverage",
        "thesis",
        "-q",
        "--max-nodes",
        "100",
        "--fill",
        "fill.epd",
    ];
    let text = run_in(folder.path(), &fill);
    assert!(text.starts_with("exit 1\n"), "{text}");
    let text = run_in(folder.path(), &["coverage", "thesis", "fill.epd"]);
    assert!(text.starts_with("exit 0\n"), "{text}");
    let text = run_in(folder.path(), &["check", "fill.epd"]);
    assert!(text.starts_with("exit 0\n"), "{text}");
}
