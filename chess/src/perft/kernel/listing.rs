//! Moves as bytes, listed many at a time.

use arrayvec::ArrayVec;

use super::board::Board;
use super::lanes::Lanes;
use super::step::{
    DIAGONAL, DOUBLE_STEP, KING, KNIGHT, PAWN, STRAIGHT, Sink, Step, StepKind, behind,
};
use crate::rules::{Bitboard, MAX_MOVES, Square};

/// Room for every move and for a whole register beyond the last.
const ROOM: usize = MAX_MOVES + 64;

/// Steps as structure of arrays of bytes, so that one load fills the lanes. Bytes beyond `count`
/// are undefined.
pub(super) struct Bytes {
    from: [u8; ROOM],
    to: [u8; ROOM],
    kind: [u8; ROOM],
    pub(super) count: usize,
}

impl Bytes {
    const fn new() -> Self {
        Self {
            from: [0; ROOM],
            to: [0; ROOM],
            kind: [0; ROOM],
            count: 0,
        }
    }

    /// Origin, target and kind of eight steps from `start` on.
    #[inline(always)]
    pub(super) fn eight(&self, start: usize) -> [[u8; 8]; 3] {
        let part = |bytes: &[u8; ROOM]| {
            *bytes[start..]
                .first_chunk()
                .expect("there is room beyond the last step")
        };
        [part(&self.from), part(&self.to), part(&self.kind)]
    }

    /// The board after a step, not turned. With `PROMOTE`, pawns arrive as the piece given by their
    /// kind.
    #[inline(always)]
    fn board_after<const PROMOTE: bool>(&self, board: &Board, index: usize) -> Board {
        let from = Square::from_low_bits(u32::from(self.from[index]));
        let to = Square::from_low_bits(u32::from(self.to[index]));
        board.after_bits::<PROMOTE>(from, to, self.kind[index])
    }

    #[inline(always)]
    fn push(&mut self, from: Square, to: Square, kind: u8) {
        self.from[self.count] = from as u8;
        self.to[self.count] = to as u8;
        self.kind[self.count] = kind;
        self.count += 1;
    }

    /// Adds steps to each of the targets (at most `MOST`), all from one square, or each from the
    /// square whose index is `back` less.
    #[inline(always)]
    fn extend<V: Lanes, const MOST: usize>(&mut self, kind: u8, targets: Bitboard, from: Origin) {
        if !V::LISTS {
            for to in targets {
                let from = match from {
                    Origin::Square(square) => square,
                    Origin::Back(back) => behind(to, back),
                };
                self.push(from, to, kind);
            }
            return;
        }
        let room = self.count..self.count + MOST;
        let to = Self::part::<MOST>(&mut self.to, room.clone());
        V::indices(targets.0, to);
        let origins = Self::part::<MOST>(&mut self.from, room.clone());
        match from {
            Origin::Square(square) => origins.fill(square as u8),
            Origin::Back(back) => {
                for (origin, to) in origins.iter_mut().zip(to) {
                    *origin = to.wrapping_sub(back);
                }
            }
        }
        Self::part::<MOST>(&mut self.kind, room).fill(kind);
        self.count += targets.count() as usize;
    }

    #[inline(always)]
    fn part<const MOST: usize>(
        bytes: &mut [u8; ROOM],
        room: std::ops::Range<usize>,
    ) -> &mut [u8; MOST] {
        (&mut bytes[room]).try_into().expect("there is room")
    }
}

/// The origin of steps listed together.
#[derive(Clone, Copy)]
enum Origin {
    Square(Square),
    /// From the square whose index is less by this number.
    Back(u8),
}

/// The steps of one node, grouped by how they are made.
pub(super) struct Listing {
    /// Ordinary moves and captures.
    pub(super) plain: Bytes,
    /// Promotions.
    pub(super) promotions: Bytes,
    /// Castling and en passant.
    pub(super) others: ArrayVec<Step, 4>,
    /// The plain double steps that can be answered en passant.
    pub(super) passing: ArrayVec<Step, 8>,
}

