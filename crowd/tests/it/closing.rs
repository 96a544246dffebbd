//! How lists and positions are closed, and what that means for points and labels.

use crate::common::{Base, NOON, VOUCHED, add, assigned, person, plan, points, vouch};
use crowd::model::{ListEvent, Purpose, Timestamp};
use crowd::service::{
    Act, ContributorId, List, ListOutcome, ListResult, ModerateError, PositionOverview,
    PositionState, QueueItem, QueueState, RecordError, Resolution, Ruling, Service, Settings,
};
use sea_orm::{ConnectionTrait as _, Database};

/// A position of a campaign of its own: White has neither check nor castling to think of.
const FEN: &str = "r3k2r/pp4pp/8/8/8/8/PP4PP/RN2K1R1 w Qkq - 0 1";
const CAMPAIGN: &str = "one";

fn after(ms: i64) -> Timestamp {
    Timestamp(NOON.0 + ms)
}

/// A service with the position, and the database that it must not outlive.
async fn service() -> (Base, Service) {
    let base = Base::sqlite();
    let service = base.service(Settings::default()).await;
    let added = service.import(FEN.as_bytes(), plan(CAMPAIGN, false), NOON);
    assert_eq!(added.await.expect("imported").added, 1);
    (base, service)
}

/// A new person, who gets the position in this mode.
async fn joined(service: &Service, purpose: Purpose) -> (ContributorId, List) {
    let id = person(service, None).await;
    (id, assigned(service, id, purpose, CAMPAIGN).await)
}

fn legal() -> Vec<String> {
    let position = chess::notation::fen::parse(FEN).expect("a FEN");
    let legal = crowd::candidates::legal_texts(&position);
    legal.into_iter().map(|mv| mv.to_string()).collect()
}

fn adds(moves: &[String], at_ms: u32) -> Vec<ListEvent> {
    let moves = (1..).zip(moves);
    moves.map(|(seq, mv)| add(seq, mv, at_ms)).collect()
}

/// Finishes a list with these moves.
async fn finish(
    service: &Service,
    id: ContributorId,
    task: &List,
    moves: &[String],
    now: Timestamp,
) {
    crate::common::finish(service, id, task, adds(moves, 500), now).await;
}

/// So many people for whom gold vouches list these moves.
async fn crowd(service: &Service, people: usize, moves: &[String]) -> Vec<(ContributorId, List)> {
    let mut tasks = Vec::new();
    for _ in 0..people {
        let (id, task) = joined(service, Purpose::Campaign).await;
        vouch(service, id).await;
        finish(service, id, &task, moves, NOON).await;
        tasks.push((id, task));
    }
    tasks
}

async fn overview(service: &Service) -> PositionOverview {
    let all = service.positions_overview().await.expect("an overview");
    let mut of_campaign = all.into_iter().filter(|one| one.campaign == CAMPAIGN);
    of_campaign.next().expect("the position")
}

async fn item(service: &Service) -> QueueItem {
    let queue = service.queue().await.expect("the queue");
    queue.into_iter().next().expect("an item")
}

async fn decide(service: &Service, item: &QueueItem, resolution: Resolution) {
    let ruling = Ruling {
        resolution,
        note: "",
        by: "ada",
    };
    let decided = service.resolve(item.id, &ruling, NOON).await;
    decided.expect("decided");
}

async fn result(service: &Service, id: ContributorId, task: &List) -> ListResult {
    let result = service.result(id, &task.token, NOON).await;
    result.expect("a result")
}

#[tokio::test]
async fn a_timed_list_that_the_clock_ends_is_no_whole_list() {
    for (at_ms, finished, whole) in [
        (500, 60_000, 1),
        (500, 90_200, 0),
        (90_000, 60_000, 0),
        (89_000, 89_000, 0),
    ] {
        let (_base, service) = service().await;
        let (id, task) = joined(&service, Purpose::Timed).await;
        let events = adds(&legal()[..2], at_ms);
        let done = service.finish(id, &task.token, events, 2, after(finished));
        assert_eq!(done.await.expect("finished").moves, 2);
        service.upkeep(after(120_000)).await.expect("upkeep");
        let lists = overview(&service).await.lists;
        assert_eq!(lists, whole, "moves at {at_ms}, finished at {finished}");
    }
}

#[tokio::test]
async fn who_finishes_when_the_position_is_closed_gets_nothing() {
    let (_base, service) = service().await;
    let (slow, theirs) = joined(&service, Purpose::Campaign).await;
    let in_time = crowd(&service, 6, &legal()).await;
    service.upkeep(after(1000)).await.expect("upkeep");
    let position = overview(&service).await;
    assert_eq!(position.state, PositionState::Agreed);
    finish(&service, slow, &theirs, &legal(), after(2000)).await;
    service.upkeep(after(3000)).await.expect("upkeep");
    let late = result(&service, slow, &theirs).await;
    assert_eq!((late.points, late.late), (0, true));
    let score = late.score.expect("it is known");
    assert_eq!(score.found.len(), legal().len());
    assert_eq!(points(&service, slow).await, 0);
    let (first, task) = &in_time[0];
    let paid = result(&service, *first, task).await;
    assert!(paid.points > 0 && !paid.late);
    assert_eq!(overview(&service).await.lists, position.lists);
}

