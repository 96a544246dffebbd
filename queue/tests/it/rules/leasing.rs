//! Who gets what, for how long.

use std::time::Duration;

use queue::{BrokerError, Chunk, Put, Second, Standing, Unit, Worker};

use super::{Bed, LONG, chunks, right, twice};

pub(crate) fn put_twice(bed: &Bed<'_>) {
    let job = bed.new_job(3);
    bed.put(&job, 2);
    let known = bed.broker.put(&job, &mut std::iter::empty());
    assert_eq!(known.expect("the same"), Put::Known);
    let mut others = [(); 5].map(|()| job.clone());
    others[0].kind = "other".into();
    others[1].body = "other".into();
    others[2].units = 4;
    others[3].second = Second::Ignore;
    others[4] = twice(job.clone(), 7);
    let fields = [
        "kind",
        "body",
        "number of units",
        "treatment of second results",
        "share done twice",
    ];
    for (other, expected) in others.iter().zip(fields) {
        let error = bed.broker.put(other, &mut chunks(other, 2).into_iter());
        let Err(BrokerError::OtherJob { id, field }) = error else {
            panic!("{expected}: {error:?}");
        };
        assert_eq!((id.as_str(), field.as_str()), (job.id.as_str(), expected));
    }
    let states = bed.broker.jobs().expect("all jobs");
    let found: Vec<_> = states
        .iter()
        .filter(|state| state.job.id == job.id)
        .collect();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].job, job);
}

pub(crate) fn chunks_are_checked(bed: &Bed<'_>) {
    let job = bed.new_job(3);
    #[rustfmt::skip]
    let rows: [(&[&[u64]], &str); 6] = [
        (&[&[0, 1]], "chunk 1 of job '@': found unit none, expected 2"),
        (&[&[0, 2, 1]], "chunk 0 of job '@': found unit 2, expected 1"),
        (&[&[0], &[], &[1, 2]], "chunk 1 of job '@': found unit none, expected 1"),
        (&[&[0, 1, 2], &[3]], "chunk 1 of job '@': found unit 3, expected none"),
        (&[&[0, 0, 1, 2]], "chunk 0 of job '@': found unit 0, expected 1"),
        (&[&[1, 2]], "chunk 0 of job '@': found unit 1, expected 0"),
    ];
    for (keys, expected) in rows {
        let unit = |key: &u64| Unit {
            key: *key,
            body: String::new(),
        };
        let mut chunks = keys.iter().map(|keys| Chunk {
            units: keys.iter().map(unit).collect(),
        });
        let error = bed.broker.put(&job, &mut chunks).expect_err(expected);
        assert_eq!(error.to_string(), expected.replace('@', &job.id));
        assert!(matches!(
            bed.broker.progress(&job.id),
            Err(BrokerError::NoJob(_))
        ));
    }
}

pub(crate) fn leases_come_in_order(bed: &Bed<'_>) {
    let first = bed.new_job(5);
    let mut second = bed.new_job(2);
    second.id = bed.job(2);
    bed.put(&first, 2);
    bed.put(&second, 2);
    let [one, other] = bed.workers(["one", "other"]);
    let expected = [(&first, 0), (&first, 1), (&first, 2), (&second, 0)];
    for ((job, chunk), worker) in expected.into_iter().zip([&one, &other, &one, &other]) {
        let lease = bed.held(worker);
        assert_eq!((&lease.job, lease.chunk), (job, chunk));
        assert_eq!((&lease.worker, lease.attempt), (worker, 1));
        let index = usize::try_from(chunk).expect("small");
        assert_eq!(lease.units, chunks(job, 2)[index].units);
    }
    assert_eq!(bed.lease(&one), None);
}

pub(crate) fn kinds_are_kept_apart(bed: &Bed<'_>) {
    let job = bed.put_job(1, 1);
    let worker = bed.worker("one");
    let other = format!("{}/2", bed.name);
    let found = bed.broker.lease(&worker, &[&other], LONG);
    assert_eq!(found.expect("known"), None);
    assert_eq!(bed.broker.lease(&worker, &[], LONG).expect("known"), None);
    let kinds = [&*other, &bed.kind()];
    let found = bed.broker.lease(&worker, &kinds, LONG).expect("known");
    assert_eq!(found.map(|lease| lease.job), Some(job));
}

