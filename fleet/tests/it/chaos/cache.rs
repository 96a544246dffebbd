//! Workers whose disk is full: builds are given back with the reason, other work goes on.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use fleet::conduct::spec::TestKind;
use queue::{Chunk, Job, Second, Unit};
use selfplay::fleet::protocol::{JobBody, Message as _, ProgramId, Recipe, Source};

use super::games;
use super::lab::Lab;

/// A test of a commit that nobody has built, made of one that is over.
fn to_build(lab: &Lab, test: &str) -> (Job, Chunk) {
    let body = lab.sql(&format!("select body from lab.jobs where id = '{test}'"));
    let mut body = JobBody::from_text(&body).expect("a body");
    let source = Source {
        name: "engine".to_owned(),
        url: "http://127.0.0.1:1/engine.git".to_owned(),
        commit: "0123456789abcdef0123456789abcdef01234567".to_owned(),
        recipe: Recipe {
            build: "make".to_owned(),
            artefact: "engine".to_owned(),
            ..Recipe::default()
        },
        bench: None,
    };
    let engines = body.config.engines.iter();
    let program = |name: &String| (name.clone(), ProgramId::Repository(source.clone()));
    body.programs = engines
        .map(|engine| program(&engine.name))
        .collect::<BTreeMap<_, _>>();
    let sql = "select bodies::json ->> 0 from lab.chunks where first = 0 and bodies is not null";
    let unit = Unit {
        key: 0,
        body: lab.sql(sql),
    };
    let job = Job {
        id: "to-build".to_owned(),
        kind: selfplay::fleet::protocol::KIND.to_owned(),
        body: body.to_text(),
        units: 1,
        second: Second::Ignore,
        again_every: NonZeroU64::new(1),
    };
    (job, Chunk { units: vec![unit] })
}

#[test]
#[ignore = "long: workers whose disk is full"]
fn builds_for_which_there_is_no_room_are_given_back() {
    let lab = Lab::calm(3, 0);
    let mut workers: Vec<_> = (0..3).map(|number| lab.worker_on_disk(number)).collect();
    let test = games::submit(&lab, &games::spec(&lab, TestKind::Match { rounds: 1 }));
    lab.wait("played", |lab| games::result(lab, &test).is_some());
    for (_, disk) in &workers {
        disk.fill();
    }
    let (job, chunk) = to_build(&lab, &test);
    lab.put(&job, vec![chunk]);
    // Nobody can do it; what comes after it is done all the same.
    let mut count = lab.count("4");
    let flagged = format!(
        "select reason from lab.jobs where id = '{}' and state = 'flagged'",
        job.id
    );
    lab.wait("flagged", |lab| !lab.sql(&flagged).is_empty());
    let reason = lab.sql(&flagged);
    assert!(reason.contains("No space left on device"), "{reason}");
    lab.wait("counted", |_| !count.is_running());
    let (text, code) = count.end();
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains(&kit::output::grouped(197_281_u64)), "{text}");
    for (worker, disk) in &mut workers {
        assert!(worker.is_running());
        disk.free();
    }
}
