//! Reasons for legal moves.

use super::view::View;
use super::{Reason, Rule};
use crate::rules::attacks::between;
use crate::rules::{Bitboard, Move, Piece, PieceType};

/// All reasons that apply; the first determines the rule. Castling is handled separately.
pub(super) fn reason(view: &View, piece: Piece, m: Move) -> Reason {
    let applying = [
        en_passant(view, m),
        answer(view, piece, m),
        along_pin(view, piece, m),
        promotion(m),
    ];
    let mut whole = Reason::new(Rule::Legal, Bitboard::EMPTY, String::new());
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

fn en_passant(view: &View, m: Move) -> Option<Reason> {
    let victim = view.ep_victim(m)?;
    let because = format!(
        "it takes {} en passant, which has just made a double step",
        view.name(victim)
    );
    let squares = victim.bitboard() | m.to().bitboard();
    Some(Reason::new(Rule::EnPassant, squares, because))
}

/// How the move answers a check.
fn answer(view: &View, piece: Piece, m: Move) -> Option<Reason> {
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
    Some(Reason::new(rule, checkers | m.to().bitboard(), because))
}

fn along_pin(view: &View, piece: Piece, m: Move) -> Option<Reason> {
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
    Some(Reason::new(Rule::AlongPin, ray, because))
}

fn promotion(m: Move) -> Option<Reason> {
    let kind = m.promotion()?;
    let because = format!("the pawn becomes a {kind} on {}", m.to());
    Some(Reason::new(Rule::Promotion, m.to().bitboard(), because))
}
