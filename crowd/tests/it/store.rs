//! The same scenarios on `SQLite` and on `PostgreSQL`.

use crate::common::{Base, NOON, assigned, finish, person, plan, points};
use crowd::model::{ListEvent, MoveText, Purpose, Timestamp};
use crowd::service::{
    BeginError, ContributorId, ImportError, ImportPlan, List, ListOutcome, ListToken,
    ModerateError, Partner, Period, PositionState, Progress, QueueState, RecordError, Resolution,
    Ruling, Service, Settings, TokenError, Wanted,
};
use crowd::store::Store;

macro_rules! on_both {
    ($($scenario:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $scenario() {
                super::$scenario(super::Base::sqlite()).await;
            })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $scenario() {
                super::$scenario(super::Base::postgres().await).await;
            })+
        }
    };
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_are_made_once_on_sqlite() {
    opened_at_once(Base::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_are_made_once_on_postgres() {
    opened_at_once(Base::empty_postgres().await).await;
}

on_both!(
    a_list_from_first_to_last,
    requests_of_one_person_at_once,
    two_people_join_one,
    pairs_that_do_not_fit_are_in_nobodys_way,
    another_program_imports,
    finished_twice_at_once,
    time_runs_out,
    nobody_gets_anothers,
    import_and_again,
    the_crowd_agrees,
    a_shared_error_goes_to_the_queue,
);

/// These moves, added one after another.
fn adds<T: AsRef<str>>(moves: impl IntoIterator<Item = T>) -> Vec<ListEvent> {
    let moves = (1..).zip(moves);
    moves.map(|(seq, mv)| add(seq, mv.as_ref())).collect()
}

fn add(seq: u32, mv: &str) -> ListEvent {
    crate::common::add(seq, mv, seq * 1000)
}

async fn state(service: &Service, id: ContributorId, token: &ListToken) -> List {
    let state = service.list(id, token, NOON).await;
    state.expect("it is theirs")
}

/// Programs that find no tables yet, a server and an import for example.
async fn opened_at_once(base: Base) {
    let opening: Vec<_> = (0..4)
        .map(|_| {
            let url = base.url.clone();
            tokio::spawn(async move { Store::open(&url).await.map(drop) })
        })
        .collect();
    for opened in opening {
        opened.await.expect("no panic").expect("opened");
    }
}

async fn a_list_from_first_to_last(base: Base) {
    let service = base.service(Settings::default()).await;
    let ada = person(&service, Some("Ada")).await;
    let given = assigned(&service, ada, Purpose::Campaign, None).await;
    assert!(!given.again);
    let again = assigned(&service, ada, Purpose::Campaign, None).await;
    assert!(again.again);
    assert_eq!(again.token, given.token);
    let token = &given.token;
    let own = own_moves(&given.position.fen);
    let events = adds(&own);
    let kept = service.record(ada, token, events[..2].to_vec(), NOON).await;
    assert_eq!(kept.expect("kept"), 2);
    let kept = service.record(ada, token, events[..2].to_vec(), NOON).await;
    assert_eq!(kept.expect("kept before"), 2);
    let gap = service
        .record(ada, token, events[3..4].to_vec(), NOON)
        .await;
    assert!(
        matches!(gap, Err(RecordError::Gap { expected: 3 })),
        "{gap:?}"
    );
    let other = vec![add(2, &own[3])];
    let conflict = service.record(ada, token, other, NOON).await;
    assert!(
        matches!(conflict, Err(RecordError::Conflict { seq: 2 })),
        "{conflict:?}"
    );
    for _ in 0..2 {
        let done = service
            .finish(ada, token, events[1..4].to_vec(), 4, NOON)
            .await;
        assert_eq!(done.expect("finished").moves, 4);
    }
    let late = service
        .record(ada, token, vec![add(5, &own[0])], NOON)
        .await;
    assert!(matches!(late, Err(RecordError::Frozen)), "{late:?}");
    let state = state(&service, ada, token).await;
    assert_eq!(state.events, events[..4]);
}

/// Moves of own pieces, of which at least the first four are of the candidates.
fn own_moves(fen: &str) -> Vec<String> {
    let position = chess::notation::fen::parse(fen).expect("a FEN");
    let moves = crowd::candidates::candidates(&position);
    moves.iter().map(|one| one.text.to_string()).collect()
}

async fn requests_of_one_person_at_once(base: Base) {
    let service = base.service(Settings::default()).await;
    let ada = person(&service, Some("Ada")).await;
    let tasks: Vec<_> = (0..16)
        .map(|_| {
            let service = service.clone();
            tokio::spawn(async move {
                service
                    .begin(ada, Wanted::Crowd(Purpose::Campaign, None), NOON)
                    .await
            })
        })
        .collect();
    let mut tokens = Vec::new();
    for task in tasks {
        let given = task.await.expect("no panic").expect("a position");
        tokens.push(given.token.as_str().to_owned());
    }
    tokens.dedup();
    assert_eq!(tokens.len(), 1);
    let token = tokens[0].parse().expect("a token");
    let given = state(&service, ada, &token).await;
    let own = own_moves(&given.position.fen);
    let events = adds(&own[..10]);
    let tasks: Vec<_> = (0..16)
        .map(|n| {
            let (service, token) = (service.clone(), token.clone());
            let mine = events[..=n % 10].to_vec();
            tokio::spawn(async move { service.record(ada, &token, mine, NOON).await })
        })
        .collect();
    for (n, task) in tasks.into_iter().enumerate() {
        let kept = task.await.expect("no panic").expect("kept");
        assert_eq!(kept as usize, n % 10 + 1);
    }
    let state = state(&service, ada, &token).await;
    assert_eq!(state.events, events);
}

async fn two_people_join_one(base: Base) {
    let service = base.service(Settings::default()).await;
    let first = person(&service, Some("First")).await;
    let waiting = assigned(&service, first, Purpose::Pair, None).await;
    assert_eq!(waiting.partner, Some(Partner::Waiting));
    let mut tasks = Vec::new();
    for n in 0..2 {
        let id = person(&service, Some(&format!("Other {n}"))).await;
        let service = service.clone();
        let assigned = async move {
            (
                id,
                service
                    .begin(id, Wanted::Crowd(Purpose::Pair, None), NOON)
                    .await,
            )
        };
        tasks.push(tokio::spawn(assigned));
    }
    let mut joined = Vec::new();
    for task in tasks {
        let (id, given) = task.await.expect("no panic");
        let given = given.expect("a position");
        if given.position.id == waiting.position.id && given.partner != Some(Partner::Waiting) {
            joined.push((id, given));
        }
    }
    assert_eq!(joined.len(), 1, "one of them joins, and only one");
    let (second, theirs) = joined.remove(0);
    let own = own_moves(&theirs.position.fen);
    let list = |count: usize| adds(&own[..count]);
    let done = finish(&service, first, &waiting, list(4), NOON).await;
    assert_eq!(done.agreement, None);
    let done = finish(&service, second, &theirs, list(3), NOON).await;
    let agreement = done.agreement.expect("both have finished");
    assert_eq!((agreement.both, agreement.one, agreement.points), (3, 1, 2));
    let again = finish(&service, first, &waiting, list(4), NOON).await;
    assert_eq!(again.agreement, Some(agreement));
    for id in [first, second] {
        assert_eq!(points(&service, id).await, 2);
    }
}

/// Makes a person wait at every position of a campaign.
async fn wait_everywhere(service: &Service, id: ContributorId, campaign: &str) -> usize {
    let mut waiting = 0;
    while let Ok(given) = service
        .begin(id, Wanted::Crowd(Purpose::Pair, Some(campaign)), NOON)
        .await
    {
        let list = vec![add(1, &own_moves(&given.position.fen)[0])];
        finish(service, id, &given, list, NOON).await;
        waiting += 1;
    }
    waiting
}

async fn pairs_that_do_not_fit_are_in_nobodys_way(base: Base) {
    let service = base.service(Settings::default()).await;
    let text = b"4k3/8/8/8/8/8/8/4K2R w K - 0 1\n";
    service.import(text, ENDS, NOON).await.expect("imported");
    let ada = person(&service, Some("Ada")).await;
    let more_than_looked_at = wait_everywhere(&service, ada, "thesis").await;
    assert!(more_than_looked_at > 20, "{more_than_looked_at}");
    assert_eq!(wait_everywhere(&service, ada, "ends").await, 1);
    let bob = person(&service, Some("Bob")).await;
    let given = service
        .begin(bob, Wanted::Crowd(Purpose::Pair, Some("ends")), NOON)
        .await;
    let partner = given.expect("a position").partner;
    assert!(
        partner.is_some() && partner != Some(Partner::Waiting),
        "{partner:?}"
    );
}

async fn another_program_imports(base: Base) {
    let service = base.service(Settings::default()).await;
    service.upkeep(NOON).await.expect("upkeep");
    let other = base.service(Settings::default()).await;
    let text = b"4k3/8/8/8/8/8/8/4K2R w K - 0 1\n";
    other.import(text, ENDS, NOON).await.expect("imported");
    let ada = person(&other, Some("Ada")).await;
    let given = assigned(&other, ada, Purpose::Campaign, "ends").await;
    finish(&other, ada, &given, Vec::new(), NOON).await;
    service.upkeep(NOON).await.expect("upkeep");
    let bob = person(&service, Some("Bob")).await;
    let given = service
        .begin(bob, Wanted::Crowd(Purpose::Campaign, Some("ends")), NOON)
        .await;
    given.expect("the campaign is known");
}

/// As many as no statement of `SQLite` can name one by one.
/// `SQLite` takes 32,766 parameters in a statement, half of what `PostgreSQL` takes.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: more positions than a statement has parameters"]
async fn very_many_positions() {
    use sea_orm::ConnectionTrait as _;
    let base = Base::sqlite();
    let service = base.service(Settings::default()).await;
    let db = sea_orm::Database::connect(&base.url).await;
    let db = db.expect("the database");
    let put = db.execute_unprepared(
        "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 33000) \
         INSERT INTO position (campaign_id, name, fen, chess960, same_as, state, created_at) \
         SELECT 1, 'many', '4k3/8/8/8/8/8/8/4K3 w - - 0 1', FALSE, 'many ' || n, 'retired', 0 FROM n",
    );
    put.await.expect("many positions");
    let ada = person(&service, Some("Ada")).await;
    let given = assigned(&service, ada, Purpose::Campaign, None).await;
    finish(&service, ada, &given, Vec::new(), NOON).await;
    service.upkeep(NOON).await.expect("upkeep");
}

const ENDS: ImportPlan<'static> = plan("ends", false);

async fn finished_twice_at_once(base: Base) {
    let service = base.service(Settings::default()).await;
    let ada = person(&service, Some("Ada")).await;
    let given = assigned(&service, ada, Purpose::Campaign, None).await;
    let own = own_moves(&given.position.fen);
    let events = adds(&own[..3]);
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let (service, token, events) = (service.clone(), given.token.clone(), events.clone());
            tokio::spawn(async move { service.finish(ada, &token, events, 3, NOON).await })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.expect("no panic").expect("finished").moves, 3);
    }
    // The first assignment is gold: its points are given once.
    let standing = service.standing(ada, NOON).await.expect("a standing");
    assert_eq!((standing.lists, standing.streak), (1, 1));
    let result = service
        .result(ada, &given.token, NOON)
        .await
        .expect("a result");
    assert_eq!(result.state, ListOutcome::Known, "gold is known at once");
    assert_eq!(result.points, standing.points);
}

