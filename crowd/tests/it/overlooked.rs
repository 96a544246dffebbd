//! What people overlook: which lists count, what is public, and the files.

use chacha20::ChaCha8Rng;
use crowd::insight::Insight;
use crowd::model::{FlagKind, Purpose, Timestamp};
use crowd::service::{ContributorId, PositionState, Service, Settings, overlooked_csv};
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use sea_orm::{ConnectionTrait as _, Database};
use tempfile::TempDir;

use crate::common::cli::crowd;
use crate::common::{Base, NOON, add, assigned, finish, open, person, plan};

/// Castling both ways, a pinned knight.
const FEN: &str = "4r1k1/8/8/8/8/8/4N3/R3K2R w KQ - 0 1";
const GOLD: &str = "k7/8/8/8/8/8/8/4K2R w K - 0 1";
const OPEN: &str = "k7/8/8/8/8/8/P7/4K3 w - - 0 1";

fn legal(fen: &str) -> Vec<String> {
    let position = chess::notation::fen::parse(fen).expect("a FEN");
    let legal = crowd::candidates::legal_texts(&position);
    legal.into_iter().map(|mv| mv.to_string()).collect()
}

fn after_a_while() -> Timestamp {
    Timestamp(NOON.0 + 600_000)
}

/// Somebody lists the moves of a campaign's position, without some and with others.
async fn list(
    service: &Service,
    (campaign, fen): (&str, &str),
    without: &[&str],
    with: &[&str],
) -> ContributorId {
    let id = person(service, None).await;
    let task = assigned(service, id, Purpose::Campaign, campaign).await;
    let moves = legal(fen);
    let moves = moves.iter().map(String::as_str);
    let moves = moves.filter(|mv| !without.contains(mv));
    let mut moves: Vec<&str> = moves.chain(with.iter().copied()).collect();
    // As by hand: in an order of one's own, without haste and without a beat.
    let mut chance = ChaCha8Rng::seed_from_u64(id.0.unsigned_abs());
    moves.shuffle(&mut chance);
    let mut at_ms = 0;
    let events = (1..).zip(moves).map(|(seq, mv)| {
        at_ms += chance.random_range(900..4000);
        add(seq, mv, at_ms)
    });
    let events = events.collect();
    finish(service, id, &task, events, after_a_while()).await;
    id
}

/// A service with one position of each campaign: certified with eight full lists, gold, and open.
async fn service(base: &Base) -> Service {
    let service = base.service(Settings::default()).await;
    for (campaign, fen, gold) in [
        ("one", FEN, false),
        ("gold", GOLD, true),
        ("open", OPEN, false),
    ] {
        let added = service.import(fen.as_bytes(), plan(campaign, gold), NOON);
        added.await.expect("imported");
    }
    for _ in 0..8 {
        list(&service, ("one", FEN), &[], &[]).await;
    }
    list(&service, ("one", FEN), &["e1c1"], &["e2c3", "e2g3"]).await;
    list(&service, ("one", FEN), &["e1c1", "e1g1"], &["e2c3"]).await;
    list(&service, ("gold", GOLD), &["e1g1"], &[]).await;
    list(&service, ("open", OPEN), &["a2a4"], &[]).await;
    service.upkeep(after_a_while()).await.expect("upkeep");
    service
}

fn by_kind(overlooked: &Insight, kind: &str) -> (u64, u64) {
    let mut kinds = overlooked.kinds.iter();
    let found = kinds.find(|one| one.kind.as_str() == kind).expect(kind);
    (found.share.shown - found.share.found, found.share.shown)
}

