//! The hand-crafted evaluation of profile `Touchstone`: tapered and linear in its weights.
//!
//! One [`Walk`] over a position passes each side's count of every term to a [`Sink`](sink::Sink).
//! Scores, traces and tuning coefficients differ only in the sink, so they always agree. `layout`
//! declares the terms, `weights` contains only their numbers; `docs/texel.md` describes each term
//! and the origin of its idea.
//!
//! The network uses only the end-game scale of this module. There is no search here, and no
//! end-game knowledge beyond the few draws in `scale`.

mod cache;
mod king;
mod layout;
mod pawns;
mod pieces;
mod scale;
mod sink;
mod threats;
mod view;
mod weights;

pub(super) use cache::PawnCache;
pub use layout::Field;
pub use sink::Coefficients;

use cache::{Afresh, PawnSource};
use layout::Term;
use pawns::Structure;
use sink::{Counts, Ledger, Sink, Sum};
use view::View;

use super::{Cache, Evaluation, Phased, Row, Taper, Trace};
use chess::rules::attacks::Sliders;
use chess::rules::cpu::{self, CpuSliders, Multiversioned};
use chess::rules::{ByColor, Color, PieceType, Position};

/// The hand-crafted evaluation with tuned weights.
///
/// ```
/// use engine::eval::{Evaluation, Touchstone};
/// use chess::rules::Position;
///
/// // All is equal except the right to move, which is worth something.
/// let position = Position::startpos();
/// assert!(Touchstone.evaluate(&position) > 0);
/// println!("{}", Touchstone.trace(&position));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touchstone;

impl Touchstone {
    /// The position of each term's weights in [`Touchstone::weights`], in order and without gaps.
    pub fn fields() -> &'static [Field] {
        &layout::ALL_FIELDS
    }

    /// The weights in centipawns, flat.
    pub fn weights() -> Vec<Phased> {
        layout::FLAT.to_vec()
    }

    /// The coefficients of a position, from White's point of view.
    pub fn coefficients(position: &Position) -> Coefficients {
        let Counts(counts) = cpu::with_sliders(Walk(position, Counts::default(), Afresh));
        let (_, scale) = judge(position, Afresh);
        Coefficients::new(middle_game_parts(position), scale, &counts)
    }
}

impl Evaluation for Touchstone {
    #[inline(always)]
    fn evaluate_cached(&self, position: &Position, _ply: usize, cache: &mut Cache) -> i32 {
        for_mover(position, &mut cache.pawns)
    }

    #[inline(always)]
    fn evaluate(&self, position: &Position) -> i32 {
        for_mover(position, Afresh)
    }

    fn trace(&self, position: &Position) -> Trace {
        let ledger = cpu::with_sliders(Walk(position, Ledger::default(), Afresh));
        let (_, scale) = judge(position, Afresh);
        Trace::new(
            "Touchstone, by terms",
            ledger.into_rows(),
            taper(position),
            position.side_to_move(),
        )
        .scaled(scale)
    }
}

#[inline(always)]
fn for_mover(position: &Position, pawns: impl PawnSource<Sum>) -> i32 {
    let (white, _) = judge(position, pawns);
    seen_by(position.side_to_move(), white)
}

/// Converts between White's and a side's point of view.
#[inline(always)]
const fn seen_by(side: Color, value: i32) -> i32 {
    match side {
        Color::White => value,
        Color::Black => -value,
    }
}

/// Scales a phase-independent score for the side to move: lower in drawish end games.
#[inline(always)]
pub(super) fn faded(position: &Position, value: i32) -> i32 {
    let scale = scale_of(position, seen_by(position.side_to_move(), value));
    taper(position).blend_scaled(Phased::both(value), scale)
}

/// The end-game scale, in 64ths, of a phase-independent score for White.
#[inline(always)]
fn scale_of(position: &Position, white: i32) -> u8 {
    let strong = if white < 0 {
        Color::Black
    } else {
        Color::White
    };
    scale::scale(position, strong)
}

/// A trace of a network score before [scaling](faded). The network does not attribute it to the
/// sides, so all of it is shown for the side that is ahead.
pub(super) fn trace_network(position: &Position, value: i32) -> Trace {
    let mover = position.side_to_move();
    let white = seen_by(mover, value);
    let ahead = if white < 0 {
        Color::Black
    } else {
        Color::White
    };
    let mut sides = ByColor([Phased::both(0); 2]);
    sides[ahead] = Phased::both(white.abs());
    let rows = vec![Row {
        name: "network",
        sides,
    }];
    let scale = scale_of(position, white);
    Trace::new("Touchstone, by network", rows, taper(position), mover).scaled(scale)
}

/// The balance for White, and the end-game scale in 64ths.
#[inline(always)]
fn judge(position: &Position, pawns: impl PawnSource<Sum>) -> (i32, u8) {
    cpu::with_sliders(Judgement(position, pawns))
}

/// An evaluated walk, compiled for the CPU as a whole because it counts many bits.
struct Judgement<'a, P>(&'a Position, P);

impl<P: PawnSource<Sum>> Multiversioned for Judgement<'_, P> {
    type Output = (i32, u8);

    #[inline(always)]
    fn run<S: CpuSliders>(self, sliders: S) -> (i32, u8) {
        let Self(position, pawns) = self;
        let Sum(sum) = Walk(position, Sum::default(), pawns).run(sliders);
        let value = sum.unpack();
        let scale = scale_of(position, value.end_game);
        (taper(position).blend_scaled(value, scale), scale)
    }
}

/// The phase: knights and bishops weigh 1, rooks 2, queens 4; the pieces of the start position give
/// the full middle game.
#[inline(always)]
fn taper(position: &Position) -> Taper {
    Taper::middle_game(u32::from(middle_game_parts(position)))
}

#[inline(always)]
fn middle_game_parts(position: &Position) -> u8 {
    let count = |kind| position.by_type(kind).count();
    let parts = count(PieceType::Knight)
        + count(PieceType::Bishop)
        + 2 * count(PieceType::Rook)
        + 4 * count(PieceType::Queen);
    u8::try_from(parts.min(Taper::WHOLE)).expect("at most the whole")
}

/// A walk over a position that passes every term to a sink and returns the sink.
struct Walk<'a, K, P>(&'a Position, K, P);

impl<K: Sink, P: PawnSource<K>> Multiversioned for Walk<'_, K, P> {
    type Output = K;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> K {
        let Self(position, mut sink, pawns) = self;
        let [white, black] = Color::ALL;
        let mut view = View::new(position);
        pieces::value(&mut view, white, sliders, &mut sink);
        pieces::value(&mut view, black, sliders, &mut sink);
        let structure = pawns.structure(&view, &mut sink);
        value_side(&view, white, structure[white], sliders, &mut sink);
        value_side(&view, black, structure[black], sliders, &mut sink);
        sink.add(Term::Tempo, 0, position.side_to_move(), 1);
        sink
    }
}

/// Adds the terms of one side that need the attacks of both.
#[inline(always)]
fn value_side<S: Sliders>(
    view: &View,
    color: Color,
    structure: Structure,
    sliders: S,
    sink: &mut impl Sink,
) {
    pawns::value_passed(view, structure.passed, color, sliders, sink);
    king::value(view, color, structure.open_files, sliders, sink);
    threats::value(view, color, sink);
    scale::mop_up(view, color, sink);
}
