//! What becomes of results.

use fleet::{Alarm, Broker, BrokerError, Completed, Second, Standing};

use super::{LONG, Names, lease, put, right, short_lease, values};

fn taken(count: u64) -> Completed {
    Completed {
        taken: count,
        ..Completed::default()
    }
}

fn second(count: u64) -> Completed {
    Completed {
        second: count,
        ..Completed::default()
    }
}

pub(crate) fn complete_at_once(broker: &dyn Broker) {
    let names = Names("complete_at_once");
    let job = names.new_job(6);
    put(broker, &job, 3);
    let worker = names.worker(broker, "one");
    for done in [3, 6] {
        let held = lease(broker, &worker, &names.kind()).expect("work");
        assert_eq!(
            broker.complete(&held, &right(&held)).expect("held"),
            taken(3)
        );
        // A call whose answer was lost is made again.
        assert_eq!(
            broker.complete(&held, &right(&held)).expect("known"),
            second(3)
        );
        assert_eq!(
            broker.heartbeat(&held, LONG).expect("asked"),
            Standing::Lost
        );
        let progress = broker.progress(&job.id).expect("a job");
        assert_eq!((progress.done, progress.units), (done, 6));
        assert_eq!(progress.is_complete(), done == 6);
        assert_eq!((progress.compared, progress.to_compare), (0, 0));
    }
    assert_eq!(lease(broker, &worker, &names.kind()), None);
}

pub(crate) fn complete_in_parts(broker: &dyn Broker) {
    let names = Names("complete_in_parts");
    let job = names.new_job(4);
    put(broker, &job, 4);
    let worker = names.worker(broker, "one");
    let held = lease(broker, &worker, &names.kind()).expect("work");
    let all = right(&held);
    assert_eq!(broker.complete(&held, &all[1..3]).expect("held"), taken(2));
    assert_eq!(
        broker.heartbeat(&held, LONG).expect("asked"),
        Standing::Held
    );
    assert_eq!(broker.complete(&held, &[]).expect("held"), taken(0));
    assert_eq!(broker.progress(&job.id).expect("a job").done, 2);
    assert_eq!(broker.complete(&held, &all[..1]).expect("held"), taken(1));
    assert_eq!(
        broker.heartbeat(&held, LONG).expect("asked"),
        Standing::Held
    );
    // Some that are known, one that is new: together they are all.
    let mixed = Completed {
        taken: 1,
        second: 1,
        alarms: Vec::new(),
    };
    assert_eq!(broker.complete(&held, &all[2..]).expect("held"), mixed);
    assert_eq!(
        broker.heartbeat(&held, LONG).expect("asked"),
        Standing::Lost
    );
    assert!(broker.progress(&job.id).expect("a job").is_complete());
}

pub(crate) fn complete_late(broker: &dyn Broker) {
    let names = Names("complete_late");
    put(broker, &names.new_job(2), 2);
    let worker = names.worker(broker, "one");
    let late = short_lease(broker, &worker, &names.kind());
    assert_eq!(
        broker.complete(&late, &right(&late)).expect("late"),
        taken(2)
    );
    // Nobody had it since: there is no need to do it again.
    assert_eq!(lease(broker, &worker, &names.kind()), None);
}

pub(crate) fn complete_for_another(broker: &dyn Broker) {
    let names = Names("complete_for_another");
    let job = names.new_job(2);
    put(broker, &job, 2);
    let (one, other) = (names.worker(broker, "one"), names.worker(broker, "other"));
    let late = short_lease(broker, &one, &names.kind());
    let next = lease(broker, &other, &names.kind()).expect("it is free");
    assert_eq!(
        broker.complete(&late, &right(&late)).expect("late"),
        taken(2)
    );
    assert_eq!(
        broker.heartbeat(&next, LONG).expect("asked"),
        Standing::Held
    );
    assert_eq!(
        broker.complete(&next, &right(&next)).expect("held"),
        second(2)
    );
    assert_eq!(
        broker.heartbeat(&next, LONG).expect("asked"),
        Standing::Lost
    );
    let progress = broker.progress(&job.id).expect("a job");
    assert_eq!((progress.done, progress.compared), (2, 2));
    assert_eq!(lease(broker, &one, &names.kind()), None);
}