async fn time_runs_out(base: Base) {
    let service = base.service(Settings::default()).await;
    let ada = person(&service, Some("Ada")).await;
    let timed = assigned(&service, ada, Purpose::Timed, None).await;
    assert_eq!(timed.limit_ms, Some(90_000));
    let own = own_moves(&timed.position.fen);
    let in_time = vec![add(1, &own[0])];
    let late = ListEvent {
        at_ms: 90_001,
        ..add(2, &own[1])
    };
    service
        .record(ada, &timed.token, in_time, NOON)
        .await
        .expect("kept");
    service
        .record(ada, &timed.token, vec![late], NOON)
        .await
        .expect("kept");
    let later = Timestamp(NOON.0 + 101_000);
    let third = service
        .record(ada, &timed.token, vec![add(3, &own[2])], later)
        .await;
    assert!(matches!(third, Err(RecordError::Expired)), "{third:?}");
    let done = service
        .finish(ada, &timed.token, vec![add(3, &own[2])], 3, later)
        .await;
    assert_eq!(done.expect("closed as it stands").moves, 1);

    let calm = assigned(&service, ada, Purpose::Campaign, None).await;
    let tomorrow = Timestamp(NOON.0 + 86_400_000);
    assert_eq!(service.upkeep(tomorrow).await.expect("upkeep").expired, 1);
    let state = service
        .list(ada, &calm.token, tomorrow)
        .await
        .expect("the state");
    assert_eq!(state.state, Progress::Expired);
    let next = service
        .begin(ada, Wanted::Crowd(Purpose::Campaign, None), tomorrow)
        .await
        .expect("another");
    assert_ne!(next.position.id, calm.position.id);
    service
        .skip(ada, &next.token, tomorrow)
        .await
        .expect("skipped");
    service
        .skip(ada, &next.token, tomorrow)
        .await
        .expect("skipped before");
}

