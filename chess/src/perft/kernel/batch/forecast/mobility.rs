//! What the pieces of `us` may do were a move of `them` passed, and what moves change in it.

use super::zone::knight_moves;
use crate::perft::kernel::batch::attacks::off;
use crate::perft::kernel::batch::node::{BoardsAfter, Node};
use crate::perft::kernel::forecast::{MOBILITY_BITS, RECAPTURE_BITS};
use crate::perft::kernel::lanes::Lanes;
use crate::perft::kernel::rays::{
    self, EAST, NORTH, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, SOUTH_WEST, WEST,
};
use crate::rules::{File, Rank};

pub(super) struct Mobility<V> {
    /// Tally of the replies, without the king's.
    pub(super) replies: V,
    /// For each square, in binary, the replies gained if it is left by `them`, which are those lost
    /// if it is occupied, with two added; on squares of `us`, what the piece there may do, with two
    /// added.
    pub(super) planes: [V; MOBILITY_BITS],
    /// For each square of `us`, in binary, the replies that could take a piece there.
    pub(super) recaptures: [V; RECAPTURE_BITS],
    /// Squares whose numbers have no room.
    pub(super) beyond: V,
    /// The squares of `them` that sliders attack in each direction.
    pub(super) hit: [V; 8],
    /// Moves from and to these squares change more than can be foreseen.
    pub(super) from: V,
    pub(super) to: V,
}

/// The pieces of `us` pinned on no line, on a rank, a file, a diagonal, an anti-diagonal.
#[derive(Clone, Copy)]
struct Pins<V> {
    free: V,
    on: [V; 4],
}

impl<V: Lanes> Mobility<V> {
    /// `promoted`: a piece may be of a kind that the node's board lacks.
    #[inline(always)]
    pub(super) fn new(
        node: &Node<V>,
        after: &BoardsAfter<V>,
        pinned: [V; 4],
        promoted: bool,
    ) -> Self {
        let none = V::splat(0);
        let mut mobility = Self {
            replies: none,
            planes: [none; MOBILITY_BITS],
            recaptures: [none; RECAPTURE_BITS],
            beyond: none,
            hit: [none; 8],
            from: none,
            to: none,
        };
        let [rank, file, diagonal, anti_diagonal] = pinned;
        let pins = Pins {
            free: !(rank | file | diagonal | anti_diagonal),
            on: pinned,
        };
        let us = &node.board.us;
        if promoted || !us.straight.is_empty() {
            let sliders = after.us.straight;
            mobility.slide::<EAST, WEST>(sliders, after, pins);
            mobility.slide::<WEST, EAST>(sliders, after, pins);
            mobility.slide::<NORTH, SOUTH>(sliders, after, pins);
            mobility.slide::<SOUTH, NORTH>(sliders, after, pins);
        }
        if promoted || !us.diagonal.is_empty() {
            let sliders = after.us.diagonal;
            mobility.slide::<NORTH_EAST, SOUTH_WEST>(sliders, after, pins);
            mobility.slide::<SOUTH_WEST, NORTH_EAST>(sliders, after, pins);
            mobility.slide::<NORTH_WEST, SOUTH_EAST>(sliders, after, pins);
            mobility.slide::<SOUTH_EAST, NORTH_WEST>(sliders, after, pins);
        }
        if promoted || !us.knights.is_empty() {
            mobility.knights(after, pins);
        }
        mobility.pawns(after, pins);
        mobility
    }

    /// What the sliders reach in one direction, and how much is beyond each square.
    #[inline(always)]
    fn slide<const WAY: usize, const BACK: usize>(
        &mut self,
        sliders: V,
        after: &BoardsAfter<V>,
        pins: Pins<V>,
    ) {
        let (us, empty) = (after.enemies, after.empty);
        let sliders = sliders & (pins.free | pins.on[WAY / 2]);
        let reached = rays::attacks::<V, WAY>(sliders, empty);
        self.reply(reached & !us);
        self.hit[WAY] = reached & after.own;
        self.recapture(reached & us);
        // Squares with at least one, two, ... targets beyond them.
        let mut beyond = [rays::step::<V, BACK>(!us); 7];
        for steps in 1..7 {
            beyond[steps] = rays::step::<V, BACK>(empty & beyond[steps - 1]);
        }
        let [one, two, three, four, five, six, seven] = beyond;
        let at = reached & !us | sliders;
        self.gain_number([
            at & (one & !two | three & !four | five & !six | seven),
            at & (two & !four | six),
            at & four,
        ]);
    }

