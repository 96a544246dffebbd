//! How pieces other than pawns move, ignoring king safety.

use super::view::{View, attacks_of, first_between};
use super::{Reason, Rule};
use crate::rules::{Bitboard, Color, Move, Piece, PieceType};

/// Checks that the piece reaches the target, and the promotion.
pub(super) fn check(view: &View, piece: Piece, m: Move) -> Result<(), Reason> {
    if !attacks_of(piece, m.from(), Bitboard::EMPTY).contains(m.to()) {
        return Err(does_not_move_so(piece, m));
    }
    own_piece_on_target(view, m)?;
    path_blocked(view, m)?;
    no_promotion(view, m)
}

pub(super) fn does_not_move_so(piece: Piece, m: Move) -> Reason {
    let (from, to) = (m.from(), m.to());
    let kind = piece.piece_type;
    let because = if from == to {
        format!("the {kind} would stay on {from}")
    } else if kind == PieceType::Pawn {
        let color = match piece.color {
            Color::White => "white",
            Color::Black => "black",
        };
        format!("a {color} pawn does not move from {from} to {to}")
    } else {
        format!("a {kind} does not move from {from} to {to}")
    };
    Reason::new(
        Rule::DoesNotMoveSo,
        from.bitboard() | to.bitboard(),
        because,
    )
}

pub(super) fn own_piece_on_target(view: &View, m: Move) -> Result<(), Reason> {
    let to = m.to();
    if !view.ours().contains(to) {
        return Ok(());
    }
    let because = format!("{} is {}'s own", view.name(to), view.us);
    Err(Reason::new(Rule::OwnPieceOnTarget, to.bitboard(), because))
}

pub(super) fn path_blocked(view: &View, m: Move) -> Result<(), Reason> {
    let Some(blocker) = first_between(m.from(), m.to(), view.occupied()) else {
        return Ok(());
    };
    let because = format!(
        "{} stands between {} and {}",
        view.name(blocker),
        view.name(m.from()),
        m.to()
    );
    Err(Reason::new(Rule::PathBlocked, blocker.bitboard(), because))
}

/// Only pawns are promoted.
pub(super) fn no_promotion(view: &View, m: Move) -> Result<(), Reason> {
    let Some(promotion) = m.promotion() else {
        return Ok(());
    };
    let from = m.from();
    let name = view.name(from);
    let because = format!("only a pawn is promoted, {name} cannot become a {promotion}");
    Err(Reason::new(
        Rule::CannotPromoteHere,
        from.bitboard(),
        because,
    ))
}
