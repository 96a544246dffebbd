//! Checks, pins and attacked squares of the mover. `UP` is the direction in which the mover plays.

use super::board::Army;
use crate::rules::attacks::{self, Sliders};
use crate::rules::{Bitboard, CastlingSide, Color, Square};

/// The colour whose pawns move in this direction.
pub(super) const fn color(up: bool) -> Color {
    if up { Color::White } else { Color::Black }
}

/// Checks on and pins against the mover's king.
pub(super) struct Threats {
    pub(super) king: Square,
    pub(super) occupied: Bitboard,
    /// The enemy's pieces.
    pub(super) theirs: Bitboard,
    pub(super) checkers: Bitboard,
    pub(super) pinned: Bitboard,
    /// The squares that answer a check; all squares if there is none.
    pub(super) answers: Bitboard,
}

impl Threats {
    #[inline(always)]
    pub(super) fn find<const UP: bool, S: Sliders>(mover: &Army, enemy: &Army, sliders: S) -> Self {
        let king = Square::from_low_bits(mover.king.0.trailing_zeros());
        let (own, theirs) = (mover.all(), enemy.all());
        let mut checkers =
            attacks::knight(king) & enemy.knights | attacks::pawn(color(UP), king) & enemy.pawns;
        let mut pinned = Bitboard::EMPTY;
        let snipers = sliders.rook(king, theirs) & enemy.straight
            | sliders.bishop(king, theirs) & enemy.diagonal;
        for sniper in snipers {
            let shield = attacks::between(king, sniper) & own;
            if shield.is_empty() {
                checkers |= sniper.bitboard();
            } else if !shield.has_several() {
                pinned |= shield;
            }
        }
        let answers = match checkers.first() {
            None => Bitboard::ALL,
            Some(checker) => attacks::between(king, checker) | checker.bitboard(),
        };
        Self {
            king,
            occupied: own | theirs,
            theirs,
            checkers,
            pinned,
            answers,
        }
    }
}

/// Whether a slider of `enemy` attacks `square`, given the occupied squares.
#[inline(always)]
pub(super) fn is_attacked_by_slider<S: Sliders>(
    square: Square,
    occupied: Bitboard,
    enemy: &Army,
    sliders: S,
) -> bool {
    (sliders.rook(square, occupied) & enemy.straight
        | sliders.bishop(square, occupied) & enemy.diagonal)
        != Bitboard::EMPTY
}

/// The squares that the enemy's pawns, knights and king attack.
#[inline(always)]
pub(super) fn attacked_by_leapers<const UP: bool>(enemy: &Army) -> Bitboard {
    let enemy_king = Square::from_low_bits(enemy.king.0.trailing_zeros());
    let mut attacked = enemy.pawns.pawn_attacks(color(!UP)) | attacks::king(enemy_king);
    for knight in enemy.knights {
        attacked |= attacks::knight(knight);
    }
    attacked
}

/// The squares to which the mover's king may step.
#[inline(always)]
pub(super) fn king_steps<const UP: bool, S: Sliders>(
    threats: &Threats,
    mover: &Army,
    enemy: &Army,
    sliders: S,
) -> Bitboard {
    let mut steps = attacks::king(threats.king) & !mover.all();
    // Most kings are walled in, which saves the slow tests.
    if steps.is_empty() {
        return steps;
    }
    steps &= !attacked_by_leapers::<UP>(enemy);
    // The king does not hide the squares behind it from a slider.
    let lifted = threats.occupied ^ mover.king;
    for square in steps {
        if is_attacked_by_slider(square, lifted, enemy, sliders) {
            steps ^= square.bitboard();
        }
    }
    steps
}

/// The rooks with which the mover may castle; the mover must not be in check.
#[inline(always)]
pub(super) fn castling_rooks<const UP: bool, S: Sliders>(
    threats: &Threats,
    rights: Bitboard,
    mover: &Army,
    enemy: &Army,
    sliders: S,
) -> Bitboard {
    let rights = rights & mover.straight;
    let mut rooks = Bitboard::EMPTY;
    for rook in rights {
        if may_castle::<UP, S>(threats, rook, enemy, sliders) {
            rooks |= rook.bitboard();
        }
    }
    rooks
}

fn may_castle<const UP: bool, S: Sliders>(
    threats: &Threats,
    rook: Square,
    enemy: &Army,
    sliders: S,
) -> bool {
    let king = threats.king;
    let side = CastlingSide::new(king, rook);
    let (king_target, rook_target) = (side.king_target(color(UP)), side.rook_target(color(UP)));
    let [king_path, rook_path] = CastlingSide::paths(king, rook, color(UP));
    let others = threats.occupied ^ king.bitboard() ^ rook.bitboard();
    if (king_path | rook_path).intersects(others)
        || king_path.intersects(attacked_by_leapers::<UP>(enemy))
    {
        return false;
    }
    let lifted = threats.occupied ^ king.bitboard();
    let after = others | rook_target.bitboard();
    !is_attacked_by_slider(king_target, after, enemy, sliders)
        && king_path
            .into_iter()
            .all(|square| !is_attacked_by_slider(square, lifted, enemy, sliders))
}

/// Whether taking en passant on `ep` with the pawn on `from` leaves the king safe.
#[inline(always)]
pub(super) fn ep_is_safe<const UP: bool, S: Sliders>(
    from: Square,
    ep: Bitboard,
    mover: &Army,
    enemy: &Army,
    sliders: S,
) -> bool {
    let king = Square::from_low_bits(mover.king.0.trailing_zeros());
    let victim = ep.forward(color(!UP));
    let after = (mover.all() | enemy.all()) ^ from.bitboard() ^ victim ^ ep;
    let leapers = attacks::knight(king) & enemy.knights
        | attacks::pawn(color(UP), king) & enemy.pawns & !victim;
    leapers.is_empty() && !is_attacked_by_slider(king, after, enemy, sliders)
}
