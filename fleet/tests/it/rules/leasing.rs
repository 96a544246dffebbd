//! Who gets what, for how long.

use std::time::Duration;

use fleet::{Broker, BrokerError, Chunk, Put, Second, Standing, Unit, Worker};

use super::{LONG, Names, chunks, lease, put, right, short_lease, twice};

pub(crate) fn put_twice(broker: &dyn Broker) {
    let job = Names("put_twice").new_job(3);
    put(broker, &job, 2);
    let known = broker.put(&job, &mut std::iter::empty());
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
        let error = broker.put(other, &mut chunks(other, 2).into_iter());
        let Err(BrokerError::OtherJob { id, field }) = error else {
            panic!("{expected}: {error:?}");
        };
        assert_eq!((id, field), (job.id.clone(), expected));
    }
    let states = broker.jobs().expect("all jobs");
    let found: Vec<_> = states
        .iter()
        .filter(|state| state.job.id == job.id)
        .collect();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].job, job);
}

pub(crate) fn chunks_are_checked(broker: &dyn Broker) {
    let job = Names("chunks_are_checked").new_job(3);
    let rows: [(&[&[u64]], &str); 6] = [
        (
            &[&[0, 1]],
            "chunk 1 of job '@': found unit none, expected 2",
        ),
        (
            &[&[0, 2, 1]],
            "chunk 0 of job '@': found unit 2, expected 1",
        ),
        (
            &[&[0], &[], &[1, 2]],
            "chunk 1 of job '@': found unit none, expected 1",
        ),
        (
            &[&[0, 1, 2], &[3]],
            "chunk 1 of job '@': found unit 3, expected none",
        ),
        (
            &[&[0, 0, 1, 2]],
            "chunk 0 of job '@': found unit 0, expected 1",
        ),
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
        let error = broker.put(&job, &mut chunks).expect_err(expected);
        assert_eq!(error.to_string(), expected.replace('@', &job.id));
        assert!(matches!(
            broker.progress(&job.id),
            Err(BrokerError::NoJob(_))
        ));
    }
}

pub(crate) fn leases_come_in_order(broker: &dyn Broker) {
    let names = Names("leases_come_in_order");
    let first = names.new_job(5);
    let mut second = names.new_job(2);
    second.id = names.job(2);
    put(broker, &first, 2);
    put(broker, &second, 2);
    let (one, other) = (names.worker(broker, "one"), names.worker(broker, "other"));
    let expected = [(&first, 0), (&first, 1), (&first, 2), (&second, 0)];
    for ((job, chunk), worker) in expected.into_iter().zip([&one, &other, &one, &other]) {
        let lease = lease(broker, worker, &names.kind()).expect("work");
        assert_eq!((&lease.job, lease.chunk), (job, chunk));
        assert_eq!((&lease.worker, lease.attempt), (worker, 1));
        let index = usize::try_from(chunk).expect("small");
        assert_eq!(lease.units, chunks(job, 2)[index].units);
    }
    assert_eq!(lease(broker, &one, &names.kind()), None);
}

pub(crate) fn kinds_are_kept_apart(broker: &dyn Broker) {
    let names = Names("kinds_are_kept_apart");
    let job = names.new_job(1);
    put(broker, &job, 1);
    let worker = names.worker(broker, "one");
    assert_eq!(lease(broker, &worker, "kinds_are_kept_apart/2"), None);
    assert_eq!(broker.lease(&worker, &[], LONG).expect("known"), None);
    let kinds = ["kinds_are_kept_apart/2", &names.kind()];
    let found = broker.lease(&worker, &kinds, LONG).expect("known");
    assert_eq!(found.map(|lease| lease.job), Some(job));
}

pub(crate) fn texts_come_back_as_they_are(broker: &dyn Broker) {
    let names = Names("texts_come_back_as_they_are");
    let texts = [
        "",
        "'; drop table x; --",
        "a\tb\r\n\\n \"{}\" $1",
        "♜ und ä \u{10FFFF}",
    ];
    let mut job = names.new_job(4);
    job.body = texts.concat();
    let unit = |(key, body): (u64, &str)| Unit {
        key,
        body: body.to_owned(),
    };
    let units: Vec<Unit> = (0..).zip(texts).map(unit).collect();
    let chunk = Chunk {
        units: units.clone(),
    };
    broker
        .put(&job, &mut std::iter::once(chunk))
        .expect("a good job");
    let worker = names.worker(broker, "'\"♜");
    let lease = lease(broker, &worker, &names.kind()).expect("work");
    assert_eq!((&lease.units, &lease.job), (&units, &job));
    let mut results = right(&lease);
    for (result, text) in results.iter_mut().zip(texts) {
        text.clone_into(&mut result.value);
    }
    assert_eq!(broker.complete(&lease, &results).expect("held").taken, 4);
    let kept = broker.results(&job.id, 0, 10).expect("a job");
    let values: Vec<&str> = kept.iter().map(|result| &*result.value).collect();
    assert_eq!(values, texts);
    assert!(kept.iter().all(|result| result.worker == worker));
}

