//! The games of a fleet are those of one machine, whoever dies.

use std::fs;
use std::sync::atomic::Ordering;
use std::time::Duration;

use kit::Interrupt;
use queue::{Broker as _, InProcess, Worker};
use selfplay::fleet::protocol::KIND;
use selfplay::play::event::{RunEnd, RunEvent};
use selfplay::stats::SprtState;

use super::bed::{Bed, Closing, Crowd, LIMITS, UNDECIDED};

/// A test that is decided after some dozens of pairs of two engines that are alike.
const DECIDED: &str = "[openings]\nvariant = 'chess960'\n[sprt]\nelo0 = 0\nelo1 = 300\n";

#[test]
fn a_fleet_comes_to_the_same_as_one_machine() {
    let bed = Bed::new();
    let config = bed.config(500, LIMITS, DECIDED);
    let local = bed.local("local", &config);
    let broker = InProcess::new();
    let crowd = Crowd::new(&broker);
    let stored = bed.stored(config, "fleet", None);
    let played = bed.coordinate_beside(&crowd, &stored, |scope| {
        scope.spawn(|| crowd.play(&bed, "one"));
        scope.spawn(|| crowd.play(&bed, "two"));
    });
    assert_eq!(played.end.expect("it ends"), RunEnd::Decided);
    assert_eq!(played.state.verdict(), Some(SprtState::AcceptedH0));
    assert_eq!(played.state.verdict(), local.verdict());
    let counts = |state: &selfplay::run::RunState| state.tally.counts(&state.schedule);
    assert_eq!(counts(&played.state), counts(&local));
    let pairs = counts(&local).expect("of two engines").samples();
    let up_to_it = usize::try_from(2 * pairs).expect("few");
    assert_eq!(
        bed.games("fleet")[..up_to_it],
        bed.games("local")[..up_to_it]
    );
    // Nobody gets more of it.
    let reason = broker.progress("fleet").expect("there").stopped;
    assert_eq!(
        reason.as_deref(),
        Some("the test is decided: H0 is accepted")
    );
    assert_eq!(
        bed.records("fleet")[0]
            .machine
            .as_ref()
            .and_then(|one| one.time_scale),
        None
    );
}

#[test]
fn a_worker_that_dies_costs_nothing_but_time() {
    let bed = Bed::new();
    let config = bed.config(8, LIMITS, UNDECIDED);
    bed.local("local", &config);
    let broker = InProcess::new();
    let crowd = Crowd::new(&broker);
    let stored = bed.stored(config, "fleet", None);
    let played = bed.coordinate_beside(&crowd, &stored, |scope| {
        let dead = Worker {
            name: "dead".to_owned(),
            about: String::new(),
        };
        broker.register(&dead).expect("it lives");
        // It takes two leases, and is never heard of again.
        let mut taken = 0;
        while taken < 2 {
            let lease = broker
                .lease("dead", &[KIND], Duration::from_millis(300))
                .expect("known");
            taken += usize::from(lease.is_some());
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        scope.spawn(|| crowd.play(&bed, "alive"));
    });
    assert_eq!(played.end.expect("it ends"), RunEnd::Done);
    assert_eq!(bed.games("fleet"), bed.games("local"));
}

#[test]
fn a_coordinator_that_dies_goes_on_as_if_it_had_not() {
    let bed = Bed::new();
    let config = bed.config(24, LIMITS, UNDECIDED);
    bed.local("local", &config);
    let broker = InProcess::new();
    let crowd = Crowd::new(&broker);
    let stored = bed.stored(config, "fleet", None);
    let played = std::thread::scope(|scope| {
        let _closing = Closing(&crowd);
        scope.spawn(|| crowd.play(&bed, "one"));
        let stop = Interrupt::default();
        let broken_off = bed.coordinate(&broker, &stored, &stop, &mut |event| {
            if matches!(event, RunEvent::Progress(progress) if progress.games >= 10) {
                stop.shared().store(true, Ordering::Relaxed);
            }
        });
        assert_eq!(broken_off.end.expect("it ends"), RunEnd::Interrupted);
        assert!(broken_off.state.tally.games() < 48);
        // As a kill leaves it: the last record torn, and with it the pair.
        let ledger = bed.path("fleet/ledger.jsonl");
        let text = fs::read(&ledger).expect("there");
        fs::write(&ledger, &text[..text.len() - 9]).expect("ours");
        bed.resume(&broker, "fleet")
    });
    assert_eq!(played.end.expect("it ends"), RunEnd::Done);
    assert_eq!(bed.games("fleet"), bed.games("local"));
    // The broker has it all: a run directory that lost its ledger is made anew of it.
    fs::remove_file(bed.path("fleet/ledger.jsonl")).expect("ours");
    let again = bed.resume(&broker, "fleet");
    assert_eq!(again.end.expect("it ends"), RunEnd::Done);
    assert_eq!(bed.games("fleet"), bed.games("local"));
    let pgn = fs::read_to_string(bed.path("fleet/games.pgn")).expect("there");
    assert_eq!(pgn.matches("[Worker \"one\"]").count(), 48);
}
