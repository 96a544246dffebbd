//! Diagrams that explain a position, as sets of squares to draw.

use super::view::{View, attacks_of};
use crate::rules::attacks::between;
use crate::rules::{Bitboard, Position, Square};

/// Constraints on the side to move (thesis, figures 3.19, 3.20 and 3.23 to 3.27).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    /// The checking pieces.
    pub checkers: Bitboard,
    /// In check, the squares on which a piece other than the king can answer it: the checker's, to
    /// capture it, and those between, to block; empty in double check. `None` if there is no check.
    /// A checking pawn may also be captured en passant, on another square.
    pub answers: Option<Bitboard>,
    /// The pinned pieces of the side to move, lowest square first.
    pub pins: Vec<Pin>,
    /// The squares that the king may not enter: those attacked by the enemy, with sliders attacking
    /// through the king.
    pub danger: Bitboard,
    /// The part of `danger` that is attacked only through the king.
    pub danger_through_king: Bitboard,
}

/// A pinned piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The piece that must stay on the ray.
    pub piece: Square,
    /// The pinning enemy slider.
    pub pinner: Square,
    /// The squares between king and pinner, and the pinner's square.
    pub ray: Bitboard,
}

impl Sight {
    /// Computes the constraints on the side to move.
    pub fn of(position: &Position) -> Self {
        let view = View::new(position);
        let checkers = view.checkers();
        let seen = attacked_by_enemy(&view, view.occupied());
        let danger = attacked_by_enemy(&view, view.occupied() & !view.king.bitboard());
        Self {
            checkers,
            answers: checkers.first().map(|checker| match checkers.only() {
                Some(_) => between(view.king, checker) | checker.bitboard(),
                None => Bitboard::EMPTY,
            }),
            pins: pins(&view),
            danger,
            danger_through_king: danger & !seen,
        }
    }
}

fn attacked_by_enemy(view: &View, occupied: Bitboard) -> Bitboard {
    view.theirs()
        .into_iter()
        .fold(Bitboard::EMPTY, |set, square| {
            set | sight_on(view.position, square, occupied)
        })
}

fn pins(view: &View) -> Vec<Pin> {
    let others = view.ours() & !view.king.bitboard();
    let pin = |piece| {
        let pinner = view.pinners(piece).first()?;
        Some(Pin {
            piece,
            pinner,
            ray: between(view.king, pinner) | pinner.bitboard(),
        })
    };
    others.into_iter().filter_map(pin).collect()
}

/// The squares attacked by the piece on `square`, whatever stands on them; empty for an empty
/// square. For sliders up to and including the first piece on each line.
pub fn line_of_sight(position: &Position, square: Square) -> Bitboard {
    sight_on(position, square, position.occupied())
}

fn sight_on(position: &Position, square: Square, occupied: Bitboard) -> Bitboard {
    match position.piece_at(square) {
        Some(piece) => attacks_of(piece, square, occupied),
        None => Bitboard::EMPTY,
    }
}
