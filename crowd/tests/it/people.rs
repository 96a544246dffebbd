//! What people come back to: their campaign, their lists, partners who are there, their account.

use std::time::Duration;

use crowd::model::{ListEvent, Purpose, Timestamp};
use crowd::service::{
    ContributorId, List, ListOutcome, ListResult, NamingError, Partner, Phrase, Service, Settings,
    TokenError, Wanted,
};

use crate::common::{Base, NOON, add, assigned, finish, open_strict, person, plan, points};

const LONE_PAWN: &[u8] = b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n";
/// All its legal moves.
const ALL: [&str; 6] = ["e1d1", "e1d2", "e1f1", "e1f2", "e2e3", "e2e4"];

fn after(seconds: u64) -> Timestamp {
    NOON.after(Duration::from_secs(seconds))
}

/// These moves, one every `gap_ms` by the contributor's clock.
fn adds(moves: &[&str], gap_ms: u32) -> Vec<ListEvent> {
    let moves = (1..).zip(moves);
    moves.map(|(seq, mv)| add(seq, mv, seq * gap_ms)).collect()
}

async fn with_pawn(service: &Service, gold: bool) {
    let imported = service.import(LONE_PAWN, plan("pawn", gold), NOON).await;
    imported.expect("imported");
}

#[tokio::test]
async fn every_campaign_has_a_list_of_its_own_in_each_mode() {
    let base = Base::sqlite();
    let service = base.service(Settings::default()).await;
    with_pawn(&service, false).await;
    let ada = person(&service, Some("Ada")).await;
    let any = assigned(&service, ada, Purpose::Campaign, None).await;
    let pawn = assigned(&service, ada, Purpose::Campaign, "pawn").await;
    assert_ne!(any.token, pawn.token);
    assert_eq!(pawn.campaign.as_deref(), Some("pawn"));
    for (campaign, given) in [(None, &any), (Some("pawn"), &pawn)] {
        let again = assigned(&service, ada, Purpose::Campaign, campaign).await;
        assert!(again.again && again.token == given.token, "{campaign:?}");
    }
}

#[tokio::test]
async fn who_has_left_is_not_joined_until_they_come_back() {
    let base = Base::sqlite();
    let service = base.service(Settings::default()).await;
    let mut people = Vec::new();
    for name in ["Ada", "Bob", "Cleo", "Dan"] {
        people.push(person(&service, Some(name)).await);
    }
    let pair = |id: ContributorId, now| {
        let service = service.clone();
        async move {
            let given = service
                .begin(id, Wanted::Crowd(Purpose::Pair, None), now)
                .await;
            given.expect("a position")
        }
    };
    let ghost = pair(people[0], NOON).await;
    let half_an_hour = after(35 * 60);
    let bob = pair(people[1], half_an_hour).await;
    assert_eq!(bob.partner, Some(Partner::Waiting));
    let cleo = pair(people[2], half_an_hour).await;
    assert_eq!(cleo.partner, Some(Partner::Joined));
    assert_eq!(cleo.position.id, bob.position.id);
    // Bob closes the page; Ada opens hers again.
    let later = half_an_hour.after(Duration::from_mins(1));
    let state = service.list(people[2], &cleo.token, later).await;
    let partner = state.expect("it is theirs").partner;
    assert_eq!(partner, Some(Partner::Away));
    let back = service.list(people[0], &ghost.token, later).await;
    back.expect("it is theirs");
    let dan = pair(people[3], later).await;
    assert_eq!(dan.position.id, ghost.position.id);
    assert_eq!(dan.partner, Some(Partner::Joined));
}

/// A list of the lone pawn that ends so long after the assignment.
async fn listed_in(
    service: &Service,
    id: ContributorId,
    took: Duration,
    gap_ms: u32,
) -> (List, ListResult) {
    let given = assigned(service, id, Purpose::Campaign, "pawn").await;
    let events = adds(&ALL, gap_ms);
    let done = finish(service, id, &given, events, NOON.after(took)).await;
    (given, done)
}

#[tokio::test]
async fn a_list_faster_than_hands_waits_for_a_moderator() {
    let base = Base::sqlite();
    let service = open_strict(&base.url, Settings::default()).await;
    with_pawn(&service, true).await;
    let ms = Duration::from_millis;
    for (name, took, gap_ms, is_held) in [
        ("At once", ms(1), 1, true),
        ("By the server's clock", ms(1499), 2000, true),
        ("By their own clock", ms(60_000), 249, true),
        ("By hand", ms(1500), 250, false),
    ] {
        let id = person(&service, Some(name)).await;
        let (given, _) = listed_in(&service, id, took, gap_ms).await;
        service.upkeep(after(60)).await.expect("upkeep");
        let result = service
            .result(id, &given.token, NOON)
            .await
            .expect("a result");
        let page = service.position_page(given.position.id, Some(id)).await;
        let is_shown = page.expect("a page").is_some();
        assert_eq!(
            result.state == ListOutcome::Held,
            is_held,
            "{name}: {result:?}"
        );
        assert_eq!(is_shown, !is_held, "{name}");
        assert_eq!(points(&service, id).await == 0, is_held, "{name}");
    }
    let held = service.held_lists().await.expect("lists");
    assert_eq!(held.len(), 3);
    assert_eq!((held[2].moves, held[2].row.took_ms()), (6, 1));
    let row = &held[2].row;
    let (list, owner) = (row.id, ContributorId(row.contributor_id));
    assert!(
        service
            .allow_list(list, "ada", NOON)
            .await
            .expect("allowed")
    );
    assert!(!service.allow_list(list, "ada", NOON).await.expect("once"));
    service.upkeep(after(120)).await.expect("upkeep");
    assert!(points(&service, owner).await > 0);
    service.quarantine(owner, true).await.expect("quarantined");
    assert_eq!(service.held_lists().await.expect("lists").len(), 2);
}

