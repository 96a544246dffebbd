//! The legal moves of `us`, as the kernels make them.

use arrayvec::ArrayVec;

use super::board::Board;
use super::threats::{Threats, castling_rooks, ep_is_safe, king_steps};
use crate::rules::attacks::{self, Sliders};
use crate::rules::{Bitboard, Color, MAX_MOVES, Rank, Square};

/// What moves, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Pawn,
    DoubleStep,
    EnPassant,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
    PromoteKnight,
    PromoteBishop,
    PromoteRook,
    PromoteQueen,
    /// King takes rook.
    Castle,
}

/// A move of `us`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) kind: Kind,
}

pub(super) type StepList = ArrayVec<Step, MAX_MOVES>;

const PROMOTIONS: [Kind; 4] = [
    Kind::PromoteKnight,
    Kind::PromoteBishop,
    Kind::PromoteRook,
    Kind::PromoteQueen,
];

/// Calls `emit` with every legal move of `us`.
#[inline(always)]
pub(super) fn generate<S: Sliders>(board: &Board, sliders: S, mut emit: impl FnMut(Step)) {
    let (us, them) = (&board.us, &board.them);
    let threats = Threats::find::<true, S>(us, them, sliders);
    let mut emit_all = |kind, from, targets: Bitboard| {
        for to in targets {
            emit(Step { from, to, kind });
        }
    };
    let king_steps = king_steps::<true, S>(&threats, us, them, sliders);
    emit_all(Kind::King, threats.king, king_steps);
    if threats.checkers.has_several() {
        return;
    }
    if threats.checkers.is_empty() && board.castling.intersects(us.straight) {
        let rooks = castling_rooks::<true, S>(&threats, board.castling, us, them, sliders);
        emit_all(Kind::Castle, threats.king, rooks);
    }
    let targets = threats.answers & !us.all();
    let allowed = |from: Square| {
        if threats.pinned.contains(from) {
            targets & attacks::line(threats.king, from)
        } else {
            targets
        }
    };
    let queens = us.diagonal & us.straight;
    for from in us.knights & !threats.pinned {
        emit_all(Kind::Knight, from, attacks::knight(from) & targets);
    }
    for from in us.diagonal & !queens {
        emit_all(
            Kind::Bishop,
            from,
            sliders.bishop(from, threats.occupied) & allowed(from),
        );
    }
    for from in us.straight & !queens {
        emit_all(
            Kind::Rook,
            from,
            sliders.rook(from, threats.occupied) & allowed(from),
        );
    }
    for from in queens {
        let reached = sliders.bishop(from, threats.occupied) | sliders.rook(from, threats.occupied);
        emit_all(Kind::Queen, from, reached & allowed(from));
    }
    generate_pawns(board, &threats, &mut emit);
    if !board.ep.is_empty() {
        generate_en_passant(board, &threats, sliders, &mut emit);
    }
}

#[inline(always)]
fn generate_pawns(board: &Board, threats: &Threats, emit: &mut impl FnMut(Step)) {
    let (empty, theirs) = (!threats.occupied, board.them.all());
    for from in board.us.pawns {
        let allowed = if threats.pinned.contains(from) {
            threats.answers & attacks::line(threats.king, from)
        } else {
            threats.answers
        };
        let step = from.bitboard().forward(Color::White) & empty;
        let double_step = (step & Rank::R3.bitboard()).forward(Color::White) & empty & allowed;
        let targets = (step | attacks::pawn(Color::White, from) & theirs) & allowed;
        for to in targets & !Rank::R8.bitboard() {
            emit(Step {
                from,
                to,
                kind: Kind::Pawn,
            });
        }
        for to in targets & Rank::R8.bitboard() {
            for kind in PROMOTIONS {
                emit(Step { from, to, kind });
            }
        }
        for to in double_step {
            emit(Step {
                from,
                to,
                kind: Kind::DoubleStep,
            });
        }
    }
}

fn generate_en_passant<S: Sliders>(
    board: &Board,
    threats: &Threats,
    sliders: S,
    emit: &mut impl FnMut(Step),
) {
    let victim = Bitboard(board.ep.0 >> 8);
    for from in board.ep.pawn_attacks(Color::Black) & board.us.pawns {
        if ep_is_safe(threats, from, board.ep, victim, &board.them, sliders) {
            for to in board.ep {
                emit(Step {
                    from,
                    to,
                    kind: Kind::EnPassant,
                });
            }
        }
    }
}
