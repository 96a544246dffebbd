//! Nobody chooses positions, and neither a burst nor one network certifies one.

use std::collections::BTreeSet;
use std::net::IpAddr;

use crowd::candidates::legal_texts;
use crowd::model::{Purpose, Timestamp};
use crowd::service::{BeginError, ContributorId, RecordError, Service, Settings, Wanted};
use crowd::trust::Caps;

use crate::common::{Base, NOON, add, assigned, finish, open_strict, person, plan};

const HOUR: i64 = 3_600_000;

fn later(hours: i64) -> Timestamp {
    Timestamp(NOON.0 + hours * HOUR)
}

/// A list of everything that is legal, by a new person, of the only position; a second per move.
async fn list(service: &Service, address: Option<&str>, now: Timestamp) -> ContributorId {
    let id = person(service, None).await;
    if let Some(address) = address {
        let address: IpAddr = address.parse().expect("an address");
        service.seen_from(id, address);
    }
    let task = service
        .begin(id, Wanted::Crowd(Purpose::Campaign, Some("one")), now)
        .await;
    let task = task.expect("a position");
    let position = chess::notation::fen::parse(&task.position.fen).expect("a FEN");
    let events = (1..).zip(legal_texts(&position));
    let events = events.map(|(seq, mv)| add(seq, &mv.to_string(), seq * 1000));
    finish(
        service,
        id,
        &task,
        events.collect(),
        Timestamp(now.0 + 60_000),
    )
    .await;
    id
}

/// A service with one position; three lists that agree are enough, within the caps.
async fn with_one(base: &Base, caps: Caps) -> Service {
    let settings = Settings {
        wrong_share: 0.04,
        error_bound: 0.05,
        caps,
        ..Settings::default()
    };
    let service = open_strict(&base.url, settings).await;
    let import = service.import(b"4k3/8/8/8/8/8/4P3/4K3 w - -\n", plan("one", false), NOON);
    import.await.expect("imported");
    service
}

async fn cases(service: &Service, now: Timestamp) -> usize {
    service.upkeep(now).await.expect("upkeep");
    service.test_cases().await.expect("cases").len()
}

#[tokio::test]
async fn skips_are_few_and_the_position_stays() {
    let base = Base::sqlite();
    let service = base.service(Settings::default()).await;
    let ada = person(&service, None).await;
    let mut seen = BTreeSet::new();
    for _ in 0..5 {
        let task = assigned(&service, ada, Purpose::Campaign, None).await;
        assert!(seen.insert(task.position.id), "seen before");
        service.skip(ada, &task.token, NOON).await.expect("skipped");
        service.skip(ada, &task.token, NOON).await.expect("once");
    }
    let task = assigned(&service, ada, Purpose::Campaign, None).await;
    let error = service.skip(ada, &task.token, NOON).await.unwrap_err();
    assert!(matches!(error, RecordError::TooManyLeft { most: 5 }));
    let again = assigned(&service, ada, Purpose::Campaign, None).await;
    assert_eq!(again.position.id, task.position.id);
    // A timed list that runs out is a draw without work, too.
    assigned(&service, ada, Purpose::Timed, None).await;
    let soon = Timestamp(NOON.0 + 200_000);
    service.upkeep(soon).await.expect("upkeep");
    let error = service
        .begin(ada, Wanted::Crowd(Purpose::Timed, None), soon)
        .await;
    assert!(matches!(
        error.unwrap_err(),
        BeginError::TooManyLeft { most: 5 }
    ));
    let next = service.skip(ada, &task.token, later(23)).await;
    assert!(next.is_err(), "not a day later");
    let next = service
        .begin(ada, Wanted::Crowd(Purpose::Timed, None), later(25))
        .await;
    assert!(!seen.contains(&next.expect("a position").position.id));
}

#[tokio::test]
async fn a_burst_waits_for_another_day() {
    let base = Base::sqlite();
    let caps = Caps {
        per_day: 2,
        per_network: 0,
    };
    let service = with_one(&base, caps).await;
    for _ in 0..6 {
        list(&service, None, NOON).await;
    }
    assert_eq!(cases(&service, later(1)).await, 0);
    list(&service, None, later(20)).await;
    assert_eq!(cases(&service, later(21)).await, 0);
    list(&service, None, later(25)).await;
    assert_eq!(cases(&service, later(26)).await, 1);
}

#[tokio::test]
async fn one_network_waits_for_another_and_is_forgotten() {
    let base = Base::sqlite();
    let caps = Caps {
        per_day: 0,
        per_network: 2,
    };
    let service = with_one(&base, caps).await;
    let mut first = None;
    for host in 1..=6 {
        let id = list(&service, Some(&format!("203.0.113.{host}")), NOON).await;
        first.get_or_insert(id);
    }
    let first = first.expect("there are six");
    let network = async || {
        let export = service.export_person(first).await.expect("an export");
        let text = export.expect("they are known").text();
        let read: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        read["lists"][0]["network"].clone()
    };
    assert_eq!(cases(&service, later(1)).await, 0);
    assert!(network().await.is_i64(), "it is kept while it is needed");
    // Addresses that are not of the internet are no network.
    list(&service, Some("10.0.0.1"), later(2)).await;
    assert_eq!(cases(&service, later(3)).await, 1);
    assert!(network().await.is_null(), "the position is closed");
}