async fn nobody_gets_anothers(base: Base) {
    let service = base.service(Settings::default()).await;
    let ada = person(&service, Some("Ada")).await;
    let bob = person(&service, Some("'); DROP TABLE event; --")).await;
    let given = assigned(&service, ada, Purpose::Campaign, None).await;
    let stolen = service
        .record(bob, &given.token, vec![add(1, "e2e4")], NOON)
        .await;
    assert!(
        matches!(stolen, Err(RecordError::Token(TokenError::NotYours))),
        "{stolen:?}"
    );
    let forged = "A".repeat(43).parse().expect("the form of a token");
    let unknown = service.list(ada, &forged, NOON).await;
    assert!(matches!(unknown, Err(TokenError::Unknown)), "{unknown:?}");
    let nowhere = service
        .begin(ada, Wanted::Crowd(Purpose::Timed, Some("' OR 1=1")), NOON)
        .await;
    assert!(
        matches!(nowhere, Err(BeginError::UnknownCampaign(_))),
        "{nowhere:?}"
    );
    assert_eq!(
        service
            .position_page(given.position.id, None)
            .await
            .expect("asked"),
        None
    );
    let names = service.standing(bob, NOON).await.expect("a standing").name;
    assert_eq!(names.as_deref(), Some("'); DROP TABLE event; --"));
}

