//! Moves whose replies need not be counted one board at a time.
//!
//! Most moves change neither a check, nor a pin, nor a square that the other king could use. The
//! number of replies to such a move is the number there would be if the move were passed, corrected
//! by what the piece opens where it leaves, by what it closes where it arrives, and by the capture.
//! [`Forecasts`] hold these numbers for every square of a node, and the squares from and to which
//! they do not hold. `special` corrects them for pieces that hold another one or a square, and
//! `gather` collects the moves of a node.
//!
//! `us` are to move, up the board; `them` reply.

mod gather;
mod moves;
mod special;

pub(super) use gather::Gatherer;
pub(super) use moves::Moves;

use super::board::Board;
use super::lanes::Lanes;
use super::step::{DIAGONAL, KING, KNIGHT, PAWN, STRAIGHT};
use super::threats::Threats;
use crate::rules::attacks::Sliders;
use crate::rules::{Bitboard, File, Rank};
use moves::MoveGroup;

/// What is known of the replies at eight nodes, each seen from its own side.
pub(super) struct Forecasts {
    /// The number of replies if a move were passed.
    pub(super) replies: [u64; 8],
    /// For each node, two numbers for every square in binary, a bit in each set.
    ///
    /// The first [`MOBILITY_BITS`]: how many replies more there were if the square were empty
    /// instead of occupied by `us`; on a square of `them`, the replies of the piece there. Two are
    /// added everywhere.
    ///
    /// The other [`RECAPTURE_BITS`]: the replies that could take on a square of `them`.
    pub(super) planes: [[u64; 8]; MOBILITY_BITS + RECAPTURE_BITS],
    /// The squares of `us` that sliders of `them` attack in each direction.
    pub(super) hit: [[u64; 8]; 8],
    /// Squares that the king of `them` could use if one piece of `us` did not attack them.
    pub(super) once: [u64; 8],
    /// These pieces, but for pawns.
    pub(super) only: [u64; 8],
    /// Sliders that pin, and what they pin.
    pub(super) pinners: [u64; 8],
    pub(super) pinned: [u64; 8],
    /// The pieces whose moves `special` looks at: `only`, `pinners` and those that can move along a
    /// line on which they are hit.
    pub(super) special: [u64; 8],
    /// Moves from and to these squares are not forecast.
    pub(super) from: [u64; 8],
    pub(super) to: [u64; 8],
    /// Moves to these squares by each piece, in the order of [`PIECES`], are not forecast either.
    pub(super) to_by: [[u64; 8]; 6],
}

/// Numbers of 32 or more are left out.
pub(super) const MOBILITY_BITS: usize = 5;
/// Recaptures by eight pieces or more are left out, too.
pub(super) const RECAPTURE_BITS: usize = 3;

/// Pawn, knight, bishop, rook, queen, king, as kinds of steps.
const PIECES: [u8; 6] = [PAWN, KNIGHT, DIAGONAL, STRAIGHT, DIAGONAL | STRAIGHT, KING];

impl Forecasts {
    /// No moves are forecast.
    pub(super) const NONE: Self = Self {
        replies: [0; 8],
        planes: [[0; 8]; 8],
        hit: [[0; 8]; 8],
        once: [0; 8],
        only: [0; 8],
        pinners: [0; 8],
        pinned: [0; 8],
        special: [0; 8],
        from: [!0; 8],
        to: [!0; 8],
        to_by: [[!0; 8]; 6],
    };
}

/// One of several forecasts, with the node it is for.
pub(super) struct Forecast<'a, S> {
    all: &'a Forecasts,
    lane: usize,
    board: &'a Board,
    occupied: Bitboard,
    theirs: Bitboard,
    sliders: S,
}

impl<'a, S: Sliders> Forecast<'a, S> {
    #[inline(always)]
    pub(super) fn new(
        all: &'a Forecasts,
        lane: usize,
        board: &'a Board,
        threats: &Threats,
        sliders: S,
    ) -> Self {
        Self {
            all,
            lane,
            board,
            occupied: threats.occupied,
            theirs: threats.theirs,
            sliders,
        }
    }

    #[inline(always)]
    fn set(&self, part: &[u64; 8]) -> Bitboard {
        Bitboard(part[self.lane])
    }

    #[inline(always)]
    fn replies(&self) -> u64 {
        self.all.replies[self.lane]
    }

