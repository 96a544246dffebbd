//! How pieces move, ignoring king safety; pawns also capture and promote (FIDE 3.7).

use super::view::{ExplainView, attacks_of, first_between};
use super::{Rule, RuleReason};
use crate::rules::{Bitboard, Color, Move, Piece, PieceType, Position, Rank};

/// Checks that the piece reaches the target, and the promotion.
pub(super) fn check(view: &ExplainView, piece: Piece, m: Move) -> Result<(), RuleReason> {
    if !attacks_of(piece, m.from(), Bitboard::EMPTY).contains(m.to()) {
        return Err(does_not_move_so(piece, m));
    }
    own_piece_on_target(view, m)?;
    path_blocked(view, m)?;
    no_promotion(view, m)
}

pub(super) fn does_not_move_so(piece: Piece, m: Move) -> RuleReason {
    let (from, to) = (m.from(), m.to());
    let kind = piece.piece_type;
    let because = if from == to {
        format!("the {kind} would stay on {from}")
    } else if kind == PieceType::Pawn {
        let color = match piece.color {
            Color::White => "white",
            Color::Black => "black",
        };
        format!(
            "a {color} pawn does not move from {from} to {to}; it goes one square ahead, \
             two from its first rank, and captures diagonally"
        )
    } else {
        let way = match kind {
            PieceType::Knight => "jumps two squares straight and one to the side",
            PieceType::Bishop => "goes along diagonals",
            PieceType::Rook => "goes along ranks and files",
            PieceType::Queen => "goes along ranks, files and diagonals",
            PieceType::King | PieceType::Pawn => "goes one square",
        };
        format!("a {kind} does not move from {from} to {to}; it {way}")
    };
    let squares = from.bitboard() | to.bitboard();
    RuleReason::new(Rule::DoesNotMoveSo, squares, because)
}

pub(super) fn own_piece_on_target(view: &ExplainView, m: Move) -> Result<(), RuleReason> {
    let to = m.to();
    if !view.ours().contains(to) {
        return Ok(());
    }
    let because = format!("{} is {}'s own", view.name(to), view.us);
    Err(RuleReason::new(Rule::OwnPieceOnTarget, to, because))
}

pub(super) fn path_blocked(view: &ExplainView, m: Move) -> Result<(), RuleReason> {
    let Some(blocker) = first_between(m.from(), m.to(), view.occupied()) else {
        return Ok(());
    };
    let because = format!(
        "{} stands between {} and {}",
        view.name(blocker),
        view.name(m.from()),
        m.to()
    );
    Err(RuleReason::new(Rule::PathBlocked, blocker, because))
}

pub(super) fn no_promotion(view: &ExplainView, m: Move) -> Result<(), RuleReason> {
    let Some(promotion) = m.promotion() else {
        return Ok(());
    };
    let from = m.from();
    let name = view.name(from);
    let because = format!("only a pawn is promoted, {name} cannot become a {promotion}");
    Err(RuleReason::new(Rule::CannotPromoteHere, from, because))
}

pub(super) fn check_pawn(view: &ExplainView, m: Move) -> Result<(), RuleReason> {
    let (from, to) = (m.from(), m.to());
    let pawn = Piece::new(view.us, PieceType::Pawn);
    if from.offset(0, view.us.forward()) == Some(to) {
        ahead(view, m)?;
    } else if from.offset(0, 2 * view.us.forward()) == Some(to) {
        double_step(view, m)?;
    } else if attacks_of(pawn, from, Bitboard::EMPTY).contains(to) {
        capture(view, m)?;
    } else {
        return Err(does_not_move_so(pawn, m));
    }
    promotion(view, m)
}

/// Checks that the square straight ahead is empty.
fn ahead(view: &ExplainView, m: Move) -> Result<(), RuleReason> {
    own_piece_on_target(view, m)?;
    if !view.theirs().contains(m.to()) {
        return Ok(());
    }
    let because = format!(
        "{} does not capture straight ahead, and {} stands there",
        view.name(m.from()),
        view.name(m.to())
    );
    Err(RuleReason::new(
        Rule::PawnCannotCaptureForward,
        m.to(),
        because,
    ))
}

fn double_step(view: &ExplainView, m: Move) -> Result<(), RuleReason> {
    let start = Rank::R2.relative_to(view.us);
    if m.from().rank() != start {
        let because = format!(
            "a pawn goes two squares only from the {} rank, and this one stands on {}",
            ordinal(start),
            m.from()
        );
        return Err(RuleReason::new(
            Rule::DoubleStepNotFromStart,
            m.from(),
            because,
        ));
    }
    path_blocked(view, m)?;
    ahead(view, m)
}

fn capture(view: &ExplainView, m: Move) -> Result<(), RuleReason> {
    own_piece_on_target(view, m)?;
    let to = m.to();
    if view.theirs().contains(to) || view.position.ep_square() == Some(to) {
        return Ok(());
    }
    // A pawn where the victim of an en passant capture would be.
    let bystander = Position::ep_victim(to);
    let pawns = view.position.pieces(!view.us, PieceType::Pawn);
    if to.rank() == Rank::R6.relative_to(view.us) && pawns.contains(bystander) {
        let because = format!(
            "{} has not just made a double step, so it cannot be taken en passant",
            view.name(bystander)
        );
        return Err(RuleReason::new(Rule::EnPassantTooLate, bystander, because));
    }
    let because = format!("a pawn goes diagonally only to capture, and {to} is empty");
    Err(RuleReason::new(Rule::PawnCapturesNeedAVictim, to, because))
}

fn promotion(view: &ExplainView, m: Move) -> Result<(), RuleReason> {
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
    Err(RuleReason::new(rule, m.to(), because))
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
