//! What a machine must have, and how its times are scaled.

use std::fs;

use queue::InProcess;
use selfplay::fleet::program::sha256;
use selfplay::play::event::RunEnd;

use super::bed::{Bed, Crowd, LIMITS, UNDECIDED, speed};

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
        let rejected = loop {
            // Until the job is there, it has nothing to reject.
            let (wrong, idle) = (bed.path("wrong"), Crowd::new(&broker));
            match idle.play_with("wrong", 1000, Some(&wrong)) {
                Err(error) => break error,
                Ok(_) => std::thread::sleep(std::time::Duration::from_millis(10)),
            }
        };
        assert!(rejected.is_input());
        let text = rejected.to_string();
        let expected = format!(
            "job fleet cannot be played here: engine 'new' is the program {} with SHA-256 {sum}: it is not here; no \
             program in {} has it",
            bed.path("home/engine").display(),
            bed.path("wrong").display()
        );
        assert_eq!(text, expected);
        scope.spawn(|| {
            let right = bed.path("right");
            crowd
                .play_with("right", 1000, Some(&right))
                .expect("it plays")
        });
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
        let rejected = crowd
            .play_with("slow", 499, None)
            .expect_err("it is too slow");
        assert!(!rejected.is_input());
        assert_eq!(
            rejected.to_string(),
            "job fleet cannot be played here: this machine counts 499 nodes a second in each game, the one that times \
             are meant for 2000: times would be multiplied by 4.008, expected 0.25 to 4"
        );
        scope.spawn(|| crowd.play_with("half", 1000, None).expect("it plays"));
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
