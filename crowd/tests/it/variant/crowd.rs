//! People who know the rules of a variant, apart from slips, list the positions of a campaign.

use std::collections::{BTreeMap, BTreeSet};

use chacha20::ChaCha8Rng;
use crowd::model::{Mode, MoveText};
use crowd::service::{AssignError, Service, Settings};
use crowd::variant::{Placement, candidates, canonical, read_card};
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};

use crate::common::{Base, NOON, add, finish, person, plan};

/// A board of four by three: a king each and pawns.
pub(super) const CARD: &str = r#"
schema = "touchstone/rules-card/1"
variant = "tiny"
title = "Tiny"
files = 4
ranks = 3
[[piece]]
letter = "k"
name = "king"
royal = true
moves = [{ leap = [0, 1] }, { leap = [1, 1] }]
[[piece]]
letter = "p"
name = "pawn"
moves = [{ leap = [0, 1], ways = "ahead" }]
promotion = { to = "kp", ranks = [3], must = true }
drop_ranks = [1, 2]
[[section]]
heading = "All there is to know"
text = "Kings go everywhere. <b>Pawns</b> go ahead."
picture = { placement = "4/P3/3K", arrows = ["a2a3"], marks = ["b3"], caption = "A step." }
"#;

/// The answer of each position, by its FEN.
pub(super) type Truth = BTreeMap<String, BTreeSet<MoveText>>;

/// How often a person overlooks a legal move, and lists an illegal candidate.
const SLIPS: (f64, f64) = (0.03, 0.004);

/// Lets people come one after the other, each of whom lists all that they are given, until the crowd is sure of this
/// many positions or has had `most` people.
pub(super) async fn work(
    service: &Service,
    campaign: &str,
    card: &str,
    truth: &Truth,
    (enough, most): (u64, u64),
) {
    let card = read_card(card).expect("a good card");
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut agreed = 0;
    for _ in 0..most {
        let id = person(service, None).await;
        loop {
            let task = match service.assign(id, Mode::Calm, Some(campaign), NOON).await {
                Ok(task) => task,
                Err(AssignError::NothingLeft) => break,
                Err(error) => panic!("{error}"),
            };
            let fen = &task.position.fen;
            let legal = &truth[fen];
            let placement = Placement::read(&card, fen).expect("a position");
            let mut list: Vec<MoveText> = candidates(&card, &placement)
                .into_iter()
                .map(|candidate| candidate.text)
                .filter(|mv| {
                    let chance = rng.random::<f64>();
                    let (misses, adds) = SLIPS;
                    if legal.contains(mv) {
                        chance >= misses
                    } else {
                        chance < adds
                    }
                })
                .collect();
            list.shuffle(&mut rng);
            let events = (1..)
                .zip(&list)
                .map(|(seq, mv)| add(seq, mv.as_str(), seq * 1500));
            finish(service, id, &task, events.collect(), NOON).await;
        }
        let report = service.upkeep(NOON).await.expect("upkeep");
        agreed += report.agreed;
        if agreed >= enough {
            return;
        }
    }
}

/// Both kings go anywhere, as the card says; so the answer is every candidate of the king, and the pawns' steps.
fn answer(fen: &str) -> BTreeSet<MoveText> {
    let card = read_card(CARD).expect("good");
    let placement = Placement::read(&card, fen).expect(fen);
    let all = candidates(&card, &placement)
        .into_iter()
        .map(|one| one.text);
    let free = |mv: &MoveText| {
        let to = mv.ends().1.parse().expect("a square");
        !placement.board.contains_key(&to) && canonical(&card, &placement, mv).is_ok()
    };
    all.filter(free).collect()
}

/// With gold positions, so that people can be measured.
pub(super) async fn tiny(service: &Service) -> Truth {
    let open = [
        "3k/P3/K3[P] w - - 0 1",
        "3k/4/K2p b - - 0 1",
        "k3/p2P/3K w - - 0 1",
    ];
    let gold = ["k3/4/3K w - - 0 1", "k3/4/3K[p] b - - 0 1"];
    service
        .set_card("small", None, CARD, NOON)
        .await
        .expect("a card");
    let text = open.join("\n");
    let added = service
        .import(text.as_bytes(), plan("small", false), NOON)
        .await;
    assert_eq!(added.expect("an import").added, 3);
    let line = |fen: &&str| {
        let moves: Vec<String> = answer(fen).iter().map(MoveText::to_string).collect();
        format!("{fen} ;D1 {} ;lm {}", moves.len(), moves.join(" "))
    };
    let text = gold.iter().map(line).collect::<Vec<_>>().join("\n");
    let added = service
        .import(text.as_bytes(), plan("small", true), NOON)
        .await;
    assert_eq!(added.expect("an import").added, 2);
    let all = open.iter().chain(&gold);
    all.map(|fen| ((*fen).to_owned(), answer(fen))).collect()
}

#[tokio::test]
async fn lists_that_agree_are_a_suite() {
    let base = Base::sqlite();
    let service = base.service(Settings::default()).await;
    let truth = tiny(&service).await;
    work(&service, "small", CARD, &truth, (3, 60)).await;
    let cases = service.variant_cases("tiny").await.expect("cases");
    assert_eq!(cases.len(), 3);
    for case in &cases {
        let moves: BTreeSet<MoveText> = case.moves.iter().map(|one| one.mv.clone()).collect();
        assert_eq!(moves, truth[&case.fen], "{}", case.fen);
        let page = service.position_page(case.position_id, None).await;
        let page = page.expect("read").expect("its answer is public");
        assert_eq!(page.moves.len(), moves.len());
    }
    let lines: Vec<&str> = cases.iter().map(|case| case.epd.as_str()).collect();
    assert_eq!(
        lines[1],
        "3k/4/K2p b - - 0 1 ;D1 3 ;id small.2 ;lm d3c2 d3c3 d3d2"
    );
    // The cases of standard chess are apart.
    assert!(service.test_cases().await.expect("cases").is_empty());
    // Another reading of the same database knows the same answers.
    let again = crate::common::open(&base.url, Settings::default()).await;
    assert_eq!(again.variant_cases("tiny").await.expect("cases"), cases);
    let page = again.position_page(cases[0].position_id, None).await;
    assert_eq!(
        page.expect("read").expect("public").moves.len(),
        cases[0].moves.len()
    );
}

#[tokio::test]
async fn a_card_stays_as_people_read_it() {
    let base = Base::sqlite();
    let service = base.service(Settings::default()).await;
    tiny(&service).await;
    let same = service.set_card("small", None, CARD, NOON).await;
    same.expect("the same card again");
    let other = CARD.replace("everywhere", "nowhere");
    let error = service.set_card("small", None, &other, NOON).await;
    let error = error.expect_err("another card").to_string();
    assert_eq!(
        error,
        "campaign 'small' has positions already, so its rules card cannot change"
    );
    let error = service.set_card("thesis", None, CARD, NOON).await;
    assert!(
        error.is_err(),
        "positions of standard chess stay what they are"
    );
    let error = service.set_card("x", None, "files = 3", NOON).await;
    assert!(
        error
            .expect_err("no card")
            .to_string()
            .contains("missing field")
    );
}
