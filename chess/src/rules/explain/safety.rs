//! Whether the king would be attacked after a move (FIDE 3.9.2), and why a legal move is legal.

use super::movement::ordinal;
use super::view::{ExplainView, squares};
use super::{Rule, RuleReason};
use crate::rules::attacks::between;
use crate::rules::{Bitboard, Move, Piece, PieceType, Square};

/// Checks that the king may step to a square. It does not block any line while it moves.
pub(super) fn check_king_step(view: &ExplainView, m: Move) -> Result<(), RuleReason> {
    let to = m.to();
    let direct = view.attackers(to, view.occupied());
    let through = view.attackers(to, view.occupied() & !view.king.bitboard());
    if through.is_empty() {
        return Ok(());
    }
    if direct.is_empty() {
        let because = format!(
            "{} {to} too, through the king on {}",
            view.with_verb(through, "attack"),
            view.king
        );
        let squares = through | view.king.bitboard() | to.bitboard();
        return Err(RuleReason::new(
            Rule::KingAlongCheckingRay,
            squares,
            because,
        ));
    }
    let enemy_king = view.position.pieces(!view.us, PieceType::King);
    let (rule, because) = if view.theirs().contains(to) {
        let protect = view.with_verb(direct, "protect");
        let because = format!("the king cannot take {}, which {protect}", view.name(to));
        (Rule::KingTakesProtected, because)
    } else if direct == enemy_king {
        let because = format!(
            "on {to} the king would stand next to {}",
            view.names(direct)
        );
        (Rule::KingsAdjacent, because)
    } else {
        let attack = view.with_verb(direct, "attack");
        let because = format!("the king would step to {to}, which {attack}");
        (Rule::KingIntoAttack, because)
    };
    Err(RuleReason::new(rule, direct | to.bitboard(), because))
}

/// Checks that the king is safe where it is when another piece moves.
pub(super) fn check_king_left_behind(view: &ExplainView, m: Move) -> Result<(), RuleReason> {
    let checkers = view.checkers();
    if checkers.has_several() {
        let because = format!(
            "{} check at once, so the king on {} must move",
            view.with_verb(checkers, "give"),
            view.king
        );
        let squares = checkers | view.king.bitboard();
        return Err(RuleReason::new(
            Rule::DoubleCheckKingMustMove,
            squares,
            because,
        ));
    }
    let victim = view.ep_victim(m);
    let taken = m.to().bitboard() | victim.map_or(Bitboard::EMPTY, Square::bitboard);
    let occupied = view.occupied() & !m.from().bitboard() & !taken | m.to().bitboard();
    let attackers = view.attackers(view.king, occupied) & !taken;
    if attackers.is_empty() {
        return Ok(());
    }
    if let Some(checker) = (attackers & checkers).first() {
        return Err(unanswered(view, checker));
    }
    Err(match victim {
        Some(victim) if !uncovers_by_itself(view, m, victim, attackers) => {
            en_passant_discovers(view, m, victim, attackers)
        }
        _ => pinned(view, m.from()),
    })
}

fn unanswered(view: &ExplainView, checker: Square) -> RuleReason {
    let king = view.king;
    let blocks = between(king, checker);
    let answers = if blocks.is_empty() {
        "does not capture it".to_owned()
    } else {
        format!(
            "neither captures it nor blocks on {}",
            squares(blocks, "or")
        )
    };
    let because = format!(
        "the king on {king} stays in check from {}, as the move {answers}",
        view.name(checker)
    );
    let squares = king.bitboard() | checker.bitboard() | blocks;
    RuleReason::new(Rule::DoesNotAnswerCheck, squares, because)
}

/// Whether the capturing pawn alone uncovers an attacker: then it is pinned, and en passant is
/// irrelevant.
fn uncovers_by_itself(view: &ExplainView, m: Move, victim: Square, attackers: Bitboard) -> bool {
    attackers.into_iter().any(|attacker| {
        let line = between(view.king, attacker);
        line.contains(m.from()) && !line.contains(victim)
    })
}