impl Listing {
    pub(super) const fn new() -> Self {
        Self {
            plain: Bytes::new(),
            promotions: Bytes::new(),
            others: ArrayVec::new_const(),
            passing: ArrayVec::new_const(),
        }
    }

    /// Number of steps listed.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.plain.count + self.promotions.count + self.others.len()
    }

    /// The board after a step, not turned. The plain steps come first, in their order.
    #[inline(always)]
    pub(super) fn child(&self, board: &Board, index: usize) -> Board {
        let Some(beyond_plain) = index.checked_sub(self.plain.count) else {
            return self.plain.board_after::<false>(board, index);
        };
        match beyond_plain.checked_sub(self.promotions.count) {
            None => self.promotions.board_after::<true>(board, beyond_plain),
            Some(other) => board.after(self.others[other]),
        }
    }

    /// Clears the listing and returns a sink that lists the steps of `board`.
    #[inline(always)]
    pub(super) fn begin<'a, V>(&'a mut self, board: &'a Board) -> Lister<'a, V> {
        self.plain.count = 0;
        self.promotions.count = 0;
        self.others.clear();
        self.passing.clear();
        Lister {
            listing: self,
            enemies: board.them.pawns,
            lanes: std::marker::PhantomData,
        }
    }
}

/// Lists steps using the lanes' bit enumeration.
pub(super) struct Lister<'a, V> {
    listing: &'a mut Listing,
    /// The pawns that could answer a double step en passant.
    enemies: Bitboard,
    lanes: std::marker::PhantomData<V>,
}

impl<V> Lister<'_, V> {
    /// Notes the double steps that can be answered en passant.
    #[inline(always)]
    pub(super) fn passing(&mut self, targets: Bitboard, back: u8) {
        for to in targets & (self.enemies.east() | self.enemies.west()) {
            self.listing.passing.push(Step {
                from: behind(to, back),
                to,
                kind: StepKind::DoubleStep,
            });
        }
    }
}

impl<V: Lanes> Lister<'_, V> {
    /// Lists steps of one piece, of a kind given as bits.
    #[inline(always)]
    pub(super) fn steps(&mut self, kind: u8, targets: Bitboard, from: Square) {
        let (plain, from) = (&mut self.listing.plain, Origin::Square(from));
        if kind == DIAGONAL | STRAIGHT {
            plain.extend::<V, 32>(kind, targets, from);
        } else {
            plain.extend::<V, 16>(kind, targets, from);
        }
    }

    /// Lists promotions to one piece.
    #[inline(always)]
    pub(super) fn promotion(&mut self, targets: Bitboard, back: u8, kind: u8) {
        for to in targets {
            self.listing.promotions.push(behind(to, back), to, kind);
        }
    }
}

impl<V: Lanes> Sink for Lister<'_, V> {
    #[inline(always)]
    fn piece(&mut self, kind: StepKind, from: Square, targets: Bitboard) {
        let kind = match kind {
            StepKind::Knight => KNIGHT,
            StepKind::Bishop => DIAGONAL,
            StepKind::Rook => STRAIGHT,
            StepKind::Queen => DIAGONAL | STRAIGHT,
            StepKind::King => KING,
            _ => {
                self.listing
                    .others
                    .extend(targets.into_iter().map(|to| Step { from, to, kind }));
                return;
            }
        };
        self.steps(kind, targets, from);
    }

    #[inline(always)]
    fn pawns(&mut self, kind: StepKind, targets: Bitboard, back: u8) {
        if targets.is_empty() {
            return;
        }
        let StepKind::DoubleStep = kind else {
            self.listing
                .plain
                .extend::<V, 16>(PAWN, targets, Origin::Back(back));
            return;
        };
        self.listing
            .plain
            .extend::<V, 16>(PAWN | DOUBLE_STEP, targets, Origin::Back(back));
        self.passing(targets, back);
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, back: u8) {
        for kind in [KNIGHT, DIAGONAL, STRAIGHT, DIAGONAL | STRAIGHT] {
            self.promotion(targets, back, kind);
        }
    }
}
