//! The kernels' legal move generator for `us`.

use super::analysis::Analysis;
use super::board::Board;
use super::step::{Sink, StepKind};
use super::threats::{Threats, ep_is_safe};
use crate::rules::attacks::{self, Sliders};
use crate::rules::{Bitboard, Color, Rank, Square};

/// Passes every legal move of `us` to `sink`.
#[inline(always)]
pub(super) fn generate<S: Sliders>(
    board: &Board,
    analysis: &Analysis,
    sliders: S,
    sink: &mut impl Sink,
) {
    let us = &board.us;
    let Analysis {
        threats,
        king_steps,
        castling,
    } = analysis;
    sink.piece(StepKind::King, threats.king, *king_steps);
    if threats.checkers.has_several() {
        return;
    }
    if !castling.is_empty() {
        sink.piece(StepKind::Castle, threats.king, *castling);
    }
    generate_pieces(board, threats, sliders, sink);
    // First those that are not pinned, together, then each that is.
    let (mut pawns, mut allowed) = (us.pawns & !threats.pinned, threats.answers);
    let mut pinned = us.pawns & threats.pinned;
    loop {
        generate_pawns(threats, pawns, allowed, sink);
        let Some(from) = pinned.first() else {
            break;
        };
        pawns = from.bitboard();
        allowed = threats.answers & attacks::line(threats.king, from);
        pinned ^= pawns;
    }
    if !board.ep.is_empty() {
        generate_en_passant(board, sliders, sink);
    }
}

#[inline(always)]
fn generate_pieces<S: Sliders>(board: &Board, threats: &Threats, sliders: S, sink: &mut impl Sink) {
    let us = &board.us;
    let targets = threats.answers & !(threats.occupied ^ threats.theirs);
    let allowed = |from: Square| {
        if threats.pinned.contains(from) {
            targets & attacks::line(threats.king, from)
        } else {
            targets
        }
    };
    let queens = us.diagonal & us.straight;
    for from in us.knights & !threats.pinned {
        sink.piece(StepKind::Knight, from, attacks::knight(from) & targets);
    }
    for from in us.diagonal & !queens {
        let reached = sliders.bishop(from, threats.occupied);
        sink.piece(StepKind::Bishop, from, reached & allowed(from));
    }
    for from in us.straight & !queens {
        let reached = sliders.rook(from, threats.occupied);
        sink.piece(StepKind::Rook, from, reached & allowed(from));
    }
    for from in queens {
        let (occupied, allowed) = (threats.occupied, allowed(from));
        let reached = sliders.bishop(from, occupied) | sliders.rook(from, occupied);
        sink.piece(StepKind::Queen, from, reached & allowed);
    }
}

/// Steps and captures of the given pawns to the allowed squares.
#[inline(always)]
fn generate_pawns(threats: &Threats, pawns: Bitboard, allowed: Bitboard, sink: &mut impl Sink) {
    let (empty, takes) = (!threats.occupied, threats.theirs & allowed);
    let last = Rank::R8.bitboard();
    let ahead = pawns.forward(Color::White);
    let step = ahead & empty;
    let double_step = (step & Rank::R3.bitboard()).forward(Color::White) & empty & allowed;
    for (targets, back) in [
        (step & allowed, 8),
        (ahead.west() & takes, 7),
        (ahead.east() & takes, 9),
    ] {
        sink.pawns(StepKind::Pawn, targets & !last, back);
        if targets.intersects(last) {
            sink.promotions(targets & last, back);
        }
    }
    sink.pawns(StepKind::DoubleStep, double_step, 16);
}

#[inline(always)]
fn generate_en_passant<S: Sliders>(board: &Board, sliders: S, sink: &mut impl Sink) {
    for from in board.ep.pawn_attacks(Color::Black) & board.us.pawns {
        if ep_is_safe::<true, S>(from, board.ep, &board.us, &board.them, sliders) {
            sink.piece(StepKind::EnPassant, from, board.ep);
        }
    }
}
