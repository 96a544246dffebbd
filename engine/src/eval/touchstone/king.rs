//! King safety: danger from attacks on the king zone.
//!
//! Units of danger that index a table are an idea of the chessprogramming wiki's page on king
//! safety ("attack units").

use super::layout::Term;
use super::sink::Sink;
use super::view::View;
use chess::rules::attacks::{self, Sliders};
use chess::rules::{Bitboard, Color, PieceType};

/// The maximal index of the danger table.
const MOST_UNITS: u32 = 31;
/// For each square next to the king that the enemy attacks and only the king defends.
const WEAK_SQUARE: u32 = 1;
/// For each of the three files around the king without an own pawn in front of it.
const OPEN_FILE: u32 = 1;
/// Deducted if the attacker has no queen.
const NO_QUEEN: u32 = 6;
/// For each kind that can give a safe check: knight, bishop, rook, queen.
const SAFE_CHECKS: [(PieceType, u32); 4] = [
    (PieceType::Knight, 3),
    (PieceType::Bishop, 2),
    (PieceType::Rook, 4),
    (PieceType::Queen, 3),
];

/// Adds the danger to one side's king, given the number of open files in front of it.
#[inline(always)]
pub(super) fn value<S: Sliders>(
    view: &View,
    color: Color,
    open_files: u32,
    sliders: S,
    sink: &mut impl Sink,
) {
    let units = danger(view, color, sliders, open_files);
    sink.add(Term::KingDanger, units as usize, color, 1);
}

/// The danger units of a king; none if no piece attacks its zone.
#[inline(always)]
fn danger<S: Sliders>(view: &View, color: Color, sliders: S, open_files: u32) -> u32 {
    let (own, enemy) = (&view.sides[color], &view.sides[!color]);
    if enemy.attack_units == 0 {
        return 0;
    }
    let guarded = own.attacks_but_king();
    let weak = own.attacks[PieceType::King] & enemy.all_attacks & !guarded;
    let safe =
        !view.position.by_color(!color) & (!own.all_attacks | enemy.double_attacks & !guarded);
    let units = enemy.attack_units
        + WEAK_SQUARE * weak.count()
        + OPEN_FILE * open_files
        + safe_checks(view, color, sliders, safe);
    let relief = if view.pieces(!color, PieceType::Queen).is_empty() {
        NO_QUEEN
    } else {
        0
    };
    units.saturating_sub(relief).min(MOST_UNITS)
}

#[inline(always)]
fn safe_checks<S: Sliders>(view: &View, color: Color, sliders: S, safe: Bitboard) -> u32 {
    let king = view.sides[color].king;
    let enemy = &view.sides[!color];
    let straight = sliders.rook(king, view.occupied);
    let diagonal = sliders.bishop(king, view.occupied);
    let mut units = 0;
    for (kind, worth) in SAFE_CHECKS {
        let lines = match kind {
            PieceType::Knight => attacks::knight(king),
            PieceType::Bishop => diagonal,
            PieceType::Rook => straight,
            _ => straight | diagonal,
        };
        if lines.intersects(enemy.attacks[kind] & safe) {
            units += worth;
        }
    }
    units
}
