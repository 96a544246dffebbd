//! What a machine must have, and how its times are scaled.

use std::fs;
use std::time::Duration;

use queue::InProcess;
use queue::program::sha256;
use selfplay::lab::summary::Outcome;
use serde_json::json;

use super::bed::{Bed, Crowd, UNDECIDED, nodes, results};

/// Ends as soon as there is no work.
const NO_IDLING: Option<Duration> = Some(Duration::ZERO);

#[test]
fn programs_are_found_by_their_sha256_or_rejected() {
    let bed = Bed::new();
    let test = bed.test(4, &nodes(), UNDECIDED);
    let sum = sha256(&bed.path("home/engine")).expect("there");
    for (folder, name) in [("right", "whatever"), ("wrong", "engine")] {
        fs::create_dir(bed.path(folder)).expect("new");
        fs::copy(bed.path("home/engine"), bed.path(folder).join(name)).expect("a copy");
    }
    let mut bytes = fs::read(bed.path("wrong/engine")).expect("there");
    bytes.push(0);
    fs::write(bed.path("wrong/engine"), bytes).expect("ours");
    let broker = InProcess::new();
    let crowd = Crowd::new(&broker);
    let played = test.conduct_beside(&crowd, |scope| {
        let (shift, said) = crowd.play_with("wrong", 1000, &bed.path("wrong"), NO_IDLING);
        assert_eq!((shift.unable > 0, shift.results), (true, 0));
        let expected = format!(
            "given back: engine 'new' is the program new with SHA-256 {sum}: no program in {} has it\n",
            bed.path("wrong").display()
        );
        assert!(said.contains(&expected), "{said}");
        scope.spawn(|| crowd.play_with("right", 1000, &bed.path("right"), None));
    });
    assert_eq!(played.outcome(), Some(Outcome::Undecided));
    let workers: Vec<_> = results(&broker).into_iter().map(|(name, _)| name).collect();
    assert_eq!(workers, ["right"; 8]);
}

#[test]
fn a_slower_machine_gets_more_time_and_reports_it() {
    let bed = Bed::new();
    let test = bed.test(2, &json!({"tc": "1000+0.1"}), UNDECIDED);
    let broker = InProcess::new();
    let crowd = Crowd::new(&broker);
    test.conduct_beside(&crowd, |scope| {
        let (shift, said) = crowd.play_with("slow", 499, &bed.path("home"), NO_IDLING);
        assert_eq!((shift.unable > 0, shift.results), (true, 0));
        let expected = "given back: this machine counts 499 nodes a second in each game, the one that times are \
                        meant for 2000: times would be multiplied by 4.008, expected 0.25 to 4\n";
        assert!(said.contains(expected), "{said}");
        scope.spawn(|| crowd.play_with("half", 1000, &bed.path("home"), None));
    });
    let games = results(&broker);
    assert_eq!(games.len(), 4);
    for (_, record) in games {
        assert_eq!(record.machine.expect("of a worker").time_scale, Some(2.0));
        // Two thousand seconds and two tenths, less what the move took.
        let left = record.moves[0].clock_ms.expect("a clock");
        assert!((1_000_200..=2_000_200).contains(&left), "{left}");
    }
}
