//! Many boards at once: the replies to several steps are counted by one stream of lane operations.
//!
//! At a node of depth 2 the steps of `us` are listed as bytes. A lane's board is the node's board
//! with the changes of one step applied by XOR; the replies of `them` are then counted in all lanes
//! at once, without branches. Castling and en passant of `us`, and en passant replies, are rare and
//! counted one by one by [`super::scalar`].
//!
//! The boards of a batch are made in `node`; `limits` finds checks and pins, `attacks` the squares
//! attacked and reached, and `replies` counts. The algorithm is drawn in `docs/perft-kernel.md`, its
//! optimisations are described in `docs/perft-speed.md`.

mod attacks;
mod limits;
mod node;
mod replies;

use node::Node;
use replies::Analyses;

use super::analysis::Analysis;
use super::board::Board;
use super::lanes::Lanes;
use super::listing::{Listing, Scratch};
use super::movegen;
use super::scalar;
use crate::rules::attacks::Sliders;
use crate::rules::{Bitboard, File};

/// Counts the leaf nodes two or three plies below `board`. With three plies, checks, pins and king
/// steps of the children are computed in lanes too.
#[inline(always)]
pub(super) fn count_leaves<V: Lanes, S: Sliders>(
    board: &Board,
    depth: u32,
    sliders: S,
    scratch: &mut Scratch,
) -> u64 {
    let Scratch { upper, lower } = scratch;
    let analysis = Analysis::of(board, sliders);
    if depth == 2 {
        return count_two_plies::<V, S>(board, &analysis, sliders, lower);
    }
    movegen::generate(board, &analysis, sliders, &mut upper.begin::<V>(board));
    let node = Node::<V>::new(board);
    let mut analyses = Analyses::default();
    let mut sum = 0;
    // One loop for all kinds of steps, so that the two-ply code is instantiated only once.
    for index in 0..upper.count() {
        let child = upper.child(board, index).turned();
        let analysis = if index < upper.plain.count {
            let lane = index % V::WIDTH;
            if lane == 0 {
                analyses = node.analyse::<false>(&upper.plain, index);
            }
            analyses.of(lane, &child)
        } else {
            Analysis::of(&child, sliders)
        };
        sum += count_two_plies::<V, S>(&child, &analysis, sliders, lower);
    }
    sum
}

/// Counts the leaf nodes two plies below `board`.
#[inline(always)]
fn count_two_plies<V: Lanes, S: Sliders>(
    board: &Board,
    analysis: &Analysis,
    sliders: S,
    listing: &mut Listing,
) -> u64 {
    if castling_can_uncover(board) {
        return scalar::count_two_plies(board, analysis, sliders, listing);
    }
    movegen::generate(board, analysis, sliders, &mut listing.begin::<V>(board));
    let mut sum = 0;
    for &step in &listing.others {
        sum += scalar::count_moves::<false, S>(&board.after(step), sliders);
    }
    for &step in &listing.passing {
        sum += scalar::count_replies_en_passant(&board.after(step), sliders);
    }
    let node = Node::<V>::new(board);
    let mut counts = V::splat(0);
    let (plain, promotions) = (&listing.plain, &listing.promotions);
    for start in (0..plain.count).step_by(V::WIDTH) {
        let count = node.count_replies::<false>(plain, start);
        counts = counts.add(count.first(plain.count - start));
    }
    for start in (0..promotions.count).step_by(V::WIDTH) {
        let count = node.count_replies::<true>(promotions, start);
        counts = counts.add(count.first(promotions.count - start));
    }
    sum + counts.sum()
}

/// Whether `them` may castle with a rook that is not on the edge of the board: only such a rook can
/// uncover an attack on its king along the rank when it leaves.
#[inline(always)]
fn castling_can_uncover(board: &Board) -> bool {
    let edges = File::A.bitboard() | File::H.bitboard();
    (board.castling & board.them.straight & !edges) != Bitboard::EMPTY
}
