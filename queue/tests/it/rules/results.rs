//! What becomes of results.

use queue::{Alarm, BrokerError, Second, Standing};

use super::{Bed, right, values};

pub(crate) fn complete_at_once(bed: &Bed<'_>) {
    let job = bed.put_job(6, 3);
    let worker = bed.worker("one");
    for done in [3, 6] {
        let held = bed.held(&worker);
        bed.done(&held);
        // A call whose answer was lost is made again.
        bed.done(&held);
        assert_eq!(bed.standing(&held), Standing::Lost);
        let progress = bed.progress(&job);
        assert_eq!((progress.done, progress.units), (done, 6));
        assert_eq!(progress.is_complete(), done == 6);
        assert_eq!(progress.compared, 0);
    }
    assert_eq!(bed.lease(&worker), None);
}

pub(crate) fn complete_in_parts(bed: &Bed<'_>) {
    let job = bed.put_job(4, 4);
    let worker = bed.worker("one");
    let held = bed.held(&worker);
    let all = right(&held);
    bed.complete(&held, &all[1..3]);
    assert_eq!(bed.standing(&held), Standing::Held);
    bed.complete(&held, &[]);
    assert_eq!(bed.progress(&job).done, 2);
    bed.complete(&held, &all[..1]);
    assert_eq!(bed.standing(&held), Standing::Held);
    // Some that are known, one that is new: together they are all.
    bed.complete(&held, &all[2..]);
    assert_eq!(bed.standing(&held), Standing::Lost);
    assert!(bed.progress(&job).is_complete());
}

pub(crate) fn complete_late(bed: &Bed<'_>) {
    bed.put_job(2, 2);
    let worker = bed.worker("one");
    let late = bed.late(&worker);
    bed.done(&late);
    // Nobody had it since: there is no need to do it again.
    assert_eq!(bed.lease(&worker), None);
}

pub(crate) fn complete_for_another(bed: &Bed<'_>) {
    let job = bed.put_job(2, 2);
    let [one, other] = bed.workers(["one", "other"]);
    let late = bed.late(&one);
    let next = bed.held(&other);
    bed.done(&late);
    assert_eq!(bed.standing(&next), Standing::Held);
    bed.done(&next);
    assert_eq!(bed.standing(&next), Standing::Lost);
    let progress = bed.progress(&job);
    assert_eq!((progress.done, progress.compared), (2, 2));
    assert_eq!(bed.lease(&one), None);
}

pub(crate) fn results_of_other_chunks_are_refused(bed: &Bed<'_>) {
    let job = bed.put_job(4, 2);
    let worker = bed.worker("one");
    let held = bed.held(&worker);
    for wrong in [2, 4, u64::MAX] {
        let results = values([0, wrong], "right");
        let error = bed
            .broker
            .complete(&held, &results)
            .expect_err("not leased");
        let BrokerError::NotLeased { id, chunk, key } = error else {
            panic!("{error}");
        };
        assert_eq!((id, chunk, key), (job.id.clone(), 0, wrong));
    }
    assert_eq!(bed.progress(&job).done, 0);
}

pub(crate) fn differences_raise_one_alarm(bed: &Bed<'_>) {
    let job = bed.put_job(3, 3);
    let [one, other] = bed.workers(["one", "other"]);
    let late = bed.late(&one);
    let next = bed.held(&other);
    bed.done(&late);
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
    for _ in 0..2 {
        bed.complete(&next, &differ);
        assert_eq!(
            bed.broker.alarms(&job.id).expect("a job"),
            std::slice::from_ref(&alarm)
        );
    }
    let progress = bed.progress(&job);
    assert_eq!((progress.alarms, progress.compared), (1, 3));
    // A third value is a second alarm, and so is one that is its worker's own.
    differ[1].value = "wronger".into();
    bed.complete(&next, &differ);
    let own = values([1], "wrongest");
    bed.complete(&late, &own);
    let all = bed.broker.alarms(&job.id).expect("a job");
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
    let kept = bed.broker.results(&job.id, 0, 10).expect("a job");
    assert!(
        kept.iter()
            .all(|kept| kept.value == format!("right {}", kept.key))
    );
}

pub(crate) fn seconds_can_be_ignored(bed: &Bed<'_>) {
    let mut job = bed.new_job(2);
    job.second = Second::Ignore;
    bed.put(&job, 2);
    let [one, other] = bed.workers(["one", "other"]);
    let late = bed.late(&one);
    let next = bed.held(&other);
    bed.done(&late);
    let differ = values([0, 1], "other");
    bed.complete(&next, &differ);
    let progress = bed.progress(&job);
    assert_eq!((progress.compared, progress.alarms), (0, 0));
    assert!(bed.broker.alarms(&job.id).expect("a job").is_empty());
    let kept = bed.broker.results(&job.id, 0, 10).expect("a job");
    assert!(kept.iter().all(|kept| kept.worker == one));
}

pub(crate) fn a_job_without_units(bed: &Bed<'_>) {
    let job = bed.put_job(0, 1);
    let worker = bed.worker("one");
    assert_eq!(bed.lease(&worker), None);
    assert!(bed.progress(&job).is_complete());
}
