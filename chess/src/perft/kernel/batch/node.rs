//! A node of the tree and the boards of its children, one lane per child.

use crate::perft::kernel::board::{Army, Board};
use crate::perft::kernel::lanes::Lanes;
use crate::perft::kernel::listing::Bytes;
use crate::perft::kernel::step::{DIAGONAL, KING, KNIGHT, PAWN, STRAIGHT};
use crate::rules::{Bitboard, Square};

/// Data shared by all lanes of a node. `us` have just moved up the board; the replies are those of
/// `them`, who move down.
pub(super) struct Node<V> {
    pub(super) us: ArmyLanes<V>,
    pub(super) them: ArmyLanes<V>,
    /// All pieces of `us`, and of `them`.
    pub(super) all: [V; 2],
    pub(super) board: Board,
    pub(super) king: Square,
}

/// One side's pieces in lanes, without its king.
#[derive(Clone, Copy)]
pub(super) struct ArmyLanes<V> {
    pub(super) pawns: V,
    pub(super) knights: V,
    pub(super) diagonal: V,
    pub(super) straight: V,
}

impl<V: Lanes> ArmyLanes<V> {
    #[inline(always)]
    fn splat(army: &Army) -> Self {
        Self {
            pawns: V::splat(army.pawns.0),
            knights: V::splat(army.knights.0),
            diagonal: V::splat(army.diagonal.0),
            straight: V::splat(army.straight.0),
        }
    }

    #[inline(always)]
    fn new(boards: &[Board], army: impl Fn(&Board) -> &Army) -> Self {
        Self {
            pawns: gathered(boards, |board| army(board).pawns),
            knights: gathered(boards, |board| army(board).knights),
            diagonal: gathered(boards, |board| army(board).diagonal),
            straight: gathered(boards, |board| army(board).straight),
        }
    }

    #[inline(always)]
    fn without(self, squares: V) -> Self {
        let keep = !squares;
        Self {
            pawns: self.pawns & keep,
            knights: self.knights & keep,
            diagonal: self.diagonal & keep,
            straight: self.straight & keep,
        }
    }
}

/// The boards of all lanes after their steps.
#[derive(Clone, Copy)]
pub(super) struct BoardsAfter<V> {
    pub(super) us: ArmyLanes<V>,
    pub(super) us_king: V,
    pub(super) them: ArmyLanes<V>,
    pub(super) enemies: V,
    pub(super) own: V,
    pub(super) empty: V,
}

impl<V: Lanes> BoardsAfter<V> {
    /// Of boards after steps of any kind, at most eight.
    #[inline(always)]
    pub(super) fn from_boards(boards: &[Board]) -> Self {
        let us = ArmyLanes::new(boards, |board| &board.us);
        let them = ArmyLanes::new(boards, |board| &board.them);
        let us_king = gathered(boards, |board| board.us.king);
        let enemies = gathered(boards, |board| board.us.all());
        let own = gathered(boards, |board| board.them.all());
        Self {
            us,
            us_king,
            them,
            enemies,
            own,
            empty: !(own | enemies),
        }
    }
}

/// One set of every board.
#[inline(always)]
fn gathered<V: Lanes>(boards: &[Board], set: impl Fn(&Board) -> Bitboard) -> V {
    let mut sets = [0; 8];
    for (gathered, board) in sets.iter_mut().zip(boards) {
        *gathered = set(board).0;
    }
    V::from_array(&sets)
}

#[inline(always)]
fn moved_if<V: Lanes>(kinds: V, wanted: u8, moving: V) -> V {
    V::when(kinds & V::splat(u64::from(wanted)), moving)
}

impl<V: Lanes> Node<V> {
    #[inline(always)]
    pub(super) fn new(board: &Board) -> Self {
        Self {
            us: ArmyLanes::splat(&board.us),
            them: ArmyLanes::splat(&board.them),
            all: [V::splat(board.us.all().0), V::splat(board.them.all().0)],
            board: *board,
            king: Square::from_low_bits(board.them.king.0.trailing_zeros()),
        }
    }

    /// The boards after the steps from `start` on; undefined beyond the last step.
    #[inline(always)]
    pub(super) fn play<const PROMOTE: bool>(&self, steps: &Bytes, start: usize) -> BoardsAfter<V> {
        let [from, to, kinds] = steps.eight(start);
        let (from, to) = (V::bit(V::from_bytes(from)), V::bit(V::from_bytes(to)));
        let kinds = V::from_bytes(kinds);
        let moved = from | to;
        // A promoting pawn leaves as a pawn and arrives as the promotion piece.
        let moving = if PROMOTE { to } else { moved };
        let pawns = if PROMOTE {
            from
        } else {
            moved_if(kinds, PAWN, moving)
        };
        let [us_all, them_all] = self.all;
        let enemies = us_all ^ moved;
        let own = them_all & !to;
        let us_king = V::splat(self.board.us.king.0);
        BoardsAfter {
            us: ArmyLanes {
                pawns: self.us.pawns ^ pawns,
                knights: self.us.knights ^ moved_if(kinds, KNIGHT, moving),
                diagonal: self.us.diagonal ^ moved_if(kinds, DIAGONAL, moving),
                straight: self.us.straight ^ moved_if(kinds, STRAIGHT, moving),
            },
            us_king: if PROMOTE {
                us_king
            } else {
                us_king ^ moved_if(kinds, KING, moving)
            },
            them: self.them.without(to),
            enemies,
            own,
            empty: !(own | enemies),
        }
    }
}