async fn evaluated(base: Base) {
    let service = service(&base).await;
    let found = service.overlooked().await.expect("figures");
    assert_eq!((found.lists, found.people), (11, 11));
    // Gold counts, and is not shown; what is open does not count.
    assert_eq!(by_kind(&found, "castling-short"), (2, 11));
    assert_eq!(by_kind(&found, "castling-long"), (2, 10));
    let [hardest] = &found.positions[..] else {
        panic!("one position is public: {:?}", found.positions)
    };
    assert_eq!(
        (hardest.about.state, hardest.about.fen.as_str()),
        (PositionState::Agreed, FEN)
    );
    let moves = legal(FEN).len() as u64;
    assert_eq!(hardest.share.shown, 10 * moves);
    assert_eq!(hardest.share.found, 10 * moves - 3);
    assert_eq!(hardest.moves[0].san, "O-O-O");
    assert_eq!(
        (found.rules[0].rule.as_str(), found.rules[0].moves),
        ("pinned", 3)
    );
    let all = service.overlooked_with_gold().await.expect("figures");
    assert_eq!(all.positions.len(), 2);
    assert_eq!(all.positions[0].about.fen, GOLD);
    assert_eq!(all.kinds, found.kinds);
    // It is evaluated again when something has changed, and only then.
    let again = service.overlooked().await.expect("figures");
    assert!(std::sync::Arc::ptr_eq(&again, &found));
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_are_evaluated_in_sqlite() {
    evaluated(Base::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_are_evaluated_in_postgresql() {
    evaluated(Base::postgres().await).await;
}

#[tokio::test]
async fn lists_that_do_not_count_are_left_out() {
    let base = Base::sqlite();
    let service = service(&base).await;
    let before = service.overlooked().await.expect("figures");
    // Gold is given again and again; these three lists must not count.
    let gold = ("gold", GOLD);
    let suspended = list(&service, gold, &["e1g1", "h1h8"], &[]).await;
    let flagged = list(&service, gold, &["e1g1", "h1h7"], &[]).await;
    list(
        &service,
        gold,
        &legal(GOLD).iter().map(String::as_str).collect::<Vec<_>>(),
        &[],
    )
    .await;
    assert!(service.quarantine(suspended, true).await.expect("done"));
    let database = Database::connect(&base.url).await.expect("the database");
    let flag = format!(
        "INSERT INTO flag (list_id, contributor_id, position_id, kind, other, detail, score, created_at) \
         SELECT id, contributor_id, position_id, '{}', 0, '', 1, 0 FROM list WHERE contributor_id = {}",
        FlagKind::FastList,
        flagged.0
    );
    let added = database.execute_unprepared(&flag).await.expect("flagged");
    assert_eq!(added.rows_affected(), 1);
    service.upkeep(after_a_while()).await.expect("upkeep");
    let after = service.overlooked().await.expect("figures");
    assert_eq!((after.lists, after.people), (before.lists, before.people));
    assert_eq!(after.kinds, before.kinds);
    let counted = list(&service, gold, &[], &[]).await;
    assert!(counted.0 > flagged.0);
    service.upkeep(after_a_while()).await.expect("upkeep");
    let more = service.overlooked().await.expect("figures");
    assert_eq!(by_kind(&more, "castling-short"), (2, 12));
}

#[tokio::test]
async fn the_table_has_a_row_for_each_move() {
    let base = Base::sqlite();
    let service = service(&base).await;
    let text = overlooked_csv(&service.overlooked().await.expect("figures"));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head = reader.headers().expect("a head").clone();
    assert_eq!(
        head.iter().collect::<Vec<_>>().join(","),
        "position,name,state,fen,chess960,move,san,legal,rule,kinds,lists,listed,wrong,low,high"
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), legal(FEN).len() + 2);
    let row = |mv: &str| {
        let row = rows.iter().find(|row| &row[5] == mv).expect("its row");
        row.iter().skip(6).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        row("e1c1"),
        "O-O-O true  castling-long 10 8 0.200000 0.056682 0.509838"
    );
    assert_eq!(
        row("e2c3"),
        " false pinned  10 2 0.200000 0.056682 0.509838"
    );
    let cases = service.test_cases().await.expect("cases");
    let [case] = &cases[..] else {
        panic!("one case")
    };
    let record: epd::Record = case.epd.parse().expect("a record");
    assert!(
        record.text().contains("c2 \"difficulty 0.0"),
        "{}",
        record.text()
    );
    assert!(
        record.text().contains("3 of 250 moves overlooked"),
        "{}",
        record.text()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_writes_them() {
    let folder = TempDir::new().expect("a folder");
    let url = format!("sqlite://{}/crowd.sqlite", folder.path().display());
    let empty = open(&format!("{url}?mode=rwc"), Settings::default()).await;
    empty.ensure_first_campaign(NOON).await.expect("a campaign");
    let run = |arguments: &[&str]| crowd(folder.path(), arguments, "");
    assert!(run(&["overlooked", "--db", &url]).starts_with("exit 4\n"));
    for (campaign, fen, gold) in [("one", FEN, false), ("gold", GOLD, true)] {
        let added = empty.import(fen.as_bytes(), plan(campaign, gold), NOON);
        added.await.expect("imported");
    }
    for _ in 0..8 {
        list(&empty, ("one", FEN), &[], &[]).await;
    }
    list(&empty, ("one", FEN), &["e1c1"], &["e2c3"]).await;
    empty.upkeep(after_a_while()).await.expect("upkeep");
    empty.store().clone().close().await.expect("closed");
    let report = run(&["overlooked", "--db", &url]);
    assert!(
        report.starts_with("exit 0\n--- stdout\n9 lists by 9 people\n"),
        "{report}"
    );
    assert!(
        report.contains("Castling long                                       1 of 9       11.1 %"),
        "{report}"
    );
    let table = run(&["overlooked", "--format", "csv", "--db", &url]);
    assert_eq!(
        table.lines().filter(|line| line.contains(FEN)).count(),
        legal(FEN).len() + 1
    );
    let hard = run(&["export", "--harder-than", "0.9", "--db", &url]);
    assert!(hard.starts_with("exit 4\n"), "{hard}");
    let easy = run(&["export", "--harder-than", "0.001", "--db", &url]);
    assert!(
        easy.starts_with("exit 0\n") && easy.contains("c2 \"difficulty"),
        "{easy}"
    );
    let bad = run(&["export", "--harder-than", "2", "--db", &url]);
    assert!(bad.contains("a share is from 0 to 1"), "{bad}");
}
