//! What a machine must have, and how its times are scaled.

use std::fs;
use std::time::Duration;

use queue::program::sha256;
use queue::{Broker as _, InProcess};
use selfplay::play::event::RunEnd;
use testkit::programs::wait_until;

use super::bed::{Bed, Crowd, LIMITS, UNDECIDED, speed};

/// Ends as soon as there is no work.
const NO_IDLING: Option<Duration> = Some(Duration::ZERO);

fn wait_for_job(broker: &InProcess) {
    wait_until("the job is there", || {
        broker.jobs().is_ok_and(|jobs| !jobs.is_empty())
    });
}

#[test]
fn programs_are_found_by_their_sha256_or_rejected() {
    let bed = Bed::new();
    let config = bed.config(4, LIMITS, UNDECIDED);
    let stored = bed.stored(config, "fleet", None);
    let sum = sha256(&bed.path("home/engine")).expect("there");
    // The machine of the coordinator is another: nothing is where it has it.
    for (folder, name) in [("right", "whatever"), ("wrong", "engine")] {
        fs::create_dir(bed.path(folder)).expect("new");
        fs::copy(bed.path("home/engine"), bed.path(folder).join(name)).expect("a copy");
    }
    let mut bytes = fs::read(bed.path("wrong/engine")).expect("there");
    bytes.push(0);
    fs::write(bed.path("wrong/engine"), bytes).expect("ours");
    fs::remove_file(bed.path("home/engine")).expect("ours");
    let broker = InProcess::new();
    let crowd = Crowd::new(&broker);
    let played = bed.coordinate_beside(&crowd, &stored, |scope| {
        wait_for_job(&broker);
        let (shift, said) = crowd.play_with("wrong", 1000, &bed.path("wrong"), NO_IDLING);
        assert_eq!((shift.unable > 0, shift.results), (true, 0));
        let expected = format!(
            "given back: engine 'new' is the program {} with SHA-256 {sum}: no program in {} has it\n",
            bed.path("home/engine").display(),
            bed.path("wrong").display()
        );
        assert!(said.contains(&expected), "{said}");
        scope.spawn(|| crowd.play_with("right", 1000, &bed.path("right"), None));
    });
    assert_eq!(played.end.expect("it ends"), RunEnd::Done);
    let records = bed.records("fleet");
    let workers = records
        .iter()
        .map(|one| &*one.machine.as_ref().expect("of a fleet").worker);
    assert_eq!(workers.collect::<Vec<_>>(), ["right"; 8]);
}

#[test]
fn a_slower_machine_gets_more_time_and_reports_it() {
    let bed = Bed::new();
    let config = bed.config(2, "tc = '10+0.1'", "[sprt]\nelo0 = 0\nelo1 = 1\n");
    let stored = bed.stored(config, "fleet", Some(speed(2000)));
    let broker = InProcess::new();
    let crowd = Crowd::new(&broker);
    let played = bed.coordinate_beside(&crowd, &stored, |scope| {
        wait_for_job(&broker);
        let (shift, said) = crowd.play_with("slow", 499, &bed.path("home"), NO_IDLING);
        assert_eq!((shift.unable > 0, shift.results), (true, 0));
        let expected = "given back: this machine counts 499 nodes a second in each game, the one that times are \
                        meant for 2000: times would be multiplied by 4.008, expected 0.25 to 4\n";
        assert!(said.contains(expected), "{said}");
        scope.spawn(|| crowd.play_with("half", 1000, &bed.path("home"), None));
    });
    assert_eq!(played.end.expect("it ends"), RunEnd::Done);
    for record in bed.records("fleet") {
        assert_eq!(record.machine.expect("of a fleet").time_scale, Some(2.0));
        // Twenty seconds and two tenths, less what the move took.
        let left = record.moves[0].clock_ms.expect("a clock");
        assert!((12_000..=20_200).contains(&left), "{left}");
    }
    let pgn = fs::read_to_string(bed.path("fleet/games.pgn")).expect("there");
    assert!(
        pgn.contains("[Worker \"half\"]\n[TimeScale \"2\"]\n"),
        "{pgn}"
    );
}