async fn import_and_again(base: Base) {
    let service = base.service(Settings::default()).await;
    let text = b"4k3/8/8/8/8/8/8/4K2R w K - 0 1\n8/3KPk2/8/p7/8/8/8/8 w - - id \"again\";\n";
    let report = service.import(text, ENDS, NOON).await.expect("imported");
    assert_eq!((report.added, report.duplicates), (1, 1));
    assert_eq!(report.problems[0].line, 2);
    let bad = service
        .import(b"8/8 w - -\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n", ENDS, NOON)
        .await;
    assert!(matches!(bad, Err(ImportError::BadLines(_))), "{bad:?}");
    assert_eq!(service.counts().await.expect("counts").positions, 27);
}

const PEOPLE: usize = 12;

/// Everybody lists every position; `knows` says whether a legal move is known to a person.
async fn all_list(service: &Service, knows: impl Fn(usize, &str) -> bool) {
    for n in 0..PEOPLE {
        let id = person(service, Some(&format!("Person {n}"))).await;
        loop {
            let given = match service
                .begin(id, Wanted::Crowd(Purpose::Campaign, None), NOON)
                .await
            {
                Ok(given) => given,
                Err(BeginError::NothingLeft) => break,
                Err(error) => panic!("{error:?}"),
            };
            let position = chess::notation::fen::parse(&given.position.fen).expect("a FEN");
            let legal = crowd::candidates::legal_texts(&position);
            let known = legal.iter().filter(|mv| knows(n, mv.as_str()));
            let events = adds(known.map(MoveText::as_str));
            finish(service, id, &given, events, NOON).await;
        }
        service.upkeep(NOON).await.expect("upkeep");
    }
}