#[tokio::test]
async fn held_lists_are_no_evidence() {
    let base = Base::sqlite();
    let trusting = Settings {
        wrong_share: 0.04,
        error_bound: 0.05,
        ..Settings::default()
    };
    let service = open_strict(&base.url, trusting).await;
    with_pawn(&service, false).await;
    for number in 0..4 {
        let id = person(&service, Some(&format!("Quick {number}"))).await;
        listed_in(&service, id, Duration::from_millis(1), 1).await;
    }
    service.upkeep(after(60)).await.expect("upkeep");
    assert!(service.test_cases().await.expect("cases").is_empty());
    for held in service.held_lists().await.expect("lists") {
        assert!(
            service
                .allow_list(held.row.id, "ada", NOON)
                .await
                .expect("allowed")
        );
    }
    service.upkeep(after(120)).await.expect("upkeep");
    assert_eq!(service.test_cases().await.expect("cases").len(), 1);
}

#[tokio::test]
async fn no_two_people_have_one_name() {
    let base = Base::sqlite();
    let service = base.service(Settings::default()).await;
    let ada = person(&service, Some("Ada Ä")).await;
    let name = |text: &str| Some(text.parse().expect("a name"));
    let entered = service.enter(name("ADA  ä"), NOON).await;
    assert!(matches!(entered, Err(NamingError::Taken(_))), "{entered:?}");
    let bob = person(&service, Some("Bob")).await;
    let renamed = service.rename(bob, name("ada ä")).await;
    assert!(matches!(renamed, Err(NamingError::Taken(_))), "{renamed:?}");
    service.rename(ada, name("ada ä")).await.expect("their own");
    service.rename(ada, None).await.expect("anonymous");
    service
        .rename(bob, name("Ada ä"))
        .await
        .expect("it is free");
    let standing = service.standing(bob, NOON).await.expect("a standing");
    assert_eq!(standing.name.as_deref(), Some("Ada ä"));
}

#[tokio::test]
async fn a_phrase_makes_the_same_person_elsewhere() {
    let base = Base::sqlite();
    let service = base.service(Settings::default()).await;
    let ada = person(&service, Some("Ada")).await;
    let first = service.new_phrase(ada).await.expect("a phrase");
    let second = service.new_phrase(ada).await.expect("a phrase");
    assert!(
        service
            .recover(&first, NOON)
            .await
            .expect("asked")
            .is_none()
    );
    let typed: Phrase = second.to_string().to_uppercase().parse().expect("a phrase");
    let found = service.recover(&typed, NOON).await.expect("asked");
    let (known, token) = found.expect("it is theirs");
    assert_eq!(known.id, ada);
    let there = service.contributor(&token).await.expect("asked");
    assert_eq!(there.map(|one| one.id), Some(ada));
    service.leave(&token).await.expect("left");
    assert!(service.contributor(&token).await.expect("asked").is_none());
}

#[tokio::test]
async fn a_closed_position_is_news_until_it_is_seen() {
    let base = Base::sqlite();
    let service = base.service(Settings::default()).await;
    with_pawn(&service, false).await;
    let ada = person(&service, Some("Ada")).await;
    let given = assigned(&service, ada, Purpose::Campaign, "pawn").await;
    finish(&service, ada, &given, adds(&ALL, 1000), after(60)).await;
    let outcome = |service: Service| async move {
        let lists = service.lists(ada, None).await.expect("lists");
        let news = service.standing(ada, NOON).await.expect("a standing").news;
        (lists[0].state, lists[0].is_news, news)
    };
    assert_eq!(
        outcome(service.clone()).await,
        (ListOutcome::Waiting, false, 0)
    );
    service
        .retire(given.position.id, "ada", after(120))
        .await
        .expect("retired");
    assert_eq!(
        outcome(service.clone()).await,
        (ListOutcome::Closed, true, 1)
    );
    service.results_seen(ada, after(180)).await.expect("noted");
    assert_eq!(
        outcome(service.clone()).await,
        (ListOutcome::Closed, false, 0)
    );
    let older = service.lists(ada, Some(i64::MIN)).await.expect("lists");
    assert!(older.is_empty());
}

