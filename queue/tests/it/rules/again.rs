//! Chunks that are given out twice, and such as are to be done anew.

use queue::Standing;

use super::{Bed, right, twice};

pub(crate) fn by_another(bed: &Bed<'_>) {
    let job = twice(bed.new_job(2), 1);
    bed.put(&job, 2);
    let [one, other] = bed.workers(["one", "other"]);
    let first = bed.held(&one);
    bed.done(&first);
    let progress = bed.progress(&job);
    assert!(progress.is_complete(), "the second time is not waited for");
    assert_eq!((progress.compared, progress.to_compare), (0, 2));
    assert_eq!(bed.lease(&one), None, "never to the same");
    let second = bed.held(&other);
    assert_eq!((second.chunk, &second.units), (first.chunk, &first.units));
    assert_eq!(second.attempt, 2);
    assert_eq!(bed.standing(&second), Standing::Held);
    bed.done(&second);
    assert_eq!(bed.progress(&job).compared, 2);
    let third = bed.worker("third");
    assert_eq!(bed.lease(&third), None, "not a third time");
}

pub(crate) fn every_second_chunk(bed: &Bed<'_>) {
    let job = twice(bed.new_job(5), 2);
    bed.put(&job, 1);
    let workers = bed.workers(["one", "other"]);
    let mut given: Vec<(u64, usize)> = Vec::new();
    let mut idle = 0;
    while idle < 2 {
        for (index, worker) in workers.iter().enumerate() {
            let Some(held) = bed.lease(worker) else {
                idle += 1;
                continue;
            };
            idle = 0;
            given.push((held.chunk, index));
            bed.done(&held);
        }
    }
    let count = |chunk| given.iter().filter(|given| given.0 == chunk).count();
    assert_eq!([0, 1, 2, 3, 4].map(count), [2, 1, 2, 1, 2], "{given:?}");
    given.sort_unstable();
    given.dedup();
    assert_eq!(given.len(), 8, "nobody has a chunk twice: {given:?}");
    let progress = bed.progress(&job);
    assert_eq!((progress.compared, progress.to_compare), (3, 3));
}

pub(crate) fn after_a_late_first(bed: &Bed<'_>) {
    bed.put(&twice(bed.new_job(1), 1), 1);
    let [one, other] = bed.workers(["one", "other"]);
    // Who was late has not done it: it is the other's, and the second time this one's.
    let late = bed.late(&one);
    let held = bed.held(&other);
    bed.done(&held);
    assert_eq!(bed.lease(&other), None);
    let again = bed.late(&one);
    assert_eq!((again.chunk, again.attempt), (late.chunk, 3));
    assert_eq!(bed.lease(&other), None, "late or not");
    let again = bed.held(&one);
    bed.done(&again);
    assert_eq!(bed.lease(&one), None);
}

pub(crate) fn discard(bed: &Bed<'_>) {
    let job = twice(bed.new_job(4), 2);
    bed.put(&job, 1);
    let [bad, good] = bed.workers(["bad", "good"]);
    let mut first = Vec::new();
    for worker in [&bad, &good, &bad, &good] {
        // Second times come first; that of the worker's own is passed over.
        let held = bed.held(worker);
        bed.done(&held);
        first.push((held.chunk, held.attempt));
    }
    assert_eq!(first, [(0, 1), (0, 2), (1, 1), (2, 1)]);
    assert_eq!(bed.broker.discard(&job.id, &bad).expect("a job"), 2);
    assert_eq!(bed.broker.discard(&job.id, &bad).expect("a job"), 0);
    let progress = bed.progress(&job);
    assert_eq!((progress.done, progress.compared), (1, 0));
    let mut left = Vec::new();
    while let Some(held) = bed.lease(&good) {
        bed.done(&held);
        left.push(held.chunk);
    }
    left.sort_unstable();
    assert_eq!(left, [0, 1, 3], "each of them once");
    assert!(bed.progress(&job).is_complete());
    let third = bed.worker("third");
    let mut again = Vec::new();
    while let Some(held) = bed.lease(&third) {
        bed.done(&held);
        again.push(held.chunk);
    }
    again.sort_unstable();
    assert_eq!(again, [0, 2]);
    assert_eq!(bed.progress(&job).compared, 2);
}

pub(crate) fn discard_what_is_leased(bed: &Bed<'_>) {
    let job = twice(bed.new_job(4), 1);
    bed.put(&job, 2);
    let [bad, good] = bed.workers(["bad", "good"]);
    let done = bed.held(&bad);
    bed.done(&done);
    let second = bed.held(&good);
    let partly = bed.held(&bad);
    bed.complete(&partly, &right(&partly)[..1]);
    assert_eq!(bed.broker.discard(&job.id, &bad).expect("a job"), 3);
    // There is nothing to compare with any more; what is brought all the same is the first.
    assert_eq!(bed.standing(&second), Standing::Lost);
    assert_eq!(bed.standing(&partly), Standing::Held);
    bed.done(&second);
    assert_eq!(bed.progress(&job).done, 2);
    // That lease was over: the chunk is to be done anew all the same.
    let anew = bed.held(&good);
    assert_eq!(anew.chunk, done.chunk);
    assert_eq!(bed.lease(&good), None);
}
