//! Databases that the last version with tables of its own for days and classes has filled, over its API: two people and
//! one without a name, a list of each purpose, the board of a day, a class of two students, and, in the file of
//! `SQLite`, a list of antichess. Only positions without lists were taken out of them.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use crowd::model::{Progress, Purpose, Timestamp};
use crowd::service::{
    ContributorId, ListOutcome, ListResult, Service, Settings, TokenError, Wanted,
};
use sea_orm::{ConnectionTrait as _, Database};

use crate::common::{Base, open_strict, points};

const ADA: ContributorId = ContributorId(1);
const BEN: ContributorId = ContributorId(2);
const NOBODY: ContributorId = ContributorId(3);

/// Later on the day on which they were filled.
const LATER: Timestamp = Timestamp(1_796_108_000_000);

/// A filled database, and the secrets of its people.
struct Filled {
    dump: &'static str,
    session: &'static str,
    known: &'static str,
    crowd: &'static str,
    timed: &'static str,
    pair: &'static str,
    open: &'static str,
    teacher: &'static str,
    /// The moves that Ada found on the board of the day, all legal.
    found: i64,
}

const SQLITE: Filled = Filled {
    dump: include_str!("sqlite.sql"),
    session: "1k0ISDpwfaT8TP6W5ug25npI9Prydppuc6vw4CDPVNg",
    known: "jK3L68JgXuINlh_hghHxZbDa5CCS0PBNNCfpe0ZkufU",
    crowd: "5MZuFT1BNjDVUloUqIF0_drtqm1rgGk-xg-CMA5XpLk",
    timed: "QB5QOJWud0Y-v5x8i45plEhQ3QKRzkC8VzVgIkfmw0E",
    pair: "0D1FtrhUpNZl3u4mdPoz7NcazdUVI3GydYotpaSZMiE",
    open: "gXv7nX2hrZAbdt7bfJS1bsBIDuvsnGxw8SkhgyC5lyU",
    teacher: "knKtPTQHpn9-IUPyqShNH4WKGAVThuhcZ1VszpXP66k",
    found: 9,
};

const POSTGRES: Filled = Filled {
    dump: include_str!("postgres.sql"),
    session: "R1CEiJ0i_tXiBRbZTBFZPJisf0_yQlxU26mq1Mpfi78",
    known: "J5VMX3ZigQCikyK1ocyYQVOXw-baPm291UCePummmXc",
    crowd: "xmyLhQAY5VB4KMk5VFkhKsG5nftzVRWtm2hQ9zAZibU",
    timed: "jtatwwrKXJsrRlDM4a6xM9me0--WFzM0_4rMdZLG8FM",
    pair: "r28wdHYNOiFTp8TYSPoHlnI5Dm2GJNSpmuF6PTmAhEw",
    open: "j7Rjz_XwAK1gCBro4TeMk9USKlAZFEbctSrrx9MqatQ",
    teacher: "1eS78liwqzcDMnDxvTIfvf2wKLR8sd1uMw0fSfZpN2c",
    found: 7,
};

/// What the page of an older version had made: "moves that nobody else found" of a list, which is a list of answers now.
/// It took more people than a small database has to be asked, so Ada's list is made one by hand.
const MISSING: &str =
    "UPDATE assignment SET mode = 'missing', asked = 'a1a2 e1f2', moves = 'e1f2' WHERE id = 2";

async fn migrated(base: &Base, filled: &Filled) -> Service {
    let bare = Database::connect(&base.url).await.expect("a database");
    for sql in [filled.dump, MISSING] {
        let done = bare.execute_unprepared(sql).await;
        done.unwrap_or_else(|error| panic!("{error}"));
    }
    bare.close().await.expect("closed");
    let settings = Settings {
        hidden_share: 0.0,
        ..Settings::default()
    };
    open_strict(&base.url, settings).await
}

async fn result(
    service: &Service,
    id: ContributorId,
    token: &str,
) -> Result<ListResult, TokenError> {
    let token = token.parse().expect("a token");
    service.result(id, &token, LATER).await
}

