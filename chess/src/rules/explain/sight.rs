//! The pictures that explain a position, as sets of squares: for drawing.

use super::view::{View, attacks_of};
use crate::rules::attacks::between;
use crate::rules::{Bitboard, Position, Square};

/// What the side to move must heed (thesis, figures 3.19, 3.20 and 3.23 to 3.27).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    /// The enemy pieces that give check.
    pub checkers: Bitboard,
    /// In check, the squares on which a piece other than the king answers it: the checker's, to
    /// capture it, and those between, to block; none in double check. `None` when there is no
    /// check. A pawn that gives check may also be taken en passant, on another square.
    pub answers: Option<Bitboard>,
    /// The pinned pieces of the side to move, lowest square first.
    pub pins: Vec<Pin>,
    /// The squares that the king may not enter: those the enemy attacks, sliders seeing through
    /// the king.
    pub danger: Bitboard,
    /// The part of `danger` that is attacked only through the king.
    pub danger_through_king: Bitboard,
}

/// A pinned piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The piece that may not leave the ray.
    pub piece: Square,
    /// The enemy slider that pins it.
    pub pinner: Square,
    /// The squares between king and pinner, and the pinner's own.
    pub ray: Bitboard,
}

impl Sight {
    /// What the side to move must heed in a position.
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

/// The squares that the piece on `square` attacks, whoever stands on them; none for an empty
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