pub(crate) fn results_of_other_chunks_are_refused(broker: &dyn Broker) {
    let names = Names("results_of_other_chunks_are_refused");
    let job = names.new_job(4);
    put(broker, &job, 2);
    let worker = names.worker(broker, "one");
    let held = lease(broker, &worker, &names.kind()).expect("work");
    for wrong in [2, 4, u64::MAX] {
        let results = values([0, wrong], "right");
        let error = broker.complete(&held, &results).expect_err("not leased");
        let BrokerError::NotLeased { id, chunk, key } = error else {
            panic!("{error}");
        };
        assert_eq!((id, chunk, key), (job.id.clone(), 0, wrong));
    }
    assert_eq!(broker.progress(&job.id).expect("a job").done, 0);
}

pub(crate) fn differences_raise_one_alarm(broker: &dyn Broker) {
    let names = Names("differences_raise_one_alarm");
    let job = names.new_job(3);
    put(broker, &job, 3);
    let (one, other) = (names.worker(broker, "one"), names.worker(broker, "other"));
    let late = short_lease(broker, &one, &names.kind());
    let next = lease(broker, &other, &names.kind()).expect("it is free");
    broker.complete(&late, &right(&late)).expect("late");
    let mut differ = right(&next);
    differ[1].value = "wrong".into();
    let alarm = Alarm {
        job: job.id.clone(),
        unit: 1,
        first_worker: one.clone(),
        first_value: "right 1".into(),
        second_worker: other.clone(),
        second_value: "wrong".into(),
    };
    let told = Completed {
        taken: 0,
        second: 2,
        alarms: vec![alarm.clone()],
    };
    for _ in 0..2 {
        assert_eq!(broker.complete(&next, &differ).expect("held"), told);
        assert_eq!(
            broker.alarms(&job.id).expect("a job"),
            std::slice::from_ref(&alarm)
        );
    }
    let progress = broker.progress(&job.id).expect("a job");
    assert_eq!((progress.alarms, progress.compared), (1, 3));
    // A third value is a second alarm, and so is one that is its worker's own.
    differ[1].value = "wronger".into();
    broker.complete(&next, &differ).expect("late");
    let own = values([1], "wrongest");
    broker.complete(&late, &own).expect("late");
    let all = broker.alarms(&job.id).expect("a job");
    let found: Vec<_> = all
        .iter()
        .map(|alarm| (&*alarm.second_worker, &*alarm.second_value))
        .collect();
    let expected = [
        (&*other, "wrong"),
        (&*other, "wronger"),
        (&*one, "wrongest 1"),
    ];
    assert_eq!(found, expected);
    let kept = broker.results(&job.id, 0, 10).expect("a job");
    assert!(
        kept.iter()
            .all(|kept| kept.value == format!("right {}", kept.key))
    );
}

pub(crate) fn seconds_can_be_ignored(broker: &dyn Broker) {
    let names = Names("seconds_can_be_ignored");
    let mut job = names.new_job(2);
    job.second = Second::Ignore;
    put(broker, &job, 2);
    let (one, other) = (names.worker(broker, "one"), names.worker(broker, "other"));
    let late = short_lease(broker, &one, &names.kind());
    let next = lease(broker, &other, &names.kind()).expect("it is free");
    assert_eq!(
        broker.complete(&late, &right(&late)).expect("late"),
        taken(2)
    );
    let differ = values([0, 1], "other");
    assert_eq!(broker.complete(&next, &differ).expect("held"), second(2));
    let progress = broker.progress(&job.id).expect("a job");
    assert_eq!((progress.compared, progress.alarms), (0, 0));
    assert!(broker.alarms(&job.id).expect("a job").is_empty());
    let kept = broker.results(&job.id, 0, 10).expect("a job");
    assert!(kept.iter().all(|kept| kept.worker == one));
}

pub(crate) fn a_job_without_units(broker: &dyn Broker) {
    let names = Names("a_job_without_units");
    let job = names.new_job(0);
    put(broker, &job, 1);
    let worker = names.worker(broker, "one");
    assert_eq!(lease(broker, &worker, &names.kind()), None);
    assert!(broker.progress(&job.id).expect("a job").is_complete());
}