async fn the_crowd_agrees(base: Base) {
    let service = base.service(Settings::default()).await;
    // Some overlook what stands on the d-file.
    all_list(&service, |n, mv| n % 4 != 1 || !mv.starts_with('d')).await;
    let overview = service.positions_overview().await.expect("an overview");
    let count = |state| overview.iter().filter(|p| p.state == state).count();
    let agreed = count(PositionState::Agreed);
    let disputed = count(PositionState::Disputed);
    assert_eq!(disputed, 0);
    assert!(agreed >= 15, "{agreed} of 23");
    let cases = service.test_cases().await.expect("cases");
    assert_eq!(cases.len(), agreed);
    for case in &cases {
        let record: epd::Record = case.epd.parse().expect("a record");
        assert_eq!(record.perft_counts()[0].1, case.moves.len() as u64);
        assert!(case.provenance.lists >= 3);
        let page = service
            .position_page(case.position_id, None)
            .await
            .expect("a page");
        assert!(page.is_some());
    }
    let board = service
        .leaderboard(Period::All, 1, None, NOON)
        .await
        .expect("a board")
        .rows;
    assert_eq!(board.len(), PEOPLE);
    assert_eq!(board[0].0.place, 1);
}

fn ruling(resolution: Resolution) -> Ruling<'static> {
    Ruling {
        resolution,
        note: "en passant",
        by: "ada",
    }
}

async fn a_shared_error_goes_to_the_queue(base: Base) {
    let service = base.service(Settings::default()).await;
    // Nobody knows that the pawn of figure B.11 takes en passant.
    all_list(&service, |_, mv| mv != "e5d6").await;
    let queue = service.queue().await.expect("the queue");
    let item = queue
        .iter()
        .find(|item| item.name == "thesis.b11")
        .expect("it is disputed");
    assert_eq!(item.moves.len(), 1);
    assert_eq!(item.moves[0].mv.as_str(), "e5d6");
    assert!(!item.moves[0].crowd_says);
    assert!(!item.moves[0].explanation.is_empty());
    let decided = service
        .resolve(item.id, &ruling(Resolution::GeneratorIsRight), NOON)
        .await;
    decided.expect("decided");
    let twice = service
        .resolve(item.id, &ruling(Resolution::AskAgain), NOON)
        .await;
    assert!(matches!(twice, Err(ModerateError::Decided(_))), "{twice:?}");
    let queue = service.queue().await.expect("the queue");
    let item = queue
        .iter()
        .find(|one| one.id == item.id)
        .expect("it is kept");
    assert_eq!(item.state, QueueState::Resolved);
    let page = service
        .position_page(item.position_id, None)
        .await
        .expect("a page");
    assert_eq!(page.expect("it is retired").state, PositionState::Retired);
    let (id, position) = (item.id, item.position_id);
    let reversed = service.reverse(id, "ben", NOON).await;
    reversed.expect("reversed");
    let page = service.position_page(position, None).await;
    assert_eq!(page.expect("asked"), None);
}
