//! What is known of the replies in every lane: their number, or what limits them.

use super::attacks::off;
use super::limits::ReplyLimits;
use super::node::{BoardsAfter, Node};
use crate::perft::kernel::analysis::Analysis;
use crate::perft::kernel::board::Board;
use crate::perft::kernel::lanes::Lanes;
use crate::perft::kernel::listing::Bytes;
use crate::perft::kernel::threats::Threats;
use crate::rules::attacks;
use crate::rules::{Bitboard, CastlingSide, Color, File, Rank, Square};

/// Limits on the replies to eight steps, for the turned boards.
#[derive(Default)]
pub(super) struct Analyses {
    king_steps: [u64; 8],
    checkers: [u64; 8],
    pinned: [u64; 8],
    answers: [u64; 8],
    castling: [u64; 8],
    occupied: [u64; 8],
    theirs: [u64; 8],
}

impl Analyses {
    /// The analysis of the turned board after a step.
    #[inline(always)]
    pub(super) fn analysis(&self, lane: usize, board: &Board) -> Analysis {
        let set = |part: &[u64; 8]| Bitboard(part[lane]);
        Analysis {
            threats: Threats {
                king: Square::from_low_bits(board.us.king.0.trailing_zeros()),
                occupied: set(&self.occupied),
                theirs: set(&self.theirs),
                checkers: set(&self.checkers),
                pinned: set(&self.pinned),
                answers: set(&self.answers),
            },
            king_steps: set(&self.king_steps),
            castling: set(&self.castling),
        }
    }
}

impl<V: Lanes> Node<V> {
    /// The number of replies to each of the steps from `start` on; undefined beyond the last step.
    #[inline(always)]
    pub(super) fn count_replies<const PROMOTE: bool>(&self, steps: &Bytes, start: usize) -> V {
        let after = self.play::<PROMOTE>(steps, start);
        let limits = self.limits(&after, PROMOTE);
        let (danger, reached) = self.slide(&after, &limits, PROMOTE);
        let danger = danger | limits.behind | self.leaper_attacks(&after, PROMOTE);
        let king_steps = V::splat(attacks::king(self.king).0) & !after.own & !danger;
        let [step, double_step, west, east] = Self::pawn_moves(&after, &limits);
        let mut tally = V::tally(reached);
        tally = tally.add(V::tally([king_steps, step, double_step, west, east]));
        if self.board.them.pawns.intersects(Rank::R2.bitboard()) {
            let last = V::splat(Rank::R1.bitboard().0);
            let promoting = V::tally([step & last, west & last, east & last]);
            tally = tally.add(promoting).add(promoting).add(promoting);
        }
        for knight in self.board.them.knights {
            let there = after.them.knights & limits.free & V::splat(knight.bitboard().0);
            let targets = V::splat(attacks::knight(knight).0) & limits.targets;
            tally = tally.add(V::tally([V::when(there, targets)]));
        }
        for rook in self.board.castling & self.board.them.straight {
            tally = tally.add(self.castling(rook, &after, danger | limits.checkers));
        }
        V::total(tally)
    }

    /// Limits on the replies to each of the steps from `start` on.
    #[inline(always)]
    pub(super) fn analyse(&self, after: &BoardsAfter<V>, promoted: bool) -> Analyses {
        let limits = self.limits(after, promoted);
        let (danger, _) = self.slide(after, &limits, promoted);
        let danger = danger | limits.behind | self.leaper_attacks(after, promoted);
        let king_steps = V::splat(attacks::king(self.king).0) & !after.own & !danger;
        let mut castling = V::splat(0);
        for rook in self.board.castling & self.board.them.straight {
            let may = self.castling(rook, after, danger | limits.checkers);
            castling = castling | V::when(may, V::splat(rook.bitboard().0));
        }
        Analyses {
            king_steps: king_steps.flipped().to_array(),
            checkers: limits.checkers.flipped().to_array(),
            pinned: (!limits.free).flipped().to_array(),
            answers: limits.targets.flipped().to_array(),
            castling: castling.flipped().to_array(),
            occupied: (!after.empty).flipped().to_array(),
            theirs: after.enemies.flipped().to_array(),
        }
    }

    /// Single steps, double steps, captures towards the a-file and towards the h-file.
    #[inline(always)]
    fn pawn_moves(after: &BoardsAfter<V>, limits: &ReplyLimits<V>) -> [V; 4] {
        let pawns = after.them.pawns;
        let pushers = pawns & (limits.free | limits.on_file);
        let step = pushers.shr(8) & after.empty;
        let sixth = V::splat(Rank::R6.bitboard().0);
        let double_step = (step & sixth).shr(8) & after.empty;
        // Down towards the a-file is along the diagonal a1-h8, down towards the h-file along a8-h1.
        let west = pawns & (limits.free | limits.on_diagonal) & off(File::A.bitboard());
        let east = pawns & (limits.free | limits.on_anti_diagonal) & off(File::H.bitboard());
        let takes = after.enemies & limits.targets;
        [
            step & limits.targets,
            double_step & limits.targets,
            west.shr(9) & takes,
            east.shr(7) & takes,
        ]
    }

    /// 1 in the lanes where `them` may castle with this rook.
    #[inline(always)]
    fn castling(&self, rook: Square, after: &BoardsAfter<V>, forbidden: V) -> V {
        let [king_path, rook_path] = CastlingSide::paths(self.king, rook, Color::Black);
        let own = self.king.bitboard() | rook.bitboard();
        let in_the_way = !after.empty & V::splat(((king_path | rook_path) & !own).0);
        let watched = forbidden & V::splat((king_path | self.king.bitboard()).0);
        let taken = V::splat(rook.bitboard().0) & !after.them.straight;
        let mut hindered = in_the_way | watched | taken;
        if rook.file() == File::B {
            // In Chess960, this rook may shield the king's target from the corner: no other one
            // can, since it arrives next to the king, on its other side.
            let corner = Square::new(File::A, rook.rank()).bitboard();
            hindered = hindered | after.us.straight & V::splat(corner.0);
        }
        V::unless(hindered, V::splat(1))
    }
}