    /// Adds to `sum` the replies to the moves of several pieces; returns the targets that are not
    /// forecast.
    #[inline(always)]
    fn count_pieces<V: Lanes, const ROOM: usize>(
        &self,
        pieces: &MoveGroup<ROOM>,
        start: usize,
        sum: &mut V,
    ) -> V {
        let targets: V = MoveGroup::part(&pieces.targets, start);
        let left: V = MoveGroup::part(&pieces.left, start);
        let barred: V = MoveGroup::part(&pieces.barred, start);
        let all_barred = V::when(left & V::splat(self.set(&self.all.from).0), V::splat(!0));
        let [once_ahead, twice_ahead, behind] = self.around_pawns();
        let near_pawns = left.shl(8) & V::splat(once_ahead)
            | left.shl(16) & V::splat(twice_ahead)
            | left.shr(8) & V::splat(behind);
        let to = V::splat(self.set(&self.all.to).0);
        let barred = barred | to | near_pawns | all_barred;
        let known = targets & !barred;
        let moves = V::total(V::tally([known]));
        let each = self.mobility(left).add(V::splat(self.replies()));
        // A pawn that is taken attacked the piece that takes it: the end of that take is counted
        // with both.
        let (a, h) = (File::A.bitboard().0, File::H.bitboard().0);
        let attacked = (left & V::splat(!a)).shl(7) | (left & V::splat(!h)).shl(9);
        let twice = known & attacked & V::splat(self.board.them.pawns.0);
        *sum = sum
            .add(moves.times(each))
            .add(self.arrivals(known))
            .add(V::total(V::tally([twice])));
        targets & barred
    }

    /// Adds to `sum` the replies to moves of pawns that are forecast, or of castling: each leaves a
    /// square of its own.
    #[inline(always)]
    fn count_pawns<V: Lanes, const ROOM: usize>(
        &self,
        pawns: &MoveGroup<ROOM>,
        start: usize,
        sum: &mut V,
    ) {
        let known: V = MoveGroup::part(&pawns.targets, start);
        let left: V = MoveGroup::part(&pawns.left, start);
        let moves = V::total(V::tally([known]));
        // Squares that only this pawn attacked.
        let pawns_left = left & V::splat(self.board.us.pawns.0);
        let held = V::splat(self.set(&self.all.once).0);
        let (a, h) = (File::A.bitboard().0, File::H.bitboard().0);
        let freed_west = pawns_left & (held & V::splat(!h)).shr(7);
        let freed_east = pawns_left & (held & V::splat(!a)).shr(9);
        // As with pieces: moves ahead take no pawns.
        let twice = known & V::splat(self.board.them.pawns.0);
        *sum = sum
            .add(moves.times(V::splat(self.replies())))
            .add(self.mobility(left))
            .add(self.arrivals(known))
            .add(V::total(V::tally([freed_west, freed_east, twice])));
    }

    /// The sum of the mobility on these squares.
    #[inline(always)]
    fn mobility<V: Lanes>(&self, squares: V) -> V {
        let (mobility, _) = self.all.planes[self.lane].split_at(MOBILITY_BITS);
        binary_sum(mobility, squares)
    }

    /// The change in the number of replies by arriving on these squares, modulo 2^64.
    #[inline(always)]
    fn arrivals<V: Lanes>(&self, squares: V) -> V {
        let (_, recaptures) = self.all.planes[self.lane].split_at(MOBILITY_BITS);
        binary_sum(recaptures, squares).less(self.mobility(squares))
    }

    /// The targets one or two squares ahead, and one behind, that are not forecast because the
    /// squares left and reached concern the same pawn: a pawn that is taken stood before the piece,
    /// or both squares are those before a pawn that has not moved.
    #[inline(always)]
    fn around_pawns(&self) -> [u64; 3] {
        let pawns = self.board.them.pawns.0;
        let sevenths = pawns & Rank::R7.bitboard().0;
        [pawns | sevenths >> 8, sevenths, sevenths >> 16]
    }
}

/// The sum, over the squares of each lane, of numbers in binary, lowest bit first.
#[inline(always)]
fn binary_sum<V: Lanes>(planes: &[u64], squares: V) -> V {
    let mut tally = V::splat(0);
    for &plane in planes.iter().rev() {
        let ones = V::tally([squares & V::splat(plane)]);
        tally = tally.add(tally).add(ones);
    }
    V::total(tally)
}
