//! Moves that need more than a look at the planes of a forecast: those of pieces that pin another
//! one, that alone keep the king from a square, or that move along a line on which they are
//! attacked; castling; and moves of pawns.

use super::{Forecast, PIECES};
use crate::perft::kernel::rays;
use crate::perft::kernel::step::{DIAGONAL, KING, KNIGHT, STRAIGHT};
use crate::rules::attacks::{self, Sliders};
use crate::rules::{Bitboard, CastlingSide, Color, Rank, Square};

/// The squares from each square on in each direction.
static RAYS: [[Bitboard; 8]; Square::COUNT] = {
    let mut rays = [[Bitboard::EMPTY; 8]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let mut way = 0;
        while way < 8 {
            rays[index][way] = attacks::ray(Square::ALL[index], attacks::DIRECTIONS[way]);
            way += 1;
        }
        index += 1;
    }
    rays
};

impl<S: Sliders> Forecast<'_, S> {
    /// Bars what is not forecast of the moves of a special piece; returns how many replies more
    /// there are to the others than the planes say.
    #[inline(always)]
    pub(super) fn special(
        &self,
        from: Square,
        piece: u8,
        targets: Bitboard,
        barred: &mut u64,
    ) -> u64 {
        let freed = self.unpin(from);
        *barred |= (self.away(from) | freed.leaves & freed.concerned).0;
        let left = from.bitboard().0;
        let [once_ahead, twice_ahead, behind] = self.around_pawns();
        let near_pawns = left << 8 & once_ahead | left << 16 & twice_ahead | left >> 8 & behind;
        let unknown = Bitboard(*barred | near_pawns) | self.set(&self.all.to);
        if self.set(&self.all.from).contains(from) {
            return 0;
        }
        let known = targets & !unknown;
        let more =
            (known & freed.leaves).count() * freed.moves + self.freed_squares(piece, from, known);
        u64::from(more).wrapping_sub(u64::from(self.opened(from, known)))
    }

    /// The targets of a piece away from sliders that attack it.
    #[inline(always)]
    fn away(&self, from: Square) -> Bitboard {
        let mut away = Bitboard::EMPTY;
        for (hit, ray) in self.all.hit.iter().zip(RAYS[from.index()]) {
            if self.set(hit).contains(from) {
                away |= ray;
            }
        }
        away
    }

    /// A piece that moves towards a slider that attacks it opens nothing behind it: the number of
    /// squares counted as opened by such moves.
    #[inline(always)]
    fn opened(&self, from: Square, known: Bitboard) -> u32 {
        let seen =
            self.sliders.rook(from, self.occupied) | self.sliders.bishop(from, self.occupied);
        let rays = &RAYS[from.index()];
        let mut sum = 0;
        for (way, &ray) in rays.iter().enumerate() {
            if self.set(&self.all.hit[way]).contains(from) {
                let opened = ray & seen & !self.theirs;
                let towards = known & rays[way ^ 1];
                sum += opened.count() * towards.count();
            }
        }
        sum
    }

    /// The squares that castling leaves and those where it arrives, if its replies are known.
    /// Castling from the usual squares changes nothing else than two moves would.
    #[inline(always)]
    pub(super) fn castling(&self, king: Square, rook: Square) -> Option<(Bitboard, Bitboard)> {
        let side = match (king, rook) {
            (Square::E1, Square::A1 | Square::H1) => CastlingSide::new(king, rook),
            _ => return None,
        };
        let left = king.bitboard() | rook.bitboard();
        let king_target = side.king_target(Color::White).bitboard();
        let rook_target = side.rook_target(Color::White).bitboard();
        let all = self.all;
        let held = self.set(&all.from) | self.set(&all.only) | self.set(&all.pinners);
        let hit = self.set(&all.hit[rays::EAST]) | self.set(&all.hit[rays::WEST]);
        let [_, _, _, by_straight, _, by_king] = &all.to_by;
        let to = self.set(&all.to);
        let unknown = held & left
            | hit & rook.bitboard()
            | (to | self.set(by_king)) & king_target
            | (to | self.set(by_straight)) & rook_target;
        unknown
            .is_empty()
            .then_some((left, king_target | rook_target))
    }

    /// What a piece attacks, through the king of `them`, were the one on `left` gone.
    #[inline(always)]
    fn attacks(&self, piece: u8, from: Square, left: Bitboard) -> Bitboard {
        let occupied = self.occupied & !self.board.them.king & !left;
        let kind = PIECES[usize::from(piece)];
        let mut attacked = Bitboard::EMPTY;
        if kind & DIAGONAL != 0 {
            attacked |= self.sliders.bishop(from, occupied);
        }
        if kind & STRAIGHT != 0 {
            attacked |= self.sliders.rook(from, occupied);
        }
        if kind == KNIGHT {
            attacked |= attacks::knight(from);
        }
        if kind == KING {
            attacked |= attacks::king(from);
        }
        attacked
    }

    /// How many squares more, over all moves, the king of `them` may use because the only piece
    /// that attacks them has left.
    #[inline(always)]
    fn freed_squares(&self, piece: u8, from: Square, known: Bitboard) -> u32 {
        let left = from.bitboard();
        let mut sum = 0;
        if self.set(&self.all.only).intersects(left) {
            let held = self.set(&self.all.once);
            for square in held & self.attacks(piece, from, left) {
                let attacked_still = self.attacks(piece, square, left);
                sum += (known & !attacked_still).count();
            }
        }
        sum
    }

    /// What moves of this piece free, if it pins.
    #[inline(always)]
    fn unpin(&self, from: Square) -> Freed {
        if !self.set(&self.all.pinners).contains(from) {
            return Freed::NONE;
        }
        let (us, them) = (self.occupied & !self.theirs, &self.board.them);
        let king = Square::from_low_bits(them.king.0.trailing_zeros());
        let pinned = attacks::between(king, from) & self.set(&self.all.pinned);
        let off = !attacks::line(king, from);
        let square = Square::from_low_bits(pinned.0.trailing_zeros());
        if them.pawns.intersects(pinned) {
            let ahead = Bitboard(pinned.0 >> 8);
            let step = ahead & !self.occupied;
            let second = Bitboard((step & Rank::R6.bitboard()).0 >> 8);
            let takes = pinned.pawn_attacks(Color::Black);
            let moves = (step | second & !self.occupied | takes & us) & off;
            let promotions = moves & Rank::R1.bitboard();
            return Freed {
                leaves: off,
                moves: moves.count() + 3 * promotions.count(),
                concerned: ahead | second | takes,
            };
        }
        let mut reached = Bitboard::EMPTY;
        if them.knights.intersects(pinned) {
            reached |= attacks::knight(square);
        }
        if them.diagonal.intersects(pinned) {
            reached |= self.sliders.bishop(square, self.occupied);
        }
        if them.straight.intersects(pinned) {
            reached |= self.sliders.rook(square, self.occupied);
        }
        let reached = reached & off;
        Freed {
            leaves: off,
            moves: (reached & !self.theirs).count(),
            concerned: reached,
        }
    }

    /// The targets of pawns from `back` below, arriving as this piece, that are not forecast.
    #[inline(always)]
    pub(super) fn unknown_of_pawns(&self, back: u8, piece: u8) -> Bitboard {
        let all = self.all;
        // The ways along the line of the move.
        let way = match back {
            7 => rays::NORTH_WEST,
            9 => rays::NORTH_EAST,
            _ => rays::NORTH,
        };
        let hit = self.set(&all.hit[way]) | self.set(&all.hit[way ^ 1]);
        let by = self.set(&all.to_by[usize::from(piece)]);
        let mut leaves = self.set(&all.from) | hit;
        let mut unknown = self.set(&all.to) | by;
        if piece == 0 {
            // A step in front of a pawn that might have made a double step.
            if back == 8 {
                unknown |= Bitboard((self.board.them.pawns & Rank::R7.bitboard()).0 >> 8);
            }
        } else {
            // The new piece may look through the square that the pawn left.
            leaves |= by;
            if PIECES[usize::from(piece)] & STRAIGHT != 0 {
                // It may attack again what the pawn did.
                leaves |= self.set(&all.once).pawn_attacks(Color::Black);
            }
        }
        unknown | Bitboard(leaves.0 << back)
    }
}

/// What moves of a pinning piece off the line of the pin free.
struct Freed {
    leaves: Bitboard,
    /// The number of moves that the pinned piece gains.
    moves: u32,
    /// The squares that these moves concern.
    concerned: Bitboard,
}

impl Freed {
    const NONE: Self = Self {
        leaves: Bitboard::EMPTY,
        moves: 0,
        concerned: Bitboard::EMPTY,
    };
}