/// Everybody finds what they had, by what they had kept of it.
async fn nothing_is_lost(base: &Base, filled: &Filled) {
    let service = migrated(base, filled).await;
    let session = filled.session.parse().expect("a token");
    let ada = service.contributor(&session).await.expect("asked");
    let ada = ada.expect("her session goes on");
    assert_eq!(ada.id, ADA);
    assert_eq!(ada.name.expect("a name").to_string(), "Ada");

    // No hands are as fast as the program that filled them: a moderator has to allow what counts.
    let held = result(&service, ADA, filled.known).await.expect("hers");
    assert_eq!((held.state, held.points), (ListOutcome::Held, 0));
    assert!(
        service
            .allow_list(1, "ada", Timestamp(0))
            .await
            .expect("allowed")
    );
    let known = result(&service, ADA, filled.known).await.expect("hers");
    assert_eq!(known.purpose, Purpose::Campaign);
    assert_eq!((known.state, known.moves), (ListOutcome::Known, 15));
    assert!(known.points > 0, "{known:?}");
    let answered = result(&service, ADA, filled.crowd).await.expect("hers");
    assert_eq!(answered.purpose, Purpose::Review);
    assert_eq!((answered.state, answered.moves), (ListOutcome::Held, 2));
    let timed = filled.timed.parse().expect("a token");
    let timed = service.list(BEN, &timed, LATER).await.expect("his");
    assert_eq!(timed.limit_ms, Some(90_000));
    let pair = result(&service, BEN, filled.pair).await.expect("his");
    assert_eq!((pair.purpose, pair.moves), (Purpose::Pair, 3));
    let stranger = result(&service, ADA, filled.pair).await;
    assert!(stranger.is_err(), "it is not hers: {stranger:?}");

    // A list that was begun before goes on, with its moves.
    let open = filled.open.parse().expect("a token");
    let open = service.list(NOBODY, &open, LATER).await.expect("theirs");
    assert_eq!((open.state, open.events.len()), (Progress::Open, 2));
    let wanted = Wanted::Crowd(Purpose::Campaign, Some("ends"));
    let again = service.begin(NOBODY, wanted, LATER).await.expect("a list");
    assert_eq!(again.token, open.token);

    the_day_goes_on(&service, filled).await;
    the_class_is_there(&service, filled).await;
    service.upkeep(LATER).await.expect("upkeep");
    let closed = service.store().clone().close().await;
    closed.expect("closed");
    // Those of the day are apart from them, as before.
    let service = open_strict(&base.url, Settings::default()).await;
    assert_eq!(points(&service, ADA).await, known.points);
}

async fn the_day_goes_on(service: &Service, filled: &Filled) {
    let today = service.today(Some(ADA), LATER).await.expect("a day");
    assert_eq!((today.people, today.streak), (1, 1));
    let hers = today.list.expect("her list");
    assert_eq!(hers.state, Progress::Finished);
    let shown = service.result(ADA, &hers.token, LATER).await.expect("hers");
    assert_eq!(
        (shown.state, shown.points),
        (ListOutcome::Known, filled.found)
    );
    assert_eq!(i64::from(shown.moves), filled.found);
    let wrong = shown.score.expect("the answer").wrong;
    assert!(wrong.is_empty(), "{wrong:?}");
    let his = service.begin(BEN, Wanted::Today, LATER).await;
    let his = his.expect("the same board");
    assert!(his.again && his.state == Progress::Open, "{his:?}");
    assert_eq!(his.position, hers.position);
}

async fn the_class_is_there(service: &Service, filled: &Filled) {
    let teacher = filled.teacher.parse().expect("a token");
    let class = service.class_overview(&teacher).await.expect("a class");
    assert_eq!(class.info.title, "Tuesday group");
    assert_eq!(class.info.time_limit, Some(Duration::from_mins(1)));
    let students: BTreeMap<_, _> = class
        .table
        .students
        .iter()
        .map(|student| (&*student.name, student.finished()))
        .collect();
    assert_eq!(students, BTreeMap::from([("Mia", 2), ("Tom", 1)]));
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the migration has written it")]
async fn a_file_of_sqlite() {
    let base = Base::sqlite();
    nothing_is_lost(&base, &SQLITE).await;
    let file = base.url.strip_prefix("sqlite://").expect("an address");
    let file = file.strip_suffix("?mode=rwc").expect("an address");
    let beside = Path::new(file).with_file_name("crowd-variants-1.jsonl");
    let lists = std::fs::read_to_string(beside).expect("the lists of antichess");
    assert_eq!(lists.lines().count(), 1);
    assert!(lists.contains("\"c8d4\""), "{lists}");
}

#[tokio::test]
async fn a_database_of_postgresql() {
    let base = Base::empty_postgres().await;
    nothing_is_lost(&base, &POSTGRES).await;
}
