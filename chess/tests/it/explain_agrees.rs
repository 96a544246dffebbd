//! The explanations against the generator: every conceivable move, and the pictures, on positions
//! of random games and of the suites.

use chess::notation::fen;
use chess::rules::explain::{Rule, Sight, explain};
use chess::rules::{Bitboard, CastlingSide, Color, File, Move, Position, Rank, Square, attacks};
use rayon::prelude::*;
use testkit::scale;

use crate::walk::{conceivable_moves, visit};

const SEED: u64 = 20_261_121;

const SUITES: [&str; 4] = [
    include_str!("../../../epd/suites/chess960.epd"),
    include_str!("../../../epd/suites/edge.epd"),
    include_str!("../../../epd/suites/standard.epd"),
    include_str!("../../../epd/suites/thesis.epd"),
];

/// The positions of the suites, and every fourth of random games, which are long enough for bare
/// boards, where kings meet and pawns promote.
fn positions() -> Vec<Position> {
    let mut positions = Vec::new();
    for line in SUITES.into_iter().flat_map(str::lines) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = line.split(' ').take(4).collect();
        positions.push(fen::parse(&fields.join(" ")).expect("suites hold legal positions"));
    }
    assert!(positions.len() > 600, "{}", positions.len());
    let mut visited = 0;
    visit(scale(200, 10_000), SEED, |position| {
        visited += 1;
        if visited % 4 == 0 {
            positions.push(*position);
        }
    });
    positions
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
        CastlingSide::new(king, rook).king_target(us) == m.to() && !rooks.contains(m.to())
    });
    meant.map(|rook| Move::new(king, rook))
}

#[test]
fn every_conceivable_move_is_judged_as_by_the_generator_and_for_a_true_reason() {
    positions().par_iter().for_each(|position| {
        let sight = Sight::from_position(position);
        // Looked up 28,672 times for each position.
        let mut is_listed = vec![false; 1 << u16::BITS];
        for m in position.legal_moves() {
            is_listed[usize::from(m.to_bits())] = true;
        }
        for m in conceivable_moves() {
            let explanation = explain(position, m);
            let is_legal = explanation.is_legal();
            let meant = castling_by_two_steps(position, m).unwrap_or(m);
            let expected = is_listed[usize::from(meant.to_bits())];
            assert_eq!(is_legal, expected, "{explanation}, in {position}");
            assert_eq!(explanation.asked(), m);
            assert!(!is_legal || explanation.meant() == meant);
            let claim = claim_holds(position, &sight, m, explanation.rule());
            assert!(claim, "{explanation}, in {position}");
        }
    });
}

/// Whether what a rule's sentence claims is so, found another way: from the pictures and from the
/// position.
fn claim_holds(position: &Position, sight: &Sight, m: Move, rule: Rule) -> bool {
    let (from, to) = (m.from(), m.to());
    let us = position.side_to_move();
    let king = position.king(us);
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
    for position in positions() {
        let sight = Sight::from_position(&position);
        let us = position.side_to_move();
        let king = position.king(us);
        let steps = attacks::king(king) & !position.by_color(us) & !sight.danger;
        let castling = position.legal_targets(king) & position.castling_rooks();
        assert_eq!(position.legal_targets(king), steps | castling, "{position}");
        assert_eq!(sight.checkers, position.checkers(), "{position}");
        for pin in &sight.pins {
            let strays = position.legal_targets(pin.piece) & !pin.ray;
            assert!(strays.is_empty(), "{position}");
        }
        for m in position.legal_moves() {
            let answers = sight.answers.unwrap_or(Bitboard::ALL);
            let is_answer = m.from() == king || answers.contains(m.to());
            assert!(is_answer || position.is_en_passant(m), "{m} in {position}");
        }
    }
}
