//! Many boards at once: the replies to several steps are counted by one stream of lane operations.
//!
//! At a node of depth 2 the steps of `us` are listed as bytes. A lane's board is the node's board
//! with the changes of one step applied by XOR; the replies of `them` are then counted in all lanes
//! at once, without branches. Where forecasts are made, only the steps that they leave are listed.
//! En passant of `us` and en passant replies are rare and counted one by one by [`super::scalar`],
//! as are castlings that are not forecast.
//!
//! The boards of a batch are made in `node`; `limits` finds checks and pins, `attacks` the squares
//! attacked and reached, `replies` counts, and `forecast` makes the forecasts. The algorithm is drawn in `docs/perft-kernel.md`, its
//! optimisations are described in `docs/perft-speed.md`.

mod attacks;
mod forecast;
mod limits;
mod node;
mod replies;

use node::{BoardsAfter, Node};
use replies::Analyses;

use arrayvec::ArrayVec;

use super::analysis::Analysis;
use super::board::Board;
use super::forecast::{Forecast, Forecasts, Gatherer};
use super::lanes::Lanes;
use super::movegen;
use super::scalar;
use super::scratch::{Lower, Scratch};
use crate::rules::File;
use crate::rules::attacks::Sliders;

/// Counts the leaf nodes three plies below `board`. Checks, pins and king steps of the children are
/// computed in lanes too.
#[inline(always)]
pub(super) fn count_leaves<V: Lanes, S: Sliders>(
    board: &Board,
    sliders: S,
    scratch: &mut Scratch,
) -> u64 {
    let Scratch { upper, lower } = scratch;
    let analysis = Analysis::new(board, sliders);
    let mut foreseen = V::splat(0);
    movegen::generate(board, &analysis, sliders, &mut upper.begin::<V>(board));
    let node = Node::<V>::new(board);
    let pieces = board.them.all().count();
    let can_foresee = pieces >= V::FEWEST_FORECAST && !may_castle_inside(board);
    let mut analyses = Analyses::default();
    let mut forecasts = Forecasts::NONE;
    let mut sum = 0_u64;
    // One loop for all kinds of steps, so that the two-ply code is instantiated only once.
    for index in 0..upper.count() {
        let rest = index.checked_sub(upper.plain.count);
        let lane = rest.unwrap_or(index) % V::WIDTH;
        if lane == 0 {
            let after = if rest.is_none() {
                node.play::<false>(&upper.plain, index)
            } else {
                let last = upper.count().min(index + V::WIDTH);
                let boards = (index..last).map(|index| upper.child(board, index));
                BoardsAfter::from_boards(&boards.collect::<ArrayVec<Board, 8>>())
            };
            analyses = node.analyse(&after, rest.is_some());
            if can_foresee {
                forecasts = node.forecast(&after, rest.is_some());
            }
        }
        let child = upper.child(board, index).turned();
        let analysis = analyses.analysis(lane, &child);
        let forecast = Forecast::new(&forecasts, lane, &child, &analysis.threats, sliders);
        let forecast = can_foresee.then_some(&forecast);
        let count = count_two_plies(&child, &analysis, forecast, &mut foreseen, sliders, lower);
        sum = sum.wrapping_add(count);
    }
    sum.wrapping_add(foreseen.sum())
}

/// Counts the leaf nodes two plies below `board`, modulo 2^64: the sum of the result and of what is
/// added to `foreseen`.
#[inline(always)]
fn count_two_plies<V: Lanes, S: Sliders>(
    board: &Board,
    analysis: &Analysis,
    forecast: Option<&Forecast<'_, S>>,
    foreseen: &mut V,
    sliders: S,
    lower: &mut Lower,
) -> u64 {
    let Lower { listing, moves } = lower;
    let mut others = listing.begin::<V>(board);
    let mut sum = 0;
    match forecast {
        None => movegen::generate(board, analysis, sliders, &mut others),
        Some(forecast) => {
            let mut gatherer = Gatherer::new(forecast, moves, others);
            movegen::generate(board, analysis, sliders, &mut gatherer);
            sum = gatherer.count(foreseen);
        }
    }
    for &step in &listing.others {
        sum = sum.wrapping_add(scalar::count_moves::<false, S>(&board.after(step), sliders));
    }
    for &step in &listing.passing {
        sum = sum.wrapping_add(scalar::count_replies_en_passant(
            &board.after(step),
            sliders,
        ));
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
    sum.wrapping_add(counts.sum())
}

/// Whether `us` may castle with a rook off the edge, as in Chess960: its moves may uncover attacks,
/// which no forecast covers.
#[inline(always)]
fn may_castle_inside(board: &Board) -> bool {
    let edges = File::A.bitboard() | File::H.bitboard();
    (board.castling & board.us.straight).intersects(!edges)
}
