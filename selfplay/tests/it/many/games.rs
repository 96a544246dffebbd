//! The games of many machines are those of one, whatever fails.

use std::time::Duration;

use queue::{Broker as _, InProcess};
use selfplay::fleet::protocol::KIND;
use selfplay::lab::summary::Outcome;
use selfplay::stats::SprtState;

use super::bed::{Bed, Crowd, games, nodes, results, worker};

/// Even if one of them dies, which costs nothing but time.
#[test]
fn many_machines_come_to_the_same_as_one() {
    let bed = Bed::new();
    // Decided after some dozens of pairs of two engines that are alike.
    let test = bed.test(500, &nodes(), [0.0, 300.0]);
    let (local, alone) = bed.alone(&test);
    let broker = InProcess::new();
    let crowd = Crowd::new(&broker);
    let played = test.conduct_beside(&crowd, |scope| {
        // One takes two leases, and is never heard of again.
        broker.register(&worker("dead")).expect("it lives");
        for _ in 0..2 {
            let lease = broker.lease("dead", &[KIND], Duration::from_millis(300));
            assert!(lease.expect("known").is_some());
        }
        scope.spawn(|| crowd.play(&bed, "one"));
        scope.spawn(|| crowd.play(&bed, "two"));
    });
    assert_eq!(local.verdict(), Some(SprtState::AcceptedH0));
    assert_eq!(played.outcome(), Some(Outcome::Failed));
    let counts = local.tally.counts(&local.schedule).expect("two engines");
    let summary = played.summary(500, Vec::new());
    let score = summary.score.as_ref().expect("two engines");
    assert_eq!(score.pentanomial.to_vec(), counts.cells_in_use());
    let up_to_it = usize::try_from(2 * counts.samples()).expect("few");
    assert_eq!(games(&broker)[..up_to_it], alone[..up_to_it]);
    let (worker, record) = &results(&broker)[0];
    assert!(["one", "two"].contains(&worker.as_str()), "{worker}");
    let machine = record.machine.as_ref().expect("of a worker");
    assert_eq!(machine.time_scale, None);
    // A server that takes over knows all of it from the results.
    assert_eq!(test.conduct(&broker).summary(500, Vec::new()), summary);
}
