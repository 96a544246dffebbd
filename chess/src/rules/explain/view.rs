//! A position seen by the side to move, and wording for its pieces and squares.

use crate::rules::attacks::{Subtraction, between};
use crate::rules::{
    Bitboard, CastlingSide, Color, Move, Piece, PieceType, Position, Rank, Square, attacks,
};

/// The position and the data that the reasoning needs.
#[derive(Clone, Copy)]
pub(super) struct ExplainView<'a> {
    pub(super) position: &'a Position,
    pub(super) us: Color,
    pub(super) king: Square,
}

impl<'a> ExplainView<'a> {
    pub(super) fn new(position: &'a Position) -> Self {
        let us = position.side_to_move();
        Self {
            position,
            us,
            king: position.king(us),
        }
    }

    pub(super) fn occupied(&self) -> Bitboard {
        self.position.occupied()
    }

    pub(super) fn ours(&self) -> Bitboard {
        self.position.by_color(self.us)
    }

    pub(super) fn theirs(&self) -> Bitboard {
        self.position.by_color(!self.us)
    }

    pub(super) fn home_rank(&self) -> Rank {
        Rank::R1.relative_to(self.us)
    }

    /// The enemy pieces that attack a square, given the occupied squares.
    pub(super) fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let attackers = self.position.attackers_to(square, occupied, Subtraction);
        attackers & self.theirs()
    }

    pub(super) fn checkers(&self) -> Bitboard {
        self.attackers(self.king, self.occupied())
    }

    /// The enemy sliders that would give check if the piece on `square` were removed.
    pub(super) fn pinners(&self, square: Square) -> Bitboard {
        let without = self.occupied() & !square.bitboard();
        // A checker attacks the king without the removal, too, and pins nothing.
        self.attackers(self.king, without) & !self.checkers() & !square.bitboard()
    }

    /// The pawn captured en passant, if the move is a pawn's move to the en passant square.
    pub(super) fn ep_victim(&self, m: Move) -> Option<Square> {
        let pawns = self.position.pieces(self.us, PieceType::Pawn);
        let captures = pawns.contains(m.from()) && m.from().file() != m.to().file();
        let target = self.position.ep_square().filter(|&ep| ep == m.to())?;
        captures.then_some(Position::ep_victim(target))
    }

    /// Our rook with the castling right on a side.
    pub(super) fn castling_rook(&self, side: CastlingSide) -> Option<Square> {
        let rooks = self.position.castling_rooks() & self.ours();
        rooks
            .into_iter()
            .find(|&rook| CastlingSide::new(self.king, rook) == side)
    }

    /// For example `the rook on h5`; the square must be occupied.
    pub(super) fn name(&self, square: Square) -> String {
        let kind = self.position.piece_type_at(square);
        let kind = kind.expect("only what stands on the board is named");
        format!("the {kind} on {square}")
    }

    /// `the rook on h5 and the queen on a6`.
    pub(super) fn names(&self, squares: Bitboard) -> String {
        let names: Vec<String> = squares
            .into_iter()
            .map(|square| self.name(square))
            .collect();
        enumerate(&names, "and")
    }

    /// `the rook on h5 attacks`, `the rook on h5 and the queen on a6 attack`.
    pub(super) fn with_verb(&self, squares: Bitboard, verb: &str) -> String {
        let ending = if squares.has_several() { "" } else { "s" };
        format!("{} {verb}{ending}", self.names(squares))
    }
}

/// The squares that a piece on `square` attacks, up to the first occupied one on each line.
pub(super) fn attacks_of(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.piece_type {
        PieceType::Pawn => attacks::pawn(piece.color, square),
        PieceType::Knight => attacks::knight(square),
        PieceType::Bishop => attacks::bishop(square, occupied),
        PieceType::Rook => attacks::rook(square, occupied),
        PieceType::Queen => attacks::bishop(square, occupied) | attacks::rook(square, occupied),
        PieceType::King => attacks::king(square),
    }
}

/// The piece nearest to `from` on the line to `to`.
pub(super) fn first_between(from: Square, to: Square, occupied: Bitboard) -> Option<Square> {
    let on_the_way = attacks::between(from, to) & occupied;
    on_the_way
        .into_iter()
        .min_by_key(|square| square.index().abs_diff(from.index()))
}

/// `c3`, `c3 or d2`, `c3, d2 or e1`.
pub(super) fn squares(set: Bitboard, conjunction: &str) -> String {
    let names: Vec<String> = set.into_iter().map(|square| square.to_string()).collect();
    enumerate(&names, conjunction)
}

fn enumerate(names: &[String], conjunction: &str) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {conjunction} {last}", first.join(", ")),
    }
}

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
    pub fn from_position(position: &Position) -> Self {
        let view = ExplainView::new(position);
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

fn attacked_by_enemy(view: &ExplainView, occupied: Bitboard) -> Bitboard {
    view.theirs()
        .into_iter()
        .fold(Bitboard::EMPTY, |set, square| {
            set | sight_on(view.position, square, occupied)
        })
}

fn pins(view: &ExplainView) -> Vec<Pin> {
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
