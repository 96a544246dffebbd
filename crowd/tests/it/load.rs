//! The load generator in small: everything works at once, and nothing is refused. How fast it is is measured elsewhere.

#[path = "../../examples/load/person.rs"]
mod person;
#[path = "../../examples/load/tally.rs"]
mod tally;

use std::time::Duration;

use person::{Person, Plan};
use tally::Tally;
use tokio::task::JoinSet;

use crate::common::web;
use crate::common::web::client;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: many people list at once"]
async fn many_people_list_at_once_and_no_request_fails() {
    let server = web::server().await;
    let mut people = JoinSet::new();
    for seed in 0..12 {
        let plan = Plan {
            arrive: Duration::ZERO,
            lists: 2,
            think_ms: 0,
            seed,
        };
        people.spawn(Person::new(server.addr, plan).work());
    }
    let mut all = Tally::default();
    while let Some(ended) = people.join_next().await {
        all.add(ended.expect("no panic"));
        server.upkeep().await;
    }
    assert!(all.errors.is_empty(), "{}", all.report(Duration::ZERO));
    let answered: usize = all.took.values().map(Vec::len).sum();
    assert!(answered > 12 * 2 * 3, "{}", all.report(Duration::ZERO));
    let counts = server.app.service.counts().await.expect("counts");
    assert_eq!((counts.contributors, counts.lists), (12, 24));
    assert_eq!(counts.open_lists, 0);
}
