use std::collections::BTreeMap;

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::rules::Position;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::candidates::legal_texts;
use crate::model::FlagKind;
use crate::model::FlagKind::{EvenGaps, FastList, FastMoves, ImpossibleClock};
use crate::trust::orders::generator_orders;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn kiwipete() -> Position {
    fen::parse(KIWIPETE).expect("a legal FEN")
}

/// A list with human gaps: log-normal, half of them shorter than a second and a half.
fn at_human_pace(contributor: i64, moves: Vec<MoveText>, rng: &mut ChaCha8Rng) -> TimedList {
    let mut at_ms = 2000;
    let moves = moves
        .into_iter()
        .map(|text| {
            // Twelve uniform numbers are nearly normal.
            let normal = (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
            at_ms += gap_ms(1500.0 * libm::exp(0.7 * normal));
            TimedMove {
                text,
                at_ms,
                received_at: None,
            }
        })
        .collect();
    TimedList {
        contributor,
        issued_at: None,
        moves,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "at most 1500 times e to the 4.2"
)]
fn gap_ms(gap: f64) -> u32 {
    gap as u32
}

/// How an honest contributor goes through the pieces.
#[derive(Clone, Copy, Debug)]
enum Habit {
    /// Pieces as they catch the eye, each from either end.
    Eye,
    /// File by file across the board, starting anywhere and wrapping around, each piece from either
    /// end.
    Sweep,
}

fn honest(position: &Position, habit: Habit, rng: &mut ChaCha8Rng) -> Vec<MoveText> {
    let mut pieces: BTreeMap<(usize, usize), Vec<MoveText>> = BTreeMap::new();
    for text in legal_texts(position) {
        let (from, ..) = text.parts();
        let place = (from.file().index(), from.rank().index());
        pieces.entry(place).or_default().push(text);
    }
    let mut pieces: Vec<Vec<MoveText>> = pieces.into_values().collect();
    match habit {
        Habit::Eye => pieces.shuffle(rng),
        Habit::Sweep => {
            let first = rng.random_range(0..pieces.len());
            pieces.rotate_left(first);
            if rng.random_range(0..2) == 0 {
                pieces.reverse();
            }
        }
    }
    for moves in &mut pieces {
        if rng.random_range(0..2) == 0 {
            moves.reverse();
        }
    }
    pieces.concat()
}

fn kinds(flags: &[Flag]) -> Vec<FlagKind> {
    flags.iter().map(|flag| flag.kind).collect()
}

#[test]
fn every_program_is_known_by_its_order_and_so_is_a_copy() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let orders = generator_orders(&kiwipete());
    for order in &orders {
        let list = at_human_pace(1, order.moves.clone(), &mut rng);
        let flags = flags(&list, &[], &orders);
        assert_eq!(kinds(&flags), [FlagKind::GeneratorOrder], "{}", order.name);
        assert!((flags[0].score - 1.0).abs() < 1e-12);
    }
    let own = honest(&kiwipete(), Habit::Eye, &mut rng);
    let mut copied = own.clone();
    copied.swap(3, 4);
    copied.remove(10);
    let original = at_human_pace(1, own.clone(), &mut rng);
    let copy = at_human_pace(2, copied, &mut rng);
    let found = flags(&copy, std::slice::from_ref(&original), &[]);
    assert_eq!(kinds(&found), [FlagKind::SameOrder]);
    assert_eq!(found[0].other, Some(1));
    assert_eq!(
        found[0].detail,
        "46 of 47 moves come in the order of contributor 1's list"
    );
    let second = TimedList {
        contributor: 3,
        ..original.clone()
    };
    let twice = [original.clone(), second];
    let third = at_human_pace(4, own.clone(), &mut rng);
    assert_eq!(copies(&third, &twice), [0, 1]);
    assert!(copies(&third, &twice[..1]).is_empty(), "by chance");
    let again = at_human_pace(1, own, &mut rng);
    assert_eq!(flags(&again, &[original], &[]), [], "one's own list");
}