    #[inline(always)]
    fn knights(&mut self, after: &BoardsAfter<V>, pins: Pins<V>) {
        let us = after.enemies;
        let knights = after.us.knights & pins.free;
        let reached = knight_moves(knights);
        let origins = knight_moves(!us);
        for way in 0..8 {
            self.reply(reached[way] & !us);
            self.recapture(reached[way] & us);
            self.gain(knights & origins[way]);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, after: &BoardsAfter<V>, pins: Pins<V>) {
        let (us, them, empty) = (after.enemies, after.own, after.empty);
        let pawns = after.us.pawns;
        let [_, on_file, on_diagonal, on_anti_diagonal] = pins.on;
        let (a, h) = (File::A.bitboard(), File::H.bitboard());
        let third = V::splat(Rank::R3.bitboard().0);
        let last = V::splat(Rank::R8.bitboard().0);
        let pushers = pawns & (pins.free | on_file);
        let ahead = pushers.shl(8);
        let step = ahead & empty;
        let second = (step & third).shl(8) & !us;
        let double_step = second & empty;
        let west = (pawns & (pins.free | on_anti_diagonal) & off(a)).shl(7);
        let east = (pawns & (pins.free | on_diagonal) & off(h)).shl(9);
        let (takes_west, takes_east) = (west & them, east & them);
        let moves = V::tally([step, double_step, takes_west, takes_east]);
        // Promotions count fourfold.
        let promotions = V::tally([step & last, takes_west & last, takes_east & last]);
        let thrice = promotions.add(promotions).add(promotions);
        self.replies = self.replies.add(moves).add(thrice);
        // Steps that a square in front of a pawn stops; in the same numbers, what the pawns of `us`
        // may do.
        self.gain(ahead & !us | pushers & empty.shr(8));
        self.gain(ahead & third & empty.shr(8) & !us | double_step.shr(16));
        self.gain(second | takes_west.shr(7));
        self.gain(takes_east.shr(9));
        // Takes that end when the square is left: two less two.
        self.gain(us | !west);
        self.gain(us | !east);
        self.recapture(west & us);
        self.recapture(east & us);
        let promoting = (ahead | west | east) & last;
        self.from = promoting & them;
        self.to = promoting | pawns & V::splat(Rank::R7.bitboard().0);
    }

    #[inline(always)]
    fn reply(&mut self, targets: V) {
        self.replies = self.replies.add(V::tally([targets]));
    }

    #[inline(always)]
    fn gain(&mut self, squares: V) {
        let beyond = carry(&mut self.planes, 0, squares);
        self.beyond = self.beyond | beyond;
    }

    /// Adds numbers of three bits.
    #[expect(
        clippy::needless_range_loop,
        reason = "iterators need not be inlined, see `Lanes`"
    )]
    #[inline(always)]
    fn gain_number(&mut self, number: [V; 3]) {
        let mut carried = V::splat(0);
        for bit in 0..3 {
            let (a, b) = (self.planes[bit], number[bit]);
            self.planes[bit] = a ^ b ^ carried;
            carried = a & b | a & carried | b & carried;
        }
        let beyond = carry(&mut self.planes, 3, carried);
        self.beyond = self.beyond | beyond;
    }

    #[inline(always)]
    fn recapture(&mut self, squares: V) {
        let beyond = carry(&mut self.recaptures, 0, squares);
        self.beyond = self.beyond | beyond;
    }
}

/// Adds a bit to numbers in binary; returns the squares where there is no room for the sum.
#[expect(
    clippy::needless_range_loop,
    reason = "iterators need not be inlined, see `Lanes`"
)]
#[inline(always)]
fn carry<V: Lanes, const BITS: usize>(planes: &mut [V; BITS], from: usize, squares: V) -> V {
    let mut carried = squares;
    for bit in from..BITS {
        let plane = planes[bit];
        planes[bit] = plane ^ carried;
        carried = plane & carried;
    }
    carried
}