#[tokio::test]
async fn a_person_is_exported_and_deleted_on_sqlite() {
    exported_and_deleted(Base::sqlite()).await;
}

#[tokio::test]
async fn a_person_is_exported_and_deleted_on_postgres() {
    exported_and_deleted(Base::postgres().await).await;
}

async fn exported_and_deleted(base: Base) {
    let service = base.service(Settings::default()).await;
    with_pawn(&service, true).await;
    let ada = person(&service, Some("Ada")).await;
    let bob = person(&service, Some("Bob")).await;
    let phrase = service.new_phrase(ada).await.expect("a phrase");
    let taken = service.rename(bob, Some("ada".parse().expect("a name")));
    assert!(matches!(taken.await, Err(NamingError::Taken(_))));
    service.rename(bob, None).await.expect("anonymous");
    let gold = assigned(&service, ada, Purpose::Campaign, "pawn").await;
    finish(&service, ada, &gold, adds(&ALL, 1), NOON).await;
    let other = assigned(&service, bob, Purpose::Campaign, "pawn").await;
    finish(&service, bob, &other, adds(&ALL, 1), NOON).await;
    // One pair that Ada began, and one that she joined.
    let began = assigned(&service, ada, Purpose::Pair, None).await;
    let joined = assigned(&service, bob, Purpose::Pair, None).await;
    assert_eq!(joined.partner, Some(Partner::Joined));
    service.upkeep(NOON).await.expect("upkeep");

    let export = service.export_person(ada).await.expect("asked");
    let text = export.expect("there is Ada").text();
    let export: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(export["schema"], "touchstone/crowd-person/1");
    assert_eq!(export["name"], "Ada");
    let lists = export["lists"].as_array().expect("lists");
    assert_eq!(lists.len(), 2, "{text}");
    assert_eq!(lists[0]["moves"].as_array().map(Vec::len), Some(6));
    assert_eq!(lists[0]["events"].as_array().map(Vec::len), Some(6));
    assert_eq!(lists[0]["points"][0]["kind"], "gold");
    assert!(!text.contains(gold.token.as_str()), "a token is a secret");

    let own = service.lists(ada, None).await.expect("lists");
    let outcomes: Vec<ListOutcome> = own.iter().map(|list| list.state).collect();
    assert_eq!(outcomes, [ListOutcome::Open, ListOutcome::Known]);
    let counts = (own[1].points, own[1].right, own[1].of);
    assert_eq!(counts, (points(&service, ada).await, 6, 6));
    assert_eq!(service.held_lists().await.expect("lists"), []);
    assert!(
        !service
            .allow_list(1, "ada", NOON)
            .await
            .expect("it is not held")
    );
    assert_eq!(service.forget_idle(NOON).await.expect("nobody"), 0);
    let elsewhere = service.recover(&phrase, NOON).await.expect("asked");
    assert!(elsewhere.is_some());

    assert!(service.delete_person(ada).await.expect("deleted"));
    assert!(!service.delete_person(ada).await.expect("once"));
    assert!(service.export_person(ada).await.expect("asked").is_none());
    let state = service.list(ada, &began.token, NOON).await;
    assert!(matches!(state, Err(TokenError::Unknown)), "{state:?}");
    let state = service.list(bob, &joined.token, NOON).await;
    let partner = state.expect("it is theirs").partner;
    assert_eq!(partner, Some(Partner::Waiting));
    let cleo = person(&service, Some("Cleo")).await;
    let next = assigned(&service, cleo, Purpose::Pair, None).await;
    assert_eq!(next.position.id, joined.position.id);
    service.upkeep(after(60)).await.expect("upkeep");
    assert_eq!(service.counts().await.expect("counts").contributors, 2);
    let ada = person(&service, Some("Ada")).await;
    assert_eq!(points(&service, ada).await, 0);
}

#[tokio::test]
async fn who_never_began_is_forgotten_and_sessions_end() {
    let base = Base::sqlite();
    let service = base.service(Settings::default()).await;
    with_pawn(&service, false).await;
    let day = 24 * 3600;
    let enter = |name: &str| {
        let name = name.parse().expect("a name");
        let service = service.clone();
        async move { service.enter(Some(name), NOON).await.expect("entered") }
    };
    let (_, idle) = enter("Idle").await;
    let (phrased, _) = enter("With a phrase").await;
    service.new_phrase(phrased).await.expect("a phrase");
    let (ada, session) = enter("Ada").await;
    assigned(&service, ada, Purpose::Campaign, "pawn").await;
    let forgotten = async |days: u64| {
        let done = service.forget_idle(after(days * day)).await;
        done.expect("cleaned up")
    };
    let is_known = async |token| service.contributor(token).await.expect("asked").is_some();
    assert_eq!(forgotten(29).await, 0);
    assert!(is_known(&idle).await);
    assert_eq!(forgotten(31).await, 1);
    assert!(!is_known(&idle).await && is_known(&session).await);
    assert_eq!(forgotten(366).await, 0);
    assert!(!is_known(&session).await);
    assert_eq!(service.counts().await.expect("counts").contributors, 2);
}