pub(crate) fn who_is_late_is_replaced(broker: &dyn Broker) {
    let names = Names("who_is_late_is_replaced");
    put(broker, &names.new_job(2), 2);
    let (one, other) = (names.worker(broker, "one"), names.worker(broker, "other"));
    let late = short_lease(broker, &one, &names.kind());
    let next = lease(broker, &other, &names.kind()).expect("it is free");
    assert_eq!((next.chunk, next.attempt), (late.chunk, 2));
    assert_ne!(next.token, late.token);
    assert_eq!(
        broker.heartbeat(&late, LONG).expect("asked"),
        Standing::Lost
    );
    assert_eq!(
        broker.heartbeat(&next, LONG).expect("asked"),
        Standing::Held
    );
    // What is late gives nothing back that is another's.
    broker.give_back(&late).expect("asked");
    assert_eq!(lease(broker, &one, &names.kind()), None);
}

pub(crate) fn heartbeats(broker: &dyn Broker) {
    let names = Names("heartbeats");
    let job = names.new_job(1);
    put(broker, &job, 1);
    let worker = names.worker(broker, "one");
    let first = lease(broker, &worker, &names.kind()).expect("work");
    assert_eq!(
        broker.heartbeat(&first, LONG).expect("asked"),
        Standing::Held
    );
    assert_eq!(lease(broker, &worker, &names.kind()), None);
    // The time that it asks for counts, be it shorter than what it had.
    assert_eq!(
        broker.heartbeat(&first, Duration::ZERO).expect("asked"),
        Standing::Held
    );
    assert_eq!(
        broker.heartbeat(&first, LONG).expect("asked"),
        Standing::Lost
    );
    let second = lease(broker, &worker, &names.kind()).expect("free again");
    assert_eq!(second.attempt, 2);
    broker.stop(&job.id, "enough").expect("a job");
    let told = Standing::Stopped("enough".into());
    assert_eq!(broker.heartbeat(&second, LONG).expect("asked"), told);
}

pub(crate) fn give_back(broker: &dyn Broker) {
    let names = Names("give_back");
    put(broker, &names.new_job(2), 1);
    let (one, other) = (names.worker(broker, "one"), names.worker(broker, "other"));
    let given = lease(broker, &one, &names.kind()).expect("work");
    broker.give_back(&given).expect("asked");
    broker.give_back(&given).expect("asked again");
    let next = lease(broker, &other, &names.kind()).expect("work");
    assert_eq!((next.chunk, next.attempt), (given.chunk, 2));
    assert_eq!(
        broker.heartbeat(&given, LONG).expect("asked"),
        Standing::Lost
    );
}

pub(crate) fn stop(broker: &dyn Broker) {
    let names = Names("stop");
    let job = names.new_job(4);
    put(broker, &job, 2);
    let worker = names.worker(broker, "one");
    let held = lease(broker, &worker, &names.kind()).expect("work");
    broker.stop(&job.id, "decided").expect("a job");
    broker.stop(&job.id, "later").expect("a job");
    assert_eq!(lease(broker, &worker, &names.kind()), None);
    let progress = broker.progress(&job.id).expect("a job");
    assert_eq!(progress.stopped.as_deref(), Some("decided"));
    // What is finished all the same is not thrown away.
    assert_eq!(
        broker.complete(&held, &right(&held)).expect("held").taken,
        2
    );
    assert!(matches!(
        broker.stop("stop-none", ""),
        Err(BrokerError::NoJob(_))
    ));
}

pub(crate) fn set_aside(broker: &dyn Broker) {
    let names = Names("set_aside");
    put(broker, &names.new_job(2), 2);
    let (bad, good) = (names.worker(broker, "bad"), names.worker(broker, "good"));
    let held = lease(broker, &bad, &names.kind()).expect("work");
    broker.set_aside(&bad, "wrong").expect("known");
    broker.set_aside(&bad, "later").expect("known");
    let about = "again".into();
    let name = bad.clone();
    let errors = [
        broker.lease(&bad, &[&names.kind()], LONG).map(drop),
        broker.complete(&held, &right(&held)).map(drop),
        broker.enlist(&Worker { name, about }),
    ];
    for error in errors {
        let error = error.expect_err("set aside");
        assert_eq!(
            error.to_string(),
            format!("worker '{bad}' was set aside: wrong")
        );
    }
    assert_eq!(
        broker.heartbeat(&held, LONG).expect("asked"),
        Standing::Lost
    );
    let next = lease(broker, &good, &names.kind()).expect("it is free at once");
    assert_eq!(
        broker.complete(&next, &right(&next)).expect("held").taken,
        2
    );
}

pub(crate) fn strangers(broker: &dyn Broker) {
    let names = Names("strangers");
    put(broker, &names.new_job(1), 1);
    let kind = names.kind();
    let error = broker.lease("strangers-none", &[&kind], LONG);
    assert!(matches!(error, Err(BrokerError::NoWorker(_))), "{error:?}");
    let error = broker.set_aside("strangers-none", "");
    assert!(matches!(error, Err(BrokerError::NoWorker(_))), "{error:?}");
    let worker = names.worker(broker, "one");
    let mut held = lease(broker, &worker, &kind).expect("work");
    held.job.id = "strangers-none".into();
    let job = &held.job.id;
    let errors = [
        broker.progress(job).map(drop),
        broker.results(job, 0, 1).map(drop),
        broker.alarms(job).map(drop),
        broker.forget(job, &worker).map(drop),
        broker.complete(&held, &[]).map(drop),
    ];
    for error in errors {
        let error = error.expect_err("no job");
        assert_eq!(error.to_string(), "there is no job 'strangers-none'");
        assert!(!error.is_passing());
    }
    assert_eq!(
        broker.heartbeat(&held, LONG).expect("asked"),
        Standing::Lost
    );
    broker.give_back(&held).expect("nothing to give back");
}
