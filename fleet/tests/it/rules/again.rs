//! Chunks that are given out twice, and such as are to be done anew.

use fleet::{Broker, Standing};

use super::{LONG, Names, lease, put, right, short_lease, twice};

pub(crate) fn by_another(broker: &dyn Broker) {
    let names = Names("again_by_another");
    let job = twice(names.new_job(2), 1);
    put(broker, &job, 2);
    let (one, other) = (names.worker(broker, "one"), names.worker(broker, "other"));
    let first = lease(broker, &one, &names.kind()).expect("work");
    broker.complete(&first, &right(&first)).expect("held");
    let progress = broker.progress(&job.id).expect("a job");
    assert!(progress.is_complete(), "the second time is not waited for");
    assert_eq!((progress.compared, progress.to_compare), (0, 2));
    assert_eq!(
        lease(broker, &one, &names.kind()),
        None,
        "never to the same"
    );
    let second = lease(broker, &other, &names.kind()).expect("to another");
    assert_eq!((second.chunk, &second.units), (first.chunk, &first.units));
    assert_eq!(second.attempt, 2);
    assert_eq!(
        broker.heartbeat(&second, LONG).expect("asked"),
        Standing::Held
    );
    let completed = broker.complete(&second, &right(&second)).expect("held");
    assert_eq!((completed.taken, completed.second), (0, 2));
    assert_eq!(broker.progress(&job.id).expect("a job").compared, 2);
    let third = names.worker(broker, "third");
    assert_eq!(
        lease(broker, &third, &names.kind()),
        None,
        "not a third time"
    );
}

pub(crate) fn every_second_chunk(broker: &dyn Broker) {
    let names = Names("again_every_second_chunk");
    let job = twice(names.new_job(5), 2);
    put(broker, &job, 1);
    let workers = ["one", "other"].map(|name| names.worker(broker, name));
    let mut given: Vec<(u64, usize)> = Vec::new();
    let mut idle = 0;
    while idle < 2 {
        for (index, worker) in workers.iter().enumerate() {
            let Some(held) = lease(broker, worker, &names.kind()) else {
                idle += 1;
                continue;
            };
            idle = 0;
            given.push((held.chunk, index));
            broker.complete(&held, &right(&held)).expect("held");
        }
    }
    let count = |chunk| given.iter().filter(|given| given.0 == chunk).count();
    assert_eq!([0, 1, 2, 3, 4].map(count), [2, 1, 2, 1, 2], "{given:?}");
    given.sort_unstable();
    given.dedup();
    assert_eq!(given.len(), 8, "nobody has a chunk twice: {given:?}");
    let progress = broker.progress(&job.id).expect("a job");
    assert_eq!((progress.compared, progress.to_compare), (3, 3));
}

pub(crate) fn after_a_late_first(broker: &dyn Broker) {
    let names = Names("again_after_a_late_first");
    put(broker, &twice(names.new_job(1), 1), 1);
    let (one, other) = (names.worker(broker, "one"), names.worker(broker, "other"));
    // Who was late has not done it: it is the other's, and the second time this one's.
    let late = short_lease(broker, &one, &names.kind());
    let held = lease(broker, &other, &names.kind()).expect("it is free");
    broker.complete(&held, &right(&held)).expect("held");
    assert_eq!(lease(broker, &other, &names.kind()), None);
    let again = short_lease(broker, &one, &names.kind());
    assert_eq!((again.chunk, again.attempt), (late.chunk, 3));
    assert_eq!(lease(broker, &other, &names.kind()), None, "late or not");
    let again = lease(broker, &one, &names.kind()).expect("it is free");
    broker.complete(&again, &right(&again)).expect("held");
    assert_eq!(lease(broker, &one, &names.kind()), None);
}

pub(crate) fn forget(broker: &dyn Broker) {
    let names = Names("forget");
    let job = twice(names.new_job(4), 2);
    put(broker, &job, 1);
    let (bad, good) = (names.worker(broker, "bad"), names.worker(broker, "good"));
    let mut first = Vec::new();
    for worker in [&bad, &good, &bad, &good] {
        // Second times come first; that of the worker's own is passed over.
        let held = lease(broker, worker, &names.kind()).expect("work");
        broker.complete(&held, &right(&held)).expect("held");
        first.push((held.chunk, held.attempt));
    }
    assert_eq!(first, [(0, 1), (0, 2), (1, 1), (2, 1)]);
    assert_eq!(broker.forget(&job.id, &bad).expect("a job"), 2);
    assert_eq!(broker.forget(&job.id, &bad).expect("a job"), 0);
    let progress = broker.progress(&job.id).expect("a job");
    assert_eq!((progress.done, progress.compared), (1, 0));
    let mut left = Vec::new();
    while let Some(held) = lease(broker, &good, &names.kind()) {
        broker.complete(&held, &right(&held)).expect("held");
        left.push(held.chunk);
    }
    left.sort_unstable();
    assert_eq!(left, [0, 1, 3], "each of them once");
    assert!(broker.progress(&job.id).expect("a job").is_complete());
    let third = names.worker(broker, "third");
    let mut again = Vec::new();
    while let Some(held) = lease(broker, &third, &names.kind()) {
        broker.complete(&held, &right(&held)).expect("held");
        again.push(held.chunk);
    }
    again.sort_unstable();
    assert_eq!(again, [0, 2]);
    assert_eq!(broker.progress(&job.id).expect("a job").compared, 2);
}

pub(crate) fn forget_what_is_leased(broker: &dyn Broker) {
    let names = Names("forget_what_is_leased");
    let job = twice(names.new_job(4), 1);
    put(broker, &job, 2);
    let (bad, good) = (names.worker(broker, "bad"), names.worker(broker, "good"));
    let done = lease(broker, &bad, &names.kind()).expect("work");
    broker.complete(&done, &right(&done)).expect("held");
    let second = lease(broker, &good, &names.kind()).expect("the second time");
    let partly = lease(broker, &bad, &names.kind()).expect("work");
    broker
        .complete(&partly, &right(&partly)[..1])
        .expect("held");
    assert_eq!(broker.forget(&job.id, &bad).expect("a job"), 3);
    // There is nothing to compare with any more; what is brought all the same is the first.
    assert_eq!(
        broker.heartbeat(&second, LONG).expect("asked"),
        Standing::Lost
    );
    assert_eq!(
        broker.heartbeat(&partly, LONG).expect("asked"),
        Standing::Held
    );
    let brought = broker.complete(&second, &right(&second)).expect("late");
    assert_eq!((brought.taken, brought.second), (2, 0));
    // That lease was over: the chunk is to be done anew all the same.
    let anew = lease(broker, &good, &names.kind()).expect("anew");
    assert_eq!(anew.chunk, done.chunk);
    assert_eq!(lease(broker, &good, &names.kind()), None);
}