pub(crate) fn texts_come_back_as_they_are(bed: &Bed<'_>) {
    let texts = [
        "",
        "'; drop table x; --",
        "a\tb\r\n\\n \"{}\" $1",
        "♜ und ä \u{10FFFF}",
    ];
    let mut job = bed.new_job(4);
    job.body = texts.concat();
    let unit = |(key, body): (u64, &str)| Unit {
        key,
        body: body.to_owned(),
    };
    let units: Vec<Unit> = (0..).zip(texts).map(unit).collect();
    let chunk = Chunk {
        units: units.clone(),
    };
    bed.broker
        .put(&job, &mut std::iter::once(chunk))
        .expect("a good job");
    let worker = bed.worker("'\"♜");
    let lease = bed.held(&worker);
    assert_eq!((&lease.units, &lease.job), (&units, &job));
    let mut results = right(&lease);
    for (result, text) in results.iter_mut().zip(texts) {
        text.clone_into(&mut result.value);
    }
    bed.complete(&lease, &results);
    let kept = bed.broker.results(&job.id, 0, 10).expect("a job");
    let values: Vec<&str> = kept.iter().map(|result| &*result.value).collect();
    assert_eq!(values, texts);
    assert!(kept.iter().all(|result| result.worker == worker));
}

pub(crate) fn who_is_late_is_replaced(bed: &Bed<'_>) {
    bed.put_job(2, 2);
    let [one, other] = bed.workers(["one", "other"]);
    let late = bed.late(&one);
    let next = bed.held(&other);
    assert_eq!((next.chunk, next.attempt), (late.chunk, 2));
    assert_ne!(next.token, late.token);
    assert_eq!(bed.standing(&late), Standing::Lost);
    assert_eq!(bed.standing(&next), Standing::Held);
    // What is late gives nothing back that is another's.
    bed.broker.give_back(&late, None).expect("asked");
    assert_eq!(bed.lease(&one), None);
}

pub(crate) fn heartbeats(bed: &Bed<'_>) {
    let job = bed.put_job(1, 1);
    let worker = bed.worker("one");
    let first = bed.held(&worker);
    assert_eq!(bed.standing(&first), Standing::Held);
    assert_eq!(bed.lease(&worker), None);
    // The time that it asks for counts, be it shorter than what it had.
    assert_eq!(
        bed.broker.heartbeat(&first, Duration::ZERO).expect("asked"),
        Standing::Held
    );
    assert_eq!(bed.standing(&first), Standing::Lost);
    let second = bed.held(&worker);
    assert_eq!(second.attempt, 2);
    bed.broker.stop(&job.id, "enough").expect("a job");
    let expected = Standing::Stopped("enough".into());
    assert_eq!(bed.standing(&second), expected);
}

pub(crate) fn give_back(bed: &Bed<'_>) {
    bed.put_job(2, 1);
    let [one, other] = bed.workers(["one", "other"]);
    let given = bed.held(&one);
    bed.broker.give_back(&given, None).expect("asked");
    bed.broker.give_back(&given, None).expect("asked again");
    let next = bed.held(&other);
    assert_eq!((next.chunk, next.attempt), (given.chunk, 2));
    assert_eq!(bed.standing(&given), Standing::Lost);
}

pub(crate) fn inability(bed: &Bed<'_>) {
    let job = bed.put_job(2, 1);
    let workers = bed.workers(["a", "b", "c", "d"]);
    for (number, worker) in workers[..3].iter().enumerate() {
        assert_eq!(bed.progress(&job).flagged, None);
        for reason in ["no compiler", "really none"] {
            // It gets no more of this job; what it holds is another's at once.
            let Some(held) = bed.lease(worker) else {
                assert_eq!(reason, "really none", "worker {number}");
                continue;
            };
            assert_eq!(reason, "no compiler", "worker {number}");
            let back = bed.broker.give_back(&held, Some(reason));
            back.expect("a reason is accepted");
        }
    }
    let flagged = bed.progress(&job).flagged;
    assert_eq!(flagged.as_deref(), Some("no compiler"));
    assert_eq!(bed.lease(&workers[3]), None, "the job is flagged");
}

pub(crate) fn three_that_fall_silent(bed: &Bed<'_>) {
    let job = bed.put_job(1, 1);
    let workers = bed.workers(["a", "b", "c", "d", "e"]);
    for worker in &workers[..3] {
        bed.late(worker);
    }
    assert_eq!(bed.progress(&job).flagged, None);
    let mut other = bed.new_job(1);
    other.id = bed.job(2);
    bed.put(&other, 1);
    // It is nobody's any more, and in nobody's way.
    assert_eq!(bed.held(&workers[3]).job.id, other.id);
    assert_eq!(bed.lease(&workers[4]), None);
    let expected = "chunk 0: 3 workers fell silent while doing it";
    assert_eq!(bed.progress(&job).flagged.as_deref(), Some(expected));
}

