//! Every target for a short while: nothing panics, ends late, or is read otherwise than it was written.

use std::path::PathBuf;

use fuzz::run::{Plan, run};
use fuzz::targets;

/// Inputs of each target; `cargo run -p touchstone-fuzz` reads more.

#[test]
fn every_target_holds_for_a_while() {
    let inputs = testkit::scale(1_000, 3_000);
    let plan = Plan {
        seed: 20_261_122,
        first: 0,
        inputs,
        failures: PathBuf::from(env!("CARGO_TARGET_TMPDIR")),
    };
    let mut faults = Vec::new();
    for target in targets::all() {
        let tally = run(target, &plan, None).expect("a thread");
        assert_eq!(tally.inputs, inputs);
        assert!(
            tally.read > inputs / 100,
            "{}: {} inputs were read",
            target.name,
            tally.read
        );
        for failure in &tally.failures {
            let input = String::from_utf8_lossy(&failure.input);
            faults.push(format!(
                "{} {}: {}\n{input:?}",
                target.name, failure.number, failure.what
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn targets_have_names_of_their_own_and_a_corpus_that_is_read() {
    let names: Vec<&str> = targets::all().map(|target| target.name).collect();
    let mut unique = names.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), names.len());
    assert!(names.len() >= 20, "{names:?}");
}