#[test]
fn the_same_short_list_twice_is_reported() {
    // Six pieces, of which four have several moves: 13.5 bits; and five, three of them with several: 9.9 bits.
    let six = "a1a2 a1a3 a1a4 a1a5 a1a6 b1b2 b1b3 b1b4 b1b5 b1b6 c1c2 c1c3 c1c4 c1c5 c1c6 d1d2 d1d3 d1d4 d1d5 e2e4 f2f3";
    let moves = |list: &str| -> Vec<MoveText> {
        let texts = list.split_whitespace();
        texts.map(|text| text.parse().expect("a move")).collect()
    };
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut kinds_of_copy = |one: &[MoveText], other: &[MoveText]| {
        let original = at_human_pace(1, one.to_vec(), &mut rng);
        let copy = at_human_pace(2, other.to_vec(), &mut rng);
        kinds(&flags(&copy, &[original], &[]))
    };
    let list = &moves(six)[..];
    assert_eq!(kinds_of_copy(list, list), [FlagKind::SameOrder]);
    let mut nearly = list.to_vec();
    nearly.swap(3, 4);
    assert_eq!(
        kinds_of_copy(list, &nearly),
        [],
        "nearly the same is too likely"
    );
    let fewer = &list[5..];
    assert_eq!(kinds_of_copy(fewer, fewer), [], "there are too few orders");
}

/// The thresholds rest on this: how often honest lists are flagged, for those who follow the eye
/// and those who sweep the board, in the 26 positions of the thesis.
#[test]
fn honest_orders_are_rarely_flagged() {
    let mut rng = ChaCha8Rng::seed_from_u64(20_261_121);
    for (habit, most_program, most_same) in [(Habit::Eye, 0.001, 0.001), (Habit::Sweep, 0.02, 0.04)]
    {
        let (mut lists, mut program, mut same) = (0.0, 0.0, 0.0);
        for position in thesis() {
            let orders = generator_orders(&position);
            let draw = |who, rng: &mut ChaCha8Rng| {
                let moves = honest(&position, habit, rng);
                at_human_pace(who, moves, rng)
            };
            for _ in 0..testkit::scale(50, 100) {
                let (one, other) = (draw(1, &mut rng), draw(2, &mut rng));
                let found = kinds(&flags(&one, &[other], &orders));
                lists += 1.0;
                program += f64::from(u8::from(found.contains(&FlagKind::GeneratorOrder)));
                same += f64::from(u8::from(found.contains(&FlagKind::SameOrder)));
            }
        }
        println!(
            "{habit:?}: {:.2} % like a program, {:.2} % like one another",
            100.0 * program / lists,
            100.0 * same / lists
        );
        assert!(
            program / lists <= most_program,
            "{habit:?}: {program} of {lists}"
        );
        assert!(same / lists <= most_same, "{habit:?}: {same} of {lists}");
    }
}

/// A thousand lists, 44 a position, of people who miss 5 to 40 % of moves.
#[test]
fn careless_people_are_rarely_flagged_and_never_held() {
    for seed in 0..testkit::scale(2, 20) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (mut lists, mut flagged, mut held) = (0, 0, 0);
        for position in thesis() {
            let orders = generator_orders(&position);
            let mut others = Vec::new();
            for who in 0..44 {
                let habit = [Habit::Eye, Habit::Sweep][rng.random_range(0..2)];
                let misses = rng.random_range(0.05..0.4);
                let mut moves = honest(&position, habit, &mut rng);
                moves.retain(|_| rng.random::<f64>() >= misses);
                let list = at_human_pace(who, moves, &mut rng);
                lists += 1;
                flagged += u32::from(!flags(&list, &others, &orders).is_empty());
                let is_held = is_by_program(&list) || !copies(&list, &others).is_empty();
                held += u32::from(is_held);
                others.push(list);
            }
        }
        println!("seed {seed}: of {lists} lists {flagged} flagged, {held} held");
        assert!(lists >= 1000 && flagged <= 10, "{flagged} of {lists}");
        assert_eq!(held, 0, "seed {seed}");
    }
}

