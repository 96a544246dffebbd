//! How pawns move, capture and promote (FIDE 3.7).

use super::movement::{does_not_move_so, own_piece_on_target, path_blocked};
use super::view::View;
use super::{Reason, Rule};
use crate::rules::{Move, Piece, PieceType, Position, Rank, Square};

pub(super) fn check(view: &View, m: Move) -> Result<(), Reason> {
    let (from, to) = (m.from(), m.to());
    let pawn = Piece::new(view.us, PieceType::Pawn);
    if from.offset(0, view.us.forward()) == Some(to) {
        ahead(view, m)?;
    } else if from.offset(0, 2 * view.us.forward()) == Some(to) {
        double_step(view, m)?;
    } else if [-1, 1]
        .map(|files| from.offset(files, view.us.forward()))
        .contains(&Some(to))
    {
        capture(view, m)?;
    } else {
        return Err(does_not_move_so(pawn, m));
    }
    promotion(view, m)
}

/// Checks that the square straight ahead is empty.
fn ahead(view: &View, m: Move) -> Result<(), Reason> {
    own_piece_on_target(view, m)?;
    if !view.theirs().contains(m.to()) {
        return Ok(());
    }
    let because = format!(
        "{} does not capture straight ahead, and {} stands there",
        view.name(m.from()),
        view.name(m.to())
    );
    Err(Reason::new(
        Rule::PawnCannotCaptureForward,
        m.to().bitboard(),
        because,
    ))
}

fn double_step(view: &View, m: Move) -> Result<(), Reason> {
    let start = Rank::R2.relative_to(view.us);
    if m.from().rank() != start {
        let because = format!(
            "a pawn goes two squares only from the {} rank, and this one stands on {}",
            ordinal(start),
            m.from()
        );
        return Err(Reason::new(
            Rule::DoubleStepNotFromStart,
            m.from().bitboard(),
            because,
        ));
    }
    path_blocked(view, m)?;
    ahead(view, m)
}

fn capture(view: &View, m: Move) -> Result<(), Reason> {
    own_piece_on_target(view, m)?;
    let to = m.to();
    if view.theirs().contains(to) || view.position.ep_square() == Some(to) {
        return Ok(());
    }
    if let Some(bystander) = bystander(view, to) {
        let because = format!(
            "{} has not just made a double step, so it cannot be taken en passant",
            view.name(bystander)
        );
        return Err(Reason::new(
            Rule::EnPassantTooLate,
            bystander.bitboard(),
            because,
        ));
    }
    let because = format!("a pawn goes diagonally only to capture, and {to} is empty");
    Err(Reason::new(
        Rule::PawnCapturesNeedAVictim,
        to.bitboard(),
        because,
    ))
}

/// The enemy pawn on the square where the victim of an en passant capture would be.
fn bystander(view: &View, to: Square) -> Option<Square> {
    let victim = Position::ep_victim(to);
    let pawns = view.position.pieces(!view.us, PieceType::Pawn);
    let is_there = to.rank() == Rank::R6.relative_to(view.us) && pawns.contains(victim);
    is_there.then_some(victim)
}

fn promotion(view: &View, m: Move) -> Result<(), Reason> {
    let last = Rank::R8.relative_to(view.us);
    let arrives = m.to().rank() == last;
    let (rule, because) = match m.promotion() {
        None if arrives => {
            let because = format!(
                "a pawn that reaches {} becomes a queen, rook, bishop or knight, and the move \
                 does not say which",
                m.to()
            );
            (Rule::MustPromote, because)
        }
        Some(_) if !arrives => {
            let rank = ordinal(last);
            let because = format!("a pawn is promoted on the {rank} rank, not on {}", m.to());
            (Rule::CannotPromoteHere, because)
        }
        Some(kind) if !PieceType::PROMOTIONS.contains(&kind) => {
            let because = format!("a pawn becomes a queen, rook, bishop or knight, not a {kind}");
            (Rule::PromotionPiece, because)
        }
        _ => return Ok(()),
    };
    Err(Reason::new(rule, m.to().bitboard(), because))
}

/// `first` to `eighth`.
pub(super) fn ordinal(rank: Rank) -> &'static str {
    match rank {
        Rank::R1 => "first",
        Rank::R2 => "second",
        Rank::R3 => "third",
        Rank::R4 => "fourth",
        Rank::R5 => "fifth",
        Rank::R6 => "sixth",
        Rank::R7 => "seventh",
        Rank::R8 => "eighth",
    }
}
