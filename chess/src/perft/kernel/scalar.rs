//! One board at a time.

use super::analysis::Analysis;
use super::board::{Army, Board};
use super::lanes::Portable;
use super::listing::Listing;
use super::movegen;
use super::scratch::Scratch;
use super::threats::{Threats, castling_rooks, color, ep_is_safe, king_steps};
use crate::rules::attacks::{self, Sliders};
use crate::rules::{Bitboard, Rank};

/// Counts the leaf nodes three plies below `board`.
#[inline(always)]
pub(super) fn count_leaves<S: Sliders>(board: &Board, sliders: S, scratch: &mut Scratch) -> u64 {
    let Scratch { upper, lower } = scratch;
    let lower = &mut lower.listing;
    let analysis = Analysis::new(board, sliders);
    movegen::generate(
        board,
        &analysis,
        sliders,
        &mut upper.begin::<Portable>(board),
    );
    let mut sum = 0;
    for index in 0..upper.count() {
        let child = upper.child(board, index).turned();
        sum += count_two_plies(&child, &Analysis::new(&child, sliders), sliders, lower);
    }
    sum
}

/// Counts the leaf nodes two plies below `board`: the replies to each step.
#[inline(always)]
pub(super) fn count_two_plies<S: Sliders>(
    board: &Board,
    analysis: &Analysis,
    sliders: S,
    listing: &mut Listing,
) -> u64 {
    movegen::generate(
        board,
        analysis,
        sliders,
        &mut listing.begin::<Portable>(board),
    );
    let mut sum = 0;
    for index in 0..listing.count() {
        sum += count_moves::<false, S>(&listing.child(board, index), sliders);
    }
    sum
}

/// Counts the legal moves of `us` (`UP`) or, after a step of `us`, those of `them`.
#[inline(always)]
pub(super) fn count_moves<const UP: bool, S: Sliders>(board: &Board, sliders: S) -> u64 {
    let (mover, enemy) = if UP {
        (&board.us, &board.them)
    } else {
        (&board.them, &board.us)
    };
    let threats = Threats::find::<UP, S>(mover, enemy, sliders);
    let mut count = king_steps::<UP, S>(&threats, mover, enemy, sliders).count();
    // In double check, only the king can move.
    if threats.checkers.has_several() {
        return u64::from(count);
    }
    if threats.checkers.is_empty() && board.castling.intersects(mover.straight) {
        count += castling_rooks::<UP, S>(&threats, board.castling, mover, enemy, sliders).count();
    }
    count += count_pieces(&threats, mover, sliders);
    count += count_pawns::<UP>(&threats, mover, enemy);
    if !board.ep.is_empty() {
        count += count_en_passant::<UP, S>(board.ep, mover, enemy, sliders);
    }
    u64::from(count)
}

/// Counts the en passant replies of `them` after a double step of `us`.
#[inline(always)]
pub(super) fn count_replies_en_passant<S: Sliders>(board: &Board, sliders: S) -> u64 {
    u64::from(count_en_passant::<false, S>(
        board.ep,
        &board.them,
        &board.us,
        sliders,
    ))
}

#[inline(always)]
fn count_pieces<S: Sliders>(threats: &Threats, mover: &Army, sliders: S) -> u32 {
    let (occupied, pinned) = (threats.occupied, threats.pinned);
    let targets = threats.answers & !mover.all();
    let mut count = 0;
    for from in mover.knights & !pinned {
        count += (attacks::knight(from) & targets).count();
    }
    for from in mover.diagonal & !pinned {
        count += (sliders.bishop(from, occupied) & targets).count();
    }
    for from in mover.straight & !pinned {
        count += (sliders.rook(from, occupied) & targets).count();
    }
    for from in mover.diagonal & pinned {
        let line = attacks::line(threats.king, from);
        count += (sliders.bishop(from, occupied) & targets & line).count();
    }
    for from in mover.straight & pinned {
        let line = attacks::line(threats.king, from);
        count += (sliders.rook(from, occupied) & targets & line).count();
    }
    count
}

#[inline(always)]
fn count_pawns<const UP: bool>(threats: &Threats, mover: &Army, enemy: &Army) -> u32 {
    let (empty, theirs) = (!threats.occupied, enemy.all());
    let count_set = |pawns: Bitboard, allowed: Bitboard| {
        let ahead = pawns.forward(color(UP));
        let step = ahead & empty;
        let third_rank = Rank::R3.relative_to(color(UP)).bitboard();
        let double_step = (step & third_rank).forward(color(UP)) & empty & allowed;
        let (step, takes) = (step & allowed, theirs & allowed);
        let (west, east) = (ahead.west() & takes, ahead.east() & takes);
        let last_rank = Rank::R8.relative_to(color(UP)).bitboard();
        let mut count = step.count() + double_step.count() + west.count() + east.count();
        if ahead.intersects(last_rank) {
            let promoting = [step, west, east].map(|set| (set & last_rank).count());
            count += 3 * promoting.into_iter().sum::<u32>();
        }
        count
    };
    let mut count = count_set(mover.pawns & !threats.pinned, threats.answers);
    for from in mover.pawns & threats.pinned {
        let line = attacks::line(threats.king, from);
        count += count_set(from.bitboard(), threats.answers & line);
    }
    count
}

#[inline(always)]
fn count_en_passant<const UP: bool, S: Sliders>(
    ep: Bitboard,
    mover: &Army,
    enemy: &Army,
    sliders: S,
) -> u32 {
    let mut count = 0;
    for from in ep.pawn_attacks(color(!UP)) & mover.pawns {
        count += u32::from(ep_is_safe::<UP, S>(from, ep, mover, enemy, sliders));
    }
    count
}