/// The same in endgames of 12 to 16 bits: at most one pair in two hundred is flagged.
#[test]
fn honest_lists_of_few_moves_are_rarely_flagged() {
    let mut rng = ChaCha8Rng::seed_from_u64(20_261_122);
    let fens = [
        "6k1/5ppp/8/8/8/1N6/5PPP/3R2K1 w - - 0 1",
        "8/5pk1/6p1/3p4/3P1P2/4B1P1/6K1/8 w - - 0 1",
        "8/1k6/1p3r2/p1p5/2P1n3/1P6/P3K3/8 b - - 0 1",
    ];
    for habit in [Habit::Eye, Habit::Sweep] {
        let (mut lists, mut flagged) = (0.0, 0.0);
        for fen in fens {
            let position = fen::parse(fen).expect("a legal FEN");
            for _ in 0..1000 {
                let [one, other] = [1, 2].map(|who| {
                    let moves = honest(&position, habit, &mut rng);
                    at_human_pace(who, moves, &mut rng)
                });
                let found = kinds(&flags(&one, &[other], &[]));
                lists += 1.0;
                flagged += f64::from(u8::from(!found.is_empty()));
            }
        }
        println!("{habit:?}: {:.2} % alike", 100.0 * flagged / lists);
        assert!(flagged / lists <= 0.005, "{habit:?}: {flagged} of {lists}");
    }
}

fn thesis() -> Vec<Position> {
    let suite = epd::suites::find("thesis").expect("it is built in").parse();
    let entries = suite.entries.iter();
    let positions = entries.map(|entry| *entry.record.position());
    positions.filter(|p| p.legal_move_count() > 0).collect()
}

fn with_times(times: &[u32], received: Option<(i64, i64)>) -> TimedList {
    let moves = legal_texts(&kiwipete()).into_iter().zip(times);
    TimedList {
        contributor: 1,
        issued_at: received.map(|(issued, _)| Timestamp(issued)),
        moves: moves
            .map(|(text, &at_ms)| TimedMove {
                text,
                at_ms,
                received_at: received.map(|(_, last)| Timestamp(last)),
            })
            .collect(),
    }
}

#[test]
fn paces_that_no_hand_has_are_reported() {
    let steps = |step: u32| (1..=10).map(|n| n * step).collect::<Vec<u32>>();
    let human = [
        900, 2500, 3100, 5200, 5900, 9000, 9800, 11_000, 15_000, 15_600,
    ];
    let bursts = [3000, 3100, 3200, 3300, 3400, 3450, 3500, 9000, 9100, 9150];
    for (times, received, expected) in [
        (human.to_vec(), None, vec![]),
        (steps(100), None, vec![FastMoves, FastList, EvenGaps]),
        (steps(200), None, vec![FastList, EvenGaps]),
        (steps(1000), None, vec![EvenGaps]),
        (bursts.to_vec(), None, vec![FastMoves]),
        (vec![0; 10], None, vec![FastMoves, FastList]),
        (steps(100)[..7].to_vec(), None, vec![]),
        (human.to_vec(), Some((0, 16_000)), vec![]),
        (human.to_vec(), Some((0, 600_000)), vec![]),
        (human.to_vec(), Some((0, 12_000)), vec![]),
        (
            human.to_vec(),
            Some((0, 1000)),
            vec![FastList, ImpossibleClock],
        ),
        (vec![], Some((0, 0)), vec![]),
    ] {
        let list = with_times(&times, received);
        let found = kinds(&flags(&list, &[], &[]));
        assert_eq!(found, expected, "{times:?} {received:?}");
    }
}

#[test]
fn few_moves_prove_nothing() {
    let position = fen::parse("7k/8/8/8/8/8/PP6/K7 w - - 0 1").expect("a legal FEN");
    let orders = generator_orders(&position);
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let list = at_human_pace(1, orders[0].moves.clone(), &mut rng);
    assert_eq!(flags(&list, &[], &orders), []);
}