pub(crate) fn silent_when_it_is_done_again(bed: &Bed<'_>) {
    let job = twice(bed.new_job(1), 1);
    bed.put(&job, 1);
    let workers = bed.workers(["a", "b", "c", "d", "e"]);
    bed.done(&bed.held(&workers[0]));
    for worker in &workers[1..4] {
        bed.late(worker);
    }
    // It has its result: it is not compared, and the job is as good as it was.
    assert_eq!(bed.lease(&workers[4]), None);
    let progress = bed.progress(&job);
    assert!(progress.is_complete());
    assert_eq!((progress.flagged, progress.compared), (None, 0));
    let jobs = bed.broker.jobs().expect("all jobs");
    let state = jobs.iter().find(|state| state.job.id == job.id);
    assert_eq!(state.map(|state| state.leased), Some(0));
}

pub(crate) fn one_that_falls_silent_often(bed: &Bed<'_>) {
    let job = bed.put_job(1, 1);
    for attempt in 1..=5 {
        // It dies, and is started again.
        let worker = bed.worker("one");
        assert_eq!(bed.late(&worker).attempt, attempt);
    }
    assert_eq!(bed.lease(&bed.worker("other")), None);
    let expected = "chunk 0: workers fell silent 5 times while doing it";
    assert_eq!(bed.progress(&job).flagged.as_deref(), Some(expected));
}

pub(crate) fn who_is_heard_is_not_silent(bed: &Bed<'_>) {
    let job = bed.put_job(1, 1);
    let workers = bed.workers(["a", "b", "c", "d", "e", "f"]);
    for (number, worker) in workers.iter().enumerate() {
        let late = bed.late(worker);
        if number % 2 == 0 {
            let back = bed.broker.give_back(&late, None);
            back.expect("late, but not another's yet");
        } else {
            let asked = bed.broker.lease(worker, &["other/1"], LONG);
            assert_eq!(asked.expect("known"), None);
        }
    }
    assert_eq!(bed.held(&workers[0]).attempt, 7);
    assert_eq!(bed.progress(&job).flagged, None);
}

pub(crate) fn stop(bed: &Bed<'_>) {
    let job = bed.put_job(4, 2);
    let worker = bed.worker("one");
    let held = bed.held(&worker);
    bed.broker.stop(&job.id, "decided").expect("a job");
    bed.broker.stop(&job.id, "later").expect("a job");
    assert_eq!(bed.lease(&worker), None);
    let progress = bed.progress(&job);
    assert_eq!(progress.stopped.as_deref(), Some("decided"));
    // What is finished all the same is not thrown away.
    bed.done(&held);
    assert_eq!(bed.progress(&job).done, 2);
    assert!(matches!(
        bed.broker.stop("stop-none", ""),
        Err(BrokerError::NoJob(_))
    ));
}

pub(crate) fn quarantine(bed: &Bed<'_>) {
    let job = bed.put_job(2, 2);
    let [bad, good] = bed.workers(["bad", "good"]);
    let held = bed.held(&bad);
    bed.broker.quarantine(&bad, "wrong").expect("known");
    bed.broker.quarantine(&bad, "later").expect("known");
    let about = "again".into();
    let name = bad.clone();
    let errors = [
        bed.broker.lease(&bad, &[&bed.kind()], LONG).map(drop),
        bed.broker.complete(&held, &right(&held)),
        bed.broker.register(&Worker { name, about }),
    ];
    for error in errors {
        let error = error.expect_err("quarantined");
        assert_eq!(
            error.to_string(),
            format!("worker '{bad}' is quarantined: wrong")
        );
    }
    assert_eq!(bed.standing(&held), Standing::Lost);
    let next = bed.held(&good);
    bed.done(&next);
    assert!(bed.progress(&job).is_complete());
}

pub(crate) fn strangers(bed: &Bed<'_>) {
    bed.put_job(1, 1);
    let error = bed.broker.lease("strangers-none", &[&bed.kind()], LONG);
    assert!(matches!(error, Err(BrokerError::NoWorker(_))), "{error:?}");
    let error = bed.broker.quarantine("strangers-none", "");
    assert!(matches!(error, Err(BrokerError::NoWorker(_))), "{error:?}");
    let worker = bed.worker("one");
    let mut held = bed.held(&worker);
    held.job.id = "strangers-none".into();
    let job = &held.job.id;
    let errors = [
        bed.broker.progress(job).map(drop),
        bed.broker.results(job, 0, 1).map(drop),
        bed.broker.alarms(job).map(drop),
        bed.broker.discard(job, &worker).map(drop),
        bed.broker.complete(&held, &[]),
    ];
    for error in errors {
        let error = error.expect_err("no job");
        assert_eq!(error.to_string(), "there is no job 'strangers-none'");
        assert!(!error.is_passing());
    }
    assert_eq!(bed.standing(&held), Standing::Lost);
    bed.broker
        .give_back(&held, None)
        .expect("nothing to give back");
}