#[tokio::test]
async fn where_the_crowd_is_right_its_answer_is_shown_and_paid() {
    let (_base, service) = service().await;
    // Nobody lists one of the king's steps.
    let listed: Vec<String> = legal().into_iter().filter(|mv| mv != "e1f2").collect();
    assert_eq!(listed.len() + 1, legal().len());
    let tasks = crowd(&service, 8, &listed).await;
    service.upkeep(NOON).await.expect("upkeep");
    let item = item(&service).await;
    assert_eq!(item.moves.len(), 1);
    decide(&service, &item, Resolution::CrowdIsRight).await;
    assert_eq!(overview(&service).await.state, PositionState::Retired);
    let (id, task) = &tasks[0];
    let result = result(&service, *id, task).await;
    let score = result.score.expect("it is retired");
    assert!(result.points > 0 && score.missed.is_empty() && score.wrong.is_empty());
    let page = service.position_page(item.position_id, None).await;
    let page = page.expect("asked").expect("a page");
    assert_eq!(page.moves.len(), listed.len());
}

#[tokio::test]
async fn a_reversed_decision_takes_its_points_and_its_answer_back() {
    let (_base, service) = service().await;
    let listed: Vec<String> = legal().into_iter().filter(|mv| mv != "e1f2").collect();
    let (slow, theirs) = joined(&service, Purpose::Campaign).await;
    let tasks = crowd(&service, 8, &listed).await;
    service.upkeep(NOON).await.expect("upkeep");
    let first = item(&service).await;
    decide(&service, &first, Resolution::CrowdIsRight).await;
    service.upkeep(NOON).await.expect("upkeep");
    let (id, task) = &tasks[0];
    let by_the_crowd = points(&service, *id).await;
    assert!(by_the_crowd > VOUCHED);
    // This list is finished while the answer is public.
    finish(&service, slow, &theirs, &listed, after(1)).await;
    service
        .reverse(first.id, "ben", after(2))
        .await
        .expect("reversed");
    assert_eq!(points(&service, *id).await, VOUCHED);
    let state = result(&service, *id, task).await.state;
    assert_eq!(state, ListOutcome::Waiting);
    let page = service.position_page(first.position_id, None).await;
    assert_eq!(page.expect("asked"), None);
    assert_eq!(overview(&service).await.state, PositionState::Disputed);
    let queue = service.queue().await.expect("the queue");
    let [second, reversed, ..] = &queue[..] else {
        panic!("the item is kept, and its position waits again")
    };
    assert_eq!(second.moves, first.moves);
    assert_eq!(reversed.state, QueueState::Reversed);
    let who = [&reversed.decided_by, &reversed.reversed_by];
    assert_eq!(who, [&Some("ada".to_owned()), &Some("ben".to_owned())]);
    let again = service.reverse(first.id, "ben", after(3)).await;
    assert!(
        matches!(again, Err(ModerateError::NotDecided(_))),
        "{again:?}"
    );
    let ruling = Ruling {
        resolution: Resolution::GeneratorIsRight,
        note: "",
        by: "ben",
    };
    let decided = service.resolve(second.id, &ruling, after(4));
    decided.await.expect("decided");
    service.upkeep(after(5)).await.expect("upkeep");
    let by_the_rules = points(&service, *id).await;
    assert!(VOUCHED < by_the_rules && by_the_rules < by_the_crowd);
    let late = result(&service, slow, &theirs).await;
    assert!(late.late && late.state == ListOutcome::Known, "{late:?}");
    assert_eq!(points(&service, slow).await, 0);
    let acts: Vec<Act> = service
        .deeds()
        .await
        .expect("a log")
        .iter()
        .map(|deed| deed.act)
        .collect();
    assert_eq!(acts, [Act::Decide, Act::Reverse, Act::Decide]);
}

#[tokio::test]
async fn a_test_case_goes_with_the_question_that_led_to_it() {
    let (_base, service) = service().await;
    torn(&service, 12).await;
    let first = item(&service).await;
    decide(&service, &first, Resolution::AskAgain).await;
    for _ in 0..12 {
        let (id, task) = joined(&service, Purpose::Campaign).await;
        finish(&service, id, &task, &legal(), after(1)).await;
    }
    service.upkeep(after(1)).await.expect("upkeep");
    assert_eq!(overview(&service).await.state, PositionState::Agreed);
    service
        .reverse(first.id, "ben", after(2))
        .await
        .expect("reversed");
    assert_eq!(overview(&service).await.state, PositionState::Disputed);
    assert!(service.test_cases().await.expect("cases").is_empty());
    // It waits for a moderator, though the lists alone would settle it again.
    service.upkeep(after(3)).await.expect("upkeep");
    assert_eq!(overview(&service).await.state, PositionState::Disputed);
}

