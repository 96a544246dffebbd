//! The explanations against the generator: every conceivable move, and the pictures, on positions
//! of random games and of the suites.
//!
//! `TOUCHSTONE_POSITIONS` sets the scale, as in `generators_agree.rs`: one position for eighty of
//! that number is taken, 2,500 when it is not set.

#![expect(clippy::print_stdout, reason = "a failing test shows its seed")]

use chess::notation::fen;
use chess::rules::explain::{Rule, Sight, explain};
use chess::rules::{
    Bitboard, CastlingSide, Color, File, Move, PieceType, Position, Rank, Square, attacks,
};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use testkit::{random_start, wanted_positions};

const SEED: u64 = 20_261_121;

const SUITES: [&str; 4] = [
    include_str!("../../../epd/suites/chess960.epd"),
    include_str!("../../../epd/suites/edge.epd"),
    include_str!("../../../epd/suites/standard.epd"),
    include_str!("../../../epd/suites/thesis.epd"),
];

/// Positions of random games, every other game Chess960.
fn random_positions() -> Vec<Position> {
    let count = usize::try_from(wanted_positions(200_000) / 80).expect("fits in memory");
    println!("seed {SEED}, {count} positions");
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut positions = Vec::with_capacity(count);
    let mut games = 0_u64;
    while positions.len() < count {
        let mut position = random_start(&mut rng, games % 2 == 1);
        games += 1;
        // Long enough for bare boards, where kings meet and pawns promote.
        for _ in 0..rng.random_range(1..=200) {
            let Some(&m) = position.legal_moves().choose(&mut rng) else {
                break;
            };
            position = position.play(m).expect("a generated move is legal");
            if rng.random_ratio(1, 4) {
                positions.push(position);
            }
        }
    }
    positions.truncate(count);
    positions
}

fn suite_positions() -> Vec<Position> {
    let mut positions = Vec::new();
    for line in SUITES.into_iter().flat_map(str::lines) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = line.split(' ').take(4).collect();
        positions.push(fen::parse(&fields.join(" ")).expect("suites hold legal positions"));
    }
    assert!(positions.len() > 600, "{}", positions.len());
    positions
}

fn all_positions() -> Vec<Position> {
    let mut positions = random_positions();
    positions.extend(suite_positions());
    positions
}

/// Every move that the type can hold: 64 x 64 squares, no promotion or any of the six kinds.
fn conceivable_moves() -> impl Iterator<Item = Move> {
    let squares = || Square::ALL.into_iter();
    let pairs = squares().flat_map(move |from| squares().map(move |to| (from, to)));
    pairs.flat_map(|(from, to)| {
        let promotions = PieceType::ALL.map(|kind| Move::new_promotion(from, to, kind));
        promotions.into_iter().chain([Move::new(from, to)])
    })
}

/// The castling that a king's two steps from the e-file mean, where they can mean one.
fn castling_by_two_steps(position: &Position, m: Move) -> Option<Move> {
    let us = position.side_to_move();
    let king = position.king(us);
    let home = Square::new(File::E, Rank::R1.relative_to(us));
    if m.from() != king || king != home || m.promotion().is_some() {
        return None;
    }
    let rooks = position.castling_rooks() & position.by_color(us);
    let meant = rooks.into_iter().find(|&rook| {
        CastlingSide::of(king, rook).king_target(us) == m.to() && !rooks.contains(m.to())
    });
    meant.map(|rook| Move::new(king, rook))
}

#[test]
fn every_conceivable_move_is_judged_as_by_the_generator_and_for_a_true_reason() {
    all_positions().par_iter().for_each(|position| {
        let sight = Sight::of(position);
        for m in conceivable_moves() {
            let explanation = explain(position, m);
            let context = || format!("{explanation}, in {}", fen::write(position));
            let meant = castling_by_two_steps(position, m).unwrap_or(m);
            assert_eq!(
                explanation.is_legal(),
                position.is_legal(meant),
                "{}",
                context()
            );
            assert_eq!(explanation.asked(), m);
            assert!(!explanation.is_legal() || explanation.meant() == meant);
            let claim = claim_holds(position, &sight, m, explanation.rule());
            assert!(claim, "{}", context());
        }
    });
}