fn en_passant_discovers(
    view: &ExplainView,
    m: Move,
    victim: Square,
    attackers: Bitboard,
) -> RuleReason {
    let king = view.king;
    // On a diagonal or a file the victim alone cannot have stood between: before its double step the king
    // would have been in check, or the capturing pawn takes its place.
    let because = format!(
        "capturing en passant takes both pawns off the {} rank and {} the king on {king}",
        ordinal(victim.rank()),
        view.with_verb(attackers, "attack")
    );
    let squares = attackers | king.bitboard() | victim.bitboard() | m.from().bitboard();
    RuleReason::new(Rule::EnPassantDiscoversCheck, squares, because)
}

fn pinned(view: &ExplainView, from: Square) -> RuleReason {
    let pinners = view.pinners(from);
    let because = format!(
        "{} is pinned to {} by {}",
        view.name(from),
        view.name(view.king),
        view.names(pinners)
    );
    let rays = pinners
        .into_iter()
        .fold(pinners, |rays, pinner| rays | between(view.king, pinner));
    RuleReason::new(Rule::Pinned, rays | view.king.bitboard(), because)
}

/// All reasons that apply; the first determines the rule. Castling is handled separately.
pub(super) fn why_legal(view: &ExplainView, piece: Piece, m: Move) -> RuleReason {
    let applying = [
        en_passant(view, m),
        answer(view, piece, m),
        along_pin(view, piece, m),
        promotion(m),
    ];
    let mut whole = RuleReason::new(Rule::Legal, Bitboard::EMPTY, String::new());
    for reason in applying.into_iter().flatten() {
        if whole.rule == Rule::Legal {
            whole = reason;
        } else {
            whole.because = format!("{}; {}", whole.because, reason.because);
            whole.squares |= reason.squares;
        }
    }
    whole
}

fn en_passant(view: &ExplainView, m: Move) -> Option<RuleReason> {
    let victim = view.ep_victim(m)?;
    let because = format!(
        "it takes {} en passant, which has just made a double step",
        view.name(victim)
    );
    let squares = victim.bitboard() | m.to().bitboard();
    Some(RuleReason::new(Rule::EnPassant, squares, because))
}

/// How the move answers a check.
fn answer(view: &ExplainView, piece: Piece, m: Move) -> Option<RuleReason> {
    let checkers = view.checkers();
    let checker = checkers.first()?;
    let taken = view.ep_victim(m).unwrap_or(m.to());
    let (rule, because) = if checkers.only() == Some(taken) {
        let because = if taken == m.to() {
            format!("it captures {}, which gives check", view.name(taken))
        } else {
            format!("{} gives check", view.name(taken))
        };
        (Rule::CapturesChecker, because)
    } else if piece.piece_type == PieceType::King {
        let because = format!(
            "the king leaves the check of {}, and {} is not attacked",
            view.names(checkers),
            m.to()
        );
        (Rule::LeavesCheck, because)
    } else {
        let because = format!("it blocks the check of {}", view.name(checker));
        (Rule::BlocksCheck, because)
    };
    Some(RuleReason::new(rule, checkers | m.to().bitboard(), because))
}

fn along_pin(view: &ExplainView, piece: Piece, m: Move) -> Option<RuleReason> {
    if piece.piece_type == PieceType::King {
        return None;
    }
    let pinner = view.pinners(m.from()).first()?;
    let because = if m.to() == pinner {
        format!(
            "{} takes {}, which pins it",
            view.name(m.from()),
            view.name(pinner)
        )
    } else {
        format!(
            "{} stays on the line of {}, which pins it",
            view.name(m.from()),
            view.name(pinner)
        )
    };
    let ray = between(view.king, pinner) | pinner.bitboard() | view.king.bitboard();
    Some(RuleReason::new(Rule::AlongPin, ray, because))
}

fn promotion(m: Move) -> Option<RuleReason> {
    let kind = m.promotion()?;
    let because = format!("the pawn becomes a {kind} on {}", m.to());
    Some(RuleReason::new(Rule::Promotion, m.to(), because))
}