#[tokio::test]
async fn a_position_disputed_by_lists_that_no_longer_count_comes_back() {
    let (_base, service) = service().await;
    let tasks = torn(&service, 12).await;
    assert_eq!(overview(&service).await.state, PositionState::Disputed);
    for (id, _) in &tasks[6..] {
        service.quarantine(*id, true).await.expect("quarantined");
    }
    service.upkeep(after(1)).await.expect("upkeep");
    assert!(service.queue().await.expect("the queue").is_empty());
    assert_eq!(overview(&service).await.state, PositionState::Open);
}

/// Half list everything, half leave out one step of the king, so that it does not settle.
async fn torn(service: &Service, people: usize) -> Vec<(ContributorId, List)> {
    let (with, without) = (legal(), legal());
    let without: Vec<String> = without.into_iter().filter(|mv| mv != "e1f2").collect();
    let mut tasks = crowd(service, people / 2, &with).await;
    tasks.extend(crowd(service, people - people / 2, &without).await);
    service.upkeep(NOON).await.expect("upkeep");
    tasks
}

#[tokio::test]
async fn what_many_lists_do_not_settle_goes_to_a_moderator() {
    let (_base, service) = service().await;
    let tasks = torn(&service, 12).await;
    assert_eq!(overview(&service).await.state, PositionState::Disputed);
    let item = item(&service).await;
    assert_eq!(item.moves[0].mv.as_str(), "e1f2");
    assert!(item.moves[0].explanation.contains("6 say yes and 6 say no"));
    decide(&service, &item, Resolution::Retire).await;
    service.upkeep(NOON).await.expect("upkeep");
    let (id, task) = &tasks[0];
    let result = result(&service, *id, task).await;
    assert_eq!((result.state, result.points), (ListOutcome::Closed, 0));
    assert_eq!(points(&service, *id).await, VOUCHED);
}

#[tokio::test]
async fn an_open_position_is_retired_by_hand() {
    let (_base, service) = service().await;
    let tasks = crowd(&service, 1, &legal()).await;
    let position = overview(&service).await;
    service
        .retire(position.id, "ada", NOON)
        .await
        .expect("retired");
    for scored in [1, 0] {
        let report = service.upkeep(NOON).await.expect("the database answers");
        assert_eq!(report.scored, scored, "a list is looked at once");
    }
    let (id, task) = &tasks[0];
    let result = result(&service, *id, task).await;
    assert_eq!((result.state, result.points), (ListOutcome::Closed, 0));
    let again = service.retire(position.id, "ada", NOON).await;
    assert!(matches!(again, Err(ModerateError::NotOpen(_))), "{again:?}");
    let unknown = service.retire(9876, "ada", NOON).await;
    assert!(
        matches!(unknown, Err(ModerateError::NoPosition(_))),
        "{unknown:?}"
    );
    let page = service.position_page(position.id, None).await;
    assert_eq!(page.expect("asked"), None);
    let closed = item(&service).await;
    service
        .reverse(closed.id, "ada", NOON)
        .await
        .expect("reversed");
    assert_eq!(overview(&service).await.state, PositionState::Open);
    let queue = service.queue().await.expect("the queue");
    assert_eq!(queue.len(), 1, "nothing waits");
}

#[tokio::test]
async fn upkeep_pays_a_pair_that_was_not_paid() {
    let (base, service) = service().await;
    let people = [
        joined(&service, Purpose::Pair).await,
        joined(&service, Purpose::Pair).await,
    ];
    for (id, task) in &people {
        finish(&service, *id, task, &legal(), NOON).await;
    }
    let paid = points(&service, people[0].0).await;
    assert!(paid > 0);
    // As if the server had ended between the closing and the points.
    let database = Database::connect(&base.url).await.expect("the database");
    let lost = database.execute_unprepared("DELETE FROM award WHERE kind = 'pair'");
    assert_eq!(lost.await.expect("deleted").rows_affected(), 2);
    for _ in 0..2 {
        service.upkeep(NOON).await.expect("upkeep");
        for (id, _) in &people {
            assert_eq!(points(&service, *id).await, paid);
        }
    }
}

#[tokio::test]
async fn the_greatest_number_is_refused() {
    let (_base, service) = service().await;
    let (id, task) = joined(&service, Purpose::Campaign).await;
    let mut events = adds(&legal()[..1], 500);
    events[0].seq = u32::MAX;
    let kept = service.record(id, &task.token, events, NOON).await;
    assert!(matches!(kept, Err(RecordError::TooMany { .. })), "{kept:?}");
}