/// Whether what a rule's sentence claims is so, found another way: from the pictures and from the
/// position.
fn claim_holds(position: &Position, sight: &Sight, m: Move, rule: Rule) -> bool {
    let (from, to) = (m.from(), m.to());
    let (us, king) = (
        position.side_to_move(),
        position.king(position.side_to_move()),
    );
    let pin = sight.pins.iter().find(|pin| pin.piece == from);
    let answers = sight.answers.unwrap_or(Bitboard::ALL);
    match rule {
        Rule::Legal => !position.is_check() && pin.is_none() && m.promotion().is_none(),
        Rule::EnPassant => position.is_en_passant(m),
        Rule::Castling => from == king && sight.checkers.is_empty(),
        Rule::CapturesChecker => sight.checkers.contains(to) && sight.checkers.count() == 1,
        Rule::BlocksCheck => answers.contains(to) && !sight.checkers.contains(to),
        Rule::LeavesCheck => from == king && position.is_check() && !sight.danger.contains(to),
        Rule::AlongPin => pin.is_some_and(|pin| pin.ray.contains(to)),
        Rule::Promotion => m.promotion().is_some(),
        Rule::NoPiece => position.piece_at(from).is_none(),
        Rule::NotYourPiece => position.by_color(!us).contains(from),
        Rule::OwnPieceOnTarget => position.by_color(us).contains(to),
        Rule::PathBlocked => attacks::between(from, to).intersects(position.occupied()),
        Rule::PawnCannotCaptureForward => position.by_color(!us).contains(to),
        Rule::PawnCapturesNeedAVictim => !position.occupied().contains(to),
        Rule::EnPassantTooLate => position.ep_square() != Some(to),
        Rule::EnPassantDiscoversCheck => position.ep_square() == Some(to) && pin.is_none(),
        Rule::KingIntoAttack => {
            sight.danger.contains(to) && !sight.danger_through_king.contains(to)
        }
        Rule::KingTakesProtected => {
            sight.danger.contains(to) && position.by_color(!us).contains(to)
        }
        Rule::KingAlongCheckingRay => sight.danger_through_king.contains(to) && position.is_check(),
        Rule::KingsAdjacent => attacks::king(position.king(!us)).contains(to),
        Rule::DoubleCheckKingMustMove => sight.checkers.count() == 2 && from != king,
        Rule::DoesNotAnswerCheck => sight.checkers.count() == 1 && !answers.contains(to),
        Rule::Pinned => pin.is_some_and(|pin| !pin.ray.contains(to)),
        Rule::CastlingOutOfCheck => from == king && position.is_check(),
        Rule::CastlingUncoversCheck => !position.is_check() && !standard_castling(position),
        Rule::CastlingThroughCheck | Rule::CastlingIntoCheck => {
            from == king && !position.is_check() && sight.danger.intersects(home_rank(us))
        }
        Rule::NoCastlingRight => !position.castling_rooks().contains(to),
        // Matters of the move's form alone, compared with the legal moves by the other test.
        Rule::DoesNotMoveSo
        | Rule::DoubleStepNotFromStart
        | Rule::MustPromote
        | Rule::CannotPromoteHere
        | Rule::PromotionPiece
        | Rule::CastlingPathBlocked => true,
    }
}

fn home_rank(color: Color) -> Bitboard {
    Rank::R1.relative_to(color).bitboard()
}

fn standard_castling(position: &Position) -> bool {
    let us = position.side_to_move();
    let rooks = position.castling_rooks() & position.by_color(us);
    position.king(us).file() == File::E && (rooks & !Bitboard::CORNERS).is_empty()
}

/// The pictures say what the generator does: where the king may step, what a pinned piece may do,
/// what answers a check.
#[test]
fn the_pictures_agree_with_the_legal_moves() {
    for position in all_positions() {
        let sight = Sight::of(&position);
        let us = position.side_to_move();
        let king = position.king(us);
        let text = fen::write(&position);
        let steps = attacks::king(king) & !position.by_color(us) & !sight.danger;
        let castling = position.legal_targets(king) & position.castling_rooks();
        assert_eq!(position.legal_targets(king), steps | castling, "{text}");
        assert_eq!(sight.checkers, position.checkers(), "{text}");
        for pin in &sight.pins {
            let strays = position.legal_targets(pin.piece) & !pin.ray;
            assert!(strays.is_empty(), "{text}");
        }
        for m in position.legal_moves() {
            let answers = sight.answers.unwrap_or(Bitboard::ALL);
            let is_answer = m.from() == king || answers.contains(m.to());
            assert!(is_answer || position.is_en_passant(m), "{m} in {text}");
        }
    }
}
